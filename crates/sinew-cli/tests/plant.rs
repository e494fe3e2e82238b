//! `sinew plant` as its users meet it: feet of real clips stand on grounds, and what is said of them is so.

use crate::data::data;
use crate::shell::{complaint, object, sinew, sinew_in, text};
use serde_json::Value;
use sinew::glam::DVec3;
use sinew_gltf::Character;

fn worst(side: &Value, what: &str) -> f64 {
    let feet = side["feet"].as_array().expect("feet");
    feet.iter().filter_map(|foot| foot[what].as_f64()).fold(0.0, f64::max)
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn feet_of_real_clips_stand_on_grounds() {
    let clip = |name: &str| data().join(name).to_str().expect("a name").to_owned();
    for file in ["bvh/cmu_12_01_walk.bvh", "bvh/toolbox_walk01.bvh", "mocap/deepmimic_stealthy_walk.bvh"] {
        let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
        for ground in ["flat", "slope:10", "rough:3", "stairs"] {
            let said = object(&sinew(&["plant", human, &clip(file), "--ground", ground, "--json"]));
            let [deep, slide] = ["penetration", "slide"].map(|what| worst(&said["after"], what));
            assert!(worst(&said["before"], "slide") > 4e-3, "{file}");
            assert!(deep < 5e-3 && slide < 1e-3, "{file} on {ground}: {deep} m deep, {slide} m a frame");
        }
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_climb_is_no_distance_from_the_clip() {
    let knight = data().join("gltf/kaykit_Knight.glb");
    let away = |ground: &str| {
        let plant =
            ["plant", knight.to_str().expect("a name"), "Walking_A", "--laps", "4", "--ground", ground, "--json"];
        object(&sinew(&plant))["away"]["distance"].as_f64().expect("a number")
    };
    // The stairs lead up by 0.7 m, and its legs are half a metre long.
    let [flat, stairs] = ["flat", "stairs"].map(away);
    assert!(flat < stairs && stairs < 0.05, "{flat} {stairs}");
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn beasts_that_walk_on_the_spot_touch_the_ground() {
    for (file, clip, feet) in [("Wolf", "Walk", 4), ("Trex", "TRex_Walk", 2), ("Spider", "Walk", 8)] {
        let beast = data().join(format!("rigs/quaternius_{file}.glb"));
        let said = object(&sinew(&["plant", beast.to_str().expect("a name"), clip, "--laps", "3", "--json"]));
        let touches = said["after"]["feet"].as_array().expect("feet").iter().map(|foot| foot["touches"].as_u64());
        let touches: Vec<u64> = touches.flatten().collect();
        assert!(touches.len() == feet && touches.iter().all(|touches| *touches >= 3), "{file}: {touches:?}");
        let [deep, slide] = ["penetration", "slide"].map(|what| worst(&said["after"], what));
        assert!(deep < 5e-3 && slide < 1e-3, "{file}: {deep} m deep, {slide} m a frame");
    }
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn a_walk_on_the_spot_travels_and_what_is_written_is_what_was_measured() {
    let man = data().join("gltf/CesiumMan.glb");
    let man = man.to_str().expect("a name");
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["plant", man, "0", "--laps", "2", "--ground", "slope:8", "-o", "out.glb", "--json"];
    let said = object(&sinew_in(folder.path(), &arguments));
    let speed = DVec3::from_array(crate::shell::numbers(&said["travel"])).length();
    assert!((0.7..1.2).contains(&speed), "{speed}");
    let written = Character::from_slice(&std::fs::read(folder.path().join("out.glb")).expect("written"), None);
    let written = written.expect("a character");
    let animation = written.animation(0).expect("an animation");
    let root = written.skeleton.roots().next().expect("a root");
    let at = |time: f64| {
        let mut pose = written.skeleton.rest_pose();
        animation.pose(time, &mut pose);
        pose.position(root)
    };
    let way = at(animation.end()) - at(animation.start());
    let length = animation.end() - animation.start();
    assert!((way.length() / length - speed).abs() < 0.1 * speed, "{way} in {length} s at {speed}");
    // Uphill.
    assert!((way.y / DVec3::new(way.x, 0.0, way.z).length() - 8.0_f64.to_radians().tan()).abs() < 0.03, "{way}");
}

#[test]
fn what_cannot_be_planted_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let goals = ["--goal", "LeftFoot=0.1,0.12,0.1", "--goal", "RightFoot=-0.1,0.12,-0.05"];
    let arguments = ["simulate", "--move", "sway", "--seconds", "1", "-o", "walk.glb"];
    text(&sinew_in(folder.path(), &[&arguments[..], &goals[..]].concat()));
    let plant = |more: &[&str]| sinew_in(folder.path(), &[&["plant", "walk.glb", "0"], more].concat());
    assert!(complaint(&plant(&["--ground", "moon"])).contains("no such ground"));
    assert!(complaint(&plant(&["--laps", "3"])).contains("does not walk on the spot"));
    assert!(complaint(&plant(&["--laps", "0"])).contains("1 to 1000"));
    assert!(complaint(&plant(&["-o", "walk.glb"])).contains("is the input file"));
    let page = text(&plant(&["-o", "out.glb"]));
    assert!(page.contains("LeftFoot") && page.contains("before") && page.contains("knees pop in 0 frames"), "{page}");
}

/// Rigs of our own walk on two to eight legs: feet that stand stay, none sinks in, no legs cross.
#[test]
fn rigs_of_our_own_walk() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, legs) in [("dog", 4), ("beetle", 6), ("spider", 8), ("strider", 2), ("human", 2)] {
        let rig = format!("{}/../../rigs/{name}.glb", env!("CARGO_MANIFEST_DIR"));
        for (ground, path) in [("rough:3", "circle"), ("stairs", "line"), ("flat", "turn")] {
            let arguments = ["walk", &rig, "--ground", ground, "--path", path, "--json"];
            let said = object(&sinew_in(folder.path(), &arguments));
            let height = said["height"].as_f64().expect("a height");
            let feet = said["legs"].as_array().expect("legs");
            let most = |what: &str| feet.iter().filter_map(|foot| foot[what].as_f64()).fold(0.0, f64::max);
            let off = most("slide").max(most("miss")) / height;
            assert!(feet.len() == legs && off < 1e-9, "{name} on {ground}: {} legs, {off}", feet.len());
            let deep = most("penetration").max(most("sunk")) / height;
            assert!(said["crossings"] == 0 && deep < 0.015, "{name} on {ground}: {deep} deep, {said}");
        }
    }
}

/// Rigs made by others walk on all their legs; feet that are bones of their own go along.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn rigs_of_others_walk() {
    let folder = tempfile::tempdir().expect("a folder");
    for (file, ground, legs) in [
        ("rigs/quaternius_Wolf.glb", "stairs", 4),
        ("rigs/quaternius_Spider.glb", "flat", 8),
        ("rigs/quaternius_Spider.glb", "rough:3", 8),
        ("gltf/Fox.glb", "rough:3", 4),
        ("rigs/quaternius_Trex.glb", "stairs", 2),
    ] {
        let rig = data().join(file);
        let arguments = ["walk", rig.to_str().expect("a name"), "--ground", ground, "-o", "out.glb", "--json"];
        let said = object(&sinew_in(folder.path(), &arguments));
        let height = said["height"].as_f64().expect("a height");
        let feet = said["legs"].as_array().expect("legs");
        let most = |what: &str| feet.iter().filter_map(|foot| foot[what].as_f64()).fold(0.0, f64::max);
        let off = most("slide").max(most("miss")) / height;
        assert!(feet.len() == legs && off < 1e-3, "{file} on {ground}: {} legs, {off}", feet.len());
        assert!(said["crossings"] == 0 && most("extension") < 0.994, "{file} on {ground}: {said}");
    }
    let arguments = ["walk", "--ground", "stairs", "-o", "out.glb", "--json"];
    let wolf = data().join("rigs/quaternius_Wolf.glb");
    text(&sinew_in(folder.path(), &[&arguments[..1], &[wolf.to_str().expect("a name")], &arguments[1..]].concat()));
    let written = std::fs::read(folder.path().join("out.glb")).expect("written");
    let written = Character::from_slice(&written, None).expect("a character");
    let animation = written.animation(0).expect("an animation");
    let [leg, foot] = ["FrontLowerLeg.L", "FF.L"].map(|name| written.skeleton.joint(name).expect("a joint"));
    let apart = |pose: &sinew::Pose| pose.position(leg).distance(pose.position(foot));
    let mut pose = written.skeleton.rest_pose();
    let most = 1.05 * apart(&pose);
    for part in 0..=60 {
        animation.pose(animation.end() * f64::from(part) / 60.0, &mut pose);
        assert!(apart(&pose) < most, "{} of {most} apart", apart(&pose));
    }
}

/// A leg whose last bone ends at a foot of its own walks on that foot.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn feet_of_their_own_are_what_legs_walk_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let rig = data().join("rigs/quaternius_Spider.glb");
    text(&sinew_in(folder.path(), &["walk", rig.to_str().expect("a name"), "-o", "out.glb"]));
    let written = std::fs::read(folder.path().join("out.glb")).expect("written");
    let written = Character::from_slice(&written, None).expect("a character");
    let animation = written.animation(0).expect("an animation");
    let foot = written.skeleton.joint("FrontFoot.L").expect("a joint");
    let mut pose = written.skeleton.rest_pose();
    let stands = pose.position(foot).y;
    for part in 0..=60 {
        animation.pose(animation.end() * f64::from(part) / 60.0, &mut pose);
        let sinks = stands - pose.position(foot).y;
        assert!(sinks < 0.02, "{sinks} m under where it stands");
    }
}

