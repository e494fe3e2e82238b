//! A whole body from what is asked of its parts, in closed form but for the trunk: hips, trunk, collar bones, arms, legs.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::math::ops::atan2;
use sinew::{Goal, Joint, Skeleton, Workspace};

use super::allowed::Allowed;
use super::hips;
use super::layout::{Layout, Limb};
use super::limb::{Bend, Placed, SHOWS};
use super::natural::{self, Side};
use super::seen::{Frame, Seen};
use super::shoulder::{hang, spent};
use super::swivel::Swivel;
use super::targets::{BodyTargets, LimbWanted, Wanted};
use super::trunk::Trunk;

/// An end that is further from its target is out of reach (share of the limb's length).
const SHORT: f64 = 1e-9;

/// Where the trunk is to lie: its first joint in the body's directions; from there, in the frame of the hips, the head (its rotation
/// in the body's directions) and the hands.
struct Lay {
    first: DVec3,
    head: Frame,
    hands: [Option<DVec3>; 2],
}

/// Half the square of half the angle by which a rotation is another by rounding.
pub(super) const ROUNDING: f64 = 1e-14;
/// Rounds in which joints of the trunk go back inside their limits and the head comes back to its place.
const HOLDS: usize = 24;

/// Where the head is in what goals lack, after the limbs.
pub(super) const HEAD: usize = 4;

/// What placing a body works with.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// The pose given; what is not asked for stays as it is there.
    pub(super) seen: Seen,
    /// The answer.
    pub(super) out: Seen,
    trunk: Trunk,
    /// Rotations that are written.
    pub(super) locals: Vec<(Joint, DQuat)>,
    /// Ends of limbs that are too short for their goal.
    pub(super) short: Vec<Joint>,
    /// By joint: whether its rotation in `out` was found inside its limit, on what carries it there.
    pub(super) inside: Vec<bool>,
    /// Heads, hands and feet that their limits have turned otherwise than told, and how far (radians).
    pub(super) held: Vec<(Joint, f64)>,
    /// How toes are turned of feet whose heels rise.
    pub(super) toes: [Option<(Joint, DQuat)>; 2],
    /// By how much limits keep the body from where it is placed, at most (radians; shares of a limb's length).
    pub(super) outside: f64,
    /// By how much ends of [limbs](Layout::limbs), and at last the head, are short of their targets.
    pub(super) lacks: [DVec3; 5],
    /// By how much hands and feet are to be placed beside where they should be, for bones of uneven scale, as [limbs](Layout::limbs) come.
    pub(super) beside: [DVec3; 4],
    /// For goals without a closed form.
    pub(super) goals: Vec<Goal>,
    pub(super) inner: Workspace,
}

impl Room {
    /// Places all parts; `out` holds the answer.
    pub(super) fn place(&mut self, skeleton: &Skeleton, layout: &Layout, asked: &BodyTargets) {
        self.out.take(&self.seen);
        self.short.clear();
        self.inside.clear();
        self.inside.resize(skeleton.len(), false);
        self.outside = 0.0;
        self.lacks = [DVec3::ZERO; 5];
        self.toes = [None; 2];
        let mut hips = hips::find(layout, &self.seen, asked);
        if asked.hips.position.is_none() {
            self.hang_hips((skeleton, layout), asked, &mut hips);
            hips::give_way(layout, &self.seen, asked, &mut hips);
        }
        self.out.set(layout.hips, hips);
        if layout.core != layout.hips {
            self.out.set(layout.core, ride(&self.seen, layout, layout.core, &hips));
        }
        self.place_trunk(skeleton, layout, asked, &hips);
        let chest = self.out.at(layout.trunk[layout.chest]);
        for (arm, wanted) in layout.arms.iter().zip(&asked.arms) {
            let Some(arm) = arm else { continue };
            if wanted.is_free() {
                self.carry_arm((skeleton, layout), arm, &chest);
            } else {
                self.place_arm(skeleton, layout, arm, wanted, &chest);
            }
            self.lift_fingers((skeleton, layout), arm, wanted);
        }
        for (leg, wanted) in layout.legs.iter().zip(&asked.legs) {
            if let Some(leg) = leg {
                let start = hips.point(self.seen.bone(layout.hips, leg.upper));
                let wanted = &self.along(leg, wanted, start, &hips);
                let is_guessed = wanted.end == Wanted::default();
                let end = self.foot(layout, asked, leg, wanted, &hips);
                let keeps = wanted.keeps.map(|within| if is_guessed { f64::INFINITY } else { within });
                let mut wanted = LimbWanted { end, keeps, ..*wanted };
                if is_guessed {
                    self.rise((skeleton, layout), leg, &mut wanted, start, &hips);
                }
                self.place_limb((skeleton, layout), leg, &wanted, start, &hips);
                if wanted.end.rotation.is_none() && wanted.tip == DVec3::ZERO {
                    self.level(layout, leg);
                }
            }
        }
    }

