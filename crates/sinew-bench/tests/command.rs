//! The command from end to end: problem file in, solution file out.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;

use sinew::Rotation;
use sinew::glam::{DQuat, DVec3};
use sinew_bench::answer::Answer;
use sinew_bench::commands::character_problems::report as run;
use sinew_bench::judge::limbs::judge;
use sinew_bench::limb::Limb;
use sinew_bench::methods::METHODS;
use sinew_bench::problem::ProblemFile;

/// Limbs spread evenly over lengths, rest poses, directions and distances, all reachable.
fn limbs(count: usize) -> Vec<Limb> {
    let spread = |i: usize, step: f64| (i as f64 * step).fract();
    let direction =
        |i: usize, step: f64| Rotation::about(DVec3::new(spread(i, step), 0.3, -0.2), 40.0 * spread(i, 0.437));
    (0..count)
        .map(|i| {
            let [l1, l2] = [0.2 + 0.8 * spread(i, 0.618), 0.2 + 0.8 * spread(i, 0.755)];
            let distance = (l1 - l2).abs() + (l1 + l2 - (l1 - l2).abs()) * (0.002 + 0.996 * spread(i, 0.570));
            Limb {
                lengths: [l1, l2],
                root: direction(i, 0.819).quaternion(),
                bend: 0.35 + 1.4 * spread(i, 0.672),
                target: direction(i, 0.347).quaternion() * DVec3::Y * distance,
                pole: direction(i, 0.857).quaternion() * DVec3::Z,
                class: 0,
            }
        })
        .collect()
}

fn file(kind: u32, limbs: &[Limb]) -> ProblemFile {
    let records = limbs.iter().flat_map(Limb::record).collect();
    ProblemFile { kind, flags: 0, n: 2, width: 16, shared: vec![], records }
}

fn command(method: &str, problem: &Path, out: &Path, cap: Option<&str>) -> anyhow::Result<String> {
    let paths = [problem, out].map(|path| path.to_str().unwrap());
    let arguments = [method, paths[0], paths[1], "1e-3", "1000", "0"];
    run(&arguments.map(String::from), cap)
}

/// The answers that a solution file holds.
fn answers(bytes: &[u8]) -> Vec<Answer> {
    let word = |i: usize| u32::from_le_bytes(bytes[8 + 4 * i..][..4].try_into().unwrap());
    let [kind, count, width] = [word(0), word(1), word(2)];
    let numbers: Vec<f64> = bytes[24..].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(width, if kind == 0 { 8 } else { 9 });
    let rows = numbers.chunks_exact(width as usize).take(count as usize);
    rows.map(|row| match kind {
        0 => Answer::Rotations([DQuat::from_slice(&row[..4]), DQuat::from_slice(&row[4..])]),
        _ => Answer::Positions([DVec3::from_slice(&row[3..]), DVec3::from_slice(&row[6..])]),
    })
    .collect()
}

#[test]
fn every_method_of_ours_reaches() {
    let folder = tempfile::tempdir().unwrap();
    let (problem, out) = (folder.path().join("p1.bin"), folder.path().join("out.bin"));
    let file = file(1, &limbs(500));
    fs::write(&problem, file.to_bytes()).unwrap();
    // As the file's single precision has them.
    let limbs = Limb::all(&file).unwrap();
    for entry in &METHODS {
        let line: serde_json::Value =
            serde_json::from_str(&command(entry.name, &problem, &out, None).unwrap()).unwrap();
        assert!(line["ns_hot"].as_f64().unwrap() > 0.0 && line["ns_stream"].as_f64().unwrap() > 0.0);
        let answers = answers(&fs::read(&out).unwrap());
        assert_eq!(answers.len(), limbs.len());
        let verdict = judge(limbs.iter().zip(answers))[&0];
        let allowed = if entry.version.starts_with("sinew") { 1e-12 } else { 1e-3 };
        assert!(verdict.broken == 0 && verdict.error <= allowed, "{}: {verdict:?}", entry.name);
    }
}

#[test]
fn a_cap_of_no_time_leaves_an_empty_solution() {
    let folder = tempfile::tempdir().unwrap();
    let (problem, out) = (folder.path().join("p1.bin"), folder.path().join("out.bin"));
    fs::write(&problem, file(1, &limbs(50)).to_bytes()).unwrap();
    command("auto", &problem, &out, Some("0")).unwrap();
    assert_eq!(fs::read(&out).unwrap().len(), 24);
}

#[test]
fn other_kinds_are_skipped_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (problem, out) = (folder.path().join("p2.bin"), folder.path().join("out.bin"));
    fs::write(&problem, file(2, &limbs(3)).to_bytes()).unwrap();
    let line = command("two-bone", &problem, &out, None).unwrap();
    assert_eq!(line, r#"{"skip":"two-bone does not serve free chains"}"#);
    assert!(!out.exists());
}

#[test]
fn slips_are_answered_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (problem, out) = (folder.path().join("p1.bin"), folder.path().join("out.bin"));
    fs::write(&problem, &file(1, &limbs(3)).to_bytes()[..100]).unwrap();
    let missing = folder.path().join("missing");
    let errors = [
        command("auto", &problem, &out, None),
        command("auto", &missing, &out, None),
        command("nobody", &problem, &out, None),
        command("auto", &problem, &out, Some("soon")),
        run(&["auto".into()], None),
        run(&["auto", "p", "o", "1e-3", "1000", "NaN"].map(String::from), None),
        run(&["auto", "p", "o", "-1", "1000", "1"].map(String::from), None),
    ];
    for error in errors {
        let text = format!("{:#}", error.unwrap_err());
        assert!(!text.contains('\n'), "{text}");
    }
}

#[test]
fn the_comparison_names_every_method_once() {
    let folder = tempfile::tempdir().unwrap();
    let problem = folder.path().join("p1.bin");
    fs::write(&problem, file(1, &limbs(20)).to_bytes()).unwrap();
    let table = run(&["compare".into(), problem.to_str().unwrap().into()], None).unwrap();
    assert!(table.contains("c0 (20)") && table.contains("rebirth-ik 0.1.0"), "{table}");
    assert_eq!(table.lines().count(), 2 + METHODS.len() - 2);
}
