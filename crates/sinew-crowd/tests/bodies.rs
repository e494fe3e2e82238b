//! The body of people in lanes, beside `sinew_rig::Body`.

use sinew::glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver as _, Status, Transform, Workspace};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Poses, Width};
use sinew_rig::{Body, Evidence, Human, recognize};

use crate::laws::bits;
use crate::{rotation, vector};

/// Names and places of a human's joints that stands in the T-pose, each with what it hangs on.
fn joints(has_collars: bool) -> Vec<(String, String, DVec3)> {
    let mut joints = Vec::new();
    let mut add = |name: &str, above: &str, place: [f64; 3]| {
        joints.push((name.to_owned(), above.to_owned(), DVec3::from(place)));
    };
    add("hips", "", [0.0, 0.93, 0.0]);
    for (name, above, y, z) in [
        ("spine", "hips", 1.03, -0.01),
        ("spine1", "spine", 1.13, -0.02),
        ("chest", "spine1", 1.24, -0.03),
        ("neck", "chest", 1.48, -0.04),
        ("head", "neck", 1.58, -0.02),
    ] {
        add(name, above, [0.0, y, z]);
    }
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        let part = |name: &str| format!("{name}.{side}");
        let mut row =
            vec![("upper_arm", [0.18, 1.43, -0.02]), ("forearm", [0.46, 1.43, -0.03]), ("hand", [0.71, 1.43, -0.02])];
        if has_collars {
            row.insert(0, ("shoulder", [0.04, 1.44, -0.01]));
        }
        let legs = [
            ("thigh", [0.1, 0.9, 0.0]),
            ("shin", [0.1, 0.48, 0.01]),
            ("foot", [0.1, 0.07, -0.02]),
            ("toes", [0.1, 0.0, 0.12]),
        ];
        for (row, mut above) in [(row.as_slice(), "chest".to_owned()), (&legs, "hips".to_owned())] {
            for &(name, [across, y, z]) in row {
                add(&part(name), &above, [across * x, y, z]);
                above = part(name);
            }
        }
    }
    joints
}

/// A human whose joints' own frames are turned at random, below an armature if asked.
fn human(has_collars: bool, has_armature: bool, random: &mut fastrand::Rng) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut frames: Vec<(String, DVec3, DQuat)> = Vec::new();
    if has_armature {
        let base = sinew::glam::DAffine3::from_rotation_translation(rotation(random), vector(random));
        let turn = rotation(random);
        builder.add(JointSpec { base, ..JointSpec::named("armature").rotation(turn) });
        let base = base.to_scale_rotation_translation();
        frames.push((String::new(), base.2, base.1 * turn));
    }
    for (name, above, place) in joints(has_collars) {
        let turn = rotation(random);
        let spec = JointSpec::named(&name);
        let above_name = if above.is_empty() { "armature" } else { &above };
        let spec = match frames.iter().find(|(other, ..)| *other == above) {
            Some((_, from, frame)) => {
                let back = frame.conjugate();
                spec.translation(back * (place - *from)).rotation(back * turn).child_of(above_name)
            }
            None => spec.translation(place).rotation(turn),
        };
        builder.add(spec);
        frames.push((name, place, turn));
    }
    builder.build().unwrap()
}

