//! A human solved as a whole: goals are met, what is free looks like a person, and what need not move stays.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use fastrand::Rng;
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, Joint, Kind, Outcome, Pose, Skeleton, Solver, Status, Workspace};
use sinew_gltf::Character;
use sinew_rig::{Body, Evidence, Human, Part, Recognition, Role, Side, recognize, reference};

use crate::made;

pub(crate) struct Person {
    pub(crate) skeleton: Skeleton,
    pub(crate) found: Recognition,
    pub(crate) body: Body,
}

impl Person {
    pub(crate) fn of(skeleton: Skeleton) -> Self {
        let found = recognize(&Evidence::of(&skeleton));
        let body = Body::of(&skeleton, &found).unwrap();
        Self { skeleton, found, body }
    }

    /// The human that ships with the project.
    pub(crate) fn own() -> Self {
        Self::of(Character::from_slice(include_bytes!("../../../rigs/human.glb"), None).unwrap().skeleton)
    }

    pub(crate) fn joint(&self, side: Side, part: Part) -> Joint {
        self.found.joint(&self.skeleton, Role::on(side, part)).unwrap()
    }

    pub(crate) fn middle(&self, part: Part) -> Joint {
        self.found.joint(&self.skeleton, Role::middle(part)).unwrap()
    }

    pub(crate) fn solve(&self, goals: &[Goal], pose: &mut Pose) -> Outcome {
        self.body.solve(&self.skeleton, goals, pose, &mut Workspace::default())
    }

    pub(crate) fn solved(&self, goals: &[Goal]) -> (Pose, Outcome) {
        let mut pose = self.skeleton.rest_pose();
        let outcome = self.solve(goals, &mut pose);
        (pose, outcome)
    }

    /// Six trackers on a body that is turned and bent at random.
    fn trackers(&self, rng: &mut Rng) -> Vec<Goal> {
        let pose = self.turned(rng);
        self.six().map(|joint| Goal::frame(joint, pose.position(joint), pose.rotation(joint))).to_vec()
    }

    /// A body that is turned and bent at random.
    pub(crate) fn turned(&self, rng: &mut Rng) -> Pose {
        let mut pose = self.skeleton.rest_pose();
        for &part in &[Part::Hips, Part::Spine, Part::Chest, Part::Neck] {
            turn(&self.skeleton, &mut pose, self.middle(part), rng, 0.2);
        }
        for side in [Side::Left, Side::Right] {
            for (part, most) in [(Part::UpperArm, 0.7), (Part::LowerArm, 0.7), (Part::Hand, 0.4), (Part::UpperLeg, 0.5)]
            {
                turn(&self.skeleton, &mut pose, self.joint(side, part), rng, most);
            }
        }
        pose
    }

    /// The same inside a human's limits, elbows and knees bent as they fold.
    pub(crate) fn animated(&self, rng: &mut Rng) -> Pose {
        let mut pose = self.turned(rng);
        for joint in self.skeleton.iter() {
            let local = self.skeleton.nearest_allowed(joint, pose.local(joint), 0.0);
            pose.edit(&self.skeleton).local(joint, local);
        }
        for side in [Side::Left, Side::Right] {
            for part in [Part::LowerArm, Part::LowerLeg] {
                let drive = self.skeleton.drive(self.joint(side, part)).unwrap();
                pose.edit(&self.skeleton).coordinate(drive.coordinate, 0.3 + rng.f64());
            }
        }
        pose
    }

    pub(crate) fn six(&self) -> [Joint; 6] {
        let [left, right] =
            [Side::Left, Side::Right].map(|side| [Part::Hand, Part::Foot].map(|part| self.joint(side, part)));
        [self.middle(Part::Hips), self.middle(Part::Head), left[0], right[0], left[1], right[1]]
    }
}

/// Turns a joint about a random axis by a random angle.
fn turn(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, rng: &mut Rng, most: f64) {
    let vector = DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * 2.0 * most;
    let local = pose.local(joint).rotation * DQuat::from_scaled_axis(vector);
    pose.edit(skeleton).rotation(joint, local.normalize());
}

/// How far the farthest joint of two poses is apart.
fn apart(skeleton: &Skeleton, a: &Pose, b: &Pose) -> f64 {
    skeleton.iter().map(|joint| a.position(joint).distance(b.position(joint))).fold(0.0, f64::max)
}

#[test]
fn six_trackers_are_met_exactly_by_every_bone_as_long_as_it_was() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let mut rng = Rng::with_seed(1);
    for _ in 0..300 {
        let goals = person.trackers(&mut rng);
        let (pose, outcome) = person.solved(&goals);
        assert_eq!(outcome.status, Status::Reached, "{goals:?}");
        for goal in &goals {
            assert!(pose.position(goal.joint).distance(goal.target.position().unwrap()) < 1e-6);
            assert!(pose.rotation(goal.joint).angle_between(goal.target.rotation().unwrap()) < 1e-6);
        }
        for joint in person.skeleton.iter().filter(|&joint| person.skeleton.parent(joint).is_some()) {
            assert_eq!(pose.local(joint).translation, rest.local(joint).translation, "no bone stretches");
        }
    }
}

#[test]
fn goals_that_the_pose_meets_move_nothing() {
    let person = Person::own();
    let mut rng = Rng::with_seed(2);
    let (mut pose, _) = person.solved(&person.trackers(&mut rng));
    let before = pose.clone();
    let goals = person.six().map(|joint| Goal::frame(joint, pose.position(joint), pose.rotation(joint)));
    assert_eq!(person.solve(&goals, &mut pose).status, Status::Reached);
    assert!(pose == before, "something moved");
}

/// Inverse kinematics runs on top of animation: where a hand goes a little, the other arm, the legs and the trunk stay as they are.
#[test]
fn what_no_goal_asks_for_stays_as_it_is_in_the_pose_given() {
    let own = Person::own();
    let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    for person in [&own, &limited] {
        let mut rng = Rng::with_seed(5);
        for _ in 0..100 {
            let mut animated = person.skeleton.rest_pose();
            let posed = limited.animated(&mut rng);
            for joint in person.skeleton.iter() {
                animated.edit(&person.skeleton).local(joint, *posed.local(joint));
            }
            let hand = person.joint(Side::Left, Part::Hand);
            let arm = person.joint(Side::Left, Part::UpperArm);
            // Towards the shoulder: in reach.
            let target = animated.position(hand).lerp(animated.position(arm), 1e-4);
            let mut pose = animated.clone();
            let outcome = person.solve(&[Goal::position(hand, target)], &mut pose);
            assert_eq!(outcome.status, Status::Reached);
            let elbow = person.joint(Side::Left, Part::LowerArm);
            let gone = animated.position(elbow).distance(pose.position(elbow));
            assert!(gone < 0.02, "the elbow goes {gone} m for a hand that goes 0.05 mm");
            let collar = person.skeleton.parent(arm).unwrap();
            let own = |joint| joint == collar || person.skeleton.is_below(joint, collar);
            for joint in person.skeleton.iter().filter(|&joint| !own(joint)) {
                let [from, to] = [&animated, &pose].map(|pose| pose.local(joint).rotation);
                let name = person.skeleton.name(joint).unwrap_or_default();
                // The trunk leans a little for a hand whose arm is all but straight, however it is in the pose given.
                assert!(from.angle_between(to) < 0.02, "{name} turns by {}", from.angle_between(to));
            }
        }
    }
}

