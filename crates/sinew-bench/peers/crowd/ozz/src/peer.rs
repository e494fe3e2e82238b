//! The problems as `ozz-animation-rs` solves them: a character after another, four joints of each at a time.

use std::error::Error;

use glam::{Mat4, Quat, Vec3, Vec3A};
use ozz_animation_rs::{
    Archive, IKAimJob, IKTwoBoneJob, LocalToModelJob, LocalToModelJobRef, SKELETON_NO_PARENT, Skeleton, SoaTransform,
};

use crate::{Problem, Targets};

/// A vector of the older glam.
fn vector(v: sinew::glam::Vec3) -> Vec3A {
    Vec3A::from_array(v.to_array())
}

/// A skeleton as ozz has it in a file, version 2: there is no other way to make one.
fn archive(skeleton: &sinew::Skeleton) -> Vec<u8> {
    let number = |n: usize| (n as u32).to_le_bytes();
    let names: Vec<u8> = skeleton.iter().flat_map(|joint| format!("{}\0", joint.index()).into_bytes()).collect();
    let mut bytes = [&[1][..], b"ozz-skeleton\0", &number(2), &number(skeleton.len()), &number(names.len())].concat();
    bytes.extend(&names);
    for joint in skeleton.iter() {
        let parent = skeleton.parent(joint).map_or(SKELETON_NO_PARENT as i16, |parent| parent.index() as i16);
        bytes.extend(parent.to_le_bytes());
    }
    for first in (0..skeleton.len()).step_by(4) {
        let four = std::array::from_fn::<[f32; 10], 4, _>(|lane| {
            let Some(joint) = skeleton.at(first + lane) else { return [0., 0., 0., 0., 0., 0., 1., 1., 1., 1.] };
            let rest = skeleton.rest(joint);
            let ([x, y, z], q) = (rest.translation.as_vec3().to_array(), rest.rotation.as_quat());
            [x, y, z, q.x, q.y, q.z, q.w, 1.0, 1.0, 1.0]
        });
        let numbers = (0..10).flat_map(|part| four.map(|lane| lane[part]));
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
    }
    bytes
}

/// A limb's joints and its middle joint's axis, about which a positive turn opens it.
struct Limb {
    joints: [usize; 3],
    axis: Vec3A,
}

/// All characters.
pub(crate) struct Peer {
    skeleton: Skeleton,
    limbs: Vec<Limb>,
    head: Option<usize>,
    start: Vec<SoaTransform>,
    /// Locals and models of each character, and its targets: of each limb, then its look.
    each: Vec<(Vec<SoaTransform>, Vec<Mat4>, Vec<Vec3A>)>,
}

impl Peer {
    pub(crate) fn new(problem: &Problem, targets: &[Targets]) -> Result<Self, Box<dyn Error>> {
        let skeleton = Skeleton::from_archive(&mut Archive::from_vec(archive(&problem.skeleton))?)?;
        let mut start = skeleton.joint_rest_poses().to_vec();
        let bend = Quat::from_rotation_x(problem.bend as f32);
        let mut limbs = Vec::new();
        for limb in &problem.limbs {
            let bone = |joint: usize| vector(problem.skeleton.rest(limb.joints[joint]).translation.as_vec3());
            let joints = limb.joints.map(sinew::Joint::index);
            start[joints[1] / 4].rotation.set_quat(joints[1] & 3, bend);
            limbs.push(Limb { joints, axis: bone(2).cross(bend.inverse() * bone(1)).normalize() });
        }
        let own = |own: &Targets| {
            let targets = own.limbs.iter().chain([&own.look]).map(|target| vector(*target)).collect();
            (start.clone(), vec![Mat4::IDENTITY; skeleton.num_joints()], targets)
        };
        let each = targets.iter().map(own).collect();
        Ok(Self { skeleton, limbs, head: problem.head.map(sinew::Joint::index), start, each })
    }

