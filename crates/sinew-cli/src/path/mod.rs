//! `sinew path`: frames in, joint values without jumps out, and where that cannot be, and why.

pub(crate) mod args;
mod draw;
mod frames;
mod report;

use std::cell::OnceCell;

use anyhow::{Context as _, Result, ensure};
use csv::Writer;
use sinew::glam::DVec3;
use sinew::{Pose, Status};
use sinew_arm::{Arm, IkSolution, PathOptions, PoseTarget, Serial, Trajectory};

use crate::output::{self, Written};
use crate::robot::arm::RobotArm;
use crate::robot::{request, seed};
use crate::{Ending, input, picture, progress, value};

use args::PathArgs;
use frames::Frame;

/// Frames from which a sign of life is shown.
const MANY: usize = 1000;

/// The way through the frames.
struct Way {
    robot: RobotArm,
    frames: Vec<Frame>,
    /// The robot before the first frame.
    start: Pose,
    followed: Trajectory,
    /// The arm without limits; made when it is first asked for.
    free: OnceCell<Option<Arm>>,
}

/// A change of one coordinate from a frame to the next.
#[derive(Clone, Copy, Debug)]
struct Change {
    coordinate: usize,
    /// The frame after it.
    frame: usize,
    by: f64,
}

impl Way {
    /// The arm's coordinates in a frame.
    fn at(&self, frame: usize) -> &[f64] {
        let count = self.robot.arm.coordinates().len();
        &self.followed.coordinates[frame * count..][..count]
    }

    fn is_missed(&self, frame: usize) -> bool {
        self.followed.missed_at(frame).is_some()
    }

    /// What the path says of a frame, with the reason where it was missed.
    fn status(&self, frame: usize) -> Status {
        self.followed.missed_at(frame).map_or(Status::Reached, |missed| missed.nearest.status)
    }

    /// Whether the search finds no pose for a frame of an arm without limits either.
    fn is_missed_without_limits(&self, frame: usize) -> bool {
        let free = self.free.get_or_init(|| self.robot.without_limits());
        let asked = &self.frames[frame].asked;
        let solve = |arm: &Arm| arm.solve(asked, self.at(frame), &Serial::default(), &mut self.at(frame).to_vec());
        free.as_ref().is_some_and(|arm| solve(arm).status != Status::Reached)
    }

    /// What is left of a frame where the arm stands.
    fn left(&self, frame: usize) -> IkSolution {
        let measured = || {
            let blind = Serial { iterations: 0, restarts: 0, ..Serial::default() };
            self.robot.arm.solve(&self.frames[frame].asked, self.at(frame), &blind, &mut self.at(frame).to_vec())
        };
        self.followed.missed_at(frame).map_or_else(measured, |missed| missed.left)
    }

    /// The largest change of a coordinate into a frame that is not the first.
    fn change(&self, frame: usize) -> Change {
        let (before, after) = (self.at(frame - 1), self.at(frame));
        let changes = self.robot.arm.coordinates().iter().enumerate().map(|(place, &coordinate)| {
            let by = (after[place] - before[place]).abs();
            Change { coordinate, frame, by }
        });
        changes.max_by(|a, b| a.by.total_cmp(&b.by)).expect("an arm has coordinates")
    }

    /// The largest of all between frames that are reached.
    fn largest_step(&self) -> Option<Change> {
        let frames = (1..self.frames.len()).filter(|&frame| !self.is_missed(frame - 1) && !self.is_missed(frame));
        frames.map(|frame| self.change(frame)).max_by(|a, b| a.by.total_cmp(&b.by))
    }
}

