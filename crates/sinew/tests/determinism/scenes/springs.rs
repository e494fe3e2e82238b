//! Springs: chains with every kind of resistance, limits, colliders and links, on bodies that move, hitch and jump.

use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::Range;
use sinew::springs::{Bone, Collider, Link, SpringState, Springs};
use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder};

use super::Hash;

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    for seed in 0..12 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (skeleton, springs) = scene(&mut rng);
        let root = skeleton.at(0).expect("a root");
        let (mut pose, mut state) = (skeleton.rest_pose(), SpringState::default());
        let mut place = DVec3::ZERO;
        for frame in 0..80 {
            pose.reset(&skeleton);
            place += direction(&mut rng) * if frame == 40 { 10.0 } else { 0.02 };
            let turn = if frame == 60 { rotation(&mut rng) } else { skeleton.rest(root).rotation.into() };
            pose.edit(&skeleton).translation(root, place).rotation(root, turn);
            let dt = [1.0 / 24.0, 1.0 / 60.0, 1.0 / 240.0, 0.001, 1.0][usize::from(rng.u8(..25) / 6)];
            let _ = springs.step(&skeleton, &mut pose, &mut state, dt);
            for joint in skeleton.iter() {
                let local = pose.local(joint);
                local.rotation.to_array().into_iter().for_each(|x| hash.eat(x));
                local.translation.to_array().into_iter().for_each(|x| hash.eat(x));
                local.scale.to_array().into_iter().for_each(|x| hash.eat(x));
            }
        }
    }
    hash.0
}

/// Two strands on a root, tied across, with bones of every kind.
fn scene(rng: &mut fastrand::Rng) -> (Skeleton, Springs) {
    let mut builder = SkeletonBuilder::new();
    let root = builder.add(JointSpec::named("root"));
    for _ in 0..2 {
        let mut parent = root;
        for _ in 0..6 {
            let kind = match rng.u8(..6) {
                0 => Kind::hinge(direction(rng)).within(-0.4, 0.7),
                1 => Kind::hinge(direction(rng)),
                2 => Kind::Fixed,
                _ => Kind::BALL,
            };
            let spec = JointSpec::default().child_of(parent).kind(kind).rotation(rotation(rng));
            parent = builder.add(spec.translation(direction(rng) * (0.05 + 0.1 * rng.f64())));
        }
    }
    let skeleton = builder.build().expect("a good rig");
    let mut springs = Springs::below(&skeleton, skeleton.at(1).expect("a strand"));
    springs.bones.extend(Springs::below(&skeleton, skeleton.at(7).expect("a strand")).bones);
    springs = springs.tuned(&skeleton, 0.5 + 3.0 * rng.f64(), 0.3 * rng.f64());
    springs = springs.each(|bone| Bone {
        mass: 0.1 + rng.f64(),
        stretch: if rng.bool() { 1e-3 * rng.f64() } else { 0.0 },
        stretch_damping: rng.f64(),
        lengths: if rng.bool() { Range::new(0.8, 1.3) } else { Range::FREE },
        drag: 2.0 * rng.f64(),
        swing: if rng.bool() { 0.6 } else { 4.0 },
        radius: 0.02,
        ..bone
    });
    springs.links = vec![Link { compliance: 1e-3, damping: 0.1, ..Link::new(2, 7) }, Link::new(4, 9)];
    springs.colliders = vec![
        Collider::sphere(direction(rng) * 0.3, 0.2),
        Collider::plane(DVec3::NEG_Y * 0.4, DVec3::Y),
        Collider::capsule(direction(rng) * 0.3, direction(rng) * 0.3, 0.05).carried_by(skeleton.at(0).expect("a root")),
    ];
    let gravity = direction(rng) * 9.81;
    (skeleton, Springs { gravity, wind: direction(rng), squash: rng.bool(), ..springs })
}
