//! What is better for being known beforehand.

use glam::{DQuat, DVec3};
use sinew::Pose;

use super::super::{Contacts, FeetState, FeetStep};
use super::{feet, measure, on_the_ball, planted, stepped, toed, walk, walker};
use crate::Clip;
use crate::ground::{Ground, GroundPoint, HeightField, Plane, Stairs};

fn hips(poses: &[Pose], clip: &Clip, skeleton: &sinew::Skeleton) -> f64 {
    let clip = Clip::new(skeleton, clip.times().to_vec(), poses.to_vec()).unwrap();
    clip.positions(skeleton.joint("hips").unwrap()).derivative(2).peak().1
}

/// Feet that lift with the toes down do not jump out of the ground: what toes bend while they bear fades.
#[test]
fn toes_leave_the_ground_without_a_step() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = on_the_ball(&skeleton, &legs, &feet, |share| DQuat::from_rotation_x(0.5 * share));
    let (poses, _) = planted(&skeleton, &feet, &clip, &Plane::new(DVec3::ZERO, DVec3::Y));
    let after = Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap();
    let peak = |clip: &Clip| clip.positions(legs[0].joints[2]).derivative(2).peak().1;
    assert!(peak(&after) < 1.5 * peak(&clip), "{} {}", peak(&clip), peak(&after));
}

/// A clip that begins deep under a terrain of one sheet comes up to it.
#[test]
fn feet_that_begin_under_the_ground_stand_on_it() {
    struct Sheet;
    impl Ground for Sheet {
        fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
            Plane::new(DVec3::Y * 2.0, DVec3::Y).below(point, up).filter(|at| at.position.y <= point.y)
        }
    }
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let mut pose = skeleton.rest_pose();
    feet.step(&skeleton, &mut pose, &Sheet, FeetStep::default(), &mut FeetState::default());
    let lowest = feet.soles(&pose, 0).map(|sole| sole.y);
    assert!(lowest.iter().all(|low| (low - 2.0).abs() < 1e-3), "{lowest:?}");
}

/// What the clip's own step clears is not cleared twice.
#[test]
fn feet_are_lifted_over_steps_no_higher_than_they_must() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let curb = Stairs { start: DVec3::Z * 1.4, along: DVec3::Z, up: DVec3::Y, rise: 0.08, run: 0.35, steps: 1 };
    let (poses, _) = planted(&skeleton, &feet, &clip, &curb);
    let highest = |poses: &[Pose]| poses.iter().map(|pose| feet.soles(pose, 0)[1].y).fold(0.0, f64::max);
    assert!(highest(&poses) < highest(clip.poses()) + 0.09, "{} {}", highest(clip.poses()), highest(&poses));
}

/// Planned, or in a game loop, which knows no more than where feet land, or not even that, the body keeps to smooth ways.
#[test]
fn bodies_do_not_jump() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let up = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.12, run: 0.35, steps: 6 };
    let down = Stairs { rise: -0.12, ..up };
    let rough = HeightField::rough(5, [40, 120], 0.25, 0.03, DVec3::new(-5.0, 0.0, -5.0));
    let slope = |z: f64| Plane::new(DVec3::ZERO, DVec3::new(0.1, 1.0, z));
    let grounds: [(&str, &dyn Ground); 6] = [
        ("flat", &Plane::new(DVec3::ZERO, DVec3::Y)),
        ("uphill", &slope(-0.2)),
        ("downhill", &slope(0.2)),
        ("stairs up", &up),
        ("stairs down", &down),
        ("rough", &rough),
    ];
    let contacts = Contacts::find(&feet, &clip);
    for (name, ground) in grounds {
        let mut planned = clip.clone();
        feet.plant(&skeleton, &mut planned, &contacts, ground);
        let told = stepped(&skeleton, &feet, &clip, Some(&contacts), ground);
        let blind = stepped(&skeleton, &feet, &clip, None, ground);
        for (how, poses) in [("planned", planned.poses()), ("told", &told), ("blind", &blind)] {
            let [deep, high, slide] = measure(&feet, &clip, poses, &contacts, ground).map(|worst| worst * 1e3);
            let hurry = hips(poses, &clip, &skeleton);
            // Down a step that nobody told of: it takes 5.8 times its height over the time in which the foot comes to bear, squared.
            let most = match (how, name) {
                ("planned", _) => 9.0,
                ("blind", "stairs down") => 5.8 * 0.12 / (0.15 * 0.15),
                _ => 11.0,
            };
            assert!(hurry < most && deep < 5.0, "{name} {how}: {hurry} m/s², {deep} mm deep");
            assert!(how == "blind" || slide < 1.0, "{name} {how}: {slide} mm slide");
            assert!(how != "planned" || high < 5.0, "{name} {how}: {high} mm high");
        }
    }
}

/// A foot that is lifted high over a step does not come up to its hip: the leg folds no further than it does well.
#[test]
fn legs_in_the_air_do_not_fold_flat() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 120.0, 0.0);
    let mut least = f64::INFINITY;
    for shift in 0..6 {
        let start = DVec3::Z * (1.0 + 0.06 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.26, run: 0.4, steps: 6 };
        let (poses, contacts) = planted(&skeleton, &feet, &clip, &stairs);
        assert!(measure(&feet, &clip, &poses, &contacts, &stairs)[0] < 5e-3);
        let long =
            |pose: &Pose, leg: usize| pose.position(legs[leg].joints[0]).distance(pose.position(legs[leg].joints[2]));
        least = poses.iter().flat_map(|pose| [0, 1].map(|leg| long(pose, leg))).fold(least, f64::min);
    }
    assert!(least > 0.4 * 0.862, "{least}");
}
