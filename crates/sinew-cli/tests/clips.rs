//! Clips by their names: what files hold, and what is written to them.

use std::path::Path;

use serde_json::Value;

use crate::data::data;
use crate::gltf::document;
use crate::shell::{complaint, object, sinew, sinew_in, text};

const HUMAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");

/// Names of a file's animations.
fn names(path: &Path) -> Vec<Value> {
    document(path)["animations"].as_array().into_iter().flatten().map(|clip| clip["name"].clone()).collect()
}

#[test]
fn clips_that_are_written_have_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("stroll.bvh"), include_bytes!("human.bvh")).expect("written");
    std::fs::copy(HUMAN, at("hero.glb")).expect("copied");
    let run = |arguments: &[&str]| text(&sinew_in(folder.path(), arguments));
    run(&["walk", "hero.glb", "--seconds", "0.5", "-o", "walk.glb"]);
    assert_eq!(names(&at("walk.glb")), ["walk"]);
    run(&["simulate", "--seconds", "0.2", "-o", "swing.glb"]);
    assert_eq!(names(&at("swing.glb")), ["simulated"]);
    run(&["plant", "hero.glb", "stroll.bvh", "-o", "planted.glb"]);
    assert_eq!(names(&at("planted.glb")), ["stroll"]);
    run(&["bake", "hero.glb", "stroll.bvh", "--keep", "LeftFoot", "-o", "baked.glb"]);
    assert_eq!(names(&at("baked.glb")), ["stroll"]);
    // A clip of the file's own keeps its name, one of another file brings its own.
    run(&["bake", "walk.glb", "0", "--keep", "LeftFoot", "-o", "again.glb"]);
    assert_eq!(names(&at("again.glb")), ["walk"]);
    run(&["bake", "hero.glb", "walk.glb", "--keep", "LeftFoot", "-o", "other.glb"]);
    assert_eq!(names(&at("other.glb")), ["walk"]);
}

#[test]
fn a_clip_moves_the_body_of_its_own_file_unless_another_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("stroll.bvh"), include_bytes!("human.bvh")).expect("written");
    let run = |arguments: &[&str]| sinew_in(folder.path(), arguments);
    for verb in ["plant", "bake"] {
        let out = ["-o", "out.bvh", "--json"];
        let more: &[&str] = if verb == "bake" { &["--keep", "LeftFoot"] } else { &[] };
        let told = object(&run(&[&[verb, "stroll.bvh"], more, &out].concat()));
        assert_eq!(told["rig"], "stroll.bvh", "{told}");
        assert!(std::fs::read_to_string(folder.path().join("out.bvh")).expect("written").starts_with("HIERARCHY"));
        let line = complaint(&run(&[&[verb, "stroll.bvh"], more, &["-o", "stroll.bvh"]].concat()));
        assert!(line.contains("this is the input file"), "{line}");
    }
    let told = object(&run(&["plant", HUMAN, "stroll.bvh", "--json"]));
    assert!(told["rig"].as_str().is_some_and(|rig| rig.ends_with("human.glb")), "{told}");
}

#[test]
fn to_keep_joints_of_a_clip_alone_changes_nothing_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| text(&sinew_in(folder.path(), arguments));
    run(&["walk", "--seconds", "0.5", "-o", "walk.glb"]);
    let page = run(&["bake", "walk.glb", "0", "--keep", "LeftFoot"]);
    assert!(page.contains("nothing changed") && page.contains("`sinew plant` stops feet that slide"), "{page}");
    let help = text(&sinew(&["help", "bake"]));
    assert!(help.contains("sinew plant") && !help.contains("walk.bvh --keep"), "{help}");
}

#[test]
fn inspect_lists_clips() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| sinew_in(folder.path(), arguments);
    text(&run(&["walk", "--seconds", "0.5", "-o", "walk.glb"]));
    let told = object(&run(&["inspect", "walk.glb", "--json"]));
    let clips = told["clips"].as_array().expect("clips");
    let one = &clips[0];
    assert_eq!((clips.len(), &one["number"], &one["name"]), (1, &0.into(), &"walk".into()), "{told}");
    assert!((one["seconds"].as_f64().expect("a number") - 0.5).abs() < 1e-6, "{one}");
    let page = text(&run(&["inspect", "walk.glb"]));
    assert!(page.contains("\n1 clip\n  0 walk  0.50 s\n"), "{page}");
    assert!(!text(&run(&["inspect"])).contains("clip"));
    assert_eq!(object(&run(&["inspect", "--json"]))["clips"], Value::Array(Vec::new()));
    std::fs::write(folder.path().join("stroll.bvh"), include_bytes!("human.bvh")).expect("written");
    let told = object(&run(&["inspect", "stroll.bvh", "--json"]));
    assert_eq!((told["clips"].as_array().map(Vec::len), &told["clips"][0]["name"]), (Some(1), &"stroll".into()));
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn many_clips_stand_in_columns() {
    let knight = data().join("gltf/kaykit_Knight.glb").display().to_string();
    let told = object(&sinew(&["inspect", &knight, "--json"]));
    assert_eq!(told["clips"].as_array().map(Vec::len), Some(76));
    let page = text(&sinew(&["inspect", &knight]));
    let lines: Vec<&str> =
        page.lines().skip_while(|line| *line != "76 clips").skip(1).take_while(|l| !l.is_empty()).collect();
    assert!((20..50).contains(&lines.len()), "{} lines: {page}", lines.len());
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{lines:?}");
    assert!(page.contains("72 Walking_A  1.07 s") || page.contains("72 Walking_A"), "{page}");
}
