//! Arms, fingers and legs, as cross-sections along their bones.

use crate::chain::{Chain, Station, station};
use crate::human::finger_joint;
use crate::mesh::{Loft, Mesh};
use crate::skeleton::Skeleton;

/// Bones: collar bone, which starts inside the chest, then upper arm, forearm, palm. The elbow bends forwards, the palm is on the wrist's inside.
const ARM: [Station; 25] = [
    station(0, 0.35, 0.022, 0.038, 0.048),
    station(0, 0.60, 0.031, 0.048, 0.053),
    station(0, 0.82, 0.041, 0.054, 0.056),
    station(1, 0.00, 0.045, 0.056, 0.056),
    station(1, 0.10, 0.049, 0.056, 0.055),
    station(1, 0.22, 0.051, 0.053, 0.052),
    station(1, 0.38, 0.047, 0.050, 0.048),
    station(1, 0.58, 0.042, 0.046, 0.044),
    station(1, 0.76, 0.039, 0.040, 0.041),
    station(1, 0.88, 0.038, 0.037, 0.040),
    station(1, 0.95, 0.039, 0.036, 0.040),
    station(2, 0.00, 0.040, 0.036, 0.040),
    station(2, 0.06, 0.041, 0.038, 0.039),
    station(2, 0.14, 0.042, 0.040, 0.038),
    station(2, 0.28, 0.041, 0.040, 0.037),
    station(2, 0.46, 0.037, 0.035, 0.033),
    station(2, 0.65, 0.032, 0.028, 0.027),
    station(2, 0.82, 0.028, 0.022, 0.021),
    station(2, 0.93, 0.027, 0.019, 0.019),
    station(3, 0.00, 0.028, 0.018, 0.018),
    station(3, 0.14, 0.031, 0.019, 0.017),
    station(3, 0.36, 0.037, 0.019, 0.016),
    station(3, 0.62, 0.042, 0.017, 0.015),
    station(3, 0.84, 0.043, 0.015, 0.0135),
    station(3, 0.97, 0.039, 0.013, 0.012),
];

/// Bones: thigh, shank. The knee bends backwards, so `toward` is the back of the leg.
const LEG: [Station; 21] = [
    station(0, -0.02, 0.081, 0.088, 0.074),
    station(0, 0.06, 0.085, 0.091, 0.078),
    station(0, 0.15, 0.085, 0.090, 0.081),
    station(0, 0.30, 0.081, 0.082, 0.081),
    station(0, 0.48, 0.073, 0.072, 0.076),
    station(0, 0.66, 0.064, 0.063, 0.068),
    station(0, 0.80, 0.057, 0.056, 0.061),
    station(0, 0.89, 0.054, 0.053, 0.058),
    station(0, 0.95, 0.053, 0.051, 0.058),
    station(1, 0.00, 0.052, 0.050, 0.058),
    station(1, 0.05, 0.051, 0.051, 0.056),
    station(1, 0.11, 0.051, 0.055, 0.052),
    station(1, 0.20, 0.053, 0.060, 0.048),
    station(1, 0.32, 0.053, 0.062, 0.045),
    station(1, 0.46, 0.049, 0.056, 0.041),
    station(1, 0.60, 0.042, 0.045, 0.037),
    station(1, 0.74, 0.036, 0.037, 0.034),
    station(1, 0.86, 0.033, 0.033, 0.033),
    station(1, 0.94, 0.033, 0.034, 0.033),
    station(1, 1.00, 0.034, 0.036, 0.034),
    station(1, 1.05, 0.032, 0.036, 0.032),
];

/// Sections of a finger, in units of its thickness at the root.
const FINGER: [Station; 9] = [
    station(0, -0.16, 0.86, 0.86, 0.80),
    station(0, 0.10, 1.05, 1.00, 1.00),
    station(0, 0.50, 0.98, 0.95, 0.95),
    station(0, 0.85, 0.98, 0.90, 0.98),
    station(1, 0.12, 0.95, 0.88, 0.98),
    station(1, 0.50, 0.90, 0.86, 0.90),
    station(1, 0.88, 0.90, 0.82, 0.90),
    station(2, 0.20, 0.86, 0.82, 0.86),
    station(2, 0.72, 0.76, 0.74, 0.68),
];

/// The four fingers and their thickness at the root.
pub const FINGER_RADII: [(&str, f64); 4] =
    [("Index", 0.0102), ("Middle", 0.0105), ("Ring", 0.0100), ("Little", 0.0089)];

/// The left arm from the shoulder to the knuckles.
pub fn arm(skeleton: &Skeleton) -> Mesh {
    let joints = [
        ("LeftShoulder", 0.0),
        ("LeftUpperArm", 0.050),
        ("LeftLowerArm", 0.045),
        ("LeftHand", 0.025),
        ("LeftMiddleProximal", 0.0),
    ];
    let loft = Loft { sides: 14, squareness: 2.1, start_bulge: 0.015, end_bulge: 0.008 };
    along(skeleton, &joints, &ARM, &loft)
}

/// The left leg from the hip to the ankle.
pub fn leg(skeleton: &Skeleton) -> Mesh {
    let joints = [("LeftUpperLeg", 0.0), ("LeftLowerLeg", 0.060), ("LeftFoot", 0.035)];
    let loft = Loft { sides: 16, squareness: 2.0, start_bulge: 0.045, end_bulge: 0.020 };
    along(skeleton, &joints, &LEG, &loft)
}

/// A left finger of the given thickness.
pub fn finger(skeleton: &Skeleton, name: &str, radius: f64) -> Mesh {
    digit(skeleton, name, radius, &FINGER)
}

/// The left thumb, whose ball reaches into the palm.
pub fn thumb(skeleton: &Skeleton) -> Mesh {
    let mut sections = FINGER;
    let ball = [1.45, 1.65, 1.45, 1.12];
    for (section, thickness) in sections.iter_mut().zip(ball) {
        *section = scaled(section, thickness);
    }
    digit(skeleton, "Thumb", 0.0108, &sections)
}

fn digit(skeleton: &Skeleton, name: &str, radius: f64, sections: &[Station]) -> Mesh {
    let names = [0, 1, 2, 3].map(|bone| finger_joint(name, bone));
    let band = radius * 0.9;
    let joints =
        [(names[0].as_str(), 0.0), (names[1].as_str(), band), (names[2].as_str(), band), (names[3].as_str(), 0.0)];
    let loft = Loft { sides: 8, squareness: 2.2, start_bulge: radius * 0.4, end_bulge: radius * 0.75 };
    let stations: Vec<_> = sections.iter().map(|s| scaled(s, radius)).collect();
    along(skeleton, &joints, &stations, &loft)
}

fn scaled(section: &Station, factor: f64) -> Station {
    Station { side: section.side * factor, toward: section.toward * factor, away: section.away * factor, ..*section }
}

fn along(skeleton: &Skeleton, joints: &[(&str, f64)], stations: &[Station], loft: &Loft) -> Mesh {
    let chain = Chain::new(skeleton, joints);
    let rings: Vec<_> = stations.iter().map(|station| chain.ring(station)).collect();
    Mesh::loft(loft, &rings)
}
