//! Time a frame of humans with 64 joints: four limbs, a look and forward kinematics, at every width of this machine.
//! `cargo run --release -p sinew-crowd --example measure --features rayon [characters]`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use sinew::glam::Vec3;
use sinew::solve::two_bone::Reach;
use sinew::{Aim, JointSpec, Skeleton, SkeletonBuilder, TwoBone};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
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
