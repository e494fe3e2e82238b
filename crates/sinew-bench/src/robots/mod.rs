//! Robots: the problem files of `shared/bench/robot` ([`file`](mod@file), [`arms`]), TRAC-IK's protocol on any URDF file
//! ([`protocol`]), and several tips at once ([`tips`]).

pub mod arms;
pub mod file;
pub mod protocol;
pub mod tips;
