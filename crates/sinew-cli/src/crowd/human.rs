//! Whole humans of a crowd, and where their hips, heads, hands and feet go: they walk on the spot and reach about before them.

use std::f64::consts::TAU;

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::Joint;
use sinew::glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew_crowd::{Crowd, CrowdTarget, Goals};
use sinew_rig::{Body, Part, Role, Side};

use super::cast::reason;
use crate::rig::Rig;

/// Where hands are on their way about: ahead, up and to their side from the shoulder, as shares of the arm.
const BEFORE: [f64; 3] = [0.6, -0.3, 0.15];
/// How far about that they go, as a share of the arm.
const ABOUT: f64 = 0.2;
/// How much lower hips are than at rest, how far they sway and feet step ahead and up, as shares of a leg.
const LOWER: f64 = 0.06;
const SWAY: f64 = 0.03;
const STRIDE: [f64; 2] = [0.18, 0.12];
/// How much lower and further ahead heads are, seen from the hips, than at rest, as shares of a leg: nobody walks with a back that is stretched
/// out.
const BOWED: [f64; 2] = [0.01, 0.02];
/// How far hips and the head turn aside (radians).
const TURNS: [f64; 2] = [0.1, 0.5];

/// Where a part is at rest.
#[derive(Clone, Copy)]
struct Placed {
    place: DVec3,
    rotation: DQuat,
}

/// A hand or a foot.
struct End {
    rest: Placed,
    /// Where its limb begins, and how long that is.
    root: DVec3,
    length: f64,
    /// 1 on the left, -1 on the right.
    sign: f64,
}

/// A human that is solved as a whole.
pub(super) struct Human {
    hips: Placed,
    head: Placed,
    /// Left, right.
    hands: [End; 2],
    feet: [End; 2],
}

/// Joints of the left and of the right limbs.
type Sides = Vec<(&'static str, Vec<Joint>)>;

impl Human {
    /// The human that a rig was recognised as, a crowd of it, and the joints of its limbs that move.
    pub(super) fn new(rig: &Rig) -> Result<(Self, Crowd, Sides)> {
        let (skeleton, found) = (rig.skeleton(), rig.found());
        let Some(body) = Body::of(skeleton, found) else {
            bail!(
                "--solver body: {}: no human was recognised (hips, a head above them, two arms, two legs); name the parts in a sidecar, or leave it out",
                rig.title
            );
        };
        let crowd = Crowd::new(skeleton).with_context(|| rig.title.clone())?;
        let crowd = crowd
            .body(&body)
            .map_err(|error| anyhow!("--solver body: {}: {}; leave it out", rig.title, reason(rig, &error)))?;
        let rest = skeleton.rest_pose();
        let joint = |role| found.joint(skeleton, role).with_context(|| format!("{}: a part is missing", rig.title));
        let placed = |joint: Joint| Placed { place: rest.position(joint), rotation: rest.rotation(joint) };
        let mut sides: Sides = [Side::Left, Side::Right].map(|side| (side.name(), Vec::new())).into();
        let mut end = |side: Side, parts: [Part; 3]| -> Result<End> {
            let [upper, lower, end] = parts.map(|part| joint(Role::on(side, part)));
            let [upper, lower, end] = [upper?, lower?, end?];
            sides[usize::from(side == Side::Right)].1.extend([upper, lower]);
            let [root, mid, tip] = [upper, lower, end].map(|joint| rest.position(joint));
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            Ok(End { rest: placed(end), root, length: root.distance(mid) + mid.distance(tip), sign })
        };
        let mut pair = |parts: [Part; 3]| Ok::<_, anyhow::Error>([end(Side::Left, parts)?, end(Side::Right, parts)?]);
        let hands = pair([Part::UpperArm, Part::LowerArm, Part::Hand])?;
        let feet = pair([Part::UpperLeg, Part::LowerLeg, Part::Foot])?;
        let [hips, head] = [Part::Hips, Part::Head].map(|part| joint(Role::middle(part)).map(placed));
        Ok((Self { hips: hips?, head: head?, hands, feet }, crowd, sides))
    }

    /// Sets the targets of a character that is so far on its way (radians), whose axes are ahead, up and left.
    pub(super) fn set(&self, goals: &mut Goals, character: usize, way: f64, [forward, up, left]: [DVec3; 3]) {
        let leg = self.feet[0].length;
        let carried = (left * (SWAY * way.sin()) - up * LOWER) * leg;
        let aside = |angle: f64| arc::axis_angle(up, angle);
        let turned = |part: Placed, turn: DQuat| Placed { place: part.place + carried, rotation: turn * part.rotation };
        let hips = turned(self.hips, aside(TURNS[0] * way.sin()));
        let head = turned(self.head, aside(TURNS[1] * (0.7 * way).sin()));
        let head = Placed { place: head.place + (forward * BOWED[1] - up * BOWED[0]) * leg, ..head };
        let hands = self.hands.each_ref().map(|hand| {
            let own = way + 0.25 * TAU * hand.sign;
            let round = (up * own.sin() + left * own.cos()) * ABOUT;
            let middle = forward * BEFORE[0] + up * BEFORE[1] + left * (hand.sign * BEFORE[2]);
            let line = (middle + round) * hand.length;
            // The hand turns with the arm.
            let turn = arc::arc(hand.rest.place - hand.root, line, up);
            Placed { place: hand.root + carried + line, rotation: turn * hand.rest.rotation }
        });
        let feet = self.feet.each_ref().map(|foot| {
            let own = way + 0.25 * TAU * foot.sign;
            let step = forward * (STRIDE[0] * own.cos()) + up * (STRIDE[1] * own.sin().max(0.0));
            Placed { place: foot.rest.place + step * foot.length, ..foot.rest }
        });
        for (part, Placed { place, rotation }) in [hips, head].into_iter().chain(hands).chain(feet).enumerate() {
            goals.set(character, part, Some(CrowdTarget::new(place.as_vec3()).rotation(rotation.as_quat())));
        }
    }
}
