//! `sinew solve`: goals in, the posed file, a picture and a report out.

use std::path::Path;

use anyhow::{Result, bail};

use crate::Ending;
use crate::args::SolveArgs;
use crate::json::Solved;
use crate::output::{self, Written};
use crate::rig::Rig;
use crate::robot::Machine;
use crate::run::Run;
use crate::subject::Subject;
use crate::{picture, report, source, text};

/// Runs the verb.
pub(crate) fn run(args: &SolveArgs) -> Result<Ending> {
    picture::check(args.out.picture.as_deref())?;
    if let Some(machine) = Machine::given(&args.rig)? {
        if let Some(frame) = &args.frame {
            bail!("--frame {}: robots have no clips; --seed says where one starts", text::short_name(frame));
        }
        return solve(&machine.rooted(args.root.as_deref())?, args);
    }
    let mut rig = Rig::load(&args.rig)?;
    if let Some(frame) = &args.frame {
        let start = source::pose(&rig, frame)?;
        rig.start_at(start);
    }
    solve(&rig, args)
}

fn solve(subject: &dyn Subject, args: &SolveArgs) -> Result<Ending> {
    subject.check_output(args.out.output.as_deref())?;
    let task = subject.task(args)?;
    let run = task.run(subject.skeleton());
    let (output, picture) = (args.out.output.as_deref(), args.out.picture.as_deref());
    let mut written = write(subject, &run, output, picture, args.out.still)?;
    written.notes.extend(task.notes);
    output::tell(
        args.out.json,
        subject.title(),
        &written,
        || Solved::of(subject, &run),
        || report::page(subject, &run),
    )?;
    Ok(run.ending(args.strict))
}

/// Writes the pose and the picture, where they are asked for.
pub(crate) fn write(
    subject: &dyn Subject,
    run: &Run,
    posed: Option<&Path>,
    picture: Option<&Path>,
    still: bool,
) -> Result<Written> {
    let mut written = Written::noting(subject.notes());
    if let Some(path) = posed {
        let notes = subject.write_pose(run, path, still)?;
        written.files.push(output::whole_path(path));
        written.notes.extend(notes);
    }
    if let Some(path) = picture {
        written.files.push(subject.draw(run, path)?);
    }
    Ok(written)
}
