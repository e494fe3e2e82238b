//! A character in `solve` and `compare`: what is asked of it, and what became of it.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use sinew::solve::mass_spring::{Balance, Root};
use sinew::{Goal, Joint, Pose, Skeleton, Solver, Status, Workspace};
use sinew_draw::{Look, Picture, Strip};
use sinew_rig::{Body, LimbKind, Part, Role};

use crate::args::{CompareArgs, GoalArgs, SolveArgs};
use crate::choices::Method;
use crate::json::{GoalName, JointObject, Local, Placed, Posed};
use crate::place::Measures;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::run::{GoalEnd, Run, Task};
use crate::served::{Served, Settings};
use crate::subject::Subject;
use crate::{compare, joint_ref, legs, picture, report, request, text, value};

impl Subject for Rig {
    fn skeleton(&self) -> &Skeleton {
        self.skeleton()
    }

    fn find(&self, wanted: &str) -> Result<Joint> {
        joint_ref::find(self, wanted)
    }

    fn measures(&self) -> Option<Measures<'_>> {
        Some(Measures { start: self.start(), body: self.axes() })
    }

    fn label(&self, joint: Joint) -> String {
        self.label(joint)
    }

    fn length(&self, length: f64) -> String {
        self.length(length)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn notes(&self) -> Vec<String> {
        self.notes()
    }

    fn methods(&self) -> Vec<(&'static str, Method)> {
        [("limb by limb", Method::Limbs), ("body", Method::Body)].into_iter().chain(compare::TOGETHER).collect()
    }

    fn task(&self, args: &SolveArgs) -> Result<Task> {
        if let Some(seed) = &args.seed {
            let seed = text::short_name(seed);
            bail!("--seed {seed}: coordinates are a robot's; a character starts as it is in its file");
        }
        let settings = Settings::of(args, value::reach(&args.reach)?, root(args)?);
        let (settings, mut goals) = asked(self, args, settings)?;
        // A body in balance has its feet told.
        let kept = if args.stands.is_empty() { keep_feet(self, &args.wanted, settings, &mut goals) } else { None };
        let body: Option<Box<dyn Solver>> = match balance(self, args)? {
            Some(balance) => Some(Box::new(settings.springs(Some(balance)))),
            None => settings.body(self)?,
        };
        // A frame of a clip is where it starts, but not what it was recognised in.
        let as_what = if self.starts_at_rest() { "starts from" } else { "recognised in" };
        let reference = self.figure.reference().map(|pose| format!("{as_what} {}", text::one_line(pose)));
        Ok(Task::new(self.start().clone(), goals, body).noting(reference.into_iter().chain(kept)))
    }

    fn task_by(&self, args: &CompareArgs, method: Method) -> Result<Task> {
        // The root stays for all, so that they can be compared.
        let settings = Settings { method, restarts: args.restarts, root: Root::Pinned, ..Settings::plain() };
        let mut goals = request::read(self, &args.wanted, settings)?;
        let kept = keep_feet(self, &args.wanted, settings, &mut goals);
        Ok(Task::new(self.start().clone(), goals, settings.body(self)?).noting(kept))
    }

    fn check_output(&self, path: Option<&Path>) -> Result<()> {
        self.figure.check_output(path)
    }

    fn write_pose(&self, run: &Run, path: &Path, still: bool) -> Result<Vec<String>> {
        self.figure.write_posed(&run.pose, path, still)
    }

    fn draw(&self, run: &Run, path: &Path) -> Result<String> {
        picture::draw(self, run, path)
    }

    fn draw_all(&self, title: String, runs: &[(String, &Run)], path: &Path) -> Result<String> {
        let frames = runs.iter().map(|(caption, run)| Picture {
            rest: Some(&run.start),
            marks: run.ends.iter().filter_map(|end| picture::mark(self, run, end)).collect(),
            title: caption.clone(),
            ..picture::of(self, &run.pose, "")
        });
        let look = self.looks.first().copied().unwrap_or(Look::ThreeQuarter);
        picture::save_strip(&Strip { frames: frames.collect(), title, look, ..Strip::default() }, path)
    }

    fn bring_along(&self, run: &mut Run) {
        let goals: Vec<Goal> = run.ends.iter().map(|end| end.asked.goal).collect();
        legs::carry_feet(self, &goals, &run.start, &mut run.pose);
    }

    fn goal_name(&self, end: &GoalEnd, pose: &Pose) -> GoalName {
        let joint = end.asked.goal.joint;
        GoalName::Joint {
            joint: self.label(joint),
            index: self.figure.node(joint),
            limb: end.asked.served.joints().into_iter().map(|at| self.label(at)).collect(),
            pole_error: report::forbidden_pole(self.skeleton(), end, pose),
        }
    }

    fn shortness(&self, run: &Run, end: &GoalEnd) -> &'static str {
        let goal = end.asked.goal.joint;
        let part = self.found().role(goal).map(|guess| guess.role.part);
        let is_of = |kind| {
            let mut limbs = self.found().limbs.iter().filter(move |limb| limb.kind == kind);
            limbs.any(|limb| limb.joints.first().is_some_and(|&first| self.skeleton().is_below(goal, first)))
        };
        match end.asked.served.name() {
            "body" if part == Some(Part::LowerArm) => ": the arm is too short",
            "body" if is_of(LimbKind::Arm) && run.ends.len() > 1 && is_met_alone(self, run, end) => {
                ": another goal stands in the way"
            }
            "body" if is_of(LimbKind::Arm) && !is_in_reach_of_a_lean(self, run, end) => {
                ": the arm and the trunk are too short"
            }
            "body" if is_of(LimbKind::Arm) => ": the trunk leans no further",
            "body" if is_of(LimbKind::Leg) => ": the leg is too short",
            "body" => ": the trunk is too short",
            _ => "",
        }
    }

    fn posed(&self, run: &Run) -> Posed {
        let joint = |at: Joint| {
            let local = run.pose.local(at);
            JointObject {
                index: self.figure.node(at),
                name: self.skeleton().name(at).map(str::to_owned),
                parent: self.parent_node(at),
                local: Local {
                    translation: local.translation.to_array(),
                    rotation: local.rotation.to_array(),
                    scale: local.scale.to_array(),
                },
                model: Placed::of(&run.pose, at),
            }
        };
        Posed::Character { joints: self.skeleton().iter().map(joint).collect() }
    }
}

