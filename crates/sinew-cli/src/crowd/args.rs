//! What can be asked of `sinew crowd`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::args::RigArgs;

const EXAMPLES: &str = "\
Every recognised arm and leg follows a target on a circle, the head looks at a target, and
forward kinematics places all joints: for N characters at once, in vector registers, on all
cores. With --solver body whole humans follow targets for hips, head, hands and feet instead.
Only the solving is measured, frame by frame.

Examples:
  sinew crowd                                         a thousand built-in humans
  sinew crowd hero.glb --count 10000 --frames 100
  sinew crowd hero.glb --solver body                  trunks, arms and legs as people hold them
  sinew crowd --count 5000 --picture crowd.png
  sinew crowd --curve crowds.svg                      from 1,000 to 1,000,000 limbs

With --json, one object on standard output: `rig`, `characters`, `joints`, `limbs` (of one
character), `looks`, `body`, `frames`, `lanes`, `instructions`, `threads`, `median` and `best`
(seconds a frame), `per_limb` and `per_character` (seconds), `bytes` (of one character), `reached`
(share of the targets in the last frame, looks aside), `by_core` (share of limbs and looks, or of
bodies, that were solved one by one, without vector registers), `curve` (a list of `limbs`,
`median`, `best`, `per_limb`), `written`, `notes`. With a body `limbs` is 0 and `per_limb` the
time of a character.";

/// `--solver`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrowdSolver {
    /// Arms and legs, each by itself, and the head
    Limbs,
    /// Whole humans, from targets for hips, head, hands and feet
    Body,
}

/// `sinew crowd`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrowdArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// What is solved
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CrowdSolver::Limbs)]
    pub(crate) solver: CrowdSolver,

    /// How many characters
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) count: usize,

    /// How many frames to measure
    #[arg(long, value_name = "F", default_value_t = 60)]
    pub(crate) frames: usize,

    /// Draw the first characters in the last frame, in rows: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Also measure crowds of 1,000 to 1,000,000 limbs, and draw the best time of a limb over their number: .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) curve: Option<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}
