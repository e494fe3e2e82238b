//! When the feet of a whole clip touch, and where they come down next.

mod found;

use glam::DVec3;
use sinew::Pose;
use sinew::math::arc;

use super::{Feet, FootHint, Landing, Leaving, SWING_MOMENTS};
use crate::clip::Clip;
use found::{found, on_the_floor, slow_for_the_body, within_reach};

/// Seconds between the moments at which touches are looked for, whatever the clip's frames are.
const MOMENT: f64 = 1.0 / 120.0;
/// Seconds that a foot has at least from its last touch to where it is when the clip ends: it need not be there in time.
const LAST: f64 = 0.4;

/// A sole of whose length less than this share is along the ground has no heading.
const LEVEL: f64 = 0.5;

/// One touch of a foot in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// When it comes down (seconds of the clip).
    pub from: f64,
    /// When it lifts.
    pub until: f64,
    /// How it comes down; its time is 0.
    pub landing: Landing,
    /// As in [`Leaving::leg`].
    pub leaving: DVec3,
    /// As in [`FootHint::swing`], on the way there.
    pub swing: [[DVec3; 4]; SWING_MOMENTS],
}

/// When each foot of a clip touches: known beforehand, so that feet swing to where they land.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// By foot, in the order of time.
    feet: Vec<Vec<Contact>>,
    /// Where each foot is when the clip ends.
    ends: Vec<End>,
    /// The clip's end: nothing is known after it.
    until: f64,
}

/// Where a foot is when the clip ends, on its way there after its last touch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    /// When it is to be there: after the end where it has no time before.
    from: f64,
    landing: Landing,
    swing: [[DVec3; 4]; SWING_MOMENTS],
}

impl Contacts {
    /// Found by height and speed, as the feet's settings have it.
    pub fn find(feet: &Feet, clip: &Clip) -> Self {
        Self::of_travelling(feet, clip, DVec3::ZERO)
    }

    /// The same for a clip that walked on the spot and was given the speed `travel` (metres a second), such as [`Feet::slide_of`] finds.
    /// Feet of such clips slide a little. So a foot on the floor that is slow for the body counts as touching, too.
    pub fn of_travelling(feet: &Feet, clip: &Clip, travel: DVec3) -> Self {
        let one = |foot: usize| {
            let (times, soles) = moments(clip.times(), &soles(feet, clip, foot));
            let mut touches = found(feet, &times, &soles, feet.length(foot), travel);
            if travel != DVec3::ZERO {
                slow_for_the_body(feet, travel, (&times, &soles), &mut touches);
            }
            on_the_floor(feet.settings.up, feet.length(foot), (&times, &soles), &mut touches);
            within_reach(feet, clip, foot, (&times, &soles), &mut touches);
            swinging(feet, clip, foot, contacts(feet.settings.up, &times, &soles, &touches))
        };
        Self::with_ends(feet, clip, (0..feet.len()).map(one).collect())
    }

    /// Given as curves: for each foot, whether it touches in each pose of the clip. Where a value is missing it does not touch.
    pub fn of_curves(feet: &Feet, clip: &Clip, curves: &[Vec<bool>]) -> Self {
        let one = |foot: usize| {
            let given = curves.get(foot).map_or(&[][..], Vec::as_slice);
            let touches: Vec<bool> = (0..clip.len()).map(|pose| given.get(pose).copied().unwrap_or(false)).collect();
            swinging(feet, clip, foot, contacts(feet.settings.up, clip.times(), &soles(feet, clip, foot), &touches))
        };
        Self::with_ends(feet, clip, (0..feet.len()).map(one).collect())
    }

    fn with_ends(feet: &Feet, clip: &Clip, touches: Vec<Vec<Contact>>) -> Self {
        let end =
            |(foot, touches): (usize, &Vec<Contact>)| end(feet, clip, foot, touches.last().map(|last| last.until));
        Self { ends: touches.iter().enumerate().map(end).collect(), feet: touches, until: clip.end() }
    }

    /// The touches of a foot, in the order of time; none where there is no such foot.
    pub fn of(&self, foot: usize) -> &[Contact] {
        self.feet.get(foot).map_or(&[], Vec::as_slice)
    }

