//! What a ground asks of feet, however they go: the least acceleration from touch to touch.

use sinew::glam::DVec3;
use sinew_motion::Clip;

use super::Planting;

/// Places between two touches at which the ground is looked at.
const PLACES: u32 = 48;

/// The least that some foot must accelerate to go from touch to touch over the ground in the clip's time, over the largest acceleration of
/// its joint in the clip: no way of any foot has less where this is more than 1. 0 where no foot touches twice.
///
/// Of a point of the sole that is at rest at both ends and goes straight ahead. From rest, `a` comes no farther than `a t² / 2`, so that a
/// way `d` takes `4 d / T²`, and one by a point `q` that is `u` from where it begins and `v` from where it ends `2 (√u + √v)² / T²`.
pub(super) fn asked(planting: &Planting<'_>, before: &Clip, after: &Clip) -> f64 {
    let one = |foot: usize| {
        let own = before.positions(planting.feet.joint(foot)).derivative(2).peak().1;
        let contacts = planting.contacts.of(foot);
        let most = contacts.windows(2).map(|pair| swing(planting, after, foot, [pair[0].until, pair[1].from]));
        most.fold(0.0, f64::max) / own.max(f64::MIN_POSITIVE)
    };
    (0..planting.feet.len()).map(one).fold(0.0, f64::max)
}

fn swing(planting: &Planting<'_>, clip: &Clip, foot: usize, [lifts, lands]: [f64; 2]) -> f64 {
    let (feet, up, times) = (&planting.feet, planting.start.up, clip.times());
    // The last frame in which it stands, and the first in which it does again.
    let last = times.partition_point(|&time| time <= lifts).saturating_sub(1);
    let first = times.partition_point(|&time| time < lands).min(times.len() - 1);
    let soles = [last, first].map(|frame| feet.soles(&clip.poses()[frame], foot));
    let lower = usize::from(soles[0][1].dot(up) < soles[0][0].dot(up));
    let [from, to] = soles.map(|soles| soles[lower]);
    let over = |place: u32| {
        let straight = from.lerp(to, f64::from(place) / f64::from(PLACES));
        let found = planting.ground.below(straight + up * feet.length(foot), up)?;
        ((found.position - straight).dot(up) > 0.0).then_some(found.position)
    };
    let by = |point: DVec3| (point.distance(from).sqrt() + point.distance(to).sqrt()).powi(2);
    let around = (1..PLACES).filter_map(over).map(by).fold(2.0 * from.distance(to), f64::max);
    2.0 * around / (lands - lifts).max(f64::MIN_POSITIVE).powi(2)
}
