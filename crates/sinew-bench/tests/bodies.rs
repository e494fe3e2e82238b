//! Chains and trees through the command: every method that serves a file reaches what can be reached.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::time::Duration;

use sinew_bench::bodies::{self, Body, NAMES, RunOptions};
use sinew_bench::commands::character_problems as command;
use sinew_bench::problem::ProblemFile;

/// Four bones of a quarter along X, and targets within reach.
fn free(kind: u32, width: usize) -> ProblemFile {
    let shared = (0..5).flat_map(|i| [0.25 * i as f32, 0.0, 0.01 * (i % 2) as f32]).collect();
    let target = |i: i32| [0.5 + 0.02 * i as f32, 0.3, 0.1, 0.0, 1.0, 0.0];
    let records = (0..8).flat_map(|i| target(i).into_iter().take(width)).collect();
    ProblemFile { kind, flags: 0, n: 4, width, shared, records }
}

fn cones() -> ProblemFile {
    let mut shared = vec![0.7, 1.0, 0.0, 0.0];
    shared.extend([0.25; 4]);
    shared.extend((0..5).flat_map(|i| [0.25 * i as f32, 0.0, 0.0]));
    ProblemFile { kind: 3, flags: 0, n: 4, width: 3, shared, records: vec![0.8, 0.3, 0.1, 0.85, -0.2, 0.1] }
}

fn hinges() -> ProblemFile {
    let mut shared = vec![0.8];
    shared.extend([0.25; 4]);
    shared.extend([1.0, 2.0, 1.0, 2.0]);
    shared.extend([0.1; 4]);
    ProblemFile { kind: 4, flags: 0, n: 4, width: 3, shared, records: vec![0.8, 0.3, 0.1, 0.85, -0.2, 0.1] }
}

/// A trunk and two arms.
fn tree() -> ProblemFile {
    let mut shared = vec![-1.0, 0.0, 1.0, 1.0, 2.0, 3.0];
    let offsets = [[0.0; 3], [0.0, 0.5, 0.0], [0.2, 0.0, 0.0], [-0.2, 0.0, 0.0], [0.3, 0.0, 0.1], [-0.3, 0.0, 0.1]];
    shared.extend(offsets.concat());
    shared.extend([2.0, 4.0, 5.0]);
    ProblemFile { kind: 5, flags: 0, n: 6, width: 6, shared, records: vec![0.4, 0.6, 0.2, -0.35, 0.4, 0.2] }
}

#[test]
fn every_method_reaches_on_every_kind() {
    for file in [free(2, 3), cones(), hinges(), tree(), free(6, 6)] {
        let body = Body::of(&file).unwrap();
        let page = bodies::table(&body, 1e-4, Duration::ZERO).unwrap();
        let rows: Vec<&str> = page.lines().skip(2).collect();
        // Peers may do as they like.
        let ours = |row: &&&str| ["auto", "fabrik", "ccd", "jacobian"].iter().any(|name| row.starts_with(name));
        assert!(rows.len() >= 4 && rows.iter().filter(ours).all(|row| row.contains(" 100.0% ")), "{page}");
    }
}

#[test]
fn rests_and_limits_are_the_files() {
    let body = Body::of(&cones()).unwrap();
    let rest = body.skeleton.rest_pose();
    for (i, &joint) in body.joints.iter().enumerate() {
        assert!((rest.position(joint).x - 0.25 * i as f64).abs() < 1e-6 && rest.position(joint).y.abs() < 1e-6);
    }
    let body = Body::of(&hinges()).unwrap();
    let values = body.skeleton.rest_pose();
    assert!(values.coordinates().iter().all(|value| (value - 0.1).abs() < 1e-7));
    assert!(body.skeleton.coordinates().iter().all(|coordinate| (coordinate.range.max - 0.8).abs() < 1e-7));
}

#[test]
fn answers_are_written_as_positions_and_what_is_not_served_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let (problem, out) = (folder.path().join("p.bin"), folder.path().join("out.bin"));
    let run = |file: &ProblemFile, method: &str| {
        fs::write(&problem, file.to_bytes()).unwrap();
        let (problem, out) = (problem.to_str().unwrap(), out.to_str().unwrap());
        command::report(&[method, problem, out, "1e-3", "100", "0"].map(String::from), None)
    };
    assert!(run(&tree(), "auto").unwrap().contains("ns_med"));
    let bytes = fs::read(&out).unwrap();
    assert_eq!(bytes.len(), 24 + 8 * 3 * 6 + 8 + 4);
    assert!(run(&tree(), "rebirth-ik").unwrap().contains("does not serve trees"));
    assert!(run(&tree(), "two-bone").unwrap().contains("does not serve trees"));
    assert!(run(&tree(), "nothing").is_err());
    // Malformed: a tip that is no joint, too few numbers, no bones.
    let wrong = |file: &ProblemFile| Body::of(file).is_err();
    assert!(wrong(&ProblemFile { shared: tree().shared[..20].to_vec(), ..tree() }));
    assert!(wrong(&ProblemFile { n: 0, ..tree() }) && wrong(&ProblemFile { kind: 9, ..tree() }));
    let mut tips = tree();
    let last = tips.shared.len() - 1;
    tips.shared[last] = 99.0;
    assert!(wrong(&tips));
    tips.shared[last] = f32::NAN;
    assert!(wrong(&tips));
    let asked = RunOptions { tolerance: 1e-3, iterations: 10 };
    assert!(bodies::contender("nothing", &Body::of(&tree()).unwrap(), asked).is_err() && NAMES.len() == 10);
}