/// Clips of people, of a character with short legs and of beasts go on as smoothly as they are.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn clips_accelerate_no_more_than_twice() {
    let data = |name: &str| data().join(name).to_str().expect("a name").to_owned();
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb").to_owned();
    let mut clips: Vec<(String, String, &str)> = ["walk", "jog", "run", "zombie_walk", "dance_a"]
        .map(|name| (human.clone(), data(&format!("mocap/deepmimic_{name}.bvh")), "1"))
        .to_vec();
    let knight = data("gltf/kaykit_Knight.glb");
    clips.extend(["Walking_A", "Running_A", "Walking_Backwards"].map(|name| (knight.clone(), name.to_owned(), "3")));
    clips.push((data("gltf/Fox.glb"), "Run".to_owned(), "4"));
    clips.push((data("rigs/quaternius_Wolf.glb"), "AnimalArmature|Gallop".to_owned(), "4"));
    for (rig, clip, laps) in clips {
        let said = object(&sinew(&["plant", &rig, &clip, "--laps", laps, "--json"]));
        let ratio = said["acceleration"]["ratio"].as_f64().expect("a ratio");
        let [deep, slide] = ["penetration", "slide"].map(|what| worst(&said["after"], what));
        let leg = said["leg"].as_f64().expect("a length");
        assert!(ratio < 2.0, "{rig} {clip}: {ratio} times");
        assert!(deep < 6e-3 * leg && slide < 1.2e-3 * leg, "{rig} {clip}: {deep} deep, {slide} a frame of {leg}");
    }
}

