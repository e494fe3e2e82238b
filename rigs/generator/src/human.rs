//! Where the joints of the human are.
//!
//! An adult of 1.75 m who stands at ease, faces +Z and has the left hand at +X. Lengths are near
//! the body-segment tables of Drillis and Contini (1966), as fractions of the stature. The pose is
//! a relaxed A: nothing is quite straight, because a chain at rest in a straight line gives an
//! inverse-kinematics solver no hint which way it bends.
//!
//! Only the spine and the left side are written down; [`Skeleton::mirror_left`] makes the right.

use glam::{DMat3, DQuat, DVec3};

use crate::skeleton::{Skeleton, frame};

/// The five fingers, thumb first.
pub const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];

const UPPER_ARM: f64 = 0.29;
const FOREARM: f64 = 0.26;
const PALM: f64 = 0.092;
const THIGH: f64 = 0.43;
const SHANK: f64 = 0.43;

/// How far the upper arm hangs below the horizontal, in degrees.
const ARM_DROP: f64 = 40.0;
/// How far the elbow is bent at rest, in degrees.
const ELBOW_BEND: f64 = 18.0;
/// How far the knee is bent at rest, in degrees.
const KNEE_BEND: f64 = 9.0;

/// The whole skeleton.
pub fn skeleton() -> Skeleton {
    let mut skeleton = Skeleton::default();
    add_spine(&mut skeleton);
    add_arm(&mut skeleton);
    add_thumb(&mut skeleton);
    for finger in &HAND {
        add_finger(&mut skeleton, finger);
    }
    add_leg(&mut skeleton);
    skeleton.mirror_left();
    skeleton
}

/// The name of a finger's bone on the left: 0 is the nearest to the palm, 3 the tip.
pub fn finger_joint(finger: &str, bone: usize) -> String {
    let bone = match (finger, bone) {
        ("Thumb", 0) => "Metacarpal",
        ("Thumb", 1) | (_, 0) => "Proximal",
        (_, 1) => "Intermediate",
        (_, 2) => "Distal",
        _ => "Tip",
    };
    format!("Left{finger}{bone}")
}

/// The trunk and head, with the two soft curves of a back: in at the loins, out at the ribs.
fn add_spine(skeleton: &mut Skeleton) {
    let spine = [
        ("Hips", 0.960, -0.006),
        ("Spine", 1.060, 0.004),
        ("Chest", 1.185, -0.002),
        ("UpperChest", 1.305, -0.018),
        ("Neck", 1.455, -0.024),
        ("Head", 1.540, -0.002),
        ("HeadTop", 1.750, 0.006),
    ];
    let mut parent = None;
    for pair in spine.windows(2) {
        let [(name, y, z), (_, next_y, next_z)] = [pair[0], pair[1]];
        let at = DVec3::new(0.0, y, z);
        let along = DVec3::new(0.0, next_y, next_z) - at;
        skeleton.add(name, parent, at, frame(along, DVec3::Z));
        parent = Some(name);
    }
    let [(_, y, z), (top, top_y, top_z)] = [spine[5], spine[6]];
    skeleton.add_tip(top, "Head", libm::hypot(top_y - y, top_z - z));
}

/// Collar bone, upper arm, forearm and palm.
fn add_arm(skeleton: &mut Skeleton) {
    let collar = DVec3::new(0.025, 1.425, -0.002);
    let shoulder = DVec3::new(0.178, 1.405, -0.022);
    let drop = ARM_DROP.to_radians();
    let down_the_arm = DVec3::new(libm::cos(drop), -libm::sin(drop), -0.04);
    // The elbow closes forwards, and a little down and inwards.
    let upper = frame(down_the_arm, DVec3::new(-0.25, -0.30, 1.0));
    let lower = upper * DMat3::from_rotation_x(ELBOW_BEND.to_radians());
    let elbow = shoulder + upper.y_axis * UPPER_ARM;
    let wrist = elbow + lower.y_axis * FOREARM;
    // The palm looks at the thigh, the thumb forwards.
    let palm = frame(lower.y_axis + DVec3::new(0.0, -0.10, 0.02), DVec3::new(-0.75, -0.60, -0.22));

    let shrug = frame(shoulder - collar, DVec3::Z);
    skeleton.add("LeftShoulder", Some("UpperChest"), collar, shrug);
    skeleton.add("LeftUpperArm", Some("LeftShoulder"), shoulder, upper);
    skeleton.add("LeftLowerArm", Some("LeftUpperArm"), elbow, lower);
    skeleton.add("LeftHand", Some("LeftLowerArm"), wrist, palm);
}

