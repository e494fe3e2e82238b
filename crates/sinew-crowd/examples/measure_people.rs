//! Time a frame of humans with 64 joints and a human's limits: four limbs and a look in lanes, and the body of people
//! (`sinew_rig::Body`) by `Block::each_pose`.
//! `cargo run --release -p sinew-crowd --example measure_people --features rayon [characters]`
#![allow(clippy::print_stdout)]

use std::time::Instant;

use sinew::glam::{DQuat, DVec3, Vec3};
use sinew::solve::two_bone::Reach;
use sinew::{Aim, Goal, Joint, JointSpec, Pose, Skeleton, SkeletonBuilder, Solver as _, Transform, TwoBone, Workspace};
use sinew_crowd::{Block, Crowd, CrowdTarget, Goals, Poses};
use sinew_rig::{Body, Evidence, Human, recognize};

type Any<T> = Result<T, Box<dyn std::error::Error>>;

/// A standing human, arms aside.
fn human() -> Any<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: &str, place: [f64; 3]| {
        let joint = JointSpec::named(name).translation(place);
        builder.add(if parent.is_empty() { joint } else { joint.child_of(parent) })
    };
    add("hips", "", [0.0, 0.93, 0.0]);
    for (name, parent, y) in
        [("spine", "hips", 0.1), ("chest", "spine", 0.2), ("neck", "chest", 0.25), ("head", "neck", 0.1)]
    {
        add(name, parent, [0.0, y, 0.0]);
    }
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        let part = |name: &str| format!("{name}.{side}");
        add(&part("shoulder"), "chest", [0.05 * x, 0.2, 0.0]);
        add(&part("upper_arm"), &part("shoulder"), [0.13 * x, 0.0, 0.0]);
        add(&part("forearm"), &part("upper_arm"), [0.28 * x, 0.0, 0.0]);
        add(&part("hand"), &part("forearm"), [0.25 * x, 0.0, 0.0]);
        add(&part("thigh"), "hips", [0.1 * x, 0.0, 0.0]);
        add(&part("shin"), &part("thigh"), [0.0, -0.42, 0.0]);
        add(&part("foot"), &part("shin"), [0.0, -0.42, 0.0]);
        add(&part("toes"), &part("foot"), [0.0, -0.05, 0.12]);
        for (finger, z) in [("thumb", 0.04), ("index", 0.02), ("middle", 0.0), ("ring", -0.02), ("pinky", -0.04)] {
            let mut above = part("hand");
            for phalanx in 1..=3 {
                let name = format!("{finger}.0{phalanx}.{side}");
                add(&name, &above, if phalanx == 1 { [0.08 * x, 0.0, z] } else { [0.03 * x, 0.0, 0.0] });
                above = name;
            }
        }
    }
    Ok(builder.build()?)
}