/// An arm that no goal is for turns about the upright with the chest, and is not twisted off.
#[test]
fn arms_turn_with_a_body_that_looks_back() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let head = person.middle(Part::Head);
    let axis = rest.rotation(head).conjugate() * DVec3::Z;
    let behind = rest.position(head) + DVec3::new(2.0, 0.0, -0.5);
    let (pose, _) = person.solved(&[Goal::aim(head, axis, behind)]);
    let turned = |joint: Joint| {
        let ahead = pose.rotation(joint) * rest.rotation(joint).conjugate() * DVec3::Z;
        ahead.x.atan2(ahead.z).to_degrees()
    };
    let chest = turned(
        person.skeleton.parent(person.skeleton.parent(person.joint(Side::Left, Part::UpperArm)).unwrap()).unwrap(),
    );
    assert!(chest > 15.0, "the chest turns by {chest} degrees");
    for side in [Side::Left, Side::Right] {
        for part in [Part::UpperArm, Part::LowerArm, Part::Hand] {
            let arm = turned(person.joint(side, part));
            assert!((arm - chest).abs() < 1.0, "{side:?} {part:?} turns by {arm} degrees, the chest by {chest}");
        }
    }
}

#[test]
fn nearby_trackers_give_nearby_bodies() {
    let person = Person::own();
    let mut rng = Rng::with_seed(3);
    let mut worst: f64 = 0.0;
    for _ in 0..300 {
        let goals = person.trackers(&mut rng);
        let (pose, _) = person.solved(&goals);
        let step = 1e-6;
        let moved: Vec<Goal> = goals
            .iter()
            .map(|goal| {
                let way = DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5).normalize() * step;
                Goal::frame(goal.joint, goal.target.position().unwrap() + way, goal.target.rotation().unwrap())
            })
            .collect();
        worst = worst.max(apart(&person.skeleton, &pose, &person.solved(&moved).0) / step);
    }
    // Near full stretch an elbow or knee moves faster than its end, without bound at the very end.
    assert!(worst < 200.0, "{worst}");
}

#[test]
fn left_and_right_are_alike() {
    let person = Person::own();
    let flip = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
    let hand = |side| person.joint(side, Part::Hand);
    let elbow = |side| person.joint(side, Part::LowerArm);
    let mut rng = Rng::with_seed(4);
    for _ in 0..100 {
        let target = DVec3::new(0.5 * rng.f64(), 0.4 + 1.2 * rng.f64(), 0.2 + 0.5 * rng.f64());
        let (left, _) = person.solved(&[Goal::position(hand(Side::Left), target)]);
        let (right, _) = person.solved(&[Goal::position(hand(Side::Right), flip(target))]);
        let off = left.position(elbow(Side::Left)).distance(flip(right.position(elbow(Side::Right))));
        // Arms at full stretch make much of rounding.
        assert!(off < 1e-3, "{target}: {off}");
    }
}

#[test]
fn hands_before_the_body_have_their_elbows_below_and_outside() {
    let person = Person::own();
    let (hand, elbow) = (person.joint(Side::Left, Part::Hand), person.joint(Side::Left, Part::LowerArm));
    let shoulder = person.joint(Side::Left, Part::UpperArm);
    // Before the chest, the mouth, the belly, and drinking.
    let places = [(0.05, 1.3, 0.3), (0.05, 1.5, 0.2), (0.1, 1.05, 0.25), (0.02, 1.52, 0.13)];
    for target in places.map(DVec3::from) {
        let (pose, outcome) = person.solved(&[Goal::position(hand, target)]);
        assert_eq!(outcome.status, Status::Reached);
        let [hand, elbow, shoulder] = [hand, elbow, shoulder].map(|joint| pose.position(joint));
        let line = (hand - shoulder).normalize();
        let bend = (elbow - shoulder).reject_from(line);
        assert!(bend.y < 0.0 && bend.x > 0.0, "{target}: {bend}");
        assert!(elbow.y < shoulder.y, "{target}: {elbow} {shoulder}");
    }
}

#[test]
fn who_reaches_for_the_floor_bends_the_knees_over_feet_that_stay() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let hand = person.joint(Side::Left, Part::Hand);
    let (pose, outcome) = person.solved(&[Goal::position(hand, DVec3::new(0.35, 0.12, 0.3))]);
    assert_eq!(outcome.status, Status::Reached);
    for side in [Side::Left, Side::Right] {
        let [foot, toes, knee] = [Part::Foot, Part::Toes, Part::LowerLeg].map(|part| person.joint(side, part));
        assert!(pose.position(foot).distance(rest.position(foot)) < 1e-9, "feet stay");
        assert!(pose.rotation(foot).angle_between(rest.rotation(foot)) < 1e-6, "soles stay flat");
        assert!(pose.position(knee).z > pose.position(foot).z + 0.1, "knees go ahead");
        assert!(pose.position(knee).y > pose.position(toes).y + 0.1, "knees stay above the floor");
    }
    let hips = pose.position(person.middle(Part::Hips));
    assert!(
        hips.y > 0.3 && hips.z < rest.position(person.middle(Part::Hips)).z,
        "{hips}: hips go back, not to the floor"
    );
}

