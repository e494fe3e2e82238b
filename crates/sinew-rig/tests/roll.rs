//! The roll of a hand is shared by forearm, twist bones and wrist.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;

use sinew::glam::{DQuat, DVec3};
use sinew::{Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Status, Transform};
use sinew_rig::{Body, Evidence, Human, Part, Side, recognize, reference};

use crate::body::Person;

const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// Radians, from 0 to a half turn, by which one joint is rolled against another beyond rest, about the forearm's line.
fn roll(person: &Person, pose: &Pose, side: Side, of: Joint, against: Joint) -> f64 {
    let rest = person.skeleton.rest_pose();
    let apart = |pose: &Pose| pose.rotation(against).conjugate() * pose.rotation(of);
    let turned = apart(pose) * apart(&rest).conjugate();
    let [lower, hand] = [Part::LowerArm, Part::Hand].map(|part| person.joint(side, part));
    let line = rest.rotation(against).conjugate() * (rest.position(hand) - rest.position(lower)).normalize();
    let turned = if turned.w < 0.0 { -turned } else { turned };
    2.0 * DVec3::new(turned.x, turned.y, turned.z).dot(line).atan2(turned.w).abs()
}

/// The hand where it rests, rolled about the forearm with the palm upward (radians).
fn rolled(person: &Person, side: Side, by: f64) -> Goal {
    let rest = person.skeleton.rest_pose();
    let [lower, hand] = [Part::LowerArm, Part::Hand].map(|part| person.joint(side, part));
    let line = (rest.position(hand) - rest.position(lower)).normalize();
    let up = if side == Side::Left { -by } else { by };
    Goal::frame(hand, rest.position(hand), DQuat::from_axis_angle(line, up) * rest.rotation(hand))
}

/// As Unreal names them, and as `MakeHuman` has joints in a row.
fn twist_name(side: Side, beside: bool, n: u32) -> String {
    let name = if beside { format!("lowerarm_twist_0{n}") } else { "lowerarm02".to_owned() };
    name + if side == Side::Left { "_l" } else { "_r" }
}

/// The human with twist bones in its forearms: two beside the chain, the second on the first, or one between elbow and hand.
fn with_twists(beside: bool) -> Person {
    let plain = Person::own();
    let mut builder = SkeletonBuilder::new();
    let mut places = std::collections::HashMap::new();
    for joint in plain.skeleton.iter() {
        let mut rest = *plain.skeleton.rest(joint);
        let mut parent = plain.skeleton.parent(joint).map(|parent| places[&parent]);
        let side = SIDES.into_iter().find(|&side| joint == plain.joint(side, Part::Hand));
        if let Some(side) = side {
            let along = rest.translation;
            let name = |n| twist_name(side, beside, n);
            let mut add = |n, by: DVec3, parent| {
                let rest = Transform { translation: by, ..Transform::IDENTITY };
                builder.add(JointSpec { name: Some(name(n)), parent, rest, ..JointSpec::default() })
            };
            if beside {
                // A little off the line.
                let first = add(1, along * 0.5 + DVec3::X * 0.01, parent.map(Into::into));
                add(2, along * 0.25 - DVec3::X * 0.01, Some(first.into()));
            } else {
                parent = Some(add(1, along * 0.5 + DVec3::X * 0.01, parent.map(Into::into)));
                rest.translation = along * 0.5 - DVec3::X * 0.01;
            }
        }
        let name = plain.skeleton.name(joint).map(str::to_owned);
        let base = *plain.skeleton.base(joint);
        let place = builder.add(JointSpec { name, parent: parent.map(Into::into), rest, base, ..JointSpec::default() });
        places.insert(joint, place);
    }
    Person::of(builder.build().unwrap())
}

#[test]
fn a_forearm_takes_half_of_a_hands_roll() {
    let person = Person::own();
    for (side, by) in SIDES.into_iter().flat_map(|side| [-0.8, 0.0, 0.5, 1.5, 2.6].map(|by| (side, by))) {
        let [upper, lower, hand] = [Part::UpperArm, Part::LowerArm, Part::Hand].map(|part| person.joint(side, part));
        let goal = rolled(&person, side, by);
        let (pose, outcome) = person.solved(&[goal]);
        assert_eq!(outcome.status, Status::Reached);
        let [wrung, forearm] = [(hand, lower), (lower, upper)].map(|(of, on)| roll(&person, &pose, side, of, on));
        assert!((wrung - forearm).abs() < 0.05, "{side:?} {by}: the wrist takes {wrung}, the forearm {forearm}");
        // The elbow goes with a hand that turns, so it is not all of it.
        assert!(wrung > 0.25 * by.abs() && wrung < 0.5 * by.abs() + 0.05, "{side:?} {by}: {wrung}");
        // A hand that then may turn as it likes keeps its roll.
        let mut next = pose.clone();
        let aside = goal.target.position().unwrap() + DVec3::new(0.0, 0.02, 0.02);
        assert_eq!(person.solve(&[Goal::position(hand, aside)], &mut next).status, Status::Reached);
        let kept = [(hand, lower), (lower, upper)].map(|(of, on)| roll(&person, &next, side, of, on));
        assert!((kept[0] - wrung).abs() < 1e-6 && (kept[1] - forearm).abs() < 0.1, "{kept:?} {wrung} {forearm}");
    }
}

