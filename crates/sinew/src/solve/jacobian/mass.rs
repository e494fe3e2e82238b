//! The centre of mass of a joint and all below it, and how motions carry it: what lies below any joint
//! is a difference of running sums, so that all columns are one pass.

use alloc::vec::Vec;
use core::ops::Range;

use glam::DVec3;

use super::goal_task::{GoalTask, write};
use super::task::Columns;
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};

impl GoalTask {
    pub(super) fn derive_mass(&self, skeleton: &Skeleton, pose: &Pose, columns: &mut Columns<'_>) {
        let joint = self.goal.joint;
        let subtree = skeleton.subtree(joint);
        let masses = core::mem::take(columns.masses);
        let masses = running_masses(skeleton, pose, joint, masses);
        let within = |range: Range<usize>| {
            let (first, last) = (masses[range.start - subtree.start], masses[range.end - subtree.start]);
            (last.0 - first.0, last.1 - first.1)
        };
        let (whole, moment) = within(subtree.clone());
        let target = self.target_of_mass(pose);
        let counts = self.goal.way_counts(target - moment / whole);
        columns.each(|motion, column| {
            let mut rate = DVec3::ZERO;
            if motion.moves(joint) {
                rate += motion.velocity(moment / whole);
            } else if subtree.contains(&motion.joint().index()) {
                let (mass, moment) = within(skeleton.subtree(motion.joint()));
                if mass > 0.0 {
                    rate += motion.velocity(moment / mass) * (mass / whole);
                }
            }
            if self.carries(motion).1 {
                rate -= motion.velocity(target);
            }
            write(column, DVec3::select(counts, rate, DVec3::ZERO));
        });
        *columns.masses = masses;
    }
}

/// Mass and moment of all joints of a subtree before each, and of all at the end: what lies below any
/// joint of it is a difference.
fn running_masses(skeleton: &Skeleton, pose: &Pose, joint: Joint, mut sums: Vec<(f64, DVec3)>) -> Vec<(f64, DVec3)> {
    sums.clear();
    let (mut whole, mut moment) = (0.0, DVec3::ZERO);
    sums.push((whole, moment));
    for joint in skeleton.subtree(joint).filter_map(|index| skeleton.at(index)) {
        let mass = skeleton.mass(joint);
        whole += mass.mass;
        moment += pose.model(joint).transform_point3(mass.center) * mass.mass;
        sums.push((whole, moment));
    }
    sums
}
