//! Limbs that are straight at rest fold as their body's do, with no preset.
#![allow(clippy::unwrap_used, reason = "tests")]

use sinew::glam::{DAffine3, DVec3};
use sinew::{Goal, JointSpec, Skeleton, SkeletonBuilder, Solver, Status, TwoBone, Workspace};
use sinew_rig::{Evidence, LimbKind, Recognition, prepare};

/// Hips, trunk and head, with limbs of straight bones: each a name, the joint that it hangs on, and its places.
fn body(base: DAffine3, limbs: &[(&str, &str, &[[f64; 3]])]) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut places = std::collections::HashMap::new();
    for &(names, parent, joints) in limbs {
        let mut above = parent.to_owned();
        for (name, &place) in names.split(' ').zip(joints) {
            let place = DVec3::from(place);
            let from = places.get(&above).copied().unwrap_or(DVec3::ZERO);
            let spec = JointSpec::named(name).translation(place - from);
            builder.add(if above.is_empty() { JointSpec { base, ..spec } } else { spec.child_of(above.as_str()) });
            places.insert(name.to_owned(), place);
            name.clone_into(&mut above);
        }
    }
    builder.build().unwrap()
}

fn human(base: DAffine3) -> Skeleton {
    body(
        base,
        &[
            (
                "hips spine chest neck head",
                "",
                &[[0.0, 0.93, 0.0], [0.0, 1.03, 0.0], [0.0, 1.23, 0.0], [0.0, 1.48, 0.0], [0.0, 1.58, 0.0]],
            ),
            ("upper_arm.L forearm.L hand.L", "chest", &[[0.18, 1.43, 0.0], [0.46, 1.43, 0.0], [0.71, 1.43, 0.0]]),
            ("upper_arm.R forearm.R hand.R", "chest", &[[-0.18, 1.43, 0.0], [-0.46, 1.43, 0.0], [-0.71, 1.43, 0.0]]),
            (
                "thigh.L shin.L foot.L toes.L",
                "hips",
                &[[0.1, 0.9, 0.0], [0.1, 0.48, 0.0], [0.1, 0.06, 0.0], [0.1, 0.0, 0.12]],
            ),
            (
                "thigh.R shin.R foot.R toes.R",
                "hips",
                &[[-0.1, 0.9, 0.0], [-0.1, 0.48, 0.0], [-0.1, 0.06, 0.0], [-0.1, 0.0, 0.12]],
            ),
        ],
    )
}

fn dog() -> Skeleton {
    let leg = |x: f64, z: f64| [[x, 0.6, z], [x, 0.33, z], [x, 0.06, z], [x, 0.0, z + 0.05]];
    body(
        DAffine3::IDENTITY,
        &[
            (
                "hips spine chest neck head",
                "",
                &[[0.0, 0.65, -0.4], [0.0, 0.67, -0.1], [0.0, 0.67, 0.2], [0.0, 0.8, 0.4], [0.0, 0.95, 0.5]],
            ),
            ("thigh.L shin.L foot.L toes.L", "hips", &leg(0.1, -0.4)),
            ("thigh.R shin.R foot.R toes.R", "hips", &leg(-0.1, -0.4)),
            ("front_thigh.L front_shin.L front_foot.L front_toes.L", "chest", &leg(0.1, 0.25)),
            ("front_thigh.R front_shin.R front_foot.R front_toes.R", "chest", &leg(-0.1, 0.25)),
            ("tail1 tail2", "hips", &[[0.0, 0.65, -0.5], [0.0, 0.6, -0.8]]),
        ],
    )
}

