//! Limbs whose joints have limits of any kinds: what an allowed pose reaches is reached, inside the limits,
//! and under a constant goal nothing moves again.
#![allow(clippy::unwrap_used, reason = "tests")]

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::math::arc;
use sinew::{
    BallLimit, Goal, Joint, JointSpec, Kind, Pole, Pose, Skeleton, SkeletonBuilder, Solver, Status, ThreeLink,
    Transform, TwoBone, Workspace,
};

/// Hinge, cone, ellipse, Euler ranges, free ball, free hinge.
const KINDS: [fn(&mut Rng) -> Kind; 6] = [
    |rng| {
        let low = -0.2 - 1.3 * rng.f64();
        Kind::hinge(direction(rng)).within(low, low + 0.4 + 2.0 * rng.f64())
    },
    |rng| {
        let cone = SwingTwist::new(direction(rng), 0.2 + 1.2 * rng.f64(), twist(rng));
        Kind::Ball(BallLimit::SwingTwist(cone.unwrap()))
    },
    |rng| {
        let swing = [0.2 + 1.2 * rng.f64(), 0.1 + 0.8 * rng.f64()];
        // Half of them are narrower to one side.
        let least = if swing[0] > 0.8 { [-0.6 * swing[0], -0.3 * swing[1]] } else { swing.map(|most| -most) };
        let swing = [Range::new(least[0], swing[0]), Range::new(least[1], swing[1])];
        let ellipse = EllipticSwing::uneven(direction(rng), direction(rng), swing, twist(rng));
        Kind::Ball(BallLimit::EllipticSwing(ellipse.unwrap()))
    },
    |rng| {
        let order = [EulerOrder::Xyz, EulerOrder::Zyx][rng.usize(0..2)];
        let [x, y, z] = [(); 3].map(|()| Range::new(-0.1 - rng.f64(), 0.1 + rng.f64()));
        Kind::Ball(BallLimit::Euler(EulerRanges::new(order, x, y, z).unwrap()))
    },
    |_| Kind::BALL,
    |rng| Kind::hinge(direction(rng)),
];
const FREE: usize = 4;

fn twist(rng: &mut Rng) -> Range {
    Range::new(-0.2 - rng.f64(), 0.2 + rng.f64())
}

/// A chain of such joints with a fixed tip, each askew, and its length.
fn chain(rng: &mut Rng, kinds: &[usize]) -> (Skeleton, Vec<Joint>, f64) {
    chain_from(rng, kinds, 1.0)
}

/// The same with a first bone of so much of its length.
fn chain_from(rng: &mut Rng, kinds: &[usize], first: f64) -> (Skeleton, Vec<Joint>, f64) {
    let mut builder = SkeletonBuilder::new();
    let mut length = 0.0;
    for i in 0..=kinds.len() {
        let kind = kinds.get(i).map_or(Kind::Fixed, |&kind| KINDS[kind](rng));
        let mut spec = JointSpec::named(format!("{i}")).kind(kind).rotation(rotation(rng));
        if i > 0 {
            let bone = (0.3 + rng.f64()) * if i == 1 { first } else { 1.0 };
            length += bone;
            spec = spec.child_of(i - 1).translation(direction(rng) * bone);
        }
        builder.add(spec);
    }
    let skeleton = builder.build().unwrap();
    let joints = skeleton.iter().collect();
    (skeleton, joints, length)
}

/// A pose inside the limits, often at their rims.
fn allowed_pose(rng: &mut Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = skeleton.neutral_pose();
    for joint in skeleton.iter() {
        match skeleton.kind(joint) {
            Kind::Hinge { range, .. } => {
                let (low, high) = (range.min.max(-3.1), range.max.min(3.1));
                pose.edit(skeleton)
                    .coordinate(skeleton.drive(joint).unwrap().coordinate, low + (high - low) * rng.f64());
            }
            Kind::Ball(_) => {
                let local = Transform { rotation: rotation(rng).quaternion(), ..*pose.local(joint) };
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
            }
            _ => {}
        }
    }
    pose
}

