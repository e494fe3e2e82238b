//! Where hips are that no goal tells of: as people hold them below a head that is told, else where they are, moved no more than
//! hands and feet need.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::math::ops::{atan2, sin_cos, sqrt, sqrt_clamped};

use super::layout::{Layout, Limb};
use super::natural::{Side, Stance};
use super::place::spread;
use super::seen::{Frame, Seen};
use super::targets::BodyTargets;

/// Rounds in which hips give way to hands and feet.
const ROUNDS: usize = 12;
/// What hands lack that the trunk makes up for by leaning alone (share of its length).
const LEANS: f64 = 0.17;
/// How far hips bow at most (radians): for what is as high as the shoulder, and for what lies at the feet.
const BOWS: [f64; 2] = [0.5, 1.05];
/// How much less they do to the side, for what is as high as the shoulder.
const ASIDE: f64 = 0.5;
/// Hips do not bow for what lies so steeply above the shoulders (the inverse of the sine).
const RISES: f64 = 2.0;
/// How high over the feet they stay for what lies there (share of a leg).
const SQUATS: f64 = 0.32;
/// Where they cannot go lower, how far they go back for each length that the head goes down, and their share of the trunk's lean.
const BACK: f64 = 2.0;
const BOWED: f64 = 0.5;
/// How far they go back for a trunk that lies level (share of its length).
const BALANCES: f64 = 0.5;
/// How far hips turn for what lies behind (radians).
const TURNS: f64 = 0.7;
/// Which share of that, by the direction of a hand from ahead outwards (degrees): across the body, outwards, behind.
const BEHIND: [[f64; 2]; 7] =
    [[-180.0, 0.4], [-160.0, 0.0], [-115.0, -1.0], [-75.0, 0.0], [100.0, 0.0], [150.0, 1.0], [180.0, 0.4]];
/// Level distance of a hand from the shoulder up to which they do not, and from which they do in full (shares of the arm).
const NEAR: [f64; 2] = [0.3, 0.6];
/// Halvings that find how far to bow: to a millionth of it.
const HALVINGS: usize = 20;
/// An arm or leg is stretched this far, and no further (share of its length).
const STRETCHED: f64 = 0.9999;

/// The hips as goals tell, else as people hold them below a head that is told, else where they are.
pub(super) fn find(layout: &Layout, seen: &Seen, asked: &BodyTargets) -> Frame {
    if let (Some(position), Some(rotation)) = (asked.hips.position, asked.hips.rotation) {
        return Frame { position, rotation };
    }
    let natural = match (asked.head.position, asked.head.rotation) {
        (Some(position), Some(rotation)) => below(layout, seen, asked, Frame { position, rotation }),
        _ => seen.at(layout.hips),
    };
    Frame {
        position: asked.hips.position.unwrap_or(natural.position),
        rotation: asked.hips.rotation.unwrap_or(natural.rotation),
    }
}

/// The height of the feet in the pose given.
pub(super) fn floor(layout: &Layout, seen: &Seen) -> f64 {
    let feet = layout.legs.iter().flatten().map(|leg| seen.at(leg.end).position.y);
    feet.fold(f64::INFINITY, f64::min)
}

/// The height of what they stand on: of feet or toes.
pub(super) fn ground(layout: &Layout, seen: &Seen) -> f64 {
    let toes = layout.legs.iter().flatten().filter_map(|leg| leg.toes).map(|toes| seen.at(toes).position.y);
    toes.fold(floor(layout, seen), f64::min)
}

/// What people's hips depend on, the turn of the head about the upright, and how high the head of a body is that stands.
pub(super) fn stance(
    layout: &Layout,
    seen: &Seen,
    head: Frame,
    hands: [Option<DVec3>; 2],
    floor: f64,
) -> (Stance, DQuat, f64) {
    let upright = arc::axis_angle(DVec3::Y, arc::twist_angle(head.rotation, DVec3::Y));
    let tall = tall(layout, seen);
    let back = upright.conjugate();
    let local = |place: DVec3| back * (place - head.position);
    let hands = spread(seen, layout, DVec3::ZERO, hands.map(|hand| hand.map(local)));
    let rise = if tall > 0.0 { (head.position.y - floor) / tall - 1.0 } else { 0.0 };
    (Stance { head: arc::rotation_vector(back * head.rotation), rise, hands }, upright, tall)
}

