//! The `sinew` command: thin, one file a verb. [`args`] says what can be asked.

mod advice;
mod args;
mod bake;
mod character;
mod choices;
mod clip;
mod clips;
mod compare;
mod crowd;
mod demo;
mod examples;
mod figure;
mod files;
mod ground;
mod input;
mod inspect;
mod joint_ref;
mod joint_request;
mod json;
mod legs;
mod limb;
mod motion;
mod one_bone;
mod output;
mod path;
mod picture;
mod place;
mod plant;
mod progress;
mod reach;
mod report;
mod request;
mod rig;
mod robot;
mod rows;
mod run;
mod served;
mod simulate;
mod smooth;
mod solve;
mod source;
mod spread;
mod subject;
mod text;
mod transfer;
mod value;
mod walk;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser as _;

use args::{Cli, Verb};
use files::Files;

/// How a command that ran ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nothing to complain about.
    Fine,
    /// A goal was missed, and `--strict` asked that this count.
    Missed,
}

const EXIT_BAD_INPUT: u8 = 1;
const EXIT_MISSED: u8 = 3;

fn main() -> ExitCode {
    let cli = Cli::try_parse();
    let rig = cli.as_ref().ok().and_then(|cli| cli.verb.as_ref()).and_then(|verb| Files::of(verb).title());
    let ended = match cli {
        Ok(cli) => obey(&cli),
        Err(wanted) if !wanted.use_stderr() => output::print(&wanted.render().to_string()).map(|()| Ending::Fine),
        Err(usage) => Err(args::misuse(&usage)),
    };
    match ended {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Missed) => ExitCode::from(EXIT_MISSED),
        Err(error) => {
            let error = text::one_line(&whole(&error));
            // Known from the text alone, since options that are misused have no value.
            if std::env::args_os().any(|argument| argument == "--json") {
                let _ = output::print_failure(rig.as_deref(), &error);
            }
            output::complain(&format!("sinew: {error}\n"));
            ExitCode::from(EXIT_BAD_INPUT)
        }
    }
}

fn obey(cli: &Cli) -> Result<Ending> {
    let Some(verb) = &cli.verb else { return demo::run() };
    Files::of(verb).check(cli.force)?;
    match verb {
        Verb::Solve(args) => solve::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Bake(args) => bake::run(args),
        Verb::Simulate(args) => simulate::run(args),
        Verb::Plant(args) => plant::run(args),
        Verb::Walk(args) => walk::run(args),
        Verb::Crowd(args) => crowd::run(args),
        Verb::Inspect(args) => inspect::run(args),
        Verb::Path(args) => path::run(args),
        Verb::Reach(args) => reach::run(args),
    }
}

/// An error with its causes, but for those that it quotes itself.
fn whole(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |text, cause| match text.as_str() {
        "" => cause,
        _ if text.contains(&cause) => text,
        _ => format!("{text}: {cause}"),
    })
}