fn limb(skeleton: &Skeleton, joints: &[Joint]) -> Box<dyn Solver> {
    match *joints {
        [root, mid, tip] => Box::new(TwoBone::new(skeleton, root, mid, tip).unwrap()),
        [root, mid, low, tip] => Box::new(ThreeLink::new(skeleton, root, mid, low, tip).unwrap()),
        _ => unreachable!(),
    }
}

fn assert_allowed(skeleton: &Skeleton, pose: &Pose, what: &str) {
    for joint in skeleton.iter() {
        let local = pose.local(joint);
        let allowed = skeleton.nearest_allowed(joint, local, pose.value(skeleton, joint)).rotation;
        let off = arc::rotation_vector(allowed.conjugate() * local.rotation).length();
        assert!(off < 1e-9, "{what}: {:?} is {off} outside", skeleton.name(joint));
    }
}

/// Whether the limb ends where an allowed pose is, and says so.
fn reaches(seed: u64, kinds: &[usize]) -> bool {
    let mut rng = Rng::with_seed(seed);
    let (skeleton, joints, length) = chain(&mut rng, kinds);
    let tip = joints[kinds.len()];
    let place = allowed_pose(&mut rng, &skeleton).position(tip);
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let outcome = limb(&skeleton, &joints).solve(&skeleton, &[Goal::position(tip, place)], &mut pose, &mut work);
    let what = format!("seed {seed}, {kinds:?}");
    assert_allowed(&skeleton, &pose, &what);
    let met = pose.position(tip).distance(place) <= 1e-9 * length;
    assert_eq!(met, outcome.status == Status::Reached, "{what}: {outcome:?}");
    met
}

#[test]
fn two_bones_reach_what_an_allowed_pose_reaches() {
    let mut missed = Vec::new();
    for root in 0..KINDS.len() {
        for mid in 0..KINDS.len() {
            missed.extend((0..300).filter(|&seed| !reaches(seed, &[root, mid])).map(|seed| (seed, root, mid)));
        }
    }
    let tried = 300 * KINDS.len() * KINDS.len();
    assert!(missed.len() * 1000 < tried, "{} of {tried}: {missed:?}", missed.len());
}

#[test]
fn three_links_reach_nearly_all_that_an_allowed_pose_reaches() {
    let (mut missed, mut tried) = (Vec::new(), 0);
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let kinds = [(); 3].map(|()| rng.usize(0..KINDS.len()));
        tried += 1;
        if !reaches(seed, &kinds) {
            missed.push((seed, kinds));
        }
    }
    assert!(missed.len() * 100 <= tried, "{} of {tried}: {missed:?}", missed.len());
}

/// How far the joints move (radians) under the same goal in the second frame, and in frames after that.
fn walked(seed: u64, kinds: &[usize], frames: u32) -> (f64, f64) {
    let mut rng = Rng::with_seed(seed);
    let (skeleton, joints, length) = chain(&mut rng, kinds);
    let goal = Goal::position(joints[kinds.len()], direction(&mut rng) * length * rng.f64());
    let goal = if rng.bool() { goal.pole(Pole::Direction(direction(&mut rng))) } else { goal };
    let solver = limb(&skeleton, &joints);
    let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
    let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
    let (mut last, mut walked) = (pose.clone(), (0.0, 0.0));
    for frame in 0..frames {
        let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
        let turned = |joint: Joint| last.local(joint).rotation.conjugate() * pose.local(joint).rotation;
        let way = joints.iter().map(|&joint| arc::rotation_vector(turned(joint)).length()).fold(0.0, f64::max);
        *if frame == 0 { &mut walked.0 } else { &mut walked.1 } += way;
        last.clone_from(&pose);
    }
    walked
}

#[test]
fn under_a_constant_goal_two_bones_stand_still() {
    let mut moved = Vec::new();
    for root in 0..KINDS.len() {
        for mid in 0..KINDS.len() {
            for seed in 0..20 {
                let (again, later) = walked(seed, &[root, mid], if seed == 0 { 100 } else { 5 });
                if again + later >= 1e-9 {
                    moved.push((seed, root, mid, again, later));
                }
            }
        }
    }
    assert!(moved.is_empty(), "{}: {moved:?}", moved.len());
}

