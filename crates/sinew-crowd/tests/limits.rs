//! Limbs inside limits: the core's answers, whoever gave them.

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::math::arc;
use sinew::solve::three_link::{Last, Yields};
use sinew::solve::two_bone::{End, Reach};
use sinew::{
    Aim, BallLimit, Bend, Goal, Joint, Kind, Pole, Pose, Skeleton, Solver, Status, ThreeLink, TwoBone, Workspace,
};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};

use crate::{body, rotation, vector};

/// A body whose left arm has limits: of the shoulder, of the elbow, and of the hand.
fn limited(round: usize, random: &mut fastrand::Rng) -> Skeleton {
    let free = body(random);
    let rest = free.rest_pose();
    let [arm, elbow, hand] = free.joints(["l_arm", "l_elbow", "l_hand"]).unwrap();
    let (a, c) = (rest.position(elbow) - rest.position(arm), rest.position(hand) - rest.position(elbow));
    // Across both bones, as that of an elbow, or anyhow.
    let own = |v: DVec3| rest.rotation(elbow).conjugate() * v;
    let axis = if round % 3 == 2 { vector(random) } else { own(a.cross(c)) };
    // Half of them let most of what is asked through.
    let wide = if (round / 5).is_multiple_of(2) { 1.0 } else { 2.2 };
    let twist = Range::new(-0.8 * wide, 0.9 * wide);
    let shoulder = match round % 5 {
        0 => BallLimit::Free,
        1 => BallLimit::SwingTwist(SwingTwist::new(vector(random), 1.2 * wide, twist).unwrap()),
        2 | 3 => {
            let least = if round % 5 == 3 { -0.5 * wide } else { -1.4 * wide };
            let swing = [Range::new(least, 1.4 * wide), Range::new(-0.8 * wide, 0.8 * wide)];
            BallLimit::EllipticSwing(EllipticSwing::uneven(vector(random), vector(random), swing, twist).unwrap())
        }
        _ => BallLimit::Euler(EulerRanges::new(EulerOrder::Xyz, twist, twist, twist).unwrap()),
    };
    let middle = match round % 4 {
        0 => Kind::hinge(axis).within(-0.2, 2.4),
        1 => Kind::hinge(axis).within(-2.9, 2.5),
        2 => Kind::hinge(axis),
        _ => Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(vector(random), 1.3 * wide, twist).unwrap())),
    };
    let wrist = SwingTwist::new(vector(random), 1.3 * wide, Range::new(-1.3 * wide, 1.3 * wide)).unwrap();
    let skeleton = free.revised(|joint, spec| match joint {
        joint if joint == arm => spec.kind = Kind::Ball(shoulder),
        joint if joint == elbow => spec.kind = middle,
        joint if joint == hand => spec.kind = Kind::Ball(BallLimit::SwingTwist(wrist)),
        _ => {}
    });
    skeleton.unwrap()
}

/// A pose inside all limits.
fn allowed(skeleton: &Skeleton, random: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for joint in skeleton.iter().filter(|&joint| !skeleton.name(joint).is_some_and(|name| name.contains("twist"))) {
        let zero = skeleton.zero(joint).rotation;
        let turn = match skeleton.kind(joint) {
            Kind::Hinge { axis, range } => {
                let (low, high) = (range.min.max(-3.0), range.max.min(3.0));
                arc::axis_angle(axis, low + (high - low) * random.f64())
            }
            Kind::Ball(limit) => limit.project(rotation(random)),
            _ => DQuat::IDENTITY,
        };
        edit.rotation(joint, zero * turn);
    }
    drop(edit);
    pose
}

/// What is asked of a limb, for lanes and for the core.
fn asked(skeleton: &Skeleton, [root, tip]: [Joint; 2], pose: &Pose, random: &mut fastrand::Rng) -> (CrowdTarget, Goal) {
    // Most of them where some allowed pose brings it, seen from the root.
    let reached = allowed(skeleton, random);
    let turn = pose.rotation(skeleton.at(0).unwrap()) * reached.rotation(skeleton.at(0).unwrap()).conjugate();
    let within = turn * (reached.position(tip) - reached.position(root));
    let away = if random.u32(..4) == 0 { vector(random) * 1.6 } else { within };
    let p = (pose.position(root) + away).as_vec3();
    let weight = if random.u32(..12) == 0 { 0.6 } else { 1.0 };
    let target = CrowdTarget::new(p).weight(weight);
    let goal = Goal::position(tip, p.as_dvec3()).weight(f64::from(weight));
    let pole: Option<Pole> = match random.u32(..3) {
        0 => None,
        1 => Some(Pole::Direction(vector(random).as_vec3().as_dvec3())),
        _ => Some(Pole::Point((pose.position(root) + vector(random)).as_vec3().as_dvec3())),
    };
    pole.map_or((target, goal), |pole| (target.pole(pole), goal.pole(pole)))
}

