//! What a body promises, for random sets of goals from random poses: what is said to be reached is, limits hold, nothing is lost, what is
//! reached stays, and goals that lie next to one another have answers that do.
#![allow(clippy::unwrap_used, reason = "tests")]

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::{Goal, Joint, JointSpec, Kind, Pose, Solver as _, Status, Workspace};
use sinew_rig::{Human, Part, Side};

use crate::body::Person;
use crate::cases;

/// How far goals next to one another are apart (metres).
const NEXT: f64 = 1e-7;
/// How many times as far apart answers are that jump. Near full stretch an elbow moves as the root of its hand's way: by 0.5 mm for `NEXT`, and what
/// hangs on it by more.
const FAR: f64 = 3e4;

fn point(rng: &mut Rng) -> DVec3 {
    DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5) * 2.0
}

/// Parts that goals may be for.
fn parts(person: &Person) -> Vec<Joint> {
    let limbs = [Part::Hand, Part::Foot, Part::LowerArm, Part::LowerLeg];
    let sides = [Side::Left, Side::Right];
    let limbs = limbs.into_iter().flat_map(|part| sides.map(|side| person.joint(side, part)));
    limbs.chain([Part::Hips, Part::Head, Part::Chest].map(|part| person.middle(part))).collect()
}

/// Goals for some parts: where they are in a pose, a little or far away, as positions, rotations or frames.
fn goals(person: &Person, pose: &Pose, rng: &mut Rng) -> Vec<Goal> {
    let far = [0.0, 0.02, 0.2, 1.0][rng.usize(..4)];
    let goal = |joint: Joint, rng: &mut Rng| {
        let place = pose.position(joint) + point(rng) * far;
        let rotation = (DQuat::from_scaled_axis(point(rng) * far) * pose.rotation(joint)).normalize();
        match rng.usize(..4) {
            0 => Goal::rotation(joint, rotation),
            1 => Goal::frame(joint, place, rotation),
            _ => Goal::position(joint, place),
        }
    };
    let share = rng.f64();
    parts(person)
        .into_iter()
        .filter(|_| rng.f64() < share)
        .collect::<Vec<_>>()
        .into_iter()
        .map(|part| goal(part, rng))
        .collect()
}

fn moved(goal: &Goal, by: DVec3) -> Goal {
    let mut goal = *goal;
    if let (Some(place), rotation) = (goal.target.position(), goal.target.rotation()) {
        let next = place + by;
        goal.target = match rotation {
            Some(rotation) => Goal::frame(goal.joint, next, rotation).target,
            None => Goal::position(goal.joint, next).target,
        };
    }
    goal
}

fn apart(person: &Person, a: &Pose, b: &Pose) -> f64 {
    person.skeleton.iter().map(|joint| a.position(joint).distance(b.position(joint))).fold(0.0, f64::max)
}

/// What is reached, and what is not, is as it is said to be.
fn check_reports(place: &str, goals: &[Goal], pose: &Pose, work: &Workspace) {
    for (goal, residual) in goals.iter().zip(work.residuals()) {
        let off = goal.target.position().map_or(0.0, |to| pose.position(goal.joint).distance(to));
        let turned = goal.target.rotation().map_or(0.0, |to| pose.rotation(goal.joint).angle_between(to));
        if residual.status == Status::Reached {
            assert!(off < 2e-6 && turned < 2e-6, "{place}: {off} {turned} {goal:?} is not reached");
        } else {
            assert!(off > 1e-7 || turned > 1e-7, "{place}: {goal:?} is reached");
        }
    }
}

fn check_limits(place: &str, person: &Person, pose: &Pose) {
    for joint in person.skeleton.iter() {
        let local = pose.local(joint);
        let allowed = person.skeleton.nearest_allowed(joint, local, pose.value(&person.skeleton, joint));
        let outside = allowed.rotation.angle_between(local.rotation);
        assert!(outside < 1e-6, "{place}: {:?} is {outside} outside", person.skeleton.name(joint));
    }
}