    /// Moves hips that no goal tells of to where a trunk bent as people bend it leaves them below a head whose frame is told. Below one
    /// whose place is told they go up and down as far as the trunk needs, that the head be no nearer and no farther than it is.
    fn hang_hips(&mut self, (skeleton, layout): (&Skeleton, &Layout), asked: &BodyTargets, hips: &mut Frame) {
        let Some(head) = asked.head.position else { return };
        if asked.head.rotation.is_some() {
            let lay = self.bend_trunk((skeleton, layout), asked, hips);
            let end = self.trunk.place(layout.trunk.len() - 1);
            hips.position += head - (lay.first + hips.rotation * end);
            return;
        }
        hips::sink(layout, &self.seen, head, hips);
    }

    /// Bends the trunk as people bend it, the head not yet where it is told.
    fn bend_trunk(&mut self, (skeleton, layout): (&Skeleton, &Layout), asked: &BodyTargets, hips: &Frame) -> Lay {
        let (seen, trunk) = (&self.seen, &mut self.trunk);
        trunk.begin(layout.trunk.windows(2).map(|pair| seen.bone(pair[0], pair[1])));
        let first = hips.point(seen.bone(layout.hips, layout.trunk[0]));
        // What is not asked for rides on the hips.
        let riding = |joint| ride(seen, layout, joint, hips);
        let back = hips.rotation.conjugate();
        let local = |place: DVec3| back * (place - first);
        let hands = [0, 1].map(|side| {
            let hand = asked.arms[side].end.position;
            Some(local(hand.unwrap_or(riding(layout.arms[side]?.end).position)))
        });
        let head = riding(layout.trunk[layout.trunk.len() - 1]);
        let hips_free = asked.hips.rotation.is_none();
        // People who bow look half up.
        let looks = arc::nlerp(head.rotation, seen.at(layout.trunk[layout.trunk.len() - 1]).rotation, 0.5);
        let place = asked.head.position.unwrap_or(head.position);
        let look = asked.look.map(|look| look.rotation(place, head.rotation, hips.rotation).0);
        let told = asked.head.rotation.or(look);
        let rotation = told.unwrap_or(if hips_free { looks } else { head.rotation });
        let target = local(place);
        if asked.head.position.is_some() || asked.chest.is_some() {
            let spread = spread(seen, layout, target, hands);
            let chest = asked.chest.map(|chest| (layout.chest, back * chest));
            trunk.bend(&trunk.seen(target, back * rotation, spread), chest);
        } else {
            trunk.keep(layout.trunk.iter().map(|&joint| back * riding(joint).rotation));
            if told.is_some() {
                let spread = spread(seen, layout, target, hands);
                let turned = |rotation| trunk.seen(target, back * rotation, spread);
                let (from, to) = (turned(head.rotation), turned(rotation));
                trunk.follow(&from, &to);
                if look.is_some() {
                    trunk.nod(layout.chest, back * head.rotation, back * rotation);
                }
            }
        }
        let core = (layout.core, riding(layout.core).rotation);
        Allowed { skeleton, layout, seen }.stiffen(trunk, hips, core);
        Lay { first, head: Frame { position: target, rotation }, hands }
    }

