//! What can be asked on the command line. Values such as `JOINT=X,Y,Z` stay text here: what a joint is
//! called is known only once the rig is loaded.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use sinew_draw::Look;

use crate::bake::args::BakeArgs;
use crate::crowd::args::CrowdArgs;
use crate::examples;
use crate::path::args::PathArgs;
use crate::plant::args::PlantArgs;
use crate::reach::args::ReachArgs;
use crate::simulate::args::SimulateArgs;
use crate::walk::args::WalkArgs;

/// Inverse kinematics for characters and robots, from the shell.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = examples::TOUR, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,

    /// Let an output replace the file that is read
    #[arg(long, global = true)]
    pub(crate) force: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "made once")]
pub(crate) enum Verb {
    /// Move joints to goals; print how it went, write the posed file and a picture
    Solve(SolveArgs),
    /// Solve the same goals with every solver that can; print a table, draw all side by side
    Compare(CompareArgs),
    /// Solve goals over a clip; write the file with the baked clip, curves and a film strip
    Bake(BakeArgs),
    /// Let ears, tails and hair swing while the body moves; write an animated .glb and a film strip
    Simulate(SimulateArgs),
    /// Put a clip's feet on a ground, so that they neither slide nor sink; write the file with the clip and a film strip
    Plant(PlantArgs),
    /// Make legs walk along a path over a ground; write an animated .glb and a film strip
    Walk(WalkArgs),
    /// Solve thousands of copies of a rig at once; print the times, draw them
    Crowd(CrowdArgs),
    /// Show the joints of a rig, what it was recognised as, and what about it will cause trouble
    Inspect(InspectArgs),
    /// Follow frames from a table with a robot's tip, without jumps; write the joints' values
    Path(PathArgs),
    /// Find where a robot's tip can be; write it as a cloud of cells, draw it
    Reach(ReachArgs),
}

/// `sinew solve`
#[derive(Debug, Args)]
#[command(after_help = examples::SOLVE)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// What to do out of reach: `clamp` straightens the limb or chain, `stretch` lengthens its bones (to 1.5 times
    /// at most; `stretch:1.2` sets the limit), `hold` leaves it as it is; `soft` slows down before it is
    /// straight, so that over frames the elbow never moves more than 3 times as fast as the hand
    /// (`soft:2` sets the ratio), `soft,stretch` arrives all the same
    #[arg(long, value_name = "clamp|stretch|hold|soft", default_value = "clamp", allow_hyphen_values = true)]
    pub(crate) reach: String,

    /// Where the first two of three links bend: to the `pole`, or all three in one plane, to the side to which
    /// the last one points (`natural`) or to the other (`back`)
    #[arg(long, value_enum, default_value_t = PlaneChoice::Pole)]
    pub(crate) plane: PlaneChoice,

    /// What gives way where three links cannot do both: the tip's position or the last link's direction
    #[arg(long, value_enum, default_value_t = YieldsChoice::Direction)]
    pub(crate) yields: YieldsChoice,

    /// Where limbs without a pole bend: as in the pose given, which is the file's own (`given`), where a straight limb
    /// takes its preferred bend; or as the pose at rest alone says (`rest`)
    #[arg(long, value_enum, default_value_t = BendChoice::Given)]
    pub(crate) bend: BendChoice,

    /// The method; `auto` chooses
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    /// Other poses to start from where the first leaves goals unmet (fabrik, ccd, serial, jacobian, whole) [default: the
    /// solver's own; 100 for robots]
    #[arg(long, value_name = "N")]
    pub(crate) restarts: Option<u32>,

    /// Coordinates of a robot to start from, in degrees and metres, in the order of the file's joints: all, or those
    /// that the goals move; left out, 0, or the middle of the range where 0 lies outside
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,

    /// Solve from a clip's pose at a time, in seconds, instead of from rest: `NAME:TIME` or `FILE:NAME:TIME` as in `sinew bake`,
    /// TIME alone where the rig has one clip
    #[arg(long, value_name = "CLIP:TIME", allow_hyphen_values = true)]
    pub(crate) frame: Option<String>,

    /// What the body's root does with mass-spring: `pinned` stays where it is, `pulled` moves against a spring (`pulled:3`
    /// is three times as stiff), `free` follows the goals [default: pulled]. A robot's is pinned, or free
    #[arg(long, value_name = "pinned|pulled|free")]
    pub(crate) root: Option<String>,

    /// Keep the centre of mass over this joint, or over all named so (mass-spring); needs masses, as `--limits preset`
    /// gives them
    #[arg(long = "stand", value_name = "JOINT")]
    pub(crate) stands: Vec<String>,

    /// End with exit status 3 when a goal was missed
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// What a verb writes and prints.
#[derive(Debug, Args)]
pub(crate) struct OutArgs {
    /// Write the file with the new pose, or with the motion as its first animation (in place of the file's own that it was
    /// made from): .glb, .vrm or .gltf
    #[arg(short, long, value_name = "OUT.glb")]
    pub(crate) output: Option<PathBuf>,

