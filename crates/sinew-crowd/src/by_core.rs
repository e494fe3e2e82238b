//! Limbs and looks that limits stop, character by character: the core solves them on a skeleton of the limb alone.

use std::cell::RefCell;
use std::f64::consts::FRAC_PI_2;

use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::math::ops;
use sinew::{
    Aim, Chain, Goal, Joint, JointSpec, Kind, Pole, Pose, Skeleton, SkeletonBuilder, ThreeLink, Transform, TwoBone,
    Workspace,
};

use crate::block::{ASKED, TILE, TOLD, Tile};
use crate::crowd::{Bone, Crowd};
use crate::error::CrowdError;
use crate::goals::told_by_core;
use crate::lane_pose::{put, rotation};
use crate::number::Lanes;
use crate::vector::Vector;

thread_local! {
    /// Room of each thread, which grows with its first limb.
    static ROOM: RefCell<(Pose, Workspace)> = RefCell::default();
}

/// What the core solves, a lane after another.
pub(crate) trait LaneByLane {
    /// Solves one lane.
    fn solve_one(&self, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, lane: usize);

    /// Solves the lanes that were left to the core.
    #[inline(always)]
    fn solve_left<L: Lanes>(&self, like: L, crowd: &Crowd, left: L::Mask, step: usize, tile: &mut Tile<'_>, at: usize) {
        if !L::any(left) {
            return;
        }
        let mut lanes = [0.0; TILE];
        L::select(left, like.of(1.0), like.of(0.0)).store(&mut lanes);
        for (lane, _) in lanes.iter().enumerate().filter(|(_, left)| **left > 0.0) {
            self.solve_one(crowd, step, tile, at + lane);
        }
    }
}

/// A limb on a skeleton of its own: what it hangs on, as a root, and the joints from its own root to its tip.
#[derive(Clone, Debug)]
pub(crate) struct ByCore {
    skeleton: Skeleton,
    /// Its joints among those of the crowd, the first one here being joint 1.
    joints: Vec<usize>,
    solver: Solver,
}

#[derive(Clone, Debug)]
enum Solver {
    Two(TwoBone),
    Three(ThreeLink),
    /// One joint, and its axis that is aimed.
    Aim(Aim, Joint, DVec3),
}

impl ByCore {
    pub(crate) fn of_two(skeleton: &Skeleton, bones: &[Bone], limb: &TwoBone) -> Result<Self, CrowdError> {
        Self::new(skeleton, bones, [limb.root, limb.tip], |own, joint| {
            let new = TwoBone::new(own, joint(limb.root)?, joint(limb.mid)?, joint(limb.tip)?).ok()?;
            Some(Solver::Two(TwoBone { reach: limb.reach, end: limb.end, bend: limb.bend, rest: limb.rest, ..new }))
        })
    }

    pub(crate) fn of_three(skeleton: &Skeleton, bones: &[Bone], limb: &ThreeLink) -> Result<Self, CrowdError> {
        Self::new(skeleton, bones, [limb.root, limb.tip], |_, joint| {
            let [root, mid, low, tip] = [joint(limb.root)?, joint(limb.mid)?, joint(limb.low)?, joint(limb.tip)?];
            Some(Solver::Three(ThreeLink { root, mid, low, tip, ..*limb }))
        })
    }

    pub(crate) fn of_aim(
        skeleton: &Skeleton,
        bones: &[Bone],
        aim: &Aim,
        joint: Joint,
        axis: DVec3,
    ) -> Result<Self, CrowdError> {
        Self::new(skeleton, bones, [joint; 2], |own, to_own| {
            let joint = to_own(joint)?;
            let joints = Aim::new(own, joint).ok()?.joints;
            Some(Solver::Aim(Aim { joints, ..aim.clone() }, joint, axis))
        })
    }