/// The same skeleton, each joint made anew, with a twist bone beside a forearm, or a joint between hips and a thigh, if asked.
fn remade(
    skeleton: &Skeleton,
    [has_twist, has_between]: [bool; 2],
    change: impl Fn(JointSpec) -> JointSpec,
) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    for joint in skeleton.iter() {
        let spec = JointSpec {
            rest: *skeleton.rest(joint),
            zero: Some(*skeleton.zero(joint)),
            base: *skeleton.base(joint),
            kind: skeleton.kind(joint),
            bend: skeleton.bend(joint),
            ..JointSpec::named(skeleton.name(joint).unwrap())
        };
        let mut spec = change(spec);
        let parent = skeleton.parent(joint).map(|parent| skeleton.name(parent).unwrap());
        let is_between = has_between && skeleton.name(joint) == Some("thigh.L");
        if is_between {
            // The thigh is where it was.
            let (way, turn) = (DVec3::new(0.02, -0.03, 0.01), DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.5)));
            builder.add(JointSpec::named("between").child_of("hips").translation(way).rotation(turn));
            let back = turn.conjugate();
            let moved = |own: Transform| Transform {
                translation: back * (own.translation - way),
                rotation: back * own.rotation,
                ..own
            };
            (spec.rest, spec.zero) = (moved(spec.rest), spec.zero.map(moved));
        }
        let parent = if is_between { Some("between") } else { parent };
        builder.add(if let Some(parent) = parent { spec.child_of(parent) } else { spec });
    }
    if has_twist {
        let half = skeleton.rest(skeleton.joint("hand.L").unwrap()).translation * 0.5;
        builder.add(JointSpec::named("forearm_twist.L").translation(half).child_of("forearm.L"));
    }
    builder.build().unwrap()
}

struct People {
    skeleton: Skeleton,
    body: Body,
    crowd: Crowd,
    ends: [Joint; 6],
}

impl People {
    fn new(has_collars: bool, has_armature: bool, random: &mut fastrand::Rng) -> Self {
        Self::of(human(has_collars, has_armature, random))
    }

    /// The same inside a human's limits.
    fn limited(has_collars: bool, has_armature: bool, random: &mut fastrand::Rng) -> Self {
        let skeleton = human(has_collars, has_armature, random);
        Self::of(Human::default().apply(&skeleton, &recognize(&Evidence::of(&skeleton))).unwrap())
    }

    fn of(skeleton: Skeleton) -> Self {
        let body = Body::of(&skeleton, &recognize(&Evidence::of(&skeleton))).unwrap();
        let crowd = Crowd::new(&skeleton).unwrap().body(&body).unwrap();
        let ends = skeleton.joints(["hips", "head", "hand.L", "hand.R", "foot.L", "foot.R"]).unwrap();
        Self { skeleton, body, crowd, ends }
    }

    /// A body that is turned and bent at random.
    fn bent(&self, from: &Pose, much: f64, random: &mut fastrand::Rng) -> Pose {
        let mut pose = from.clone();
        let turns = [("hips", 0.5), ("spine", 0.2), ("chest", 0.2), ("neck", 0.2), ("head", 0.3)];
        let limbs = [("upper_arm", 0.9), ("forearm", 0.9), ("hand", 0.4), ("thigh", 0.5), ("shin", 0.6), ("foot", 0.3)];
        let sides = limbs.iter().flat_map(|(name, most)| ["L", "R"].map(|side| (format!("{name}.{side}"), *most)));
        for (name, most) in turns.map(|(name, most)| (name.to_owned(), most)).into_iter().chain(sides) {
            let joint = self.skeleton.joint(&name).unwrap();
            let turn = DQuat::from_scaled_axis(vector(random) * 2.0 * most * much);
            let local = (pose.local(joint).rotation * turn).normalize();
            let wanted = Transform { rotation: local, ..*pose.local(joint) };
            let local = self.skeleton.nearest_allowed(joint, &wanted, 0.0).rotation;
            pose.edit(&self.skeleton).rotation(joint, local);
        }
        let root = self.skeleton.at(0).unwrap();
        let place = pose.local(root).translation + vector(random);
        pose.edit(&self.skeleton).translation(root, place);
        pose
    }

    /// Crowd and goals: six trackers each, bones of their own if asked.
    fn crowd(&self, count: usize, much: f64, has_lengths: bool, random: &mut fastrand::Rng) -> (Poses, Goals) {
        let (mut poses, mut goals) = (Poses::new(&self.crowd, count), Goals::new(&self.crowd, count));
        let mut pose = self.skeleton.rest_pose();
        for character in 0..count {
            if has_lengths {
                for joint in self.skeleton.iter() {
                    poses.set_length(character, joint, 0.9 + 0.2 * random.f32());
                }
            }
            poses.write_pose(&self.skeleton, character, &mut pose);
            let bent = self.bent(&pose, much, random);
            for (part, joint) in self.ends.into_iter().enumerate() {
                let target = CrowdTarget::new(bent.position(joint).as_vec3());
                goals.set(character, part, Some(target.rotation(bent.rotation(joint).as_quat())));
            }
        }
        (poses, goals)
    }

