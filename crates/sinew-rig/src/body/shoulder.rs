//! Shoulders: collar bones that go with the hand, and how near an arm has to come before the trunk leans.

use glam::{DQuat, DVec3};
use sinew::Joint;
use sinew::math::arc;
use sinew::math::ops::{atan2, sqrt_clamped};

use super::allowed::Allowed;
use super::layout::{Layout, Limb};
use super::natural::{self, Side};
use super::place::ROUNDING;
use super::rows::Hang;
use super::seen::{Frame, Seen};
use super::targets::{BodyTargets, LimbWanted};

/// Share of an arm's length from which its collar bone follows the hand.
pub const FOLLOWS: f64 = 0.98;
/// And from which the trunk leans for one without a collar bone.
pub const LEANS: f64 = 0.965;
/// Share of a collar bone's way from which the trunk leans along.
pub const ALONG: f64 = 0.4;
/// Share of the way to the hand that a collar bone follows at most: see [`Follow`].
const WAY: f64 = 0.75;
/// Steps that find how far a collar bone follows.
const STEPS: usize = 8;

/// How long an arm is (share of its length) whose collar bone and trunk have followed by a share of what they do: from where they begin,
/// its elbow opens as evenly as they follow, and is straight where they have come to their end.
fn opened(from: f64, share: f64) -> f64 {
    1.0 - (1.0 - from) * (1.0 - share) * (1.0 - share)
}

/// How fast it grows with the share.
fn opens(from: f64, share: f64) -> f64 {
    2.0 * (1.0 - from) * (1.0 - share)
}

/// By which share of what they do collar bone or trunk have followed the hand in the pose given, as the elbow tells: the more the straighter
/// an arm points to its target. So a body that goes on from its own answer knows what it has done.
fn followed(seen: &Seen, arm: &Limb, wanted: &LimbWanted) -> f64 {
    let Some(target) = wanted.end.position else { return 0.0 };
    let shoulder = seen.at(arm.upper).position;
    let (line, to) = (seen.at(arm.end).point(wanted.tip) - shoulder, target - shoulder);
    let (Some(points), Some(way)) = (arc::unit(line), arc::unit(to)) else { return 0.0 };
    let from = if arm.collar.is_some() { FOLLOWS } else { LEANS };
    let folded = (1.0 - arc::length(line) / seen.bones(arm, wanted.tip).reach) / (1.0 - from);
    points.dot(way).max(0.0) * (1.0 - sqrt_clamped(folded)).max(0.0)
}

/// Which share of the trunk's furthest lean is behind hands in the pose given.
pub(super) fn spent(seen: &Seen, layout: &Layout, asked: &BodyTargets) -> f64 {
    let arms = layout.arms.iter().zip(&asked.arms).filter_map(|(arm, wanted)| Some((arm.as_ref()?, wanted)));
    let leans = arms.map(|(arm, wanted)| {
        let followed = followed(seen, arm, wanted);
        if arm.collar.is_some() { (followed - ALONG) / (1.0 - ALONG) } else { followed }
    });
    leans.fold(0.0, f64::max)
}

