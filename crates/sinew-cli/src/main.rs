//! The `sinew` command: thin, one file a verb. [`args`] says what can be asked.

mod advice;
mod args;
mod bake;
mod clip;
mod compare;
mod demo;
mod examples;
mod figure;
mod inspect;
mod joint_ref;
mod joint_request;
mod json;
mod limb;
mod motion;
mod output;
mod path;
mod picture;
mod place;
mod reach;
mod report;
mod request;
mod rig;
mod robot;
mod rows;
mod run;
mod served;
mod simulate;
mod solve;
mod source;
mod spread;
mod text;
mod transfer;
mod value;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Verb};

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
    let ended = match Cli::try_parse() {
        Ok(cli) => match &cli.verb {
            None => demo::run(),
            Some(Verb::Solve(args)) => solve::run(args),
            Some(Verb::Compare(args)) => compare::run(args),
            Some(Verb::Bake(args)) => bake::run(args),
            Some(Verb::Simulate(args)) => simulate::run(args),
            Some(Verb::Inspect(args)) => inspect::run(args),
            Some(Verb::Path(args)) => path::run(args),
            Some(Verb::Reach(args)) => reach::run(args),
        },
        Err(wanted) if !wanted.use_stderr() => output::print(&wanted.render().to_string()).map(|()| Ending::Fine),
        Err(usage) => Err(args::misuse(&usage)),
    };
    match ended {
        Ok(Ending::Fine) => ExitCode::SUCCESS,
        Ok(Ending::Missed) => ExitCode::from(EXIT_MISSED),
        Err(error) => {
            eprintln!("sinew: {}", text::one_line(&whole(&error)));
            ExitCode::from(EXIT_BAD_INPUT)
        }
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
