//! Creatures that walk: a dog, a beetle, a spider and a machine on two legs. All face +Z with the left at +X and stand on `y = 0`;
//! frames are the human's (Y along the bone, X the bend axis), names of the right side mirror the left's.

use glam::DVec3;

use crate::chain::{Chain, Station, station};
use crate::mesh::{Loft, Mesh};
use crate::skeleton::{Skeleton, frame};

/// A creature: its file's name, its joints and its skin.
#[derive(Debug)]
pub struct Creature {
    /// The name of the file and of the scene.
    pub name: &'static str,
    /// Joints.
    pub skeleton: Skeleton,
    /// Skin.
    pub mesh: Mesh,
}

/// All creatures.
pub fn all() -> [Creature; 4] {
    [dog(), beetle(), spider(), strider()]
}

/// A row of joints through points, the last one an end; `toward` is where the first bends to.
fn row(skeleton: &mut Skeleton, parent: Option<&str>, joints: &[(&str, DVec3)], toward: DVec3) {
    let mut above = parent.map(str::to_owned);
    for pair in joints.windows(2) {
        let [(name, at), (_, next)] = [pair[0], pair[1]];
        skeleton.add(name, above.as_deref(), at, frame(next - at, toward));
        above = Some(name.to_owned());
    }
    if let [.., (last, at), (tip, end)] = joints {
        skeleton.add_tip(tip, last, end.distance(*at));
    }
}

/// A round tube along joints, as thick as the radii at its joints say.
fn tube(skeleton: &Skeleton, joints: &[(&str, f64)], sides: usize) -> Mesh {
    let band = |radius: f64| 0.8 * radius;
    let last = joints.len() - 1;
    let named: Vec<(&str, f64)> = joints
        .iter()
        .enumerate()
        .map(|(index, &(name, radius))| (name, if index == 0 || index == last { 0.0 } else { band(radius) }))
        .collect();
    let chain = Chain::new(skeleton, &named);
    let mut stations: Vec<Station> = Vec::new();
    for bone in 0..last {
        let (from, to) = (joints[bone].1, joints[bone + 1].1);
        for t in [0.0, 0.25, 0.5, 0.75] {
            let radius = from + (to - from) * t;
            stations.push(station(bone, t, radius, radius, radius));
        }
    }
    let end = joints[last].1;
    stations.push(station(last - 1, 1.0, end, end, end));
    let rings: Vec<_> = stations.iter().map(|one| chain.ring(one)).collect();
    Mesh::loft(&Loft { sides, squareness: 2.0, start_bulge: joints[0].1 * 0.7, end_bulge: end * 0.7 }, &rings)
}

fn both_sides(mesh: &mut Mesh, skeleton: &Skeleton, part: Mesh) {
    let other = part.mirrored(skeleton);
    mesh.append(part);
    mesh.append(other);
}

