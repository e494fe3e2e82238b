//! Limbs, looks and forward kinematics beside `ozz-animation-rs` 0.11.0: the same skeletons, poses, targets and poles, one thread,
//! the least of many rounds taken in turn.
//!
//! A limb: two bones of 0.6 and 0.5 m, bent at the start, as in `pose.c`; a human: 64 joints, four limbs and a look, as in the
//! example `measure`. Both do forward kinematics before and after, as users of ozz do.

mod ours;
mod peer;

use std::error::Error;
use std::time::Instant;

use sinew::glam::{DVec3, Vec3};
use sinew::{Joint, JointSpec, Skeleton, SkeletonBuilder};
use sinew_crowd::Width;

const ROUNDS: usize = 60;

/// A limb: its joints, and where it should reach.
struct Limb {
    joints: [Joint; 3],
    /// Middle of its targets (metres), and how far they are spread along each axis.
    middle: Vec3,
    spread: f32,
}

/// What is solved: a skeleton in a pose, its limbs, and a head that looks.
struct Problem {
    name: &'static str,
    skeleton: Skeleton,
    /// Bend of each limb's middle joint about x at the start (radians).
    bend: f64,
    limbs: Vec<Limb>,
    head: Option<Joint>,
}

/// The targets of a character: of each limb, and of its look.
struct Targets {
    limbs: Vec<Vec3>,
    look: Vec3,
}

fn limb() -> Result<Problem, Box<dyn Error>> {
    let skeleton = Skeleton::from_lengths(&[0.6, 0.5])?;
    let joints = [skeleton.joint("joint_0")?, skeleton.joint("joint_1")?, skeleton.joint("joint_2")?];
    let limbs = vec![Limb { joints, middle: Vec3::new(0.15, 0.65, 0.35), spread: 0.3 }];
    Ok(Problem { name: "a limb of 3 joints", skeleton, bend: 1.287, limbs, head: None })
}

/// A trunk of five joints with a head, and four limbs of three with eight or fifteen joints below each tip.
fn human() -> Result<Problem, Box<dyn Error>> {
    let mut builder = SkeletonBuilder::new();
    let spec = |name: &str, x: f64, y: f64, z: f64| JointSpec::named(name).translation(DVec3::new(x, y, z));
    let mut trunk = builder.add(spec("hips", 0.0, 1.0, 0.0));
    for index in 0..4 {
        trunk = builder.add(spec(&format!("spine{index}"), 0.0, 0.12, 0.0).child_of(trunk));
    }
    builder.add(spec("head", 0.0, 0.2, 0.02).child_of(trunk));
    let ends = [("la", 0.2, trunk), ("ra", -0.2, trunk), ("ll", 0.1, 0), ("rl", -0.1, 0)];
    for (name, x, parent) in ends {
        let mut last = parent;
        for (index, [x, y, z]) in [[x, 0.0, 0.0], [0.0, -0.3, 0.02], [0.0, -0.28, -0.02]].into_iter().enumerate() {
            last = builder.add(spec(&format!("{name}{index}"), x, y, z).child_of(last));
        }
        let mut below = last;
        for finger in 0..if parent == 0 { 8 } else { 15 } {
            let above = if finger % 3 == 0 { last } else { below };
            below = builder.add(spec(&format!("{name} finger {finger}"), 0.01, -0.03, 0.0).child_of(above));
        }
    }
    let skeleton = builder.build()?;
    let mut limbs = Vec::new();
    for (name, x, parent) in ends {
        let joint = |index: usize| skeleton.joint(&format!("{name}{index}"));
        let y = if parent == 0 { 0.7 } else { 1.3 };
        let middle = Vec3::new(x as f32, y, 0.1);
        limbs.push(Limb { joints: [joint(0)?, joint(1)?, joint(2)?], middle, spread: 0.2 });
    }
    let head = Some(skeleton.joint("head")?);
    Ok(Problem { name: "a human of 64 joints", skeleton, bend: 0.0, limbs, head })
}

fn targets(problem: &Problem, count: usize) -> Vec<Targets> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut aside = |spread: f32| {
        let mut one = || spread * (random.f32() - 0.5);
        Vec3::new(one(), one(), one())
    };
    let one = |_| Targets {
        limbs: problem.limbs.iter().map(|limb| limb.middle + aside(limb.spread)).collect(),
        look: Vec3::new(0.0, 1.5, 1.5) + aside(1.0),
    };
    (0..count).map(one).collect()
}

/// Seconds that something takes, where that is less than before.
fn least(best: &mut f64, run: impl FnOnce()) {
    let start = Instant::now();
    run();
    *best = best.min(start.elapsed().as_secs_f64());
}

fn compare(problem: &Problem, count: usize) -> Result<(), Box<dyn Error>> {
    let targets = targets(problem, count);
    let mut theirs = peer::Peer::new(problem, &targets)?;
    let mut widths = Vec::new();
    for width in Width::all() {
        widths.push((ours::Ours::new(problem, &targets, width)?, [f64::INFINITY; 2]));
    }
    let mut peers = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        theirs.begin();
        least(&mut peers[0], || theirs.place());
        least(&mut peers[1], || theirs.bend_alone());
        theirs.begin();
        least(&mut peers[2], || theirs.frame());
        for (ours, best) in &mut widths {
            ours.begin();
            least(&mut best[0], || ours.place());
            ours.begin();
            least(&mut best[1], || ours.frame());
        }
    }
    let each = |seconds: f64| 1e9 * seconds / count as f64;
    let [placed, alone, frame] = peers.map(each);
    let ends = (theirs.off(problem, &targets), theirs.turned(problem, &targets));
    println!(
        "{}, ozz-animation-rs: forward kinematics {placed:.1} ns, its IK jobs alone {alone:.1} ns, a frame {frame:.1} ns; off by {:.1e} m, looks by {:.1e}",
        problem.name, ends.0, ends.1
    );
    for (ours, best) in &widths {
        let [placed, frame] = best.map(each);
        println!(
            "{}, sinew-crowd, {}: forward kinematics {placed:.1} ns, a frame {frame:.1} ns; off by {:.1e} m, looks by {:.1e}",
            problem.name,
            ours.width.name(),
            ours.off(problem, &targets),
            ours.turned(problem, &targets),
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    compare(&limb()?, 4096)?;
    compare(&human()?, 2048)
}