/// Random sets of goals; how many answers by steps jump where goals hardly move.
fn check(person: &Person, cases: usize, is_limited: bool) -> usize {
    let (mut work, mut jumps) = (Workspace::default(), 0);
    for seed in 0..cases as u64 {
        let (place, mut rng) = (format!("seed {seed}"), Rng::with_seed(seed));
        let goals = goals(person, &person.turned(&mut rng), &mut rng);
        let start = if is_limited || rng.bool() { person.skeleton.neutral_pose() } else { person.turned(&mut rng) };
        let mut solve = |goals: &[Goal], pose: &mut Pose| {
            let outcome = person.body.solve(&person.skeleton, goals, pose, &mut work);
            assert!(person.skeleton.iter().all(|joint| pose.model(joint).is_finite()), "{place}");
            check_reports(&place, goals, pose, &work);
            if is_limited {
                check_limits(&place, person, pose);
            }
            outcome
        };
        let (mut pose, mut beside) = (start.clone(), start);
        let outcome = solve(&goals, &mut pose);
        if outcome.status == Status::Reached {
            let mut again = pose.clone();
            assert_eq!(solve(&goals, &mut again).status, Status::Reached, "{place}");
            assert!(apart(person, &pose, &again) < 1e-5, "{place}: what is reached moves");
        }
        let by = point(&mut rng) * NEXT;
        let next: Vec<Goal> = goals.iter().map(|goal| moved(goal, by)).collect();
        let then = solve(&next, &mut beside);
        if apart(person, &pose, &beside) > FAR * NEXT {
            assert!(outcome.iterations > 1 || then.iterations > 1, "{place}: the closed form jumps");
            jumps += 1;
        }
    }
    jumps
}

#[test]
fn bodies_keep_their_promises() {
    let own = Person::own();
    // Goals that contradict one another are met by few steps, which may end in another valley.
    let (free, limited) = (cases(3000), cases(600));
    let jumps = check(&own, free, false);
    assert!(jumps <= free / 300, "{jumps} of {free}");
    let person = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    let jumps = check(&person, limited, true);
    assert!(jumps <= limited / 40, "{jumps} of {limited}");
}

/// Bodies that go on from their own answers, towards what is too far: they stand where they stood, and the hand comes no farther from its
/// target.
#[test]
fn who_cannot_reach_stays_where_the_feet_are() {
    let own = Person::own();
    let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    for person in [own, limited] {
        let rest = person.skeleton.rest_pose();
        let [hand, shoulder, foot] =
            [Part::Hand, Part::UpperArm, Part::Foot].map(|part| person.joint(Side::Left, part));
        let hips = person.middle(Part::Hips);
        for to in [DVec3::new(0.7, -0.5, 0.8), DVec3::new(0.2, -0.3, 1.2), DVec3::new(0.1, -1.0, 0.9)] {
            let goal = Goal::position(hand, rest.position(shoulder) + to);
            let (mut pose, first) = person.solved(&[goal]);
            let stood = pose.position(hips);
            for round in 0..60 {
                let outcome = person.solve(&[goal], &mut pose);
                assert!(
                    outcome.position_error < first.position_error + 0.02,
                    "{to} {round}: {outcome:?} after {first:?}"
                );
            }
            assert!(pose.position(hips).distance(stood) < 0.1, "{to}: hips {stood} went to {}", pose.position(hips));
            assert!(pose.position(foot).distance(rest.position(foot)) < 0.02, "{to}: the foot went");
        }
    }
}

/// A hand or both held out to where they may not reach.
fn held_out(person: &Person, seed: u64) -> Vec<Goal> {
    let (mut rng, rest) = (Rng::with_seed(seed), person.skeleton.neutral_pose());
    let sides = [Side::Left, Side::Right];
    let hands = &sides[..=rng.usize(..2)];
    let way = (point(&mut rng) + DVec3::new(0.0, 0.0, 0.5)).normalize() * (0.6 + 0.5 * rng.f64());
    let mut goal = |&side: &Side| {
        let [shoulder, hand] = [Part::UpperArm, Part::Hand].map(|part| person.joint(side, part));
        Goal::position(hand, rest.position(shoulder) + way + point(&mut rng) * 0.1)
    };
    hands.iter().map(&mut goal).collect()
}

/// Bodies that go on from their own answers, a hand or both held out too far: they stay as they are. Where limits keep a hand from what it
/// would reach, steps still bring it nearer from answer to answer.
#[test]
fn who_cannot_reach_answers_the_same_again() {
    let own = Person::own();
    let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    for (person, is_limited) in [(own, false), (limited, true)] {
        let (mut rounds, mut swings) = (0, 0);
        for seed in 0..cases(200) as u64 {
            let (goals, mut pose) = (held_out(&person, seed), person.skeleton.neutral_pose());
            if person.solve(&goals, &mut pose).status == Status::Reached {
                continue;
            }
            for round in 0..12 {
                let before = pose.clone();
                let _ = person.solve(&goals, &mut pose);
                let turn = before.difference(&pose).angle;
                let most = if round < 6 { 0.12 } else { 0.015 };
                assert!(is_limited || turn < most, "seed {seed}, round {round}: {turn}");
                rounds += 1;
                swings += usize::from(turn > 0.12);
            }
        }
        assert!(rounds > 0 && swings * 40 < rounds, "{swings} of {rounds}");
    }
}