/// Runs the verb.
pub(crate) fn run(args: &PathArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    picture::check_as("--curves", args.curves.as_deref())?;
    let step = args.step;
    ensure!(step > 0.0 && step.is_finite(), "--step {step:?}: write how far a joint may go, such as --step 6");
    input::check_robot("path", &args.robot)?;
    let frames = args
        .frames
        .as_deref()
        .context("FRAMES.csv is missing; name a table of frames, as `sinew help path` shows one")?;
    let mut frames = frames::read(frames)?;
    let robot = RobotArm::load(&args.robot, args.base.as_deref(), "--tip", args.tip.as_deref())?;
    let moving: Vec<usize> = robot.order().into_iter().map(|(coordinate, _)| coordinate).collect();
    let (start, notes) = seed::read(&robot.machine, args.seed.as_deref(), &moving)?;
    let told = args.tolerance.as_deref().map(value::tolerance).transpose()?;
    if let Some(near) = told.or((moving.len() < 6).then_some(request::NEAR)) {
        for frame in &mut frames {
            frame.asked.tolerance = near;
        }
    }
    let way = follow(robot, frames, start, step.to_radians(), args.json);
    let mut written = write(&way, args)?;
    written.notes.extend(way.robot.machine.notes());
    written.notes.extend(notes);
    output::tell(
        args.json,
        &way.robot.machine.title,
        &written,
        || report::Followed::of(&way),
        || report::page(&way, args.output.is_some()),
    )?;
    let is_fine = way.followed.missed.is_empty() && way.followed.jumps.is_empty();
    Ok(if args.strict && !is_fine { Ending::Missed } else { Ending::Fine })
}

fn follow(robot: RobotArm, frames: Vec<Frame>, start: Pose, step: f64, hidden: bool) -> Way {
    let asked: Vec<PoseTarget> = frames.iter().map(|frame| frame.asked).collect();
    let sign = progress::spinner("following", frames.len(), "frames", hidden || frames.len() < MANY);
    let followed = robot.arm.path(&asked, &robot.coordinates(&start), &PathOptions { step, ..PathOptions::default() });
    sign.finish_and_clear();
    Way { robot, frames, start, followed, free: OnceCell::new() }
}

fn write(way: &Way, args: &PathArgs) -> Result<Written> {
    let mut written = Written::default();
    if let Some(path) = &args.output {
        output::save(path, &table(way)?)?;
        written.files.push(output::whole_path(path));
    }
    if let Some(path) = &args.picture {
        let poses = draw::poses(way);
        picture::save_strip(&draw::strip(way, &poses), path).map(|file| written.files.push(file))?;
    }
    if let Some(path) = &args.curves {
        let (svg, png) = (|| draw::curves(way), || draw::curves_as_pixels(way));
        written.files.push(picture::save_as(path, png, svg)?);
    }
    Ok(written.or_hint(
        "-o JOINTS.csv writes the joints' values, --picture OUT.png a film strip, --curves OUT.png the joints' curves",
    ))
}

/// The table of `-o`.
fn table(way: &Way) -> Result<Vec<u8>> {
    let mut table = Writer::from_writer(Vec::new());
    let order = way.robot.order();
    let time = way.frames.iter().any(|frame| frame.time.is_some()).then_some("time");
    let status = ["jump", "status", "position_error", "rotation_error"];
    table.write_record(time.into_iter().chain(way.robot.names()).chain(status))?;
    for (number, frame) in way.frames.iter().enumerate() {
        let time = frame.time.as_ref().map(|time| time.0.clone());
        let values = order.iter().map(|&(_, place)| decimal(way.at(number)[place]));
        let jump = u8::from(way.followed.jumps.binary_search(&number).is_ok()).to_string();
        let left = way.left(number);
        let lengths = [left.position, left.rotation].map(DVec3::length).map(|left| format!("{left:.2e}"));
        let status = [jump, way.status(number).name().to_owned()];
        table.write_record(time.into_iter().chain(values).chain(status).chain(lengths))?;
    }
    Ok(table.into_inner()?)
}

/// A number with all its digits, and no long row of zeros before them.
fn decimal(number: f64) -> String {
    if number == 0.0 || number.abs() >= 1e-4 { number.to_string() } else { format!("{number:e}") }
}
