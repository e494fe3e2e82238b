//! Limits inside the step: what a limit blocks leaves the system, and the rest is solved again, until
//! nothing new is blocked.
//!
//! A coordinate leaves at the end of its range. A ball's step is projected by its limit, whatever its
//! kind; the direction of what the projection took away leaves with what it let through, and the two
//! turns across it stay.

use glam::{DMat3, DQuat, DVec3};

use super::method::{Method, dot};
use super::mover::{Mover, MoverKind, along};
use super::plan::Plan;
use super::system::{System, column};
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::transform::Transform;

/// Chord (radians) of a turn that counts as blocked.
const BLOCKED: f64 = 1e-9;
/// Share of a step that a second limit must take away.
const CORNER: f64 = 0.2;
/// Turn (radians) by which a limit's curvature is tried.
const PROBE: f64 = 0.05;

/// Makes the step of the system's rows that every limit lets through; freedoms from `held` on stay.
pub(super) fn step_within(
    plan: &mut Plan,
    system: &mut System,
    skeleton: &Skeleton,
    pose: &Pose,
    (method, caution): (Method, f64),
    held: usize,
) {
    system.release(plan.freedoms, held);
    // Every round but the last takes a freedom out.
    for _ in 0..=plan.freedoms {
        system.solve(&plan.levels, method, caution);
        shorten(plan, system);
        let mut blocked = false;
        for mover in &mut plan.movers {
            blocked |= match mover.kind {
                MoverKind::Coordinate { .. } => block_coordinate(mover, system, pose),
                MoverKind::Ball { limited: true, .. } => block_ball(mover, system, skeleton, pose),
                _ => false,
            };
        }
        if !blocked {
            break;
        }
    }
}

/// Shortens a step in which a joint turns too far to trust its linearisation.
fn shorten(plan: &Plan, system: &mut System) {
    let mut most = 0.0_f64;
    for mover in &plan.movers {
        let (count, scale) = match mover.kind {
            // Slides and shifts are straight, however far they go.
            MoverKind::Coordinate { turns, scale, .. } => (usize::from(turns), scale),
            MoverKind::Ball { scale, .. } | MoverKind::Free { scale, .. } => (3, scale),
        };
        let step = &system.step[mover.first..mover.first + count];
        most = step.iter().map(|y| (y * scale).abs()).fold(most, f64::max);
    }
    if most > system.longest {
        for (y, fixed) in system.step.iter_mut().zip(&system.fixed) {
            if !fixed {
                *y *= system.longest / most;
            }
        }
    }
}

/// Takes a coordinate out that would leave its range.
fn block_coordinate(mover: &Mover, system: &mut System, pose: &Pose) -> bool {
    let MoverKind::Coordinate { index, range, scale, .. } = mover.kind else { return false };
    if system.fixed[mover.first] {
        return false;
    }
    let q = pose.coordinates()[index];
    let wanted = q + system.step[mover.first] * scale;
    let allowed = range.clamp(wanted);
    if allowed == wanted {
        return false;
    }
    system.step[mover.first] = (allowed - q) / scale;
    system.fixed[mover.first] = true;
    true
}

/// Takes the direction out in which a ball would leave its limit.
fn block_ball(mover: &mut Mover, system: &mut System, skeleton: &Skeleton, pose: &Pose) -> bool {
    let MoverKind::Ball { axes, scale, .. } = &mut mover.kind else { return false };
    let taken = (0..3).filter(|k| system.fixed[mover.first + k]).count();
    if taken == 3 {
        return false;
    }
    let local = *pose.local(mover.joint);
    let wanted = turned(&local, along(axes, &system.step[mover.first..mover.first + 3]) * *scale);
    let allowed = skeleton.nearest_allowed(mover.joint, &wanted, 0.0);
    let mut away = chord(wanted.rotation * allowed.rotation.conjugate());
    for k in 0..taken {
        away = arc::reject(away, axes.col(k));
    }
    // What bends back along a limit already blocked is its curvature, and no corner.
    let corner = if taken > 0 { CORNER * chord(wanted.rotation * local.rotation.conjugate()).length() } else { 0.0 };
    if away.dot(away) <= (BLOCKED * BLOCKED).max(corner * corner) {
        return false;
    }
    let Some(direction) = arc::unit(away) else { return false };
    let let_through = chord(allowed.rotation * local.rotation.conjugate()).dot(direction);
    let fresh = completed(axes, taken, direction);
    recombine(system, mover.first, axes, &fresh);
    *axes = fresh;
    system.step[mover.first + taken] = let_through / *scale;
    system.fixed[mover.first + taken] = true;
    if taken == 0 {
        stiffen(system, skeleton, mover, &allowed);
    }
    true
}