/// A finger in the frame of the palm, where X points to the little finger and Z out of the palm.
struct Finger {
    name: &'static str,
    knuckle: DVec3,
    /// Turn to the side of the little finger, in degrees.
    splay: f64,
    /// How far each of the three joints is closed, in degrees.
    curl: [f64; 3],
    lengths: [f64; 3],
}

const HAND: [Finger; 4] = [
    Finger {
        name: "Index",
        knuckle: DVec3::new(-0.0215, PALM - 0.002, 0.001),
        splay: -4.0,
        curl: [10.0, 16.0, 10.0],
        lengths: [0.043, 0.026, 0.023],
    },
    Finger {
        name: "Middle",
        knuckle: DVec3::new(0.0, PALM, 0.0),
        splay: -0.5,
        curl: [13.0, 18.0, 12.0],
        lengths: [0.047, 0.030, 0.024],
    },
    Finger {
        name: "Ring",
        knuckle: DVec3::new(0.0195, PALM - 0.004, 0.001),
        splay: 3.0,
        curl: [16.0, 20.0, 13.0],
        lengths: [0.043, 0.028, 0.024],
    },
    Finger {
        name: "Little",
        knuckle: DVec3::new(0.0365, PALM - 0.012, 0.003),
        splay: 8.0,
        curl: [18.0, 22.0, 14.0],
        lengths: [0.034, 0.021, 0.021],
    },
];

/// One of the four fingers.
fn add_finger(skeleton: &mut Skeleton, finger: &Finger) {
    let hand = skeleton.joint("LeftHand").modelled;
    // A turn about the palm's Z is negative towards the little finger.
    let splay = DQuat::from_rotation_z(-finger.splay.to_radians());
    let mut lie = hand.matrix3 * DMat3::from_quat(splay);
    let mut at = hand.transform_point3(finger.knuckle);
    let mut parent = "LeftHand".to_owned();
    for bone in 0..3 {
        lie *= DMat3::from_rotation_x(finger.curl[bone].to_radians());
        let name = finger_joint(finger.name, bone);
        skeleton.add(&name, Some(&parent), at, lie);
        at += lie.y_axis * finger.lengths[bone];
        parent = name;
    }
    let tip = finger_joint(finger.name, 3);
    skeleton.add_tip(&tip, &parent, finger.lengths[2]);
}

/// The thumb, which closes across the palm.
fn add_thumb(skeleton: &mut Skeleton) {
    let hand = skeleton.joint("LeftHand").modelled;
    let across = hand.transform_vector3(DVec3::new(0.75, 0.0, 0.66));
    let bones = [
        (DVec3::new(-0.62, 0.74, 0.24), 0.044),
        (DVec3::new(-0.42, 0.87, 0.27), 0.032),
        (DVec3::new(-0.24, 0.92, 0.32), 0.027),
    ];
    let mut at = hand.transform_point3(DVec3::new(-0.014, 0.022, 0.003));
    let mut parent = "LeftHand".to_owned();
    for (bone, (along, length)) in bones.into_iter().enumerate() {
        let lie = frame(hand.transform_vector3(along), across);
        let name = finger_joint("Thumb", bone);
        skeleton.add(&name, Some(&parent), at, lie);
        at += lie.y_axis * length;
        parent = name;
    }
    skeleton.add_tip(&finger_joint("Thumb", 3), &parent, bones[2].1);
}

/// The leg, worked out from the ankle upwards so that the foot stands where it should.
fn add_leg(skeleton: &mut Skeleton) {
    let ankle = DVec3::new(0.108, 0.078, -0.022);
    let ball = DVec3::new(0.110, 0.020, 0.100);
    let lean = (KNEE_BEND / 2.0).to_radians();
    let down_the_leg = DVec3::new(0.022, -libm::cos(lean), libm::sin(lean));
    let thigh = frame(down_the_leg, DVec3::NEG_Z);
    let shank = thigh * DMat3::from_rotation_x(KNEE_BEND.to_radians());
    let knee = ankle - shank.y_axis * SHANK;
    let hip = knee - thigh.y_axis * THIGH;
    let foot = frame(ball - ankle, DVec3::NEG_Y);
    let toes = frame(DVec3::Z, DVec3::NEG_Y);

    skeleton.add("LeftUpperLeg", Some("Hips"), hip, thigh);
    skeleton.add("LeftLowerLeg", Some("LeftUpperLeg"), knee, shank);
    skeleton.add("LeftFoot", Some("LeftLowerLeg"), ankle, foot);
    skeleton.add("LeftToes", Some("LeftFoot"), ball, toes);
    skeleton.add_tip("LeftToesTip", "LeftToes", 0.070);
}
