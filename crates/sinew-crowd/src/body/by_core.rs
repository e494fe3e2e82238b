//! Bodies that lanes do not know, one after another: `sinew_rig::Body` itself solves them.

use std::cell::RefCell;

use sinew::glam::{Quat, Vec3};
use sinew::{Goal, Pole, Pose, Solver as _, Workspace};

use super::{PARTS, People};
use crate::block::{ASKED, Line, TOLD, Tile};
use crate::by_core::LaneByLane;
use crate::crowd::Crowd;
use crate::goals::{IGNORED, told_by_core};
use crate::lane_pose::{LanePose, put};

thread_local! {
    /// Room of each thread, which grows with its first body.
    static ROOM: RefCell<(Pose, Workspace)> = RefCell::default();
}

impl LaneByLane for People {
    #[cold]
    #[inline(never)]
    fn solve_one(&self, crowd: &Crowd, step: usize, tile: &mut Tile<'_>, lane: usize) {
        let (skeleton, mut goals) = (crowd.skeleton(), [Goal::position(self.parts.ends[0].0, Vec3::ZERO); PARTS]);
        // Which parts have a goal, one after another.
        let (mut asked, mut count) = ([0; PARTS], 0);
        for (part, (joint, _)) in self.parts.ends.iter().enumerate() {
            if let Some(goal) = goal(*joint, &tile.goals[ASKED * (step + part)..][..ASKED], lane) {
                (goals[count], asked[count]) = (goal, part);
                count += 1;
            }
        }
        ROOM.with_borrow_mut(|(pose, work)| {
            if !pose.fits(skeleton) {
                pose.reset(skeleton);
            }
            let Tile { rotations, places, lengths, .. } = &*tile;
            LanePose { rotations, places, lengths, lane }.write(skeleton, pose);
            let core = self.parts.core;
            let before = pose.local(core).translation;
            let outcome = self.body.solve(skeleton, &goals[..count], pose, work);
            tile.take_pose(skeleton, lane, pose);
            if let Some(above) = skeleton.parent(core) {
                // What the core moved above it is in its place already.
                let way = pose.model(above).transform_vector3(pose.local(core).translation - before);
                self.carry(crowd, way.as_vec3(), tile, lane);
            }
            let results = &mut tile.results[TOLD * step..][..TOLD * PARTS];
            results.chunks_exact_mut(TOLD).for_each(|result| put(result, lane, [IGNORED, 0.0, 0.0]));
            for (&part, residual) in asked.iter().zip(work.residuals()) {
                let error = sinew::math::arc::length(residual.position);
                let told = told_by_core(residual.status, error, outcome.iterations);
                put(&mut results[TOLD * part..][..TOLD], lane, told);
            }
        });
    }
}

impl People {
    /// Moves the root that carries the body.
    fn carry(&self, crowd: &Crowd, way: Vec3, tile: &mut Tile<'_>, lane: usize) {
        let root = &crowd.bones[self.root];
        let way = Quat::from_array(root.base).conjugate() * way;
        for (line, way) in tile.places[3 * root.root..][..3].iter_mut().zip(way.to_array()) {
            line.0[lane] += way;
        }
    }
}

/// What a part is asked; `None` where it is left alone.
fn goal(joint: sinew::Joint, lines: &[Line], lane: usize) -> Option<Goal> {
    let [x, y, z, i, j, k, weight, w] = core::array::from_fn(|number: usize| lines[number].0[lane]);
    let (point, vector) = (Vec3::new(x, y, z).as_dvec3(), Vec3::new(i, j, k).as_dvec3());
    let goal = if w < 0.0 || w.is_nan() {
        Goal::frame(joint, point, Quat::from_xyzw(i, j, k, w))
    } else if w > 0.0 {
        Goal::position(joint, point).pole(Pole::Point(vector))
    } else if vector == sinew::glam::DVec3::ZERO {
        Goal::position(joint, point)
    } else {
        Goal::position(joint, point).pole(Pole::Direction(vector))
    };
    (weight != 0.0).then_some(goal.weight(f64::from(weight)))
}