#[test]
fn twist_bones_take_their_part_and_the_hand_is_where_it_is_told() {
    for beside in [true, false] {
        let person = with_twists(beside);
        for (side, by) in SIDES.into_iter().flat_map(|side| [-0.6, 1.2, 2.4].map(|by| (side, by))) {
            let [lower, hand] = [Part::LowerArm, Part::Hand].map(|part| person.joint(side, part));
            let bone = |n| person.skeleton.joint(&twist_name(side, beside, n)).unwrap();
            let goal = rolled(&person, side, by);
            let (pose, outcome) = person.solved(&[goal]);
            assert_eq!((outcome.status, outcome.iterations), (Status::Reached, 1));
            assert!(pose.position(hand).distance(goal.target.position().unwrap()) < 1e-9);
            // Along the forearm it rolls itself to the first bone's beginning, and so on: what is left from each to the next.
            let (row, wanted) = if beside {
                (vec![lower, bone(1), bone(2), hand], vec![0.375, 0.25, 0.125])
            } else {
                (vec![lower, bone(1), hand], vec![0.5, 0.25])
            };
            let taken: Vec<f64> = row.windows(2).map(|pair| roll(&person, &pose, side, pair[1], pair[0])).collect();
            let (all, told) = (taken.iter().sum::<f64>(), wanted.iter().sum::<f64>());
            for (taken, wanted) in taken.iter().zip(wanted) {
                assert!(
                    (taken / all - wanted / told).abs() < 0.02,
                    "beside {beside}, {side:?}, {by}: {taken} of {all}"
                );
            }
        }
    }
}

#[test]
fn forearms_roll_without_jumps_all_the_way_round() {
    for person in [Person::own(), with_twists(true), with_twists(false)] {
        let mut rng = fastrand::Rng::with_seed(17);
        for _ in 0..crate::cases(60) {
            let vector = DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
            let (side, tilt) = (SIDES[rng.usize(..2)], DQuat::from_scaled_axis(vector * 2.0));
            let lower = person.joint(side, Part::LowerArm);
            let rolling = |skeleton: &Skeleton| -> Vec<Joint> {
                let hand = person.joint(side, Part::Hand);
                skeleton
                    .iter()
                    .filter(|&joint| skeleton.is_below(joint, lower) && !skeleton.is_below(joint, hand))
                    .collect()
            };
            let solved = |by: f64| {
                let goal = rolled(&person, side, by);
                let Goal { joint, .. } = goal;
                let turned = goal.target.rotation().unwrap() * tilt;
                person.solved(&[Goal::frame(joint, goal.target.position().unwrap(), turned)]).0
            };
            let step = 0.01;
            let upper = person.joint(side, Part::UpperArm);
            let turned = |now: &Pose, before: &Pose, of: Joint, on: Joint| {
                let apart = |pose: &Pose| pose.rotation(on).conjugate() * pose.rotation(of);
                apart(now).angle_between(apart(before))
            };
            let mut before = solved(-4.0);
            for place in -399..400 {
                let now = solved(f64::from(place) * step);
                for joint in rolling(&person.skeleton) {
                    let by = turned(&now, &before, joint, upper);
                    let hand = turned(&now, &before, person.joint(side, Part::Hand), upper);
                    assert!(by < 3.0 * hand + 1e-6, "{side:?} {vector} {}: {by} for {hand}", f64::from(place) * step);
                }
                before = now;
            }
        }
    }
}

#[test]
fn inside_limits_twist_bones_take_the_roll_that_an_elbow_may_not() {
    let plain = with_twists(false);
    let limited = Human::default().apply(&plain.skeleton, &plain.found).unwrap();
    let person = Person::of(limited);
    for side in SIDES {
        let goal = rolled(&person, side, 2.4);
        let (pose, outcome) = person.solved(&[goal]);
        assert_eq!(outcome.status, Status::Reached);
        let hand = person.joint(side, Part::Hand);
        let (bone, lower) = (person.skeleton.parent(hand).unwrap(), person.joint(side, Part::LowerArm));
        let [wrung, taken] = [(hand, bone), (bone, lower)].map(|(of, on)| roll(&person, &pose, side, of, on));
        assert!(taken > 0.9 && wrung < 0.4 * taken, "{side:?}: the wrist takes {wrung}, the bone {taken}");
    }
}

