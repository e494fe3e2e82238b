//! A clip that an actor plays elsewhere than where its contacts were found.

use glam::{DAffine3, DQuat, DVec3};
use sinew::Pose;

use super::super::{Contacts, FeetState, FeetStep};
use super::{feet, pitched, stepped, toed, walk};
use crate::carry;
use crate::ground::{Ground, GroundPoint, HeightField};

#[test]
fn hints_move_along_with_the_actor() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    // Feet that slide and turn, so that all that hints have counts.
    let clip = pitched(&skeleton, &walk(&skeleton, &legs, 60.0, 0.1), &legs);
    let contacts = Contacts::find(&feet, &clip);
    let field = HeightField::rough(3, [40, 40], 0.3, 0.1, DVec3::new(-6.0, 0.0, -4.0));
    let here = stepped(&skeleton, &feet, &clip, Some(&contacts), &field);

    let motion = DAffine3::from_rotation_translation(DQuat::from_rotation_y(2.0), DVec3::new(3.0, 0.0, -7.0));
    let moved = |point: DVec3, up: DVec3| {
        let found = field.below(motion.inverse().transform_point3(point), up)?;
        let normal = motion.transform_vector3(found.normal);
        Some(GroundPoint { position: motion.transform_point3(found.position), normal, ..found })
    };
    let (mut state, mut hints, mut last) = (FeetState::default(), Vec::new(), 0.0);
    let play = |(pose, &time): (&Pose, &f64)| {
        let mut pose = pose.clone();
        carry(&skeleton, &mut pose, &motion);
        contacts.hints(time, &mut hints);
        for hint in &mut hints {
            *hint = hint.moved(&motion);
        }
        feet.step(&skeleton, &mut pose, &moved, FeetStep { dt: time - last, hints: &hints }, &mut state);
        last = time;
        carry(&skeleton, &mut pose, &motion.inverse());
        pose
    };
    let there: Vec<Pose> = clip.poses().iter().zip(clip.times()).map(play).collect();
    for (frame, (here, there)) in here.iter().zip(&there).enumerate() {
        let apart = here.difference(there);
        assert!(apart.distance < 1e-6 && apart.angle < 1e-5, "frame {frame}: {apart:?}");
    }
}
