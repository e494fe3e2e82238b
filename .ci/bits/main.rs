//! Do this machine and this build repeat the pinned bits? Prints a hash a solver and fails where one is
//! another: what `tests/determinism` of both crates asks, for where no test harness runs.

#![allow(clippy::duplicate_mod, reason = "the scenes of all crates are hashed the same way")]

#[path = "../../crates/sinew/tests/determinism/scenes/mod.rs"]
mod scenes;
#[path = "../../crates/sinew-arm/tests/determinism/scenes/mod.rs"]
mod scenes_of_arms;
#[cfg(feature = "std")]
#[path = "../../crates/sinew-crowd/tests/determinism/scenes/mod.rs"]
mod scenes_of_crowds;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut same = true;
    let all = scenes::SCENES.into_iter().chain(scenes_of_arms::SCENES);
    #[cfg(feature = "std")]
    let all = all.chain(scenes_of_crowds::SCENES);
    for (name, hash, pinned) in all {
        let hash = hash();
        let verdict = if hash == pinned { "as pinned" } else { "NOT the pinned one" };
        println!("{name:12} {hash:20} {verdict}");
        same &= hash == pinned;
    }
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
