//! How far a joint is outside its kind and limit: hinges and slides here, balls beside.

use std::f64::consts::TAU;

use sinew::{Joint, Kind, Pose, Skeleton};

use super::ball;
use super::linear::{Quaternion, dot, imaginary, inverse, length, matrix, product, scaled, sub, times};

/// Rounding that a hinge or slide may have, relative to its turn or length.
const ROUNDING: f64 = 1e-9;
/// Rounding of balls (radians): their limits are tested through angles, whose inverses lose half of the digits.
const BALL: f64 = 1e-7;

/// What is wrong with a joint: by how many radians or, of slides, by which share of their length, and in which way.
pub(super) fn outside(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Option<(f64, &'static str)> {
    let (zero, local) = (skeleton.zero(joint), pose.local(joint));
    let turn = product(inverse(zero.rotation.to_array()), local.rotation.to_array());
    match skeleton.kind(joint) {
        Kind::Hinge { axis, range } => {
            let value = pose.value(skeleton, joint);
            let over = (range.min - value).max(value - range.max);
            hinge(turn, axis.to_array(), value, over)
        }
        Kind::Slide { axis, range } => {
            let way = times(&matrix(zero.rotation.to_array()), axis.to_array());
            let (from, to) = (zero.translation.to_array(), local.translation.to_array());
            let (travelled, value) = (sub(to, from), pose.value(skeleton, joint));
            let along = dot(travelled, way);
            // A follower's value is a sum with its offset.
            let offset = skeleton.drive(joint).map_or(0.0, |drive| drive.offset.abs());
            let size = length(to).max(length(from)).max(value.abs()).max(offset).max(1e-300);
            let over = (range.min - value).max(value - range.max);
            let faults = [
                (length(sub(travelled, scaled(way, along))), "slide off its line"),
                ((value - along).abs(), "slide is not where its value says"),
                (over, "slide outside its range"),
            ];
            faults.into_iter().find(|fault| fault.0 > ROUNDING * size).map(|(off, what)| (off / size, what))
        }
        Kind::Ball(limit) => {
            let (off, what) = ball::outside(&limit, turn);
            (off > BALL).then_some((off, what))
        }
        _ => None,
    }
}

fn hinge(turn: Quaternion, axis: [f64; 3], value: f64, over: f64) -> Option<(f64, &'static str)> {
    let along = dot(imaginary(turn), axis);
    let off_axis = 2.0 * length(sub(imaginary(turn), scaled(axis, along)));
    let angle = 2.0 * along.atan2(turn[3]);
    let differs = (angle - value).rem_euclid(TAU);
    let rounding = ROUNDING * (1.0 + value.abs());
    let faults = [
        (off_axis, "hinge turned off its axis"),
        (differs.min(TAU - differs), "hinge is not where its value says"),
        (over, "hinge outside its range"),
    ];
    faults.into_iter().find(|fault| fault.0 > rounding)
}