/// The least time of some rounds of work (seconds), each from the same poses.
fn best(rounds: usize, start: &Poses, poses: &mut Poses, mut work: impl FnMut(&mut Poses)) -> f64 {
    let times = (0..rounds).map(|_| {
        poses.clone_from(start);
        let begin = Instant::now();
        work(poses);
        begin.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Four limbs and a look, targets round where hands and feet are in some allowed pose.
fn limbs(skeleton: &Skeleton, name: &str, count: usize) -> Any<()> {
    let mut crowd = Crowd::new(skeleton)?;
    let tips = skeleton.joints(["hand.L", "hand.R", "foot.L", "foot.R"])?;
    for tip in tips {
        let mut limb = TwoBone::ending_at(skeleton, tip)?;
        limb.reach = Reach::SOFT;
        crowd = crowd.two_bone(&limb)?;
    }
    let head = skeleton.joint("head")?;
    crowd = crowd.aim(&Aim::new(skeleton, head)?, DVec3::Z)?;
    let mut random = fastrand::Rng::with_seed(1);
    let (start, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    let rest = skeleton.rest_pose();
    for character in 0..count {
        let mut near = || Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5);
        for (solver, tip) in tips.into_iter().enumerate() {
            let (middle, size, pole) = if solver < 2 {
                // Before the body, elbows down and back.
                (Vec3::new(rest.position(tip).x.signum() as f32 * 0.25, 1.25, 0.3), 0.4, Vec3::new(0.0, -1.0, -0.5))
            } else {
                (rest.position(tip).as_vec3() + Vec3::new(0.0, 0.12, 0.1), 0.2, Vec3::Z)
            };
            goals.set(character, solver, Some(CrowdTarget::new(middle + near() * size).pole(pole)));
        }
        goals.set(character, 4, Some(CrowdTarget::new(Vec3::new(0.0, 1.5, 1.5) + near() * 1.5)));
    }
    let mut poses = start.clone();
    let time = best(41, &start, &mut poses, |poses| crowd.solve(poses, &mut goals));
    let shares =
        (0..5).map(|solver| (0..count).filter(|&one| goals.is_by_core(one, solver)).count() as f64 / count as f64);
    let shares: Vec<_> = shares.map(|share| format!("{:.1} %", 100.0 * share)).collect();
    println!("{name}: {:.2} ms a frame of {count}; by the core {}", 1e3 * time, shares.join(", "));
    Ok(())
}

/// Some work on each block, on all cores with the feature `rayon`.
fn each_block(
    crowd: &Crowd,
    poses: &mut Poses,
    goals: &mut Goals,
    work: impl Fn(Block<'_>, &mut Pose, &mut Workspace) + Sync,
) {
    let room = || (crowd.skeleton().rest_pose(), Workspace::default());
    #[cfg(feature = "rayon")]
    {
        use rayon::iter::ParallelIterator as _;
        crowd.par_blocks(poses, goals).for_each_init(room, |(pose, own), block| work(block, pose, own));
    }
    #[cfg(not(feature = "rayon"))]
    {
        let (mut pose, mut own) = room();
        crowd.blocks(poses, goals).for_each(|block| work(block, &mut pose, &mut own));
    }
}

/// The body of people by the core, goals for both hands, both feet and the head.
fn bodies(skeleton: &Skeleton, name: &str, count: usize) -> Any<()> {
    let body = Body::of(skeleton, &recognize(&Evidence::of(skeleton))).ok_or("no human")?;
    let crowd = Crowd::new(skeleton)?;
    let (start, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    let mut poses = start.clone();
    let tips = skeleton.joints(["hand.L", "hand.R", "foot.L", "foot.R", "head"])?;
    let rest = skeleton.rest_pose();
    let asked = |character: usize| {
        let turn = 2.4 * character as f64;
        let at = |joint: Joint, more: DVec3| Goal::position(joint, rest.position(joint) + more);
        [
            at(tips[0], DVec3::new(-0.2, -0.2 + 0.1 * turn.sin(), 0.3 + 0.1 * turn.cos())),
            at(tips[1], DVec3::new(0.2, -0.2 + 0.1 * turn.cos(), 0.3 + 0.1 * turn.sin())),
            at(tips[2], DVec3::new(0.0, 0.03 + 0.03 * turn.sin(), 0.1 * turn.cos())),
            at(tips[3], DVec3::new(0.0, 0.0, -0.1 * turn.cos())),
            at(tips[4], DVec3::new(0.02 * turn.sin(), -0.03, 0.05 * turn.cos())),
        ]
    };
    let mut run = |solves: bool| {
        best(11, &start, &mut poses, |poses| {
            each_block(&crowd, poses, &mut goals, |mut block, pose, work| {
                block.each_pose(&crowd, pose, |character, pose| {
                    if solves {
                        let _ = body.solve(skeleton, &asked(character), pose, work);
                    }
                });
            });
        })
    };
    let (lent, solved) = (run(false), run(true));
    let each = |time: f64| 1e6 * time / count as f64;
    let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
    let alone = best(11, &start, &mut start.clone(), |_| {
        for character in 0..count {
            pose.reset(skeleton);
            let _ = body.solve(skeleton, &asked(character), &mut pose, &mut work);
        }
    });
    println!(
        "{name}, body by each_pose: {:.2} us a human, of which lending {:.2}; the solver alone, on one thread, {:.2}",
        each(solved),
        each(lent),
        each(alone)
    );
    Ok(())
}

/// The body of people in lanes: hips, head, hands and feet are placed and turned as in some allowed pose.
fn trackers(skeleton: &Skeleton, name: &str, count: usize) -> Any<()> {
    let body = Body::of(skeleton, &recognize(&Evidence::of(skeleton))).ok_or("no human")?;
    let crowd = Crowd::new(skeleton)?.body(&body)?;
    let ends = skeleton.joints(["hips", "head", "hand.L", "hand.R", "foot.L", "foot.R"])?;
    let bent =
        [("spine", 0.2), ("chest", 0.2), ("neck", 0.2), ("head", 0.3)].map(|(name, most)| (name.to_owned(), most));
    let limbs = [("upper_arm", 0.9), ("forearm", 0.9), ("hand", 0.4), ("thigh", 0.5), ("shin", 0.6), ("foot", 0.3)];
    let limbs = limbs.iter().flat_map(|(name, most)| ["L", "R"].map(|side| (format!("{name}.{side}"), *most)));
    let bent: Vec<_> = bent.into_iter().chain(limbs).collect();
    let mut random = fastrand::Rng::with_seed(2);
    let mut number = || 2.0 * random.f64() - 1.0;
    let (start, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    for character in 0..count {
        let mut pose = skeleton.rest_pose();
        let mut edit = pose.edit(skeleton);
        for (name, most) in &bent {
            let turn = DQuat::from_scaled_axis(DVec3::new(number(), number(), number()) * *most);
            let joint = skeleton.joint(name)?;
            let wanted = Transform { rotation: skeleton.rest(joint).rotation * turn, ..*skeleton.rest(joint) };
            edit.rotation(joint, skeleton.nearest_allowed(joint, &wanted, 0.0).rotation);
        }
        drop(edit);
        for (part, joint) in ends.into_iter().enumerate() {
            let target = CrowdTarget::new(pose.position(joint).as_vec3());
            goals.set(character, part, Some(target.rotation(pose.rotation(joint).as_quat())));
        }
    }
    let mut poses = start.clone();
    let time = best(41, &start, &mut poses, |poses| crowd.solve(poses, &mut goals));
    let left: Vec<_> = (0..count).filter(|&one| goals.is_by_core(one, 0)).collect();
    // The same crowd without those.
    for &one in &left {
        (0..6).for_each(|part| goals.set(one, part, None));
    }
    let plain = best(41, &start, &mut poses, |poses| crowd.solve(poses, &mut goals));
    println!(
        "{name}, body in lanes: {:.3} us a human, {:.1} % by the core; {:.3} without these",
        1e6 * time / count as f64,
        100.0 * left.len() as f64 / count as f64,
        1e6 * plain / count as f64
    );
    Ok(())
}

fn main() -> Any<()> {
    let count = std::env::args().nth(1).map_or(Ok(1_000), |text| text.parse())?;
    let free = human()?;
    let limited = Human::default().apply(&free, &recognize(&Evidence::of(&free)))?;
    println!("{} joints", free.len());
    limbs(&free, "without limits", count)?;
    limbs(&limited, "a human's limits", count)?;
    trackers(&free, "without limits", count)?;
    trackers(&limited, "a human's limits", count)?;
    bodies(&free, "without limits", count)?;
    bodies(&limited, "a human's limits", count / 10)?;
    Ok(())
}
