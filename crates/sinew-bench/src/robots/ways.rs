//! Ways through joint space that never jump: the frames along them can be followed without a jump, since they were.
//!
//! Curves are closed Fourier sums through much of every range. Lines and circles lie in space, by a frame where the arm
//! loses a direction, and count only where small steps led along all of them once.

use std::f64::consts::{PI, TAU};

use fastrand::Rng;
use sinew::Status;
use sinew::glam::{DQuat, DVec3};
use sinew::limit::Range;
use sinew::math::arc;
use sinew_arm::{Arm, PoseTarget, Serial};

use super::ranges::anywhere;

/// Frames of a way.
pub const FRAMES: usize = 1001;
/// Largest change of a coordinate from frame to frame of a known way (radians or metres).
const STEP: f64 = 0.05;
/// Distance by which lines and circles at most miss the singular values (radians or metres).
const MISS: f64 = 0.02;

/// What a way looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A closed curve through the ranges.
    Curve,
    /// A straight line of the tip, which stands as it is.
    Line,
    /// A circle of the tip, which stands as it is.
    Circle,
}

/// Coordinates of each frame in turn, along a way that never jumps; none where the draw led to none.
pub fn draw(arm: &Arm, ranges: &[Range], shape: Shape, rng: &mut Rng) -> Option<Vec<Vec<f64>>> {
    match shape {
        Shape::Curve => Some(curve(ranges, rng)),
        Shape::Line => {
            let there = singular(arm, ranges, rng);
            let way = direction(rng) * arm.length() * (0.05 + 0.35 * rng.f64());
            along(arm, &there, |t| way * t, false)
        }
        Shape::Circle => {
            let there = singular(arm, ranges, rng);
            let (x, y) = (direction(rng), direction(rng));
            let y = arc::unit(y - x * x.dot(y))?;
            let radius = arm.length() * (0.02 + 0.2 * rng.f64());
            along(arm, &there, |t| (x * ((PI * t).cos() - 1.0) + y * (PI * t).sin()) * radius, true)
        }
    }
}

/// A Fourier sum a coordinate, between two values of its range, its fastest step a share of [`STEP`].
fn curve(ranges: &[Range], rng: &mut Rng) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = ranges.iter().map(|&range| wave(range, rng)).collect();
    (0..FRAMES).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

fn wave(range: Range, rng: &mut Rng) -> Vec<f64> {
    let terms: Vec<[f64; 3]> = (1..=3).map(|k| [f64::from(k), rng.f64() / f64::from(k), TAU * rng.f64()]).collect();
    let at = |i: usize| {
        let t = (i % (FRAMES - 1)) as f64 / (FRAMES - 1) as f64;
        terms.iter().map(|[k, size, phase]| size * (TAU * k * t + phase).sin()).sum::<f64>()
    };
    let wave: Vec<f64> = (0..FRAMES).map(at).collect();
    let (low, high) = wave.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    let fastest = wave.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    let width = (range.max - range.min) * (0.3 + 0.7 * rng.f64());
    let size = (width / (high - low)).min(STEP / fastest);
    let from = range.min + (range.max - range.min - size * (high - low)) * rng.f64();
    wave.into_iter().map(|x| range.clamp(from + size * (x - low))).collect()
}

fn direction(rng: &mut Rng) -> DVec3 {
    loop {
        let v = DVec3::new(rng.f64() - 0.5, rng.f64() - 0.5, rng.f64() - 0.5);
        if v.length() > 0.1 && v.length() < 0.5 {
            return v.normalize();
        }
    }
}

/// Values near which the arm loses a direction: one coordinate of random ones is where it loses most.
fn singular(arm: &Arm, ranges: &[Range], rng: &mut Rng) -> Vec<f64> {
    let mut values = anywhere(ranges, rng);
    let one = rng.usize(0..ranges.len());
    let Range { min, max } = ranges[one];
    let volume = |q: f64| {
        let mut values = values.clone();
        values[one] = q;
        volume(arm, &values)
    };
    let all = (1..200).map(|i| min + (max - min) * f64::from(i) / 200.0);
    let least = all.min_by(|&a, &b| volume(a).total_cmp(&volume(b))).unwrap_or(min);
    values[one] = ranges[one].clamp(least + MISS * (2.0 * rng.f64() - 1.0));
    values
}

/// Square of the volume that small changes of the coordinates sweep with the tip's frame.
fn volume(arm: &Arm, values: &[f64]) -> f64 {
    const BY: f64 = 1e-6;
    let (place, stands) = arm.forward(values);
    let column = |i: usize| {
        let mut moved = values.to_vec();
        moved[i] += BY;
        let (there, turned) = arm.forward(&moved);
        let (v, w) = ((there - place) / (BY * arm.length()), arc::rotation_vector(turned * stands.conjugate()) / BY);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    };
    let columns: Vec<[f64; 6]> = (0..values.len()).map(column).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let rows: Vec<Vec<f64>> = (0..6).map(|row| columns.iter().map(|column| column[row]).collect()).collect();
    let tall: Vec<Vec<f64>> = columns.iter().map(|column| column.to_vec()).collect();
    // Gram and Schmidt on the smaller side.
    let mut vectors = if values.len() < 6 { tall } else { rows };
    let mut product = 1.0;
    for i in 0..vectors.len() {
        let (done, rest) = vectors.split_at_mut(i + 1);
        let square = dot(&done[i], &done[i]);
        product *= square;
        for other in rest.iter_mut().filter(|_| square > 0.0) {
            let share = dot(other, &done[i]) / square;
            other.iter_mut().zip(&done[i]).for_each(|(x, y)| *x -= share * y);
        }
    }
    product
}

/// Values along an offset in space that is nothing in the middle, where small steps lead from `there` to both ends.
fn along(arm: &Arm, there: &[f64], offset: impl Fn(f64) -> DVec3, is_closed: bool) -> Option<Vec<Vec<f64>>> {
    const MIDDLE: usize = FRAMES / 2;
    let (place, stands) = arm.forward(there);
    let at = |i: usize| place + offset((i as f64 - MIDDLE as f64) / MIDDLE as f64);
    let mut down = walk(arm, there, (0..MIDDLE).rev().map(at), stands)?;
    down.reverse();
    down.push(there.to_vec());
    let up = walk(arm, there, (MIDDLE + 1..FRAMES).map(at), stands)?;
    down.extend(up);
    debug_assert!(!is_closed || at(0).distance(at(FRAMES - 1)) < 1e-9);
    Some(down)
}

fn walk(arm: &Arm, from: &[f64], places: impl Iterator<Item = DVec3>, stands: DQuat) -> Option<Vec<Vec<f64>>> {
    let settings = Serial { restarts: 20, ..Serial::default() };
    let (mut last, mut next, within) = (from.to_vec(), from.to_vec(), vec![STEP; from.len()]);
    let step = |place: DVec3| {
        let found = arm.nearest(&PoseTarget::frame(place, stands), &last, &within, &settings, &mut next);
        last.copy_from_slice(&next);
        (found.status == Status::Reached).then(|| next.clone())
    };
    places.map(step).collect()
}
