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
    ("auto", auto::hash, 8_810_144_009_904_920_774),
    ("closed forms", closed_forms::hash, 7_020_854_422_113_028_936),
    ("fabrik", fabrik::hash, 3_702_759_076_126_265_765),
    ("ccd", ccd::hash, 16_070_615_406_480_893_431),
    ("jacobian", jacobian::hash, 16_372_435_383_221_154_924),
    ("mass-spring", mass_spring::hash, 15_882_802_569_804_763_701),
    ("scale", scale::hash, 12_518_209_283_385_163_608),
    ("springs", springs::hash, 674_101_649_099_146_547),
];
