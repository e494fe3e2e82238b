//! What can be asked of `sinew simulate`.

use clap::Args;

use crate::args::{GoalArgs, OutArgs, RigArgs, in_short};
use crate::choices::Method;

const EXAMPLES: &str = "\
The body moves (--move), its limbs solve their goals (--goal and so on, which hold throughout;
--scale comes first), then the chains swing after it. A VRM's own springs swing without --chain.
The clip becomes the first of the file.

Examples:
  sinew simulate   the built-in human's arms hang loose
  sinew simulate fox.glb --chain Tail01 --move stop -o out.glb --picture film.svg
  sinew simulate hero.vrm --move turn -o out.glb                         the file's own hair
  sinew simulate hero.glb --chain Ear.L=4,0.2 --chain Ear.R=4,0.2 --chain Hair01,Hair05=1.5 \\
                 -o out.glb
  sinew simulate hero.glb --chain Braid --move Head=0.3,1.5,0.2@1 --move Head=0,1.6,0@2 \\
                 --base Head=Spine -o out.glb
  sinew simulate hero.glb --chain Braid --move walk --collide Chest=0.12 --radius 0.02 \\
                 --ground 0 -o out.glb
  sinew simulate hero.glb --scale Head=1.3 --goal LeftHand=0.3,1.2,0.4 --chain Braid \\
                 --move still --json

With --json, one object on standard output: `rig`, `motion`, `frames`, `seconds`, `rate`,
`gravity`, `chains` (each with its `joints`, the largest swing from where it would be if it were
stiff, `swing_degrees`, that at the end, `end_degrees`, the largest length of a bone over its
own, `stretch`, and `calm_after`, in seconds, null where its tip still moves by more than a
hundredth of its length), `jumps` (frames in which the body jumped, and the chains
were carried along), `goals`, `written`, `notes`.";

/// `sinew simulate`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_args(in_short))]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// A chain that swings: the joints from BASE to TIP, or all from BASE down. A recognised limb, such as tail or 'left wing',
    /// swings whole. FREQ is its own frequency in hertz (2 when left
    /// out; 0 hangs as loose as a rope), DAMPING the damping ratio (0.15 when left out; 1 does not swing back). May be
    /// repeated [default: the springs of the file]
    #[arg(long = "chain", value_name = "BASE[,TIP][=FREQ[,DAMPING]]", allow_hyphen_values = true)]
    pub(crate) chains: Vec<String>,

    /// How the body moves: `still`, `sway` (the default), `turn`, `hop`, `walk`, `stop` (runs and stops at once), or a joint
    /// that goes to a position by a time (one second after the last one when left out). May be repeated
    #[arg(long = "move", value_name = "HOW|JOINT=X,Y,Z[@SECONDS]", allow_hyphen_values = true)]
    pub(crate) moves: Vec<String>,

    /// Length of the clip in seconds
    #[arg(long, value_name = "S", default_value_t = 4.0, allow_negative_numbers = true)]
    pub(crate) seconds: f64,

    /// Frames per second of the clip. The simulation takes steps of 1/240 s at any rate
    #[arg(long, value_name = "N", default_value_t = 30.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,

    /// Seconds in which the chains settle before the clip begins [default: 3; 0 with --move still]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) settle: Option<f64>,

    /// Gravity [default: 9.81 m/s² down; 981 when the rig is more than 30 m high, which suggests centimetres]. The springs of a
    /// file have their own
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) gravity: Option<String>,

    /// Velocity of the air. The air then damps the chains, in place of their own damping
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) wind: Option<String>,

    /// How long bones may become, as a multiple of their length; they stretch on springs of twice the chain's frequency
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    pub(crate) stretch: Option<f64>,

    /// Stretched bones become thinner: they are scaled instead of moved apart
    #[arg(long, requires = "stretch")]
    pub(crate) squash: bool,

    /// The ends of bones stay above this height
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true)]
    pub(crate) ground: Option<f64>,

    /// The ends of bones stay out of a capsule along the bone of this joint
    #[arg(long = "collide", value_name = "JOINT=RADIUS", allow_hyphen_values = true)]
    pub(crate) colliders: Vec<String>,

    /// Radius of the ends of bones against ground and capsules
    #[arg(long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) radius: f64,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// The method for the goals; `auto` serves each goal by its own limb
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}