    /// The goals of a character as the core has them.
    fn goals(&self, goals: &Goals, character: usize) -> Vec<Goal> {
        let goal = |(part, joint): (usize, Joint)| {
            let target = goals.get(character, part)?;
            let point = target.point.as_dvec3();
            let goal = target.rotation.map_or(Goal::position(joint, point), |q| Goal::frame(joint, point, q));
            Some(goal.weight(f64::from(target.weight)))
        };
        self.ends.into_iter().enumerate().filter_map(goal).collect()
    }
}

/// How far joints are from those of the core at most (metres) and turned away from them (radians), and how many bodies the core solved;
/// statuses are the same.
fn beside_the_core(people: &People, (mut poses, mut goals): (Poses, Goals)) -> (f32, f64, usize) {
    let start = poses.clone();
    people.crowd.solve(&mut poses, &mut goals);
    let (mut pose, mut work) = (people.skeleton.rest_pose(), Workspace::default());
    let (mut apart, mut turned, mut by_core) = (0.0_f32, 0.0_f64, 0);
    for character in 0..poses.len() {
        start.write_pose(&people.skeleton, character, &mut pose);
        let told = people.goals(&goals, character);
        let _ = people.body.solve(&people.skeleton, &told, &mut pose, &mut work);
        let asked: Vec<_> = (0..6).filter(|&part| goals.get(character, part).is_some()).collect();
        by_core += usize::from(asked.iter().any(|&part| goals.is_by_core(character, part)));
        for (&part, residual) in asked.iter().zip(work.residuals()) {
            assert_eq!(goals.result(character, part).0, residual.status, "{character} {part}");
        }
        // An armature is moved along instead of the hips.
        for joint in people.skeleton.iter().filter(|&joint| people.skeleton.name(joint) != Some("armature")) {
            apart = apart.max(poses.position(character, joint).distance(pose.position(joint).as_vec3()));
            let lanes = poses.model_rotation(character, joint).as_dquat().normalize();
            turned = turned.max(2.0 * (lanes.conjugate() * pose.rotation(joint)).xyz().length());
        }
    }
    (apart, turned, by_core)
}

#[test]
fn bodies_are_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(1);
    let mut all = 0;
    for (has_collars, has_armature) in [(true, false), (true, true), (false, false)] {
        for (much, has_lengths) in [(0.5, false), (1.0, true)] {
            let people = People::new(has_collars, has_armature, random);
            let crowd = people.crowd(600, much, has_lengths, random);
            let (apart, turned, by_core) = beside_the_core(&people, crowd);
            assert!(apart < 3e-5 && turned < 3e-4, "{has_collars} {has_armature} {much}: {apart} m, {turned} rad");
            all += by_core;
        }
    }
    assert!((400..1800).contains(&all), "{all} of 3600 by the core");
}

#[test]
fn bodies_inside_limits_are_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(6);
    let mut all = 0;
    for (has_collars, has_armature) in [(true, false), (true, true), (false, false)] {
        for (much, has_lengths) in [(0.6, false), (1.0, true)] {
            let people = People::limited(has_collars, has_armature, random);
            let crowd = people.crowd(200, much, has_lengths, random);
            let (apart, turned, by_core) = beside_the_core(&people, crowd);
            assert!(apart < 3e-5 && turned < 3e-4, "{has_collars} {has_armature} {much}: {apart} m, {turned} rad");
            all += by_core;
        }
    }
    assert!((100..900).contains(&all), "{all} of 1200 by the core");
    // Hinges whose negative turns fold.
    let people = People::limited(true, false, random);
    let turned = remade(&people.skeleton, [false, false], |spec| match spec.kind {
        Kind::Hinge { axis, range } => JointSpec { kind: Kind::hinge(-axis).within(-range.max, -range.min), ..spec },
        _ => spec,
    });
    let people = People::of(turned);
    let crowd = people.crowd(200, 1.0, true, random);
    let (apart, turned, by_core) = beside_the_core(&people, crowd);
    assert!(apart < 3e-5 && turned < 3e-4 && by_core < 150, "{apart} m, {turned} rad, {by_core}");
}

