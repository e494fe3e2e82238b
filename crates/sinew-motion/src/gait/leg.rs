//! A leg as it is built, and the closed form that brings its foot to a place.
//!
//! From the hip down: a short level first link turns about up alone (the coxa of an insect); the next link and all below it
//! are two bones; joints further down fold by a share of their rest bend that depends on the distance alone (none at full
//! reach, their own at the rest length), which makes one bone of them; level links near the ground are the foot, whose first
//! link's end touches the ground. So legs of any number of links flex as they do at rest, and no knee turns over.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::solve::two_bone::{self, Limb};
use sinew::{Joint, Pole, Pose, Skeleton, Transform};

use super::error::GaitError;

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

/// A joint of the chain that bends.
#[derive(Clone, Copy, Debug)]
struct Link {
    joint: Joint,
    /// From the joint before (the hip's parent for the first) to the parent of this one; joints between stay at rest.
    between: DAffine3,
    rest: Transform,
    /// Rest bend of a lower joint, in its own frame.
    axis: DVec3,
    angle: f64,
}

/// Directions of the body at rest, in model space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) up: DVec3,
    pub(super) forward: DVec3,
    pub(super) left: DVec3,
}

/// One leg.
#[derive(Clone, Debug)]
pub(super) struct Leg {
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
    end_turn: DQuat,
    /// From hip to ankle and the bend across it, at rest.
    line: DVec3,
    bend: DVec3,
    /// First link, hip and ankle at rest, in the space of the hip's parent.
    own: [DVec3; 3],
    /// Full length, rest length (model units), model units a unit of the leg's own space, and most fold.
    pub(super) reach: f64,
    rest_reach: f64,
    /// Nearest that hip and ankle come; 0 below a coxa, which turns the hip away.
    shortest: f64,
    scale: f64,
    most_fold: f64,
    pub(super) neighbours: Vec<usize>,
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

impl Leg {
    /// Measures a leg (joints from the hip to the ground) at rest; `floor` is how high the ground is then.
    pub(super) fn new(
        skeleton: &Skeleton,
        rest: &Pose,
        index: usize,
        joints: &[Joint],
        axes: &Axes,
        floor: f64,
        knee: DVec3,
    ) -> Result<Self, GaitError> {
        let broken = GaitError::Broken { leg: index };
        let below = |pair: &[Joint]| skeleton.is_below(pair[1], pair[0]) && pair[0] != pair[1];
        if joints.len() < 2 || !joints.iter().all(|&j| skeleton.contains(j)) || !joints.windows(2).all(below) {
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
            && (at(kept[end - 1]).dot(axes.up) - floor) < NEAR_GROUND * tall
            && steep(kept[end - 1], kept[end]) < LEVEL
        {
            end -= 1;
        }
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
            tip: at(tip) - at(touching),
            touching,
            end_turn: rest.rotation(kept[end]),
            line,
            bend: knee,
            own: [DVec3::ZERO; 3],
            reach: 1.0,
            rest_reach: arc::length(line),
            shortest: 0.0,
            scale: 1.0,
            most_fold: 1.0,
            neighbours: Vec::new(),
            links,
        };
        let across = arc::unit(line).map(|unit| arc::reject(at(kept[first + 1]) - hip, unit));
        leg.bend = across.filter(|bend| arc::length(*bend) > STRAIGHT * total).unwrap_or(knee);
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

    /// Number of joints whose rotation [`solve`](Self::solve) tells.
    pub(super) fn turned(&self) -> usize {
        self.links.len() + usize::from(self.toes.is_some())
    }

    /// Place and rotation of each link in the space of the hip's parent, with lower joints at a share of their bends.
    fn frames(&self, share: f64) -> [(DVec3, DQuat); MOST_LINKS] {
        let mut frames = [(DVec3::ZERO, DQuat::IDENTITY); MOST_LINKS];
        let (mut frame, mut turn) = (DAffine3::IDENTITY, DQuat::IDENTITY);
        for (index, link) in self.links.iter().enumerate() {
            let local = Transform { rotation: link.at(share), ..link.rest };
            frame = frame * link.between * local.to_affine();
            turn = turn * turn_of(&link.between) * local.rotation;
            frames[index] = (frame.translation, turn);
        }
        frames
    }

    /// Local rotations that bring the foot to its footing, in a pose whose body is where it is to be; `body` is its turn from
    /// rest. Returns where the ankle then is.
    pub(super) fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &Pose,
        axes: &Axes,
        body: DQuat,
        footing: &Footing,
        out: &mut Vec<(Joint, DQuat)>,
    ) {
        let root = self.links[0].joint;
        let space = skeleton.parent(root).map_or(*skeleton.base(root), |parent| *pose.model(parent));
        let inside = space.inverse();
        let space_turn = arc::rotation_of(&space.matrix3).unwrap_or(DQuat::IDENTITY);
        let foot = footing.turned(axes);
        let ankle = inside.transform_point3(footing.place + foot * self.ankle);
        let (first, last) = (usize::from(self.coxa), self.links.len() - 1);

        // Below the coxa's turn all is in the leg's own plane.
        let coxa_turn =
            if self.coxa { self.coxa_turn(&space, inside.matrix3 * (body * axes.up), ankle) } else { DQuat::IDENTITY };
        let near = self.own[0];
        let hip = near + coxa_turn * (self.own[1] - near);
        let full = self.reach / self.scale;
        let distance = arc::length(ankle - hip).min(full * 0.9999);
        let slack = full - self.rest_reach / self.scale;
        let share = if slack > 1e-3 * full { ((full - distance) / slack).clamp(0.0, self.most_fold) } else { 1.0 };
        let frames = self.frames(share);
        let place = |i: usize| near + coxa_turn * (frames[i].0 - near);
        let limb = Limb { root: hip, mid: place(first + 1), tip: place(last) };
        // The rest bend, carried along as the line from hip to ankle turns against the body.
        let turned = (body.conjugate() * (space.matrix3 * (ankle - hip))).normalize_or(self.line);
        let carried = arc::arc(self.line.normalize_or(turned), turned, axes.left) * self.bend;
        let pole = Pole::Direction(inside.matrix3 * (body * carried));
        let target = hip + (ankle - hip).normalize_or(DVec3::Y) * distance.max(0.0);
        let turns = two_bone::bend(&limb, target, pole);

        let mut above = DQuat::IDENTITY;
        for (index, link) in self.links.iter().enumerate() {
            let between = above * turn_of(&link.between);
            let meant = match index {
                _ if index == last => (space_turn.conjugate() * foot * self.end_turn).normalize(),
                0 if self.coxa => coxa_turn * frames[0].1,
                _ if index == first => turns.root * coxa_turn * frames[index].1,
                _ => turns.mid * turns.root * coxa_turn * frames[index].1,
            };
            out.push((link.joint, (between.conjugate() * meant).normalize()));
            above = meant;
        }
        if let Some((ball, between)) = self.toes {
            // Toes stay as flat as at rest under a raised heel.
            let rest = skeleton.rest(ball).rotation;
            let flat = foot.conjugate() * footing.turn;
            let inside = self.end_turn * between;
            out.push((ball, (inside.conjugate() * flat * inside * rest).normalize()));
        }
    }

