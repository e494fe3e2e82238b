//! Robots in `sinew compare`.

use anyhow::Result;
use serde_json::Value;
use sinew::Pose;
use sinew::glam::DVec3;
use sinew_draw::Picture;

use super::solve::{self, Solved};
use super::{Machine, picture, report, request};
use crate::args::{CompareArgs, Method};
use crate::compare::{Subject, TOGETHER};
use crate::run::Run;
use crate::solve::Written;

impl Subject for Machine {
    fn title(&self) -> &str {
        &self.title
    }

    fn notes(&self) -> Vec<String> {
        self.notes()
    }

    fn methods(&self) -> Vec<(&'static str, Method)> {
        [("serial", Method::Serial)].into_iter().chain(TOGETHER).collect()
    }

    fn start(&self) -> Pose {
        self.home()
    }

    fn solve<'a>(&'a self, args: &CompareArgs, method: Method) -> Result<Box<dyn Fn() -> Run + 'a>> {
        let goals = request::read(self, &args.wanted)?;
        let (name, settings) = request::settings(self, &goals, method, args.restarts)?;
        let (asked, start) = (request::asked(self, &goals, name), self.home());
        Ok(Box::new(move || {
            let run = Run::from(self.skeleton(), start.clone(), &asked, request::solver(self, settings, &asked));
            run.within(|goal| request::near(self, goal))
        }))
    }

    fn solved(&self, run: &Run) -> Value {
        let goals: Vec<_> = run.ends.iter().map(|end| end.asked.goal).collect();
        let solved = Solved { run: run.clone(), start: self.home(), moving: solve::moving(self, &goals) };
        report::object(self, &solved, &Written::default())
    }

    fn picture<'a>(&'a self, run: &'a Run) -> Picture<'a> {
        let marks = run.ends.iter().filter_map(|end| picture::mark(self, &run.pose, end)).collect();
        Picture { marks, up: DVec3::Z, forward: DVec3::X, ..Picture::new(self.skeleton(), &run.pose) }
    }
}
