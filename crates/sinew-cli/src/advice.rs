//! What about a rig will cause trouble in inverse kinematics: what, where, and what to do, a line each.
//! The list is that of the literature on FABRIK in practice: straight limbs have no bend to keep, bones
//! without end cannot be aimed, scale changes lengths, and names are how goals find joints.

use std::collections::{BTreeMap, BTreeSet};

use sinew::glam::DVec3;
use sinew::{Joint, Pose, Skeleton};
use sinew_draw::Unit;
use sinew_rig::{BodyKind, Human, Limb, LimbKind};

use crate::figure::Figure;
use crate::rig::Rig;
use crate::{motion, text};

/// Sine of the angle at a joint below which its limb counts as straight: four degrees. Bends that modellers
/// put in on purpose are larger, and smaller ones as often as not point sideways.
const STRAIGHT: f64 = 0.07;
/// Relative difference of scale factors that counts.
const UNEVEN: f64 = 1e-4;
/// Bones shorter than this part of the longest have no length.
const ZERO_LENGTH: f64 = 1e-6;
/// Joints that rest outside their limits by less than this are as good as inside: one degree.
const OUTSIDE: f64 = 0.0175;
/// Lines about one thing; the last says how many more there are.
const MOST_LINES: usize = 12;

/// One line.
#[derive(Clone, Debug)]
pub(crate) struct Advice {
    /// What it is about, in a word or two for machines.
    pub(crate) about: &'static str,
    /// Where.
    pub(crate) joints: Vec<Joint>,
    /// What, where, what to do.
    pub(crate) text: String,
}

/// All there is to say; what concerns control joints alone is said once.
pub(crate) fn on(rig: &Rig, control_joints: &BTreeSet<Joint>) -> Vec<Advice> {
    let bones = Bones::of(rig.skeleton());
    let mut advice = straight_limbs(rig, &bones);
    advice.extend(missing_tips(rig, control_joints));
    advice.extend(control_joints_of_the_rig(rig, control_joints));
    advice.extend(scales(rig));
    advice.extend(zero_lengths(rig, &bones));
    advice.extend(unnamed(rig));
    advice.extend(several_roots(rig));
    advice.extend(detached_feet(rig));
    advice.extend(repeated_names(rig));
    advice.extend(outside(rig));
    advice.extend(collapsed(rig));
    advice.extend(unit(rig));
    advice
}

/// Feet that hang on no leg.
fn detached_feet(rig: &Rig) -> Option<Advice> {
    let feet = rig.found().detached_feet.iter().map(|(foot, _)| *foot).collect();
    about(rig, "foot of its own", feet, |count, joints| {
        format!(
            "detached feet: {count} outside the legs ({joints}); `solve`, `simulate`, `walk` and `plant` move them with their legs, other programs do not: parent them to their legs"
        )
    })
}

/// The rest pose as bones.
#[derive(Debug)]
struct Bones {
    rest: Pose,
    /// Length below which a bone has none.
    shortest: f64,
}

impl Bones {
    fn of(skeleton: &Skeleton) -> Self {
        let mut bones = Self { rest: skeleton.rest_pose(), shortest: 0.0 };
        let lengths = skeleton.iter().filter_map(|joint| bones.to(skeleton, joint)).map(DVec3::length);
        bones.shortest = ZERO_LENGTH * lengths.fold(0.0, f64::max);
        bones
    }

    /// From the joint's parent to the joint, in model space; none for roots.
    fn to(&self, skeleton: &Skeleton, joint: Joint) -> Option<DVec3> {
        skeleton.parent(joint).map(|parent| self.rest.position(joint) - self.rest.position(parent))
    }

    /// Its direction, where it has one.
    fn direction(&self, skeleton: &Skeleton, joint: Joint) -> Option<DVec3> {
        self.to(skeleton, joint).filter(|bone| bone.length() > self.shortest)?.try_normalize()
    }
}

/// Runs of joints on one line, each from the joint before its first inner one to its end.
fn straight_limbs(rig: &Rig, bones: &Bones) -> Vec<Advice> {
    let skeleton = rig.skeleton();
    // The child in whose direction a joint goes straight on.
    let onwards: Vec<Option<Joint>> = skeleton.iter().map(|joint| goes_straight_to(rig, bones, joint)).collect();
    let next = |joint: Joint| onwards.get(joint.index()).copied().flatten();
    let begins = |joint: Joint| skeleton.parent(joint).and_then(next) != Some(joint);
    let (mut advice, mut minor) = (Vec::new(), Vec::new());
    for inner in skeleton.iter().filter(|&joint| next(joint).is_some() && begins(joint)) {
        let mut joints: Vec<Joint> = skeleton.parent(inner).into_iter().collect();
        joints.extend(std::iter::successors(Some(inner), |&joint| next(joint)));
        let bending = joints.len() - 2;
        if !joints.iter().skip(1).take(bending).any(|&joint| is_of_arm_or_leg(rig, joint)) {
            minor.extend(joints.iter().skip(1).take(bending));
            continue;
        }
        let text = format!(
            "straight at rest, or nearly: {}; bend it a little in the direction in which it should fold, or give its goals a --pole",
            path(rig, &joints)
        );
        advice.push(Advice { about: "straight limb", joints, text });
    }
    let minor = about(rig, "straight limb", minor, |count, joints| {
        format!(
            "straight at rest, or nearly, at {count} of trunk, head and fingers ({joints}), which is usual; where one folds the wrong way, give its goals a --pole"
        )
    });
    capped(advice).into_iter().chain(minor).collect()
}

