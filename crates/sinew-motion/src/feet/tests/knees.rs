//! Joints of a whole clip that hurry no more than they must: knees of feet in the air, and toes.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, Joint, Solver, Target, TwoBone, Workspace};

use super::super::knees::Peaks;
use super::{feet, planted, toed, walk, walker};
use crate::Clip;
use crate::ground::{Plane, Stairs};

fn stairs(shift: u32, rise: f64) -> Stairs {
    let start = DVec3::Z * (1.0 + 0.06 * f64::from(shift));
    Stairs { start, along: DVec3::Z, up: DVec3::Y, rise, run: 0.36, steps: 7 }
}

fn peak(clip: &Clip, joint: Joint) -> f64 {
    clip.positions(joint).derivative(2).peak().1
}

/// A leg in the air that is straight of a sudden comes to be so evenly, and its foot no lower.
#[test]
fn knees_of_legs_in_the_air_stretch_evenly() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let [hip, knee, ankle] = [0, 1, 2].map(|part| legs[0].joints[part]);
    let limb = TwoBone::new(&skeleton, hip, knee, ankle).unwrap();
    // So long is the leg: as long as it is high over the ground, and no longer.
    let clip = |long: &dyn Fn(f64) -> f64| {
        let times = (0..61).map(|frame| f64::from(frame) / 60.0).collect();
        Clip::sampled(&skeleton, times, |time, pose| {
            let position = pose.position(hip) - DVec3::Y * long(time);
            let mut goal = Goal::position(ankle, DVec3::ZERO);
            goal.target = Target::Frame { position, rotation: DQuat::IDENTITY };
            let _ = limb.solve(&skeleton, &[goal], pose, &mut Workspace::default());
        })
        .unwrap()
    };
    let own = clip(&|time| 0.75 + 0.05 * (std::f64::consts::TAU * time).sin());
    let given = clip(&|time| (0.6 + 0.5 * time).min(0.85));
    let (mut eased, peaks) = (given.clone(), Peaks::of(&feet, &own, 0));
    let swings: Vec<bool> = (0..61).map(|frame| (10..50).contains(&frame)).collect();
    let floor = Plane::new(DVec3::ZERO, DVec3::Y);
    feet.ease_knee(&skeleton, &mut eased, &floor, 0, (&swings, &peaks), &mut Workspace::default());
    let (before, after) = (peak(&given, knee), peak(&eased, knee));
    assert!(after < 0.5 * before, "{before} {after}");
    for (frame, (was, is)) in given.poses().iter().zip(eased.poses()).enumerate() {
        assert!(swings[frame] || was.position(ankle) == is.position(ankle), "{frame}");
        assert!(is.position(ankle).y > was.position(ankle).y - 1e-3 || is.position(ankle).y > 0.06, "{frame}");
    }
}

/// Toes that a riser bends begin to bend before they come to it.
#[test]
fn toes_bend_in_good_time() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.0);
    let end = legs[0].end.unwrap();
    let grown = |shift: u32| {
        let (poses, _) = planted(&skeleton, &feet, &clip, &stairs(shift, 0.16));
        peak(&Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap(), end) / peak(&clip, end)
    };
    let grown: Vec<f64> = (0..6).map(grown).collect();
    assert!(grown.iter().all(|grown| *grown < 2.0), "{grown:?}");
}

/// Feet high over the ground may come down for their legs, with toes too.
#[test]
fn toes_over_the_ground_are_so_far_over_it() {
    let (skeleton, legs) = toed();
    let toes = feet(&skeleton, &legs).legs[0].toes.unwrap();
    let floor = Plane::new(DVec3::ZERO, DVec3::Y);
    let stuck =
        |high: f64| toes.stuck(&skeleton.rest_pose(), &DAffine3::from_translation(DVec3::Y * high), &floor, DVec3::Y);
    // Deeper by 1.2 m is deeper by that, over the floor and under it.
    let (over, under) = (stuck(0.7), stuck(-0.5));
    assert!(over < -0.5 && (under - over - 1.2).abs() < 1e-12, "{over} {under}");
}
