//! How many characters a frame can be planted, and how long a walking leg takes?
//!
//! Every sample is one frame of one character; the counter of legs gives legs a second.

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::glam::DVec3;
use sinew::{Joint, JointSpec, Pose, Skeleton, SkeletonBuilder};
use sinew_motion::{
    Clip, Contacts, Feet, FeetSettings, FeetState, FeetStep, Gait, GaitState, HeightField, Leg, PathPoint,
};

const RATE: f64 = 60.0;

fn main() {
    divan::main();
}

/// A body on pairs of legs, 1 m high, and the joints of each leg with its toes.
fn walker(pairs: usize) -> (Skeleton, Vec<[Joint; 4]>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("body").translation([0.0, 0.98, 0.0]));
    let mut names = Vec::new();
    for pair in 0..pairs {
        let z = 0.6 * (pair as f64 - 0.5 * (pairs as f64 - 1.0));
        for (side, x) in [("l", 0.15), ("r", -0.15)] {
            let own = ["hip", "knee", "ankle", "toe"].map(|part| format!("{part}.{side}{pair}"));
            let at = [[x, 0.0, z], [0.0, -0.45, 0.05], [0.0, -0.45, -0.05], [0.0, -0.08, 0.15]];
            for part in 0..4 {
                let above = if part == 0 { "body" } else { own[part - 1].as_str() };
                builder.add(JointSpec::named(&own[part]).child_of(above).translation(at[part]));
            }
            names.push(own);
        }
    }
    let skeleton = builder.build().expect("a skeleton");
    let legs = names.iter().map(|own| own.each_ref().map(|name| skeleton.joint(name).expect("a joint"))).collect();
    (skeleton, legs)
}

fn ground() -> HeightField {
    HeightField::rough(5, [80, 400], 0.25, 0.03, DVec3::new(-10.0, 0.0, -10.0))
}

/// A body that walks ahead.
fn path(time: f64) -> PathPoint {
    let speed = 1.2;
    PathPoint {
        position: DVec3::Z * (speed * time % 60.0),
        forward: DVec3::Z,
        velocity: DVec3::Z * speed,
        turning: 0.0,
    }
}

/// A second of a walk on the flat: what there is to plant.
fn clip() -> (Skeleton, Vec<Leg>, Vec<Pose>) {
    let (skeleton, legs) = walker(2);
    let chains: Vec<Leg> = legs.iter().map(|leg| leg.to_vec().into()).collect();
    let gait = Gait::new(&skeleton, &chains, DVec3::Y, DVec3::Z, None).expect("a gait");
    let flat = sinew_motion::Plane::new(DVec3::ZERO, DVec3::Y);
    let mut state = GaitState::default();
    let poses = (0..240u32).map(|frame| {
        let mut pose = skeleton.rest_pose();
        gait.step(&skeleton, path(f64::from(frame) / RATE), &flat, &mut pose, &mut state, 1.0 / RATE);
        pose
    });
    let poses = poses.collect();
    let two = legs[..2].iter().map(|leg| Leg { joints: leg[..3].to_vec(), toe: Some(leg[3]), end: None, apart: None });
    let two = two.collect();
    (skeleton, two, poses)
}

/// Two feet and the body, on rough ground: a character a frame.
#[divan::bench]
fn plant_two_feet(bencher: Bencher<'_, '_>) {
    let (skeleton, legs, poses) = clip();
    let feet = Feet::new(&skeleton, &legs, &skeleton.rest_pose(), None, FeetSettings::default()).expect("feet");
    let (ground, mut state, mut pose, mut frame) = (ground(), FeetState::default(), skeleton.rest_pose(), 0);
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| {
        pose.clone_from(&poses[frame % poses.len()]);
        let dt = if frame % poses.len() == 0 { 0.0 } else { 1.0 / RATE };
        feet.step(&skeleton, &mut pose, &ground, FeetStep { dt, ..FeetStep::default() }, &mut state);
        frame += 1;
    });
}

/// The same with what a clip tells of its feet, frame by frame, worked out beforehand.
#[divan::bench]
fn plant_two_feet_that_are_told(bencher: Bencher<'_, '_>) {
    let (skeleton, legs, poses) = clip();
    let feet = Feet::new(&skeleton, &legs, &skeleton.rest_pose(), None, FeetSettings::default()).expect("feet");
    let times: Vec<f64> = (0..poses.len()).map(|frame| frame as f64 / RATE).collect();
    let clip = Clip::new(&skeleton, times.clone(), poses.clone()).expect("a clip");
    let contacts = Contacts::find(&feet, &clip);
    let told = |&time: &f64| {
        let mut hints = Vec::new();
        contacts.hints(time, &mut hints);
        hints
    };
    let hints: Vec<_> = times.iter().map(told).collect();
    let (ground, mut state, mut pose, mut frame) = (ground(), FeetState::default(), skeleton.rest_pose(), 0);
    bencher.counter(ItemsCount::new(1usize)).bench_local(|| {
        let at = frame % poses.len();
        pose.clone_from(&poses[at]);
        let dt = if at == 0 { 0.0 } else { 1.0 / RATE };
        feet.step(&skeleton, &mut pose, &ground, FeetStep { dt, hints: &hints[at] }, &mut state);
        frame += 1;
    });
}

/// Legs that walk on rough ground.
#[divan::bench(args = [1, 2, 4])]
fn walk(bencher: Bencher<'_, '_>, pairs: usize) {
    let (skeleton, legs) = walker(pairs);
    let chains: Vec<Leg> = legs.iter().map(|leg| leg.to_vec().into()).collect();
    let gait = Gait::new(&skeleton, &chains, DVec3::Y, DVec3::Z, None).expect("a gait");
    let (ground, mut state, rest) = (ground(), GaitState::default(), skeleton.rest_pose());
    let (mut pose, mut time) = (rest.clone(), 0.0);
    bencher.counter(ItemsCount::new(legs.len())).bench_local(|| {
        pose.clone_from(&rest);
        gait.step(&skeleton, path(time), &ground, &mut pose, &mut state, 1.0 / RATE);
        time += 1.0 / RATE;
    });
}