/// A knee or elbow that is told alone is there, its foot or hand goes along, and the other foot stays.
#[test]
fn a_knee_or_elbow_alone_takes_its_limb_along() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [hips, thigh, knee, foot, arm, elbow, hand] =
        [Part::Hips, Part::UpperLeg, Part::LowerLeg, Part::Foot, Part::UpperArm, Part::LowerArm, Part::Hand]
            .map(|part| if part == Part::Hips { person.middle(part) } else { person.joint(Side::Left, part) });
    let other = person.joint(Side::Right, Part::Foot);
    let from = |upper: Joint, lower: Joint, way: DVec3| {
        rest.position(upper) + way.normalize() * rest.position(upper).distance(rest.position(lower))
    };
    let ways = [(0.1, -0.9, 0.4), (0.1, -0.3, 0.9), (0.3, 0.2, 0.9), (0.6, -0.5, 0.2)];
    for (x, y, z) in ways {
        let target = from(thigh, knee, DVec3::new(x, y, z));
        let (pose, outcome) = person.solved(&[Goal::position(knee, target)]);
        assert_eq!(outcome.status, Status::Reached, "knee {target}");
        assert!(pose.position(hips).distance(rest.position(hips)) < 1e-9, "{target}: hips stay");
        assert!(pose.position(other).distance(rest.position(other)) < 1e-6, "{target}: the other foot stays");
        assert!(pose.position(foot).y > rest.position(foot).y - 1e-6, "{target}: no foot goes through the floor");
        let target = from(arm, elbow, DVec3::new(x, y, z));
        let (pose, outcome) = person.solved(&[Goal::position(elbow, target)]);
        assert!(pose.position(elbow).distance(target) < 1e-5, "elbow {target}: {outcome:?}");
        assert!(pose.position(hand).distance(rest.position(hand)) > 0.01, "{target}: the hand goes along");
        assert!(pose.position(other).distance(rest.position(other)) < 1e-6, "{target}: feet stay");
    }
}

/// Fingers of hands that are told their place alone, or nothing, stay above the floor, and hands do not jump.
#[test]
fn no_finger_goes_through_the_floor() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [foot, toes, hand] = [Part::Foot, Part::Toes, Part::Hand].map(|part| person.joint(Side::Left, part));
    let floor = rest.position(toes).y.min(rest.position(foot).y);
    let fingers: Vec<Joint> = person
        .skeleton
        .iter()
        .filter(|&joint| {
            [Side::Left, Side::Right]
                .iter()
                .any(|&side| person.skeleton.is_below(joint, person.joint(side, Part::Hand)))
        })
        .collect();
    assert!(!fingers.is_empty());
    let mut lifted = 0;
    for (aside, ahead) in [(0.1, 0.3), (0.35, 0.1), (-0.1, 0.2)] {
        let mut before = None::<DQuat>;
        for place in 0..=120 {
            let target = DVec3::new(aside, floor + 0.02 + 0.005 * f64::from(120 - place), ahead);
            let (pose, outcome) = person.solved(&[Goal::position(hand, target)]);
            assert_eq!(outcome.status, Status::Reached, "{target}");
            let lowest = fingers.iter().map(|&finger| pose.position(finger).y).fold(f64::INFINITY, f64::min);
            // Beside the longest finger a thumb may hang.
            assert!(lowest > floor - 0.05, "{target}: a finger is at {lowest}, the floor at {floor}");
            let turned = pose.rotation(hand);
            lifted += u32::from(lowest < floor + 0.01);
            let apart = before.map_or(0.0, |before| before.angle_between(turned));
            assert!(apart < 0.2, "{target}: the hand turns by {apart}");
            before = Some(turned);
        }
    }
    assert!(lifted > 20, "{lifted}");
}

/// A head that is told its place alone, ever lower: hips stay below it, go no lower than people squat, and feet stay. Nothing jumps.
#[test]
fn who_lowers_the_head_squats_and_then_bows() {
    let own = Person::own();
    let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    for (person, ahead) in [(&own, 0.0), (&own, 0.1), (&own, 0.25), (&limited, 0.1)] {
        let rest = person.skeleton.rest_pose();
        let [hips, head] = [Part::Hips, Part::Head].map(|part| person.middle(part));
        let feet = [Side::Left, Side::Right].map(|side| person.joint(side, Part::Toes));
        let floor = rest.position(feet[0]).y;
        let mut before = None::<DVec3>;
        for place in 30..=180 {
            let target = rest.position(head) + DVec3::new(0.0, -0.005 * f64::from(place), ahead);
            let (pose, outcome) = person.solved(&[Goal::position(head, target)]);
            assert_eq!(outcome.status, Status::Reached, "{target}");
            let now = pose.position(hips);
            assert!(now.y < target.y && now.y > floor + 0.2, "{target}: hips are at {now}");
            for toes in feet {
                let off = pose.position(toes).distance(rest.position(toes));
                assert!(off < 1e-6, "{target}: toes are off by {off}");
            }
            let moved = before.map_or(0.0, |before| now.distance(before));
            assert!(moved < 0.025, "{target}: hips jump by {moved}");
            before = Some(now);
        }
    }
}

/// Inside limits heels rise about toes that stay flat, no sooner than ankles need it and without a jump, and the trunk stays upright.
#[test]
fn who_crouches_inside_limits_lifts_the_heels() {
    let own = Person::own();
    let person = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    let rest = person.skeleton.rest_pose();
    let (hips, foot) = (person.middle(Part::Hips), person.joint(Side::Left, Part::Foot));
    let toes = person.joint(Side::Left, Part::Toes);
    let (mut before, mut highest) = (None::<f64>, 0.0_f64);
    for place in 0..=90 {
        let down = DVec3::new(0.0, -0.005 * f64::from(place), 0.0);
        let (pose, outcome) = person.solved(&[Goal::position(hips, rest.position(hips) + down)]);
        assert_eq!(outcome.status, Status::Reached, "{down}");
        assert!(outcome.iterations <= 1, "{down}: in closed form");
        assert!(pose.rotation(hips).angle_between(rest.rotation(hips)) < 1e-9, "{down}: hips stay upright");
        assert!(pose.position(toes).distance(rest.position(toes)) < 1e-9, "{down}: toes stay");
        assert!(pose.rotation(toes).angle_between(rest.rotation(toes)) < 1e-6, "{down}: and are flat");
        let high = pose.position(foot).y - rest.position(foot).y;
        assert!(before.is_none_or(|before| (high - before).abs() < 0.005), "{down}: a heel jumps to {high}");
        before = Some(high);
        highest = highest.max(high);
        let local = pose.local(foot);
        let allowed = person.skeleton.nearest_allowed(foot, local, 0.0).rotation;
        assert!(allowed.angle_between(local.rotation) < 1e-6, "{down}: the ankle is inside");
        assert!(place > 20 || high.abs() < 1e-9, "{down}: heels stay as long as ankles let them");
    }
    assert!(highest > 0.02, "{highest}");
}

