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
    ("auto", auto::hash, 7_501_883_837_641_420_002),
    ("closed forms", closed_forms::hash, 7_020_854_422_113_028_936),
    ("fabrik", fabrik::hash, 9_611_815_020_515_822_668),
    ("ccd", ccd::hash, 18_136_495_069_822_816_953),
    ("jacobian", jacobian::hash, 5_175_186_691_134_638_549),
    ("mass-spring", mass_spring::hash, 15_882_802_569_804_763_701),
    ("scale", scale::hash, 5_556_330_996_775_027_309),
    ("springs", springs::hash, 674_101_649_099_146_547),
];