/// Whether a joint bends an arm or a leg; of what is no human every joint may.
fn is_of_arm_or_leg(rig: &Rig, joint: Joint) -> bool {
    let of = |limb: &Limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg) && limb.joints.contains(&joint);
    rig.found().body != BodyKind::Humanoid || rig.found().limbs.iter().any(of)
}

fn goes_straight_to(rig: &Rig, bones: &Bones, joint: Joint) -> Option<Joint> {
    let skeleton = rig.skeleton();
    let hinted = skeleton.bend(joint).is_some() || !skeleton.kind(joint).turns();
    if hinted || is_twist(skeleton, joint) {
        return None;
    }
    // Where ways part (hips, chest, palm) no limb has its middle.
    let ways = |child: &Joint| {
        let known = !rig.figure.is_tip(*child) && !is_twist(skeleton, *child);
        known && bones.direction(skeleton, *child).is_some()
    };
    let mut ways = skeleton.children(joint).filter(ways);
    let (Some(child), None) = (ways.next(), ways.next()) else { return None };
    let (before, after) = (bones.direction(skeleton, joint)?, bones.direction(skeleton, child)?);
    (before.dot(after) > 0.0 && before.cross(after).length() < STRAIGHT).then_some(child)
}

/// Twist bones lie on the line of their bone on purpose.
pub(crate) fn is_twist(skeleton: &Skeleton, joint: Joint) -> bool {
    skeleton.name(joint).is_some_and(|name| {
        let name = name.to_lowercase();
        name.contains("twist") || name.contains("roll")
    })
}

/// `A > B > C`, or of long ones `A > B > … > Z (100 joints)`.
pub(crate) fn path(rig: &Rig, joints: &[Joint]) -> String {
    let label = |&joint: &Joint| rig.label(joint);
    match joints {
        [first, second, .., last] if joints.len() > 7 => {
            format!("{} > {} > … > {} ({} joints)", label(first), label(second), label(last), joints.len())
        }
        _ => joints.iter().map(label).collect::<Vec<_>>().join(" > "),
    }
}

fn missing_tips(rig: &Rig, control_joints: &BTreeSet<Joint>) -> Option<Advice> {
    let inferred = rig.skeleton().iter().filter(|&joint| rig.figure.is_inferred(joint));
    let ended = inferred.filter_map(|tip| rig.skeleton().parent(tip));
    let joints: Vec<Joint> = ended.filter(|joint| !control_joints.contains(joint)).collect();
    about(rig, "missing tip", joints, |count, joints| {
        format!(
            "missing tips: {count} without an end ({joints}); sinew guessed the ends, a leaf joint in the file would place them exactly"
        )
    })
}

/// Targets and poles that an animator's program left in the file.
fn control_joints_of_the_rig(rig: &Rig, control_joints: &BTreeSet<Joint>) -> Option<Advice> {
    let own = control_joints.iter().copied().filter(|&joint| !rig.figure.is_inferred(joint));
    about(rig, "control joint", own.collect(), |count, joints| {
        format!("control joints: {count} deform no mesh ({joints}); give goals to the joints that do")
    })
}

fn scales(rig: &Rig) -> Vec<Advice> {
    let skeleton = rig.skeleton();
    let with = |test: &dyn Fn(DVec3) -> bool| -> Vec<Joint> {
        skeleton.iter().filter(|&joint| test(skeleton.rest(joint).scale)).collect()
    };
    let uneven = |scale: DVec3| {
        let size = scale.abs();
        size.max_element() - size.min_element() > UNEVEN * size.max_element() && size.min_element() > 0.0
    };
    let zero =
        about(rig, "zero scale", with(&|scale| scale.min_element() == 0.0 || scale.max_element() == 0.0), |_, at| {
            format!("a scale of zero: {at}; nothing below can reach a goal: give it a small scale instead")
        });
    let negative = about(rig, "negative scale", with(&|scale| scale.min_element() < 0.0), |_, at| {
        format!("negative scale: {at}; it mirrors what lies below: apply the scale in your modelling program")
    });
    let uneven = about(rig, "non-uniform scale", with(&uneven), |_, at| {
        format!(
            "non-uniform scale: {at}; bones below change length as they turn: apply the scale in your modelling program"
        )
    });
    zero.into_iter().chain(negative).chain(uneven).collect()
}

fn zero_lengths(rig: &Rig, bones: &Bones) -> Option<Advice> {
    let skeleton = rig.skeleton();
    let short = |joint: &Joint| bones.to(skeleton, *joint).is_some_and(|bone| bone.length() <= bones.shortest);
    about(rig, "zero-length bone", skeleton.iter().filter(short).collect(), |count, joints| {
        format!("zero-length bones: {count} at the position of its parent ({joints}); no limb bends there")
    })
}