/// How limbs fared beside those of the core.
#[derive(Debug, Default)]
struct Compared {
    lanes: usize,
    core: usize,
    /// Largest difference of places, in lengths of the limb, or of rotations (a tenth of a radian is 0.01).
    worst: f64,
    /// Limbs left to the core that came out farther off than 3e-4, and how many of the core's own do for a target that
    /// is a millionth of the limb elsewhere: near a limit two answers may be as good.
    elsewhere: usize,
    torn: usize,
    /// Largest difference of what is left of the way, where answers are one.
    misses: f64,
    seen: std::collections::BTreeMap<Status, usize>,
}

impl Compared {
    /// Solves some characters of a skeleton, in lanes and by the core.
    fn add(
        &mut self,
        skeleton: &Skeleton,
        crowd: &Crowd,
        limb: &dyn Solver,
        joints: &[Joint],
        random: &mut fastrand::Rng,
    ) {
        let (first, last) = (joints[0], joints[joints.len() - 1]);
        let count = 48;
        let (mut poses, mut goals) = (Poses::new(crowd, count), Goals::new(crowd, count));
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let mut wanted = Vec::new();
        for character in 0..count {
            poses.set_pose(skeleton, character, &allowed(skeleton, random));
            poses.write_pose(skeleton, character, &mut pose);
            let (target, goal) = asked(skeleton, [first, last], &pose, random);
            goals.set(character, 0, Some(target));
            let mut near = pose.clone();
            let outcome = limb.solve(skeleton, &[goal], &mut pose, &mut work);
            let moved = goal.target.position().unwrap() + vector(random) * 1e-6;
            let mut beside = goal;
            beside.target = Goal::position(last, moved).target;
            let _ = limb.solve(skeleton, &[beside], &mut near, &mut work);
            let size = pose.position(first).distance(pose.position(last));
            let apart = |&joint: &Joint| near.position(joint).distance(pose.position(joint)) > 3e-4 * size;
            self.torn += usize::from(joints.iter().any(apart));
            wanted.push((pose.clone(), outcome));
        }
        crowd.solve(&mut poses, &mut goals);
        for (character, (pose, outcome)) in wanted.iter().enumerate() {
            let (status, error) = goals.result(character, 0);
            *self.seen.entry(status).or_default() += 1;
            let length: f64 = joints.windows(2).map(|two| pose.position(two[0]).distance(pose.position(two[1]))).sum();
            let off = skeleton.iter().map(|joint| {
                let off = poses.position(character, joint).as_dvec3().distance(pose.position(joint)) / length;
                let turned = poses.model_rotation(character, joint).as_dquat().dot(pose.rotation(joint)).abs();
                off.max(2.0 * (1.0 - turned.min(1.0)).sqrt() * 0.1)
            });
            let off = off.fold(0.0, f64::max);
            if goals.is_by_core(character, 0) {
                self.core += 1;
                self.elsewhere += usize::from(off > 3e-4);
            }
            if off < 3e-4 {
                self.misses = self.misses.max((f64::from(error) - outcome.position_error).abs() / length);
            }
            if goals.is_by_core(character, 0) {
                continue;
            }
            assert_eq!(status, outcome.status, "{character}: {outcome:?} {goals:?}", goals = goals.get(character, 0));
            self.lanes += 1;
            self.worst = self.worst.max(off);
            for &joint in joints {
                let local = pose.local(joint);
                let nearest = skeleton.nearest_allowed(joint, local, 0.0).rotation;
                assert!(nearest.dot(local.rotation).abs() > 1.0 - 1e-9, "{character} {joint:?} is outside");
            }
        }
    }
}

#[test]
fn limbs_inside_limits_bend_as_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(31);
    let mut compared = Compared::default();
    for round in 0..120 {
        let skeleton = limited(round, random);
        let joints = skeleton.joints(["l_arm", "l_elbow", "l_hand"]).unwrap();
        let mut limb = TwoBone::new(&skeleton, joints[0], joints[1], joints[2]).unwrap();
        limb.reach = [Reach::Clamp, Reach::SOFT, Reach::Hold][round / 2 % 3];
        limb.bend = [Bend::Given, Bend::Rest][round / 7 % 2];
        limb.end = [End::Local, End::Model][round / 6 % 2];
        let crowd = Crowd::new(&skeleton).unwrap().two_bone(&limb).unwrap();
        compared.add(&skeleton, &crowd, &limb, &joints, random);
    }
    println!("{compared:?}");
    assert!(compared.worst < 3e-4 && compared.misses < 1e-4, "{compared:?}");
    assert!(compared.lanes > 500 && compared.elsewhere < 2 * compared.torn, "{compared:?}");
}