    /// Draw the pose before the one at rest, or a film strip of the motion; .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) picture: Option<PathBuf>,

    /// Leave the file's animation clips out of the output: viewers play them instead of showing the pose
    #[arg(long)]
    pub(crate) still: bool,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which rig, and how its joints are limited.
#[derive(Debug, Args)]
pub(crate) struct RigArgs {
    /// A .gltf, .glb, .vrm or .bvh file, or a robot's .urdf; `-` for standard input; left out, the human built into sinew
    #[arg(value_name = "RIG")]
    pub(crate) path: Option<PathBuf>,

    /// Limits of the joints: `preset`, a human's, on whatever was recognised as one; `none`, the file as it is; or
    /// a sidecar FILE. Left out, the sidecar beside the rig (hero.sinew.toml of hero.glb) where there is one
    #[arg(long, value_name = "preset|none|FILE")]
    pub(crate) limits: Option<String>,

    /// The pose that a BVH file is recognised in, solved from and drawn pale in: `rest`, the number of a FRAME, or FILE, another
    /// BVH of the same joints. Left out, the rest pose where it is one, else the frame nearest to standing
    #[arg(long, value_name = "rest|FRAME|FILE")]
    pub(crate) reference: Option<String>,

    /// From where pictures of a character look, side by side, and film strips from the first [default: three-quarter,side; of a
    /// film strip front or side, whichever shows more]
    #[arg(long = "view", value_enum, value_name = "VIEW,…", value_delimiter = ',')]
    pub(crate) views: Vec<ViewChoice>,
}

/// `--view`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ViewChoice {
    /// From ahead of it
    Front,
    /// From its right
    Side,
    /// From behind it
    Back,
    /// From above
    Above,
    /// From ahead, aside and a little above
    ThreeQuarter,
}

impl ViewChoice {
    pub(crate) fn look(self) -> Look {
        match self {
            Self::Front => Look::Front,
            Self::Side => Look::Side,
            Self::Back => Look::Back,
            Self::Above => Look::Above,
            Self::ThreeQuarter => Look::ThreeQuarter,
        }
    }
}

/// What joints are to do.
#[derive(Debug, Args)]
pub(crate) struct GoalArgs {
    /// Bring a joint to a position; once a joint. Also +X,Y,Z from where the joint starts, JOINT or JOINT+X,Y,Z from where another
    /// starts, @LEFT,UP,AHEAD in shares of the body's height from the floor below its hips (as for --pole and --aim)
    #[arg(long = "goal", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) goals: Vec<String>,

    /// Keep a joint where it starts, with its rotation
    #[arg(long = "keep", value_name = "JOINT")]
    pub(crate) keeps: Vec<String>,

    /// Put a foot down below where it starts, as level as at rest; the floor is where the lowest joint starts
    #[arg(long = "plant", value_name = "JOINT")]
    pub(crate) plants: Vec<String>,

    /// Give a joint a rotation in scene space: a quaternion, or roll, pitch and yaw in degrees, or `rest`; with --goal
    /// of the same joint, both
    #[arg(long = "turn", value_name = "JOINT=QX,QY,QZ,QW", allow_hyphen_values = true)]
    pub(crate) turns: Vec<String>,

    /// How far a joint may stay from its target along each axis of the target's frame, in metres, and about it, in
    /// degrees: robots, and --solver jacobian
    #[arg(long = "slack", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) slacks: Vec<String>,

    /// The point toward which the limb's elbow or knee bends
    #[arg(long = "pole", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) poles: Vec<String>,

    /// Point a joint's axis (its forward, or --axis) at a position; with --goal of the same joint, the last
    /// link of its limb; neck and trunk of a recognised human rotate with the head, as far as people's do
    #[arg(long = "aim", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) aims: Vec<String>,

    /// Point it along a direction instead
    #[arg(long = "along", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) alongs: Vec<String>,

    /// The axis that is pointed, in the joint's own frame; left out, what points ahead of the body at rest; a robot's link's own z
    #[arg(long = "axis", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) axes: Vec<String>,

    /// The direction to which the pointed joint's up leans
    #[arg(long = "up", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) ups: Vec<String>,

    /// Fix the angle between the second and third link (degrees)
    #[arg(long = "fold", value_name = "JOINT=DEGREES", allow_hyphen_values = true)]
    pub(crate) folds: Vec<String>,