    fn place_trunk(&mut self, skeleton: &Skeleton, layout: &Layout, asked: &BodyTargets, hips: &Frame) {
        let Lay { first, head, hands } = self.bend_trunk((skeleton, layout), asked, hips);
        let (seen, trunk) = (&self.seen, &mut self.trunk);
        let allowed = Allowed { skeleton, layout, seen };
        let target = asked.head.position.map(|_| head.position);
        if let Some(target) = target {
            trunk.reach(target);
            if arc::length(target) > trunk.length {
                self.short.push(layout.trunk[layout.trunk.len() - 1]);
            }
        }
        let core = (layout.core, self.out.at(layout.core).rotation);
        let hangs = |chest: Frame, share| {
            let chest =
                Frame { position: first + hips.rotation * chest.position, rotation: hips.rotation * chest.rotation };
            [0, 1].map(|side| {
                let (arm, hand) = (layout.arms[side].as_ref()?, hands[side]?);
                hang(&allowed, (arm, &asked.arms[side]), (&chest, hand), share)
            })
        };
        let inside = &mut self.inside;
        trunk.lean(target, (layout.chest, spent(seen, layout, asked), asked.is_spanned()), hangs, |trunk| {
            allowed.hold(trunk, hips, core, inside);
        });
        let is_settled = (0..HOLDS).any(|_| {
            let is_inside = !allowed.hold(trunk, hips, core, &mut self.inside);
            if let Some(target) = target.filter(|_| !is_inside) {
                trunk.reach(target);
            }
            is_inside
        });
        if !is_settled {
            self.inside.fill(false);
        }
        let mut position = first;
        for (place, &joint) in layout.trunk.iter().enumerate() {
            let is_head = place + 1 == layout.trunk.len();
            let rotation = match asked.look.filter(|_| is_head && asked.head.rotation.is_none()) {
                Some(look) => {
                    let (rotation, is_short) = look.rotation(position, head.rotation, hips.rotation);
                    self.short.extend(is_short.then_some(joint));
                    rotation
                }
                None if is_head => head.rotation,
                None => hips.rotation * trunk.rotations[place],
            };
            self.out.set(joint, Frame { position, rotation });
            if let Some(target) = target.filter(|_| is_head) {
                self.lacks[HEAD] = first + hips.rotation * target - position;
            }
            if !is_head {
                position += rotation * trunk.bones[place];
            }
        }
    }

    /// What is asked of a limb whose elbow or knee is told alone: the bone below keeps its direction in the pose given, but for a shin that
    /// would go through the floor, which lies back.
    pub(super) fn along(&mut self, limb: &Limb, wanted: &LimbWanted, start: DVec3, hips: &Frame) -> LimbWanted {
        let seen = &self.seen;
        let (Some(told), long) = (wanted.lone_middle(), arc::length(seen.bone(limb.upper, limb.lower))) else {
            return *wanted;
        };
        let Some(way) = arc::unit(told - start) else { return *wanted };
        let middle = start + way * long;
        let off = arc::length(told - middle) / seen.reach(limb);
        if off > SHORT {
            self.short.push(limb.lower);
            self.outside = self.outside.max(off);
        }
        let (floor, below) = (seen.at(limb.end).position.y, seen.at(limb.end).position - seen.at(limb.lower).position);
        let mut end = middle + below;
        if !limb.is_arm() && end.y < floor {
            let rise = ((floor - middle.y) / arc::length(below)).min(0.0);
            let back = arc::unit(hips::level_part(below - hips.rotation * DVec3::Z * arc::length(below)));
            end = middle + hips::rising(back.unwrap_or_default(), rise) * arc::length(below);
        }
        LimbWanted { end: Wanted { position: Some(end), ..wanted.end }, ..*wanted }
    }

    /// A limb as it bends of itself, and where its end should be; none where a bone has no length.
    pub(super) fn lay(
        &self,
        layout: &Layout,
        limb: &Limb,
        wanted: &LimbWanted,
        start: DVec3,
        hangs_on: &Frame,
    ) -> Option<(Placed, DVec3)> {
        let seen = &self.seen;
        let bones = seen.bones(limb, wanted.tip);
        let riding = |joint| {
            let (now, then) = (seen.at(limb.upper), seen.at(joint));
            start + then.position - now.position
        };
        let end = wanted.end.position.unwrap_or_else(|| riding(limb.end)) + self.beside[limb.place];
        let told = wanted.middle.map(|middle| middle - start);
        // Where the bones may turn at will, what is told is all that counts.
        let natural = if told.is_some() && bones.hinge.is_none() {
            DVec3::ZERO
        } else {
            let back = hangs_on.rotation.conjugate();
            let away = back * (end - start);
            let turned = wanted.end.rotation.map(|rotation| back * rotation);
            let bends = hangs_on.rotation * natural(limb, away, turned, bones.reach);
            let kept = self.kept(layout, limb, wanted, away);
            if kept == 0.0 { bends } else { arc::axis_angle(arc::unit(end - start)?, kept) * bends }
        };
        let bend = Bend { told, natural };
        Some((bones.place(start, end, bend)?, end))
    }

