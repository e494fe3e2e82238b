//! A VRM's springs as [`Springs`] that swing.
//!
//! VRM's update is one of frames: each keeps the share `1 - drag` of its motion and adds `stiffness · dt` toward where the
//! tail rests and `gravity · dt`. At 60 frames a second that is the motion of a pendulum with the air's grip
//! `c = -60 ln(1 - drag)` and the accelerations `stiffness · c / drag` and `gravity · c / drag`, which here go on at every
//! rate. A VRM's bone does not feel what hangs on it, so masses fall from bone to bone.
//!
//! Source: VRM Consortium, `VRMC_springBone` 1.0, its update in the non-normative part (without the damping that its Euler steps add).

use std::collections::HashMap;

use sinew::springs::{Bone, Springs, Tail};
use sinew::{Joint, Skeleton, math::ops};

use crate::character::Character;
use crate::error::LoadError;
use crate::springs::{Spring, SpringBones, SpringJoint, SpringSpace};

/// Frames a second for which a VRM's numbers are meant.
const RATE: f64 = 60.0;
/// Mass of a bone against that of the one it hangs on.
const LIGHTER: f64 = 1e-3;
/// The smallest mass.
const LIGHTEST: f64 = 1e-60;
/// Drag that stands for all of the motion.
const ALL: f64 = 0.999;

impl Character {
    /// The character's own springs, ready to [`step`](Springs::step); without bones where the file has none. An error
    /// where the springs of the file are broken, as [`spring_bones`](Self::spring_bones) has it.
    ///
    /// ```no_run
    /// let hero = sinew_gltf::load("hero.vrm")?;
    /// let (springs, mut state) = (hero.springs()?, sinew::springs::SpringState::default());
    /// let mut pose = hero.skeleton.rest_pose();
    /// // every frame, after whatever else moves the body
    /// springs.step(&hero.skeleton, &mut pose, &mut state, 1.0 / 60.0);
    /// # Ok::<(), sinew_gltf::LoadError>(())
    /// ```
    pub fn springs(&self) -> Result<Springs, LoadError> {
        Ok(self.spring_bones()?.swinging(&self.skeleton))
    }
}

impl SpringBones {
    /// The springs of a skeleton, ready to [`step`](Springs::step). Groups of colliders beyond the 63rd stop every bone.
    pub fn swinging(&self, skeleton: &Skeleton) -> Springs {
        let rest = skeleton.rest_pose();
        let mut masses: HashMap<Joint, f64> = HashMap::new();
        let mut joints: Vec<(&Spring, &SpringJoint)> =
            self.springs.iter().flat_map(|spring| spring.joints.iter().map(move |joint| (spring, joint))).collect();
        joints.sort_by_key(|(_, swinging)| swinging.joint);
        let bones = joints.into_iter().map(|(spring, swinging)| {
            let mut above = skeleton.parent(swinging.joint);
            while let Some(joint) = above.filter(|joint| !masses.contains_key(joint)) {
                above = skeleton.parent(joint);
            }
            let mass = above.map_or(1.0, |joint| (masses[&joint] * LIGHTER).max(LIGHTEST));
            masses.insert(swinging.joint, mass);
            let length = rest.model(swinging.joint).transform_vector3(swinging.offset).length();
            self.bone(spring, swinging, mass, length)
        });
        let bones = bones.collect();
        let mut colliders = self.colliders.clone();
        for (place, collider) in colliders.iter_mut().enumerate() {
            let groups = self.collider_groups.iter().enumerate().filter(|(_, group)| group.contains(&place));
            collider.layers = groups.fold(0, |layers, (group, _)| layers | layer(group));
        }
        Springs { bones, colliders, ..Springs::default() }
    }

    fn bone(&self, spring: &Spring, swinging: &SpringJoint, mass: f64, length: f64) -> Bone {
        let kept = 1.0 - swinging.drag.min(ALL);
        let drag = -RATE * ops::ln(kept);
        // Where nothing is lost, a frame's push is an acceleration of so many a second.
        let rate = if drag > 0.0 { drag / (1.0 - kept) } else { RATE };
        let groups = spring.collider_groups.iter().filter(|&&group| group < self.collider_groups.len());
        Bone {
            mass,
            bend: 1.0 / (mass * length * swinging.stiffness * rate),
            drag,
            gravity: 0.0,
            pull: swinging.gravity * rate,
            radius: swinging.hit_radius,
            layers: groups.fold(0, |layers, &group| layers | layer(group)),
            carrier: if let SpringSpace::Joint(center) = spring.space { Some(center) } else { None },
            ..Bone::new(swinging.joint, swinging.tail.map_or(Tail::Point(swinging.offset), Tail::Joint))
        }
    }
}

/// The bit of a group of colliders.
fn layer(group: usize) -> u64 {
    1 << group.min(63)
}
