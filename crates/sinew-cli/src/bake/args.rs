//! What can be asked of `sinew bake`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{Method, RigArgs};

const EXAMPLES: &str = "\
CLIP is FILE:NAME, where NAME is a clip's name, a part of it that no other has, or its number from 0; FILE alone where it has
one clip; or NAME alone, of RIG. FILE is RIG itself, or a .bvh or .glb of a body
alike, or whose joints have the same names. Every frame is solved from the clip's own pose.

GOALS.json: what joints do, and when; each key is met at its time, and between keys goals go smoothly.
  { \"ease\": 0.25, \"goals\": [
    { \"joint\": \"LeftHand\", \"keys\": [ { \"time\": 0.5, \"position\": [0.3, 1.2, 0.4] },
                                   { \"time\": 1.5, \"position\": [0.3, 1.4, 0.4], \"weight\": 0.5 } ] },
    { \"joint\": \"Hips\", \"keys\": [ { \"time\": 0, \"offset\": [0, -0.1, 0] } ], \"until\": 2 },
    { \"joint\": \"LeftFoot\", \"keep\": true },
    { \"joint\": \"Head\", \"base\": \"Spine\", \"axis\": [0, 0, 1], \"keys\": [ { \"time\": 1, \"look\": [1, 1.6, 3] } ] } ] }
A goal has `joint`, `keys` or `keep`, and if wanted `base`, where its limb or its aiming chain begins; `axis` and `up` of what
looks (left out, what points ahead of the body at rest); `from` and `until`, seconds between which it holds (left out, from its first key to its last; of `keep`, throughout);
`ease`, seconds in which it comes before and goes after that (left out, the file's `ease`, or else as long as it takes, 0.25 to 1).
A key has `time`
and of `position`, `offset` (from where the clip has the joint), `rotation` (x, y, z, w, or roll, pitch, yaw in degrees), `look`
(a place), `pole` (a place) and `weight` (0 to 1) what every key of the goal has. A position or offset of a root, or of hips right below it, carries the whole body.
Times are the clip's, in seconds; places are in the file's scene space.

GOALS.csv: the same as lines, a key each, under joint,time,goal,x,y,z or joint,time,goal,x,y,z,w,weight, where `goal` is
position, offset, rotation, look or keep (x, y, z empty; two lines of keep are its beginning and end).
  joint,time,goal,x,y,z
  LeftHand,0.5,position,0.3,1.2,0.4
  LeftFoot,,keep,,,

Examples:
  sinew bake fox.glb fox.glb:Walk --goals goals.json -o out.glb
  sinew bake hero.glb Walk --goals goals.json --beside 'Walk, waving' -o out.glb --curves curves.svg
  sinew bake hero.glb 2 --goals goals.csv --keep LeftFoot --keep RightFoot --picture film.svg --json
  sinew bake walk.bvh walk.bvh --goals goals.json -o out.bvh
  sinew bake hero.glb walk.bvh --keep LeftFoot --keep RightFoot -o walking.glb      onto another body

With --json, one object on standard output: `rig`, `clip`, `frames`, `rate`, `start`, `end`, `goals` (each with `joint`, `solver`, `gave_way`
(`from`, `until`, `distance`; null where it did not), `frames` in which it holds wholly, of these `reached`, `worst_position_error`, `worst_rotation_error`, `worst_time`, and `ease`, the
seconds in which it comes and in which it goes), `joints` that
changed (each with the largest `speed`, `acceleration` and `jerk` of its place, in m/s and so on, `before` and `after`), `pops`
(`joint`, `time`, `ratio`: acceleration over twice the larger of the clip's and the goals' own), `written`, `notes`.";

/// `sinew bake`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct BakeArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// The motion to start from: `FILE:NAME`, or a clip of RIG by its name or number
    #[arg(value_name = "CLIP")]
    pub(crate) clip: String,

    /// What joints do, and when: .json or .csv, as shown below
    #[arg(long, value_name = "FILE")]
    pub(crate) goals: Option<PathBuf>,

    /// Hold a joint where the clip has it, whatever becomes of the joints above. Repeat it for more
    #[arg(long = "keep", value_name = "JOINT", allow_hyphen_values = true)]
    pub(crate) keeps: Vec<String>,

    /// Frames a second; left out, those of the clip
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) rate: Option<f64>,

    /// What to do out of reach, as in `sinew solve`; `soft` keeps elbows and knees slow near full reach, and ends short of it
    #[arg(long, value_name = "clamp|stretch|hold|soft", default_value = "clamp", allow_hyphen_values = true)]
    pub(crate) reach: String,

    /// Follow goals wherever they can be followed, even where a joint pops; left out, goals give way there
    #[arg(long)]
    pub(crate) exact: bool,

    /// The method; `auto` chooses for each goal
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    /// Write the file with the baked clip in place of the old one: .glb, .vrm or .gltf; of a .bvh all frames as .bvh
    #[arg(short, long, value_name = "OUT.glb")]
    pub(crate) output: Option<PathBuf>,

    /// Put the baked clip behind the old one, under this name, instead of in its place
    #[arg(long, value_name = "NAME")]
    pub(crate) beside: Option<String>,

    /// Leave the other clips out of the output
    #[arg(long)]
    pub(crate) still: bool,

    /// Draw a film strip of eight moments, the clip pale behind; .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) picture: Option<PathBuf>,

    /// Draw the goals' errors, and speed and jerk of their joints, as curves over time; .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) curves: Option<PathBuf>,

    /// End with exit status 3 when a goal was missed where it holds wholly, or a joint pops
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}
