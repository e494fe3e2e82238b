//! Many solves a solver, hashed, and the hashes that they had when they were last looked at. The same
//! on every machine and in every build: `tests/determinism` holds this one to them, and `.ci/bits` those
//! that run no tests.
//!
//! Random numbers here are drawn at widths that all machines share: `usize` takes other draws on 32 bits.

pub(crate) mod arms;
mod auto;
mod ccd;
mod closed_forms;
mod fabrik;
mod hash;
mod jacobian;
mod mass_spring;
mod scale;
mod springs;

use hash::Hash;

/// A solver's solves: name, how to hash them, and the pinned hash.
pub(crate) type Scene = (&'static str, fn() -> u64, u64);

pub(crate) const SCENES: [Scene; 8] = [
    ("auto", auto::hash, 11_992_528_299_789_079_463),
    ("closed forms", closed_forms::hash, 7_020_854_422_113_028_936),
    ("fabrik", fabrik::hash, 6_712_872_555_341_353_885),
    ("ccd", ccd::hash, 7_668_764_199_617_729_270),
    ("jacobian", jacobian::hash, 8_561_704_740_800_556_722),
    ("mass-spring", mass_spring::hash, 15_882_802_569_804_763_701),
    ("scale", scale::hash, 15_200_854_381_565_083_854),
    ("springs", springs::hash, 674_101_649_099_146_547),
];
