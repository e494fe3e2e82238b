//! Problems on one skeleton (kinds 2 to 6): chains free, within cones or of hinges, trees, and frames of a loop.

use anyhow::{Context, Result, bail, ensure};
use sinew::glam::{DQuat, DVec3};
use sinew::limit::{Range, SwingTwist};
use sinew::{BallLimit, Goal, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder, Tolerance};

use crate::problem::ProblemFile;

/// A skeleton at rest, the tips that have goals, and a target for each of them in every record.
#[derive(Clone, Debug)]
pub struct Body {
    /// Limits and the rest pose are the file's.
    pub skeleton: Skeleton,
    /// All joints in the file's order.
    pub joints: Vec<Joint>,
    /// Joints that have a target.
    pub tips: Vec<Joint>,
    /// The targets, `tips.len()` for each record.
    pub targets: Vec<DVec3>,
    /// Whether each record starts from the answer to the one before.
    pub warm: bool,
    /// Whether it is one chain without limits.
    pub free_chain: bool,
}

impl Body {
    /// Takes a file's problems.
    pub fn of(file: &ProblemFile) -> Result<Self> {
        let n = file.n as usize;
        ensure!(file.shared.iter().chain(&file.records).all(|x| x.is_finite()), "a number is NaN or infinite");
        ensure!(n > 0 && n <= 100_000, "{n} bones");
        let mut numbers = Numbers { file, at: 0 };
        let (specs, tips) = match file.kind {
            2 | 6 => (numbers.free_chain(n)?, vec![n]),
            3 => (numbers.cones(n)?, vec![n]),
            4 => (numbers.hinges(n)?, vec![n]),
            5 => numbers.tree(n)?,
            other => bail!("problems of kind {other} are none on one skeleton"),
        };
        ensure!(file.width >= 3 * tips.len(), "{} numbers for {} targets", file.width, tips.len());
        let mut builder = SkeletonBuilder::new();
        let count = specs.len();
        for spec in specs {
            builder.add(spec);
        }
        let skeleton = builder.build()?;
        let joint = |index: usize| skeleton.from_caller(index).with_context(|| format!("no joint {index}"));
        let tips = tips.into_iter().map(joint).collect::<Result<Vec<_>>>()?;
        let joints = (0..count).map(joint).collect::<Result<Vec<_>>>()?;
        let of_record = |record: &[f32]| (0..tips.len()).map(|tip| vector(record, 3 * tip)).collect::<Vec<_>>();
        let targets = file.records().flat_map(of_record).collect();
        Ok(Self { warm: file.kind == 6, free_chain: matches!(file.kind, 2 | 6), skeleton, joints, tips, targets })
    }

    /// Whether every joint is a ball without limit.
    pub fn is_free(&self) -> bool {
        self.skeleton.iter().all(|joint| self.skeleton.kind(joint) == Kind::BALL)
    }

    /// Number of records.
    pub fn count(&self) -> usize {
        self.targets.len() / self.tips.len()
    }

    /// Targets of a record, one for each tip.
    pub fn targets(&self, record: usize) -> &[DVec3] {
        &self.targets[record * self.tips.len()..][..self.tips.len()]
    }

    /// The goals of a record, each met within `tolerance` (metres).
    pub fn goals(&self, record: usize, tolerance: f64) -> impl Iterator<Item = Goal> + '_ {
        let goal = move |(&tip, &target): (&Joint, &DVec3)| {
            Goal::position(tip, target).tolerance(Tolerance { position: tolerance, rotation: 1.0 })
        };
        self.tips.iter().zip(self.targets(record)).map(goal)
    }
}

/// The shared block, taken from the front.
#[derive(Debug)]
struct Numbers<'a> {
    file: &'a ProblemFile,
    at: usize,
}

