//! `character-problems METHOD PROBLEM OUT TOL MAXITER MIN_S`: solves a problem file with one method,
//! writes the answers, prints one line of JSON. `character-problems compare PROBLEM`: all methods.

use std::process::ExitCode;

fn main() -> ExitCode {
    let text = |argument: std::ffi::OsString| argument.to_string_lossy().into_owned();
    let arguments: Vec<String> = std::env::args_os().skip(1).map(text).collect();
    let cap = std::env::var_os("CAP_S").map(text);
    match sinew_bench::command::run(&arguments, cap.as_deref()) {
        Ok(report) => {
            println!("{}", report.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("character-problems: {error:#}");
            ExitCode::FAILURE
        }
    }
}
