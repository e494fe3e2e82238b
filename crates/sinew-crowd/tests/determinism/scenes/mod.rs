//! Crowds solved at every width of the machine, hashed, and the hashes that they had when they were last looked at.
//! `.ci/bits` asks for them where no tests run.

#[path = "../../../../sinew/tests/determinism/scenes/hash.rs"]
#[allow(dead_code, reason = "what poses of the core are hashed with")]
mod hash;

use hash::Hash;
use sinew::glam::{DQuat, DVec3, Vec3};
use sinew::limit::{Range, SwingTwist};
use sinew::math::arc;
use sinew::solve::fabrik::Fabrik;
use sinew::solve::three_link::Last;
use sinew::solve::two_bone::Reach;
use sinew::{Aim, BallLimit, Joint, JointSpec, Kind, Skeleton, SkeletonBuilder, ThreeLink, TwoBone};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Limbs, Poses, Width};
use sinew_rig::{Body, Evidence, recognize};

/// Name, how to hash it, and the pinned hash.
pub(crate) type Scene = (&'static str, fn() -> u64, u64);

pub(crate) const SCENES: [Scene; 3] = [
    ("crowd", poses, 16_387_209_567_859_651_559),
    ("bare limbs", bare, 17_822_503_344_178_861_500),
    ("bodies", bodies, 13_990_342_713_117_432_764),
];

/// Characters: more than two tiles.
const COUNT: usize = 40;

fn vector(random: &mut fastrand::Rng) -> Vec3 {
    Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5)
}

/// The hash that all widths have; 0 where they differ.
fn at_every_width(hash: impl Fn(Width) -> u64) -> u64 {
    let mut hashes = Width::all().map(hash);
    let first = hashes.next().unwrap_or(0);
    if hashes.all(|hash| hash == first) { first } else { 0 }
}

/// A chest with four arms of three bones, the third inside cones, the fourth with an elbow, and a head.
fn skeleton(random: &mut fastrand::Rng) -> Option<Skeleton> {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("chest"));
    let cone = SwingTwist::new(DVec3::Y, 1.2, Range::new(-0.8, 0.9))?;
    for arm in 0..4 {
        let mut above = 0;
        for bone in 0..4 {
            let place = vector(random).as_dvec3().normalize() * 0.3;
            let kind = match (arm, bone) {
                (2, _) | (3, 0) => Kind::Ball(BallLimit::SwingTwist(cone)),
                (3, 1) => Kind::hinge(vector(random).as_dvec3()).within(-0.3, 2.3),
                _ => Kind::BALL,
            };
            above = builder.add(JointSpec::named(format!("{arm}{bone}")).child_of(above).translation(place).kind(kind));
        }
    }
    builder.add(JointSpec::named("head").child_of(0).translation(DVec3::Y * 0.3));
    builder.build().ok()
}

fn crowd(skeleton: &Skeleton) -> Option<Crowd> {
    let limb = |names: [&str; 3]| {
        let [root, mid, tip] = skeleton.joints(names).ok()?;
        let limb = TwoBone::new(skeleton, root, mid, tip).ok()?;
        Some(TwoBone { reach: Reach::SOFT, ..limb })
    };
    let [root, mid, low, tip] = skeleton.joints(["10", "11", "12", "13"]).ok()?;
    let links = ThreeLink::new(skeleton, root, mid, low, tip).ok()?;
    let links = ThreeLink { last: Some(Last::Direction(DVec3::NEG_Y)), ..links };
    let [base, end, head] = skeleton.joints(["20", "23", "head"]).ok()?;
    let crowd = Crowd::new(skeleton).ok()?.two_bone(&limb(["00", "01", "02"])?).ok()?.three_link(&links).ok()?;
    let crowd = crowd.fabrik(&Fabrik::from_base(base), end).ok()?.two_bone(&limb(["30", "31", "32"])?).ok()?;
    crowd.aim(&Aim::new(skeleton, head).ok()?, DVec3::Z).ok()
}

fn poses() -> u64 {
    let random = &mut fastrand::Rng::with_seed(2);
    let Some((skeleton, crowd)) = skeleton(random).and_then(|skeleton| Some((skeleton.clone(), crowd(&skeleton)?)))
    else {
        return 0;
    };
    let (mut poses, mut goals) = (Poses::new(&crowd, COUNT), Goals::new(&crowd, COUNT));
    for character in 0..COUNT {
        for joint in skeleton.iter() {
            let turn = vector(random);
            // In `f64`: glam sums four `f32` in another order where it has vector registers.
            let turn = DQuat::from_xyzw(turn.x.into(), turn.y.into(), turn.z.into(), 1.0);
            poses.set_rotation(character, joint, arc::normalize(turn));
        }
        for solver in 0..crowd.solvers() {
            let target = CrowdTarget::new(vector(random)).weight([1.0, 1.0, 0.6][character % 3]);
            let poled = solver % 2 == 0 && character % 2 == 0;
            goals.set(character, solver, Some(if poled { target.pole(vector(random)) } else { target }));
        }
    }
    hashed(&crowd, &poses, &goals)
}

