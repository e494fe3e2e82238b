//! Two and four legs that turn and go aside: the leg that is in the way goes first.

#![allow(clippy::unwrap_used, reason = "a test's own rig")]

use glam::DVec3;
use sinew_motion::{Gait, GaitState};

use crate::gait::{cross, errand, hills, unknown, walker};

#[test]
fn two_and_four_legs_turn_and_go_aside_and_never_cross() {
    // And how much quicker than the others' errand: at more, legs of these bodies do cross.
    for (pairs, quick) in [(1, 1.8), (2, 1.4)] {
        let (skeleton, legs) = walker(pairs);
        let gait = Gait::new(&skeleton, &unknown(&legs), DVec3::Y, DVec3::Z, None).unwrap();
        for seed in [0.0, 1.3, 2.9, 4.1] {
            // To the left, and as in a mirror to the right.
            for side in [1.0, -1.0] {
                let (ground, mut state) = (hills(seed), GaitState::default());
                let mirrored = |at: DVec3| DVec3::new(side * at.x, at.y, at.z);
                for frame in 0..1320 {
                    let mut point = errand(quick * f64::from(frame) / 120.0);
                    point.position = mirrored(point.position);
                    (point.forward, point.velocity) = (mirrored(point.forward), mirrored(point.velocity) * quick);
                    point.turning *= side * quick;
                    let mut pose = skeleton.rest_pose();
                    gait.step(&skeleton, point, &ground, &mut pose, &mut state, 1.0 / 120.0);
                    let bone = |leg: usize, part: usize| [0, 1].map(|end| pose.position(legs[leg][part + end]));
                    for (leg, other) in (0..legs.len()).flat_map(|leg| (0..leg).map(move |other| (leg, other))) {
                        let bones = [(0, 0), (0, 1), (1, 0), (1, 1)];
                        let crossed = bones.iter().any(|(a, b)| cross(bone(leg, *a), bone(other, *b)));
                        assert!(!crossed, "{pairs} pairs, seed {seed}: {leg} and {other} cross in frame {frame}");
                    }
                }
                assert!(state.is_resting(), "{pairs} pairs");
            }
        }
    }
}
