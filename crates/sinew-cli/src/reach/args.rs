//! What can be asked of `sinew reach`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Space is cut into cells. A cell is in reach where joint values inside the limits are known that bring the tip into it; all
cells beside those in reach are tried by inverse kinematics, so the border is as sure as the middle. The volume is
that of the cells whose centers are in reach. Positions are in the frame of the base link, in metres. Collisions are not
looked at.

Examples:
  sinew reach ur5e.urdf tool0 --picture reach.png
  sinew reach panda.urdf panda_hand --cell 0.02 -o reach.ply           points for MeshLab, CloudCompare, Blender
  sinew reach ur5e.urdf tool0 --directions 20 -o map.csv --picture map.png     how well: a capability map
  sinew reach baxter.urdf left_gripper --base torso --json

The CSV has a line a cell: its center x, y, z, whether that is in reach itself (center, 1 or 0), and with --directions the
share of them, from 0 to 1. With --json, one object on standard output: `rig`, `robot`, `base`, `tip`, `joints`, `cell`, `cells`,
`centers` (cells whose center is in reach), `volume` (m³), `bounds` (least and largest corner), `nearest` and `farthest` (the
tip's distances from the first joint's axis), `directions` (`count`, `axis`, the mean `share` and `everywhere`, the cells where all
are reached; or null), `written`, `notes`.";

/// `sinew reach`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReachArgs {
    /// The robot's file
    #[arg(value_name = "URDF")]
    pub(crate) robot: PathBuf,

    /// The link whose reach is asked for; left out, the only one on which nothing hangs
    #[arg(value_name = "TIP")]
    pub(crate) tip: Option<String>,

    /// The link that stands still, in whose frame positions are; left out, the root
    #[arg(long, value_name = "LINK")]
    pub(crate) base: Option<String>,

    /// Write the cells: .csv, or .ply, a cloud of points for 3D viewers
    #[arg(short, long, value_name = "OUT.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Draw three cuts through them: from above, from the right and from the front; .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Edge of a cell (metres); left out, a twentieth of the arm's length or so: 0.05 for an arm of 1 m
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) cell: Option<f64>,

    /// Ask in how many of N directions, spread over the sphere, the tip can point in each cell
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) directions: Option<u32>,

    /// What points there: an axis of the tip's frame
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,1", allow_hyphen_values = true)]
    pub(crate) axis: String,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}