    fn new(
        skeleton: &Skeleton,
        bones: &[Bone],
        [root, tip]: [Joint; 2],
        solver: impl FnOnce(&Skeleton, &dyn Fn(Joint) -> Option<Joint>) -> Option<Solver>,
    ) -> Result<Self, CrowdError> {
        let unknown = CrowdError::Unknown("a limb that is no skeleton by itself");
        let chain = Chain::new(skeleton, root, tip).map_err(|_| unknown.clone())?;
        let joints = chain.joints();
        let mut builder = SkeletonBuilder::new();
        let mut above = builder.add(JointSpec::default().kind(Kind::Free));
        for &joint in joints {
            let offset = if joint == root { DVec3::ZERO } else { wide(bones[joint.index()].offset) };
            let at = |rotation: DQuat| Transform { rotation, ..Transform::from_translation(offset) };
            above = builder.add(JointSpec {
                rest: at(skeleton.rest(joint).rotation),
                zero: Some(at(skeleton.zero(joint).rotation)),
                kind: skeleton.kind(joint),
                bend: skeleton.bend(joint),
                ..JointSpec::default().child_of(above)
            });
        }
        let own = builder.build().map_err(|_| unknown.clone())?;
        let joint = |joint: Joint| own.at(1 + joints.iter().position(|&one| one == joint)?);
        let solver = solver(&own, &joint).ok_or(unknown)?;
        Ok(Self { solver, joints: joints.iter().map(|joint| joint.index()).collect(), skeleton: own })
    }
}

impl LaneByLane for ByCore {
    #[cold]
    #[inline(never)]
    fn solve_one(&self, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, lane: usize) {
        ROOM.with_borrow_mut(|(pose, work)| {
            if !pose.fits(&self.skeleton) {
                pose.reset(&self.skeleton);
            }
            self.read(crowd, tile, lane, pose);
            let goal = self.goal(&tile.goals[ASKED * step..][..ASKED], lane);
            let solver: &dyn sinew::Solver = match &self.solver {
                Solver::Two(limb) => limb,
                Solver::Three(limb) => limb,
                Solver::Aim(aim, ..) => aim,
            };
            let outcome = solver.solve(&self.skeleton, &[goal], pose, work);
            for (joint, &index) in self.skeleton.iter().skip(1).zip(&self.joints) {
                let (lines, answer) = (&mut tile.rotations[4 * index..][..4], pose.local(joint).rotation);
                if rotation(lines, lane) != answer {
                    put(lines, lane, answer.as_quat().to_array());
                }
            }
            let sine = ops::sin_cos(outcome.rotation_error.min(FRAC_PI_2)).0;
            let error = if let Solver::Aim(..) = self.solver { sine } else { outcome.position_error };
            let told = told_by_core(outcome.status, error, outcome.iterations);
            put(&mut tile.results[TOLD * step..][..TOLD], lane, told);
        });
    }
}

impl ByCore {
    /// Takes the limb as it stands in a lane.
    fn read(&self, crowd: &Crowd, tile: &Tile<'_>, lane: usize, pose: &mut Pose) {
        let Some((&root, below)) = self.joints.split_first() else { return };
        let above = crowd.above(0.0_f32, root, tile, lane);
        let Vector(x, y, z) = above.v;
        let mut edit = pose.edit(&self.skeleton);
        // Which turn a hinge has hangs on the value before.
        (0..self.skeleton.coordinates().len()).for_each(|coordinate| _ = edit.coordinate(coordinate, 0.0));
        for (joint, &index) in self.skeleton.iter().skip(1).zip(&self.joints) {
            edit.rotation(joint, rotation(&tile.rotations[4 * index..], lane));
        }
        for (joint, &index) in self.skeleton.iter().skip(2).zip(below) {
            let Vector(x, y, z) = crowd.bone(0.0_f32, index, tile.lengths, lane);
            edit.translation(joint, wide([x, y, z]));
        }
        if let Some(base) = self.skeleton.at(0) {
            let Vector(i, j, k) = tile.place(0.0_f32, root, lane);
            edit.rotation(base, Quat::from_xyzw(x, y, z, above.w).as_dquat()).translation(base, wide([i, j, k]));
        }
    }

    /// What it is asked.
    fn goal(&self, lines: &[crate::block::Line], lane: usize) -> Goal {
        let [x, y, z, i, j, k, weight, is_point] = core::array::from_fn(|number: usize| lines[number].0[lane]);
        let (point, weight) = (wide([x, y, z]), f64::from(weight));
        let goal = match self.solver {
            Solver::Two(TwoBone { tip, .. }) | Solver::Three(ThreeLink { tip, .. }) => Goal::position(tip, point),
            Solver::Aim(_, joint, axis) => Goal::aim(joint, axis, point),
        };
        let goal = goal.weight(weight);
        let pole = wide([i, j, k]);
        if is_point > 0.0 {
            goal.pole(Pole::Point(pole))
        } else if pole == DVec3::ZERO {
            goal
        } else {
            goal.pole(Pole::Direction(pole))
        }
    }
}

fn wide(v: [f32; 3]) -> DVec3 {
    Vec3::from_array(v).as_dvec3()
}
