//! Feet in the air of a whole clip on flat ground keep to the clip's way.

use glam::{DAffine3, DVec3};
use sinew::Pose;

use super::{feet, planted, walk, walker};
use crate::ground::Plane;
use crate::{Clip, carry};

/// How far a foot is from the clip, along the ground and upright, while it stands and amid its ways through the air (metres; the largest).
fn off(slides: DVec3) -> [[f64; 2]; 2] {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let mut slid = walk(&skeleton, &legs, 60.0, 0.0);
    let times = slid.times().to_vec();
    for (pose, time) in slid.poses_mut().iter_mut().zip(times) {
        let share = 0.5 - 0.5 * (std::f64::consts::TAU * time).cos();
        carry(&skeleton, pose, &DAffine3::from_translation(slides * share));
    }
    let (poses, contacts) = planted(&skeleton, &feet, &slid, &Plane::new(DVec3::ZERO, DVec3::Y));
    let ankle = legs[0].joints[2];
    let pairs: Vec<(&Pose, &Pose)> = slid.poses().iter().zip(&poses).collect();
    let most = |from: f64, until: f64| {
        let between = slid.times().iter().zip(&pairs).filter(|(time, _)| (from..=until).contains(*time));
        between.fold([0.0, 0.0], |[along, upright]: [f64; 2], (_, (a, b))| {
            let off = b.position(ankle) - a.position(ankle);
            [along.max(off.reject_from_normalized(DVec3::Y).length()), upright.max(off.y.abs())]
        })
    };
    let larger = |a: [f64; 2], b: [f64; 2]| [a[0].max(b[0]), a[1].max(b[1])];
    let stands = contacts.of(0).iter().map(|contact| most(contact.from, contact.until));
    let amid = |pair: &[crate::Contact]| {
        let (lifts, lands) = (pair[0].until, pair[1].from);
        most(lifts + 0.45 * (lands - lifts), lifts + 0.55 * (lands - lifts))
    };
    let grown = |clip: &Clip| clip.positions(ankle).derivative(2).peak().1;
    let after = Clip::new(&skeleton, slid.times().to_vec(), poses.clone()).unwrap();
    assert!(grown(&after) < 2.0 * grown(&slid), "{} {}", grown(&after), grown(&slid));
    [stands.fold([0.0, 0.0], larger), contacts.of(0).windows(2).map(amid).fold([0.0, 0.0], larger)]
}

/// What does not slide is all but left as it is.
#[test]
fn clips_that_stand_still_stay_as_they_are() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let (poses, _) = planted(&skeleton, &feet, &clip, &Plane::new(DVec3::ZERO, DVec3::Y));
    for joint in skeleton.iter() {
        let pairs = clip.poses().iter().zip(&poses);
        let mut far: Vec<f64> = pairs.map(|(a, b)| a.position(joint).distance(b.position(joint))).collect();
        far.sort_by(f64::total_cmp);
        let median = far[far.len() / 2];
        // The body is a little lower: legs that bear are not quite straight.
        let foot = legs.iter().any(|leg| leg.joints[2] == joint || leg.toe == Some(joint));
        assert!(median < if foot { 1e-3 } else { 1e-2 }, "{:?}: {median} m in the median", skeleton.name(joint));
    }
}

/// A foot that slid, and one that sank into the floor, are back where they are in the clip amid the air.
#[test]
fn feet_come_back_to_the_clip_in_the_air() {
    let [stands, amid] = off(DVec3::new(0.0, -0.02, 0.09));
    assert!(stands[0] > 0.03 && stands[1] > 0.01, "nothing to come back from: {stands:?}");
    assert!(amid[0] < 0.25 * stands[0] && amid[1] < 0.25 * stands[1], "{stands:?} {amid:?}");
}
