//! What the rest of sinew may take for granted about `rigs/human.glb`.

use std::error::Error;
use std::fs;

use glam::DVec3;
use rig_generator::mesh::Mesh;
use rig_generator::skeleton::Skeleton;
use rig_generator::{body, glb, human, human_path};

type Outcome = Result<(), Box<dyn Error>>;

fn human() -> (Skeleton, Mesh) {
    let skeleton = human::skeleton();
    let mesh = body::flesh(&skeleton);
    (skeleton, mesh)
}

fn flip(v: DVec3) -> DVec3 {
    DVec3::new(-v.x, v.y, v.z)
}

#[test]
fn the_committed_file_is_what_the_generator_makes() -> Outcome {
    let (skeleton, mesh) = human();
    let made = glb::write("Human", &skeleton, &mesh)?;
    let committed = fs::read(human_path())?;
    assert!(made == committed, "run `cargo run -p rig-generator` and commit rigs/human.glb");
    assert!(made.len() < 250_000, "{} bytes are too many to embed", made.len());
    Ok(())
}

#[test]
fn every_joint_has_its_mirror_image() {
    let skeleton = human::skeleton();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let mirror = skeleton.mirror_of(index);
        assert_eq!(skeleton.mirror_of(mirror), index);
        let mirror = &skeleton.joints()[mirror];
        assert_eq!(mirror.translation, flip(joint.translation), "{}", joint.name);
        assert!(mirror.position().distance(flip(joint.position())) < 1e-12, "{}", joint.name);
        assert!(mirror.along().distance(flip(joint.along())) < 1e-12, "{}", joint.name);
        // A turn about X bends both sides alike.
        assert!(mirror.bend_axis().distance(-flip(joint.bend_axis())) < 1e-12, "{}", joint.name);
    }
}

#[test]
fn every_vertex_has_its_mirror_image() {
    let (_, mesh) = human();
    let key = |v: DVec3| (v * 1e5).round().as_i64vec3().to_array();
    let mut points: Vec<_> = mesh.vertices.iter().map(|v| key(v.position)).collect();
    let mut mirrored: Vec<_> = mesh.vertices.iter().map(|v| key(flip(v.position))).collect();
    points.sort_unstable();
    mirrored.sort_unstable();
    assert_eq!(points, mirrored);
}

#[test]
fn elbows_and_knees_are_bent_about_x() {
    let skeleton = human::skeleton();
    for name in ["LeftLowerArm", "RightLowerArm", "LeftLowerLeg", "RightLowerLeg"] {
        let rotation = skeleton.joint(name).rotation.normalize();
        let (axis, angle) = rotation.to_axis_angle();
        assert!((5.0..25.0).contains(&angle.to_degrees()), "{name}: {}", angle.to_degrees());
        assert!(axis.distance(DVec3::X) < 1e-5, "{name}: {axis}");
    }
}

#[test]
fn bones_point_along_y_to_the_next_joint() {
    let skeleton = human::skeleton();
    // The joints that begin a chain of their own beside the one their parent continues.
    let branches = ["Shoulder", "UpperLeg", "Metacarpal", "IndexProximal", "RingProximal", "LittleProximal"];
    for joint in skeleton.joints().iter().filter(|joint| joint.parent.is_some()) {
        if branches.iter().any(|branch| joint.name.ends_with(branch)) {
            continue;
        }
        let t = joint.translation;
        assert!(t.x.abs() < 2e-6 && t.y > 0.0 && t.z.abs() < 2e-6, "{}: {t}", joint.name);
    }
}

#[test]
fn it_stands_on_the_floor_and_is_as_tall_as_it_says() {
    let (_, mesh) = human();
    let heights = || mesh.vertices.iter().map(|vertex| vertex.position.y);
    assert!(heights().fold(f64::INFINITY, f64::min).abs() < 1e-9);
    assert!((heights().fold(0.0, f64::max) - 1.75).abs() < 0.002);
}

#[test]
fn weights_sum_to_one_and_name_joints() {
    let (skeleton, mesh) = human();
    for vertex in &mesh.vertices {
        let (joints, weights) = vertex.weights.lanes();
        assert_eq!(weights.iter().sum::<f32>(), 1.0);
        for (joint, weight) in joints.into_iter().zip(weights) {
            assert!((0.0..=1.0).contains(&weight));
            assert!(usize::from(joint) < skeleton.joints().len());
            assert!(weight > 0.0 || joint == 0);
        }
    }
}

#[test]
fn the_surface_is_closed_and_faces_outwards() {
    let (_, mesh) = human();
    let mut edges = std::collections::BTreeMap::new();
    let mut volume = 0.0;
    for &[a, b, c] in &mesh.triangles {
        for edge in [(a, b), (b, c), (c, a)] {
            *edges.entry(edge).or_insert(0) += 1;
        }
        let [a, b, c] = [a, b, c].map(|corner| mesh.vertices[corner].position);
        volume += a.dot(b.cross(c)) / 6.0;
    }
    for (&(from, to), &count) in &edges {
        assert_eq!((count, edges.get(&(to, from))), (1, Some(&1)), "edge {from} {to}");
    }
    // Cubic metres; overlaps count twice, and a person has about 0.07.
    assert!((0.05..0.11).contains(&volume), "{volume}");
}