/// A dog of 0.55 m at the shoulder: legs of three links over a flat paw, a spine, a neck and a tail.
fn dog() -> Creature {
    let v = DVec3::new;
    let mut s = Skeleton::default();
    let spine = [
        ("Hips", v(0.0, 0.53, -0.30)),
        ("Spine", v(0.0, 0.545, -0.12)),
        ("Chest", v(0.0, 0.54, 0.08)),
        ("Neck", v(0.0, 0.57, 0.26)),
        ("Head", v(0.0, 0.70, 0.38)),
        ("HeadTip", v(0.0, 0.66, 0.58)),
    ];
    row(&mut s, None, &spine, DVec3::NEG_Y);
    let tail = [
        ("Tail1", v(0.0, 0.54, -0.38)),
        ("Tail2", v(0.0, 0.50, -0.50)),
        ("Tail3", v(0.0, 0.47, -0.62)),
        ("TailTip", v(0.0, 0.46, -0.74)),
    ];
    row(&mut s, Some("Hips"), &tail, DVec3::NEG_Y);
    let hind = [
        ("LeftHindUpperLeg", v(0.085, 0.49, -0.31)),
        ("LeftHindLowerLeg", v(0.095, 0.31, -0.21)),
        ("LeftHindAnkle", v(0.090, 0.165, -0.36)),
        ("LeftHindPaw", v(0.090, 0.035, -0.32)),
        ("LeftHindPawTip", v(0.090, 0.018, -0.25)),
    ];
    row(&mut s, Some("Hips"), &hind, DVec3::NEG_Z);
    let fore = [
        ("LeftFrontUpperLeg", v(0.085, 0.44, 0.24)),
        ("LeftFrontLowerLeg", v(0.088, 0.295, 0.155)),
        ("LeftFrontAnkle", v(0.085, 0.115, 0.205)),
        ("LeftFrontPaw", v(0.085, 0.035, 0.225)),
        ("LeftFrontPawTip", v(0.085, 0.018, 0.295)),
    ];
    row(&mut s, Some("Chest"), &fore, DVec3::Z);
    s.mirror_left();
    let mut mesh = tube(
        &s,
        &[("Hips", 0.085), ("Spine", 0.10), ("Chest", 0.115), ("Neck", 0.075), ("Head", 0.07), ("HeadTip", 0.028)],
        14,
    );
    mesh.append(tube(&s, &[("Tail1", 0.026), ("Tail2", 0.022), ("Tail3", 0.018), ("TailTip", 0.010)], 8));
    let hind = [
        ("LeftHindUpperLeg", 0.068),
        ("LeftHindLowerLeg", 0.040),
        ("LeftHindAnkle", 0.022),
        ("LeftHindPaw", 0.024),
        ("LeftHindPawTip", 0.018),
    ];
    both_sides(&mut mesh, &s, tube(&s, &hind, 10));
    let fore = [
        ("LeftFrontUpperLeg", 0.052),
        ("LeftFrontLowerLeg", 0.033),
        ("LeftFrontAnkle", 0.022),
        ("LeftFrontPaw", 0.024),
        ("LeftFrontPawTip", 0.018),
    ];
    both_sides(&mut mesh, &s, tube(&s, &fore, 10));
    Creature { name: "dog", skeleton: s, mesh }
}

/// The legs of a spider's left side, front to back: where the hip is, and to which side the leg points (degrees from ahead).
const SPIDER: [(&str, f64, f64); 4] = [("1", 0.10, 35.0), ("2", 0.04, 68.0), ("3", -0.03, 108.0), ("4", -0.10, 145.0)];

/// The names of a splayed leg's joints: a short hip that turns about up, over and down.
fn splayed_names(number: &str) -> [String; 5] {
    ["Coxa", "Femur", "Tibia", "Tarsus", "TarsusTip"].map(|part| format!("LeftLeg{number}{part}"))
}

/// Legs of the left side that begin so far aside, through points so far out and so high.
fn splayed(s: &mut Skeleton, legs: &[(&str, f64, f64)], aside: f64, points: [(f64, f64); 5]) {
    for &(number, z, degrees) in legs {
        let (sine, cosine) = libm::sincos(f64::to_radians(degrees));
        let out = DVec3::new(sine, 0.0, cosine);
        let names = splayed_names(number);
        let places = points.map(|(far, high)| DVec3::new(aside, 0.0, z) + out * far + DVec3::Y * high);
        let joints: Vec<(&str, DVec3)> = names.iter().map(String::as_str).zip(places).collect();
        row(s, Some("Body"), &joints, DVec3::NEG_Y);
    }
}

fn splayed_skin(mesh: &mut Mesh, s: &Skeleton, legs: &[(&str, f64, f64)], radii: [f64; 5]) {
    for &(number, ..) in legs {
        let names = splayed_names(number);
        let joints: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(radii).collect();
        both_sides(mesh, s, tube(s, &joints, 8));
    }
}

