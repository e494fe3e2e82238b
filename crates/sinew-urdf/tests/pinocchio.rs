//! Frames, Jacobians and masses beside pinocchio's (tests/golden/make.py): of our own files always, of the robots in
//! `$SINEW_TEST_DATA` where it is set and ignored tests are run.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::path::PathBuf;

use serde_json::Value;
use sinew::glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::{Pose, Transform};
use sinew_urdf::Robot;

/// Error allowed, relative to the robot's size.
const TOLERANCE: f64 = 1e-12;

fn golden() -> Value {
    serde_json::from_str(include_str!("golden/pinocchio.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// The robot in a case's configuration.
fn posed(robot: &Robot, case: &Value) -> Pose {
    let mut pose = robot.skeleton.rest_pose();
    let mut edit = pose.edit(&robot.skeleton);
    for (coordinate, q) in numbers(&case["coordinates"]).into_iter().enumerate() {
        edit.coordinate(coordinate, q);
    }
    for (joint, place) in case["floating"].as_object().unwrap() {
        let (link, place) = (robot.child_of(joint).unwrap(), numbers(place));
        let rest = robot.skeleton.rest(link);
        let translation = rest.translation + rest.rotation * DVec3::from_slice(&place);
        let rotation = rest.rotation * DQuat::from_slice(&place[3..]);
        edit.local(link, Transform { translation, rotation, ..Transform::IDENTITY });
    }
    drop(edit);
    pose
}

/// Three rows of four.
fn frame(rows: &[f64]) -> DAffine3 {
    let matrix = DMat3::from_cols_array_2d(&[0, 1, 2].map(|row| [rows[4 * row], rows[4 * row + 1], rows[4 * row + 2]]));
    DAffine3 { matrix3: matrix.transpose(), translation: DVec3::new(rows[3], rows[7], rows[11]) }
}

/// Distance from the root of the furthest link.
fn size(robot: &Robot, pose: &Pose) -> f64 {
    robot.skeleton.iter().map(|link| pose.position(link).length()).fold(0.1, f64::max)
}

/// The largest error of a case, relative to the robot's size.
fn worst(robot: &Robot, case: &Value) -> f64 {
    let pose = posed(robot, case);
    let size = size(robot, &pose);
    let mut worst = 0.0_f64;
    let mut see = |off: f64| worst = if off.is_nan() { f64::INFINITY } else { worst.max(off) };
    for (link, rows) in case["frames"].as_object().unwrap() {
        let (expected, model) = (frame(&numbers(rows)), pose.model(robot.link(link).unwrap()));
        see(model.translation.distance(expected.translation) / size);
        (0..3).for_each(|i| see(model.matrix3.col(i).distance(expected.matrix3.col(i))));
    }
    for (tip, expected) in case["jacobians"].as_object().into_iter().flatten() {
        let mut columns = vec![[0.0; 6]; robot.skeleton.coordinates().len()];
        pose.jacobian(&robot.skeleton, robot.link(tip).unwrap(), &mut columns);
        let expected = numbers(expected);
        assert_eq!(expected.len(), 6 * columns.len());
        for (column, expected) in columns.iter().zip(expected.chunks(6)) {
            for row in 0..6 {
                see((column[row] - expected[row]).abs() / if row < 3 { size.max(1.0) } else { 1.0 });
            }
        }
    }
    if case["mass"].is_array() {
        let expected = numbers(&case["mass"]);
        let (mass, center) = mass(robot, &pose);
        see((mass - expected[0]).abs() / expected[0].max(1.0));
        see(center.distance(DVec3::from_slice(&expected[1..])) / size);
    }
    worst
}

fn mass(robot: &Robot, pose: &Pose) -> (f64, DVec3) {
    let (mut total, mut moment) = (0.0, DVec3::ZERO);
    for link in robot.skeleton.iter() {
        let body = robot.skeleton.mass(link);
        total += body.mass;
        moment += pose.model(link).transform_point3(body.center) * body.mass;
    }
    (total, if total > 0.0 { moment / total } else { moment })
}

/// Everything that the golden file has of one robot.
fn check(file: &str, golden: &Value, robot: &Robot) {
    let coordinates = robot.skeleton.coordinates().iter().map(|coordinate| coordinate.name.as_deref().unwrap());
    assert_eq!(coordinates.collect::<Vec<_>>(), names(&golden["coordinates"]), "{file}");
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases[2]["frames"].as_object().unwrap().keys().all(|link| robot.link(link).is_ok()));
    let worst = cases.iter().map(|case| worst(robot, case)).fold(0.0, f64::max);
    println!("{file}: {worst:.1e}");
    assert!(worst <= TOLERANCE, "{file}: off by {worst:e}");
}

#[test]
fn our_own_robots_agree() {
    let golden = golden();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    for file in ["crates/sinew-urdf/tests/golden/joints.urdf", "rigs/arm6.urdf"] {
        check(file, &golden["robots"][file], &sinew_urdf::load(root.join(file)).unwrap());
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_robots_agree() {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let golden = golden();
    let robots = golden["robots"].as_object().unwrap().iter().filter(|(file, _)| file.starts_with("urdf/"));
    let mut count = 0;
    for (file, golden) in robots {
        check(file, golden, &sinew_urdf::load(data.join(file)).unwrap());
        count += 1;
    }
    assert!(count >= 27, "{count} robots");
}

/// The test bites: a joint moved by a thousandth of a millionth of a radian is seen.
#[test]
fn a_small_error_would_be_seen() {
    let golden = golden();
    let robot = sinew_urdf::parse(include_str!("golden/joints.urdf")).unwrap();
    let mut case = golden["robots"]["crates/sinew-urdf/tests/golden/joints.urdf"]["cases"][2].clone();
    assert!(worst(&robot, &case) <= TOLERANCE);
    case["coordinates"][0] = (case["coordinates"][0].as_f64().unwrap() + 1e-9).into();
    assert!(worst(&robot, &case) > TOLERANCE);
}
