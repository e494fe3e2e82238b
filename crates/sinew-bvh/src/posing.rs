//! Rows as poses and poses as rows.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose, Transform};

use crate::bvh::Bvh;
use crate::channel::{Axis, Channel};
use crate::euler;
use crate::hierarchy::Node;

/// What of a pose is rounding: turns by this half sine, moves by this part of the way.
const ROUNDING: f64 = 1e-9;

/// Where the numbers of a row put a joint.
pub(crate) fn local(node: &Node, numbers: &[f64]) -> Transform {
    let mut local = Transform::from_translation(node.offset);
    for (channel, &number) in node.channels.iter().zip(numbers) {
        match channel {
            Channel::Position(axis) => local.translation[axis.index()] = number,
            Channel::Rotation(axis) => local.rotation *= euler::turn(*axis, number),
        }
    }
    local
}

/// Writes where a joint is into its numbers; those that put it there already stay as they are.
fn record(node: &Node, local: &Transform, numbers: &mut [f64]) {
    let turned = self::local(node, numbers).rotation;
    for (channel, number) in node.channels.iter().zip(numbers.iter_mut()) {
        if let Channel::Position(axis) = channel {
            *number = local.translation[axis.index()];
        }
    }
    if turned != local.rotation && turned != -local.rotation {
        record_turn(node, local.rotation, numbers);
    }
}

/// Writes a rotation into a joint's numbers.
fn record_turn(node: &Node, rotation: DQuat, numbers: &mut [f64]) {
    let mut turns = [(Axis::X, 0); 3];
    let own = node.channels.iter().enumerate().filter_map(|(place, channel)| Some((channel.turns()?, place)));
    let count = turns.iter_mut().zip(own).map(|(slot, turn)| *slot = turn).count();
    let [(a, first), (b, second), (c, third)] = turns;
    match count {
        0 => {}
        1 => numbers[first] = euler::one_angle(rotation, a, numbers[first]),
        2 => {
            let near = [numbers[first], numbers[second]];
            [numbers[first], numbers[second]] = euler::two_angles(rotation, [a, b], near);
        }
        _ => {
            let near = [numbers[first], numbers[second], numbers[third]];
            [numbers[first], numbers[second], numbers[third]] = euler::three_angles(rotation, [a, b, c], near);
        }
    }
}

impl Bvh {
    /// Brings a pose to a frame; false, and nothing done, where there is no such frame. Allocates nothing for a pose of as
    /// many joints, whichever skeleton it was of.
    pub fn pose_frame(&self, frame: usize, pose: &mut Pose) -> bool {
        let row = self.motion.row(frame);
        row.inspect(|row| self.pose_row(row, pose)).is_some()
    }

    /// Brings a pose to where a row puts it. Numbers that the row lacks leave their joints as the file has
    /// them at rest.
    pub fn pose_row(&self, row: &[f64], pose: &mut Pose) {
        if !pose.fits(&self.skeleton) {
            pose.reset(&self.skeleton);
        }
        let mut edit = pose.edit(&self.skeleton);
        for (joint, node, first) in self.placed() {
            let numbers = row.get(first..).unwrap_or_default();
            edit.local(joint, local(node, numbers));
        }
    }

    /// Writes a pose of the clip's skeleton into a row. Values of joints that already are there stay. Of equivalent angles
    /// it takes those nearest to the row's, so that a motion does not jump when each row starts as a copy of the one
    /// before. Joints with two rotation channels lose their rotation about the third axis.
    ///
    /// # Panics
    /// Where the pose is another skeleton's, or the row has not a number for each channel.
    pub fn record(&self, pose: &Pose, row: &mut [f64]) {
        assert!(pose.fits(&self.skeleton), "the pose belongs to another skeleton");
        assert_eq!(row.len(), self.motion.channels(), "the row has another number of channels");
        for (joint, node, first) in self.placed() {
            let numbers = &mut row[first..first + node.channels.len()];
            record(node, pose.local(joint), numbers);
        }
    }

    /// Joints whose channels cannot hold the pose: moved without position channels, turned about an axis without a channel,
    /// or scaled.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn lost(&self, pose: &Pose) -> Vec<Joint> {
        let mut row = vec![0.0; self.motion.channels()];
        self.record(pose, &mut row);
        let lost = self.placed().filter(|&(joint, node, first)| {
            let (is, held) = (pose.local(joint), local(node, &row[first..]));
            let apart = (is.rotation.conjugate() * held.rotation).xyz();
            let moved = is.translation.distance(held.translation);
            let size = is.translation.length().max(held.translation.length());
            arc::length(apart) > ROUNDING || moved > ROUNDING * size || (is.scale - DVec3::ONE).length() > ROUNDING
        });
        lost.map(|(joint, ..)| joint).collect()
    }
}
