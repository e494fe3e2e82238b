//! A leg as it is built, and the closed form that brings its foot to a place.
//!
//! From the hip down: a short level first link turns about up alone (the coxa of an insect); the next link and all below it
//! are two bones; joints further down fold by a share of their rest bend that depends on the distance alone (none at full
//! reach, their own at the rest length), which makes one bone of them; level links near the ground are the foot, whose first
//! link's end touches the ground. So legs of any number of links flex as they do at rest, and no knee turns over.

mod bend;
mod link;

use glam::{DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Joint, Pose, Skeleton};

use super::error::GaitError;
use crate::feet::Leg;
use link::{Link, above, link};

/// Links of this share of the leg's height above the ground, no steeper than `LEVEL`, are its foot.
const NEAR_GROUND: f64 = 0.24;
const LEVEL: f64 = 0.8;
/// A first link shorter than this share of the leg, no steeper than `LEVEL`, is a coxa, if the leg reaches aside by at least this share of
/// its height; else it belongs to the pelvis and stays as it is.
const COXA: f64 = 0.3;
const SPLAYED: f64 = 0.5;
/// Share of its full length to which a leg that reaches aside is stretched where it rests; feet farther out are drawn in.
const RESTS: f64 = 0.92;
/// Knees nearer to the line from hip to foot than this share of the leg count as straight.
const STRAIGHT: f64 = 0.015;
/// Share of the rest bends at which a compressed leg's lower joints stop.
const MOST_FOLD: f64 = 1.6;
/// How much longer than folded flat a leg stays.
const FOLDS: f64 = 1.01;
/// Share of its full length to which a leg stretches at most.
pub(super) const REACH: f64 = 0.985;
/// Share of that reach beyond which heels rise and strides grow no longer: what is left takes up ground that turns out lower.
pub(super) const EASY: f64 = 0.97;
/// How far a heel rises (radians).
pub(super) const MOST_HEEL: f64 = 0.9;

/// Directions of the body at rest, in model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) up: DVec3,
    pub(super) forward: DVec3,
    pub(super) left: DVec3,
}

impl Axes {
    /// Has legs that are straight at rest bend as the mirror image of the leg across the body does, where that one is bent.
    pub(super) fn bend_as_mirrored(&self, legs: &mut [Measured]) {
        let mirrored = |way: DVec3| way - self.left * (2.0 * way.dot(self.left));
        let middle = legs.iter().map(|leg| leg.hip).sum::<DVec3>() / legs.len().max(1) as f64;
        for leg in 0..legs.len() {
            let across = middle + mirrored(legs[leg].hip - middle);
            let far = |other: &&Measured| other.hip.distance_squared(across);
            let other = legs.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            if let Some(bend) =
                other.filter(|other| legs[leg].straight && !other.straight).map(|other| mirrored(other.bend))
            {
                legs[leg].bend = bend;
            }
        }
    }
}

/// A leg, measured.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    links: Vec<Link>,
    /// Whether the first link is a coxa.
    coxa: bool,
    /// Ball of the foot and its rest turn against the link before, where the foot has links.
    toes: Option<(Joint, DQuat)>,
    /// In model space at rest: hip (below the coxa), what touches the ground, and the ankle from there.
    pub(super) hip: DVec3,
    pub(super) contact: DVec3,
    pub(super) ankle: DVec3,
    /// The foot's end from there.
    pub(super) tip: DVec3,
    pub(super) touching: Joint,
    /// A foot that is a bone of its own: its place from there and its rotation, at rest.
    detached: Option<(Joint, DVec3, DQuat)>,
    end_turn: DQuat,
    /// What touches the ground, in the ankle's own space.
    touch: DVec3,
    /// From hip to ankle and the bend across it, at rest.
    line: DVec3,
    pub(super) bend: DVec3,
    /// Whether it is straight at rest, so that the bend is not its own.
    pub(super) straight: bool,
    /// First link, hip and ankle at rest, in the space of the hip's parent.
    own: [DVec3; 3],
    /// Full length, rest length (model units), model units a unit of the leg's own space, and most fold.
    pub(super) reach: f64,
    rest_reach: f64,
    /// From hip to knee and from knee to ankle at rest.
    bones: [f64; 2],
    /// Nearest that hip and ankle come; 0 below a coxa, which turns the hip away.
    shortest: f64,
    scale: f64,
    most_fold: f64,
    /// Legs next to it around the body, and how far each is apart at rest, seen from above.
    pub(super) neighbours: Vec<usize>,
    pub(super) apart: Vec<f64>,
}

