//! Two links, one triangle: the closed forms of arms and legs.
//!
//! Root `O`, target `E`, `p = E - O`, `h = p·p`, bones `l1` and `l2`, `L = l1 + l2`,
//! `D = |l1 - l2|`. The middle joint is at `O + (w p + sqrt(S) d b) / (2h)` with
//! `w = h + l1² - l2²`, `S = (L² - h)(h - D²)` and `b` the unit bend direction; the elbow's exterior
//! angle `φ` has `sin(φ/2)² = (L² - h) / (4 l1 l2)` and `cos(φ/2)² = (h - D²) / (4 l1 l2)`, so that
//! rotations need square roots only and keep their digits near straight and near folded.
//!
//! - [`planar`]: by angles and by vectors in any plane;
//! - [`spatial`]: by angles and by joint positions;
//! - [`Limb`] and [`bend`]: turns for three positions of an engine's own skeleton;
//! - [`Prepared`]: local rotations of a limb whose lengths and axes are known, several times as quick;
//! - [`TwoBone`]: the [`Solver`](crate::Solver) on a pose, with hinges, limits, twist bones, weights.

mod bend;
mod border;
mod carry;
mod circle;
pub(super) mod fold;
mod geometry;
pub(super) mod give_way;
mod given;
mod hinge_pair;
pub(super) mod limb_target;
pub(super) mod measure;
mod place;
mod placement;
mod plain;
pub mod planar;
mod prepared;
mod quick;
mod reach;
mod response;
pub(super) mod rest;
pub(super) mod run;
mod settings;
mod share;
mod soft;
mod solver;
pub mod spatial;
pub(super) mod stuck;
pub(super) mod swivel;
mod swivel_ends;
pub(super) mod twist;

pub use bend::{Limb, Turns, bend, bend_carried, bend_within};
pub use prepared::{Bent, Prepared};
pub use reach::{Reach, Span};
pub use rest::RestBend;
pub use settings::{End, Twist, TwoBone};
pub use soft::Bands;

use glam::DVec3;

use crate::goal::Pole;

/// The pole as seen from the root: towards the point, or along the direction.
#[inline(always)]
pub(crate) fn pole_from(root: DVec3, pole: Pole) -> DVec3 {
    match pole {
        Pole::Point(point) => point - root,
        Pole::Direction(direction) => direction,
    }
}