#[test]
fn three_links_inside_limits_bend_as_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(37);
    let mut compared = Compared::default();
    for round in 0..60 {
        let skeleton = limited(round, random);
        let joints = skeleton.joints(["l_arm", "l_twist", "l_elbow", "l_hand"]).unwrap();
        let mut limb = ThreeLink::new(&skeleton, joints[0], joints[1], joints[2], joints[3]).unwrap();
        limb.last = Some(Last::Direction(vector(random)));
        limb.yields = [Yields::Position, Yields::Direction][round / 5 % 2];
        limb.bend = [Bend::Given, Bend::Rest][round / 7 % 2];
        limb.end = [End::Local, End::Model][round / 6 % 2];
        let crowd = Crowd::new(&skeleton).unwrap().three_link(&limb).unwrap();
        compared.add(&skeleton, &crowd, &limb, &joints, random);
    }
    println!("{compared:?}");
    assert!(compared.worst < 3e-4 && compared.misses < 3e-4, "{compared:?}");
    assert!(compared.lanes > 20 && compared.elsewhere < 2 * compared.torn, "{compared:?}");
}

#[test]
fn heads_inside_limits_look_where_those_of_the_core_look() {
    let random = &mut fastrand::Rng::with_seed(43);
    let mut by_core = 0;
    for _ in 0..20 {
        let (axis, free) = (vector(random), body(random));
        let head = free.joint("head").unwrap();
        let cone = SwingTwist::new(axis, 1.4, Range::new(-1.2, 1.2)).unwrap();
        let skeleton = free.revised(|joint, spec| {
            if joint == head {
                spec.kind = Kind::Ball(BallLimit::SwingTwist(cone));
            }
        });
        let skeleton = skeleton.unwrap();
        let aim = Aim::new(&skeleton, head).unwrap();
        let crowd = Crowd::new(&skeleton).unwrap().aim(&aim, axis).unwrap();
        let (mut poses, mut goals) = (Poses::new(&crowd, 40), Goals::new(&crowd, 40));
        let mut wanted = Vec::new();
        for character in 0..40 {
            let mut pose = allowed(&skeleton, random);
            poses.set_pose(&skeleton, character, &pose);
            let p = (vector(random) * 10.0).as_vec3();
            goals.set(character, 0, Some(CrowdTarget::new(p)));
            let goal = Goal::aim(head, axis, p.as_dvec3());
            let outcome = aim.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            wanted.push((pose, outcome));
        }
        crowd.solve(&mut poses, &mut goals);
        for (character, (pose, outcome)) in wanted.iter().enumerate() {
            let turned = poses.rotation(character, head).as_dquat().dot(pose.local(head).rotation).abs();
            assert!(turned > 1.0 - 1e-6, "{character}: {turned} {outcome:?}");
            assert_eq!(goals.result(character, 0).0, outcome.status, "{character}");
            by_core += usize::from(goals.is_by_core(character, 0));
        }
    }
    println!("{by_core} of 800 by the core");
    assert!((100..700).contains(&by_core), "{by_core}");
}

#[test]
fn limits_have_the_same_bits_at_every_width_and_allocate_nothing() {
    let random = &mut fastrand::Rng::with_seed(41);
    for round in 0..8 {
        let skeleton = limited(round, random);
        let joints = skeleton.joints(["l_arm", "l_elbow", "l_hand"]).unwrap();
        let limb = TwoBone::new(&skeleton, joints[0], joints[1], joints[2]).unwrap();
        let crowd = Crowd::new(&skeleton).unwrap().two_bone(&limb).unwrap();
        let (mut poses, mut goals) = (Poses::new(&crowd, 77), Goals::new(&crowd, 77));
        for character in 0..77 {
            let pose = allowed(&skeleton, random);
            poses.set_pose(&skeleton, character, &pose);
            poses.set_length(character, joints[1], 0.7 + 0.6 * random.f32());
            goals.set(character, 0, Some(asked(&skeleton, [joints[0], joints[2]], &pose, random).0));
        }
        let answers = Width::all().map(|width| {
            let (mut poses, mut goals) = (poses.clone(), goals.clone());
            let solve = |poses: &mut Poses, goals: &mut Goals| {
                crowd.blocks(poses, goals).for_each(|mut block| block.solve(&crowd, width));
            };
            solve(&mut poses, &mut goals);
            let bits: Vec<_> = (0..77)
                .flat_map(|character| joints.map(|joint| poses.rotation(character, joint).to_array().map(f32::to_bits)))
                .collect();
            let info = allocation_counter::measure(|| solve(&mut poses, &mut goals));
            assert_eq!(info.count_total, 0, "{round} {}", width.name());
            (width.name(), bits)
        });
        let answers: Vec<_> = answers.collect();
        for (name, answer) in &answers {
            assert!(*answer == answers[0].1, "{round} {name}");
        }
    }
}
