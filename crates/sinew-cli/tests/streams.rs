//! Readers that go away: no verb panics, whatever pipe breaks.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/arm6.urdf");

/// A pipe whose reader is gone.
fn broken() -> Stdio {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

/// How `sinew` ends when nobody reads standard output, standard error, or either.
fn ends(folder: &Path, arguments: &[&str]) -> [ExitStatus; 3] {
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let status = |command: &mut Command| command.status().expect("the command starts");
    [
        status(command().stdout(broken())),
        status(command().stderr(broken())),
        status(command().stdout(broken()).stderr(broken())),
    ]
}

#[test]
fn broken_pipes_are_no_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("line.csv"), "x,y,z\n0.4,0.1,0.4\n0.4,0.0,0.4\n").expect("written");
    let path = ["path", ARM, "line.csv", "--tip", "tool0"];
    for (arguments, code) in [
        (&["inspect"][..], 0),
        (&["--help"], 0),
        (&["solve", "--goal", "LeftHand=0.3,1.2,0.4", "-o", "-"], 0),
        (&["solve", "--goal", "LeftHand=0.3,1.2,0.4", "--picture", "-", "--json"], 0),
        (&[&path[..], &["-o", "-"]].concat(), 0),
        (&path, 0),
        (&["simulate", "--seconds", "0.2", "-o", "-"], 0),
        (&["solve", "nowhere.glb"], 1),
        (&["solve", "nowhere.glb", "--json"], 1),
        (&["bake"], 1),
    ] {
        let codes = ends(folder.path(), arguments).map(|status| status.code());
        assert_eq!(codes, [Some(code); 3], "{arguments:?}");
    }
}