/// Pulls a limb's third joint a third of the way to its first: by how far its second then lies off the line, which way.
fn folded(skeleton: &Skeleton, found: &Recognition, kind: LimbKind, front: Option<bool>) -> Vec<DVec3> {
    let limbs = found.limbs.iter().filter(|limb| limb.kind == kind && limb.front == front);
    limbs
        .map(|limb| {
            let &[.., root, mid, tip] = &limb.joints[..3] else { panic!("{limb}") };
            let solver = TwoBone::new(skeleton, root, mid, tip).unwrap();
            let mut pose = skeleton.rest_pose();
            let target = pose.position(tip).lerp(pose.position(root), 0.33);
            let outcome = solver.solve(skeleton, &[Goal::position(tip, target)], &mut pose, &mut Workspace::default());
            assert_eq!(outcome.status, Status::Reached);
            let off = (pose.position(mid) - pose.position(root)).reject_from(target - pose.position(root));
            found.up.dot(off) * DVec3::Y + found.forward.dot(off) * DVec3::Z
        })
        .collect()
}

#[test]
fn straight_limbs_fold_as_their_body_does() {
    let lying = DAffine3::from_rotation_x(-1.57) * DAffine3::from_scale(DVec3::splat(100.0));
    for base in [DAffine3::IDENTITY, lying, DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0))] {
        let plain = human(base);
        let up = base.transform_vector3(DVec3::Y).normalize();
        let (skeleton, found) = prepare(&Evidence { up, ..Evidence::of(&plain) });
        let (arms, legs) =
            (folded(&skeleton, &found, LimbKind::Arm, None), folded(&skeleton, &found, LimbKind::Leg, None));
        assert_eq!((arms.len(), legs.len()), (2, 2));
        assert!(
            arms.iter().all(|elbow| elbow.z < 0.0 && elbow.y.abs() < 1e-6 * elbow.length().max(1.0)),
            "{base:?} {arms:?}"
        );
        assert!(legs.iter().all(|knee| knee.z > 0.0), "{base:?} {legs:?}");
    }
    let plain = dog();
    let (skeleton, found) = prepare(&Evidence::of(&plain));
    let [hind, fore] = [false, true].map(|front| folded(&skeleton, &found, LimbKind::Leg, Some(front)));
    assert_eq!((hind.len(), fore.len()), (2, 2));
    assert!(hind.iter().all(|knee| knee.z > 0.01) && fore.iter().all(|elbow| elbow.z < -0.01), "{hind:?} {fore:?}");
}

#[test]
fn what_is_bent_or_said_stays_and_nothing_else_changes() {
    let plain = human(DAffine3::IDENTITY);
    let said = plain.revised(|joint, spec| {
        if plain.name(joint) == Some("shin.L") {
            spec.bend = Some(DVec3::Z);
        }
    });
    let said = said.unwrap();
    let (skeleton, _) = prepare(&Evidence::of(&said));
    assert_eq!(skeleton.bend(skeleton.joint("shin.L").unwrap()), Some(DVec3::Z));
    assert!(skeleton.bend(skeleton.joint("shin.R").unwrap()).is_some());
    assert_eq!(skeleton.bend(skeleton.joint("thigh.R").unwrap()), None);
    assert!(
        skeleton
            .iter()
            .zip(plain.iter())
            .all(|(a, b)| skeleton.rest(a) == plain.rest(b) && skeleton.kind(a) == plain.kind(b))
    );
}

/// A file is loaded and recognised in one call: the human's straight knees have the bend that `prepare` gives them.
#[test]
fn a_file_is_loaded_with_the_bends_of_its_body() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    let (character, found) = sinew_rig::load(file).unwrap();
    let plain = sinew_gltf::load(file).unwrap();
    let (skeleton, _) = prepare(&Evidence::of_character(&plain));
    let bends = |skeleton: &Skeleton| skeleton.iter().map(|joint| skeleton.bend(joint)).collect::<Vec<_>>();
    assert_eq!(bends(&character.skeleton), bends(&skeleton));
    let knees = found.limbs.iter().filter(|limb| limb.kind == LimbKind::Leg).map(|limb| limb.joints[1]);
    assert!(knees.clone().count() == 2 && knees.clone().all(|knee| character.skeleton.bend(knee).is_some()));
    assert!(knees.filter_map(|knee| plain.skeleton.at(knee.index())).any(|knee| plain.skeleton.bend(knee).is_none()));
}