/// Hips that are told go down between feet that stay, and nothing goes through the floor; where they go too far the feet come along.
#[test]
fn who_crouches_keeps_the_feet_on_the_floor() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let hips = person.middle(Part::Hips);
    let feet = [Side::Left, Side::Right].map(|side| person.joint(side, Part::Foot));
    let legs = [Part::UpperLeg, Part::LowerLeg, Part::Foot].map(|part| person.joint(Side::Left, part));
    for by in [DVec3::new(0.0, -0.45, -0.1), DVec3::new(0.05, -0.2, 0.05), DVec3::new(0.0, 0.0, 0.01)] {
        let (pose, outcome) = person.solved(&[Goal::position(hips, rest.position(hips) + by)]);
        assert_eq!(outcome.status, Status::Reached);
        for foot in feet {
            assert!(pose.position(foot).distance(rest.position(foot)) < 1e-3, "{by}: {}", pose.position(foot));
            assert!(pose.rotation(foot).angle_between(rest.rotation(foot)) < 1e-3, "{by}: soles stay flat");
        }
        let [_, knee, foot] = legs.map(|joint| pose.position(joint));
        assert!(by.y > -0.1 || knee.z > foot.z + 0.1, "{by}: knees go ahead");
    }
    let mut before: Option<Pose> = None;
    for place in 0..300 {
        let by = DVec3::new(0.0, -0.1, 0.01 * f64::from(place));
        let (pose, _) = person.solved(&[Goal::position(hips, rest.position(hips) + by)]);
        for foot in feet {
            assert!((pose.position(foot).y - rest.position(foot).y).abs() < 1e-6, "{by}: {}", pose.position(foot));
            let moved = before.as_ref().map_or(0.0, |before| pose.position(foot).distance(before.position(foot)));
            assert!(moved < 0.04, "{by}: {moved}");
        }
        before = Some(pose);
    }
    let off = before.map(|pose| (pose.position(feet[0]) - pose.position(legs[0])) * DVec3::new(1.0, 0.0, 1.0));
    assert!(off.unwrap().length() < 0.1, "{off:?}: feet come along");
}

#[test]
fn poles_elbows_and_knees_that_are_told_overrule_what_is_natural() {
    let person = Person::own();
    let [hand, elbow, shoulder] =
        [Part::Hand, Part::LowerArm, Part::UpperArm].map(|part| person.joint(Side::Left, part));
    let goal = Goal::position(hand, DVec3::new(0.1, 1.3, 0.3));
    let bend = |pose: &Pose| {
        let line = pose.position(hand) - pose.position(shoulder);
        (pose.position(elbow) - pose.position(shoulder)).reject_from(line).normalize()
    };
    let (natural, _) = person.solved(&[goal]);
    let (up, _) = person.solved(&[goal.pole(DVec3::new(0.4, 3.0, 0.2))]);
    assert!(bend(&natural).y < 0.0 && bend(&up).y > 0.5, "{} {}", bend(&natural), bend(&up));
    let told = up.position(elbow);
    let (also, outcome) = person.solved(&[goal, Goal::position(elbow, told)]);
    assert_eq!(outcome.status, Status::Reached);
    assert!(also.position(elbow).distance(told) < 1e-6);
}

#[test]
fn what_is_too_far_is_said_to_be() {
    let person = Person::own();
    let hand = person.joint(Side::Left, Part::Hand);
    let (pose, outcome) = person.solved(&[Goal::position(hand, DVec3::new(0.3, 1.0, 5.0))]);
    assert_eq!(outcome.status, Status::OutOfReach);
    let rest = person.skeleton.rest_pose();
    let foot = person.joint(Side::Left, Part::Foot);
    assert!(pose.position(foot).distance(rest.position(foot)) < 1e-9, "nobody falls over");
}

/// Ahead and to the side the trunk leans as far as people lean whose feet stay, and the hand stays short of what lies further; for
/// the floor the knees bend more than the trunk.
#[test]
fn who_reaches_far_leans_no_further_than_people_do() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [hand, shoulder] = [Part::Hand, Part::UpperArm].map(|part| person.joint(Side::Left, part));
    let hips = person.middle(Part::Hips);
    let neck = person.middle(Part::Neck);
    let lean = |pose: &Pose| (pose.position(neck) - pose.position(hips)).angle_between(DVec3::Y).to_degrees();
    for (to, most, short) in [(DVec3::new(0.0, -0.05, 1.0), 56.0, 1.2), (DVec3::new(1.0, -0.05, 0.1), 35.0, 1.0)] {
        let mut before: Option<Pose> = None;
        for far in (30..=200).map(|far| 0.01 * f64::from(far)) {
            let target = rest.position(shoulder) + to * far;
            let (pose, outcome) = person.solved(&[Goal::position(hand, target)]);
            let miss = pose.position(hand).distance(target);
            assert_eq!(outcome.status == Status::Reached, miss < 1e-5, "{far}: {outcome:?} {miss}");
            assert!(lean(&pose) < most, "{far}: {}", lean(&pose));
            assert!(far < short || outcome.status == Status::OutOfReach, "{far}: {outcome:?}");
            let moved = before.map_or(0.0, |before| before.position(hand).distance(pose.position(hand)));
            assert!(moved < 0.03, "{far}: {moved}");
            before = Some(pose);
        }
        let last = before.unwrap();
        assert!(lean(&last) > 0.5 * most, "{}", lean(&last));
        assert!(
            (last.position(hand) - last.position(shoulder)).normalize().dot(to.normalize()) > 0.95,
            "it points there"
        );
    }
    let box_ahead = [Side::Left, Side::Right].map(|side| {
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        Goal::position(person.joint(side, Part::Hand), DVec3::new(0.2 * sign, 0.15, 0.35))
    });
    let (pose, outcome) = person.solved(&box_ahead);
    assert_eq!(outcome.status, Status::Reached);
    assert!(lean(&pose) < 65.0 && pose.position(hips).y < 0.5 * rest.position(hips).y + 0.05, "{}", lean(&pose));
}

