//! Random goals of every kind, with everything that may be set on one.

use fastrand::Rng;
use sinew::glam::{BVec3, DVec3};
use sinew::{Goal, Joint, Mask, Pole, Pose, Skeleton, Slack, Swivel, Target, Tolerance};

use super::random::{direction, one_in, pick, rotation, signed};
use super::skeleton::extent;
use crate::mood::Mood;

/// What goals are made from.
struct Scene<'a> {
    mood: &'a Mood,
    pose: &'a Pose,
    joints: Vec<Joint>,
    extent: f64,
}

/// Up to as many goals as the mood allows; at times one twice.
pub(super) fn random(rng: &mut Rng, mood: &Mood, skeleton: &Skeleton, pose: &Pose) -> Vec<Goal> {
    let scene = Scene { mood, pose, joints: skeleton.iter().collect(), extent: extent(skeleton) };
    let mut goals: Vec<Goal> = Vec::new();
    for _ in 0..rng.u64(0..=mood.goals as u64) {
        let goal = if !goals.is_empty() && one_in(rng, 10) { pick(rng, &goals) } else { scene.goal(rng) };
        goals.push(goal);
    }
    goals
}

impl Scene<'_> {
    fn goal(&self, rng: &mut Rng) -> Goal {
        let goal = self.target(rng);
        let goal = self.geometry(rng, goal);
        self.numbers(rng, goal)
    }

    /// A target of a joint, of one near the ends as often as of any.
    fn target(&self, rng: &mut Rng) -> Goal {
        let ends = (self.joints.len() / 3).max(1);
        let from = if rng.bool() { self.joints.len() - ends } else { 0 };
        let joint = pick(rng, &self.joints[from..]);
        let place = self.place(rng);
        let axis = match rng.u8(0..12) {
            0 if self.mood.degenerate => DVec3::ZERO,
            1 => direction(rng) * 1e-200,
            _ => direction(rng),
        };
        let goal = match rng.u8(0..14) {
            0..=5 => Goal::position(joint, place),
            6 => Goal::rotation(joint, rotation(rng)),
            7 | 8 => Goal::frame(joint, place, rotation(rng)),
            9 | 10 => Goal::aim(joint, axis, place),
            11 => Goal::axis(joint, axis, self.way(rng)),
            12 => {
                let ratio = pick(rng, &[1.0, 2.0, 0.5, 0.0, -1.0, 1e200]);
                Goal::scale(joint, DVec3::new(3.0 * signed(rng), ratio, 1.0 + rng.f64()))
            }
            _ => Goal::center_of_mass(joint, place),
        };
        if one_in(rng, 3) { goal.up(self.way(rng)) } else { goal }
    }

    /// Where it is measured: offset, pole, base, frame, mask and slack.
    fn geometry(&self, rng: &mut Rng, mut goal: Goal) -> Goal {
        if one_in(rng, 6) {
            goal = goal.offset(direction(rng) * self.extent * pick(rng, &[0.1, 1.0, 1e-9]));
        }
        if one_in(rng, 4) {
            goal = goal.pole(match rng.u8(0..6) {
                0 => Pole::Direction(DVec3::ZERO),
                1 if self.mood.invalid => Pole::Point(DVec3::new(no_number(rng), 0.0, 0.0)),
                2 => Pole::Direction(direction(rng)),
                _ => Pole::Point(self.place(rng)),
            });
        }
        if one_in(rng, 10) {
            goal = goal.pole_of(pick(rng, &self.joints), direction(rng));
        }
        if one_in(rng, 7) {
            goal = goal.base(pick(rng, &self.joints));
        }
        if one_in(rng, 7) {
            goal = goal.relative_to(pick(rng, &self.joints));
        }
        if one_in(rng, 10) {
            let mut any = || BVec3::new(rng.bool(), rng.bool(), rng.bool());
            goal = goal.mask(Mask { position: any(), rotation: any(), scale: any() });
        }
        if one_in(rng, 20) {
            let position = DVec3::new(pick(rng, &[0.0, 0.1, f64::INFINITY]), 0.0, 0.1 * rng.f64());
            goal = goal.slack(Slack { position, rotation: DVec3::splat(pick(rng, &[0.0, 0.2, 4.0])) });
        }
        if one_in(rng, 20) {
            let bend = direction(rng) * pick(rng, &[1.0, 0.0, 1e200]);
            let (target, mid, turn) = (direction(rng), direction(rng), 4.0 * signed(rng));
            goal = goal.swivel(Some(Swivel { target, bend, mid, turn }));
        }
        goal
    }

    /// How much it counts: tolerance, priority, weight and pull.
    fn numbers(&self, rng: &mut Rng, mut goal: Goal) -> Goal {
        let (extremes, invalid) = (self.mood.extremes, self.mood.invalid);
        if one_in(rng, 12) {
            let position = pick(rng, &[0.0, 1e-3, 1e-6, if extremes { f64::INFINITY } else { 0.1 }]);
            goal = goal.tolerance(Tolerance { position, rotation: pick(rng, &[0.0, 1e-3, 1e-6]) });
        }
        if one_in(rng, 8) {
            goal = goal.priority(rng.u8(0..3));
        }
        if one_in(rng, 4) {
            goal = goal.weight(match rng.u8(0..9) {
                0 => 0.0,
                1 if invalid => f64::NAN,
                2 if invalid => f64::INFINITY,
                3 if invalid => 1.0 + 1e-9,
                4 => -0.0,
                5 if extremes => 1e-300,
                6 => 1.0 - 1e-16,
                _ => rng.f64(),
            });
        }
        if one_in(rng, 8) {
            goal = goal.pull(match rng.u8(0..8) {
                0 => 0.0,
                1 if extremes => 1e300,
                2 if extremes => 1e-300,
                3 if invalid => f64::INFINITY,
                4 if invalid => -1.0,
                _ => 10.0 * rng.f64(),
            });
        }
        goal
    }

    /// A direction, at times of no length.
    fn way(&self, rng: &mut Rng) -> DVec3 {
        if self.mood.degenerate && one_in(rng, 6) { DVec3::ZERO } else { direction(rng) }
    }

    /// A place: at joints, near them, beyond reach, mirrored behind another joint.
    fn place(&self, rng: &mut Rng) -> DVec3 {
        let at = self.pose.position(pick(rng, &self.joints));
        match rng.u8(0..14) {
            0 if self.mood.extremes => direction(rng) * 1e300,
            1 if self.mood.extremes => direction(rng) * 1e150,
            2 => at,
            3 => DVec3::ZERO,
            4 => at + direction(rng) * 1e-12 * self.extent,
            5 => at + direction(rng) * 10.0 * self.extent,
            6 if self.mood.invalid => DVec3::new(no_number(rng), 0.0, 1.0),
            7 => {
                let other = self.pose.position(pick(rng, &self.joints));
                at + (at - other) * 3.0 * signed(rng)
            }
            _ => at + direction(rng) * self.extent * 0.5 * rng.f64(),
        }
    }
}