/// Adds to the second derivative that along a curved limit the ball is led back: against what presses it on the limit.
fn stiffen(system: &mut System, skeleton: &Skeleton, mover: &Mover, allowed: &Transform) {
    let MoverKind::Ball { axes, scale, .. } = &mover.kind else { return };
    if system.curvature.is_none() || core::mem::replace(&mut system.stiff[mover.first], true) {
        return;
    }
    let column = column(&system.matrix, system.height, mover.first);
    let force = dot(column, &system.error);
    let led_back = |way: DVec3| {
        let moved = turned(allowed, way * PROBE);
        let back = skeleton.nearest_allowed(mover.joint, &moved, 0.0);
        chord(moved.rotation * back.rotation.conjugate()).dot(axes.x_axis).max(0.0) * 2.0 / (PROBE * PROBE)
    };
    let (a, b) = (axes.y_axis, axes.z_axis);
    let [aa, bb, ab] = [led_back(a), led_back(b), led_back((a + b) * core::f64::consts::FRAC_1_SQRT_2)];
    let cross = (ab - 0.5 * (aa + bb)).clamp(-ops::sqrt(aa * bb), ops::sqrt(aa * bb));
    let (width, first, size) = (system.step.len(), mover.first, force.max(0.0) * scale);
    let Some(curvature) = &mut system.curvature else { return };
    for (i, j, bend) in [(1, 1, aa), (2, 2, bb), (1, 2, cross), (2, 1, cross)] {
        curvature[(first + i) * width + first + j] += bend * size;
    }
}

/// Axes that keep the first `taken` ones, then `direction`, then what is left, right-handed.
fn completed(axes: &DMat3, taken: usize, direction: DVec3) -> DMat3 {
    match taken {
        0 => {
            let second = arc::any_perpendicular(direction);
            DMat3::from_cols(direction, second, direction.cross(second))
        }
        1 => DMat3::from_cols(axes.x_axis, direction, axes.x_axis.cross(direction)),
        _ => DMat3::from_cols(axes.x_axis, axes.y_axis, direction),
    }
}

/// Writes a ball's three columns, and what the posture wants of it, for other axes.
fn recombine(system: &mut System, first: usize, from: &DMat3, to: &DMat3) {
    let change = from.transpose() * *to;
    let mixed = |old: [f64; 3]| change.transpose() * DVec3::from_array(old);
    let height = system.height;
    for row in 0..height {
        let at = |k: usize| (first + k) * height + row;
        let new = mixed([system.matrix[at(0)], system.matrix[at(1)], system.matrix[at(2)]]);
        (0..3).for_each(|k| system.matrix[at(k)] = new[k]);
    }
    recombine_curvature(system, first, &change);
    if let Some(wish) = &mut system.wish {
        let new = mixed([wish[first], wish[first + 1], wish[first + 2]]);
        wish[first..first + 3].copy_from_slice(&new.to_array());
    }
}

/// The same for the curvature: rows, then columns.
fn recombine_curvature(system: &mut System, first: usize, change: &DMat3) {
    let Some(curvature) = &mut system.curvature else { return };
    let width = system.step.len();
    for by_row in [true, false] {
        for other in 0..width {
            let at = |k: usize| if by_row { (first + k) * width + other } else { other * width + first + k };
            let old = DVec3::new(curvature[at(0)], curvature[at(1)], curvature[at(2)]);
            let new = change.transpose() * old;
            (0..3).for_each(|k| curvature[at(k)] = new[k]);
        }
    }
}

/// Moves the pose by the step, inside the limits.
pub(super) fn apply(plan: &Plan, system: &System, skeleton: &Skeleton, pose: &mut Pose) {
    let mut edit = pose.edit(skeleton);
    for mover in &plan.movers {
        let step = &system.step[mover.first..];
        match mover.kind {
            MoverKind::Coordinate { index, range, scale, .. } => {
                if step[0] != 0.0 {
                    let q = edit.pose().coordinates()[index];
                    edit.coordinate(index, range.clamp(q + step[0] * scale));
                }
            }
            MoverKind::Ball { axes, scale, limited } => {
                if step[..3].iter().any(|&y| y != 0.0) {
                    let wanted = turned(edit.pose().local(mover.joint), along(&axes, step) * scale);
                    let allowed = if limited { skeleton.nearest_allowed(mover.joint, &wanted, 0.0) } else { wanted };
                    edit.local(mover.joint, allowed);
                }
            }
            MoverKind::Free { scale, shift } => {
                if step[..6].iter().any(|&y| y != 0.0) {
                    let mut local = turned(edit.pose().local(mover.joint), along(&DMat3::IDENTITY, step) * scale);
                    local.translation += along(&DMat3::IDENTITY, &step[3..]) * shift;
                    edit.local(mover.joint, local);
                }
            }
        }
    }
}

/// A local transform turned by a vector in its parent's space: by `2 atan(|v| / 2)` about it, which
/// needs no trigonometry and is `|v|` to second order.
pub(super) fn turned(local: &Transform, vector: DVec3) -> Transform {
    let half = vector * 0.5;
    let turn = arc::normalize(DQuat::from_xyzw(half.x, half.y, half.z, 1.0));
    Transform { rotation: arc::normalize(turn * local.rotation), ..*local }
}

/// Twice the vector part of the shorter of the rotation's two quaternions: its rotation vector to second
/// order.
pub(super) fn chord(turn: DQuat) -> DVec3 {
    let vector = DVec3::new(turn.x, turn.y, turn.z) * 2.0;
    if turn.w < 0.0 { -vector } else { vector }
}
