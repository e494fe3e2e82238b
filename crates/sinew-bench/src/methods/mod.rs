//! The methods by name: ours as `sinew solve --solver` has them, our pure forms one by one, and the
//! peers that build on stable Rust.

mod general;
mod positions;
mod prepared;
mod rebirth;
mod solver;

use anyhow::{Result, bail};

use crate::limb::Limb;
use crate::runner::{Runner, prepare};

/// A named method.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What the command line calls it.
    pub name: &'static str,
    /// Crate and version.
    pub version: &'static str,
    /// What is timed.
    pub what: &'static str,
    prepare: fn(&[Limb]) -> Result<Box<dyn Runner>>,
}

const SINEW: &str = concat!("sinew ", env!("CARGO_PKG_VERSION"));
/// The manifest asks for exactly this one.
const REBIRTH: &str = "rebirth-ik 0.1.0";

/// Every method.
pub const METHODS: [Entry; 8] = [
    Entry { name: "auto", version: SINEW, what: "as two-bone", prepare: prepare::<prepared::Prepared> },
    Entry { name: "two-bone", version: SINEW, what: "as two-bone:prepared", prepare: prepare::<prepared::Prepared> },
    Entry {
        name: "two-bone:prepared",
        version: SINEW,
        what: "two local rotations, limb measured before",
        prepare: prepare::<prepared::Prepared>,
    },
    Entry {
        name: "two-bone:general",
        version: SINEW,
        what: "two turns from three positions",
        prepare: prepare::<general::General>,
    },
    Entry {
        name: "two-bone:positions",
        version: SINEW,
        what: "both elbows and the tip",
        prepare: prepare::<positions::Positions>,
    },
    Entry {
        name: "two-bone:solver",
        version: SINEW,
        what: "a pose reset and solved, with report",
        prepare: prepare::<solver::PoseSolver>,
    },
    Entry { name: "rebirth-ik", version: REBIRTH, what: "elbow and tip, f32", prepare: prepare::<rebirth::Positions> },
    Entry {
        name: "rebirth-ik:rotations",
        version: REBIRTH,
        what: "the same and a turn of each bone, f32",
        prepare: prepare::<rebirth::Rotations>,
    },
];

impl Entry {
    /// The method of that name.
    pub fn named(name: &str) -> Result<&'static Self> {
        let Some(entry) = METHODS.iter().find(|entry| entry.name == name) else {
            let names: Vec<&str> = METHODS.iter().map(|entry| entry.name).collect();
            bail!("no method is called {name}; there are {}", names.join(", "));
        };
        Ok(entry)
    }

    /// The method, ready for these limbs.
    pub fn prepare(&self, limbs: &[Limb]) -> Result<Box<dyn Runner>> {
        (self.prepare)(limbs)
    }
}