/// How high the head is above the feet of a body that stands straight: what its bones make.
fn tall(layout: &Layout, seen: &Seen) -> f64 {
    let pairs = layout.trunk.windows(2).map(|pair| seen.bone(pair[0], pair[1]).y);
    let trunk = pairs.sum::<f64>() + seen.bone(layout.hips, layout.trunk[0]).y;
    let leg = |leg: &Limb| seen.reach(leg) - seen.bone(layout.hips, leg.upper).y;
    trunk + layout.legs.iter().flatten().map(leg).fold(0.0, f64::max)
}

/// Hips below a head.
fn below(layout: &Layout, seen: &Seen, asked: &BodyTargets, head: Frame) -> Frame {
    let hands = asked.arms.map(|arm| arm.end.position);
    let (stance, upright, tall) = stance(layout, seen, head, hands, floor(layout, seen));
    Frame {
        position: head.position + upright * (stance.place() * tall),
        rotation: arc::normalize(upright * stance.rotation()),
    }
}

/// Lets hips go up and down with a head that is told its place, on a trunk as long as it is; those of a body that stands no lower than
/// people squat. Below that the trunk bows ahead, and hips go back.
pub(super) fn sink(layout: &Layout, seen: &Seen, head: DVec3, hips: &mut Frame) {
    let first = seen.bone(layout.hips, layout.trunk[0]);
    let trunk = seen.at(layout.trunk[layout.trunk.len() - 1]).position - seen.at(layout.trunk[0]).position;
    let long = arc::length(trunk);
    let mut line = head - hips.point(first);
    let level = line.x * line.x + line.z * line.z;
    // A head that hangs goes on hanging.
    let tall = sqrt_clamped(long * long - level);
    let sinks = tall.copysign(trunk.y) - line.y;
    let leg = longest_leg(layout, seen);
    let room = (hips.position.y - floor(layout, seen) - SQUATS * leg).max(0.0);
    let down = if trunk.y >= 0.0 && leg > 0.0 { sinks.min(room) } else { sinks };
    hips.position.y -= down;
    let bows = if down < sinks { arc::unit(level_part(hips.rotation * DVec3::Z)) } else { None };
    let Some(ahead) = bows else { return };
    line.y += down;
    let (along, far) = (line.dot(ahead), sqrt_clamped(long * long - line.y * line.y));
    // As far as a straight trunk would, but at no more than that speed: at first the trunk curls.
    let back = (sqrt_clamped(along * along + far * far - level) - along).min(BACK * (sinks - down));
    let leans = atan2(along + back, line.y) - atan2(along, tall);
    let start = hips.point(first) - ahead * back;
    hips.rotation = arc::normalize(arc::axis_angle(DVec3::Y.cross(ahead), BOWED * leans.max(0.0)) * hips.rotation);
    hips.position = start - hips.rotation * first;
}

/// Brings the hips to where head, hands and feet can do what they are told.
pub(super) fn give_way(layout: &Layout, seen: &Seen, asked: &BodyTargets, hips: &mut Frame) {
    let is_below_head = asked.head.position.is_some();
    if !is_below_head {
        if asked.hips.rotation.is_none() {
            let turn = arc::axis_angle(DVec3::Y, behind(layout, seen, asked, hips));
            hips.rotation = arc::normalize(turn * hips.rotation);
        }
        bow(layout, seen, asked, hips);
    }
    let trunk: f64 = layout.trunk.windows(2).map(|pair| arc::length(seen.bone(pair[0], pair[1]))).sum();
    let first = hips.rotation * seen.bone(layout.hips, layout.trunk[0]);
    // What is straight as it is may stay so.
    let apart = |from, to: DVec3| arc::length(to - seen.at(from).position);
    let tall = apart(layout.trunk[0], seen.at(layout.trunk[layout.trunk.len() - 1]).position);
    let head =
        asked.head.position.map(|head| Ball { center: head - first, radius: (STRETCHED * trunk).max(tall.min(trunk)) });
    let feet = [0, 1].map(|side| {
        let (leg, wanted) = (layout.legs[side]?, asked.legs[side]);
        // A foot goes along with a knee that is told alone.
        if let Some(knee) = wanted.lone_middle() {
            let center = knee - hips.rotation * seen.bone(layout.hips, leg.upper);
            return Some(Ball { center, radius: arc::length(seen.bone(leg.upper, leg.lower)) });
        }
        // Below a head that is told its rotation, too, the whole body goes along.
        let planted = Some(seen.at(leg.end).position).filter(|_| asked.head.rotation.is_none() || !is_below_head);
        let foot = wanted.end.position.or(planted)?;
        let center = foot - hips.rotation * seen.bone(layout.hips, leg.upper);
        let (reach, now) = (seen.bones(&leg, wanted.tip).reach, seen.at(leg.end).point(wanted.tip));
        Some(Ball { center, radius: (STRETCHED * reach).max(apart(leg.upper, now).min(reach)) })
    });
    for _ in 0..ROUNDS {
        let before = hips.position;
        for foot in feet.into_iter().flatten() {
            hips.position = foot.nearest_with(head, hips.position);
        }
        if hips.position == before {
            break;
        }
    }
    // In the end the feet count more than the head, and one that stands more than one that is told.
    let [left, right] = feet;
    if let (Some(one), Some(other)) = (left.or(right), right.or(left)) {
        let (here, there) = (one.nearest_with(right, hips.position), other.nearest_with(left, hips.position));
        hips.position = match asked.legs.map(|leg| leg.end.position.is_some()) {
            [false, true] => here,
            [true, false] => there,
            _ => 0.5 * (here + there),
        };
    }
}

