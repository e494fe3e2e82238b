//! Bodies on four legs tilt with their feet; those on two stay upright.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, JointSpec, Pose, Skeleton, SkeletonBuilder, Solver, Target, TwoBone, Workspace};

use super::super::spread::Spread;
use super::super::{Contacts, Leg};
use super::{feet, measure, planted, stepped, walk, walker};
use crate::ground::{Plane, Stairs};
use crate::{Clip, carry};

/// Hips of a beast from the middle of its body, the fore legs first, and when each lifts, in shares of a stride.
const HIPS: [(DVec3, f64); 4] = [
    (DVec3::new(0.15, 0.0, 0.4), 0.0),
    (DVec3::new(-0.15, 0.0, 0.4), 0.5),
    (DVec3::new(0.15, 0.0, -0.4), 0.5),
    (DVec3::new(-0.15, 0.0, -0.4), 0.0),
];

fn beast() -> (Skeleton, Vec<Leg>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 0.6, 0.0]));
    for (number, (hip, _)) in HIPS.iter().enumerate() {
        let places = [*hip, DVec3::new(0.0, -0.32, 0.03), DVec3::new(0.0, -0.32, -0.03)];
        for (part, place) in places.into_iter().enumerate() {
            let parent = if part == 0 { 0 } else { 3 * number + part };
            builder.add(JointSpec::default().child_of(parent).translation(place.to_array()));
        }
    }
    let skeleton = builder.build().unwrap();
    let joint = |index: usize| skeleton.iter().nth(index).unwrap();
    let leg = |number: usize| Leg {
        joints: [1, 2, 3].map(|part| joint(3 * number + part)).to_vec(),
        toe: None,
        end: None,
        apart: None,
    };
    let legs = (0..4).map(leg).collect();
    (skeleton, legs)
}

/// A trot along +Z at 0.6 m/s for four seconds.
fn trot(skeleton: &Skeleton, legs: &[Leg], rate: f64) -> Clip {
    let (speed, still) = (0.6, 0.6);
    let times = (0..1000u32).map(|frame| f64::from(frame) / rate).take_while(|time| *time < 4.0).collect();
    Clip::sampled(skeleton, times, |time, pose| {
        carry(skeleton, pose, &DAffine3::from_translation(DVec3::new(0.0, -0.02, speed * time)));
        for (leg, (hip, begins)) in legs.iter().zip(HIPS) {
            let limb = TwoBone::new(skeleton, leg.joints[0], leg.joints[1], leg.joints[2]).unwrap();
            let phase: f64 = 2.0 * time + begins;
            let swing = ((phase.fract() - still) / (1.0 - still)).max(0.0);
            let ease = swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing));
            let along = speed * 0.5 * (phase.floor() - begins + 0.5 * still + ease);
            let mut goal = Goal::position(limb.tip, DVec3::ZERO);
            let position = hip + DVec3::new(0.0, 1.2 * (swing * (1.0 - swing)).powi(2), along);
            goal.target = Target::Frame { position, rotation: DQuat::IDENTITY };
            let _ = limb.solve(skeleton, &[goal], pose, &mut Workspace::default());
        }
    })
    .unwrap()
}

/// Where up is for the body of a pose.
fn upright(skeleton: &Skeleton, pose: &Pose) -> DVec3 {
    pose.rotation(skeleton.iter().next().unwrap()) * DVec3::Y
}