    /// The poses as they were before.
    pub(crate) fn begin(&mut self) {
        for (locals, ..) in &mut self.each {
            locals.copy_from_slice(&self.start);
        }
    }

    /// Forward kinematics alone.
    pub(crate) fn place(&mut self) {
        for (locals, models, _) in &mut self.each {
            place(&self.skeleton, locals, models);
        }
    }

    /// The IK jobs alone, of model transforms that are known; their corrections go nowhere.
    pub(crate) fn bend_alone(&mut self) {
        for (_, models, targets) in &self.each {
            for (limb, target) in self.limbs.iter().zip(targets) {
                std::hint::black_box(bend(limb, models, *target));
            }
            if let Some(head) = self.head {
                std::hint::black_box(look(&models[head], targets[self.limbs.len()]));
            }
        }
    }

    /// Limbs, looks and forward kinematics.
    pub(crate) fn frame(&mut self) {
        for (locals, models, targets) in &mut self.each {
            place(&self.skeleton, locals, models);
            for (limb, target) in self.limbs.iter().zip(&*targets) {
                let corrections = bend(limb, models, *target);
                limb.joints.iter().zip(corrections).for_each(|(joint, more)| correct(locals, *joint, more));
            }
            if let Some(head) = self.head {
                correct(locals, head, look(&models[head], targets[self.limbs.len()]));
            }
            place(&self.skeleton, locals, models);
        }
    }

    /// The farthest that a limb ends from its target (metres).
    pub(crate) fn off(&self, problem: &Problem, targets: &[Targets]) -> f32 {
        let each = self.each.iter().zip(targets).flat_map(|((_, models, _), own)| {
            let ends = problem.limbs.iter().zip(&own.limbs);
            ends.map(|(limb, target)| {
                let end: Vec3 = models[limb.joints[2].index()].w_axis.truncate();
                Vec3A::from(end).distance(vector(*target))
            })
        });
        each.fold(0.0, f32::max)
    }

    /// The most that a head looks beside its target (sine).
    pub(crate) fn turned(&self, _: &Problem, targets: &[Targets]) -> f32 {
        let Some(head) = self.head else { return 0.0 };
        let each = self.each.iter().zip(targets).map(|((_, models, _), own)| {
            let line = vector(own.look) - Vec3A::from(models[head].w_axis.truncate());
            Vec3A::from(models[head].z_axis.truncate()).cross(line.normalize()).length()
        });
        each.fold(0.0, f32::max)
    }
}

/// Multiplies a joint's local rotation by a correction.
fn correct(locals: &mut [SoaTransform], joint: usize, more: Quat) {
    let rotations = &mut locals[joint / 4].rotation;
    let new = rotations.quat(joint & 3) * more;
    rotations.set_quat(joint & 3, new);
}

fn place(skeleton: &Skeleton, locals: &[SoaTransform], models: &mut [Mat4]) {
    let mut job: LocalToModelJobRef<'_> = LocalToModelJob::default();
    job.set_skeleton(skeleton);
    job.set_input(locals);
    job.set_output(models);
    job.run().expect("a skeleton with its transforms");
}

/// Corrections of a limb's root and middle joint.
fn bend(limb: &Limb, models: &[Mat4], target: Vec3A) -> [Quat; 2] {
    let mut job = IKTwoBoneJob::default();
    job.set_target(target);
    job.set_pole_vector(Vec3A::Z);
    job.set_mid_axis(limb.axis);
    let [root, mid, tip] = limb.joints.map(|joint| models[joint]);
    job.set_start_joint(root);
    job.set_mid_joint(mid);
    job.set_end_joint(tip);
    job.run().expect("an axis of length one");
    [job.start_joint_correction(), job.mid_joint_correction()]
}

/// The correction of a head that looks along z.
fn look(head: &Mat4, target: Vec3A) -> Quat {
    let mut job = IKAimJob::default();
    job.set_target(target);
    job.set_forward(Vec3A::Z);
    job.set_joint(*head);
    job.run().expect("axes of length one");
    job.joint_correction()
}