/// The turn of hips that go along with hands for what lies behind the body, about the upright: further than they do for where the hands
/// are in the pose given.
fn behind(layout: &Layout, seen: &Seen, asked: &BodyTargets, hips: &Frame) -> f64 {
    let turns = layout.arms.iter().zip(&asked.arms).filter_map(|(arm, wanted)| {
        let (arm, hand) = (arm.as_ref()?, wanted.end.position?);
        let side = Side(arm.sign);
        let for_hand = |hand: DVec3| {
            let line = side.flip(hips.local(hand) - seen.bone(layout.hips, arm.upper));
            let far =
                sqrt(line.x * line.x + line.z * line.z) / seen.bones(arm, wanted.tip).reach.max(arc::length(line));
            let share = ((far - NEAR[0]) / (NEAR[1] - NEAR[0])).clamp(0.0, 1.0);
            share * turned_by(atan2(line.x, line.z))
        };
        Some(arm.sign * (for_hand(hand) - for_hand(seen.at(arm.end).point(wanted.tip))))
    });
    turns.sum::<f64>().clamp(-TURNS, TURNS)
}

/// By how much hips turn outwards for a hand in a direction from ahead outwards, along the corners of `BEHIND`.
fn turned_by(direction: f64) -> f64 {
    let corner = |place: usize| (BEHIND[place][0].to_radians(), BEHIND[place][1]);
    let between = (1..BEHIND.len()).find(|&place| direction <= corner(place).0).unwrap_or(BEHIND.len() - 1);
    let ((from, low), (to, high)) = (corner(between - 1), corner(between));
    TURNS * (low + (high - low) * (direction - from) / (to - from))
}

/// Between the feet of the pose given.
fn over_feet(layout: &Layout, seen: &Seen) -> DVec3 {
    let feet = || layout.legs.iter().flatten();
    feet().map(|leg| seen.at(leg.end).position).sum::<DVec3>() / (feet().count().max(1) as f64)
}

/// How far the longer leg reaches.
fn longest_leg(layout: &Layout, seen: &Seen) -> f64 {
    layout.legs.iter().flatten().map(|leg| seen.reach(leg)).fold(0.0, f64::max)
}

/// A unit direction that rises by so much from a level heading of unit length.
pub(super) fn rising(heading: DVec3, rise: f64) -> DVec3 {
    heading * sqrt_clamped(1.0 - rise * rise) + DVec3::Y * rise
}

pub(super) fn level_part(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}

/// Where hips are near enough to a foot or the head.
#[derive(Clone, Copy, Debug)]
struct Ball {
    center: DVec3,
    radius: f64,
}

impl Ball {
    fn nearest(self, place: DVec3) -> DVec3 {
        let (line, radius) = (place - self.center, self.radius);
        let far = arc::length(line);
        if far > radius { self.center + line * (radius / far) } else { place }
    }