/// Bodies inside limits that go on from their own answers, the head and a hand told places that they hardly reach, steps turning the trunk for
/// them: the head, told no rotation, and the other arm do not wind on with every answer.
#[test]
fn what_no_goal_tells_does_not_wind() {
    let own = Person::own();
    let person = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    let [hand, upper] = [(Side::Left, Part::Hand), (Side::Right, Part::UpperArm)].map(|(s, p)| person.joint(s, p));
    let head = person.middle(Part::Head);
    let (mut rounds, mut winds) = (0, [0; 2]);
    for seed in 0..cases(100) as u64 {
        let mut rng = Rng::with_seed(seed);
        let there = person.turned(&mut rng);
        let goals = [head, hand].map(|joint| Goal::position(joint, there.position(joint) + point(&mut rng) * 0.2));
        let mut pose = person.skeleton.neutral_pose();
        for round in 0..12 {
            let before = pose.clone();
            let _ = person.solve(&goals, &mut pose);
            if round < 2 {
                continue;
            }
            rounds += 1;
            for (winds, joint) in winds.iter_mut().zip([head, upper]) {
                *winds += usize::from(before.joint_difference(&pose, joint).angle > 0.05);
            }
        }
    }
    assert!(winds.iter().all(|winds| winds * 40 < rounds), "{winds:?} of {rounds}");
}

/// By how much answers from one pose differ at last, where goals go over from some to others nearby in halves, each time the half in which
/// they differ more.
fn jump(person: &Person, start: &Pose, [from, to]: [&[Goal]; 2]) -> f64 {
    let answer = |share: f64| {
        let mut pose = start.clone();
        let goals: Vec<Goal> = from
            .iter()
            .zip(to)
            .map(|(from, to)| {
                let way = to.target.position().unwrap() - from.target.position().unwrap();
                moved(from, way * share)
            })
            .collect();
        let _ = person.solve(&goals, &mut pose);
        pose
    };
    let (mut low, mut high) = ((0.0, answer(0.0)), (1.0, answer(1.0)));
    for _ in 0..36 {
        if low.1.difference(&high.1).angle < 0.03 {
            return 0.0;
        }
        let middle = 0.5 * (low.0 + high.0);
        let middle = (middle, answer(middle));
        let [before, after] = [&low, &high].map(|end| end.1.difference(&middle.1).angle);
        if before > after { high = middle } else { low = middle }
    }
    low.1.difference(&high.1).angle
}

/// A head goes up to where no trunk reaches, a hand too far ahead: the trunk, straight at last, goes on turning for the hand.
#[test]
fn a_trunk_that_becomes_straight_does_not_jump() {
    let own = Person::own();
    let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    for person in [own, limited] {
        let rest = person.skeleton.neutral_pose();
        let (hand, head) = (person.joint(Side::Left, Part::Hand), person.middle(Part::Head));
        let hips = person.middle(Part::Hips);
        let at = |rise: f64| {
            let ahead = DVec3::new(0.5, 1.5, 0.8);
            [
                Goal::position(hips, rest.position(hips)),
                Goal::position(head, rest.position(head) + DVec3::new(0.0, rise, 0.0)),
                Goal::position(hand, ahead),
            ]
        };
        for step in 0..40 {
            let rise = f64::from(step) * 0.002 - 0.02;
            let jump = jump(&person, &rest, [&at(rise), &at(rise + 0.002)]);
            assert!(jump < 0.05, "by {jump} where the head is {rise} up");
        }
    }
}