/// Hands of real people, told by six trackers: skin between forearm and hand is wrung by no more than half of what people roll.
#[test]
#[ignore = "needs motion capture: SINEW_TEST_DATA"]
fn real_hands_do_not_wring_their_wrists() {
    let data = PathBuf::from(std::env::var_os("SINEW_TEST_DATA").unwrap());
    let (mut real_rolls, mut wrung) = (Vec::new(), Vec::new());
    for file in
        ["bvh/cmu_01_01_jumps", "bvh/fair1_dab", "bvh/pymo_8walk", "mocap/rokoko_jesse_dance", "mocap/fair1_wave_hello"]
    {
        let mut clip = sinew_bvh::load(data.join(format!("{file}.bvh"))).unwrap();
        let at = |frame: usize, pose: &mut Pose| {
            clip.pose_frame(frame, pose);
        };
        clip.skeleton = reference::find(&Evidence::of_bvh(&clip), clip.motion.len(), at).skeleton;
        let found = recognize(&Evidence::of_bvh(&clip));
        let body = Body::of(&clip.skeleton, &found).unwrap();
        let person = Person { skeleton: clip.skeleton.clone(), found, body };
        let mut real = person.skeleton.rest_pose();
        for frame in (0..clip.motion.len()).step_by(8) {
            clip.pose_frame(frame, &mut real);
            let goals = person.six().map(|joint| Goal::frame(joint, real.position(joint), real.rotation(joint)));
            let (pose, outcome) = person.solved(&goals);
            assert_eq!(outcome.status, Status::Reached, "{file} {frame}");
            for side in SIDES {
                let [upper, lower, hand] =
                    [Part::UpperArm, Part::LowerArm, Part::Hand].map(|part| person.joint(side, part));
                let own = |pose: &Pose, of, on| roll(&person, pose, side, of, on).to_degrees();
                real_rolls.push(own(&real, hand, lower) + own(&real, lower, upper));
                wrung.push(own(&pose, hand, lower));
            }
        }
    }
    let at = |mut list: Vec<f64>, share: f64| {
        list.sort_by(f64::total_cmp);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
        list[(share * (list.len() - 1) as f64) as usize]
    };
    let [real, wrung] = [real_rolls, wrung].map(|list| [0.5, 0.9, 0.99].map(|share| at(list.clone(), share)));
    println!("degrees, median, 90 %, 99 %: people roll {real:.0?}, wrists are wrung by {wrung:.0?}");
    for (real, wrung) in real.into_iter().zip(wrung) {
        assert!(wrung < 0.65 * real + 5.0, "{real} {wrung}");
    }
}

/// Hands that no goal turns, round and round, on forearms whose bones do not continue the upper arms': the forearms roll no further with
/// every lap.
#[test]
fn a_forearm_does_not_wind() {
    let own = with_twists(false);
    let hands = SIDES.map(|side| own.joint(side, Part::Hand));
    // What lies between elbow and hand is off the line that both are on.
    let bent = own.skeleton.revised(|joint, spec| {
        let of = |on: &Joint| own.skeleton.parent(*on).is_some_and(|between| between.index() == joint.index());
        let off = DVec3::new(0.02, 0.05, 0.03);
        if hands.iter().any(of) {
            spec.rest.translation += off;
            spec.kind = Kind::Fixed;
        } else if hands.iter().any(|hand| hand.index() == joint.index()) {
            spec.rest.translation -= off;
        }
    });
    let person = Person::of(bent.unwrap());
    let rest = person.skeleton.neutral_pose();
    let (mut pose, mut lap) = (rest.clone(), rest.clone());
    for frame in 0..=120 {
        let at = f64::from(frame) / 40.0 * std::f64::consts::TAU;
        let goals = SIDES.map(|side| {
            let [upper, hand] = [Part::UpperArm, Part::Hand].map(|part| person.joint(side, part));
            let from = DVec3::new(0.12 * at.cos(), 0.12 * at.sin() - 0.1, 0.35);
            Goal::position(hand, rest.position(upper) + from)
        });
        assert_eq!(person.solve(&goals, &mut pose).status, Status::Reached);
        if frame % 40 == 0 {
            let turn = lap.difference(&pose).angle;
            assert!(frame <= 40 || turn < 1e-6, "{turn} in a lap");
            lap.clone_from(&pose);
        }
    }
}
