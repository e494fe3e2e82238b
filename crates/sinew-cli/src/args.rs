//! What can be asked on the command line. Values such as `JOINT=X,Y,Z` stay text here: what a joint is
//! called is known only once the rig is loaded.

use std::path::PathBuf;

use clap::{Arg, Args, Command, Parser, Subcommand};

use crate::bake::args::BakeArgs;
use crate::choices::{BendChoice, Method, PlaneChoice, ViewChoice, YieldsChoice};
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
    /// Solve the same goals with every solver that can; print a table, draw the answers side by side
    Compare(CompareArgs),
    /// Solve goals over a clip; write the file with the baked clip, curves and a film strip
    Bake(BakeArgs),
    /// Let hair, ears and tails swing while the body moves; write an animated .glb and a film strip
    Simulate(SimulateArgs),
    /// Put the feet of a clip on a ground, so that they neither slide nor sink; write the file and a film strip
    Plant(PlantArgs),
    /// Make legs walk along a path over a ground; write an animated .glb and a film strip
    Walk(WalkArgs),
    /// Solve thousands of copies of a rig at once; print the times, draw them
    Crowd(CrowdArgs),
    /// Show the joints of a rig, what was recognised in it, and what will cause trouble
    Inspect(InspectArgs),
    /// Follow a table of frames with a robot's tip, without jumps; write the joint values
    Path(PathArgs),
    /// Find where a robot's tip can be; write the cells, draw them
    Reach(ReachArgs),
}

/// `sinew solve`
#[derive(Debug, Args)]
#[command(
    after_help = examples::SOLVE,
    mut_arg("path", or_robot),
    mut_arg("output", |arg| arg.help("Write the posed file: .glb, .vrm or .gltf; of a .bvh one frame as .bvh; of a robot its joint values as .csv or .json")),
    mut_arg("picture", |arg| arg.help("Draw the pose in front of the rest pose: .svg or .png")),
    mut_arg("still", |arg| {
        arg.help("Leave the animations of the file out of the output, since viewers play them instead of showing the pose")
    }),
)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// What to do when a target is out of reach. `clamp` straightens the limb or chain. `stretch` lengthens its bones, to 1.5
    /// times at most (`stretch:1.2` sets another limit). `hold` leaves it as it is. `soft` slows down before the limb is
    /// straight, so that from frame to frame the elbow moves at most 3 times as fast as the hand (`soft:2` sets another
    /// ratio). `soft,stretch` does the same and still reaches the target
    #[arg(long, value_name = "clamp|stretch|hold|soft", default_value = "clamp", allow_hyphen_values = true)]
    pub(crate) reach: String,

    /// The plane in which the first two of three links bend
    #[arg(long, value_enum, default_value_t = PlaneChoice::Pole)]
    pub(crate) plane: PlaneChoice,

    /// What gives way when three links cannot meet both: the tip's position or the last link's direction
    #[arg(long, value_enum, default_value_t = YieldsChoice::Direction)]
    pub(crate) yields: YieldsChoice,

    /// Where limbs without a pole bend
    #[arg(long, value_enum, default_value_t = BendChoice::Given)]
    pub(crate) bend: BendChoice,

    /// The method. `auto` takes `body` when a human was recognised and no option is for limbs or chains alone, else `limbs`; of
    /// a robot `serial`, or `jacobian` when that cannot serve the goals
    #[arg(long, value_enum, default_value_t = Method::Auto)]
    pub(crate) solver: Method,

    /// How many other poses to start from when a goal is missed (fabrik, ccd, serial, jacobian, whole) [default: the
    /// solver's own; 100 for robots]
    #[arg(long, value_name = "N")]
    pub(crate) restarts: Option<u32>,

    /// Joint values of a robot to start from, in degrees and metres, in the order of the file's joints: all of them, or those
    /// that the goals move [default: 0, or the middle of the range when 0 is outside it]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,

    /// Start from the pose of a clip at a time (seconds) instead of the rest pose: `NAME:TIME` or `FILE:NAME:TIME` as in
    /// `sinew bake`; TIME alone when the rig has one clip
    #[arg(long, value_name = "CLIP:TIME", allow_hyphen_values = true)]
    pub(crate) frame: Option<String>,

    /// What the root of the body does (mass-spring): `pinned` stays where it is, `pulled` moves against a spring (`pulled:3`
    /// is three times as stiff), `free` follows the goals. The root of a robot is `pinned` or `free` [default: pulled; of a
    /// robot pinned]
    #[arg(long, value_name = "pinned|pulled|free")]
    pub(crate) root: Option<String>,

    /// Keep the centre of mass over this joint, or over the area between several (mass-spring). Needs masses: `--limits
    /// preset` gives a human's
    #[arg(long = "stand", value_name = "JOINT")]
    pub(crate) stands: Vec<String>,

    /// Exit with status 3 when a goal is missed
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// What a verb writes and prints; the words are those of verbs that make a motion.
#[derive(Debug, Args)]
pub(crate) struct OutArgs {
    /// Write the file with the new motion as its first animation: .glb, .vrm or .gltf
    #[arg(short, long, value_name = "OUT.glb")]
    pub(crate) output: Option<PathBuf>,

