//! Robots: the problem files of `shared/bench/robot` ([`file`](mod@file), [`arms`]), TRAC-IK's protocol on any URDF file
//! ([`protocol`]) and as problem files ([`made`]), several tips at once ([`tips`]), paths that need no jump ([`paths`],
//! [`ways`]), and all of it beside other solvers ([`peers`]).

pub mod arms;
pub mod file;
pub mod made;
pub mod paths;
pub mod peers;
pub mod protocol;
mod ranges;
pub mod tips;
pub mod ways;

/// Metres and radians within which a frame counts as solved.
const SOLVED: [f64; 2] = [1e-5; 2];
