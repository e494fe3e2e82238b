//! What can be asked of `sinew reach`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Space is cut into cells. A cell is in reach when joint values inside the limits were found that
bring the tip into it. All cells next to those in reach are tried by inverse kinematics, so the
border is as certain as the middle. The volume is that of the cells whose centers are in reach.
Positions are in the frame of the base link, in metres. Collisions are ignored.

Examples:
  sinew reach ur5e.urdf tool0 --picture reach.png
  sinew reach panda.urdf panda_hand --cell 0.02 -o reach.ply
      points for MeshLab, CloudCompare, Blender
  sinew reach ur5e.urdf tool0 --directions 20 -o map.csv --picture map.png
      how well: a capability map
  sinew reach baxter.urdf left_gripper --base torso --json

The CSV has one line for each cell: its center x, y, z, whether the center itself is in reach
(center, 1 or 0), and with --directions the share of directions, from 0 to 1. With --json, one
object on standard output: `rig`, `robot`, `base`, `tip`, `joints`, `cell`, `cells`, `centers`
(cells whose center is in reach), `volume` (m³), `bounds` (least and largest corner), `nearest`
and `farthest` (distances of the tip from the axis of the first joint), `directions` (`count`,
`axis`, the mean `share` and `everywhere`, the cells where all are reached; or null), `written`,
`notes`.";

/// `sinew reach`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReachArgs {
    /// The robot's file
    #[arg(value_name = "URDF")]
    pub(crate) robot: PathBuf,

    /// The link whose reach is asked for [default: the last link, if there is only one]
    #[arg(value_name = "TIP")]
    pub(crate) tip: Option<String>,

    /// The link that stands still, in whose frame positions are [default: the root]
    #[arg(long, value_name = "LINK")]
    pub(crate) base: Option<String>,

    /// Write the cells: .csv, or .ply, a point cloud for 3D viewers
    #[arg(short, long, value_name = "OUT.csv")]
    pub(crate) output: Option<PathBuf>,

    /// Draw three cuts through the cells: from above, from the right and from the front: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Edge of a cell in metres [default: about a twentieth of the arm's length]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) cell: Option<f64>,

    /// Also find in how many of N directions, spread over the sphere, the tip can point in each cell
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) directions: Option<u32>,

    /// The axis of the tip's frame that points in these directions
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,1", allow_hyphen_values = true)]
    pub(crate) axis: String,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}
