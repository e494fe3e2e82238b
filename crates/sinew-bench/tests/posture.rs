//! How the human built in holds itself, and that what is measured would be seen.

#![allow(clippy::unwrap_used, reason = "tests")]

use clap::ValueEnum as _;
use sinew::Status;
use sinew::glam::DQuat;
use sinew_bench::people::clip::Clip;
use sinew_bench::people::film;
use sinew_bench::people::motions::Motion;
use sinew_bench::people::person::Person;
use sinew_bench::people::posture::{Posture, Shot, faults, measure};
use sinew_bench::people::trackers::{self, Trackers};

/// Pops where a limb leaves the straight, or where an arm has come to its end, are known.
#[test]
fn the_human_built_in_holds_itself_as_people_do() {
    for is_limited in [false, true] {
        let person = Person::built_in(is_limited).unwrap();
        for &motion in Motion::value_variants() {
            let posture = measure(&person, motion);
            let wrong: Vec<_> = faults(&posture, motion).into_iter().filter(|&word| word != "pops").collect();
            assert!(wrong.is_empty() && posture.pops <= 2, "{motion:?}, limits {is_limited}: {wrong:?} {posture:?}");
            assert!(posture.met > 0, "{motion:?}");
        }
    }
}

/// Each fault, made by hand, is told.
#[test]
fn faults_are_seen() {
    let person = Person::built_in(false).unwrap();
    let [left, up, ahead] = person.axes;
    let of = |turns: &[(sinew::Joint, DQuat)]| {
        let mut pose = person.rest.clone();
        for &(joint, turn) in turns {
            // Rotations of the model, below parents that may be turned.
            let wanted = turn * pose.rotation(joint);
            let above = person.skeleton.parent(joint).map_or(DQuat::IDENTITY, |above| pose.rotation(above));
            pose.edit(&person.skeleton).rotation(joint, (above.conjugate() * wanted).normalize());
        }
        Posture::of(&person, &[Shot { share: 0.0, goals: Vec::new(), pose, status: Status::Reached }])
    };
    let turn = |axis, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
    let still = of(&[]);
    assert!(faults(&still, Motion::Wave).is_empty(), "{still:?}");
    let leg = &person.legs[0];
    // Of turns about what is to the left, positive ones take what is up ahead.
    let backward = of(&[(leg.upper, turn(left, 30.0)), (leg.lower, turn(left, -60.0))]);
    assert!(backward.knee > 150.0, "{backward:?}");
    let forward = of(&[(leg.upper, turn(left, -30.0)), (leg.lower, turn(left, 60.0))]);
    assert!(forward.knee < 10.0 && forward.slip > 0.01, "{forward:?}");
    let tilted = of(&[(leg.end, turn(ahead, 10.0))]);
    assert!((tilted.sole - 10.0).abs() < 1e-6, "{tilted:?}");
    let upright = |leg: usize| (person.legs[leg].upper, turn(left, -85.0));
    let falling = of(&[(person.hips, turn(left, 85.0)), upright(0), upright(1)]);
    assert!(falling.off > 0.0 && (75.0..95.0).contains(&falling.trunk), "{falling:?}");
    assert!(
        (falling.hips - 85.0).abs() < 1e-6 && faults(&falling, Motion::ReachAhead) == ["slip", "leans", "falls"],
        "{falling:?}"
    );
    let mut sunk = person.rest.clone();
    let root = person.skeleton.roots().next().unwrap();
    let place = person.skeleton.base(root).inverse().transform_point3(sunk.position(root) - up * (0.1 * person.leg));
    sunk.edit(&person.skeleton).translation(root, place);
    let sunk = Posture::of(&person, &[Shot { share: 0.0, goals: Vec::new(), pose: sunk, status: Status::Reached }]);
    assert!((sunk.below - 0.1).abs() < 1e-6, "{sunk:?}");
}

/// The strip of a clip beside what is recovered of it.
#[test]
fn a_clip_is_drawn_beside_its_reconstruction() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../sinew-cli/tests/human.bvh");
    let clip = Clip::load(path.as_ref()).unwrap();
    let trackers = Trackers::of(&clip, 6).unwrap();
    let picture = film::png(&clip, &trackers, "a clip").unwrap();
    assert_eq!(&picture[1..4], b"PNG");
    let table = trackers::run(&clip, &trackers).unwrap();
    assert_eq!(table.lines().count(), 1 + clip.bvh.motion.len());
}
