//! Limbs that are straight at rest fold as their body's do, with no preset.
#![allow(clippy::unwrap_used, reason = "tests")]

use sinew::glam::{DAffine3, DVec3};
use sinew::{Goal, Skeleton, Solver, Status, TwoBone, Workspace};
use sinew_rig::{BodyKind, Evidence, LimbKind, Recognition, prepare};

use crate::made;

fn human(base: DAffine3) -> Skeleton {
    made::skeleton(base, &made::human())
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
    let plain = made::skeleton(DAffine3::IDENTITY, &made::dog());
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

/// A bird's legs: one straight, one bent; a leg on each side of a hexapod, straight down to its end; arms of a beast on two legs.
#[test]
fn beasts_fold_as_their_twins_do_and_many_legs_knee_up() {
    let trunk = vec![[0.0, 0.8, -0.2], [0.0, 0.85, 0.2], [0.0, 0.95, 0.4], [0.0, 1.1, 0.5]];
    let rows: Vec<made::Row<'_>> = vec![
        ("hips chest neck head", "", trunk),
        (
            "thigh.L shin.L foot.L toes.L",
            "hips",
            vec![[0.1, 0.75, 0.0], [0.1, 0.4, -0.12], [0.1, 0.05, 0.0], [0.1, 0.0, 0.1]],
        ),
        (
            "thigh.R shin.R foot.R toes.R",
            "hips",
            vec![[-0.1, 0.75, 0.0], [-0.1, 0.4, 0.0], [-0.1, 0.05, 0.0], [-0.1, 0.0, 0.1]],
        ),
        ("upper_arm.L forearm.L hand.L", "chest", vec![[0.1, 0.8, 0.2], [0.1, 0.7, 0.2], [0.1, 0.6, 0.2]]),
        ("upper_arm.R forearm.R hand.R", "chest", vec![[-0.1, 0.8, 0.2], [-0.1, 0.7, 0.2], [-0.1, 0.6, 0.2]]),
    ];
    let plain = made::skeleton(DAffine3::IDENTITY, &rows);
    let (skeleton, found) = prepare(&Evidence::of(&plain));
    assert_eq!((found.body, found.forward), (BodyKind::Biped, DVec3::Z));
    let (legs, arms) = (folded(&skeleton, &found, LimbKind::Leg, None), folded(&skeleton, &found, LimbKind::Arm, None));
    assert!(legs.iter().all(|knee| knee.z < -0.05), "both as the bent one: {legs:?}");
    assert!(arms.iter().all(|elbow| elbow.z < -0.01), "elbows back: {arms:?}");

    let leg = |x: f64, z: f64| [1.0, 2.0, 3.0, 4.0].map(|far| [0.2 * far * x, 0.9 - 0.2 * far, z]).to_vec();
    let mut rows: Vec<made::Row<'_>> = vec![("body", "", vec![[0.0, 0.8, 0.0]])];
    for (names, x, z) in [
        ("legA_1.L legA_2.L legA_3.L endA.L", 1.0, 0.4),
        ("legA_1.R legA_2.R legA_3.R endA.R", -1.0, 0.4),
        ("legB_1.L legB_2.L legB_3.L endB.L", 1.0, 0.0),
        ("legB_1.R legB_2.R legB_3.R endB.R", -1.0, 0.0),
        ("legC_1.L legC_2.L legC_3.L endC.L", 1.0, -0.4),
        ("legC_1.R legC_2.R legC_3.R endC.R", -1.0, -0.4),
    ] {
        rows.push((names, "body", leg(x, z)));
    }
    let plain = made::skeleton(DAffine3::IDENTITY, &rows);
    let (skeleton, found) = prepare(&Evidence::of(&plain));
    assert_eq!(found.body, BodyKind::ManyLegged);
    for letter in ["A", "B", "C"] {
        let names = [format!("leg{letter}_2.R"), format!("leg{letter}_3.R"), format!("end{letter}.R")];
        let [root, mid, tip] = names.map(|name| skeleton.joint(&name).unwrap());
        let mut pose = skeleton.rest_pose();
        let target = pose.position(tip).lerp(pose.position(root), 0.33);
        let solver = TwoBone::new(&skeleton, root, mid, tip).unwrap();
        let _ = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut Workspace::default());
        let knee = (pose.position(mid) - pose.position(root)).reject_from(target - pose.position(root));
        assert!(knee.y > 0.05, "{letter}: {knee}");
    }
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