/// For what is no lower than the hips people bow on straight legs; two hands need no more of that than the one that lacks more.
#[test]
fn who_reaches_ahead_stands_on_straight_legs() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let hips = rest.position(person.middle(Part::Hips));
    let hand = |side, place| Goal::position(person.joint(side, Part::Hand), place);
    let high = hand(Side::Left, DVec3::new(0.2, hips.y + 0.35, 0.6));
    let low = hand(Side::Right, DVec3::new(-0.2, hips.y, 0.55));
    let aside = hand(Side::Left, DVec3::new(-0.4, hips.y + 0.1, 0.45));
    let long = |pose: &Pose, side| {
        let [hip, foot] = [Part::UpperLeg, Part::Foot].map(|part| pose.position(person.joint(side, part)));
        hip.distance(foot)
    };
    let bows = |goals: &[Goal]| {
        let (pose, outcome) = person.solved(goals);
        assert_eq!(outcome.status, Status::Reached, "{goals:?}");
        // Hips that go aside are over one foot more than over the other.
        let straight = SIDES.map(|side| long(&pose, side) / long(&rest, side)).into_iter().fold(0.0, f64::max);
        assert!(straight > 0.999, "{goals:?}: the straighter leg is shorter by {}", 1.0 - straight);
        let hips = person.middle(Part::Hips);
        pose.rotation(hips).angle_between(rest.rotation(hips))
    };
    for goals in [&[high][..], &[high, low], &[aside]] {
        bows(goals);
    }
    let [left, right] =
        [(Side::Left, 0.2), (Side::Right, -0.2)].map(|(side, x)| hand(side, DVec3::new(x, hips.y + 0.2, 0.6)));
    let [one, both] = [bows(&[left]), bows(&[left, right])];
    assert!(one > 0.1 && both < 1.1 * one, "{both} for both, {one} for one");
}

/// A foot that is told its place alone keeps its sole level near the floor, and goes along with its shin higher up.
#[test]
fn a_foot_that_is_lifted_puts_no_toes_through_the_floor() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [foot, toes] = [Part::Foot, Part::Toes].map(|part| person.joint(Side::Left, part));
    let mut before: Option<f64> = None;
    for high in (0..60).map(|step| 0.01 * f64::from(step)) {
        let target = rest.position(foot) + DVec3::new(0.0, high, -0.3 * high);
        let (pose, outcome) = person.solved(&[Goal::position(foot, target)]);
        assert_eq!(outcome.status, Status::Reached, "{high}");
        assert!(pose.position(toes).y > rest.position(toes).y - 1e-4, "{high}: {}", pose.position(toes));
        let tilt = pose.rotation(foot).angle_between(rest.rotation(foot)).to_degrees();
        assert!(high > 0.02 || tilt < 2.0, "{high}: {tilt}");
        assert!(before.is_none_or(|before| (tilt - before).abs() < 8.0), "{high}: {before:?} {tilt}");
        assert!(high < 0.4 || tilt > 20.0, "{high}: {tilt}");
        before = Some(tilt);
    }
}

#[test]
fn head_and_feet_are_kept_together_as_far_as_bones_go() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let keep = |joint: Joint, by: DVec3| Goal::frame(joint, rest.position(joint) + by, rest.rotation(joint));
    let [left, right] = [Side::Left, Side::Right].map(|side| keep(person.joint(side, Part::Foot), DVec3::ZERO));
    let (head, hips) = (person.middle(Part::Head), person.middle(Part::Hips));
    let hand = person.joint(Side::Left, Part::Hand);
    let reach = Goal::position(hand, rest.position(hand) + DVec3::new(0.0, 0.1, 0.15));
    let upright = Goal::rotation(hips, rest.rotation(hips));
    // Trunk and legs are all but straight at rest: the hips have hardly any room.
    for by in [DVec3::ZERO, DVec3::new(0.0, -0.02, 0.03), DVec3::new(0.0, -0.4, 0.1)] {
        let (_, outcome) = person.solved(&[keep(head, by), left, right, reach, upright]);
        assert_eq!(outcome.status, Status::Reached, "{by} {outcome:?}");
    }
    let mut work = Workspace::default();
    let mut pose = rest.clone();
    let goals = [keep(head, DVec3::new(0.0, 0.3, 0.1)), left, right];
    let _ = person.body.solve(&person.skeleton, &goals, &mut pose, &mut work);
    let status: Vec<Status> = work.residuals().iter().map(|residual| residual.status).collect();
    assert_eq!(status, [Status::OutOfReach, Status::Reached, Status::Reached]);
    assert!(pose.position(head).y > rest.position(head).y - 0.01, "{}", pose.position(head));
}

#[test]
fn neck_and_trunk_turn_with_the_head_as_far_as_people_turn() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [head, neck, chest] = [Part::Head, Part::Neck, Part::Chest].map(|part| person.middle(part));
    let eyes = rest.position(head);
    let aside = |pose: &Pose, joint: Joint| {
        let ahead = pose.rotation(joint) * rest.rotation(joint).conjugate() * DVec3::Z;
        ahead.x.atan2(ahead.z)
    };
    for side in [1.0, -1.0] {
        for (degrees, is_met) in [(20.0_f64, true), (60.0, true), (100.0, true), (140.0, false), (175.0, false)] {
            let angle = side * degrees.to_radians();
            let place = eyes + DVec3::new(angle.sin(), 0.05, angle.cos()) * 2.0;
            let (pose, outcome) = person.solved(&[Goal::aim(head, DVec3::Z, place)]);
            let status = if is_met { Status::Reached } else { Status::OutOfReach };
            assert_eq!(outcome.status, status, "{degrees}");
            let turns = [chest, neck, head].map(|joint| side * aside(&pose, joint));
            assert!(0.1 * turns[2] < turns[0] && turns[0] < turns[1] && turns[1] < turns[2], "{degrees}: {turns:?}");
            assert!(turns[2] < 2.05 && turns[2] - turns[1] < 1.0, "{degrees}: {turns:?}");
            let up = pose.rotation(head) * rest.rotation(head).conjugate() * DVec3::Y;
            assert!(up.y > 0.99, "{degrees}: {up}");
            for part in [Part::Hips, Part::Foot] {
                let joint = if part == Part::Hips { person.middle(part) } else { person.joint(Side::Left, part) };
                assert!(pose.position(joint).distance(rest.position(joint)) < 1e-9, "{degrees}");
            }
        }
    }
    let along = Goal::axis(head, DVec3::Z, DVec3::new(1.0, -0.3, 1.0));
    assert_eq!(person.solved(&[along]).1.status, Status::Reached);
    let (now, _) = person.solved(&[along]);
    let mut again = now.clone();
    let outcome = person.solve(&[along], &mut again);
    assert!(outcome.status == Status::Reached && again == now, "what is looked at already is looked at");
}

