//! Two links, one triangle: the closed forms of arms and legs.
//!
//! **For** every limb with one elbow or knee: a fraction of a microsecond, exact, and the same answer for the same input.
//! **Take another** when the last of three bones has a direction ([`ThreeLink`](crate::ThreeLink)), or when trunk and limbs
//! must help each other ([`Auto`](crate::Auto), `sinew_rig::Body`).
//!
//! # The idea
//!
//! Root `O`, target `E`, `p = E - O`, `h = p·p`, bones `l1` and `l2`, `L = l1 + l2`,
//! `D = |l1 - l2|`. The middle joint is at `O + (w p + sqrt(S) d b) / (2h)` with
//! `w = h + l1² - l2²`, `S = (L² - h)(h - D²)` and `b` the unit bend direction; the elbow's exterior
//! angle `φ` has `sin(φ/2)² = (L² - h) / (4 l1 l2)` and `cos(φ/2)² = (h - D²) / (4 l1 l2)`, so that
//! rotations need square roots only and keep their digits near straight and near folded.
//!
//! # Source
//!
//! The law of cosines in half angles. Soft reach is known from Nicholas' *softIK*; that its band bounds the elbow's speed is
//! our own ([`Reach::Soft`]).
//!
//! # What is here
//!
//! - [`planar`]: by angles and by vectors in any plane;
//! - [`spatial`]: by angles and by joint positions;
//! - [`Limb`] and [`bend`]: turns for three positions of an engine's own skeleton;
//! - [`Prepared`]: local rotations of a limb whose lengths and axes are known, about twice as quick;
//! - [`TwoBone`]: the [`Solver`](crate::Solver) on a pose, with hinges, limits, twist bones, weights.
//!
//! ```
//! use sinew::glam::DVec3;
//! use sinew::solve::two_bone::{Limb, bend};
//!
//! // Three positions of an engine's own arm, and where the hand should be; the elbow points back and down.
//! let (shoulder, elbow, wrist) = (DVec3::ZERO, DVec3::new(0.3, 0.0, 0.05), DVec3::new(0.55, 0.0, 0.0));
//! let (target, pole) = (DVec3::new(0.3, 0.2, 0.2), DVec3::new(0.0, -1.0, -1.0));
//! let turns = bend(&Limb { root: shoulder, mid: elbow, tip: wrist }, target, pole);
//! // Turn the upper arm, then the forearm that came along with it.
//! let new_elbow = turns.root * elbow;
//! let new_wrist = new_elbow + turns.mid * (turns.root * (wrist - elbow));
//! assert!(new_wrist.distance(target) < 1e-12);
//! ```

mod at_border;
mod bend;
mod border;
mod carry;
mod circle;
mod descents;
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
pub(in crate::solve) mod pointer;
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

pub use bend::{Limb, Turns, bend, bend_carried};
pub use prepared::{Bent, Prepared};
pub use reach::{Reach, Span};
pub use rest::RestBend;
pub use settings::{End, TwistBones, TwoBone};
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