#[test]
fn twist_bones_roll_as_those_of_the_core() {
    let random = &mut fastrand::Rng::with_seed(7);
    for has_limits in [false, true] {
        let people = if has_limits { People::limited(true, true, random) } else { People::new(true, true, random) };
        let people = People::of(remade(&people.skeleton, [true, false], |spec| spec));
        let (mut poses, goals) = people.crowd(200, 0.7, true, random);
        let twist = people.skeleton.joint("forearm_twist.L").unwrap();
        (0..200).for_each(|one| poses.set_rotation(one, twist, DQuat::from_scaled_axis(vector(random) * 0.5)));
        let (apart, turned, by_core) = beside_the_core(&people, (poses, goals));
        assert!(apart < 3e-5 && turned < 3e-4 && by_core < 150, "{apart} m, {turned} rad, {by_core}");
    }
}

#[test]
fn joints_between_the_parts_hold_their_pose() {
    let random = &mut fastrand::Rng::with_seed(8);
    for has_limits in [false, true] {
        let people = if has_limits { People::limited(true, true, random) } else { People::new(true, true, random) };
        let people = People::of(remade(&people.skeleton, [true, true], |spec| spec));
        let between = people.skeleton.joint("between").unwrap();
        let crowd = people.crowd(200, 0.7, false, random);
        let (apart, turned, by_core) = beside_the_core(&people, crowd);
        assert!(apart < 3e-5 && turned < 3e-4 && by_core < 150, "{apart} m, {turned} rad, {by_core}");
        // Where they are longer, or turned, the body is the core's.
        let crowd = people.crowd(60, 0.7, true, random);
        let (apart, turned, by_core) = beside_the_core(&people, crowd);
        assert!(apart < 3e-5 && turned < 3e-4 && by_core == 60, "{apart} m, {turned} rad, {by_core}");
        let (mut poses, goals) = people.crowd(60, 0.7, false, random);
        (0..60).for_each(|one| poses.set_rotation(one, between, rotation(random)));
        let (apart, turned, by_core) = beside_the_core(&people, (poses, goals));
        assert!(apart < 3e-5 && turned < 3e-4 && by_core == 60, "{apart} m, {turned} rad, {by_core}");
    }
}

#[test]
fn what_lanes_do_not_know_is_the_cores() {
    let random = &mut fastrand::Rng::with_seed(2);
    for has_armature in [false, true] {
        let people = People::new(true, has_armature, random);
        let (mut poses, mut goals) = people.crowd(200, 1.0, false, random);
        for character in 0..200 {
            let part = random.usize(0..6);
            let target = goals.get(character, part).unwrap();
            let point = CrowdTarget::new(target.point);
            goals.set(
                character,
                part,
                match character % 10 {
                    0 => None,
                    1 => Some(target.weight(0.5)),
                    2 => Some(CrowdTarget { point: target.point * 1.5, ..target }),
                    3 => Some(point),
                    4 => Some(CrowdTarget { point: Vec3::splat(f32::INFINITY), ..target }),
                    5 => Some(target.rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))),
                    6 => Some(target.weight(f32::NAN)),
                    7 => Some(CrowdTarget { point: Vec3::NAN, ..target }),
                    8 => Some(target.rotation(Quat::from_xyzw(0.0, 3.0, 0.0, 0.0))),
                    _ => Some(target),
                },
            );
            if character % 10 == 9 {
                let joint = ["forearm.L", "neck", "shoulder.R", "spine1"][character / 10 % 4];
                let factor = if character < 100 { -1.0 } else { 0.0 };
                poses.set_length(character, people.skeleton.joint(joint).unwrap(), factor);
            }
        }
        let (apart, turned, by_core) = beside_the_core(&people, (poses, goals));
        assert!(apart < 3e-5 && turned < 3e-4, "{has_armature}: {apart} m, {turned} rad");
        assert!((120..200).contains(&by_core), "{by_core}");
    }
}

