//! What verbs work on, behind one face: a character or a robot.

use std::path::Path;

use anyhow::Result;
use sinew::{Joint, Pose, Skeleton};

use crate::args::{CompareArgs, SolveArgs};
use crate::choices::Method;
use crate::json::{GoalName, Posed};
use crate::place::Measures;
use crate::run::{GoalEnd, Run, Task};
use crate::text;

/// A character or a robot.
pub(crate) trait Subject {
    fn skeleton(&self) -> &Skeleton;

    /// The joint or link that the text means. The error is half a line, to be put behind the option's.
    fn find(&self, wanted: &str) -> Result<Joint>;

    /// What positions are measured from that are not the scene's; robots have none.
    fn measures(&self) -> Option<Measures<'_>> {
        None
    }

    /// What the joint or link is called in reports.
    fn label(&self, joint: Joint) -> String;

    /// A length with its unit.
    fn length(&self, length: f64) -> String {
        text::length(length)
    }

    /// The path as it was given.
    fn title(&self) -> &str;

    /// The robot's own name; a character has none.
    fn robot(&self) -> Option<&str> {
        None
    }

    /// What is to be said of it whatever is done with it.
    fn notes(&self) -> Vec<String>;

    /// The methods that `compare` tries, with what its table calls them.
    fn methods(&self) -> Vec<(&'static str, Method)>;

    /// What `solve` is asked; an error where an option means nothing here.
    fn task(&self, args: &SolveArgs) -> Result<Task>;

    /// What `compare` is asked, by one method.
    fn task_by(&self, args: &CompareArgs, method: Method) -> Result<Task>;

    /// Says so before anything is done where `--output` names no format that holds its pose.
    fn check_output(&self, path: Option<&Path>) -> Result<()>;

    /// Writes its pose; what is to be said about it.
    fn write_pose(&self, run: &Run, path: &Path, still: bool) -> Result<Vec<String>>;

    /// Draws a solve; the whole path of the file.
    fn draw(&self, run: &Run, path: &Path) -> Result<String>;

    /// Draws answers side by side, each under its caption; the whole path of the file.
    fn draw_all(&self, title: String, runs: &[(String, &Run)], path: &Path) -> Result<String>;

    /// Moves what hangs on nothing that was solved and still belongs to it; a robot has none.
    fn bring_along(&self, run: &mut Run) {
        let _ = run;
    }

    /// What its goals are called, and what else is told of one.
    fn goal_name(&self, end: &GoalEnd, pose: &Pose) -> GoalName;

    /// The joints whose limits kept a goal from being met.
    fn blocking(&self, end: &GoalEnd) -> Vec<String> {
        end.blocking.iter().map(|&joint| self.label(joint)).collect()
    }

    /// Why a goal out of reach is so, where that is not plain; behind how short it was.
    fn shortness(&self, _run: &Run, _end: &GoalEnd) -> &'static str {
        ""
    }

    /// Its pose after a solve, for programs.
    fn posed(&self, run: &Run) -> Posed;

    /// The same for people, below the goals; nothing for a character.
    fn pose_page(&self, run: &Run) -> String {
        let _ = run;
        String::new()
    }
}