#[test]
fn nobody_bows_to_what_is_high() {
    let person = Person::own();
    let (hand, hips) = (person.joint(Side::Left, Part::Hand), person.middle(Part::Hips));
    let rest = person.skeleton.rest_pose();
    let other = Goal::position(person.joint(Side::Right, Part::Hand), DVec3::new(-0.25, 1.25, 0.45));
    for high in [DVec3::new(0.75, 1.75, 0.35), DVec3::new(0.3, 2.1, 0.3)] {
        let (pose, _) = person.solved(&[Goal::position(hand, high), other]);
        let tilt = (pose.rotation(hips) * DVec3::Y).y;
        assert!(tilt > 0.95 && pose.position(hips).y > rest.position(hips).y - 0.02, "{tilt} {}", pose.position(hips));
        assert!(pose.position(hand).distance(high) < 0.07, "{}", pose.position(hand).distance(high));
    }
}

#[test]
fn who_is_told_a_foot_too_far_stands_on_the_other() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    for (side, other) in [(Side::Left, Side::Right), (Side::Right, Side::Left)] {
        let [foot, stands] = [side, other].map(|side| person.joint(side, Part::Foot));
        let far = rest.position(foot) * DVec3::new(1.0, 1.0, 0.0)
            + DVec3::new(rest.position(foot).x.signum() * 3.0, 0.3, 0.0);
        let (pose, outcome) = person.solved(&[Goal::position(foot, far)]);
        assert_eq!(outcome.status, Status::OutOfReach);
        assert!(pose.position(stands).distance(rest.position(stands)) < 1e-9, "{}", pose.position(stands));
        assert!(pose.position(foot).distance(far) < rest.position(foot).distance(far) - 0.5, "it goes there");
    }
}

#[test]
fn goals_that_are_no_numbers_move_nothing() {
    let person = Person::own();
    let hand = person.joint(Side::Left, Part::Hand);
    let (pose, outcome) = person.solved(&[Goal::position(hand, DVec3::NAN)]);
    assert_eq!(outcome.status, Status::Invalid);
    assert!(pose == person.skeleton.rest_pose(), "something moved");
    for far in [1e30, 1e300] {
        let (pose, outcome) = person.solved(&[Goal::position(hand, DVec3::splat(far))]);
        assert_ne!(outcome.status, Status::Reached);
        assert!(person.skeleton.iter().all(|joint| pose.model(joint).is_finite()), "{far}");
    }
}

#[test]
fn goals_for_other_joints_are_served_too() {
    let person = Person::own();
    let finger =
        person.found.joint(&person.skeleton, Role::on(Side::Left, Part::Finger(sinew_rig::Digit::Index, 2))).unwrap();
    let target = person.skeleton.rest_pose().position(finger) + DVec3::new(-0.05, 0.05, 0.05);
    let (pose, outcome) = person.solved(&[Goal::position(finger, target)]);
    assert_eq!(outcome.status, Status::Reached);
    assert!(pose.position(finger).distance(target) < 1e-5);
}

/// The palm, the sole and the toes come to their places in closed form, by a wrist or ankle that stays as it is or as it is told.
#[test]
fn points_of_hands_and_feet_are_brought_to_their_places() {
    let person = Person::own();
    let mut rng = Rng::with_seed(6);
    let [hand, foot, toes] = [Part::Hand, Part::Foot, Part::Toes].map(|part| person.joint(Side::Left, part));
    for _ in 0..100 {
        let (start, _) = person.solved(&person.trackers(&mut rng));
        let random = |rng: &mut Rng| DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
        let offset = random(&mut rng) * 0.2;
        for (joint, offset) in [(hand, offset), (foot, offset), (toes, DVec3::ZERO), (toes, offset)] {
            let end = if joint == toes { foot } else { joint };
            let point = |pose: &Pose| pose.model(joint).transform_point3(offset);
            let target = point(&start) + random(&mut rng) * 0.1;
            let place = Goal::position(joint, target).offset(offset);
            let turned = start.rotation(end) * DQuat::from_scaled_axis(random(&mut rng));
            let wrist = |pose: &Pose| pose.local(end).rotation;
            let mut pose = start.clone();
            let outcome = person.solve(&[place], &mut pose);
            assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 1));
            assert!(point(&pose).distance(target) < 1e-6, "{}", point(&pose).distance(target));
            assert!(wrist(&pose).angle_between(wrist(&start)) < 1e-6, "it turned");
            if joint == toes {
                continue;
            }
            let mut pose = start.clone();
            let outcome = person.solve(&[place, Goal::rotation(joint, turned)], &mut pose);
            assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 1));
            assert!(point(&pose).distance(target) < 1e-6 && pose.rotation(joint).angle_between(turned) < 1e-6);
        }
        // A frame for what is held brings the hand to where it holds it so.
        let (place, rotation) = (start.position(toes) + random(&mut rng) * 0.1, start.rotation(toes));
        let mut pose = start.clone();
        assert_eq!(person.solve(&[Goal::frame(toes, place, rotation)], &mut pose).iterations, 1);
        assert!(pose.position(toes).distance(place) < 1e-6 && pose.rotation(toes).angle_between(rotation) < 1e-6);
    }
}

/// Toes and foot told apart, and a point of a head that turns as it likes: met by steps.
#[test]
fn what_has_no_closed_form_is_met_by_steps() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [foot, toes] = [Part::Foot, Part::Toes].map(|part| person.joint(Side::Left, part));
    let up = rest.position(foot) + DVec3::Y * 0.2;
    let bent = up + DQuat::from_rotation_x(0.3) * (rest.position(toes) - rest.position(foot));
    let head = person.middle(Part::Head);
    let goals = [Goal::position(foot, up), Goal::position(toes, bent)];
    for goals in [&goals[..], &[Goal::position(head, rest.position(head) - DVec3::Y * 0.2).offset(DVec3::Z * 0.1)]] {
        let (pose, outcome) = person.solved(goals);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        for goal in goals {
            let point = pose.model(goal.joint).transform_point3(goal.offset);
            assert!(point.distance(goal.target.position().unwrap()) < 1e-5);
        }
    }
}

#[test]
fn limits_hold() {
    let own = Person::own();
    let limited = Human::default().apply(&own.skeleton, &own.found).unwrap();
    let person = Person::of(limited);
    let mut rng = Rng::with_seed(5);
    for _ in 0..50 {
        // The rest pose itself is a little outside.
        let mut pose = person.skeleton.neutral_pose();
        let _ = person.solve(&person.trackers(&mut rng), &mut pose);
        for joint in person.skeleton.iter() {
            let local = pose.local(joint);
            let allowed = person.skeleton.nearest_allowed(joint, local, pose.value(&person.skeleton, joint));
            let outside = allowed.rotation.angle_between(local.rotation);
            assert!(outside < 1e-6, "{:?}: {outside}", person.skeleton.name(joint));
        }
    }
}

