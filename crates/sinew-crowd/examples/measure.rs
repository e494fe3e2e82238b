//! Time a frame of humans with 64 joints: four limbs, a look and forward kinematics, at every width of this machine.
//! `cargo run --release -p sinew-crowd --example measure --features rayon [characters]`; with `limbs` instead of a number,
//! single limbs and chains on one thread.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use sinew::glam::{DVec3, Vec3};
use sinew::solve::fabrik::Fabrik;
use sinew::solve::two_bone::Reach;
use sinew::{Aim, Joint, JointSpec, Rotation, Skeleton, SkeletonBuilder, TwoBone};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Limbs, Poses, Width};

/// A trunk of five joints with a head, and four limbs of three with twelve to fifteen joints below each tip.
fn human() -> Result<(Skeleton, Crowd), Box<dyn std::error::Error>> {
    let mut builder = SkeletonBuilder::new();
    let mut trunk = builder.add(JointSpec::named("hips").translation(Vec3::Y.as_dvec3()));
    for _ in 0..4 {
        trunk = builder.add(JointSpec::default().child_of(trunk).translation(Vec3::new(0.0, 0.12, 0.0).as_dvec3()));
    }
    builder.add(JointSpec::named("head").child_of(trunk).translation(Vec3::new(0.0, 0.2, 0.02).as_dvec3()));
    for (name, x, parent) in [("la", 0.2, trunk), ("ra", -0.2, trunk), ("ll", 0.1, 0), ("rl", -0.1, 0)] {
        let mut last = parent;
        for (index, bone) in [[x, 0.0, 0.0], [0.0, -0.3, 0.02], [0.0, -0.28, -0.02]].into_iter().enumerate() {
            let spec = JointSpec::named(format!("{name}{index}")).child_of(last);
            last = builder.add(spec.translation(Vec3::from_array(bone).as_dvec3()));
        }
        let mut below = last;
        for finger in 0..if parent == 0 { 8 } else { 15 } {
            let above = if finger % 3 == 0 { last } else { below };
            below =
                builder.add(JointSpec::default().child_of(above).translation(Vec3::new(0.01, -0.03, 0.0).as_dvec3()));
        }
    }
    let skeleton = builder.build()?;
    let mut crowd = Crowd::new(&skeleton)?;
    for name in ["la", "ra", "ll", "rl"] {
        let mut limb = TwoBone::ending_at(&skeleton, skeleton.joint(&format!("{name}2"))?)?;
        limb.reach = Reach::SOFT;
        crowd = crowd.two_bone(&limb)?;
    }
    let head = skeleton.joint("head")?;
    let crowd = crowd.aim(&Aim::new(&skeleton, head)?, Vec3::Z.as_dvec3())?;
    Ok((skeleton, crowd))
}

/// Time of single limbs and of chains without limits, on one thread, at every width.
fn limbs() -> Result<(), Box<dyn std::error::Error>> {
    const COUNT: usize = 4096;
    let arm = Skeleton::from_lengths(&[0.6, 0.5])?;
    let limb = TwoBone::ending_at(&arm, arm.joint("joint_2")?)?;
    let chain = Skeleton::from_lengths(&[0.1; 10])?;
    let fabrik = |iterations| -> Result<Crowd, Box<dyn std::error::Error>> {
        let fabrik = Fabrik { position_tolerance: 1e-5, iterations, ..Fabrik::default() };
        Ok(Crowd::new(&chain)?.fabrik(&fabrik, chain.joint("joint_10")?)?)
    };
    let (rope, once) = (fabrik(100)?, fabrik(1)?);
    let elbow = arm.joint("joint_1")?;
    let arm = Crowd::new(&arm)?.two_bone(&limb)?;
    // As the peers' chains.
    let round: Vec<_> = chain.iter().skip(1).map(|joint| (joint, Rotation::about(DVec3::Z, 0.2))).collect();
    let only = std::env::args().nth(2);
    for width in Width::all().filter(|width| only.as_ref().is_none_or(|name| *name == width.name())) {
        bare(width);
        // As `pose.c` has it: bent, and in reach.
        let bent = [(elbow, Rotation::about(DVec3::X, 1.287))];
        let limb = one_thread(&arm, width, COUNT, &bent, |random| {
            let point = Vec3::new(random.f32(), random.f32(), random.f32()) * 0.3 + Vec3::new(0.0, 0.5, 0.2);
            Some(CrowdTarget::new(point).pole(Vec3::Z))
        });
        let point = |random: &mut fastrand::Rng| Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5);
        let asked = one_thread(&rope, width, COUNT, &round, |random| Some(CrowdTarget::new(point(random) * 1.2)));
        // Beyond reach all but the passes is done.
        let beyond = one_thread(&rope, width, COUNT, &round, |random| Some(CrowdTarget::new(point(random) * 9.0)));
        let once = one_thread(&once, width, COUNT, &round, |random| Some(CrowdTarget::new(point(random) * 1.2)));
        let idle = one_thread(&rope, width, COUNT, &round, |_| None);
        let (all, bones) = (COUNT as f64, 10.0);
        let passes = f64::from(asked.passes) / all;
        println!(
            "{:20} two-bone with pole and forward kinematics {:.2} ns a limb; chain of 10: {:.0} ns, {passes:.2} passes; a bone: {:.2} ns the first pass (a sweep back and forth and a Newton step), {:.2} a further one, {:.2} rotations, {:.2} all else",
            width.name(),
            limb.each,
            asked.each,
            (once.each - beyond.each) / bones,
            (asked.each - once.each) / bones / (passes - f64::from(once.passes) / all),
            (beyond.each - idle.each) / bones,
            idle.each / bones,
        );
    }
    Ok(())
}