/// What a ground asks for is told: nothing much of level ground, more of steeper stairs, and in words where it is more than the clip has.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn what_a_ground_asks_of_feet_is_told() {
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    let clip = data().join("bvh/toolbox_walk01.bvh");
    let clip = clip.to_str().expect("a name");
    let plant = |ground: &str, more: &[&str]| sinew(&[&["plant", human, clip, "--ground", ground][..], more].concat());
    let asked = |ground: &str| object(&plant(ground, &["--json"]))["acceleration"]["asked"].as_f64().expect("a number");
    let asks: Vec<f64> = ["flat", "stairs:0.3,0.4", "stairs:1.5,0.3"].map(asked).to_vec();
    assert!(asks[0] > 0.0 && asks[0] < 1.0 && asks[0] < asks[1] && asks[1] < asks[2] && asks[2] > 1.0, "{asks:?}");
    let said = |ground: &str| text(&plant(ground, &[])).contains("the ground asks for");
    assert!(!said("flat") && said("stairs:1.5,0.3"));
}

/// A body whose mesh lies elsewhere than its legs is refused in words of its own.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn bodies_over_no_ground_do_not_walk() {
    let body = data().join("gltf/isBinary_Overridden.vrm");
    let said = complaint(&sinew(&["walk", body.to_str().expect("a name")]));
    assert!(said.contains("no ground to walk on") && !said.contains("NaN"), "{said}");
}

/// The film of a walk, in a folder of its own.
fn film(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let all: Vec<&str> = [&["walk", "--seconds", "3", "--picture", "film.svg"], arguments].concat();
    drop(text(&sinew_in(folder.path(), &all)));
    std::fs::read_to_string(folder.path().join("film.svg")).expect("a film")
}

#[test]
fn a_film_of_a_walk_colours_whole_legs() {
    let film = film(&[]);
    for color in [sinew_draw::LEFT, sinew_draw::RIGHT] {
        let lines = film.lines().filter(|line| line.starts_with("<line") && line.contains(color)).count();
        // Thigh, shin, foot and toes in each of 16 frames, and a line in the legend.
        assert_eq!(lines, 16 * 4 + 1, "{color}");
    }
    assert!(film.contains(">other bones<"));
}

#[test]
fn a_film_of_a_turn_is_seen_from_one_place() {
    let widths = |path| {
        let film = film(&["--path", path]);
        let ground = film.lines().filter(|line| line.starts_with("<polyline"));
        let width = |line: &str| {
            let points = line.split_once("points=\"").expect("points").1.split('"').next().expect("points");
            let across = points.split(' ').map(|at| at.split(',').next().expect("x").parse::<f64>().expect("a number"));
            let (low, high) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
            high - low
        };
        let (low, high) = ground.map(width).fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), x| (a.min(x), b.max(x)));
        low / high
    };
    // The ground along the body is seen from its end as the body turns.
    assert!(widths("line") > 0.99 && widths("turn") < 0.5);
}
