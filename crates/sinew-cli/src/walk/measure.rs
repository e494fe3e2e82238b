//! What the walk did: slide, penetration, reach, crossings, accelerations.

use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, Pose};
use sinew_motion::{Clip, Ground};

use super::Walk;

/// Points of a bone that are looked for in the ground.
const BONE_POINTS: u32 = 4;
/// How far aside the way out of the ground is looked for (shares of the hips' height), and in how many directions.
const ASIDE: [f64; 4] = [0.005, 0.01, 0.02, 0.04];
const AROUND: u32 = 8;

/// A leg's measures over the walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    pub(super) steps: u32,
    pub(super) forced: u32,
    /// Farthest that its touching joint moves from frame to frame while it stands, and stands from where it should.
    pub(super) slide: f64,
    pub(super) miss: f64,
    /// Deepest that it is in the ground, standing or not; and any bone from the knee down.
    pub(super) penetration: f64,
    pub(super) sunk: f64,
    /// Largest distance from hip to ground as a share of the leg's bones.
    pub(super) extension: f64,
}

/// The whole walk's.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub(super) legs: Vec<Measured>,
    /// Frames in which two legs cross, as `crossed` says, and how far at most a joint has come through the other leg.
    pub(super) crossings: usize,
    pub(super) crossed: f64,
    /// Largest of the body's root, and of any joint against its parent (radians a second squared).
    pub(super) body_acceleration: f64,
    pub(super) joint_acceleration: f64,
}

/// A frame's contacts: where each standing foot is said to be, and the steps begun until then.
pub(super) type Contacts = Vec<(Option<DVec3>, u32, u32)>;

pub(super) fn measure(walk: &Walk<'_>, ground: &dyn Ground, contacts: &[Contacts], clip: &Clip) -> Measures {
    let up = walk.start.up;
    let rest = walk.skeleton.rest_pose();
    let mut measures = Measures { legs: vec![Measured::default(); walk.legs.len()], ..Measures::default() };
    for (leg, joints) in walk.legs.iter().enumerate() {
        let touching = walk.gait.touching(leg).unwrap_or(joints[0]);
        let sole = (rest.position(touching) - walk.start.at).dot(up);
        let upto = joints.iter().position(|&joint| joint == touching).unwrap_or(joints.len() - 1);
        let bones: f64 =
            joints[..=upto].windows(2).map(|two| rest.position(two[0]).distance(rest.position(two[1]))).sum();
        // Where bones lie below the sole at rest, so they may on any ground.
        let high = |&joint: &Joint| (rest.position(joint) - walk.start.at).dot(up);
        let lowest = joints.iter().map(high).fold(0.0, f64::min);
        let one = &mut measures.legs[leg];
        let mut before: Option<(DVec3, u32)> = None;
        for (pose, contacts) in clip.poses().iter().zip(contacts) {
            let (contact, steps, forced) = contacts[leg];
            let at = pose.position(touching);
            if let Some(contact) = contact {
                one.miss = one.miss.max(at.distance(contact));
            }
            let now = contact.map(|_| (at, steps));
            if let (Some((was, last)), Some((at, steps))) = (before, now)
                && last == steps
            {
                one.slide = one.slide.max(at.distance(was));
            }
            before = now;
            (one.steps, one.forced) = (steps, forced);
            one.penetration = one.penetration.max(depth(walk, ground, at - up * sole));
            for bone in joints[1..].windows(2) {
                let [from, to] = [bone[0], bone[1]].map(|joint| pose.position(joint));
                let points = (1..=BONE_POINTS).map(|part| from.lerp(to, f64::from(part) / f64::from(BONE_POINTS)));
                one.sunk = points.map(|at| depth(walk, ground, at - up * lowest)).fold(one.sunk, f64::max);
            }
            one.extension = one.extension.max(at.distance(pose.position(joints[0])) / bones);
        }
    }
    let crossed: Vec<f64> = clip.poses().iter().map(|pose| crossed(walk, pose)).collect();
    measures.crossings = crossed.iter().filter(|deep| **deep > 0.0).count();
    measures.crossed = crossed.into_iter().fold(0.0, f64::max);
    let peak = |sizes: sinew_motion::Course| sizes.peak().1;
    // What carries a leg, not feet that are bones of their own.
    let carries = |root: &Joint| walk.legs.iter().any(|leg| walk.skeleton.is_below(leg[0], *root));
    let bodies = walk.skeleton.roots().filter(carries);
    measures.body_acceleration = bodies.map(|root| peak(clip.positions(root).derivative(2))).fold(0.0, f64::max);
    let joints: Vec<Joint> = walk.legs.iter().flatten().copied().collect();
    measures.joint_acceleration =
        joints.iter().map(|&joint| peak(clip.bending(joint).derivative(1))).fold(0.0, f64::max);
    measures
}