#[test]
fn a_body_may_stand_anywhere_in_any_size() {
    let person = Person::own();
    let base = DAffine3::from_scale_rotation_translation(DVec3::splat(100.0), DQuat::from_rotation_x(-1.3), DVec3::ONE);
    let moved = person.skeleton.revised(|joint, spec| {
        if person.skeleton.parent(joint).is_none() {
            spec.base = base;
        }
    });
    let other = Person {
        body: Body::of(moved.as_ref().unwrap(), &person.found).unwrap(),
        skeleton: moved.unwrap(),
        found: person.found.clone(),
    };
    let turned = Person::own();
    let mut rng = Rng::with_seed(6);
    let goals = turned.trackers(&mut rng);
    let (pose, _) = turned.solved(&goals);
    let rotation = DQuat::from_rotation_x(-1.3);
    let there: Vec<Goal> = goals
        .iter()
        .map(|goal| {
            let place = base.transform_point3(goal.target.position().unwrap());
            Goal::frame(goal.joint, place, rotation * goal.target.rotation().unwrap())
        })
        .collect();
    // The body's up and forward are the recognition's, in model space.
    let mut found = other.found.clone();
    (found.up, found.forward) = (rotation * found.up, rotation * found.forward);
    let body = Body::of(&other.skeleton, &found).unwrap();
    let mut answer = other.skeleton.rest_pose();
    let outcome = body.solve(&other.skeleton, &there, &mut answer, &mut Workspace::default());
    assert_eq!(outcome.status, Status::Reached);
    for joint in other.skeleton.iter() {
        let off = answer.position(joint).distance(base.transform_point3(pose.position(joint)));
        assert!(off < 1e-6 * 170.0, "{joint:?}: {off}");
    }
}

#[test]
fn a_solve_allocates_nothing_after_the_first() {
    let person = Person::own();
    let mut rng = Rng::with_seed(7);
    let rounds: Vec<Vec<Goal>> = (0..20).map(|_| person.trackers(&mut rng)).collect();
    let (rest, mut work) = (person.skeleton.rest_pose(), Workspace::default());
    let mut pose = rest.clone();
    let _ = person.body.solve(&person.skeleton, &rounds[0], &mut pose, &mut work);
    let counted = allocation_counter::measure(|| {
        for goals in &rounds {
            pose.clone_from(&rest);
            let _ = person.body.solve(&person.skeleton, goals, &mut pose, &mut work);
        }
    });
    assert_eq!(counted.count_total, 0);
}

/// Six trackers on real people: how far the joints between are from the real ones, on bodies with legs of 0.85 m.
#[test]
#[ignore = "needs motion capture: SINEW_TEST_DATA"]
fn real_people_are_recovered_from_six_trackers() {
    let data = PathBuf::from(std::env::var_os("SINEW_TEST_DATA").unwrap());
    let files = [
        "cmu_12_01_walk",
        "cmu_01_01_jumps",
        "cmu_jumping_jacks",
        "fair1_dab",
        "fair1_zombie",
        "pymo_8walk",
        "toolbox_walk01",
    ];
    for file in files {
        let mut clip = sinew_bvh::load(data.join(format!("bvh/{file}.bvh"))).unwrap();
        let at = |frame: usize, pose: &mut Pose| {
            clip.pose_frame(frame, pose);
        };
        clip.skeleton = reference::find(&Evidence::of_bvh(&clip), clip.motion.len(), at).skeleton;
        let found = recognize(&Evidence::of_bvh(&clip));
        let body = Body::of(&clip.skeleton, &found).unwrap();
        let person = Person { skeleton: clip.skeleton.clone(), found, body };
        let mut real = person.skeleton.rest_pose();
        let parts = [Part::LowerArm, Part::LowerLeg, Part::UpperArm]
            .map(|part| [Side::Left, Side::Right].map(|side| person.joint(side, part)));
        let (mut off, mut frames) = ([0.0; 3], 0.0);
        let leg = [Part::UpperLeg, Part::LowerLeg, Part::Foot].map(|part| person.joint(Side::Left, part));
        for frame in (0..clip.motion.len()).step_by(4) {
            clip.pose_frame(frame, &mut real);
            let metre = (real.position(leg[0]).distance(real.position(leg[1]))
                + real.position(leg[1]).distance(real.position(leg[2])))
                / 0.85;
            let goals = person.six().map(|joint| Goal::frame(joint, real.position(joint), real.rotation(joint)));
            let (pose, outcome) = person.solved(&goals);
            assert_eq!(outcome.status, Status::Reached, "{file} {frame}");
            for (off, joints) in off.iter_mut().zip(&parts) {
                *off += joints.map(|joint| pose.position(joint).distance(real.position(joint))).iter().sum::<f64>()
                    / (2.0 * metre);
            }
            frames += 1.0;
        }
        let [elbow, knee, shoulder] = off.map(|off| 100.0 * off / frames);
        println!("{file}: elbow {elbow:.2} cm, knee {knee:.2} cm, shoulder {shoulder:.2} cm");
        assert!(elbow < 5.0 && knee < 3.0 && shoulder < 5.5, "{file}: {elbow} {knee} {shoulder}");
    }
}

/// The angle by which a joint is turned about the upright against the rest pose.
fn heading(person: &Person, pose: &Pose, joint: Joint) -> f64 {
    let rest = person.skeleton.rest_pose();
    let ahead = pose.rotation(joint) * rest.rotation(joint).conjugate() * DVec3::Z;
    ahead.x.atan2(ahead.z)
}

#[test]
fn hips_turn_along_for_what_lies_behind_and_for_nothing_else() {
    let person = Person::own();
    let (rest, hips) = (person.skeleton.rest_pose(), person.middle(Part::Hips));
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let hand = person.joint(side, Part::Hand);
        let shoulder = rest.position(person.joint(side, Part::UpperArm));
        let mut before: Option<f64> = None;
        for degrees in (-180..=180).step_by(2) {
            let angle = f64::from(degrees).to_radians();
            let target = shoulder + DVec3::new(sign * angle.sin(), -0.3, angle.cos()) * 0.45;
            let (pose, _) = person.solved(&[Goal::position(hand, target)]);
            let turned = sign * heading(&person, &pose, hips);
            match degrees {
                -70..=90 => assert!(turned.abs() < 1e-9, "{degrees}: {turned}"),
                130..=170 => assert!(turned > 0.3, "{degrees}: {turned}"),
                _ => {}
            }
            assert!(before.is_none_or(|before| (turned - before).abs() < 0.1), "{degrees}: {before:?} {turned}");
            before = Some(turned);
            for foot in [Side::Left, Side::Right].map(|side| person.joint(side, Part::Foot)) {
                let slip = pose.position(foot).distance(rest.position(foot));
                assert!(slip < 1e-6, "{degrees}: a foot slips by {slip}");
            }
        }
    }
}

