//! The program `sinew-bench`: one sub-command a file.

mod away;
mod body_fit;
mod body_limits;
mod body_problems;
mod chains;
pub mod character_problems;
mod elbow_speed;
mod humanoid_problems;
mod jumps;
mod posture;
mod robot_paths;
mod robot_peers;
mod robot_problems;
mod robot_protocol;
mod sweeps;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Runs problem sets, compares with other solvers, and measures on real motion.
#[derive(Debug, Parser)]
#[command(name = "sinew-bench", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Carries hands, feet and head out of reach, frame after frame
    Away(away::Arguments),
    /// Fits what people do to motion capture
    BodyFit(body_fit::Arguments),
    /// Measures which share of real motion lies inside a human's limits
    BodyLimits(body_limits::Arguments),
    /// Recovers a body from trackers
    BodyProblems(body_problems::Arguments),
    /// Draws chains in from full stretch, and through full reach
    Chains(chains::Arguments),
    /// Solves problems of limbs, chains and trees, or compares all methods on them
    CharacterProblems(character_problems::Arguments),
    /// Draws elbow speed against target speed
    ElbowSpeed(elbow_speed::Arguments),
    /// Solves hands, feet and head of humanoids at once
    HumanoidProblems(humanoid_problems::Arguments),
    /// Counts where answers jump, however near their targets are
    Jumps(jumps::Arguments),
    /// Measures how bodies hold themselves in motions with few goals
    Posture(posture::Arguments),
    /// Follows paths that can be followed without a jump
    RobotPaths(robot_paths::Arguments),
    /// Compares arms with other solvers on the same problems
    RobotPeers(robot_peers::Arguments),
    /// Solves the problems of an arm
    RobotProblems(robot_problems::Arguments),
    /// Solves random reachable frames of every arm
    RobotProtocol(robot_protocol::Arguments),
    /// Sweeps a hand along smooth ways
    Sweeps(sweeps::Arguments),
}

/// Runs the sub-command that the arguments name, or `alone`, for a program that has no other. The exit status is 0 where
/// all was solved, 1 where something was missed or went wrong, 2 for bad arguments.
pub fn main(alone: Option<&str>) -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(name) = alone {
        arguments.insert(1.min(arguments.len()), name.into());
    }
    let ended = match Cli::parse_from(&arguments).command {
        Command::Away(arguments) => away::run(&arguments),
        Command::BodyFit(arguments) => body_fit::run(&arguments),
        Command::BodyLimits(arguments) => body_limits::run(&arguments),
        Command::BodyProblems(arguments) => body_problems::run(&arguments),
        Command::Chains(arguments) => chains::run(&arguments),
        Command::CharacterProblems(arguments) => character_problems::run(&arguments),
        Command::ElbowSpeed(arguments) => elbow_speed::run(&arguments),
        Command::HumanoidProblems(arguments) => humanoid_problems::run(&arguments),
        Command::Jumps(arguments) => jumps::run(&arguments),
        Command::Posture(arguments) => posture::run(&arguments),
        Command::RobotPaths(arguments) => robot_paths::run(&arguments),
        Command::RobotPeers(arguments) => robot_peers::run(&arguments),
        Command::RobotProblems(arguments) => robot_problems::run(&arguments),
        Command::RobotProtocol(arguments) => robot_protocol::run(&arguments),
        Command::Sweeps(arguments) => sweeps::run(&arguments),
    };
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let name = arguments.get(1).map(|name| name.to_string_lossy()).unwrap_or_default();
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