#[test]
fn bodies_on_four_legs_lie_along_slopes() {
    let (skeleton, legs) = beast();
    let feet = feet(&skeleton, &legs);
    let clip = trot(&skeleton, &legs, 60.0);
    let contacts = Contacts::find(&feet, &clip);
    for normal in [DVec3::new(0.0, 1.0, -0.3), DVec3::new(0.0, 1.0, 0.2), DVec3::new(0.2, 1.0, 0.1), DVec3::Y] {
        let (slope, normal) = (Plane::new(DVec3::ZERO, normal), normal.normalize());
        let known = planted(&skeleton, &feet, &clip, &slope).0;
        let [told, blind] = [Some(&contacts), None].map(|contacts| stepped(&skeleton, &feet, &clip, contacts, &slope));
        for (how, poses) in [("planned", &known), ("told", &told), ("blind", &blind)] {
            let off = |pose: &Pose| upright(&skeleton, pose).angle_between(normal);
            let most = poses.iter().map(off).fold(0.0, f64::max);
            // Feet lie apart aside by four tenths of what they do along; what they tell of is less by a seventh there.
            let left = 0.2 * DVec3::Y.angle_between(normal) + 1e-3;
            assert!(most < left, "{normal} {how}: {most} rad, of {left}");
            let [deep, _, slide] = measure(&feet, &clip, poses, &contacts, &slope).map(|worst| worst * 1e3);
            assert!(deep < 5.0 && (how == "blind" || slide < 1.0), "{normal} {how}: {deep} deep, {slide} slide");
        }
    }
    let (skeleton, legs) = walker();
    let feet = super::feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let poses = planted(&skeleton, &feet, &clip, &Plane::new(DVec3::ZERO, DVec3::new(0.1, 1.0, -0.3))).0;
    assert!(poses.iter().all(|pose| upright(&skeleton, pose).distance(DVec3::Y) < 1e-9));
}

/// On stairs it tilts gently, at any frame rate alike.
#[test]
fn bodies_tilt_gently_and_alike_at_any_rate() {
    let (skeleton, legs) = beast();
    let feet = feet(&skeleton, &legs);
    let stairs = Stairs { start: DVec3::Z * 0.6, along: DVec3::Z, up: DVec3::Y, rise: 0.08, run: 0.3, steps: 9 };
    let [slow, quick] = [60.0, 240.0].map(|rate| trot(&skeleton, &legs, rate));
    let contacts = Contacts::find(&feet, &quick);
    let tilts = |clip: &Clip, contacts: Option<&Contacts>| -> Vec<DVec3> {
        stepped(&skeleton, &feet, clip, contacts, &stairs).iter().map(|pose| upright(&skeleton, pose)).collect()
    };
    let (told, finer) = (tilts(&slow, Some(&contacts)), tilts(&quick, Some(&contacts)));
    let apart = told.iter().enumerate().map(|(frame, up)| up.distance(finer[4 * frame])).fold(0.0, f64::max);
    assert!(apart < 0.01, "{apart} rad apart");
    for (how, tilts) in [("told", told), ("blind", tilts(&slow, None))] {
        let steepest = tilts.iter().map(|up| up.angle_between(DVec3::Y)).fold(0.0, f64::max);
        let hurries = tilts.windows(3).map(|three| (three[0] - 2.0 * three[1] + three[2]).length() * 3600.0);
        let hurry = hurries.fold(0.0, f64::max);
        assert!((0.15..0.35).contains(&steepest) && hurry < 6.0, "{how}: {steepest} rad, {hurry} rad/s²");
    }
}

/// The plane that was put in comes out; feet in one line tell of its slope along the line alone, and one foot of none.
#[test]
fn feet_tell_of_the_slope_that_they_lie_on() {
    let slope = DVec3::new(0.2, 0.0, -0.3);
    let spread = |places: &[DVec3]| {
        let footing = |place: &DVec3| super::super::foot::Footing {
            motion: DAffine3::IDENTITY,
            place: *place,
            offset: DVec3::new(0.4, 3.0 + slope.dot(*place), 0.1),
            load: 1.0,
            swings: false,
            over: 0.0,
            room: 0.0,
            on_heel: false,
            heel: 0.0,
        };
        Spread::of(&places.iter().map(footing).collect::<Vec<_>>(), DVec3::Y)
    };
    let places = [DVec3::ZERO, DVec3::new(0.3, 0.2, 1.0), DVec3::new(-0.4, 0.0, 0.7), DVec3::new(0.1, 5.0, -0.6)];
    let far = |spread: Spread, to: DVec3, least: f64| spread.slope(DVec3::Y, least).distance(to);
    assert!(far(spread(&places), slope, 0.0) < 1e-12);
    assert!(far(spread(&places), slope, 1e-3) < 0.01);
    let line = places.map(|place| DVec3::Z * place.z);
    assert!(far(spread(&line), DVec3::Z * slope.z, 1e-9) < 1e-6);
    assert!(far(spread(&places[..1]), DVec3::ZERO, 1e-9) < 1e-12);
    assert!(far(spread(&[places[1]; 4]), DVec3::ZERO, 1e-9) < 1e-6);
}
