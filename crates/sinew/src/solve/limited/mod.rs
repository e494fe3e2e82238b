//! A chain of two or three joints inside their limits, and its tip at a place: Newton steps to second
//! order, in coordinates in which every limit is a box, or a disc and an interval.
//!
//! - [`chart`](self::chart): those coordinates, joint by joint;
//! - [`walls`](self::walls): how a limit stands around a joint, for steps of whole bodies;
//! - [`kept`](self::kept): what walls leave of a turn;
//! - [`step`](self::step): the least of a quadratic inside bounds;
//! - [`links`](self::links): the chain, and how its tip moves;
//! - [`descent`](self::descent): steps until it arrives;
//! - [`search`](self::search): such descents from several starts;
//! - [`nearest`](self::nearest): the best of many postures to start from.
//!
//! Where an allowed posture meets the target nearby the steps end there to rounding, also in corners of the
//! limits; where none does they end where the tip is nearest.

mod chart;
mod descent;
mod kept;
mod links;
mod nearest;
mod search;
mod step;
mod walls;

pub(super) use chart::Turning;
pub(super) use links::Links;
pub(super) use nearest::Nearest;
pub(super) use search::Search;
pub(super) use walls::{Wall, Walls};
