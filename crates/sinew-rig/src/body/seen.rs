//! A pose as the body sees it: positions and rotations in the body's own directions, rotations counted from the T-pose.

use glam::{DQuat, DVec3};
use sinew::{Joint, Pose, Skeleton};

use super::hinge::Hinge;
use super::layout::{Layout, Limb};
use super::limb::Bones;

/// Where a joint is, and how it is turned against the T-pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

impl Frame {
    /// A point that is told in this frame.
    pub(super) fn point(&self, point: DVec3) -> DVec3 {
        self.position + self.rotation * point
    }

    /// A point as this frame has it.
    pub(super) fn local(&self, point: DVec3) -> DVec3 {
        self.rotation.conjugate() * (point - self.position)
    }
}

/// Frames of the joints of a [`Layout`], by joint index; others are not filled in.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    frames: Vec<Frame>,
    /// From the joints' own frames to the body's directions, of these joints and all above them.
    turned: Vec<DQuat>,
    /// As the limbs come.
    limbs: [Option<Bones>; 4],
}

impl Seen {
    /// Makes room for a skeleton's joints.
    pub(super) fn make_room(&mut self, skeleton: &Skeleton) {
        self.frames.resize(skeleton.len(), Frame::default());
        self.turned.resize(skeleton.len(), DQuat::IDENTITY);
    }

    pub(super) fn look(&mut self, skeleton: &Skeleton, layout: &Layout, pose: &Pose) {
        self.make_room(skeleton);
        for &joint in &layout.path {
            let above = skeleton.parent(joint).map_or(layout.base, |above| self.turned[above.index()]);
            self.turned[joint.index()] = above * pose.local(joint).rotation;
        }
        let back = layout.axes.conjugate();
        for &(joint, _) in &layout.joints {
            let rotation = self.turned(joint) * layout.own(joint);
            self.frames[joint.index()] = Frame { position: back * pose.position(joint), rotation };
        }
        for toes in layout.limbs().filter_map(|limb| limb.toes) {
            let rotation = self.turned(toes) * layout.own(toes);
            self.frames[toes.index()] = Frame { position: back * pose.position(toes), rotation };
        }
        for finger in layout.limbs().filter_map(|limb| limb.finger) {
            self.frames[finger.index()].position = back * pose.position(finger);
        }
        for limb in layout.limbs() {
            let fold = if limb.is_arm() { DVec3::Z } else { DVec3::NEG_Z };
            let hinge = Hinge::of(skeleton, layout, self, limb);
            let (upper, lower) = (self.bone(limb.upper, limb.lower), self.bone(limb.lower, limb.end));
            self.limbs[limb.place] = Some(Bones::of([upper, lower], fold, hinge));
        }
    }

    /// A limb's bones, the lower one as far as a point of its hand or foot.
    pub(super) fn bones(&self, limb: &Limb, tip: DVec3) -> Bones {
        let bones = self.limbs[limb.place].unwrap_or_default();
        if tip == DVec3::ZERO {
            return bones;
        }
        let lower = self.at(limb.lower).local(self.at(limb.end).point(tip));
        Bones::of([bones.upper, lower], bones.fold, bones.hinge)
    }

    /// How far a limb reaches.
    pub(super) fn reach(&self, limb: &Limb) -> f64 {
        self.bones(limb, DVec3::ZERO).reach
    }

    /// The same frames.
    pub(super) fn take(&mut self, from: &Self) {
        self.frames.clone_from(&from.frames);
        self.turned.resize(from.turned.len(), DQuat::IDENTITY);
    }

    pub(super) fn set_turned(&mut self, joint: Joint, turned: DQuat) {
        self.turned[joint.index()] = turned;
    }

    /// From a joint's own frame to the body's directions.
    pub(super) fn turned(&self, joint: Joint) -> DQuat {
        self.turned[joint.index()]
    }

    pub(super) fn at(&self, joint: Joint) -> Frame {
        self.frames[joint.index()]
    }

    pub(super) fn set(&mut self, joint: Joint, frame: Frame) {
        self.frames[joint.index()] = frame;
    }

    /// From one joint to another, in the frame of the first.
    pub(super) fn bone(&self, from: Joint, to: Joint) -> DVec3 {
        self.at(from).local(self.at(to).position)
    }
}

/// A place and a rotation of model space as a frame of the body.
pub(super) fn frame_of(layout: &Layout, joint: Joint, position: DVec3, rotation: DQuat) -> Frame {
    let back = layout.axes.conjugate();
    Frame { position: back * position, rotation: back * rotation * layout.own(joint) }
}

/// From the own frame of a joint that is turned so to the body's directions.
pub(super) fn turned(layout: &Layout, joint: Joint, frame: &Frame) -> DQuat {
    frame.rotation * layout.own(joint).conjugate()
}