    /// The nearest place in this ball and another; where they do not meet, the one here that is nearest to the other.
    fn nearest_with(self, other: Option<Self>, place: DVec3) -> DVec3 {
        let near = self.nearest(place);
        let Some(other) = other.filter(|other| other.nearest(near) != near) else { return near };
        let across = other.nearest(near);
        let (line, far) = (other.center - self.center, arc::length(other.center - self.center));
        let Some(along) = arc::unit(line).filter(|_| self.nearest(across) != across) else { return across };
        // On the circle in which the spheres cut each other.
        let high =
            0.5 * (far + (self.radius - other.radius) * ((self.radius + other.radius) / far)).min(2.0 * self.radius);
        let wide = sqrt((self.radius * self.radius - high * high).max(0.0));
        self.center + along * high + arc::unit(arc::reject(place - self.center, along)).unwrap_or_default() * wide
    }
}

/// Bends hips and knees as people do who reach for something low or far, no further than the hands need: trunk forward and hips back, so
/// that the body stays over its feet; hips go down for what is lower than they are. All counts from a body that stands upright, so that
/// one that has bowed before bows no further.
fn bow(layout: &Layout, seen: &Seen, asked: &BodyTargets, hips: &mut Frame) {
    let Lack { away, shoulders, hands } = lacking(layout, seen, asked, hips);
    let trunk = arc::length(seen.bone(layout.hips, layout.trunk[layout.chest]));
    let free = LEANS * trunk;
    if arc::length(away) <= free {
        return;
    }
    let ahead = arc::unit(level_part(away)).unwrap_or(hips.rotation * DVec3::Z);
    // Who bows to what is high goes away from it.
    let level = (1.0 - RISES * away.y / arc::length(away)).clamp(0.0, 1.0);
    let (feet, leg) = (floor(layout, seen), longest_leg(layout, seen));
    let now = hips.position.y - feet;
    let tall = now.max(leg);
    let share = |part: f64, whole: f64| if whole > 0.0 { level * (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    let sinks = share(feet + tall - hands, tall) * (tall - SQUATS * leg).max(0.0);
    let low = share(shoulders - hands, tall + trunk);
    let start = *hips;
    // Feet stand apart less than they are long.
    let aside = ahead.dot(hips.rotation * DVec3::X);
    let most = level * (1.0 - ASIDE * aside * aside * (1.0 - low)) * (BOWS[0] + (BOWS[1] - BOWS[0]) * low);
    let up = hips.rotation * DVec3::Y;
    let bent = atan2(up.dot(ahead), up.y).max(0.0);
    let stands_back = ahead.dot(over_feet(layout, seen) - hips.position);
    let bowed = |share: f64| {
        let angle = (share * most).max(bent);
        let balance = |angle: f64| BALANCES * trunk * sin_cos(angle).0;
        let back = (balance(angle) - balance(bent)).min((balance(angle) - stands_back).max(0.0));
        let down = (now - tall + share * sinks).max(0.0);
        Frame {
            position: start.position - DVec3::Y * down - ahead * back,
            rotation: arc::normalize(arc::axis_angle(DVec3::Y.cross(ahead), angle - bent) * start.rotation),
        }
    };
    let (mut enough, mut short) = (1.0, 0.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (enough + short);
        let is_enough = arc::length(lacking(layout, seen, asked, &bowed(middle)).away) <= free;
        if is_enough { enough = middle } else { short = middle }
    }
    *hips = bowed(enough);
}

/// How far, and which way, hands are from what arms reach that hang on hips, and how high these shoulders and hands are: of two arms the
/// mean, in which each counts as much as it lacks.
#[derive(Default)]
struct Lack {
    away: DVec3,
    shoulders: f64,
    hands: f64,
}

fn lacking(layout: &Layout, seen: &Seen, asked: &BodyTargets, hips: &Frame) -> Lack {
    let (mut sum, mut whole) = (Lack::default(), 0.0);
    for (arm, wanted) in layout.arms.iter().zip(&asked.arms) {
        let (Some(arm), Some(hand)) = (arm, wanted.end.position) else { continue };
        let shoulder = hips.point(seen.bone(layout.hips, arm.upper));
        let (line, reach) = (hand - shoulder, STRETCHED * seen.bones(arm, wanted.tip).reach);
        let far = arc::length(line);
        let lack = (far - reach).max(0.0);
        sum.away += line * (lack * lack / far.max(f64::MIN_POSITIVE));
        sum.shoulders += shoulder.y * lack;
        sum.hands += hand.y * lack;
        whole += lack;
    }
    let share = if whole > 0.0 { 1.0 / whole } else { 0.0 };
    Lack { away: sum.away * share, shoulders: sum.shoulders * share, hands: sum.hands * share }
}
