//! A pose to judge a body by, where the rest pose is none: motion files often rest with all bones along one axis, on
//! their back, or with another direction up than their frames.
//!
//! The rest pose and some frames are recognised, each of which may say otherwise which joints are legs, arms and head. By these the
//! rest pose and the frames are judged: legs down, trunk up, arms straight and beside the body. Whoever stands best that way is right.
//! The rest pose is taken where it is a pose and stands as the frames do; else the frame that comes nearest.

use glam::DVec3;
use sinew::{Joint, Pose, Skeleton, SkeletonError};

use crate::bends;
use crate::evidence::Evidence;
use crate::recognize::{Recognition, recognize};
use crate::role::{Part, Role, Side};

/// Frames that are recognised, and frames that are judged, evenly spread.
const RECOGNISED: usize = 8;
const JUDGED: usize = 2000;
/// Frames in which joints are seen to fold.
const FOLDED: usize = 500;
/// A rest pose that is off by less is a pose.
const IS_POSE: f64 = 0.6;
/// Sines of arms against the horizon: above the first a T-pose, above the second an A-pose.
const T_POSE: f64 = -0.35;
const A_POSE: f64 = -0.85;

/// A pose to judge a body by.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The frame that it is; none for the rest pose.
    pub frame: Option<usize>,
    /// What it was chosen for, in a few words.
    pub reason: String,
    /// The skeleton of the evidence, at rest in this pose, with the preferred bends of elbows, knees, toes and fingers that
    /// the frames show.
    pub skeleton: Skeleton,
}

/// The same joints, at rest in a pose. Kinds and limits are measured from where they were.
///
/// # Errors
/// Where a transform of the pose is not finite.
///
/// # Panics
/// Where the pose is another skeleton's.
pub fn rested(skeleton: &Skeleton, pose: &Pose) -> Result<Skeleton, SkeletonError> {
    skeleton.revised(|joint, spec| spec.rest = *pose.local(joint))
}

/// Chooses between the rest pose and the frames of a motion; `pose_at` brings a pose of the evidence's skeleton to a frame.
pub fn find(evidence: &Evidence<'_>, frames: usize, mut pose_at: impl FnMut(usize, &mut Pose)) -> Reference {
    let skeleton = evidence.skeleton;
    let mut pose = skeleton.rest_pose();
    let own = recognize(evidence);
    let (mut surest, mut by) = (sureness(&own), None);
    let mut bodies: Vec<Landmarks> = Landmarks::of(skeleton, &own).into_iter().collect();
    for frame in spread(frames, RECOGNISED) {
        pose_at(frame, &mut pose);
        let Ok(at) = rested(skeleton, &pose) else { continue };
        let found = recognize(&evidence.on(&at));
        if sureness(&found) > surest {
            (surest, by) = (sureness(&found), Some(frame));
        }
        bodies.extend(Landmarks::of(skeleton, &found).filter(|body| !bodies.contains(body)));
    }
    let choices = bodies.iter().map(|body| body.choose(skeleton, frames, &mut pose_at));
    let (frame, reason) = match choices.min_by(|a, b| a.off.total_cmp(&b.off)) {
        Some(choice) => (choice.frame, choice.reason),
        None if by.is_some() => (by, "more is recognised there than at rest".to_owned()),
        None => (None, "nothing in the frames says more".to_owned()),
    };
    pose.reset(skeleton);
    if let Some(frame) = frame {
        pose_at(frame, &mut pose);
    }
    let rested = rested(skeleton, &pose).unwrap_or_else(|_| skeleton.clone());
    let found = recognize(&evidence.on(&rested));
    let shown = bends::shown(&rested, &found, spread(frames, FOLDED), &mut pose_at);
    let with_bends = rested.revised(|joint, spec| {
        let shown = shown.iter().find(|(of, _)| *of == joint).map(|&(_, axis)| axis);
        spec.bend = spec.bend.or(shown);
    });
    Reference { frame, reason, skeleton: with_bends.unwrap_or(rested) }
}

/// At most so many frames, evenly spread, the first among them.
fn spread(frames: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..frames).step_by(frames.div_ceil(most).max(1))
}

/// How much of a body was recognised.
fn sureness(found: &Recognition) -> f64 {
    found.limbs.iter().map(|limb| limb.confidence).sum()
}

/// The joints by which a human's pose is judged.
#[derive(PartialEq)]
struct Landmarks {
    head: Joint,
    /// Shoulder, elbow and hand; whether they are the left ones.
    arms: Vec<([Joint; 3], Side)>,
    /// Hip, knee and foot.
    legs: [[Joint; 3]; 2],
}

/// The pose that was chosen, and how far the best of all is from standing.
struct Choice {
    off: f64,
    frame: Option<usize>,
    reason: String,
}