    /// The joint at which the goal's limb, or the chain that aims, begins; left out, that
    /// of the recognised arm, leg or finger, else the second bend above the goal's joint (the third with three links), and a joint
    /// aims alone. More than three bends up, the whole chain bends. Of a robot, the link that stands still
    /// and from which targets are measured, as LINK for all goals or TIP=LINK for one
    #[arg(long = "base", value_name = "JOINT=JOINT", allow_hyphen_values = true)]
    pub(crate) bases: Vec<String>,

    /// Scale a joint and all below it, before all else; spread over the joints from --base, where that is named
    #[arg(long = "scale", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) scales: Vec<String>,

    /// How near counts as reached: metres, and degrees after a comma (0.1). Left out, rounding; of a robot's frame on fewer than six joints 1e-6 m and 1e-5 rad, where it comes no nearer
    #[arg(long, value_name = "M[,DEGREES]", allow_hyphen_values = true)]
    pub(crate) tolerance: Option<String>,

    /// How far the goal is followed, from 0 (not at all) to 1
    #[arg(long = "weight", value_name = "JOINT=W", allow_hyphen_values = true)]
    pub(crate) weights: Vec<String>,
}

/// Methods by the names they have in benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// `body` where a human was recognised and nothing is asked that is for limbs or chains alone; else `limbs`. Of a robot
    /// `serial`, or `jacobian`
    Auto,
    /// Each goal by its own limb, as it was recognised; three links where --aim, --along or --fold says how the last one
    /// lies, or where --base is three bends above; more make a chain; else two bones
    Limbs,
    /// The closed form for limbs of two bones
    TwoBone,
    /// The closed form for limbs of three links: fingers, legs of beasts
    ThreeLink,
    /// Aims alone
    Aim,
    /// Forward and backward reaching, all goals together; any length of chain
    Fabrik,
    /// Cyclic coordinate descent, all goals together
    Ccd,
    /// All joints at once down the gradient (Levenberg–Marquardt), all goals together; every kind of goal
    Jacobian,
    /// The same by the transpose: simple, slow, smooth
    Transpose,
    /// The same by damped least squares
    Damped,
    /// The same by selectively damped least squares
    Selective,
    /// All goals together, in balance: joints are springs that bend as little as they must, and the body's root may
    /// move (--root)
    MassSpring,
    /// Chains of hinges and slides, such as robots' arms, in microseconds; goals that share joints together
    Serial,
    /// All goals together by the solver that suits them
    Whole,
    /// A human as a whole, posed as people hold themselves: hips, trunk, collar bones, elbows and knees follow the goals
    Body,
}

/// `--plane`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlaneChoice {
    /// To the pole, or as at rest
    Pole,
    /// In one plane, to the side to which the last link points
    Natural,
    /// In one plane, to the other side
    Back,
}

/// `--bend`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BendChoice {
    /// As in the pose given
    Given,
    /// As at rest
    Rest,
}

/// `--yields`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum YieldsChoice {
    /// The tip's position
    Position,
    /// The last link's direction
    Direction,
}

/// `sinew compare`
#[derive(Debug, Args)]
#[command(after_help = examples::COMPARE)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// Other poses to start from where the first leaves goals unmet (fabrik, ccd, serial, jacobian, whole) [default: the
    /// solver's own; 100 for robots]
    #[arg(long, value_name = "N")]
    pub(crate) restarts: Option<u32>,

    /// Draw all answers side by side; .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Print one JSON object: `rig`, `solvers` (each as `solve` prints it, with errors, `moved_degrees` and
    /// `evenness`), `written`
    #[arg(long)]
    pub(crate) json: bool,
}

/// `sinew inspect`
#[derive(Debug, Args)]
#[command(after_help = examples::INSPECT)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// Draw it with the names of its joints, where there is room: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Write what was recognised to a sidecar, a start for corrections; beside the rig unless FILE is named.
    /// A file that is there already is left alone
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option, reason = "given, and given with a name")]
    pub(crate) write_sidecar: Option<Option<PathBuf>>,

    /// Print one JSON object: `rig`, `height`, `reference`, `body`, `up`, `forward`, `limits`, `limbs`, `joints`, `advice`,
    /// `written`; of a robot, `rig`, `robot`, `base`, `mass`, `links`, `joints`, `coordinates`, `arms`, `notes`, `written`
    #[arg(long)]
    pub(crate) json: bool,
}

/// clap's complaint in one line.
pub(crate) fn misuse(usage: &clap::Error) -> anyhow::Error {
    let text = usage.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For "));
    let complaint = lines.filter(|line| !line.is_empty()).fold(String::new(), |complaint, line| {
        let between = if complaint.is_empty() {
            ""
        } else if complaint.ends_with(':') {
            " "
        } else {
            "; "
        };
        complaint + between + line
    });
    anyhow::anyhow!("{}; `sinew --help` shows what can be asked", complaint.trim_start_matches("error: "))
}