/// How far a point is from the way out of the ground: up, or aside where that is nearer, as beside a riser. 0 over the ground.
fn depth(walk: &Walk<'_>, ground: &dyn Ground, at: DVec3) -> f64 {
    let (up, high) = (walk.start.up, walk.gait.height());
    let under = |at: DVec3| {
        let found = ground.below(at + up * high, up);
        found.map_or(0.0, |found| ((found.position - at).dot(up) * found.normal.dot(up)).max(0.0))
    };
    let whole = under(at);
    let turns = (0..AROUND).map(|part| std::f64::consts::TAU * f64::from(part) / f64::from(AROUND));
    let out = |far: f64| {
        let aside = |angle: f64| DQuat::from_axis_angle(up, angle) * walk.start.forward * far;
        turns.clone().map(|angle| far.hypot(under(at + aside(angle)))).fold(f64::INFINITY, f64::min)
    };
    ASIDE.map(|share| share * high).into_iter().filter(|far| *far < whole).map(out).fold(whole, f64::min)
}

/// How far two legs cross, seen from above and also along the up of the body as it is tilted: what one joint would have to move by for the
/// bones not to; 0 where none do. Legs of a tilted body that cross in one of the views alone pass far from each other.
fn crossed(walk: &Walk<'_>, pose: &Pose) -> f64 {
    let (up, rest) = (walk.start.up, walk.skeleton.rest_pose());
    let turned = |body| pose.rotation(body) * rest.rotation(body).conjugate() * up;
    let tilted = walk.skeleton.parent(walk.legs[0][0]).map_or(up, turned);
    let outline = |(leg, joints): (usize, &Vec<Joint>)| -> Vec<DVec3> {
        let touching = walk.gait.touching(leg);
        let upto = joints.iter().position(|&joint| Some(joint) == touching).unwrap_or(joints.len() - 1);
        joints[..=upto].iter().map(|&joint| pose.position(joint)).collect()
    };
    let legs: Vec<Vec<DVec3>> = walk.legs.iter().enumerate().map(outline).collect();
    let mut most = 0.0_f64;
    for (index, one) in legs.iter().enumerate() {
        for other in &legs[index + 1..] {
            for a in one.windows(2) {
                let crosses = |b: &[DVec3]| [up, tilted].map(|up| overlap([a[0], a[1]], [b[0], b[1]], up));
                most = other.windows(2).map(crosses).map(|[above, tilted]| above.min(tilted)).fold(most, f64::max);
            }
        }
    }
    most
}

/// How far two segments cross, seen along a direction: the least distance of an end from the other's line; 0 where they do not.
fn overlap(one: [DVec3; 2], other: [DVec3; 2], up: DVec3) -> f64 {
    let beside = |line: [DVec3; 2], at: DVec3| {
        let along = (line[1] - line[0]).reject_from(up).normalize_or_zero();
        along.cross(at - line[0]).dot(up)
    };
    let [a, b] = other.map(|at| beside(one, at));
    let [c, d] = one.map(|at| beside(other, at));
    if a * b < 0.0 && c * d < 0.0 { [a, b, c, d].map(f64::abs).into_iter().fold(f64::INFINITY, f64::min) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bones_cross_in_the_view_in_which_they_do() {
        // The one lies a metre over the other, which passes under its middle.
        let (one, other) = ([DVec3::new(-1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 0.0)], [DVec3::NEG_Z * 0.3, DVec3::Z]);
        assert!((overlap(one, other, DVec3::Y) - 0.3).abs() < 1e-12);
        // Seen so that what is high is seen beyond its end.
        let tilted = DVec3::new(0.0, 1.0, 0.5).normalize();
        assert!(overlap(one, other, tilted) == 0.0);
        assert!(overlap(one, other.map(|at| at + DVec3::X * 3.0), DVec3::Y) == 0.0);
    }
}