/// How a pose is.
#[derive(Clone, Copy)]
struct Stance {
    /// How far from standing; 0 is perfect, a limb across adds one or two.
    off: f64,
    /// The axis of model space that is nearest to up.
    up: DVec3,
    /// Mean sine of the arms against the horizon.
    raised: f64,
}

impl Landmarks {
    fn of(skeleton: &Skeleton, found: &Recognition) -> Option<Self> {
        let joint = |side, part| found.joint(skeleton, Role::on(side, part));
        let limb = |side, [a, b, c]: [Part; 3]| Some([joint(side, a)?, joint(side, b)?, joint(side, c)?]);
        let leg = |side| limb(side, [Part::UpperLeg, Part::LowerLeg, Part::Foot]);
        let arm = |side| limb(side, [Part::UpperArm, Part::LowerArm, Part::Hand]).map(|arm| (arm, side));
        let middle = |part| found.joint(skeleton, Role::middle(part));
        let head = middle(Part::Head).or_else(|| middle(Part::Neck)).or_else(|| middle(Part::Chest))?;
        let arms = [Side::Left, Side::Right].into_iter().filter_map(arm).collect();
        Some(Self { head, arms, legs: [leg(Side::Left)?, leg(Side::Right)?] })
    }

    fn choose(&self, skeleton: &Skeleton, frames: usize, pose_at: &mut impl FnMut(usize, &mut Pose)) -> Choice {
        let mut pose = skeleton.rest_pose();
        let rest = self.judge(&pose);
        let (mut best, mut agree, mut judged) = (None::<(usize, Stance)>, 0, 0);
        for frame in spread(frames, JUDGED) {
            pose_at(frame, &mut pose);
            let stance = self.judge(&pose);
            (agree, judged) = (agree + usize::from(stance.up == rest.up), judged + 1);
            if best.is_none_or(|(_, best)| stance.off < best.off) {
                best = Some((frame, stance));
            }
        }
        let off = best.map_or(rest.off, |(_, best)| best.off.min(rest.off));
        let stands = rest.off < IS_POSE;
        let (frame, reason) = match best {
            Some((_, best)) if stands && (2 * agree >= judged || best.off >= IS_POSE) => (None, rest.describe()),
            Some((frame, best)) if best.off < rest.off || stands => {
                (Some(frame), format!("the frame nearest to standing, {}", best.describe()))
            }
            Some(_) => (None, format!("no frame comes nearer to standing, {}", rest.describe())),
            None => (None, rest.describe()),
        };
        Choice { off, frame, reason }
    }

    fn judge(&self, pose: &Pose) -> Stance {
        let way = |from: Joint, to: Joint| (pose.position(to) - pose.position(from)).normalize_or_zero();
        let [left, right] = self.legs.map(|[hip, ..]| pose.position(hip));
        let trunk = (pose.position(self.head) - 0.5 * (left + right)).normalize_or_zero();
        let legs = self.legs.map(|[hip, _, foot]| way(hip, foot));
        let up = nearest_axis(trunk - 0.5 * (legs[0] + legs[1]));
        let across = (left - right).normalize_or_zero();
        let forward = across.cross(up).normalize_or_zero();
        let beyond = |cosine: f64| cosine.max(0.0) * cosine.max(0.0);
        let mut off = 1.0 - trunk.dot(up) + across.dot(up) * across.dot(up);
        for [hip, knee, foot] in self.legs {
            off += 2.0 + way(hip, knee).dot(up) + way(knee, foot).dot(up);
        }
        let mut raised = 0.0;
        for &([shoulder, elbow, hand], side) in &self.arms {
            let out = if side == Side::Left { across } else { -across };
            let arm = way(shoulder, hand);
            off += 1.0 - way(shoulder, elbow).dot(way(elbow, hand));
            off += arm.dot(forward) * arm.dot(forward) + beyond(arm.dot(up)) + beyond(-arm.dot(out));
            raised += arm.dot(up) / self.arms.len() as f64;
        }
        Stance { off, up, raised }
    }
}

impl Stance {
    fn describe(self) -> String {
        let what = if self.raised > T_POSE {
            "a T-pose"
        } else if self.raised > A_POSE {
            "an A-pose"
        } else {
            "arms down"
        };
        if self.off < IS_POSE { what.to_owned() } else { format!("{what}, more or less") }
    }
}

/// The axis of model space, either way, that a direction is nearest to.
fn nearest_axis(direction: DVec3) -> DVec3 {
    let six = [DVec3::Y, DVec3::Z, DVec3::X, DVec3::NEG_Y, DVec3::NEG_Z, DVec3::NEG_X];
    six.into_iter().fold(DVec3::Y, |best, axis| if axis.dot(direction) > best.dot(direction) { axis } else { best })
}
