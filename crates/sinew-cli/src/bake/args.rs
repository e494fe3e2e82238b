//! What can be asked of `sinew bake`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{RigArgs, of_clip};
use crate::choices::Method;

const EXAMPLES: &str = "\
CLIP is FILE:NAME, FILE alone if it has one clip, or NAME alone for a clip of RIG. NAME is the
name of a clip, a part of it that fits no other, or its number from 0. FILE is RIG itself, or a
.bvh or .glb whose body is alike or whose joints have the same names. Every frame is solved from
the pose that the clip has there.

GOALS.json says what joints do, and when. Each key is met at its time; between keys goals move
smoothly.
  { \"ease\": 0.25, \"goals\": [
    { \"joint\": \"LeftHand\", \"keys\": [ { \"time\": 0.5, \"position\": [0.3, 1.2, 0.4] },
                                   { \"time\": 1.5, \"position\": [0.3, 1.4, 0.4], \"weight\": 0.5 } ] },
    { \"joint\": \"Hips\", \"keys\": [ { \"time\": 0, \"offset\": [0, -0.1, 0] } ], \"until\": 2 },
    { \"joint\": \"LeftFoot\", \"keep\": true },
    { \"joint\": \"Head\", \"base\": \"Spine\", \"axis\": [0, 0, 1],
      \"keys\": [ { \"time\": 1, \"look\": [1, 1.6, 3] } ] } ] }
A goal has `joint`, and `keys` or `keep`. It may have
  base         the joint where its limb, or the chain that aims, begins
  axis, up     for `look`: the axis that points (default: what points ahead of the body at rest),
               and the direction of its up side
  from, until  seconds between which it holds (default: from its first key to its last; of
               `keep` the whole clip)
  ease         seconds in which it comes before that and goes after it (default: the `ease` of
               the file, else 0.25 to 1 as needed). A goal comes before its first key, for an
               early key before the clip begins: the first frame then has it in part, or whole
A key has `time` and one or more of `position`, `offset` (from where the clip has the joint),
`rotation` (x, y, z, w, or roll, pitch, yaw in degrees), `look` (a position), `pole` (a
position) and `weight` (0 to 1). All keys of a goal have the same ones. A position or offset of
a root, or of hips just below it, moves the whole body. Times are seconds of the clip; positions
are in the scene space of the file.

GOALS.csv says the same in a table, one line for each key: joint,time,goal,x,y,z or
joint,time,goal,x,y,z,w,weight, where `goal` is position, offset, rotation, look or keep (with
x, y, z empty; two lines of keep are its beginning and its end).
  joint,time,goal,x,y,z
  LeftHand,0.5,position,0.3,1.2,0.4
  LeftFoot,,keep,,,

Examples:
  sinew bake fox.glb fox.glb:Walk --goals goals.json -o out.glb
  sinew bake hero.glb Walk --goals goals.json --beside 'Walk, waving' -o out.glb --curves curves.svg
  sinew bake hero.glb 2 --goals goals.csv --keep LeftFoot --keep RightFoot --picture film.svg --json
  sinew bake walk.bvh --goals goals.json -o out.bvh
  sinew bake hero.glb walk.bvh --goals goals.json -o walking.glb          the clip of another body
  sinew bake hero.glb Walk --picture film.png             the clip as it is
  sinew plant hero.glb walk.bvh -o walking.glb         not --keep: it stops feet that slide

With --json, one object on standard output: `rig`, `clip`, `frames`, `rate`, `start`, `end`,
`goals`, `joints`, `pops`, `written`, `notes`. A goal has `joint`, `solver`, `frames` in which
it holds fully, how many of these are `reached`, `worst_position_error`, `worst_rotation_error`,
`worst_time`, `ease` (seconds in which it comes, and goes) and `gave_way` (`from`, `until`,
`distance`; null when it did not). `joints` are those that changed, each with the largest
`speed`, `acceleration` and `jerk` of its position, in metres and seconds, `before` and `after`.
A pop has `joint`, `time` and `ratio`: its acceleration over twice the larger of the clip's and
the goals' own.";

/// `sinew bake`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
#[command(after_help = EXAMPLES, mut_arg("path", of_clip))]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// The motion to start from: `FILE:NAME`, or a clip of RIG by its name or number
    #[arg(value_name = "CLIP", index = 2)]
    pub(crate) clip: String,

    /// What joints do, and when: .json or .csv, as described below
    #[arg(long, value_name = "FILE")]
    pub(crate) goals: Option<PathBuf>,

    /// Keep a joint where the clip has it while other goals move the joints above it. Alone it changes nothing; `sinew plant`
    /// stops feet that slide. May be repeated
    #[arg(long = "keep", value_name = "JOINT", allow_hyphen_values = true)]
    pub(crate) keeps: Vec<String>,

    /// Frames per second [default: those of the clip]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,

    /// What to do when a target is out of reach, as in `sinew solve`. `soft` keeps elbows and knees slow near full reach, and
    /// ends short of it
    #[arg(long, value_name = "clamp|stretch|hold|soft", default_value = "clamp", allow_hyphen_values = true)]
    pub(crate) reach: String,

    /// Follow goals as far as possible even when a joint pops. Without it, goals give way there
    #[arg(long)]
    pub(crate) exact: bool,

    /// The method; `auto` serves each goal by its own limb
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    /// Write the file with the baked clip in place of the old one: .glb, .vrm or .gltf; of a .bvh all frames as .bvh
    #[arg(short, long, value_name = "OUT.glb")]
    pub(crate) output: Option<PathBuf>,

    /// Add the baked clip after the old one, under this name, instead of replacing it
    #[arg(long, value_name = "NAME")]
    pub(crate) beside: Option<String>,

    /// Leave the other clips out of the output
    #[arg(long)]
    pub(crate) still: bool,

    /// Draw a film strip of eight moments, with the clip pale behind: .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) picture: Option<PathBuf>,

    /// Draw the errors of the goals, and speed and jerk of their joints, over time: .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) curves: Option<PathBuf>,

    /// Exit with status 3 when a goal is missed while it holds fully, or a joint pops
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}
