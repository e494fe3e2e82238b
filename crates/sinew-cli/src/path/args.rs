//! What can be asked of `sinew path`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
FRAMES.csv begins with a line of names: x, y, z (metres, in the frame of the base link), and for
a rotation of the tip either qx, qy, qz, qw (a quaternion of any length) or roll, pitch, yaw
(degrees, about the fixed axes x, y, z in this order, as in URDF). A column named time is copied
to the output. Lines that begin with # are ignored.

A circle of 0.1 m in 200 steps, the tool pointing down:
  awk 'BEGIN { print \"x,y,z,qx,qy,qz,qw\"; for (i = 0; i <= 200; i++) { a = i * 0.0314159265;
    printf \"%.6f,%.6f,0.3,1,0,0,0\\n\", 0.4 + 0.1 * cos(a), 0.1 * sin(a) } }' > circle.csv
The same in Python:
  from math import cos, sin, tau
  points = [(0.4 + 0.1 * cos(i * tau / 200), 0.1 * sin(i * tau / 200)) for i in range(201)]
  rows = ['x,y,z,qx,qy,qz,qw'] + [f'{x},{y},0.3,1,0,0,0' for x, y in points]
  open('circle.csv', 'w').write('\\n'.join(rows))

Examples:
  sinew path ur5e.urdf circle.csv --tip tool0 -o joints.csv
  sinew path ur5e.urdf circle.csv --tip tool0 -o joints.csv --picture film.png --curves joints.png
  sinew path ur5e.urdf circle.csv --tip tool0 --seed 0,-90,90,-90,-90,0 --step 3 --strict
  sinew path panda.urdf seam.csv --tip panda_hand --base panda_link0 --json

JOINTS.csv has one line for each frame: the time if given, a column for each joint that moves
the tip in the order of the file (radians, metres for slides; mimic joints have none), then
`jump` (1 when no motion within --step was found from the frame before), `status`, and the
`position_error` (metres) and `rotation_error` (radians) of these values. Frames that were missed
have the values within --step of the line before that come nearest: do not send them to a robot.
Their `status` says why: limited (joints are at their ends), out_of_reach (the arm is too short),
stalled or out_of_iterations (no pose was found).

With --json, one object on standard output: `rig`, `robot`, `base`, `tip`, `joints`, `frames`,
`reached`, `largest_step` (`joint`, `frame`, `change`, between reached frames; null where there
are none), `jumps` (`frame`, `line`, `joint`, `change`), `missed` (`frame`, `line`, `status`,
`position_error`, `rotation_error`, `blocking`), `written`, `notes`. Frames count from 1. Exit
status: 0 when it ran; 3 with --strict when a frame was missed or the arm jumps; 1 for bad
input.";

/// `sinew path`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, override_usage = "sinew path [OPTIONS] <URDF> <FRAMES.csv>")]
pub(crate) struct PathArgs {
    /// The robot's file
    #[arg(value_name = "URDF")]
    pub(crate) robot: PathBuf,

    /// The frames that its tip should take, one after another
    // Optional to clap alone: a file that is no robot's gets its advice first.
    #[arg(value_name = "FRAMES.csv")]
    pub(crate) frames: Option<PathBuf>,

    /// Write the joint values, one line for each frame
    #[arg(short, long, value_name = "JOINTS.csv")]
    pub(crate) output: Option<PathBuf>,

    /// The link that follows the frames [default: the last link, if there is only one]
    #[arg(long, value_name = "LINK")]
    pub(crate) tip: Option<String>,

    /// The link that stands still, in whose frame positions are [default: the root]
    #[arg(long, value_name = "LINK")]
    pub(crate) base: Option<String>,

    /// Joint values to be near in the first frame, in the order of the file's joints (degrees, metres for slides) [default: 0, or
    /// the middle of the range when 0 is outside it]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,

    /// Largest change of a joint from frame to frame, in degrees; more is a jump. For a slide 573 degrees count as a metre, so
    /// that the default is 0.1 m
    #[arg(long, value_name = "DEGREES", default_value_t = 5.73, allow_negative_numbers = true)]
    pub(crate) step: f64,

    /// How near counts as reached: metres, and degrees after a comma [default: 1e-6 m and 1e-6 rad; with fewer than six joints
    /// 1e-5 rad]
    #[arg(long, value_name = "M[,DEGREES]", allow_hyphen_values = true)]
    pub(crate) tolerance: Option<String>,

    /// Draw the arm at some moments with the path of its tip: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) picture: Option<PathBuf>,

    /// Draw the joint values as curves: .svg or .png
    #[arg(long, value_name = "OUT.png")]
    pub(crate) curves: Option<PathBuf>,

    /// Exit with status 3 when a frame is missed or the arm jumps
    #[arg(long)]
    pub(crate) strict: bool,

    /// Print one JSON object instead of a report
    #[arg(long)]
    pub(crate) json: bool,
}