/// Time of limbs by numbers alone: the problems of `sinew-bench/peers/crowd/floor.c`.
fn bare(width: Width) {
    const COUNT: usize = 4096;
    let mut random = fastrand::Rng::with_seed(1);
    let mut numbers: Vec<[f32; COUNT]> = (0..9).map(|_| core::array::from_fn(|_| random.f32() - 0.5)).collect();
    for axis in 0..3 {
        let root = numbers[axis];
        numbers[3 + axis].iter_mut().zip(root).for_each(|(x, root)| *x = root + 0.25 + 0.3 * *x);
    }
    let (first, second) = ([0.6; COUNT], [0.5; COUNT]);
    let vector = |from: usize| core::array::from_fn(|axis| &numbers[from + axis][..]);
    let limbs = Limbs { root: vector(0), target: vector(3), pole: vector(6), lengths: [&first, &second] };
    let mut out = vec![[0.0; COUNT]; 6];
    let mut best = [f64::INFINITY; 2];
    for _ in 0..400 {
        let [a, b, c, d, e, f] = &mut out[..] else { return };
        let start = Instant::now();
        limbs.positions(width, [a, b, c], [d, e, f]);
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let [a, b, c, d, e, f] = &mut out[..] else { return };
        let start = Instant::now();
        limbs.rotations(width, [a, b, c, d], [e, f]);
        best[1] = best[1].min(start.elapsed().as_secs_f64());
    }
    let [positions, rotations] = best.map(|best| 1e9 * best / COUNT as f64);
    println!("{:20} bare limb: positions {positions:.2} ns, rotations {rotations:.2} ns a limb", width.name());
}

/// Nanoseconds a character, and passes of all.
struct Timed {
    each: f64,
    passes: u32,
}

fn one_thread(
    crowd: &Crowd,
    width: Width,
    count: usize,
    start: &[(Joint, Rotation)],
    mut target: impl FnMut(&mut fastrand::Rng) -> Option<CrowdTarget>,
) -> Timed {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut poses, mut goals) = (Poses::new(crowd, count), Goals::new(crowd, count));
    for character in 0..count {
        for &(joint, rotation) in start {
            poses.set_rotation(character, joint, rotation);
        }
        goals.set(character, 0, target(&mut random));
    }
    let mut best = f64::INFINITY;
    for _ in 0..400 {
        let mut poses = poses.clone();
        let mut blocks: Vec<_> = crowd.blocks(&mut poses, &mut goals).collect();
        let start = Instant::now();
        for block in &mut blocks {
            block.solve(crowd, width);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    let passes = (0..count).map(|character| goals.iterations(character, 0)).sum();
    Timed { each: 1e9 * best / count as f64, passes }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).is_some_and(|word| word == "limbs") {
        return limbs();
    }
    let count = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let (skeleton, crowd) = human()?;
    let mut random = fastrand::Rng::with_seed(1);
    for width in Width::all() {
        let crowd = crowd.clone().with_width(width);
        let (mut poses, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
        for character in 0..count {
            for (solver, x) in [0.2, -0.2, 0.1, -0.1].into_iter().enumerate() {
                let y = if solver < 2 { 1.2 } else { 0.6 };
                let point = Vec3::new(x + 0.2 * random.f32(), y + 0.2 * random.f32(), 0.2 * random.f32());
                goals.set(character, solver, Some(CrowdTarget::new(point).pole(Vec3::Z)));
            }
            goals.set(character, 4, Some(CrowdTarget::new(Vec3::new(random.f32() - 0.5, 1.5, 1.0))));
        }
        let mut times: Vec<f64> = (0..21)
            .map(|_| {
                let start = Instant::now();
                crowd.solve(&mut poses, &mut goals);
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (best, median) = (times[0] * 1e3, times[10] * 1e3);
        let (joints, bytes) = (skeleton.len(), poses.bytes_each());
        println!(
            "{:20} {count} characters of {joints} joints: {median:.2} ms a frame (best {best:.2}), {bytes} bytes each",
            width.name()
        );
    }
    Ok(())
}
