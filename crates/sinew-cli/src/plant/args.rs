//! What can be asked of `sinew plant`.

use clap::Args;

use crate::args::{OutArgs, RigArgs, of_clip};
use crate::ground::GroundArgs;

const EXAMPLES: &str = "\
CLIP is FILE:NAME, FILE alone if it has one clip, or NAME alone for a clip of RIG. NAME is the
name of a clip, a part of it that fits no other, or its number from 0. FILE may be that of
another body, also a .bvh; without RIG its own body moves. A clip that walks on the spot is made
to travel, at the speed at which its feet slide back.

Examples:
  sinew plant hero.glb Walk --ground scene.glb -o out.glb
  sinew plant fox.glb fox.glb:Walk --laps 6 --ground rough:3 -o out.glb --picture film.png
  sinew plant hero.glb walk.bvh --ground stairs:0.17,0.28 -o out.glb --json
  sinew plant hero.glb walk.bvh -o out.glb                                feet no longer slide
  sinew plant walk.bvh --ground stairs -o out.bvh                         on the body of the .bvh

The table compares the clip on that ground (before) with the result (after). A foot slides by
the distance that the lower of heel and ball moves over the ground from frame to frame while it
touches; rolling from one to the other is no slide. A knee pops in a frame where it accelerates
more than twice as much as anywhere in the clip.

With --json, one object on standard output: `rig`, `clip`, `ground`, `frames`, `rate`, `floor`,
`travel` (the speed that was put in), `leg` (the length of the longest leg), `before`, `after`,
`acceleration`, `away`, `written`, `notes`. `before` and `after` have `pops` and `feet`: of each
its `joint`, `touches`, the largest `penetration`, `floating` and `slide`, the mean `slide_mean`
and the median `floating_median`, in the unit of the file. `acceleration` is of the joint that
is worst, its largest over the largest in the clip: `joint`, `ratio`, `time`. Its `asked` is the
least acceleration with which any motion could bring that foot from touch to touch over this
ground in the time of the clip, over the largest in the clip: when it is more than 1, the ground
is the cause. `away` is the joint that is farthest from the clip in the median, seen from the
middle between the hips, which ground lifts and lowers: `joint`, `distance`.";

/// `sinew plant`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
#[command(after_help = EXAMPLES, mut_arg("path", of_clip), mut_arg("output", |arg| {
    arg.help("Write the file with the new motion in place of CLIP, or as its first animation when CLIP is of another file: .glb, .vrm or .gltf; of a .bvh as .bvh")
}))]
pub(crate) struct PlantArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// The motion to plant: `FILE:NAME`, or a clip of RIG by its name or number
    #[arg(value_name = "CLIP", index = 2)]
    pub(crate) clip: String,

    #[command(flatten)]
    pub(crate) terrain: GroundArgs,

    /// Frames per second [default: those of the clip]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,

    /// How many times to repeat a clip that walks on the spot
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) laps: u32,

    /// Work frame by frame as in a game loop, without planning the path of the body over the whole clip
    #[arg(long)]
    pub(crate) live: bool,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}