    /// Draw a film strip of the motion: .svg or .png
    #[arg(long, value_name = "OUT.svg")]
    pub(crate) picture: Option<PathBuf>,

    /// Leave the other animations of the file out of the output
    #[arg(long)]
    pub(crate) still: bool,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}

/// RIG of a verb that takes robots, too.
fn or_robot(rig: Arg) -> Arg {
    rig.help(
        "A character (.gltf, .glb, .vrm), motion capture (.bvh) or a robot (.urdf); `-` for standard input [default: the built-in \
         human]",
    )
}

/// A rig that may be left out beside a clip. What is changed stands last, unless its place is told.
pub(crate) fn of_clip(rig: Arg) -> Arg {
    rig.index(1).help(
        "A character (.gltf, .glb, .vrm) or motion capture (.bvh); `-` for standard input [default: the body in the file of CLIP]",
    )
}

/// Options of goals in the first sentence of their help, where `solve` has the whole.
pub(crate) fn in_short(option: Arg) -> Arg {
    let goals = GoalArgs::augment_args(Command::new("goals"));
    let known = goals.get_arguments().find(|goal| goal.get_id() == option.get_id());
    let help = known.and_then(|goal| Some(goal.get_help()?.to_string()));
    let Some(help) = help else { return option };
    let first =
        help.split_once(". ").map_or(help.as_str(), |(first, _)| first).split(" [default").next().unwrap_or_default();
    option.help(first.to_owned()).help_heading("Goals (`sinew help solve` says more)")
}

/// Which rig, and how its joints are limited.
#[derive(Clone, Debug, Args)]
pub(crate) struct RigArgs {
    /// A character (.gltf, .glb, .vrm) or motion capture (.bvh); `-` for standard input [default: the built-in human]
    #[arg(value_name = "RIG")]
    pub(crate) path: Option<PathBuf>,

    /// Limits of the joints: `preset` for a human's limits, `none` for the file as it is, or a sidecar FILE [default: the
    /// sidecar beside the rig, such as hero.sinew.toml of hero.glb, if there is one]
    #[arg(long, value_name = "preset|none|FILE")]
    pub(crate) limits: Option<String>,

    /// The pose of a BVH file in which joints are recognised and from which goals are solved: `rest`, the number of a FRAME,
    /// or FILE, another BVH of the same joints [default: the rest pose if a person can stand so, else the frame nearest to
    /// standing]
    #[arg(long, value_name = "rest|FRAME|FILE")]
    pub(crate) reference: Option<String>,

    /// Views in pictures of a character, side by side; a film strip uses the first [default: three-quarter,side; of a film
    /// strip front or side, whichever shows more]
    #[arg(long = "view", value_enum, value_name = "VIEW,…", value_delimiter = ',')]
    pub(crate) views: Vec<ViewChoice>,
}

/// Goals for joints.
#[derive(Debug, Args)]
pub(crate) struct GoalArgs {
    /// Bring a joint to a position, at most once for each joint. Positions of characters may also be +X,Y,Z from where the
    /// joint starts, JOINT or JOINT+X,Y,Z from where another joint starts, or @LEFT,UP,AHEAD in body heights from the floor
    /// below the hips; those of robots are numbers. --pole and --aim take the same forms
    #[arg(long = "goal", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) goals: Vec<String>,

    /// Keep a joint where it starts, with its rotation. Solvers whole, jacobian and mass-spring keep the feet of a standing
    /// figure that have no goal; `none` lets them move
    #[arg(long = "keep", value_name = "JOINT")]
    pub(crate) keeps: Vec<String>,

    /// Put a foot down on the floor below where it starts, as level as at rest. The floor is the height of the lowest joint at
    /// the start
    #[arg(long = "plant", value_name = "JOINT")]
    pub(crate) plants: Vec<String>,

    /// Give a joint a rotation in scene space: a quaternion, roll, pitch and yaw in degrees, or `rest`. With --goal of the
    /// same joint both hold
    #[arg(long = "turn", value_name = "JOINT=QX,QY,QZ,QW", allow_hyphen_values = true)]
    pub(crate) turns: Vec<String>,

