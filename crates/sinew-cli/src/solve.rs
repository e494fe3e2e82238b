//! `sinew solve`: goals in, a posed file, a picture and a report out.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use sinew::solve::mass_spring::{Balance, Root};
use sinew::{Joint, Solver};
use sinew_rig::Body;

use crate::Ending;
use crate::args::{Method, SolveArgs};
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::robot::Machine;
use crate::run::Run;
use crate::served::{Served, Settings};
use crate::{joint_ref, json, output, picture, report, request, robot, source, text, value};

/// Runs the verb.
pub(crate) fn run(args: &SolveArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    if let Some(machine) = Machine::given(&args.rig)? {
        if let Some(frame) = &args.frame {
            bail!("--frame {}: robots have no clips; --seed says where one starts", text::short_name(frame));
        }
        return robot::solve::run(machine, args);
    }
    let mut rig = Rig::load(&args.rig)?;
    rig.figure.check_output(args.output.as_deref())?;
    if let Some(seed) = &args.seed {
        bail!("--seed {}: coordinates are a robot's; a character starts as it is in its file", text::short_name(seed));
    }
    if let Some(frame) = &args.frame {
        let start = source::pose(&rig, frame)?;
        rig.start_at(start);
    }
    let settings = Settings::of(args, value::reach(&args.reach)?, root(args)?);
    let (settings, mut asked) = asked(&rig, args, settings)?;
    if args.stands.is_empty() {
        asked.extend(request::kept_feet(&rig, &args.wanted, settings, &asked));
    }
    let balance = balance(&rig, args)?;
    let body: Option<Box<dyn Solver>> = match balance.clone() {
        Some(balance) => Some(Box::new(settings.springs(Some(balance)))),
        None => settings.body(&rig)?,
    };
    let run = Run::of(&rig, &asked, body);
    let written = write(&rig, &run, args.output.as_deref(), args.picture.as_deref(), args.still)?;
    if args.json {
        let mut object = json::solved(&rig, &run);
        object["written"] = json!(written.files);
        object["notes"] = json!(written.notes);
        output::print(&format!("{object}\n"))?;
    } else {
        output::print(&(report::solved(&rig, &run) + &written.to_text()))?;
    }
    Ok(run.ending(args.strict))
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

/// The files that were written and what is to be said about them.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Whole paths.
    pub(crate) files: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Written {
    /// A line each.
    pub(crate) fn to_text(&self) -> String {
        let files = self.files.iter().map(|file| format!("wrote {}\n", text::one_line(file)));
        files.chain(self.notes.iter().map(|note| format!("{note}\n"))).collect()
    }
}

/// Writes the posed file and the picture, where they are asked for.
pub(crate) fn write(
    rig: &Rig,
    run: &Run,
    posed: Option<&Path>,
    picture: Option<&Path>,
    still: bool,
) -> Result<Written> {
    let mut written = Written { notes: rig.notes(), ..Written::default() };
    // A frame of a clip is where it starts, but not what it was recognised in.
    let as_what = if rig.starts_at_rest() { "starts from" } else { "recognised in" };
    written.notes.extend(rig.figure.reference().map(|pose| format!("note: {as_what} {}", text::one_line(pose))));
    if let Some(path) = posed {
        let notes = rig.figure.write_posed(&run.pose, path, still)?;
        written.files.push(output::whole_path(path));
        written.notes.extend(notes);
    }
    if let Some(path) = picture {
        written.files.push(picture::draw(rig, run, path)?);
    }
    Ok(written)
}