/// Whether the body meets a goal that is its only one.
fn is_met_alone(rig: &Rig, run: &Run, end: &GoalEnd) -> bool {
    let Some(body) = Body::of(rig.skeleton(), rig.found()) else { return false };
    let (mut pose, mut work) = (run.start.clone(), Workspace::default());
    body.solve(rig.skeleton(), &[end.asked.goal], &mut pose, &mut work).status == Status::Reached
}

/// Whether an arm would reach its target from hips that stay, if the trunk leaned however far.
fn is_in_reach_of_a_lean(rig: &Rig, run: &Run, end: &GoalEnd) -> bool {
    let (joints, goal) = (end.asked.served.joints(), &end.asked.goal);
    let hips = rig.found().joint(rig.skeleton(), Role::middle(Part::Hips));
    let Some((hips, target)) = hips.zip(goal.target.position()) else { return false };
    let at = |joint: &Joint| run.pose.position(*joint);
    let arm = rig.found().limbs.iter().filter(|limb| limb.kind == LimbKind::Arm);
    let Some(first) = arm.filter_map(|limb| limb.joints.first()).find(|first| joints.contains(first)) else {
        return false;
    };
    let arm: f64 =
        joints.windows(2).skip_while(|pair| pair[0] != *first).map(|pair| at(&pair[0]).distance(at(&pair[1]))).sum();
    let tip = at(&goal.joint).distance(run.pose.model(goal.joint).transform_point3(goal.offset));
    target.distance(at(&hips)) <= at(first).distance(at(&hips)) + arm + tip
}

/// Adds the goals that keep the feet where the solver is one that needs them; what is to be said of them, as nobody gave them.
fn keep_feet(rig: &Rig, args: &GoalArgs, settings: Settings, goals: &mut Vec<ServedGoal>) -> Option<String> {
    let feet = request::kept_feet(rig, args, settings, goals);
    let names = text::list(feet.iter().map(|one| rig.label(one.goal.joint)));
    let note = format!("goals that keep the feet were added ({names}); --keep none leaves them out");
    let is_kept = !feet.is_empty();
    goals.extend(feet);
    is_kept.then_some(note)
}

/// The goals, and the settings that serve them: of a human the whole body's, where it has a closed form for each of them.
fn asked(rig: &Rig, args: &SolveArgs, settings: Settings) -> Result<(Settings, Vec<ServedGoal>)> {
    if let Some(by_body) = settings.for_body()
        && let Some(body) = Body::of(rig.skeleton(), rig.found())
        && let Ok(asked) = request::read(rig, &args.wanted, by_body)
        && asked.iter().all(|one| matches!(one.served, Served::Body { .. }) && body.is_closed(&one.goal))
        && !asked.is_empty()
    {
        return Ok((by_body, asked));
    }
    let is_chain = settings.method == Method::Auto && request::has_long_chain(rig, &args.wanted)?;
    let settings = if is_chain { Settings { method: Method::Whole, ..settings } } else { settings };
    Ok((settings, request::read(rig, &args.wanted, settings)?))
}

/// What `--root` asks for.
fn root(args: &SolveArgs) -> Result<Root> {
    let Some(root) = &args.root else { return Ok(Root::Pulled { stiffness: 1.0 }) };
    if args.solver != Method::MassSpring {
        bail!("--root {}: only --solver mass-spring moves a character's root; add it", text::short_name(root));
    }
    value::root(root)
}

/// What `--stand` asks for.
fn balance(rig: &Rig, args: &SolveArgs) -> Result<Option<Balance>> {
    let Some(first) = args.stands.first() else { return Ok(None) };
    if args.solver != Method::MassSpring {
        bail!("--stand {}: only --solver mass-spring keeps its balance; add it", text::short_name(first));
    }
    let skeleton = rig.skeleton();
    let find =
        |name: &String| joint_ref::find(rig, name).with_context(|| format!("--stand {}", text::short_name(name)));
    let feet: Vec<Joint> = args.stands.iter().map(find).collect::<Result<_>>()?;
    let root = std::iter::successors(Some(feet[0]), |&joint| skeleton.parent(joint)).last().unwrap_or(feet[0]);
    let balance = Balance::new(root, rig.found().up, feet);
    if balance.offset(skeleton, &skeleton.rest_pose()).is_none() {
        bail!(
            "--stand {}: nothing weighs on this rig; --limits preset gives a human's masses, a sidecar others",
            text::short_name(first)
        );
    }
    Ok(Some(balance))
}