impl Numbers<'_> {
    fn take(&mut self, count: usize) -> Result<Vec<f64>> {
        let shared = &self.file.shared;
        let taken = shared.get(self.at..self.at + count).context("the shared block is too short")?;
        self.at += count;
        Ok(taken.iter().map(|&x| f64::from(x)).collect())
    }

    fn vectors(&mut self, count: usize) -> Result<Vec<DVec3>> {
        let numbers = self.take(3 * count)?;
        Ok(numbers.chunks_exact(3).map(DVec3::from_slice).collect())
    }

    fn free_chain(&mut self, n: usize) -> Result<Vec<JointSpec>> {
        let places = self.vectors(n + 1)?;
        let offset = |i: usize| if i == 0 { places[0] } else { places[i] - places[i - 1] };
        Ok((0..=n).map(|i| below(i, offset(i))).collect())
    }

    /// Each bone along its joint's Y, straight on from the one before where nothing is turned.
    fn cones(&mut self, n: usize) -> Result<Vec<JointSpec>> {
        let limit = self.take(1)?[0];
        let base = self.vectors(1)?[0].normalize_or_zero();
        let lengths = self.take(n)?;
        let places = self.vectors(n + 1)?;
        let cone = SwingTwist::new(DVec3::Y, limit, Range::FREE).context("the cone's angle is no number")?;
        let mut above = DQuat::IDENTITY;
        let mut specs = Vec::with_capacity(n + 1);
        for i in 0..=n {
            let mut spec = below(i, if i == 0 { places[0] } else { DVec3::Y * lengths[i - 1] });
            if i < n {
                let zero = if i == 0 { DQuat::from_rotation_arc(DVec3::Y, base) } else { DQuat::IDENTITY };
                let straight = above * zero;
                let bone = (places[i + 1] - places[i]).normalize_or_zero();
                let model = DQuat::from_rotation_arc(straight * DVec3::Y, bone) * straight;
                spec = spec.kind(Kind::Ball(BallLimit::SwingTwist(cone)));
                spec.rest.rotation = above.conjugate() * model;
                spec.zero = Some(sinew::Transform { rotation: zero, ..spec.rest });
                above = model;
            }
            specs.push(spec);
        }
        Ok(specs)
    }

    /// Bones along X, hinges about Y (1) or Z (2).
    fn hinges(&mut self, n: usize) -> Result<Vec<JointSpec>> {
        let limit = self.take(1)?[0];
        let (lengths, axes, angles) = (self.take(n)?, self.take(n)?, self.take(n)?);
        let mut specs = Vec::with_capacity(n + 1);
        for i in 0..=n {
            let mut spec = below(i, if i == 0 { DVec3::ZERO } else { DVec3::X * lengths[i - 1] });
            if i < n {
                let axis = if axes[i] == 1.0 { DVec3::Y } else { DVec3::Z };
                spec = spec.kind(Kind::hinge(axis).within(-limit, limit));
                spec.zero = Some(spec.rest);
                spec.rest.rotation = DQuat::from_axis_angle(axis, angles[i]);
            }
            specs.push(spec);
        }
        Ok(specs)
    }

    #[allow(clippy::cast_sign_loss, reason = "checked to be whole and not negative")]
    fn tree(&mut self, n: usize) -> Result<(Vec<JointSpec>, Vec<usize>)> {
        let (parents, offsets) = (self.take(n)?, self.vectors(n)?);
        let tips = self.take(1)?[0];
        ensure!(tips >= 1.0 && tips <= n as f64, "{tips} tips");
        let tips = self.take(tips as usize)?;
        let spec = |(parent, offset): (&f64, &DVec3)| {
            let spec = JointSpec::default().translation(*offset);
            if *parent < 0.0 { spec } else { spec.child_of(*parent as usize) }
        };
        let index = |&tip: &f64| if tip >= 0.0 && tip < n as f64 { Ok(tip as usize) } else { bail!("no joint {tip}") };
        Ok((parents.iter().zip(&offsets).map(spec).collect(), tips.iter().map(index).collect::<Result<_>>()?))
    }
}

/// The next joint of a chain.
fn below(index: usize, offset: DVec3) -> JointSpec {
    let spec = JointSpec::default().translation(offset);
    if index == 0 { spec } else { spec.child_of(index - 1) }
}

fn vector(record: &[f32], at: usize) -> DVec3 {
    DVec3::new(record[at].into(), record[at + 1].into(), record[at + 2].into())
}