fn unnamed(rig: &Rig) -> Option<Advice> {
    let skeleton = rig.skeleton();
    let nameless = |&joint: &Joint| skeleton.name(joint).is_none_or(str::is_empty) && !rig.figure.is_tip(joint);
    about(rig, "unnamed joint", skeleton.iter().filter(nameless).collect(), |count, joints| {
        format!("unnamed joints: {count} ({joints}); name them, or write #N in goals")
    })
}

fn several_roots(rig: &Rig) -> Option<Advice> {
    let roots: Vec<Joint> = rig.skeleton().roots().collect();
    if roots.len() < 2 {
        return None;
    }
    about(rig, "several roots", roots, |_, joints| {
        format!(
            "several roots: {joints}; no limb crosses from one to another: if they belong together, give them one parent"
        )
    })
}

fn repeated_names(rig: &Rig) -> Vec<Advice> {
    let mut by_name: BTreeMap<&str, Vec<Joint>> = BTreeMap::new();
    for joint in rig.skeleton().iter().filter(|&joint| !rig.figure.is_tip(joint)) {
        if let Some(name) = rig.skeleton().name(joint).filter(|name| !name.is_empty()) {
            by_name.entry(name).or_default().push(joint);
        }
    }
    let repeated = by_name.into_iter().filter(|(_, joints)| joints.len() > 1);
    let advice = repeated.filter_map(|(name, joints)| {
        let name = text::short_name(name);
        about(rig, "repeated name", joints, |count, joints| {
            format!("repeated name: {count} called '{name}' ({joints}); rename them, or write #N in goals")
        })
    });
    capped(advice.collect())
}

/// Joints that rest outside their limits, or outside those that a human would have.
fn outside(rig: &Rig) -> Option<Advice> {
    let human = rig.found().body == BodyKind::Humanoid && !rig.preset && rig.sidecar.is_none();
    let preset = human.then(|| Human::default().apply(rig.skeleton(), rig.found()).ok()).flatten();
    let skeleton = preset.as_ref().unwrap_or(rig.skeleton());
    let rest = skeleton.rest_pose();
    let by = |joint: Joint| Some((joint, motion::excess(skeleton, &rest, skeleton.at(joint.index())?)));
    let joints: Vec<(Joint, f64)> = rig.skeleton().iter().filter_map(by).filter(|(_, by)| *by > OUTSIDE).collect();
    let which =
        text::list(joints.iter().map(|&(joint, by)| format!("{} by {}", rig.reference(joint), text::angle(by))));
    let whose = if human { "a human's limits (--limits preset)" } else { "their limits" };
    let joints: Vec<Joint> = joints.into_iter().map(|(joint, _)| joint).collect();
    let (count, text) = (
        text::count(joints.len(), "joint"),
        "a solve that moves them brings them inside: correct the rest pose, or widen the limit in a sidecar",
    );
    (!joints.is_empty()).then(|| Advice {
        about: "outside limits",
        joints,
        text: format!("outside {whose} at rest: {count} ({which}); {text}"),
    })
}

/// Position channels that say nothing, or the body lies in one point.
fn collapsed(rig: &Rig) -> Option<Advice> {
    about(rig, "collapsed joint", rig.figure.collapsed(), |count, joints| {
        format!(
            "position channels of 0 in every frame: {count} ({joints}); by the format these joints lie on their parents: export without the channels, or use --reference rest"
        )
    })
}

/// What unit lengths are in is a guess.
fn unit(rig: &Rig) -> Option<Advice> {
    let taken = match rig.unit() {
        Unit::Metres => "the body's height suggests metres",
        Unit::Centimetres => "the body's height suggests centimetres",
        Unit::Millimetres => "the body's height suggests millimetres",
        _ => "the body's height fits no common unit",
    };
    matches!(rig.figure, Figure::Bvh(_)).then(|| Advice {
        about: "unit",
        joints: Vec::new(),
        text: format!("BVH names no unit, so lengths and goals are in the file's unit; {taken}"),
    })
}

/// Advice on joints, if there are any; `say` is given how many and which.
fn about(
    rig: &Rig,
    about: &'static str,
    joints: Vec<Joint>,
    say: impl FnOnce(String, String) -> String,
) -> Option<Advice> {
    let which = text::list(joints.iter().map(|&joint| rig.reference(joint)));
    (!joints.is_empty()).then(|| Advice { about, text: say(text::count(joints.len(), "joint"), which), joints })
}

/// At most [`MOST_LINES`], the last of which counts the rest.
fn capped(mut advice: Vec<Advice>) -> Vec<Advice> {
    let left = advice.len().saturating_sub(MOST_LINES - 1);
    if left > 1 {
        let rest = advice.split_off(MOST_LINES - 1);
        let about = rest.first().map_or("", |first| first.about);
        let joints = rest.into_iter().flat_map(|advice| advice.joints).collect();
        advice.push(Advice { about, joints, text: format!("{about}: {left} more like these, with the same remedy") });
    }
    advice
}