/// Bodies that go on from their own answers, parts told places in and out of reach that sway: in how many of so many frames answers jump.
fn jumps(person: &Person, joints: &[Joint]) -> (usize, usize) {
    let rest = person.skeleton.neutral_pose();
    let (mut rounds, mut jumps) = (0, 0);
    for seed in 0..cases(100) as u64 {
        let mut rng = Rng::with_seed(seed);
        let ways: Vec<[DVec3; 2]> = joints.iter().map(|_| [point(&mut rng) * 0.15, point(&mut rng) * 0.15]).collect();
        let out = 1.0 + 0.15 * rng.f64();
        let hips = rest.position(person.middle(Part::Hips));
        let at = |frame: u32| {
            let angle = f64::from(frame) / 60.0 * std::f64::consts::TAU;
            let goal = |(&joint, way): (&Joint, &[DVec3; 2])| {
                let off = way[0] * angle.sin() + way[1] * (angle.cos() - 1.0);
                Goal::position(joint, hips + (rest.position(joint) - hips) * out + off)
            };
            joints.iter().zip(&ways).map(goal).collect::<Vec<_>>()
        };
        let mut pose = rest.clone();
        let _ = person.solve(&at(0), &mut pose);
        for frame in 0..60 {
            let (from, to) = (at(frame), at(frame + 1));
            jumps += usize::from(jump(person, &pose, [&from, &to]) > 0.05);
            rounds += 1;
            let _ = person.solve(&to, &mut pose);
        }
    }
    (jumps, rounds)
}

/// Inside limits: where they begin to bind answers change over by little. 16 of 6,000 jump.
#[test]
fn bodies_hardly_jump_where_limits_bind() {
    let own = Person::own();
    let person = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    let (jumps, rounds) = jumps(&person, &head_and_hands(&person));
    assert!(rounds > 0 && jumps * 250 <= rounds, "{jumps} of {rounds}");
}

fn head_and_hands(person: &Person) -> [Joint; 3] {
    [person.middle(Part::Head), person.joint(Side::Left, Part::Hand), person.joint(Side::Right, Part::Hand)]
}

/// Trunks in which a joint never turns bend in the others, at once, and hardly jump: at most 31 of 6,000, inside limits.
#[test]
fn trunks_with_a_joint_that_never_turns_hardly_jump() {
    let own = Person::own();
    for still in [Part::Spine, Part::Chest, Part::Neck] {
        let still = own.middle(still);
        let fix = |joint: Joint, spec: &mut JointSpec| {
            if joint.index() == still.index() {
                spec.kind = Kind::Fixed;
            }
        };
        let free = Person::of(own.skeleton.revised(fix).unwrap());
        let limited = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap().revised(fix).unwrap());
        for person in [&free, &limited] {
            let (jumps, rounds) = jumps(person, &head_and_hands(person));
            assert!(rounds > 0 && jumps * 150 <= rounds, "{:?}: {jumps} of {rounds}", own.skeleton.name(still));
        }
        for seed in 0..cases(200) as u64 {
            let mut rng = Rng::with_seed(seed);
            let rest = free.skeleton.rest_pose();
            let off = |joint: Joint, rng: &mut Rng| Goal::position(joint, rest.position(joint) + point(rng) * 0.1);
            let goals = free.six().map(|joint| off(joint, &mut rng));
            let (_, outcome) = free.solved(&goals);
            assert_eq!(outcome.iterations, 1, "{:?} {seed}: {outcome:?}", own.skeleton.name(still));
        }
    }
}

/// Six frames are told, a foot's turned outside its limit, and a hand goes where its arm comes to one: legs do not move for what no leg can
/// bring.
#[test]
fn a_foot_that_its_limit_holds_moves_no_leg_for_a_hand() {
    let own = Person::own();
    let person = Person::of(Human::default().apply(&own.skeleton, &own.found).unwrap());
    let [hand, foot, shin] = [Part::Hand, Part::Foot, Part::LowerLeg].map(|part| person.joint(Side::Left, part));
    // Of 2,000 seeds these let limits keep the hand alone, and legs moved most (by 23 to 28 cm).
    for seed in [89, 288, 378, 1075, 1324] {
        let mut rng = Rng::with_seed(seed);
        let pose = person.animated(&mut rng);
        let off = point(&mut rng) * 0.3;
        let goals = person.six().map(|joint| {
            let turn = if joint == foot { DQuat::from_rotation_x(-1.2) } else { DQuat::IDENTITY };
            let by = if joint == hand { off } else { DVec3::ZERO };
            Goal::frame(joint, pose.position(joint) + by, turn * pose.rotation(joint))
        });
        let solved = |goals: &[Goal]| {
            let mut answer = pose.clone();
            let outcome = person.solve(goals, &mut answer);
            (answer, outcome.iterations > 1)
        };
        let without: Vec<Goal> = goals.into_iter().filter(|goal| goal.joint != hand).collect();
        let ((with, steps), (without, others)) = (solved(&goals), solved(&without));
        assert!(steps && !others, "{seed}");
        let moved = with.position(shin).distance(without.position(shin));
        assert!(moved < 0.02, "{seed}: {moved}");
    }
}
