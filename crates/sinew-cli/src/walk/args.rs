//! What can be asked of `sinew walk`.

use clap::Args;

use crate::args::{OutArgs, RigArgs};
use crate::ground::GroundArgs;

const EXAMPLES: &str = "\
PATH is `line` (the default), `circle`, `turn` (on the spot), or a file of moments: CSV with the
columns time,x,y,z and optionally heading, or JSON, a list of objects with these names. Times
are in seconds. Positions are those of the point between the hips, in scene space (heights are
ignored). Headings are degrees about up, counted from where the rig looks at rest (default:
along the path).
  time,x,y,z,heading
  0,0,0,0,0
  2,0,0,2,0
  4,2,0,3,90

Examples:
  sinew walk dog.glb -o walking.glb --picture film.png
  sinew walk spider.glb --ground rough:7 --path circle --speed 0.6 --picture film.png
  sinew walk hero.glb --path way.csv --ground scene.glb -o out.glb --json

With --json, one object on standard output: `rig`, `legs`, `crossings` (frames in which two legs
cross, seen from above and from above the body as it tilts), `crossed` (how far at most),
`body_acceleration`, `joint_acceleration` (radians per second squared), `frames`, `seconds`,
`speed`, `height` (of the hips at rest),
`written`, `notes`. A leg has the `joint` that touches the ground, `steps`, `early` (those
begun while a leg beside it was in the air, because it reached no farther), and its worst:
`slide` (from frame to frame while it stands), `miss` (from where it should stand),
`penetration` (of that joint in the ground), `sunk` (of any bone from the knee down) and
`extension` (distance from hip to ground over the length of the bones). Lengths are in the unit
of the file.";

/// `sinew walk`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct WalkArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// Where the body goes: `line`, `circle`, `turn`, or a .csv or .json file
    #[arg(long = "path", value_name = "PATH", default_value = "line")]
    pub(crate) route: String,

    #[command(flatten)]
    pub(crate) terrain: GroundArgs,

    /// Speed, in units of the file per second [default: a relaxed walk for the legs of the rig]. A file of moments has its own
    #[arg(long, value_name = "V", allow_negative_numbers = true)]
    pub(crate) speed: Option<f64>,

    /// Length of the walk in seconds. A file of moments has its own
    #[arg(long, value_name = "S", default_value_t = 6.0, allow_negative_numbers = true)]
    pub(crate) seconds: f64,

    /// Frames per second of the clip
    #[arg(long, value_name = "N", default_value_t = 30.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}