/// Where a leg's foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// What touches the ground.
    pub(super) place: DVec3,
    /// The foot's turn from its rest, without the heel's.
    pub(super) turn: DQuat,
    /// How far the heel is raised (radians).
    pub(super) heel: f64,
}

impl Footing {
    /// The foot's turn from its rest with the heel raised.
    fn turned(&self, axes: &Axes) -> DQuat {
        if self.heel == 0.0 { self.turn } else { self.turn * arc::axis_angle(axes.left, self.heel) }
    }
}

impl Measured {
    /// Measures a leg at rest; `floor` is how high the ground is then, `knee` where it bends if it is straight at rest.
    pub(super) fn new(
        skeleton: &Skeleton,
        rest: &Pose,
        index: usize,
        leg: &Leg,
        axes: &Axes,
        floor: f64,
        knee: DVec3,
    ) -> Result<Self, GaitError> {
        let broken = GaitError::Broken { leg: index };
        let joints: Vec<Joint> = if leg.apart.is_some() { leg.joints.clone() } else { leg.all().collect() };
        let below = |pair: &[Joint]| skeleton.is_below(pair[1], pair[0]) && pair[0] != pair[1];
        let is_known = leg.all().chain(leg.apart).all(|joint| skeleton.contains(joint));
        if joints.len() < 2 || !is_known || !joints.windows(2).all(below) {
            return Err(broken);
        }
        let at = |joint: Joint| rest.position(joint);
        let whole = at(joints[0]).distance(at(joints[joints.len() - 1]));
        let mut kept: Vec<Joint> = vec![joints[0]];
        for &joint in &joints[1..] {
            if at(joint).distance(at(kept[kept.len() - 1])) > 1e-4 * whole {
                kept.push(joint);
            }
        }
        let tip = kept[kept.len() - 1];
        let tall = (at(kept[0]) - at(tip)).dot(axes.up);
        if !(tall > 0.05 * whole && whole.is_finite()) {
            return Err(GaitError::Raised { leg: index, tip });
        }
        let steep = |from: Joint, to: Joint| {
            let link = at(to) - at(from);
            link.dot(axes.up).abs() / arc::length(link)
        };
        let mut end = kept.len() - 1;
        while end > 2
            && leg.apart.is_none()
            && (at(kept[end - 1]).dot(axes.up) - floor) < NEAR_GROUND * tall
            && steep(kept[end - 1], kept[end]) < LEVEL
        {
            end -= 1;
        }
        // What is known to be a foot is one, whatever its shape.
        let ankle = leg.joints.last().filter(|_| leg.toe.is_some() && leg.apart.is_none());
        end = kept.iter().position(|joint| Some(joint) == ankle).unwrap_or(end);
        if end < 2 {
            return Err(GaitError::Stiff { leg: index, length: whole });
        }
        let touching = kept.get(end + 1).copied().unwrap_or(kept[end]);
        let total: f64 = kept[..=end].windows(2).map(|pair| at(pair[0]).distance(at(pair[1]))).sum();
        let mut coxa = end > 2 && at(kept[0]).distance(at(kept[1])) < COXA * total && steep(kept[0], kept[1]) < LEVEL;
        if coxa && arc::length(arc::reject(at(tip) - at(kept[0]), axes.up)) < SPLAYED * tall {
            kept.remove(0);
            (coxa, end) = (false, end - 1);
        }
        let links = (0..=end).map(|i| link(skeleton, rest, &kept, i, end)).collect::<Option<Vec<_>>>().ok_or(broken)?;
        let first = usize::from(coxa);
        let hip = at(kept[first]);
        let line = at(kept[end]) - hip;
        let mut leg = Self {
            coxa,
            toes: kept
                .get(end + 1)
                .map(|&ball| (ball, (rest.rotation(kept[end]).conjugate() * above(skeleton, rest, ball)).normalize())),
            hip,
            contact: at(touching),
            ankle: at(kept[end]) - at(touching),
            tip: at(leg.apart.map_or(tip, |foot| leg.end.or(leg.toe).unwrap_or(foot))) - at(touching),
            touching,
            detached: leg.apart.map(|foot| (foot, at(foot) - at(touching), rest.rotation(foot))),
            end_turn: rest.rotation(kept[end]),
            touch: rest.model(kept[end]).inverse().transform_point3(at(touching)),
            line,
            bend: knee,
            straight: true,
            own: [DVec3::ZERO; 3],
            reach: 1.0,
            rest_reach: arc::length(line),
            bones: [0.0; 2],
            shortest: 0.0,
            scale: 1.0,
            most_fold: 1.0,
            neighbours: Vec::new(),
            apart: Vec::new(),
            links,
        };
        let across = arc::unit(line).map(|unit| arc::reject(at(kept[first + 1]) - hip, unit));
        let bent = across.filter(|bend| arc::length(*bend) > STRAIGHT * total);
        (leg.bend, leg.straight) = (bent.unwrap_or(knee), bent.is_none());
        leg.measure();
        leg.draw_in(axes);
        Ok(leg)
    }