#[test]
fn bodies_that_are_where_they_should_be_keep_their_bits() {
    let random = &mut fastrand::Rng::with_seed(3);
    let people = People::new(true, true, random);
    let (mut poses, mut goals) = people.crowd(50, 1.0, true, random);
    people.crowd.solve(&mut poses, &mut goals);
    // Elbows and knees as nobody has them.
    for character in 0..50 {
        for name in ["upper_arm.L", "thigh.R"] {
            poses.set_rotation(character, people.skeleton.joint(name).unwrap(), rotation(random));
        }
    }
    let mut none = Goals::new(&people.crowd, 50);
    people.crowd.solve(&mut poses, &mut none);
    for character in 0..50 {
        for (part, joint) in people.ends.into_iter().enumerate() {
            let target = CrowdTarget::new(poses.position(character, joint));
            goals.set(character, part, Some(target.rotation(poses.model_rotation(character, joint))));
        }
    }
    let before = poses.clone();
    people.crowd.solve(&mut poses, &mut goals);
    for character in 0..50 {
        assert_eq!(goals.result(character, 3), (Status::Reached, 0.0));
        assert_eq!(goals.iterations(character, 3), 0);
        assert_eq!(poses.root_position(character, 0), before.root_position(character, 0));
        for joint in people.skeleton.iter() {
            assert_eq!(poses.rotation(character, joint), before.rotation(character, joint));
        }
    }
}

#[test]
fn bodies_have_the_same_bits_at_every_width_and_alone_and_allocate_nothing() {
    let random = &mut fastrand::Rng::with_seed(4);
    for people in [People::new(true, true, random), People::limited(true, true, random)] {
        same_bits(&people, random);
    }
}

fn same_bits(people: &People, random: &mut fastrand::Rng) {
    let (poses, goals) = people.crowd(70, 0.8, true, random);
    let mut answers = Width::all().map(|width| {
        let (mut poses, mut goals) = (poses.clone(), goals.clone());
        let mut blocks: Vec<_> = people.crowd.blocks(&mut poses, &mut goals).collect();
        for block in &mut blocks {
            block.solve(&people.crowd, width);
        }
        // The core has grown its room.
        let again =
            allocation_counter::measure(|| blocks.iter_mut().for_each(|block| block.solve(&people.crowd, width)));
        assert_eq!(again.count_total, 0, "{}", width.name());
        drop(blocks);
        (width.name(), bits(&people.crowd, &poses, &goals), poses)
    });
    let (_, first, together) = answers.next().unwrap();
    answers.for_each(|(name, answer, _)| assert!(answer == first, "{name}"));
    // With nobody else to solve; goals that are set anew may have other bits.
    for character in [0, 33, 69] {
        let (mut own, mut goal) = (poses.clone(), goals.clone());
        let others = (0..70).filter(|&other| other != character);
        others.for_each(|other| (0..6).for_each(|part| goal.set(other, part, None)));
        (0..2).for_each(|_| people.crowd.solve(&mut own, &mut goal));
        for joint in people.skeleton.iter() {
            assert_eq!(own.rotation(character, joint), together.rotation(character, joint), "{character}");
        }
    }
}

#[test]
fn targets_come_back_and_bodies_of_other_kinds_are_refused() {
    let random = &mut fastrand::Rng::with_seed(5);
    let people = People::new(true, false, random);
    let mut goals = Goals::new(&people.crowd, 20);
    for turn in [Quat::IDENTITY, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0), Quat::from_xyzw(0.5, 0.5, -0.5, 0.5)] {
        goals.set(17, 2, Some(CrowdTarget::new(Vec3::X).rotation(turn).weight(0.25)));
        let target = goals.get(17, 2).unwrap();
        assert_eq!((target.point, target.pole, target.weight), (Vec3::X, None, 0.25));
        assert!(target.rotation.unwrap().dot(turn).abs() > 1.0 - 1e-6, "{turn}");
    }
    let other = crate::body(random);
    assert!(Crowd::new(&other).unwrap().body(&people.body).is_err());
}
