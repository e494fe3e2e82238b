//! What can be asked of `sinew simulate`.

use clap::Args;

use crate::args::{GoalArgs, Method, OutArgs, RigArgs};

const EXAMPLES: &str = "\
The body moves (--move), its limbs solve their goals (--goal and so on, which hold throughout; --scale comes first),
then the chains swing after it. A VRM's own springs swing without --chain. The clip becomes the first of the file.

Examples:
  sinew simulate                                                         the built-in human's arms hang loose
  sinew simulate fox.glb --chain Tail01 --move stop -o out.glb --picture film.svg
  sinew simulate hero.vrm --move turn -o out.glb                         the file's own hair
  sinew simulate hero.glb --chain Ear.L=4,0.2 --chain Ear.R=4,0.2 --chain Hair01,Hair05=1.5 -o out.glb
  sinew simulate hero.glb --chain Braid --move Head=0.3,1.5,0.2@1 --move Head=0,1.6,0@2 --base Head=Spine -o out.glb
  sinew simulate hero.glb --chain Braid --move walk --collide Chest=0.12 --radius 0.02 --ground 0 -o out.glb
  sinew simulate hero.glb --scale Head=1.3 --goal LeftHand=0.3,1.2,0.4 --chain Braid --move still --json

With --json, one object on standard output: `rig`, `motion`, `frames`, `seconds`, `rate`, `gravity`, `chains` (each with its
`joints`, the largest swing from where it would be if it were stiff, `swing_degrees`, that at the end, `end_degrees`,
the largest length of a bone over its own, `stretch`, and `calm_after`, in seconds, null where its tip still moves by
more than a hundredth of its length), `jumps`, `goals`, `written`, `notes`.";

/// `sinew simulate`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SimulateArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// A chain that swings, from BASE to TIP, or with everything below BASE. FREQ is how often it swings in a second
    /// by itself (2; 0 is loose as a rope), DAMPING the share of what would stop it without swinging back (0.15).
    /// Repeat it for more; left out, the springs of the file
    #[arg(long = "chain", value_name = "BASE[,TIP][=FREQ[,DAMPING]]", allow_hyphen_values = true)]
    pub(crate) chains: Vec<String>,

    /// How the body moves: `still`, `sway` (the default), `turn`, `hop`, `walk`, `stop` (runs, then stops dead), or
    /// a joint to a position by a time (left out, a second after the one before). Repeat it for more
    #[arg(long = "move", value_name = "HOW|JOINT=X,Y,Z[@SECONDS]", allow_hyphen_values = true)]
    pub(crate) moves: Vec<String>,

    /// Length of the clip
    #[arg(long, value_name = "S", default_value_t = 4.0, allow_negative_numbers = true)]
    pub(crate) seconds: f64,

    /// Frames a second in the clip; the simulation itself takes steps of 1/240 s, whatever the rate
    #[arg(long, value_name = "N", default_value_t = 30.0, allow_negative_numbers = true)]
    pub(crate) rate: f64,

    /// Seconds that the chains have to settle before the clip begins; left out, 3, but none with `still`
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) settle: Option<f64>,

    /// Gravity; left out, 9.81 m/s² down, or 981 where a rig higher than 10 m tells of centimetres. The springs of
    /// a file have pulls of their own instead
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) gravity: Option<String>,

    /// Velocity of the air; it then damps the chains in place of their own damping
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) wind: Option<String>,

    /// How long bones may become, as a share of their length, on springs twice as fast as the chain's
    #[arg(long, value_name = "RATIO", allow_negative_numbers = true)]
    pub(crate) stretch: Option<f64>,

    /// Stretched bones become thinner: a scale instead of a longer distance
    #[arg(long, requires = "stretch")]
    pub(crate) squash: bool,

    /// Ends of bones stay above this height
    #[arg(long, value_name = "HEIGHT", allow_negative_numbers = true)]
    pub(crate) ground: Option<f64>,

    /// Ends of bones stay out of a capsule along the joint's bone
    #[arg(long = "collide", value_name = "JOINT=RADIUS", allow_hyphen_values = true)]
    pub(crate) colliders: Vec<String>,

    /// Radius of ends of bones against ground and colliders
    #[arg(long, value_name = "R", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) radius: f64,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// The method for the goals; `auto` chooses for each
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}
