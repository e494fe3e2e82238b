//! Animations sampled, against a second reading of the bytes that shares nothing with the first: its own accessors,
//! its own ways between keys by the formulas of the specification's appendix C.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use crate::oracle;
use crate::sample;
use base64::Engine as _;
use glam::{DQuat, DVec3};
use serde_json::{Value, json};
use sinew::Transform;
use sinew_gltf::{Animation, Character};

/// A file as the second reader sees it.
struct Raw {
    document: Value,
    buffers: Vec<Vec<u8>>,
}

impl Raw {
    fn of(file: &[u8], folder: &std::path::Path) -> Self {
        let document = oracle::document(file);
        let buffer = |buffer: &Value| match buffer["uri"].as_str() {
            Some(uri) if uri.starts_with("data:") => {
                base64::engine::general_purpose::STANDARD.decode(uri.split_once(',').unwrap().1).unwrap()
            }
            Some(uri) => std::fs::read(folder.join(uri)).unwrap(),
            None => file[28 + u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize..].to_vec(),
        };
        Self { buffers: document["buffers"].as_array().unwrap().iter().map(buffer).collect(), document }
    }

    fn numbers(&self, view: &Value, offset: usize, kind: u64, size: usize, count: usize) -> Vec<Vec<f64>> {
        let bytes = match kind {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let whole = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let view = &self.document["bufferViews"][whole(view)];
        let stride = view["byteStride"].as_u64().map_or(bytes * size, |stride| stride as usize);
        let data = &self.buffers[whole(&view["buffer"])][whole(&view["byteOffset"]) + offset..];
        let number = |at: usize| match kind {
            5120 => f64::from(data[at].cast_signed()),
            5121 => f64::from(data[at]),
            5122 => f64::from(i16::from_le_bytes([data[at], data[at + 1]])),
            5123 => f64::from(u16::from_le_bytes([data[at], data[at + 1]])),
            5125 => f64::from(u32::from_le_bytes(data[at..at + 4].try_into().unwrap())),
            _ => f64::from(f32::from_le_bytes(data[at..at + 4].try_into().unwrap())),
        };
        (0..count).map(|row| (0..size).map(|i| number(row * stride + i * bytes)).collect()).collect()
    }

    fn accessor(&self, index: &Value) -> Vec<Vec<f64>> {
        let accessor = &self.document["accessors"][index.as_u64().unwrap() as usize];
        let whole = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let size = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let (kind, count) = (accessor["componentType"].as_u64().unwrap(), whole(&accessor["count"]));
        let mut rows = match &accessor["bufferView"] {
            Value::Null => vec![vec![0.0; size]; count],
            view => self.numbers(view, whole(&accessor["byteOffset"]), kind, size, count),
        };
        if let Some(sparse) = accessor.get("sparse") {
            let (at, to, many) = (&sparse["indices"], &sparse["values"], whole(&sparse["count"]));
            let at_kind = at["componentType"].as_u64().unwrap();
            let places = self.numbers(&at["bufferView"], whole(&at["byteOffset"]), at_kind, 1, many);
            let values = self.numbers(&to["bufferView"], whole(&to["byteOffset"]), kind, size, many);
            for (place, value) in places.iter().zip(values) {
                let row = rows.iter_mut().enumerate().find(|(row, _)| *row as f64 == place[0]);
                *row.unwrap().1 = value;
            }
        }
        if accessor["normalized"] == true {
            let (most, signed) = match kind {
                5120 => (127.0, true),
                5121 => (255.0, false),
                5122 => (32767.0, true),
                _ => (65535.0, false),
            };
            rows.iter_mut().flatten().for_each(|x| *x = if signed { (*x / most).max(-1.0) } else { *x / most });
        }
        rows
    }

    /// What the channels of an animation say at a moment: node, path, value.
    fn at(&self, animation: usize, time: f64) -> Vec<(usize, String, Vec<f64>)> {
        let animation = &self.document["animations"][animation];
        let channels = animation["channels"].as_array().unwrap().iter();
        let driven = channels.filter(|channel| channel["target"]["path"] != "weights");
        driven.map(|channel| self.channel(animation, channel, time)).collect()
    }

    fn channel(&self, animation: &Value, channel: &Value, time: f64) -> (usize, String, Vec<f64>) {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = self.accessor(&sampler["input"]).concat();
        let mut values = self.accessor(&sampler["output"]);
        let (mut node, mut path) = (channel["target"]["node"].as_u64(), channel["target"]["path"].as_str().unwrap());
        if path == "pointer" {
            let pointer = channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap();
            let parts: Vec<&str> = pointer.split('/').collect();
            (node, path) = (Some(parts[2].parse().unwrap()), parts[3]);
        }
        let way = sampler["interpolation"].as_str().unwrap_or("LINEAR");
        if path == "rotation" && way != "CUBICSPLINE" {
            for value in &mut values {
                normalize(value);
            }
        }
        let at_key = |key: usize| values[if way == "CUBICSPLINE" { 3 * key + 1 } else { key }].clone();
        let key = times.iter().filter(|&&key| key <= time).count();
        let mut value = match key {
            0 => at_key(0),
            key if key == times.len() || way == "STEP" => at_key(key - 1),
            key => {
                let length = times[key] - times[key - 1];
                let t = (time - times[key - 1]) / length;
                match way {
                    "CUBICSPLINE" => {
                        let [v, b, a, w] = [3 * key - 2, 3 * key - 1, 3 * key, 3 * key + 1].map(|i| &values[i]);
                        // Horner's form of the cubic in t.
                        let cubic = |i: usize| {
                            let (m, n) = (length * b[i], length * a[i]);
                            let (c3, c2) = (2.0 * v[i] - 2.0 * w[i] + m + n, 3.0 * w[i] - 3.0 * v[i] - 2.0 * m - n);
                            ((c3 * t + c2) * t + m) * t + v[i]
                        };
                        (0..v.len()).map(cubic).collect()
                    }
                    _ if path == "rotation" => slerp(&at_key(key - 1), &at_key(key), t),
                    _ => at_key(key - 1).iter().zip(at_key(key)).map(|(a, b)| a * (1.0 - t) + b * t).collect(),
                }
            }
        };
        if path == "rotation" {
            normalize(&mut value);
        }
        (node.unwrap() as usize, path.to_owned(), value)
    }
}

fn normalize(q: &mut [f64]) {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in q {
        *x /= length;
    }
}

/// Appendix C.4.
fn slerp(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    let d: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if d < 0.0 { -1.0 } else { 1.0 };
    let angle = d.abs().min(1.0).acos();
    let part = |share: f64| if angle < 1e-7 { share } else { (share * angle).sin() / angle.sin() };
    a.iter().zip(b).map(|(a, b)| a * part(1.0 - t) + sign * b * part(t)).collect()
}

/// The pose has every joint where the second reader has it, others at rest.
fn assert_shows(character: &Character, raw: &Raw, animation: &Animation<'_>, time: f64) {
    let mut pose = character.skeleton.rest_pose();
    animation.pose(time, &mut pose);
    let mut locals: Vec<Transform> = character.skeleton.iter().map(|joint| *character.skeleton.rest(joint)).collect();
    for (node, path, v) in raw.at(animation.index(), time) {
        let Some(joint) = character.joint_of_node(node) else { continue };
        let local = &mut locals[joint.index()];
        match path.as_str() {
            "translation" => local.translation = DVec3::new(v[0], v[1], v[2]),
            "rotation" => local.rotation = DQuat::from_xyzw(v[0], v[1], v[2], v[3]),
            _ => local.scale = DVec3::new(v[0], v[1], v[2]),
        }
    }
    for (joint, local) in character.skeleton.iter().zip(&locals) {
        let found = pose.local(joint);
        let size = 1.0 + local.translation.length();
        let turn = 1.0 - found.rotation.dot(local.rotation).abs();
        let name = character.skeleton.name(joint).unwrap_or_default();
        assert!(found.translation.distance(local.translation) < 1e-12 * size, "{name} at {time}: {found:?}, {local:?}");
        assert!(found.scale.distance(local.scale) < 1e-12, "{name} at {time}");
        assert!(turn < 1e-12, "{name} at {time}: {found:?}, {local:?}");
        assert!((found.rotation.length() - 1.0).abs() < 1e-14, "{name}");
    }
}

#[test]
fn every_kind_of_key_is_read_and_every_way_gone() {
    let bytes = sample::file(&sample::mixed());
    let character = Character::from_slice(&bytes, None).unwrap();
    let raw = Raw::of(&bytes, std::path::Path::new(""));
    assert_eq!(character.animation_count(), 3);
    for index in 0..3 {
        let animation = character.animation(index).unwrap();
        assert_eq!((animation.start(), animation.end()), (0.5, 2.0));
        assert_eq!(animation.key_times(), [0.5, 0.75, 1.5, 2.0]);
        for step in -2..60 {
            assert_shows(&character, &raw, &animation, f64::from(step) * 0.05);
        }
    }
    let names: Vec<_> = (0..3).map(|index| character.animation_name(index)).collect();
    assert_eq!(names, ["linear", "steps", "splines"]);
    let steps = character.animation(1).unwrap();
    assert_eq!(steps.joints().collect::<Vec<_>>(), character.skeleton.iter().take(2).collect::<Vec<_>>());
}

/// The ends hold, and at a key its value stands bit for bit.
#[test]
fn the_ends_hold_and_keys_are_met() {
    let character = Character::from_slice(&sample::file(&sample::mixed()), None).unwrap();
    let animation = character.animation(0).unwrap();
    let at = |time: f64| {
        let mut pose = character.skeleton.rest_pose();
        animation.pose(time, &mut pose);
        pose
    };
    assert_eq!(at(-1e9), at(0.5));
    assert_eq!(at(f64::INFINITY), at(2.0));
    let shin = character.joint_of_node(2).unwrap();
    assert_eq!(at(0.75).local(shin).translation, DVec3::new(5.0, 6.0, 7.0));
    assert_eq!(at(2.0).local(shin).translation, DVec3::new(8.0, 9.0, 10.0));
}

/// What an animation does not drive stays as the pose has it, so that several can be laid over one another.
#[test]
fn what_is_not_driven_stays() {
    let character = Character::from_slice(&sample::file(&sample::mixed()), None).unwrap();
    let shin = character.joint_of_node(2).unwrap();
    let mut pose = character.skeleton.rest_pose();
    character.animation(0).unwrap().pose(1.0, &mut pose);
    let turned = pose.local(shin).rotation;
    character.animation(2).unwrap().pose(1.0, &mut pose);
    assert_eq!(pose.local(shin).rotation, turned);
    assert!(pose.local(shin).scale != DVec3::ONE);
}

#[test]
fn broken_keys_are_named_where_they_are_asked_for() {
    let refuse = |change: &dyn Fn(&mut Value, &mut Vec<u8>), index: usize, place: &str| {
        let (mut document, mut bin) = sample::mixed();
        change(&mut document, &mut bin);
        let character = Character::from_slice(&sample::file(&(document, bin)), None).expect("loads all the same");
        let error = character.animation(index).expect_err(place).to_string();
        assert!(error.starts_with(&format!("glTF data: {place}: ")), "{error}");
        assert!(error.lines().count() == 1 && error.contains("; "), "{error}");
    };
    refuse(&|_, _| {}, 3, "animations");
    let input = |d: &Value| d["bufferViews"][4]["byteOffset"].as_u64().unwrap() as usize;
    refuse(&|d, bin| bin[input(d) + 4..][..4].copy_from_slice(&0.25f32.to_le_bytes()), 0, "accessors[4]");
    refuse(&|d, bin| bin[input(d)..][..4].copy_from_slice(&f32::NAN.to_le_bytes()), 0, "accessors[4]");
    let cubic = |d: &Value| d["bufferViews"][11]["byteOffset"].as_u64().unwrap() as usize;
    refuse(&|d, bin| bin[cubic(d) + 40..][..4].copy_from_slice(&f32::INFINITY.to_le_bytes()), 2, "accessors[10]");
    refuse(&|d, _| d["animations"][0]["samplers"][0]["output"] = json!(11), 0, "accessors[11].type");
    refuse(&|d, _| d["animations"][2]["channels"][2]["target"]["path"] = json!("rotation"), 2, "accessors[11].type");
    refuse(&|d, _| d["accessors"][11]["type"] = json!("VEC4"), 2, "accessors[11].type");
    // Zeros are no rotations, and times without data are all the same.
    refuse(
        &|d, _| {
            d["accessors"][11]["type"] = json!("VEC4");
            d["animations"][2]["channels"][2]["target"]["path"] = json!("rotation");
        },
        2,
        "accessors[11]",
    );
    refuse(
        &|d, _| {
            d["accessors"][4] = json!({"componentType": 5126, "count": 4_000_000_000u32, "type": "SCALAR"});
            for output in 5..12 {
                let shape = d["accessors"][output]["type"].clone();
                d["accessors"][output] = json!({"componentType": 5126, "count": 12_000_000_000u64, "type": shape});
            }
        },
        0,
        "accessors[4].bufferView",
    );
}

fn compressed() -> (Value, Vec<u8>) {
    let (mut document, bin) = sample::mixed();
    document["buffers"] = json!([document["buffers"][0], {"byteLength": 4096, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]);
    document["bufferViews"][5]["buffer"] = json!(1);
    document["bufferViews"][5]["byteOffset"] = json!(0);
    (document, bin)
}

#[test]
fn compressed_keys_are_said_to_be_so() {
    let character = Character::from_slice(&sample::file(&compressed()), None).unwrap();
    let error = character.animation(0).unwrap_err().to_string();
    assert!(error.contains("accessors[5].bufferView: the data is compressed") && error.contains("gltfpack"), "{error}");
    assert!(character.animation(2).is_ok());
}

/// Values that a reading in Python found, by accessors and slerp of its own.
#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_animations_are_where_python_has_them() {
    let data = sample::data();
    let local = |file: &str, animation: usize, node: usize, time: f64| {
        let character = sinew_gltf::load(data.join(file)).unwrap();
        let mut pose = character.skeleton.rest_pose();
        character.animation(animation).unwrap().pose(time, &mut pose);
        *pose.local(character.joint_of_node(node).unwrap())
    };
    let q = |x, y, z, w| DQuat::from_xyzw(x, y, z, w);
    let turned = |a: DQuat, b: DQuat| assert!((a.dot(b).abs() - 1.0).abs() < 1e-14, "{a}, {b}");
    turned(
        local("gltf/CesiumMan.glb", 0, 5, 0.777).rotation,
        q(0.985_045_280_084_826, -0.020_708_816_537_577_37, -0.030_724_300_281_499_087, -0.168_264_549_066_142_5),
    );
    let at = local("gltf/CesiumMan.glb", 0, 12, 1.3).translation;
    assert!(at.distance(DVec3::new(0.0, 0.250_516_712_665_557_86, 0.0)) < 1e-14, "{at}");
    let wolf =
        q(-0.289_697_728_892_923_8, 6.993_793_804_697_457e-9, 4.607_357_213_396_143_4e-7, 0.957_118_188_038_483_6);
    turned(local("rigs/quaternius_Wolf.glb", 3, 10, 0.31).rotation, wolf);
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn the_animations_of_the_data_are_as_the_second_reader_has_them() {
    let data = sample::data();
    let mut seen = 0;
    for folder in ["gltf", "gltf/odd", "rigs"] {
        for entry in std::fs::read_dir(data.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(character) = sinew_gltf::load(&path) else { continue };
            if character.animation_count() == 0 {
                continue;
            }
            let raw = Raw::of(&std::fs::read(&path).unwrap(), path.parent().unwrap());
            for index in (0..character.animation_count()).step_by(character.animation_count().div_ceil(4)) {
                let animation = character.animation(index).unwrap();
                let (start, length) = (animation.start(), animation.end() - animation.start());
                for share in [-0.1, 0.0, 0.13, 0.5, 0.777, 1.0, 2.0] {
                    assert_shows(&character, &raw, &animation, start + share * length);
                }
                seen += 1;
            }
        }
    }
    println!("{seen} animations");
    assert!(seen > 30);
}