#[test]
fn neck_and_head_share_a_look_up() {
    let person = Person::own();
    let rest = person.skeleton.rest_pose();
    let [head, neck] = [Part::Head, Part::Neck].map(|part| person.middle(part));
    let nod = |pose: &Pose, joint: Joint| (pose.rotation(joint) * rest.rotation(joint).conjugate() * DVec3::Z).y.asin();
    for steep in [0.8_f64, -0.6] {
        let (pose, outcome) = person.solved(&[Goal::axis(head, DVec3::Z, DVec3::new(0.0, steep.sin(), steep.cos()))]);
        assert_eq!(outcome.status, Status::Reached);
        let share = nod(&pose, neck) / nod(&pose, head);
        assert!((nod(&pose, head) - steep).abs() < 0.1 && (0.4..0.7).contains(&share), "{steep}: {share}");
    }
}

#[test]
fn soles_stay_level_inside_limits() {
    let own = Person::own();
    let limited = Human::default().apply(&own.skeleton, &own.found).unwrap();
    let person = Person::of(limited);
    let rest = person.skeleton.rest_pose();
    let hand = person.joint(Side::Left, Part::Hand);
    for low in [DVec3::new(0.3, 0.5, 0.4), DVec3::new(0.3, 0.3, 0.5), DVec3::new(0.35, 0.15, 0.45)] {
        let (pose, _) = person.solved(&[Goal::position(hand, low)]);
        for foot in [Side::Left, Side::Right].map(|side| person.joint(side, Part::Foot)) {
            let tilt = pose.rotation(foot).angle_between(rest.rotation(foot)).to_degrees();
            assert!(tilt < 2.0, "{low}: a sole tilts by {tilt}");
        }
        assert!(pose.position(hand).distance(low) < 0.02, "{low}: {}", pose.position(hand).distance(low));
    }
}

/// Elbows and knees of the human's limits fold in closed form, and forward, though they may stretch beyond straight.
#[test]
fn hinged_limbs_are_met_in_closed_form_and_fold_forward() {
    let own = Person::own();
    let limited = Human::default().apply(&own.skeleton, &own.found).unwrap();
    // Nothing else has limits here.
    let hinges = limited
        .revised(|_, spec| {
            if !matches!(spec.kind, Kind::Hinge { .. }) {
                spec.kind = Kind::BALL;
            }
        })
        .unwrap();
    let person = Person::of(hinges);
    let mut rng = Rng::with_seed(8);
    for _ in 0..200 {
        let goals = own.trackers(&mut rng);
        let (pose, outcome) = person.solved(&goals);
        assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 1));
        for (part, side) in [Part::LowerArm, Part::LowerLeg].into_iter().flat_map(|part| SIDES.map(|side| (part, side)))
        {
            let joint = person.joint(side, part);
            let local = pose.local(joint);
            let value = pose.value(&person.skeleton, joint);
            let allowed = person.skeleton.nearest_allowed(joint, local, value).rotation;
            assert!(allowed.angle_between(local.rotation) < 1e-6 && value > -1e-6, "{side:?} {part:?} {value}");
        }
    }
}

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// A thigh of uneven scale, by which bones change their lengths as they turn: the foot is where it is told, and the other one stands.
#[test]
fn feet_on_bones_of_uneven_scale_are_in_their_places() {
    let own = Person::own();
    let [thigh, foot, other] = [(Part::UpperLeg, Side::Left), (Part::Foot, Side::Left), (Part::Foot, Side::Right)]
        .map(|(part, side)| own.joint(side, part));
    let name = own.skeleton.name(thigh).unwrap().to_owned();
    let uneven = own.skeleton.revised(|joint, spec| {
        if own.skeleton.name(joint) == Some(name.as_str()) {
            spec.rest.scale = DVec3::new(1.0, 1.004, 0.996);
        }
    });
    let person = Person::of(uneven.unwrap());
    let on = |joint: Joint| person.skeleton.at(joint.index()).unwrap();
    let rest = person.skeleton.rest_pose();
    let target = rest.position(on(foot)) + DVec3::new(0.05, 0.25, 0.2);
    let (pose, outcome) = person.solved(&[Goal::position(on(foot), target)]);
    assert_eq!(outcome.status, Status::Reached);
    assert!(pose.position(on(foot)).distance(target) < 1e-6);
    assert!(pose.position(on(other)).distance(rest.position(on(other))) < 1e-6);
}

/// What carries hips and trunk may be fixed: it turns no way then, and travels with the body.
#[test]
fn a_root_that_never_turns_travels_with_the_body() {
    let mut rows = made::human();
    rows[0] = ("root hips", "", vec![[0.0, 0.93, 0.0], [0.0, 0.93, 0.0]]);
    let trunk = vec![[0.0, 1.03, 0.0], [0.0, 1.23, 0.0], [0.0, 1.48, 0.0], [0.0, 1.58, 0.0]];
    rows.insert(1, ("spine chest neck head", "root", trunk));
    let free = made::skeleton(DAffine3::IDENTITY, &rows);
    let root = free.joint("root").unwrap();
    let person = Person::of(
        free.revised(|joint, spec| {
            if joint.index() == root.index() {
                spec.kind = Kind::Fixed;
            }
        })
        .unwrap(),
    );
    let [head, hand] = [person.middle(Part::Head), person.joint(Side::Left, Part::Hand)];
    for by in [DVec3::new(0.0, -0.3, 0.0), DVec3::new(0.1, -0.1, 0.2)] {
        let rest = person.skeleton.rest_pose();
        let bent = DVec3::new(-0.2, -0.1, 0.2);
        let goals = [(head, by), (hand, by + bent)].map(|(joint, by)| Goal::position(joint, rest.position(joint) + by));
        let (pose, outcome) = person.solved(&goals);
        assert_eq!(outcome.status, Status::Reached, "{by}: {outcome:?}");
        assert!(pose.position(root).distance(rest.position(root)) > 0.05);
        assert_eq!(pose.local(root).rotation, rest.local(root).rotation);
    }
}
