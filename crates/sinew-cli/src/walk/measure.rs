//! What the walk did: slide, penetration, reach, crossings, accelerations.

use sinew::glam::{DVec2, DVec3};
use sinew::{Joint, Pose};
use sinew_motion::{Clip, Ground};

use super::Walk;

/// A leg's measures over the walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    pub(super) steps: u32,
    pub(super) forced: u32,
    /// Farthest that its touching joint moves from frame to frame while it stands, and stands from where it should.
    pub(super) slide: f64,
    pub(super) miss: f64,
    /// Deepest that it is under the ground, standing or not.
    pub(super) penetration: f64,
    /// Largest distance from hip to ground as a share of the leg's bones.
    pub(super) extension: f64,
}

/// The whole walk's.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    pub(super) legs: Vec<Measured>,
    /// Frames in which two legs cross, seen from above.
    pub(super) crossings: usize,
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
            if let Some(below) = ground.below(at + up * walk.gait.height(), up) {
                let over = (at - below.position).dot(up) * below.normal.dot(up) - sole;
                one.penetration = one.penetration.max(-over);
            }
            one.extension = one.extension.max(at.distance(pose.position(joints[0])) / bones);
        }
    }
    measures.crossings = clip.poses().iter().filter(|pose| crosses(walk, pose)).count();
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

/// Whether two legs cross, seen from above.
fn crosses(walk: &Walk<'_>, pose: &Pose) -> bool {
    let left = walk.start.up.cross(walk.start.forward);
    let flat = |at: DVec3| DVec2::new(at.dot(walk.start.forward), at.dot(left));
    let leg = |leg: usize| {
        let touching = walk.gait.touching(leg).unwrap_or(walk.legs[leg][0]);
        (flat(pose.position(walk.legs[leg][0])), flat(pose.position(touching)))
    };
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    let count = walk.legs.len();
    (0..count).any(|one| {
        (one + 1..count).any(|other| {
            let ((a, b), (c, d)) = (leg(one), leg(other));
            side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
        })
    })
}
