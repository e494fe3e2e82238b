//! What can be asked of `sinew plant`.

use clap::Args;

use crate::args::{OutArgs, RigArgs};
use crate::ground::GroundArgs;

const EXAMPLES: &str = "\
CLIP is FILE:NAME, where NAME is a clip's name, a part of it that no other has, or its number from 0; FILE alone where it has
one clip; or NAME alone, of RIG. FILE may be another body's, also a .bvh. A clip that walks on the spot is made to travel at the speed
at which its feet slide back.

Examples:
  sinew plant hero.glb Walk --ground scene.glb -o out.glb
  sinew plant fox.glb fox.glb:Walk --laps 6 --ground rough:3 -o out.glb --picture film.png
  sinew plant hero.glb walk.bvh --ground stairs:0.17,0.28 -o out.glb --json
  sinew plant hero.glb walk.bvh -o out.glb                                feet that slid are still

Before is the clip on that ground, after what was made of it. A foot slides by what the lower of heel and ball moves over
the ground from frame to frame while it touches; a knee pops in a frame where it accelerates more than twice as much as anywhere in the clip.

With --json, one object on standard output: `rig`, `clip`, `ground`, `frames`, `rate`, `floor`, `travel` (the speed that was put in),
`leg` (the length of the longest leg),
`before` and `after` (each with `feet`, of which each has its `joint`, `touches`, and the largest `penetration`, `floating`, `slide` and
the mean `slide_mean` and the median `floating_median`, in the file's lengths; and `pops`), `acceleration` (the worst joint's largest over the clip's own largest:
`joint`, `ratio`, `time`; `asked` is the least that a foot must accelerate from touch to touch over that ground in the clip's time, from rest
to rest, however it goes, over its own largest in the clip: more than 1 is the ground's doing), `away` (the joint that is farthest from the clip in the median: `joint`, `distance`), `written`, `notes`.";

/// `sinew plant`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlantArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// The motion to plant: `FILE:NAME`, or a clip of RIG by its name or number
    #[arg(value_name = "CLIP")]
    pub(crate) clip: String,

    #[command(flatten)]
    pub(crate) terrain: GroundArgs,

    /// Frames a second; left out, those of the clip
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,

    /// Go round a clip that walks on the spot so many times
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) laps: u32,

    /// As in a game loop: the way of the body is not planned beforehand
    #[arg(long)]
    pub(crate) live: bool,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}