/// A spider half a metre across on eight legs of four links: a short hip that turns about up, then over and down.
fn spider() -> Creature {
    let v = DVec3::new;
    let mut s = Skeleton::default();
    row(
        &mut s,
        None,
        &[("Body", v(0.0, 0.22, 0.0)), ("Head", v(0.0, 0.22, 0.12)), ("HeadTip", v(0.0, 0.21, 0.20))],
        DVec3::NEG_Y,
    );
    row(&mut s, Some("Body"), &[("Abdomen", v(0.0, 0.23, -0.12)), ("AbdomenTip", v(0.0, 0.25, -0.42))], DVec3::NEG_Y);
    splayed(&mut s, &SPIDER, 0.06, [(0.0, 0.20), (0.07, 0.21), (0.22, 0.37), (0.40, 0.20), (0.46, 0.008)]);
    s.mirror_left();
    let mut mesh = tube(&s, &[("Body", 0.075), ("Head", 0.07), ("HeadTip", 0.035)], 12);
    mesh.append(tube(&s, &[("Abdomen", 0.11), ("AbdomenTip", 0.05)], 14));
    splayed_skin(&mut mesh, &s, &SPIDER, [0.024, 0.022, 0.017, 0.012, 0.008]);
    Creature { name: "spider", skeleton: s, mesh }
}

/// The legs of a beetle's left side.
const BEETLE: [(&str, f64, f64); 3] = [("1", 0.13, 50.0), ("2", 0.02, 92.0), ("3", -0.08, 128.0)];

/// A beetle of 0.5 m on six legs of four links, under a shell.
fn beetle() -> Creature {
    let v = DVec3::new;
    let mut s = Skeleton::default();
    let body = [("Body", v(0.0, 0.17, 0.0)), ("Head", v(0.0, 0.165, 0.16)), ("HeadTip", v(0.0, 0.15, 0.25))];
    row(&mut s, None, &body, DVec3::NEG_Y);
    row(&mut s, Some("Body"), &[("Shell", v(0.0, 0.19, 0.06)), ("ShellTip", v(0.0, 0.185, -0.27))], DVec3::NEG_Y);
    splayed(&mut s, &BEETLE, 0.07, [(0.0, 0.15), (0.05, 0.15), (0.17, 0.24), (0.27, 0.08), (0.33, 0.008)]);
    s.mirror_left();
    let mut mesh = tube(&s, &[("Body", 0.085), ("Head", 0.06), ("HeadTip", 0.035)], 12);
    mesh.append(tube(&s, &[("Shell", 0.11), ("ShellTip", 0.07)], 14));
    splayed_skin(&mut mesh, &s, &BEETLE, [0.024, 0.022, 0.017, 0.012, 0.008]);
    Creature { name: "beetle", skeleton: s, mesh }
}

/// A machine of 1.9 m on two legs bent like a bird's.
fn strider() -> Creature {
    let v = DVec3::new;
    let mut s = Skeleton::default();
    let body = [("Hips", v(0.0, 1.25, 0.0)), ("Cabin", v(0.0, 1.45, 0.02)), ("CabinTip", v(0.0, 1.90, 0.05))];
    row(&mut s, None, &body, DVec3::Z);
    let leg = [
        ("LeftUpperLeg", v(0.24, 1.20, -0.02)),
        ("LeftLowerLeg", v(0.27, 0.82, 0.24)),
        ("LeftAnkle", v(0.27, 0.42, -0.16)),
        ("LeftFoot", v(0.27, 0.10, 0.00)),
        ("LeftFootTip", v(0.27, 0.045, 0.20)),
    ];
    row(&mut s, Some("Hips"), &leg, DVec3::NEG_Z);
    s.mirror_left();
    let mut mesh = tube(&s, &[("Hips", 0.20), ("Cabin", 0.30), ("CabinTip", 0.16)], 14);
    let leg = [
        ("LeftUpperLeg", 0.10),
        ("LeftLowerLeg", 0.075),
        ("LeftAnkle", 0.055),
        ("LeftFoot", 0.06),
        ("LeftFootTip", 0.045),
    ];
    both_sides(&mut mesh, &s, tube(&s, &leg, 10));
    Creature { name: "strider", skeleton: s, mesh }
}
