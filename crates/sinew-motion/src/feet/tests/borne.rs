//! What bears a foot that stands: an end of its sole with ground under it, whatever its ankle can do.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{JointSpec, Kind, Pose, SkeletonBuilder};

use super::super::{Contacts, Feet, FeetSettings, Leg};
use super::{feet, measure, on_the_ball, pitched, planted, stepped, toed, walk, walker};
use crate::ground::{Ground, HeightField, Plane, Stairs};
use crate::{Clip, carry};

/// Legs that end in a point whose joint does not turn: the sole is under it, and turns with the shin.
#[test]
fn soles_of_ankles_that_do_not_turn_stay_where_they_stand() {
    let (plain, legs) = walker();
    let mut builder = SkeletonBuilder::new();
    for joint in plain.iter() {
        let name = plain.name(joint).unwrap();
        let spec = JointSpec::named(name).translation(plain.rest(joint).translation);
        let spec = if name.starts_with("ankle") { spec.kind(Kind::Fixed) } else { spec };
        builder.add(match plain.parent(joint) {
            Some(parent) => spec.child_of(plain.name(parent).unwrap()),
            None => spec,
        });
    }
    let skeleton = builder.build().unwrap();
    let named = |joint: sinew::Joint| skeleton.joint(plain.name(joint).unwrap()).unwrap();
    let point =
        |leg: &Leg| Leg { joints: leg.joints.iter().map(|&joint| named(joint)).collect(), toe: None, ..leg.clone() };
    let legs: Vec<Leg> = legs.iter().map(point).collect();
    let feet = Feet::new(&skeleton, &legs, &skeleton.rest_pose(), Some(0.0), FeetSettings::default()).unwrap();
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let contacts = Contacts::of_curves(
        &feet,
        &clip,
        &[0.0, 0.5].map(|late| clip.times().iter().map(|time| (time + late).fract() < 0.6).collect()),
    );
    let slope = Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -0.2));
    let mut whole = clip.clone();
    feet.plant(&skeleton, &mut whole, &contacts, &slope);
    for poses in [whole.poses().to_vec(), stepped(&skeleton, &feet, &clip, Some(&contacts), &slope)] {
        let [deep, _, slide] = measure(&feet, &clip, &poses, &contacts, &slope).map(|worst| worst * 1e3);
        assert!(deep < 1.0 && slide < 0.1, "{deep} deep, {slide} slide");
    }
}

/// What the lower end of a sole over the ground moves at most from frame to frame while it stands (mm).
fn slides(feet: &Feet, clip: &Clip, poses: &[Pose], contacts: &Contacts, ground: &dyn Ground) -> f64 {
    let over = |at: DVec3| at.y - ground.below(at + DVec3::Y, DVec3::Y).unwrap().position.y;
    let mut most: f64 = 0.0;
    for (frame, pair) in poses.windows(2).enumerate() {
        for foot in 0..2 {
            let [was, is] = [0, 1].map(|pose: usize| feet.soles(&pair[pose], foot));
            let stands = [frame, frame + 1].iter().all(|&frame| contacts.touches(foot, clip.times()[frame]));
            let lower = [was, is].map(|soles| usize::from(over(soles[1]) < over(soles[0])));
            if stands && lower[0] == lower[1] {
                most = most.max((is[lower[0]] - was[lower[0]]).reject_from_normalized(DVec3::Y).length() * 1e3);
            }
        }
    }
    most
}

/// Steps shorter than feet: of heel and ball the one that has ground under it stays.
#[test]
fn feet_longer_than_steps_stand_on_what_is_under_them() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = pitched(&skeleton, &walk(&skeleton, &legs, 60.0, 0.0), &legs);
    let slide = |shift: u32| {
        let start = DVec3::Z * (1.0 + 0.03 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.08, run: 0.18, steps: 16 };
        let (poses, contacts) = planted(&skeleton, &feet, &clip, &stairs);
        slides(&feet, &clip, &poses, &contacts, &stairs)
    };
    let found: Vec<f64> = (0..6).map(slide).collect();
    assert!(found.iter().all(|slide| *slide < 1.1), "{found:?} mm a frame");
}

/// A foot comes from its heel to its ball when that is on the ground on which the foot stands, whichever is lower in the clip.
#[test]
fn feet_roll_on_the_ground_that_they_stand_on() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = on_the_ball(&skeleton, &legs, &feet, |share| DQuat::from_rotation_x(0.5 * share));
    let clip = pitched(&skeleton, &clip, &legs);
    let slide = |seed: u64| {
        let rough = HeightField::rough(seed, [40, 120], 0.25, 0.05, DVec3::new(-5.0, 0.0, -5.0));
        let contacts = Contacts::find(&feet, &clip);
        let poses = stepped(&skeleton, &feet, &clip, Some(&contacts), &rough);
        slides(&feet, &clip, &poses, &contacts, &rough)
    };
    let found: Vec<f64> = (0..6).map(slide).collect();
    assert!(found.iter().all(|slide| *slide < 0.2), "{found:?} mm a frame");
}

/// Toes in the air just before a riser do not bend into it.
#[test]
fn toes_do_not_bend_into_an_edge_beside_them() {
    let (skeleton, legs) = toed();
    let toes = feet(&skeleton, &legs).legs[0].toes.unwrap();
    let ankle = legs[0].joints[2];
    for pitch in [0.9, 1.2, 1.5] {
        // The foot points down, over the lower step; the higher one begins just ahead of its toes.
        let mut pose = skeleton.rest_pose();
        pose.edit(&skeleton).rotation(ankle, DQuat::from_rotation_x(pitch));
        let tip = toes.tip(&pose);
        carry(&skeleton, &mut pose, &DAffine3::from_translation(DVec3::Y * (5e-4 - tip.y)));
        for ahead in [1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3] {
            let start = DVec3::Z * (tip.z + ahead);
            let step = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.1, run: 9.0, steps: 1 };
            let angle = toes.needed(&pose, &step, DVec3::Y);
            assert!(toes.deep(&pose, angle, &step, DVec3::Y) <= 0.0, "{pitch} {ahead}: {angle}");
        }
    }
}