    /// Whether a foot touches at a time of the clip.
    pub fn touches(&self, foot: usize, time: f64) -> bool {
        let next = self.of(foot).partition_point(|contact| contact.from <= time);
        next > 0 && time <= self.of(foot)[next - 1].until
    }

    /// Fills `hints` with what is known of each foot at a time of the clip, where the clip has it ([`FootHint::moved`]). Allocates only
    /// when there are more feet than before.
    ///
    /// At its end a clip tells of no next landing. Of one that loops, find the contacts in three laps that travel, one behind the
    /// other, and ask in the middle one.
    pub fn hints(&self, time: f64, hints: &mut Vec<FootHint>) {
        hints.clear();
        hints.extend((0..self.feet.len()).map(|foot| {
            let next = self.of(foot).partition_point(|contact| contact.from <= time);
            let touches = self.touches(foot, time);
            let stands = self.of(foot).get(if touches { next - 1 } else { next });
            let leaving = stands.map(|contact| Leaving { time: contact.until - time, leg: contact.leaving });
            let contact = self.of(foot).get(next).map(|contact| (contact.from, contact.landing, contact.swing));
            let end = Some(&self.ends[foot]).filter(|_| time <= self.until);
            let lands = contact.or(end.map(|end| (end.from, end.landing, end.swing)));
            let landing = lands.map(|(from, landing, _)| Landing { time: from - time, ..landing });
            let last = next.checked_sub(1).filter(|_| !touches).map(|last| self.of(foot)[last].until);
            let lifted = last.map_or(0.0, |last| time - last);
            FootHint { touches: Some(touches), landing, leaving, lifted, swing: lands.map(|(.., swing)| swing) }
        }));
    }
}

pub(super) fn soles(feet: &Feet, clip: &Clip, foot: usize) -> Vec<[DVec3; 2]> {
    clip.poses().iter().map(|pose| feet.soles(pose, foot)).collect()
}

/// Where a foot is that last touched until then, or never, when the clip ends, and when it is to be there.
fn end(feet: &Feet, clip: &Clip, foot: usize, last: Option<f64>) -> End {
    let soles = feet.soles(&clip.poses()[clip.len() - 1], foot);
    let height = soles[lower(&soles, feet.settings.up)].dot(feet.settings.up) - feet.settings.floor;
    let from = last.map_or(clip.end(), |last| clip.end().max(last + LAST));
    let swing = swing(feet, clip, foot, last.unwrap_or(clip.start()), from);
    let landing = Landing { soles, height: height.max(0.0), ..Landing::default() };
    End { from, landing, swing }
}

/// Soles at even moments; the end is among them.
fn moments(times: &[f64], soles: &[[DVec3; 2]]) -> (Vec<f64>, Vec<[DVec3; 2]>) {
    let (start, end) = (times[0], times[times.len() - 1]);
    let steps = ((end - start) / MOMENT).floor().min(1e7);
    let mut moments: Vec<f64> = std::iter::successors(Some(0.0), |step| (*step < steps).then(|| step + 1.0))
        .map(|step| start + step * MOMENT)
        .collect();
    if moments.last().is_some_and(|last| end - last > 1e-3 * MOMENT) {
        moments.push(end);
    }
    let at = |time: &f64| {
        let (next, share) = between(times, *time);
        let Some(after) = soles.get(next) else { return soles[0] };
        [0, 1].map(|sole| soles[next - 1][sole].lerp(after[sole], share))
    };
    let between = moments.iter().map(at).collect();
    (moments, between)
}

/// The frame behind a time, and which share of the way to it from the one before the time is; of a single frame the one behind it.
fn between(times: &[f64], time: f64) -> (usize, f64) {
    let next = times.partition_point(|&frame| frame <= time).clamp(1, (times.len() - 1).max(1));
    let share = times.get(next).map_or(0.0, |after| (time - times[next - 1]) / (after - times[next - 1]));
    (next, share.clamp(0.0, 1.0))
}

pub(super) fn lower(soles: &[DVec3; 2], up: DVec3) -> usize {
    usize::from(soles[1].dot(up) < soles[0].dot(up))
}

