//! Do this machine and this build repeat the pinned bits? Prints a hash a solver and fails where one is
//! another: what `tests/determinism` of both crates asks, for where no test harness runs.

#![allow(clippy::duplicate_mod, reason = "the core's scenes and those of arms are hashed the same way")]

#[path = "../../crates/sinew/tests/determinism/scenes/mod.rs"]
mod scenes;
#[path = "../../crates/sinew-arm/tests/determinism/scenes/mod.rs"]
mod scenes_of_arms;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut same = true;
    for (name, hash, pinned) in scenes::SCENES.into_iter().chain(scenes_of_arms::SCENES) {
        let hash = hash();
        let verdict = if hash == pinned { "as pinned" } else { "NOT the pinned one" };
        println!("{name:12} {hash:20} {verdict}");
        same &= hash == pinned;
    }
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
