//! Many solves a solver, hashed, and the hashes that they had when they were last looked at. The same
//! on every machine and in every build: `tests/determinism` holds this one to them, and `.ci/bits` those
//! that run no tests.
//!
//! Random numbers here are drawn at widths that all machines share: `usize` takes other draws on 32 bits.

pub(crate) mod arms;
mod ccd;
mod closed_forms;
mod fabrik;
mod jacobian;
mod mass_spring;
mod path;
mod scale;
mod serial;
mod springs;

/// A solver's solves: name, how to hash them, and the pinned hash.
pub(crate) type Scene = (&'static str, fn() -> u64, u64);

pub(crate) const SCENES: [Scene; 9] = [
    ("closed forms", closed_forms::hash, 11_441_765_632_064_349_980),
    ("fabrik", fabrik::hash, 14_049_922_409_873_818_790),
    ("ccd", ccd::hash, 3_276_725_861_155_014_481),
    ("jacobian", jacobian::hash, 17_428_654_436_325_938_235),
    ("mass-spring", mass_spring::hash, 17_747_083_270_142_008_188),
    ("scale", scale::hash, 2_528_974_621_549_290_843),
    ("springs", springs::hash, 12_672_295_812_732_186_292),
    ("serial", serial::hash, 921_181_963_064_886_695),
    ("path", path::hash, 16_527_538_605_115_769_214),
];

/// FNV-1a over the bits of numbers.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn eat(&mut self, value: f64) {
        for byte in value.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