/// How far the lower end of a sole has come along the ground since the first of some frames, in each of them.
fn ways(up: DVec3, soles: &[[DVec3; 2]]) -> Vec<DVec3> {
    let mut way = DVec3::ZERO;
    let step = |frame: usize| {
        let pivot = lower(&soles[frame], up);
        way += (soles[frame][pivot] - soles[frame.saturating_sub(1)][pivot]).reject_from_normalized(up);
        way
    };
    (0..soles.len()).map(step).collect()
}

/// Where runs of a value begin and end, the end not among them.
fn runs(values: &[bool], value: bool) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut begin = 0;
    for end in 1..=values.len() {
        if end == values.len() || values[end] != values[begin] {
            if values[begin] == value {
                runs.push((begin, end));
            }
            begin = end;
        }
    }
    runs
}

fn contacts(up: DVec3, times: &[f64], soles: &[[DVec3; 2]], touches: &[bool]) -> Vec<Contact> {
    let contact = |(begin, end): (usize, usize)| {
        let sole = lower(&soles[begin], up);
        let [before, after] = [begin.saturating_sub(1), (begin + 1).min(times.len() - 1)];
        let velocity = (soles[after][sole] - soles[before][sole]) / (times[after] - times[before]).max(1e-9);
        let (shift, turn) = strays(up, &soles[begin..end]);
        // What it slid; its leg is told with the others.
        let leaving = -ways(up, &soles[begin..end]).last().copied().unwrap_or(DVec3::ZERO);
        let landing = Landing { soles: soles[begin], velocity, shift, turn, ..Landing::default() };
        Contact {
            from: times[begin],
            until: times[end - 1],
            landing,
            leaving,
            swing: [[DVec3::ZERO; 4]; SWING_MOMENTS],
        }
    };
    runs(touches, true).into_iter().map(contact).collect()
}

/// The contacts, with the clip's way to each.
fn swinging(feet: &Feet, clip: &Clip, foot: usize, mut contacts: Vec<Contact>) -> Vec<Contact> {
    let mut lifted = clip.start();
    for contact in &mut contacts {
        contact.swing = swing(feet, clip, foot, lifted, contact.from);
        let line = |time: f64| {
            let (before, after, share) = about(clip, time);
            feet.legs[foot].line(before).lerp(feet.legs[foot].line(after), share)
        };
        contact.landing.leg = line(contact.from);
        contact.leaving += line(contact.until);
        lifted = contact.until;
    }
    contacts
}

/// The clip's way of a foot from one time to another, as in [`FootHint::swing`].
fn swing(feet: &Feet, clip: &Clip, foot: usize, from: f64, to: f64) -> [[DVec3; 4]; SWING_MOMENTS] {
    let points = |pose: &Pose| {
        let [heel, ball] = feet.soles(pose, foot);
        [heel, ball, feet.tip(pose, foot).unwrap_or(ball), feet.legs[foot].line(pose)]
    };
    std::array::from_fn(|moment| {
        let (before, after, share) = about(clip, from + (to - from) * moment as f64 / (SWING_MOMENTS - 1) as f64);
        let [before, after] = [before, after].map(points);
        [0, 1, 2, 3].map(|point: usize| before[point].lerp(after[point], share))
    })
}

/// The poses before and after a time, and which share of the way between them it is.
fn about(clip: &Clip, time: f64) -> (&Pose, &Pose, f64) {
    let (next, share) = between(clip.times(), time);
    let pose = |pose: usize| &clip.poses()[pose.min(clip.len() - 1)];
    (pose(next - 1), pose(next), share)
}

/// How far the clip's foot is, in the mean, from where it came down: along the ground, and turned about up.
fn strays(up: DVec3, soles: &[[DVec3; 2]]) -> (DVec3, f64) {
    // A foot on its toes has no heading.
    let heading = |soles: &[DVec3; 2]| {
        let (along, long) = (arc::reject(soles[1] - soles[0], up), arc::length(soles[1] - soles[0]));
        arc::unit(along).filter(|_| arc::length(along) > LEVEL * long)
    };
    let first = heading(&soles[0]);
    let turn = |soles: &[DVec3; 2]| {
        first.zip(heading(soles)).map_or(0.0, |(from, to)| arc::twist_angle(arc::arc(from, to, up), up))
    };
    let (count, turns) = (soles.len() as f64, soles.iter().map(turn).sum::<f64>());
    (ways(up, soles).into_iter().sum::<DVec3>() / count, turns / count)
}