    /// Draws the foot's place of rest in under the hip, where the leg reaches aside and is all but straight at rest.
    fn draw_in(&mut self, axes: &Axes) {
        let out = self.contact + self.ankle - self.hip;
        let (tall, aside) = (out.dot(axes.up), arc::reject(out, axes.up));
        let (reach, far) = (RESTS * REACH * self.reach, arc::length(aside));
        if far > SPLAYED * tall.abs() && tall.abs() < reach {
            self.contact -= aside * (1.0 - ops::sqrt_clamped(reach * reach - tall * tall) / far).max(0.0);
        }
    }

    /// Full length, and how far lower joints may fold.
    fn measure(&mut self) {
        let first = usize::from(self.coxa);
        let span = |share: f64| {
            let frames = self.frames(share);
            let place = |i: usize| frames[i].0;
            (place(first + 1).distance(place(first)), place(self.links.len() - 1).distance(place(first + 1)))
        };
        let (l1, l2) = span(0.0);
        let (r1, r2) = span(1.0);
        let frames = self.frames(1.0);
        let places = [0, first, self.links.len() - 1].map(|i| frames[i].0);
        let own = places[2].distance(places[1]);
        let scale = if own > 0.0 { self.rest_reach / own } else { 1.0 };
        let full = (l1 + l2).max(r1 + r2);
        let fits = |share: f64| {
            let (l1, l2) = span(share);
            let d = full - share * (full - own);
            l1 + l2 >= d && (l1 - l2).abs() <= d
        };
        let shares = (0..=60).map(|i| 1.0 + (MOST_FOLD - 1.0) * f64::from(i) / 60.0);
        let most_fold = shares.take_while(|&share| fits(share)).last().unwrap_or(1.0);
        let (upper, lower) = span(most_fold);
        self.shortest = if self.coxa { 0.0 } else { FOLDS * (upper - lower).abs() * scale };
        self.bones = [r1 * scale, r2 * scale];
        (self.own, self.scale, self.reach, self.most_fold) = (places, scale, full * scale, most_fold);
    }

    /// How high over its ankle, that is so far aside, the hip is at least as the leg folds; `None` where it may be anywhere.
    pub(super) fn room(&self, aside: DVec3) -> Option<f64> {
        let left = self.shortest * self.shortest - aside.dot(aside);
        (left > 0.0).then(|| ops::sqrt_clamped(left))
    }

    /// Heel and toes along the ground at rest, from what touches it; both there where a leg has no foot.
    pub(super) fn ends(&self, axes: &Axes) -> [DVec3; 2] {
        [self.ankle, self.tip].map(|end| arc::reject(end, axes.up))
    }

    /// Where the knee is about, with hip and ankle at places and the body turned so from rest.
    pub(super) fn knee(&self, axes: &Axes, body: DQuat, hip: DVec3, ankle: DVec3) -> DVec3 {
        let line = ankle - hip;
        let (long, [upper, lower]) = (arc::length(line).max(1e-9 * self.reach), self.bones);
        let along = (0.5 * (long + (upper * upper - lower * lower) / long)).clamp(-upper, upper);
        let bend = arc::unit(self.carried(axes, body, line)).unwrap_or(DVec3::ZERO);
        hip + line * (along / long) + bend * ops::sqrt_clamped(upper * upper - along * along)
    }

    /// The rest bend, carried along as the line from hip to ankle turns against the body.
    fn carried(&self, axes: &Axes, body: DQuat, line: DVec3) -> DVec3 {
        let turned = (body.conjugate() * line).normalize_or(self.line);
        body * (arc::arc(self.line.normalize_or(turned), turned, axes.left) * self.bend)
    }

    /// Number of joints whose rotation [`solve`](Self::solve) tells.
    pub(super) fn turned(&self) -> usize {
        self.links.len() + usize::from(self.toes.is_some())
    }

    /// Where the foot that is a bone of its own is, and its rotation, on a footing.
    pub(super) fn detached(&self, axes: &Axes, footing: &Footing) -> Option<(Joint, DVec3, DQuat)> {
        let turn = footing.turned(axes);
        self.detached.map(|(foot, off, rest)| (foot, footing.place + turn * off, turn * rest))
    }

    /// Where the ankle of a footing is.
    pub(super) fn ankle_at(&self, axes: &Axes, footing: &Footing) -> DVec3 {
        footing.place + footing.turned(axes) * self.ankle
    }
}