/// What is answered.
fn hashed(crowd: &Crowd, poses: &Poses, goals: &Goals) -> u64 {
    at_every_width(|width| {
        let (mut poses, mut goals, mut hash) = (poses.clone(), goals.clone(), Hash::default());
        crowd.blocks(&mut poses, &mut goals).for_each(|mut block| block.solve(crowd, width));
        for character in 0..COUNT {
            for joint in crowd.skeleton().iter() {
                let (turn, place) = (poses.rotation(character, joint), poses.position(character, joint));
                turn.to_array().into_iter().chain(place.to_array()).for_each(|x| hash.eat(f64::from(x)));
            }
            for solver in 0..crowd.solvers() {
                let (status, error) = goals.result(character, solver);
                hash.eat(f64::from(error));
                hash.bytes(status.name().as_bytes());
            }
        }
        hash.0
    })
}

/// Humans with six trackers.
fn bodies() -> u64 {
    let random = &mut fastrand::Rng::with_seed(3);
    let Some((crowd, ends)) = human() else { return 0 };
    let (poses, mut goals) = (Poses::new(&crowd, COUNT), Goals::new(&crowd, COUNT));
    let skeleton = crowd.skeleton();
    for character in 0..COUNT {
        let mut pose = skeleton.rest_pose();
        for joint in skeleton.iter() {
            let turn = vector(random).as_dvec3() * 0.3;
            pose.edit(skeleton).rotation(joint, DQuat::from_xyzw(turn.x, turn.y, turn.z, 1.0));
        }
        for (part, &joint) in ends.iter().enumerate() {
            let target = CrowdTarget::new(pose.position(joint).as_vec3());
            goals.set(character, part, Some(target.rotation(pose.rotation(joint).as_quat())));
        }
    }
    hashed(&crowd, &poses, &goals)
}

fn human() -> Option<(Crowd, [Joint; 6])> {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: &str, place: [f64; 3]| {
        let joint = JointSpec::named(name).translation(place);
        builder.add(if parent.is_empty() { joint } else { joint.child_of(parent) });
    };
    add("hips", "", [0.0, 0.93, 0.0]);
    for (name, parent, y) in
        [("spine", "hips", 0.1), ("chest", "spine", 0.2), ("neck", "chest", 0.25), ("head", "neck", 0.1)]
    {
        add(name, parent, [0.0, y, 0.0]);
    }
    for (side, x) in [("L", 1.0), ("R", -1.0)] {
        for (name, parent, [across, y, z]) in [
            ("shoulder", "chest", [0.05, 0.2, 0.0]),
            ("upper_arm", "shoulder", [0.13, 0.0, 0.0]),
            ("forearm", "upper_arm", [0.28, 0.0, 0.0]),
            ("hand", "forearm", [0.25, 0.0, 0.0]),
            ("thigh", "hips", [0.1, 0.0, 0.0]),
            ("shin", "thigh", [0.0, -0.42, 0.0]),
            ("foot", "shin", [0.0, -0.42, 0.0]),
            ("toes", "foot", [0.0, -0.05, 0.12]),
        ] {
            let parent =
                if parent == "chest" || parent == "hips" { parent.to_owned() } else { format!("{parent}.{side}") };
            add(&format!("{name}.{side}"), &parent, [across * x, y, z]);
        }
    }
    let skeleton = builder.build().ok()?;
    let body = Body::of(&skeleton, &recognize(&Evidence::of(&skeleton)))?;
    let ends = skeleton.joints(["hips", "head", "hand.L", "hand.R", "foot.L", "foot.R"]).ok()?;
    Some((Crowd::new(&skeleton).ok()?.body(&body).ok()?, ends))
}

fn bare() -> u64 {
    let random = &mut fastrand::Rng::with_seed(3);
    let numbers: Vec<Vec<f32>> = (0..11)
        .map(|number| (0..100).map(|_| if number < 9 { random.f32() - 0.5 } else { 0.2 + random.f32() }).collect())
        .collect();
    let vector = |from: usize| [0, 1, 2].map(|axis| &numbers[from + axis][..]);
    let limbs = Limbs { root: vector(0), target: vector(3), pole: vector(6), lengths: [&numbers[9], &numbers[10]] };
    at_every_width(|width| {
        let (mut out, mut hash) = (vec![vec![0.0; 100]; 12], Hash::default());
        let [a, b, c, d, e, f, g, h, i, j, k, l] = &mut out[..] else { return 0 };
        limbs.positions(width, [a, b, c], [d, e, f]);
        limbs.rotations(width, [g, h, i, j], [k, l]);
        out.iter().flatten().for_each(|&x| hash.eat(f64::from(x)));
        hash.0
    })
}
