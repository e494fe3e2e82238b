//! `elbow-speed OUT.svg`: draws elbow speed against target speed, for sinew and a peer.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: elbow-speed OUT.svg");
        return ExitCode::FAILURE;
    };
    let drawn = sinew_bench::elbow_speed::chart().and_then(|svg| Ok(std::fs::write(&path, svg)?));
    match drawn {
        Ok(()) => {
            println!("wrote {}", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("elbow-speed: {}: {error:#}", path.display());
            ExitCode::FAILURE
        }
    }
}
