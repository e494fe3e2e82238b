//! Knees of feet in the air that bend and stretch little quicker than in the clip.
//!
//! A foot that goes on a smooth way does not make a smooth knee: near full stretch, and where a foot passes close by its hip, a little of
//! its way is a large angle. A foot in the air may give way along its leg, so there the angle is made smooth.

use glam::DVec3;
use sinew::math::{arc, ops};
use sinew::{Goal, Joint, Pole, Pose, Skeleton, Solver, Status, Target, Workspace};

use super::Feet;
use super::aloft::Aloft;
use super::leg::{Measured, put_apart};
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;
use crate::least_bent::least_bent;

/// Times its largest acceleration in the clip beyond which a knee is eased, and for how many seconds before and after: first the worst
/// by themselves, then what is left with more about it.
const PASSES: [(f64, f64); 2] = [(1.4, 0.1), (1.25, 0.2)];
/// Seconds in which it may come back to its own angle.
const FADES: [f64; 5] = [0.05, 0.07, 0.1, 0.14, 0.2];
/// Changed by less than that (radians), a knee is left as it is.
const LITTLE: f64 = 1e-4;
/// Share of the leg by which that may bring its foot deeper into the ground.
const DEEPER: f64 = 1e-3;

/// A knee and its foot, and their largest accelerations in a clip.
pub(super) struct Peaks([(Joint, f64); 2]);

impl Peaks {
    pub(super) fn of(feet: &Feet, clip: &Clip, foot: usize) -> Self {
        let peak = |joint: Joint| (joint, clip.positions(joint).derivative(2).peak().1.max(f64::MIN_POSITIVE));
        Self([peak(feet.knee(foot)), peak(feet.joint(foot))])
    }

    /// How many times as much as in the clip they accelerate, for each pose between the first and the last.
    fn quickness(&self, times: &[f64], poses: &[Pose]) -> Vec<f64> {
        let one = |(joint, peak): (Joint, f64)| {
            let places = poses.iter().map(|pose| pose.position(joint)).collect();
            Course::new(times.to_vec(), places).derivative(2).sizes().map(|size| size / peak).collect::<Vec<f64>>()
        };
        let [knee, foot] = self.0.map(one);
        knee.into_iter().zip(foot).map(|(knee, foot)| knee.max(foot)).collect()
    }

    fn most(&self, times: &[f64], poses: &[Pose]) -> f64 {
        self.quickness(times, poses).into_iter().fold(0.0, f64::max)
    }
}

impl Feet {
    /// Has a knee bend and stretch more evenly about where it is too quick and its foot in the air: of some ways the one on which it
    /// and its foot hurry least, and the foot comes no deeper into the ground.
    pub(super) fn ease_knee(
        &self,
        skeleton: &Skeleton,
        clip: &mut Clip,
        ground: &(impl Ground + ?Sized),
        foot: usize,
        (swings, peaks): (&[bool], &Peaks),
        work: &mut Workspace,
    ) {
        for pass in PASSES {
            for aloft in quick_about(clip, peaks, swings, pass) {
                self.ease_about(skeleton, clip, ground, foot, (&aloft, peaks), work);
            }
        }
    }

    /// The same in one stretch.
    fn ease_about(
        &self,
        skeleton: &Skeleton,
        clip: &mut Clip,
        ground: &(impl Ground + ?Sized),
        foot: usize,
        (aloft, peaks): (&Aloft, &Peaks),
        work: &mut Workspace,
    ) {
        let leg = &self.legs[foot];
        let around = aloft.around.clone();
        let (times, before) = (clip.times()[around.clone()].to_vec(), clip.poses()[around.clone()].to_vec());
        let given: Vec<f64> = before.iter().map(|pose| leg.knee_angle(pose)).collect();
        let (folded, straight) = (vec![0.0; given.len()], vec![std::f64::consts::PI; given.len()]);
        let depths: Vec<f64> = before.iter().map(|pose| self.deep(pose, ground, foot)).collect();
        let mut least = peaks.most(&times, &before);
        for (fades, highest) in FADES.into_iter().flat_map(|fades| [(fades, &given), (fades, &straight)]) {
            let mut angles = given.clone();
            least_bent(&times, &mut angles, [&folded, highest], aloft.held(), fades);
            let mut poses = before.clone();
            for ((pose, angle), own) in poses.iter_mut().zip(angles).zip(&given) {
                if (angle - own).abs() > LITTLE {
                    leg.bend_to(skeleton, pose, angle, work);
                }
            }
            let now = peaks.most(&times, &poses);
            let deepest = |(pose, deep): (&Pose, &f64)| self.deep(pose, ground, foot) - deep;
            let deeper = poses.iter().zip(&depths).map(deepest).fold(0.0, f64::max);
            if now < least && deeper < DEEPER * leg.length {
                least = now;
                clip.poses_mut()[around.clone()].clone_from_slice(&poses);
            }
        }
    }

    /// How deep a foot is in the ground; 0 over it.
    fn deep(&self, pose: &Pose, ground: &(impl Ground + ?Sized), foot: usize) -> f64 {
        let (leg, up) = (&self.legs[foot], self.settings.up);
        let depth =
            |at: DVec3| ground.below(at + up * leg.length, up).map_or(0.0, |below| (below.position - at).dot(up));
        self.soles(pose, foot).into_iter().chain(self.tip(pose, foot)).map(depth).fold(0.0, f64::max)
    }
}

/// Where a foot is in the air about moments at which it or its knee is too quick.
fn quick_about(clip: &Clip, peaks: &Peaks, swings: &[bool], (least, about): (f64, f64)) -> Vec<Aloft> {
    let (times, quickness) = (clip.times(), peaks.quickness(clip.times(), clip.poses()));
    let quick: Vec<f64> =
        times.iter().skip(1).zip(quickness).filter_map(|(&time, quick)| (quick > least).then_some(time)).collect();
    let near = |(swings, time): (&bool, &f64)| *swings && quick.iter().any(|quick| (quick - time).abs() < about);
    Aloft::all(&swings.iter().zip(times).map(near).collect::<Vec<bool>>())
}

impl Measured {
    /// The angle at the knee (radians); π where the leg is straight.
    fn knee_angle(&self, pose: &Pose) -> f64 {
        let knee = pose.position(self.limb.mid);
        let [upper, lower] = [self.limb.root, self.limb.tip].map(|joint| pose.position(joint) - knee);
        ops::atan2(arc::length(upper.cross(lower)), upper.dot(lower))
    }

    /// Bends the knee to an angle; what is below goes along the line to the hip.
    fn bend_to(&self, skeleton: &Skeleton, pose: &mut Pose, angle: f64, work: &mut Workspace) {
        let [upper, lower] = self.parts;
        let (root, line) = (pose.position(self.limb.root), self.line(pose));
        let Some(way) = arc::unit(line) else { return };
        let long = ops::sqrt_clamped(upper * upper + lower * lower - 2.0 * upper * lower * ops::sin_cos(angle).1);
        let apart = self.apart.map(|joint| (joint, pose.position(joint) + way * long - line, pose.rotation(joint)));
        let mut goal = Goal::position(self.limb.tip, DVec3::ZERO);
        goal.target = Target::Frame { position: root + way * long, rotation: pose.rotation(self.limb.tip) };
        goal.pole = arc::unit(arc::reject(pose.position(self.limb.mid) - root, way)).map(Pole::Direction);
        let _: Status = self.limb.solve(skeleton, &[goal], pose, work).status;
        put_apart(skeleton, pose, apart);
    }
}