#[test]
fn under_a_constant_goal_three_links_stand_still() {
    let mut moved = Vec::new();
    for seed in 0..100 {
        let mut rng = Rng::with_seed(seed);
        let kinds = [(); 3].map(|()| rng.usize(0..KINDS.len()));
        let (again, later) = walked(seed, &kinds, 5);
        assert!(later < 1e-9, "seed {seed}, {kinds:?}: {later}");
        if again >= 1e-9 {
            moved.push((seed, kinds, again));
        }
    }
    // Where limits block the limb, the answer is a start from which the next search may go a little nearer.
    assert!(moved.len() <= 1, "{}: {moved:?}", moved.len());
}

/// A pole that is turned turns a limb that has the freedom for it, whatever pose it comes from.
#[test]
fn a_hinge_at_the_root_does_not_hold_a_limb_to_the_pose_it_has() {
    for seed in 0..100 {
        let mut rng = Rng::with_seed(seed);
        let (skeleton, joints, _) = chain(&mut rng, &[5, FREE]);
        let tip = joints[2];
        let place = allowed_pose(&mut rng, &skeleton).position(tip);
        let goal = Goal::position(tip, place).pole(Pole::Direction(direction(&mut rng)));
        let solver = limb(&skeleton, &joints);
        let solve = |mut pose: Pose| {
            let _ = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            pose
        };
        let (one, other) = (solve(skeleton.neutral_pose()), solve(allowed_pose(&mut rng, &skeleton)));
        assert!(one.position(joints[1]).distance(other.position(joints[1])) < 1e-6, "seed {seed}");
    }
}

#[test]
fn a_first_bone_of_hardly_any_length_leaves_no_joint_outside() {
    for seed in 0..400 {
        for size in [1e-7, 1e-9, 1e-11, 1e-12, 1e-13] {
            let mut rng = Rng::with_seed(seed);
            let kinds = [rng.usize(0..FREE), rng.usize(0..KINDS.len())];
            let (skeleton, joints, length) = chain_from(&mut rng, &kinds, size);
            let mut pose = allowed_pose(&mut rng, &skeleton);
            let goal = Goal::position(joints[2], direction(&mut rng) * length * 3.0 * rng.f64());
            let goal = if rng.bool() { goal.pole(Pole::Direction(direction(&mut rng))) } else { goal };
            let solver = limb(&skeleton, &joints);
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut Workspace::default());
            assert_allowed(&skeleton, &pose, &format!("seed {seed}, first bone {size}, {kinds:?}: {outcome:?}"));
        }
    }
}

/// A limb of such joints with a target anywhere about it: joints, target, length.
fn asked(seed: u64, kinds: &[usize], rng: &mut Rng) -> (Skeleton, Vec<Joint>, DVec3, f64) {
    *rng = Rng::with_seed(seed + 1000 * (kinds[0] * KINDS.len() + kinds[1]) as u64 + 77);
    let (skeleton, joints, length) = chain(rng, kinds);
    let target = direction(rng) * length * 1.1 * rng.f64();
    (skeleton, joints, target, length)
}

/// By how much, in lengths of the limb, the best of 300 allowed poses is nearer than the answer; `None` where no limit blocks.
fn farther_than_random(seed: u64, kinds: &[usize]) -> Option<f64> {
    let mut rng = Rng::with_seed(0);
    let (skeleton, joints, target, length) = asked(seed, kinds, &mut rng);
    let tip = joints[kinds.len()];
    let mut pose = skeleton.neutral_pose();
    let solver = limb(&skeleton, &joints);
    let outcome = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut Workspace::default());
    assert_allowed(&skeleton, &pose, &format!("seed {seed}, {kinds:?}"));
    let off = |pose: &Pose| pose.position(tip).distance(target);
    (outcome.status == Status::Limited).then(|| {
        let random = (0..300).map(|_| off(&allowed_pose(&mut rng, &skeleton))).fold(f64::INFINITY, f64::min);
        (off(&pose) - random) / length
    })
}