/// What a hand that is told asks of the trunk: from where, on the chest, and how near to its place (in the frame of the hips) it is to
/// bring it, when it leans by a share of how far it does.
pub(super) fn hang(
    allowed: &Allowed<'_>,
    (arm, wanted): (&Limb, &LimbWanted),
    (chest, target): (&Frame, DVec3),
    share: f64,
) -> Option<Hang> {
    let Allowed { layout, seen, .. } = *allowed;
    let from = layout.trunk[layout.chest];
    let (hand, reach) = (wanted.end.position?, seen.bones(arm, wanted.tip).reach);
    let Some(collar) = arm.collar else {
        let [near, yields] = [opened(LEANS, share), opens(LEANS, share)].map(|share| share * reach);
        return Some(Hang { point: seen.bone(from, arm.upper), target, near, yields });
    };
    let along = ALONG + (1.0 - ALONG) * share;
    let (point, bone) = (seen.bone(from, collar), seen.bone(collar, arm.upper));
    let line = chest.local(hand) - point;
    let natural = natural(allowed, (arm, collar, wanted), line, reach);
    let hangs = natural * bone;
    let Some(follow) = Follow::of(hangs, line) else {
        return Some(Hang { point, target, near: reach, yields: 0.0 });
    };
    let end = follow.end();
    let (_, shoulder, held) = turned(allowed, collar, chest.rotation, (natural, bone), follow.shoulder(end, along));
    // Who comes there without the shoulder asks for nothing.
    if held.is_none() && follow.arm(hangs, along, reach) >= arc::length(line) {
        return None;
    }
    let near = follow.arm(chest.rotation.conjugate() * shoulder, along, reach);
    Some(Hang { point, target, near, yields: follow.grows(end, along, reach) })
}

/// How a collar bone is turned that follows the hand of an arm that reaches so far, as far as its limit lets it, and where the shoulder
/// then is from its joint; and where it would be if the limit did not hold it.
pub(super) fn collar_bone(
    allowed: &Allowed<'_>,
    (arm, collar, wanted): (&Limb, Joint, &LimbWanted),
    chest: &Frame,
    (hand, reach): (DVec3, f64),
) -> (DQuat, DVec3, Option<DVec3>) {
    let Allowed { layout, seen, .. } = *allowed;
    let from = layout.trunk[layout.chest];
    let (point, bone) = (seen.bone(from, collar), seen.bone(collar, arm.upper));
    let line = chest.local(hand) - point;
    let natural = natural(allowed, (arm, collar, wanted), line, reach);
    following(allowed, collar, chest.rotation, (natural, bone), (line, reach))
}

/// How a collar bone is turned against the chest before it follows a hand that is so far from its joint, in the chest's frame: as people hold it,
/// and near the hand's place in the pose given as it is there.
fn natural(
    Allowed { layout, seen, .. }: &Allowed<'_>,
    (arm, collar, wanted): (&Limb, Joint, &LimbWanted),
    line: DVec3,
    reach: f64,
) -> DQuat {
    let (chest, own) = (seen.at(layout.trunk[layout.chest]), seen.at(collar));
    let bone = own.local(seen.at(arm.upper).position);
    let by_itself = |line: DVec3| natural::collar((line - bone) / reach.max(f64::MIN_POSITIVE), Side(arm.sign));
    let natural = by_itself(line);
    let given = chest.local(seen.at(arm.end).point(wanted.tip)) - chest.local(own.position);
    let share = wanted.kept(arc::length(line - given) / reach);
    if share == 0.0 {
        return natural;
    }
    let turned = chest.rotation.conjugate() * own.rotation;
    let before = before(by_itself(given), turned, (bone, given), followed(seen, arm, wanted));
    let off = by_itself(given).conjugate() * before;
    arc::normalize(natural * arc::nlerp(DQuat::IDENTITY, off, share))
}

/// How a collar bone was turned, against the chest, that has followed a hand by a share of its way and now is turned so: farther from the
/// hand, but no farther than by itself.
fn before(by_itself: DQuat, turned: DQuat, (bone, hand): (DVec3, DVec3), share: f64) -> DQuat {
    let angle = |from: DVec3, to: DVec3| atan2(arc::length(from.cross(to)), from.dot(to));
    let (now, most) = (angle(hand, turned * bone), angle(hand, by_itself * bone));
    let Some(axis) = arc::unit(hand.cross(turned * bone)) else { return turned };
    let was = (now / (1.0 - WAY * share)).min(most.max(now));
    arc::normalize(arc::axis_angle(axis, was - now) * turned)
}

/// The same of one that is turned so, against the chest, before it follows; the hand is told from its joint, in the chest's frame.
fn following(
    allowed: &Allowed<'_>,
    collar: Joint,
    chest: DQuat,
    (natural, bone): (DQuat, DVec3),
    (hand, reach): (DVec3, f64),
) -> (DQuat, DVec3, Option<DVec3>) {
    turned(allowed, collar, chest, (natural, bone), follow(natural * bone, hand, reach))
}

