//! `Pose::jacobian` against finite differences: hinges, slides, followers with multipliers, below balls, travelling
//! roots, mirrors, scale and shear.

use sinew::glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::math::arc;
use sinew::{Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder};

const STEP: f64 = 1e-6;

fn body(rng: &mut fastrand::Rng, base: DMat3) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: &str, kind: Kind, mimic: Option<(&str, f64)>| {
        let spec = JointSpec::named(name).kind(kind).translation(direction(rng)).rotation(rotation(rng));
        let spec = JointSpec { base: DAffine3::from_mat3(base), ..spec };
        let spec = mimic.map_or(spec.clone(), |(of, multiplier)| spec.mimic(of, multiplier, 0.3));
        builder.add(if parent.is_empty() { spec } else { spec.child_of(parent) });
    };
    let (a, b, c, d) = (DVec3::new(1.0, 2.0, 0.0), DVec3::Y, DVec3::new(0.0, -1.0, 1.0), DVec3::Z);
    add("root", "", Kind::Free, None);
    add("spine", "root", Kind::hinge(a), None);
    add("chest", "spine", Kind::BALL, None);
    add("lift", "chest", Kind::slide(b), Some(("spine", -0.7)));
    add("elbow", "lift", Kind::hinge(c), None);
    add("hand", "elbow", Kind::hinge(d), Some(("elbow", 2.5)));
    add("rail", "chest", Kind::slide(a), None);
    add("foot", "rail", Kind::Fixed, None);
    builder.build().expect("a body")
}

fn posed(skeleton: &Skeleton, rng: &mut fastrand::Rng) -> Pose {
    let mut pose = skeleton.rest_pose();
    for coordinate in 0..skeleton.coordinates().len() {
        pose.edit(skeleton).coordinate(coordinate, 2.0 * rng.f64() - 1.0);
    }
    let chest = skeleton.joint("chest").expect("a chest");
    pose.edit(skeleton).rotation(chest, rotation(rng));
    pose
}

/// Largest differences between columns and finite differences: of velocities, of angular velocities.
fn off(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> (f64, f64) {
    let mut columns = vec![[f64::NAN; 6]; skeleton.coordinates().len()];
    pose.jacobian(skeleton, joint, &mut columns);
    let (mut linear, mut angular) = (0.0_f64, 0.0_f64);
    for (coordinate, column) in columns.iter().enumerate() {
        let at = |by: f64| {
            let mut moved = pose.clone();
            moved.edit(skeleton).coordinate(coordinate, pose.coordinates()[coordinate] + by);
            (moved.position(joint), moved.rotation(joint))
        };
        let ((ahead, turned), (behind, from)) = (at(STEP), at(-STEP));
        let velocity = (ahead - behind) / (2.0 * STEP);
        let turn: DQuat = turned * from.conjugate();
        let spin = arc::rotation_vector(arc::normalize(turn)) / (2.0 * STEP);
        linear = linear.max((velocity - DVec3::from_slice(column)).length());
        angular = angular.max((spin - DVec3::from_slice(&column[3..])).length());
    }
    (linear, angular)
}

#[test]
fn columns_are_the_rates_of_the_frame() {
    for seed in 0..24 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mirror = if rng.bool() { DVec3::new(1.0, -1.0, 1.0) } else { DVec3::ONE };
        let base = DMat3::from_quat(rotation(&mut rng).quaternion());
        let scale = [0.5, 1.0, 3.0][rng.usize(0..3)];
        let skeleton = body(&mut rng, base * DMat3::from_diagonal(mirror * scale));
        let pose = posed(&skeleton, &mut rng);
        for joint in skeleton.iter() {
            let (linear, angular) = off(&skeleton, &pose, joint);
            assert!(linear < 1e-7 && angular < 1e-7, "seed {seed}, {:?}: {linear:e} {angular:e}", skeleton.name(joint));
        }
    }
}

#[test]
fn velocities_are_exact_below_shear_too() {
    let skew = DMat3::from_cols(DVec3::new(1.0, 0.3, 0.0), DVec3::new(-0.2, 2.0, 0.1), DVec3::new(0.0, 0.4, 0.7));
    for seed in 0..8 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let skeleton = body(&mut rng, skew);
        let pose = posed(&skeleton, &mut rng);
        for joint in skeleton.iter() {
            assert!(off(&skeleton, &pose, joint).0 < 1e-7);
        }
    }
}

#[test]
fn only_what_a_joint_hangs_on_moves_it() {
    let mut rng = fastrand::Rng::with_seed(7);
    let skeleton = body(&mut rng, DMat3::IDENTITY);
    let pose = posed(&skeleton, &mut rng);
    let [root, foot] = skeleton.joints(["root", "foot"]).expect("its joints");
    let mut columns = vec![[1.0; 6]; skeleton.coordinates().len()];
    pose.jacobian(&skeleton, foot, &mut columns);
    let [spine, elbow, rail] = ["spine", "elbow", "rail"].map(|name| skeleton.coordinate(name).expect(name));
    assert_eq!(columns[elbow], [0.0; 6]);
    assert_ne!(columns[spine], [0.0; 6]);
    assert_eq!(columns[rail][3..], [0.0; 3]);
    pose.jacobian(&skeleton, root, &mut columns);
    assert!(columns.iter().all(|column| *column == [0.0; 6]));
    // A scale of zero above moves nothing and makes no NaN.
    let flat = body(&mut rng, DMat3::ZERO);
    flat.rest_pose().jacobian(&flat, flat.joint("hand").expect("a hand"), &mut columns);
    assert!(columns.iter().flatten().all(|&rate| rate == 0.0));
}
