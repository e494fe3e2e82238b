//! Random allowed poses: every joint evenly inside its limit.

use std::f64::consts::TAU;

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, Range};
use sinew::{BallLimit, Goal, Joint, Kind, Pose, Skeleton, Target, Tolerance, Transform};

use super::body::Humanoid;

/// Five positions or frames, and the pose that has them.
#[derive(Clone, Debug)]
pub struct Problem {
    /// An answer: the pose that the targets were taken from.
    pub pose: Pose,
    /// Where the joints with goals are in it.
    pub targets: [Target; 5],
}

impl Humanoid {
    /// The problem of a number and a seed, of `frames` or of positions alone; the same in every run.
    pub fn problem(&self, seed: u64, number: usize, frames: bool) -> Problem {
        // Neighbouring seeds give streams that are alike in their first numbers.
        let mut rng = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number as u64));
        (0..4).for_each(|_| _ = rng.u64(..));
        let pose = allowed_pose(&self.skeleton, &mut rng);
        Problem { targets: self.targets_in(&pose, frames), pose }
    }

    /// Where the joints with goals are in a pose, and with `frames` how they are turned.
    pub fn targets_in(&self, pose: &Pose, frames: bool) -> [Target; 5] {
        let frame = |joint| Target::Frame { position: pose.position(joint), rotation: pose.rotation(joint) };
        self.goals.map(|joint| if frames { frame(joint) } else { Target::Position(pose.position(joint)) })
    }

    /// What a solver is asked: five targets, each met within `tolerance`.
    pub fn goals_at(&self, targets: &[Target; 5], tolerance: Tolerance) -> [Goal; 5] {
        std::array::from_fn(|i| {
            let mut goal = Goal::position(self.goals[i], DVec3::ZERO).tolerance(tolerance);
            goal.target = targets[i];
            goal
        })
    }
}

/// Every joint anywhere inside its limit: hinges evenly in their range, balls evenly in their swing's ellipse and
/// in their twist's range, free balls evenly in all rotations.
fn allowed_pose(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.neutral_pose();
    for joint in skeleton.iter() {
        match (skeleton.kind(joint), skeleton.drive(joint)) {
            (Kind::Hinge { range, .. } | Kind::Slide { range, .. }, Some(drive)) => {
                let (low, high) = ends(range);
                pose.edit(skeleton).coordinate(drive.coordinate, low + (high - low) * rng.f64());
            }
            (Kind::Ball(limit), _) => turn(skeleton, joint, limit, rng, &mut pose),
            _ => {}
        }
    }
    pose
}

fn turn(skeleton: &Skeleton, joint: Joint, limit: BallLimit, rng: &mut fastrand::Rng, pose: &mut Pose) {
    let turn = match limit {
        BallLimit::EllipticSwing(limit) => in_ellipse(&limit, rng),
        _ => any_rotation(rng),
    };
    let zero = skeleton.zero(joint).rotation;
    let wanted = Transform { rotation: (zero * turn).normalize(), ..*pose.local(joint) };
    // Inside already, but for rounding; other limits than ellipses are projected on.
    pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &wanted, 0.0));
}

/// A swing in the ellipse of half-angle sines, evenly in each quarter, after a twist evenly in its range.
fn in_ellipse(limit: &EllipticSwing, rng: &mut fastrand::Rng) -> DQuat {
    let (radius, angle) = (rng.f64().sqrt(), TAU * rng.f64());
    let part =
        |share: f64, Range { min, max }: Range| radius * share * (0.5 * if share < 0.0 { -min } else { max }).sin();
    let [across, along] = limit.swing();
    let (a, b) = (part(angle.cos(), across), part(angle.sin(), along));
    let sine = limit.across() * a + limit.axis().cross(limit.across()) * b;
    let swing = DQuat::from_xyzw(sine.x, sine.y, sine.z, (1.0 - a * a - b * b).max(0.0).sqrt());
    let (low, high) = ends(limit.twist());
    swing * DQuat::from_axis_angle(limit.axis(), low + (high - low) * rng.f64())
}

/// Shoemake 1992.
fn any_rotation(rng: &mut fastrand::Rng) -> DQuat {
    let (u, v, w) = (rng.f64(), TAU * rng.f64(), TAU * rng.f64());
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    DQuat::from_xyzw(a * v.sin(), a * v.cos(), b * w.sin(), b * w.cos())
}

/// Half a turn either way where there is no end.
fn ends(range: Range) -> (f64, f64) {
    (range.min.max(-0.5 * TAU), range.max.min(0.5 * TAU))
}
