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
    least([from, to], (1..PLACES).filter_map(over), lands - lifts)
}

/// The least acceleration from rest at one point to rest at another in so many seconds, by each of some points, whichever asks for most.
fn least([from, to]: [DVec3; 2], by: impl Iterator<Item = DVec3>, seconds: f64) -> f64 {
    let by = by.map(|point| (point.distance(from).sqrt() + point.distance(to).sqrt()).powi(2));
    let around = by.fold(2.0 * from.distance(to), f64::max);
    2.0 * around / seconds.max(f64::MIN_POSITIVE).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_way_accelerates_less_than_what_is_asked() {
        let (ends, seconds) = ([DVec3::ZERO, DVec3::new(0.6, 0.0, 0.8)], 0.5);
        let straight = least(ends, std::iter::empty(), seconds);
        // Half the time ahead, half of it back, as hard as it may: half a metre in a quarter of a second.
        assert!((straight - 2.0 * 0.5 / (0.25 * 0.25)).abs() < 1e-12, "{straight}");
        // A point on the straight way asks for no more; one beside it for what brings it there and on from rest to rest.
        assert!((least(ends, std::iter::once(ends[1] * 0.5), seconds) - straight).abs() < 1e-12);
        let beside = ends[1] * 0.5 + DVec3::Y * 0.5;
        let (by, far) = (least(ends, std::iter::once(beside), seconds), beside.length());
        assert!((by - 2.0 * far / (0.25 * 0.25)).abs() < 1e-12, "{by}");
        assert!(least(ends, std::iter::once(beside), 2.0 * seconds) < by);
    }
}
