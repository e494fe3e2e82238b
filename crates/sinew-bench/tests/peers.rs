//! Arms beside peers: what works with no file, no wheel and no network, and what a peer's claims are worth.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sinew_bench::robots::arms;
use sinew_bench::robots::file::{Problems, Results};
use sinew_bench::robots::made;
use sinew_bench::robots::peers::{Cell, Line, Options, Table, compare};

/// An arm of six hinges with a wrist that is not spherical, on a base of its own.
fn arm(folder: &Path) -> PathBuf {
    let mut text = String::from(r#"<robot name="arm"> <link name="world"/> <link name="link0"/>"#);
    text += r#"<joint name="stand" type="fixed"> <parent link="world"/> <child link="link0"/>
               <origin xyz="0.1 0.2 0.3" rpy="0.1 -0.2 0.3"/> </joint>"#;
    let joints = ["0 0 1", "0 1 0", "0 1 0", "1 0 0", "0 1 0", "1 0 0"];
    for (i, axis) in joints.into_iter().enumerate() {
        let (next, place) = (i + 1, if i < 3 { "0.03 0 0.3" } else { "0.15 0.02 0" });
        write!(
            text,
            r#"<link name="link{next}"/> <joint name="joint{next}" type="revolute">
               <parent link="link{i}"/> <child link="link{next}"/> <origin xyz="{place}"/> <axis xyz="{axis}"/>
               <limit lower="-2.5" upper="2.8" effort="1" velocity="1"/> </joint>"#
        )
        .unwrap();
    }
    let file = folder.join("arm.urdf");
    fs::write(&file, text + "</robot>").unwrap();
    file
}

fn options(folder: &Path, python: &Path) -> Options {
    Options { rounds: 2, most: 40, python: python.into(), folder: folder.into() }
}

fn line<'a>(table: &'a Table, name: &str) -> &'a Line {
    table.lines.iter().find(|line| line.name == name).unwrap()
}