/// The same for where the shoulder is to be, from the collar bone's joint, in the chest's frame.
fn turned(
    allowed: &Allowed<'_>,
    collar: Joint,
    chest: DQuat,
    (natural, bone): (DQuat, DVec3),
    shoulder: DVec3,
) -> (DQuat, DVec3, Option<DVec3>) {
    let hangs = natural * bone;
    let turn = match (arc::unit(hangs), arc::unit(shoulder)) {
        (Some(from), Some(to)) if hangs != shoulder => arc::arc(from, to, DVec3::Y),
        _ => DQuat::IDENTITY,
    };
    let told = arc::normalize(chest * turn * natural);
    let above = allowed.layout.trunk[allowed.layout.chest];
    let rotation = allowed.nearest(collar, (above, chest), told);
    let is_held = rotation.dot(told).abs() < 1.0 - ROUNDING;
    let free = chest * shoulder;
    if is_held { (rotation, rotation * bone, Some(free)) } else { (told, free, None) }
}

/// A collar bone on its way to the hand: three quarters of it. Near the whole way the shoulder would move without bound.
struct Follow {
    /// Where it begins: a direction.
    from: DVec3,
    /// To the hand.
    line: DVec3,
    /// Its length.
    long: f64,
}

impl Follow {
    fn of(shoulder: DVec3, hand: DVec3) -> Option<Self> {
        let long = arc::length(shoulder);
        Some(Self { from: arc::unit(shoulder)?, line: arc::unit(hand)?, long })
    }

    /// How it is turned in the end: a direction.
    fn end(&self) -> DVec3 {
        let half = arc::unit(self.from + self.line);
        half.and_then(|half| arc::unit(half + self.line)).unwrap_or(self.from)
    }

    /// The shoulder at a share of the way to its end.
    fn shoulder(&self, end: DVec3, share: f64) -> DVec3 {
        arc::unit(self.from * (1.0 - share) + end * share).unwrap_or(self.from) * self.long
    }

    /// How far the hand of a shoulder may be from the collar bone's joint for a share of the way.
    fn arm(&self, shoulder: DVec3, share: f64, reach: f64) -> f64 {
        let (arm, along) = (reach * opened(FOLLOWS, share), self.line.dot(shoulder));
        along + sqrt_clamped(arm * arm - self.long * self.long + along * along)
    }

    /// About how fast that grows with the share.
    fn grows(&self, end: DVec3, share: f64, reach: f64) -> f64 {
        reach * opens(FOLLOWS, share) + self.line.dot(end - self.from) * self.long
    }
}

/// The shoulder, from the collar bone's joint, turned towards the hand as far as an arm of this length needs it.
fn follow(shoulder: DVec3, hand: DVec3, reach: f64) -> DVec3 {
    let Some(follow) = Follow::of(shoulder, hand) else { return shoulder };
    let far = arc::length(hand);
    let mut low = (0.0, far - follow.arm(shoulder, 0.0, reach));
    if low.1 <= 0.0 {
        return shoulder;
    }
    let end = follow.end();
    let lacks = |share| far - follow.arm(follow.shoulder(end, share), share, reach);
    let mut high = (1.0, lacks(1.0));
    if high.1 >= 0.0 {
        return follow.shoulder(end, 1.0);
    }
    // False position; an end that stays counts half.
    let (mut share, mut last) = (0.0, 0.0);
    for _ in 0..STEPS {
        share = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let lack = lacks(share);
        let stays = if lack * last > 0.0 { 0.5 } else { 1.0 };
        if lack > 0.0 {
            (low, high.1) = ((share, lack), stays * high.1);
        } else {
            (high, low.1) = ((share, lack), stays * low.1);
        }
        last = lack;
    }
    follow.shoulder(end, share)
}