/// Exhaustive only as far as 300 poses go; searches that are given up early may miss the best border. 1 in 200 at most.
#[test]
fn a_blocked_limb_is_as_near_as_any_of_many_allowed_poses() {
    let (mut blocked, mut worse) = (0, Vec::new());
    for pair in 0..KINDS.len() * KINDS.len() {
        let kinds = [pair / KINDS.len(), pair % KINDS.len()];
        for by in (0..25).filter_map(|seed| farther_than_random(seed, &kinds)) {
            blocked += 1;
            worse.extend((by > 1e-9).then_some((kinds, by)));
        }
    }
    assert!(blocked > 400 && worse.len() * 200 <= blocked, "{} of {blocked}: {worse:?}", worse.len());
    assert!(worse.iter().all(|(_, by)| *by < 0.02), "{worse:?}");
}

/// Borders of Euler ranges are faces with edges and corners, between which a search of few places goes wrong.
#[test]
fn euler_ranges_block_no_more_than_they_must() {
    const EULER: usize = 3;
    let pairs = [[EULER, EULER], [0, EULER], [5, EULER], [EULER, 1], [2, EULER]];
    let all = pairs.iter().flat_map(|kinds| (25..145).filter_map(|seed| farther_than_random(seed, kinds)));
    let (blocked, worse) = all.fold((0, 0.0_f64), |(blocked, worse), by| (blocked + 1, worse.max(by)));
    assert!(blocked > 300 && worse < 0.002, "{worse} of {blocked}");
}

/// Also where the target is farther than the limb is long.
#[test]
fn three_blocked_links_are_as_near_as_any_of_many_allowed_poses() {
    let (mut blocked, mut worse) = (0, Vec::new());
    for seed in 0..400 {
        let mut rng = Rng::with_seed(seed);
        let kinds = [(); 3].map(|()| rng.usize(0..KINDS.len()));
        if let Some(by) = farther_than_random(seed, &kinds) {
            blocked += 1;
            worse.extend((by > 1e-9).then_some((seed, kinds, by)));
        }
    }
    assert!(blocked > 150 && worse.len() * 150 <= blocked, "{} of {blocked}: {worse:?}", worse.len());
}

/// As a target moves, joints of a blocked limb jump only where another place is as near: the old pose then misses the new
/// target by hardly more than the new one.
#[test]
fn a_blocked_limb_jumps_only_between_places_that_are_as_near() {
    const STEPS: u32 = 200;
    let (mut frames, mut jumps, mut rng) = (0, Vec::new(), Rng::with_seed(0));
    for pair in 0..KINDS.len() * KINDS.len() {
        for seed in 0..4 {
            let kinds = [pair / KINDS.len(), pair % KINDS.len()];
            let (skeleton, joints, from, length) = asked(seed, &kinds, &mut rng);
            let to = direction(&mut rng) * length * 1.1 * rng.f64();
            let solver = limb(&skeleton, &joints);
            let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
            let mut last: Option<(Pose, Status)> = None;
            for step in 0..=STEPS {
                let target = from.lerp(to, f64::from(step) / f64::from(STEPS));
                let status = solver.solve(&skeleton, &[Goal::position(joints[2], target)], &mut pose, &mut work).status;
                if let Some((last, Status::Limited)) = last.as_ref().filter(|_| status == Status::Limited) {
                    frames += 1;
                    let turned = |joint: &Joint| last.local(*joint).rotation.conjugate() * pose.local(*joint).rotation;
                    let turn = joints.iter().map(|joint| arc::rotation_vector(turned(joint)).length());
                    let [old, new] = [last, &pose].map(|pose| pose.position(joints[2]).distance(target));
                    if turn.fold(0.0, f64::max) > 0.3 && old - new > 3.0 * from.distance(to) / f64::from(STEPS) {
                        jumps.push((seed, kinds, step));
                    }
                }
                last = Some((pose.clone(), status));
            }
        }
    }
    assert!(frames > 8000 && jumps.len() * 4000 <= frames, "{} of {frames}: {jumps:?}", jumps.len());
}