#[test]
fn made_problems_survive_their_file_and_have_answers() {
    let folder = tempfile::tempdir().unwrap();
    let files = made::files(&arm(folder.path()), 5, 40, folder.path()).unwrap();
    let [mid, near] = [0, 1].map(|i| Problems::read(&files[i]).unwrap());
    assert_eq!((&*mid.policy, &*near.policy, mid.rows.len(), near.rows.len()), ("mid", "near", 40, 40));
    assert_eq!((mid.joints.len(), &mid.links), (6, &["world".to_owned(), "link6".to_owned()]));
    assert!(mid.rows.iter().all(|row| row.seed.iter().all(|q| (q - 0.15).abs() < 1e-12)));
    for (problems, file) in [(&mid, &files[0]), (&near, &files[1])] {
        let again = Problems::parse(&problems.to_bytes()).unwrap();
        assert_eq!((&again.urdf, &again.joints, again.timeout), (&problems.urdf, &problems.joints, 0.005));
        assert!(again.rows.iter().zip(&problems.rows).all(|(a, b)| a.rotation.dot(b.rotation).abs() > 1.0 - 1e-14));
        assert_eq!(fs::read(file).unwrap().len(), problems.to_bytes().len());
    }
    let far = |row: (&sinew_bench::robots::file::Row, &Vec<f64>)| {
        row.0.seed.iter().zip(row.1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    // The truth is within 0.2 of the seed, and mostly what is found.
    let answers = arms::results(&near, 40).unwrap().answers;
    let close = near.rows.iter().zip(answers.iter().map(|answer| &answer.coordinates)).filter(|&row| far(row) < 0.21);
    assert!(close.count() > 30);
    assert!(made::files(&arm(folder.path()), 7, 1, folder.path()).is_err());
}

#[test]
fn without_python_ours_and_k_are_beside_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let files = made::files(&arm(folder.path()), 5, 40, folder.path()).unwrap();
    for file in &files {
        // Time enough for k on any machine.
        let problems = Problems { timeout: 1.0, ..Problems::read(file).unwrap() };
        fs::write(file, problems.to_bytes()).unwrap();
    }
    let table = compare(&files, &options(folder.path(), Path::new("/nowhere/python3"))).unwrap();
    assert_eq!(table.problems, ["arm mid", "arm near"]);
    for cell in &line(&table, "sinew").cells {
        let Cell { solved, falsely, median, mean, p99 } = cell.unwrap();
        assert_eq!((solved, falsely), (1.0, 0));
        assert!(0.0 < median && median <= p99 && 0.0 < mean);
    }
    for name in ["k", "k-half"] {
        for cell in &line(&table, name).cells {
            let cell = cell.unwrap();
            assert!(cell.solved >= 0.9 && cell.falsely == 0, "{name}: {cell:?}");
        }
    }
    let text = table.to_string();
    for (name, install) in [("optik", "optik-py"), ("roboticstoolbox", "roboticstoolbox-python"), ("EAIK", "EAIK")] {
        assert_eq!(line(&table, name).cells, [None, None]);
        let [reason] = &line(&table, name).missing[..] else { panic!("{table:?}") };
        assert!(reason.contains("/nowhere/python3 is not here") && reason.contains("pip install"), "{reason}");
        assert!(reason.contains(install) && text.contains(reason), "{reason}");
    }
    assert!(line(&table, "ik-geo").missing[0].contains("cargo build"));
    assert!(folder.path().join("arm.mid.sinew.ikr").exists());
}

/// A stand-in for Python that copies the result file named after the peer, with which exit status.
#[cfg(unix)]
fn stand_in(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join("python");
    let script = format!(
        "#!/bin/sh\ncase $2 in\nEAIK) exit 3;;\npytracik) echo broken wheel >&2; exit 1;;\n*) cp \"{}/$2.ready\" \"$4\";;\nesac\n",
        folder.display()
    );
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
#[cfg(unix)]
fn programs_are_judged_by_what_they_answer() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = &made::files(&arm(folder), 5, 40, folder).unwrap()[..1];
    let problems = Problems::read(&files[0]).unwrap();
    let mut results: Results = arms::results(&problems, 40).unwrap();
    results.version = "7".into();
    for (i, answer) in results.answers.iter_mut().enumerate() {
        answer.nanoseconds = 1e3 * i as f64;
    }
    // Solved, at times that are ahead of anything.
    fs::write(folder.join("optik.ready"), results.to_bytes("optik", 6).unwrap()).unwrap();
    // A joint off, a whole turn out of its limits, no number, no claim: none of the four is solved, three are said to be.
    results.answers[0].coordinates[2] += 1e-3;
    results.answers[1].coordinates[5] += std::f64::consts::TAU;
    results.answers[2].coordinates[0] = f64::NAN;
    results.answers[3].coordinates[0] += 0.1;
    results.answers[3].is_solved = false;
    fs::write(folder.join("roboticstoolbox.ready"), results.to_bytes("roboticstoolbox", 6).unwrap()).unwrap();
    let table = compare(files, &options(folder, &stand_in(folder))).unwrap();
    let cell = line(&table, "optik").cells[0].unwrap();
    assert_eq!((cell.solved, cell.falsely, cell.median, cell.mean, cell.p99), (1.0, 0, 20.0, 19.5, 39.0));
    assert_eq!((&*line(&table, "optik").version, line(&table, "optik").missing.len()), ("7", 0));
    let cell = line(&table, "roboticstoolbox").cells[0].unwrap();
    assert_eq!((cell.solved, cell.falsely), (0.9, 3));
    assert_eq!((line(&table, "EAIK").cells[0], line(&table, "EAIK").missing.len()), (None, 0));
    assert!(line(&table, "pytracik").missing[0].starts_with("broken wheel; "));
}

#[test]
fn a_peer_is_ahead_where_it_solves_more_or_as_much_sooner() {
    let cell = |solved, median, p99| Some(Cell { solved, falsely: 0, median, mean: 5.0, p99 });
    let line = |name: &str, cells| Line { name: name.into(), version: "1".into(), cells, ..Line::default() };
    let table = Table {
        problems: ["a", "b", "c", "d"].map(String::from).into(),
        lines: vec![
            line("ours", vec![cell(1.0, 4.0, 9.0), cell(0.5, 1.0, 2.0), cell(1.0, 1.0, 2.0), cell(1.0, 1.0, 2.0)]),
            line("theirs", vec![cell(1.0, 3.0, 10.0), cell(0.75, 9.0, 20.0), cell(0.9, 0.1, 0.2), None]),
        ],
    };
    let ahead =
        ["theirs 1 is ahead at a: median 3.0 beside 4.0 us.", "theirs 1 is ahead at b: solves 75.00 % beside 50.00 %."];
    assert_eq!(table.ahead(), ahead);
    assert!(
        table
            .to_string()
            .contains("| theirs 1 | 100 / 3.0 (5.0, 10) | 75.00 / 9.0 (5.0, 20) | 90.00 / 0.1 (5.0, 0.2) | - | 0 |")
    );
}

#[test]
fn the_command_prints_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let file = arm(folder.path());
    let run = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_sinew-bench")).arg("robot-peers").args(arguments).output().unwrap()
    };
    let done = run(&[file.to_str().unwrap(), "--count", "5", "--rounds", "1", "--python", "/nowhere/python3"]);
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && text.starts_with("| solver | arm mid | arm near | false claims |"), "{text}");
    assert!(text.contains(concat!("| sinew ", env!("CARGO_PKG_VERSION"), " | 100 / ")), "{text}");
    let failed = run(&["/nowhere.ikp"]);
    assert!(!failed.status.success() && String::from_utf8_lossy(&failed.stderr).contains("/nowhere.ikp"));
}
