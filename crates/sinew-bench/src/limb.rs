//! Two-bone problems (kind 1): a limb at rest, a target, and the direction of its elbow.

use anyhow::{Context, Result, ensure};
use sinew::glam::{DQuat, DVec3};
use sinew::{Joint, JointSpec, Rotation, Skeleton, SkeletonBuilder};

use crate::problem::ProblemFile;

/// The kind of file that holds two-bone problems.
pub const KIND: u32 = 1;
const WIDTH: usize = 16;

/// One limb and what it is to reach. The root is at the origin, both bones lie along local +X, and
/// the elbow is bent about its local +Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Lengths of the two bones (metres).
    pub lengths: [f64; 2],
    /// Rotation of the root joint at rest; a unit quaternion.
    pub root: DQuat,
    /// Turn of the middle joint at rest (radians).
    pub bend: f64,
    /// Where the tip is to be.
    pub target: DVec3,
    /// Direction to which the elbow is to point.
    pub pole: DVec3,
    /// What is special about it: 0 reachable, 1 too far, 2 target at the root, 3 straight at rest,
    /// 4 pole along the target, 5 too near, 6 straight with the target on its line, 7 full reach.
    pub class: u32,
}

impl Limb {
    /// All limbs of a file.
    pub fn all(file: &ProblemFile) -> Result<Vec<Self>> {
        ensure!(file.kind == KIND, "problems of kind {} are no two-bone limbs", file.kind);
        let (n, width) = (file.n, file.width);
        ensure!(n == 2 && width == WIDTH, "two-bone limbs have 2 bones and {WIDTH} numbers, not {n} and {width}");
        let limb = |(i, record)| Self::from_record(record).with_context(|| format!("record {i}"));
        file.records().enumerate().map(limb).collect()
    }

    fn from_record(record: &[f32]) -> Result<Self> {
        ensure!(record.len() == WIDTH, "{} numbers, not {WIDTH}", record.len());
        ensure!(record.iter().all(|x| x.is_finite()), "a number is NaN or infinite");
        let at = |i: usize| f64::from(record[i]);
        let vector = |i: usize| DVec3::new(at(i), at(i + 1), at(i + 2));
        let root = Rotation::from(DQuat::from_xyzw(at(2), at(3), at(4), at(5))).quaternion();
        ensure!(root.is_finite(), "the root's rotation is the zero quaternion");
        ensure!(at(0) > 0.0 && at(1) > 0.0, "bones of lengths {} and {}", at(0), at(1));
        let class = (0..=255).find(|&class| f64::from(class) == at(13));
        let class = class.with_context(|| format!("class {} is no small whole number", at(13)))?;
        Ok(Self { lengths: [at(0), at(1)], root, bend: at(6), target: vector(7), pole: vector(10), class })
    }

    /// The record of this limb, for files of one's own.
    pub fn record(&self) -> [f32; WIDTH] {
        let mut record = [0.0; WIDTH];
        let (root, target, pole) = (self.root.to_array(), self.target.to_array(), self.pole.to_array());
        let numbers = self.lengths.into_iter().chain(root).chain([self.bend]).chain(target).chain(pole);
        for (to, from) in record.iter_mut().zip(numbers.chain([f64::from(self.class)])) {
            *to = from as f32;
        }
        record
    }

    /// Length of the straight limb.
    pub fn length(&self) -> f64 {
        self.lengths[0] + self.lengths[1]
    }

    /// Local rotation of the middle joint at rest.
    pub fn mid(&self) -> DQuat {
        Rotation::about(DVec3::Z, self.bend).quaternion()
    }

    /// Positions of middle joint and tip for two local rotations.
    pub fn points(&self, [root, mid]: [DQuat; 2]) -> [DVec3; 2] {
        let [l1, l2] = self.lengths;
        let elbow = root * (DVec3::X * l1);
        [elbow, elbow + root * (mid * (DVec3::X * l2))]
    }

    /// The limb as a skeleton of root, middle joint and tip.
    pub fn skeleton(&self) -> Result<(Skeleton, [Joint; 3])> {
        let [l1, l2] = self.lengths;
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root").rotation(self.root));
        builder.add(JointSpec::named("mid").child_of(0).translation(DVec3::X * l1).rotation(self.mid()).bend(DVec3::Z));
        builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::X * l2));
        let skeleton = builder.build()?;
        let joints = [skeleton.joint("root")?, skeleton.joint("mid")?, skeleton.joint("tip")?];
        Ok((skeleton, joints))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn limb() -> Limb {
        let (target, pole) = (DVec3::new(0.5, 0.25, 0.0), DVec3::Z);
        Limb { lengths: [0.5, 0.75], root: DQuat::IDENTITY, bend: 0.5, target, pole, class: 3 }
    }

    fn file(record: [f32; WIDTH]) -> ProblemFile {
        ProblemFile { kind: 1, flags: 0, n: 2, width: WIDTH, shared: vec![], records: record.to_vec() }
    }

    #[test]
    fn records_survive_a_round_trip() {
        assert_eq!(Limb::all(&file(limb().record())).unwrap(), [limb()]);
    }

    #[test]
    fn the_skeleton_stands_where_the_record_says() {
        let limb = limb();
        let (skeleton, [_, mid, tip]) = limb.skeleton().unwrap();
        let pose = skeleton.rest_pose();
        let [elbow, hand] = limb.points([limb.root, limb.mid()]);
        assert!(pose.position(mid).distance(elbow) < 1e-15);
        assert!(pose.position(tip).distance(hand) < 1e-15);
    }

    #[test]
    fn records_that_are_no_limbs_are_refused() {
        let good = limb().record();
        for (at, value) in [(0, 0.0), (1, -1.0), (5, 0.0), (7, f32::NAN), (10, f32::INFINITY), (13, -1.0)] {
            let mut record = good;
            record[at] = value;
            let error = Limb::all(&file(record)).unwrap_err();
            assert!(error.to_string().contains("record 0"), "{error}");
        }
        assert!(Limb::all(&ProblemFile { kind: 2, ..file(good) }).is_err());
        assert!(Limb::all(&ProblemFile { width: 8, ..file(good) }).is_err());
    }
}