    /// What a limb keeps of how far it is turned, in the pose given, about the line between its ends from where it bends of itself (radians).
    fn kept(&self, layout: &Layout, limb: &Limb, wanted: &LimbWanted, away: DVec3) -> f64 {
        let seen = &self.seen;
        let carrier = seen.at(if limb.is_arm() { layout.trunk[layout.chest] } else { layout.hips }).rotation;
        let (upper, end) = (seen.at(limb.upper), seen.at(limb.end));
        let (back, line) = (carrier.conjugate(), end.point(wanted.tip) - upper.position);
        let bones = seen.bones(limb, wanted.tip);
        let share = wanted.kept(arc::length(away - back * line) / bones.reach);
        let Some(axis) = arc::unit(line).filter(|_| share > 0.0) else { return 0.0 };
        let turned = wanted.end.rotation.map(|_| back * end.rotation);
        let natural = carrier * natural(limb, back * line, turned, bones.reach);
        // Where a nearly straight one would fold tells more than its middle, and one that is bent beyond straight folds the other way.
        let folds = axis.cross(bones.folds_about(upper.rotation, arc::length(line)));
        let folds = arc::unit(folds).unwrap_or_default();
        let middle = arc::reject(seen.at(limb.lower).position - upper.position, axis);
        let shown = (arc::length(middle) / (SHOWS * bones.reach)).min(1.0);
        let middle = middle - folds * (2.0 * middle.dot(folds).min(0.0));
        let given = middle * shown + folds * (0.5 * SHOWS * bones.reach * (1.0 - shown));
        share * atan2(axis.dot(natural.cross(given)), arc::reject(natural, axis).dot(given))
    }

    pub(super) fn place_limb(
        &mut self,
        (skeleton, layout): (&Skeleton, &Layout),
        limb: &Limb,
        wanted: &LimbWanted,
        start: DVec3,
        hangs_on: &Frame,
    ) {
        let seen = &self.seen;
        let (bones, is_arm) = (seen.bones(limb, wanted.tip), limb.is_arm());
        let Some((mut placed, end)) = self.lay(layout, limb, wanted, start, hangs_on) else { return };
        let allowed = Allowed { skeleton, layout, seen };
        if allowed.is_limited(limb.upper) || allowed.is_limited(limb.end) {
            let above = limb.collar.unwrap_or(if is_arm { layout.trunk[layout.chest] } else { layout.hips });
            let above = (above, self.out.at(above).rotation);
            let is_inside =
                Swivel { allowed: &allowed, limb, above, end: wanted.end.rotation }.settle(start, &mut placed);
            self.inside[limb.upper.index()] = is_inside;
            // The forearm has yet to roll.
            self.inside[limb.end.index()] = is_inside && !is_arm && wanted.end.rotation.is_some();
        }
        self.outside = self.outside.max(placed.outside);
        self.lacks[limb.place] = end - placed.end;
        if arc::length(placed.end - end) > SHORT * bones.reach && placed.outside == 0.0 {
            self.short.push(limb.end);
        }
        let position = if wanted.tip == DVec3::ZERO {
            placed.end
        } else {
            placed.middle + placed.lower * seen.bone(limb.lower, limb.end)
        };
        let kept = seen.at(limb.lower).rotation.conjugate() * seen.at(limb.end).rotation;
        self.out.set(limb.upper, Frame { position: start, rotation: placed.upper });
        self.out.set(limb.lower, Frame { position: placed.middle, rotation: placed.lower });
        let told = wanted.end.rotation;
        let rotation = if is_arm {
            self.roll((skeleton, layout), limb, bones.lower, told)
        } else {
            told.unwrap_or(placed.lower * kept)
        };
        self.out.set(limb.end, Frame { position, rotation });
    }
}

/// Where a limb's middle points whose end is so far away from its root, in the frame that it hangs on; not of unit length.
fn natural(limb: &Limb, away: DVec3, turned: Option<DQuat>, reach: f64) -> DVec3 {
    let (line, side) = (arc::unit(away).unwrap_or(-DVec3::Y), Side(limb.sign));
    if limb.is_arm() {
        natural::elbow(line, arc::length(away) / reach.max(f64::MIN_POSITIVE), turned, side)
    } else {
        natural::knee(line, turned, side)
    }
}

/// From the right hand to the left, and from the head to between them, in lengths of an arm; all are told from the trunk's first
/// joint.
pub(super) fn spread(seen: &Seen, layout: &Layout, head: DVec3, hands: [Option<DVec3>; 2]) -> [DVec3; 2] {
    let ([Some(mut left), Some(mut right)], Some(arm)) = (hands, &layout.arms[0]) else { return [DVec3::ZERO; 2] };
    if arm.sign < 0.0 {
        core::mem::swap(&mut left, &mut right);
    }
    let long = seen.reach(arm).max(f64::MIN_POSITIVE);
    [(left - right) / long, (0.5 * (left + right) - head) / long]
}

/// Where a joint is if it keeps its place on the hips.
fn ride(seen: &Seen, layout: &Layout, joint: Joint, hips: &Frame) -> Frame {
    let (at, carrier) = (seen.at(joint), seen.at(layout.hips));
    let rotation = hips.rotation * carrier.rotation.conjugate() * at.rotation;
    Frame { position: hips.point(carrier.local(at.position)), rotation }
}