    /// Turn of the coxa about up that points it at the ankle.
    fn coxa_turn(&self, space: &DAffine3, up: DVec3, ankle: DVec3) -> DQuat {
        let [near, _, last] = self.own;
        let (Some(up), true) = (arc::unit(up), space.is_finite()) else { return DQuat::IDENTITY };
        match (arc::unit(arc::reject(last - near, up)), arc::unit(arc::reject(ankle - near, up))) {
            (Some(from), Some(to)) => arc::arc(from, to, up),
            _ => DQuat::IDENTITY,
        }
    }

    /// Where the ankle of a footing is.
    pub(super) fn ankle_at(&self, axes: &Axes, footing: &Footing) -> DVec3 {
        footing.place + footing.turned(axes) * self.ankle
    }

    /// How far the heel must rise for the ankle to come within `reach` of the hip; the most where that is not enough.
    pub(super) fn heel_for(&self, axes: &Axes, place: DVec3, turn: DQuat, hip: DVec3, reach: f64) -> f64 {
        let e = turn.conjugate() * (hip - place);
        let (w, k) = (self.ankle, axes.left);
        let (along, across) = (k * k.dot(w), arc::reject(w, k));
        let wanted = 0.5 * (e.dot(e) + w.dot(w) - reach * reach) - e.dot(along);
        let (a, b) = (e.dot(across), e.dot(k.cross(across)));
        if a >= wanted || across.dot(across) < 1e-12 * self.reach * self.reach {
            return 0.0;
        }
        let size = ops::sqrt(a * a + b * b);
        let peak = ops::atan2(b, a);
        let c = (wanted / size).min(1.0);
        (peak - ops::atan2(ops::sqrt_clamped(1.0 - c * c), c)).clamp(0.0, MOST_HEEL)
    }
}

/// Links of a leg at most, coxa and foot's first joint included.
pub(super) const MOST_LINKS: usize = 12;

impl Link {
    /// The local rotation with so much of the rest bend.
    fn at(&self, share: f64) -> DQuat {
        if self.angle == 0.0 || share == 1.0 {
            return self.rest.rotation;
        }
        self.rest.rotation * arc::axis_angle(self.axis, (share - 1.0) * self.angle)
    }
}

fn turn_of(map: &DAffine3) -> DQuat {
    if map.matrix3 == glam::DMat3::IDENTITY {
        DQuat::IDENTITY
    } else {
        arc::rotation_of(&map.matrix3).unwrap_or(DQuat::IDENTITY)
    }
}

/// Rotation of a joint's parent in the rest pose.
fn above(skeleton: &Skeleton, rest: &Pose, joint: Joint) -> DQuat {
    skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| rest.rotation(parent))
}

fn link(skeleton: &Skeleton, rest: &Pose, kept: &[Joint], i: usize, end: usize) -> Option<Link> {
    let joint = kept[i];
    let frame = |joint: Joint| skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *rest.model(parent));
    let between = if i == 0 || skeleton.parent(joint) == Some(kept[i - 1]) {
        DAffine3::IDENTITY
    } else {
        rest.model(kept[i - 1]).inverse() * frame(joint)
    };
    if i > MOST_LINKS - 1 || !between.is_finite() {
        return None;
    }
    let (mut axis, mut angle) = (DVec3::X, 0.0);
    if i > 1 && i < end {
        let inside = rest.model(joint).inverse();
        let seen = |other: Joint| arc::unit(inside.transform_point3(rest.position(other)));
        let (from, to) = (-seen(kept[i - 1])?, seen(kept[i + 1])?);
        if let Some(normal) = arc::unit(from.cross(to)).filter(|_| from.cross(to).length() > 1e-3) {
            (axis, angle) = (normal, ops::atan2(arc::length(from.cross(to)), from.dot(to)));
        }
    }
    Some(Link { joint, between, rest: *skeleton.rest(joint), axis, angle })
}