fn no_number(rng: &mut Rng) -> f64 {
    pick(rng, &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY])
}

/// Whether the documentation of `Solver::solve` calls a goal invalid: read there, not in the code.
pub(crate) fn is_invalid(goal: &Goal) -> bool {
    let up = |up: Option<DVec3>| up.is_none_or(DVec3::is_finite);
    let target = match goal.target {
        Target::Position(v) | Target::Scale(v) | Target::CenterOfMass(v) => v.is_finite(),
        Target::Rotation(q) => q.is_finite(),
        Target::Frame { position, rotation } => position.is_finite() && rotation.is_finite(),
        Target::Aim { axis, point, up: way } => axis.is_finite() && point.is_finite() && up(way),
        Target::Axis { axis, direction, up: way } => axis.is_finite() && direction.is_finite() && up(way),
        _ => true,
    };
    let pole = match goal.pole {
        Some(Pole::Point(v) | Pole::Direction(v)) => v.is_finite(),
        None => true,
    };
    let swivel = goal.swivel.is_none_or(|swivel| {
        swivel.target.is_finite() && swivel.bend.is_finite() && swivel.mid.is_finite() && swivel.turn.is_finite()
    });
    let counts = (0.0..=1.0).contains(&goal.weight) && goal.pull.is_finite() && goal.pull >= 0.0;
    !(target && pole && swivel && counts && goal.offset.is_finite())
}