    /// How far a joint may stay from its target: along the axes of the target's frame (metres), and about them (degrees).
    /// For robots, and for --solver jacobian
    #[arg(long = "slack", value_name = "JOINT=X,Y,Z[,ROLL,PITCH,YAW]", allow_hyphen_values = true)]
    pub(crate) slacks: Vec<String>,

    /// The point toward which the elbow or knee of the limb bends
    #[arg(long = "pole", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) poles: Vec<String>,

    /// Point an axis of a joint (its forward axis, or --axis) at a position. With --goal of the same joint, point the last
    /// link of its limb. Neck and trunk of a recognised human rotate with the head, as far as people turn
    #[arg(long = "aim", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) aims: Vec<String>,

    /// Point the axis along a direction instead
    #[arg(long = "along", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) alongs: Vec<String>,

    /// The axis that --aim and --along point, in the joint's own frame [default: the one that points ahead of the body at
    /// rest; z of a robot's link]
    #[arg(long = "axis", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) axes: Vec<String>,

    /// The direction toward which the up side of the pointed joint turns
    #[arg(long = "up", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) ups: Vec<String>,

    /// Fix the angle between the second and the third bone of a limb of three (degrees)
    #[arg(long = "fold", value_name = "JOINT=DEGREES", allow_hyphen_values = true)]
    pub(crate) folds: Vec<String>,

    /// The first joint of the limb, or of the chain that aims. More than three bending joints above the goal's joint, the
    /// whole chain bends [default: that of the recognised arm, leg or finger, else the second bending joint above the goal's
    /// joint, the third for three links; a joint that aims does so alone]. Of a robot, the link that stands still and in whose
    /// frame targets are: LINK for all goals, or TIP=LINK for one
    #[arg(long = "base", value_name = "JOINT=JOINT", allow_hyphen_values = true)]
    pub(crate) bases: Vec<String>,

    /// Scale a joint and all below it, before the goals are solved; with --base the scale is shared by the joints from there
    #[arg(long = "scale", value_name = "JOINT=X,Y,Z", allow_hyphen_values = true)]
    pub(crate) scales: Vec<String>,

    /// How near counts as reached: metres, and degrees after a comma (0.1 when left out) [default: as near as rounding allows; for the frame of a
    /// robot's arm of fewer than six joints 1e-6 m and 1e-5 rad, when it can come no nearer]
    #[arg(long, value_name = "M[,DEGREES]", allow_hyphen_values = true)]
    pub(crate) tolerance: Option<String>,

    /// How far the goal is followed, from 0 (not at all) to 1 (the default)
    #[arg(long = "weight", value_name = "JOINT=W", allow_hyphen_values = true)]
    pub(crate) weights: Vec<String>,
}

/// `sinew compare`
#[derive(Debug, Args)]
#[command(after_help = examples::COMPARE, mut_arg("path", or_robot), mut_args(in_short))]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    #[command(flatten)]
    pub(crate) wanted: GoalArgs,

    /// How many other poses to start from when a goal is missed (fabrik, ccd, serial, jacobian, whole) [default: the
    /// solver's own; 100 for robots]
    #[arg(long, value_name = "N")]
    pub(crate) restarts: Option<u32>,

    /// Draw all answers side by side: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Print one JSON object: `rig`, `solvers` (each as `solve` prints it, with `moved_degrees` and `most_degrees`, or with
    /// `cannot` and the reason), `written`, `notes`
    #[arg(long)]
    pub(crate) json: bool,
}

/// `sinew inspect`
#[derive(Debug, Args)]
#[command(after_help = examples::INSPECT, mut_arg("path", or_robot))]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) rig: RigArgs,

    /// Draw the rig, with the names of its joints if there is room: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Write what was recognised to a sidecar, to be corrected there. It goes beside the rig unless FILE is named. An existing
    /// file is never replaced
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option, reason = "given, and given with a name")]
    pub(crate) write_sidecar: Option<Option<PathBuf>>,

    /// Print one JSON object: `rig`, `height`, `reference`, `body`, `up`, `forward`, `limits`, `limbs`, `joints`, `clips`,
    /// `advice`, `written`, `notes`; of a robot `rig`, `robot`, `base`, `mass`, `links`, `joints`, `coordinates`, `arms`, `written`, `notes`
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    /// Longer ones are wrapped, and an example that is wrapped cannot be copied.
    #[test]
    fn lines_of_examples_fit_the_page() {
        let command = Cli::command();
        let pages = command.get_subcommands().chain([&command]).filter_map(|command| command.get_after_help());
        let lines: Vec<String> =
            pages.flat_map(|page| page.to_string().lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        assert!(lines.len() > 100, "{}", lines.len());
        assert_eq!(lines.iter().find(|line| line.chars().count() > 100), None);
    }
}
