//! The files in `$SINEW_TEST_DATA`: real clips are what their index says and come back from writing as they were; hostile
//! ones are refused or loaded as theirs says, quickly.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;
use sinew_bvh::{Channel, LoadError};

/// The data folder and an index in it.
fn data(index: &str) -> (PathBuf, Vec<Value>) {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let entries = serde_json::from_slice(&std::fs::read(data.join(index)).unwrap()).unwrap();
    (data, entries)
}

/// Channels as the index writes them: `XYZzyx`.
fn order(channels: &[Channel]) -> String {
    let letter = |channel: &Channel| match channel {
        Channel::Position(axis) => ["X", "Y", "Z"][axis.index()],
        Channel::Rotation(axis) => ["x", "y", "z"][axis.index()],
    };
    channels.iter().map(letter).collect()
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_clips_are_what_the_index_says_and_come_back_from_writing() {
    let (data, index) = data("bvh/index.json");
    assert!(index.len() >= 17);
    for entry in index {
        let file = entry["file"].as_str().unwrap();
        let clip = sinew_bvh::load(data.join(file)).unwrap();
        let skeleton = &clip.skeleton;
        let number = |key: &str| entry[key].as_u64().unwrap() as usize;
        let in_file = (0..skeleton.len()).map(|index| skeleton.from_caller(index).unwrap());
        let joints: Vec<_> = in_file.filter(|&joint| !clip.is_end_site(joint)).collect();
        assert_eq!((joints.len(), skeleton.len() - joints.len()), (number("joints"), number("end_sites")), "{file}");
        assert_eq!((clip.motion.len(), clip.motion.channels()), (number("frames"), number("channels")), "{file}");
        assert!((clip.motion.frame_time * entry["fps"].as_f64().unwrap() - 1.0).abs() < 1e-3, "{file}");
        let names = joints.iter().map(|&joint| skeleton.name(joint).unwrap());
        assert!(names.eq(entry["joint_names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap())), "{file}");
        for (orders, count) in entry["channel_orders"].as_object().unwrap() {
            let found = joints.iter().filter(|&&joint| order(clip.channels(joint)) == *orders).count();
            assert_eq!(found as u64, count.as_u64().unwrap(), "{file} {orders}");
        }
        let again = sinew_bvh::parse(&clip.to_vec().unwrap()).unwrap();
        assert_eq!(again.motion, clip.motion, "{file}");
        assert_eq!(again.skeleton.rest_pose(), clip.skeleton.rest_pose(), "{file}");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn hostile_files_are_refused_or_loaded_as_they_must() {
    let (data, index) = data("bad/index.json");
    let mut tried = 0;
    for entry in index.iter().filter(|entry| entry["format"] == "bvh") {
        let file = data.join("bad").join(entry["file"].as_str().unwrap());
        let start = Instant::now();
        let loaded = sinew_bvh::load(&file);
        assert!(start.elapsed() < Duration::from_secs(60), "{}", file.display());
        match entry["expect"].as_str().unwrap() {
            "reject" => assert!(loaded.is_err(), "{} was accepted", file.display()),
            "accept" => assert!(loaded.is_ok(), "{}: {loaded:?}", file.display()),
            _ => {}
        }
        tried += 1;
        let Err(error) = loaded else { continue };
        let text = error.to_string();
        println!("{text}");
        assert_eq!(text.lines().count(), 1);
        let LoadError::Invalid { line, .. } = error else { panic!("{text}") };
        assert!(line >= 1 && text.starts_with(&format!("{}:{line}: ", file.display())), "{text}");
    }
    assert!(tried >= 22);
}
