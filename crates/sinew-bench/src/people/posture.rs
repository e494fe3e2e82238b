//! How a body holds itself in a motion: knees ahead, elbows below and outside, soles level, hips upright and above the floor, the
//! body over its feet, goals said to be met that are.

use clap::ValueEnum as _;
use serde::Serialize;
use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::{Goal, Joint, Pose, Solver as _, Status, Target, Workspace};

use super::motions::Motion;
use super::person::{Limb, Person};
use crate::judge;
use crate::table::Row;

/// Frames of a motion.
const FRAMES: usize = 61;
/// A limb whose middle is nearer to the line between its ends points nowhere (shares of its length).
const STRAIGHT: f64 = 0.03;
/// A goal is missed that is further off, and met that is nearer (shares of a leg).
const MET: [f64; 2] = [1e-5, 1e-6];
/// A bent spine has the chest lean this much further than the line from hips to shoulders (degrees).
const CHEST: f64 = 15.0;
/// From the ankle to the heel and to the ball of the foot, over which people balance, and half a foot's width (shares of the height).
const HEEL: f64 = 0.04;
const BALL: f64 = 0.09;
const WIDE: f64 = 0.035;

/// The worst of a motion's frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Posture {
    /// Angle between where a bent knee points and where the hips look (degrees).
    pub knee: f64,
    /// How high an elbow points: from -1, straight down from the line from shoulder to hand, to 1.
    pub elbow: f64,
    /// How far inwards it does, from -1 to 1.
    pub inward: f64,
    /// Tilt of a sole that no goal is for (degrees).
    pub sole: f64,
    /// How far it slips (shares of a leg).
    pub slip: f64,
    /// Tilt of the line from hips to shoulders (degrees).
    pub trunk: f64,
    /// Tilt of the hips themselves (degrees).
    pub hips: f64,
    /// Tilt of what the arms hang on (degrees).
    pub chest: f64,
    /// Least height of the hips over the feet (shares of a leg).
    pub high: f64,
    /// How far a joint is below the floor (shares of a leg).
    pub below: f64,
    /// How far the centre of mass is from over the feet (shares of the height).
    pub off: f64,
    /// Frames whose goals are all met.
    pub met: usize,
    /// Frames whose status is not what is measured.
    pub untrue: usize,
    /// Frames in which a joint pops.
    pub pops: usize,
}

/// What is wrong with a posture, in a word each.
pub fn faults(posture: &Posture, motion: Motion) -> Vec<&'static str> {
    let told = [
        (posture.knee > 60.0, "knee"),
        (motion.is_before() && posture.elbow > 0.1, "elbow up"),
        (motion.is_before() && posture.inward > 0.1, "elbow in"),
        (posture.sole > 2.0, "sole"),
        (posture.slip > 1e-3, "slip"),
        (posture.trunk > motion.leans() || posture.chest > motion.leans() + CHEST, "leans"),
        (posture.high < 0.3, "low"),
        (posture.below > 1e-3, "floor"),
        (posture.off > 0.01, "falls"),
        (posture.untrue > 0, "untrue"),
        (posture.pops > 0, "pops"),
    ];
    told.iter().filter_map(|&(is_wrong, word)| is_wrong.then_some(word)).collect()
}

/// A solved frame.
#[derive(Clone, Debug)]
pub struct Shot {
    /// Share of the motion.
    pub share: f64,
    /// What was asked for.
    pub goals: Vec<Goal>,
    /// The answer.
    pub pose: Pose,
    /// The worst of its goals.
    pub status: Status,
}

/// Solves a motion, each frame from rest.
pub fn solve(person: &Person, motion: Motion, frames: usize) -> Vec<Shot> {
    let mut work = Workspace::default();
    let shot = |frame: usize| {
        let share = frame as f64 / (frames.max(2) - 1) as f64;
        let (goals, mut pose) = (motion.goals(person, share), person.rest.clone());
        let status = person.body.solve(&person.skeleton, &goals, &mut pose, &mut work).status;
        Shot { share, goals, pose, status }
    };
    (0..frames).map(shot).collect()
}

/// Solves and measures a motion.
pub fn measure(person: &Person, motion: Motion) -> Posture {
    Posture::of(person, &solve(person, motion, FRAMES))
}

impl Posture {
    /// Of frames that follow one another.
    pub fn of(person: &Person, shots: &[Shot]) -> Self {
        let mut worst = Self { high: f64::INFINITY, elbow: -1.0, inward: -1.0, ..Self::default() };
        for shot in shots {
            worst.add(person, shot);
        }
        worst.pops = pops(person, shots);
        worst
    }

    fn add(&mut self, person: &Person, shot: &Shot) {
        let (pose, up) = (&shot.pose, person.axes[1]);
        let is_told = |joint: Joint| shot.goals.iter().any(|goal| goal.joint == joint);
        let turned = |joint: Joint| pose.rotation(joint) * person.rest.rotation(joint).conjugate();
        let tilt = |joint: Joint| (turned(joint) * up).angle_between(up).to_degrees();
        // As the hips look, however they bow.
        let ahead = arc::unit_reject(turned(person.hips) * person.axes[0], up, 0.0).map(|left| left.cross(up));
        for leg in &person.legs {
            if let Some((bend, line)) = bend(pose, leg)
                && let Some(ahead) = ahead.and_then(|ahead| arc::unit_reject(ahead, line, 0.3))
            {
                self.knee = self.knee.max(bend.angle_between(ahead).to_degrees());
            }
            if !is_told(leg.end) {
                self.sole = self.sole.max(tilt(leg.stands));
                let slipped = pose.position(leg.stands).distance(person.rest.position(leg.stands));
                self.slip = self.slip.max(slipped / person.leg);
            }
        }
        for arm in person.arms.iter().filter(|arm| is_told(arm.end)) {
            if let Some((bend, _)) = bend(pose, arm) {
                self.elbow = self.elbow.max(bend.dot(up));
                self.inward = self.inward.max(-bend.dot(arm.out));
            }
        }
        let hips = pose.position(person.hips);
        let shoulders = 0.5 * (pose.position(person.arms[0].upper) + pose.position(person.arms[1].upper));
        self.trunk = self.trunk.max((shoulders - hips).angle_between(up).to_degrees());
        self.hips = self.hips.max(tilt(person.hips));
        self.chest = self.chest.max(tilt(person.chest));
        let foot = person.legs.iter().map(|leg| person.height(pose.position(leg.end))).fold(f64::INFINITY, f64::min);
        self.high = self.high.min((person.height(hips) - foot) / person.leg);
        // What hangs on a hand may touch what the hand is told to.
        let held = |joint: Joint| person.arms.iter().any(|arm| person.skeleton.is_below(joint, arm.end));
        let own = person.skeleton.iter().filter(|&joint| !held(joint));
        let lowest = own.map(|joint| person.height(pose.position(joint)));
        self.below = self.below.max(-lowest.fold(f64::INFINITY, f64::min) / person.leg);
        self.off = self.off.max(off(person, shot));
        let miss =
            shot.goals.iter().map(|goal| judge::miss(&person.skeleton, pose, goal)).fold(0.0, f64::max) / person.leg;
        let is_said = shot.status == Status::Reached;
        self.met += usize::from(miss <= MET[0]);
        self.untrue += usize::from(if is_said { miss > MET[0] } else { miss < MET[1] });
    }
}

/// Where a limb's middle points from the line between its ends, and that line (unit); none where it is straight.
fn bend(pose: &Pose, limb: &Limb) -> Option<(DVec3, DVec3)> {
    let [upper, lower, end] = [limb.upper, limb.lower, limb.end].map(|joint| pose.position(joint));
    let line = arc::unit(end - upper)?;
    let across = arc::reject(lower - upper, line);
    let long = upper.distance(lower) + lower.distance(end);
    (across.length() > STRAIGHT * long).then(|| (across.normalize(), line))
}

/// How far a limb's middle is folded (radians).
fn folded(pose: &Pose, limb: &Limb) -> f64 {
    let [upper, lower, end] = [limb.upper, limb.lower, limb.end].map(|joint| pose.position(joint));
    (lower - upper).angle_between(end - lower)
}

/// How far the centre of mass is from over the feet that stand, as a share of the height: the feet's outline is a box in the body's
/// axes. 0 where no foot stands.
fn off(person: &Person, shot: &Shot) -> f64 {
    let Some(center) = shot.pose.center_of_mass(&person.skeleton, person.hips) else { return 0.0 };
    let [left, _, ahead] = person.axes;
    let stands: Vec<&Limb> =
        person.legs.iter().filter(|leg| shot.goals.iter().all(|goal| goal.joint != leg.end)).collect();
    if stands.len() < 2 {
        return 0.0;
    }
    let feet = || stands.iter().map(|leg| shot.pose.position(leg.end));
    let range = |axis: DVec3, [before, after]: [f64; 2]| {
        let low = feet().map(|foot| foot.dot(axis)).fold(f64::INFINITY, f64::min) - before * person.tall;
        let high = feet().map(|foot| foot.dot(axis)).fold(f64::NEG_INFINITY, f64::max) + after * person.tall;
        let at = center.dot(axis);
        (low - at).max(at - high).max(0.0)
    };
    let (aside, along) = (range(left, [WIDE, WIDE]), range(ahead, [HEEL, BALL]));
    DVec3::new(aside, along, 0.0).length() / person.tall
}

/// By how much a leg's joint has to turn between two frames (radians): between hips and a foot of which one is told and the other told or
/// planted a leg folds as its lengths ask, by the root of the way where it was straight.
fn forced(person: &Person, pair: &[Shot], joint: Joint) -> f64 {
    let is_told = |leg: &Limb| pair[1].goals.iter().any(|goal| goal.joint == leg.end || goal.joint == person.hips);
    let mut legs = person.legs.iter().filter(|leg| [leg.upper, leg.lower, leg.end].contains(&joint) && is_told(leg));
    legs.next().map_or(0.0, |leg| (folded(&pair[1].pose, leg) - folded(&pair[0].pose, leg)).abs())
}

/// Frames in which a joint turns far, against how far goals move about what they are reached from, beside what is [`forced`].
fn pops(person: &Person, shots: &[Shot]) -> usize {
    let step = |pair: &[Shot]| {
        let moved = pair[0].goals.iter().zip(&pair[1].goals).filter_map(|(from, to)| {
            let way = to.target.position()?.distance(from.target.position()?);
            let is_aim = matches!(to.target, Target::Aim { .. });
            let at = pair[1].pose.position(to.joint);
            Some(way / if is_aim { at.distance(to.target.position()?) } else { person.arm })
        });
        moved.fold(0.0, f64::max)
    };
    let turn = |pair: &[Shot], joint: Joint| {
        let [from, to] = [0, 1].map(|at| pair[at].pose.local(joint).rotation);
        arc::rotation_vector(from.conjugate() * to).length() - forced(person, pair, joint)
    };
    let farthest = |pair: &[Shot]| person.skeleton.iter().map(|joint| turn(pair, joint)).fold(0.0, f64::max);
    shots.windows(2).filter(|pair| judge::pops(farthest(pair), step(pair))).count()
}

/// The motion's name.
pub fn name(motion: Motion) -> String {
    motion.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// What a motion of a person came to.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The person's name.
    pub character: String,
    /// The motion's.
    pub motion: String,
    /// Its worst.
    #[serde(flatten)]
    pub posture: Posture,
    /// Frames looked at.
    pub frames: usize,
    /// What is wrong.
    pub faults: Vec<&'static str>,
}

impl Report {
    /// Solves and measures a motion.
    pub fn of(person: &Person, motion: Motion) -> Self {
        let posture = measure(person, motion);
        let (character, faults) = (person.name.clone(), faults(&posture, motion));
        Self { character, motion: name(motion), posture, frames: FRAMES, faults }
    }
}

impl Row for Report {
    const COLUMNS: &'static [(&'static str, usize)] = &[
        ("character", 24),
        ("motion", 11),
        ("knee", 6),
        ("elbow", 6),
        ("inward", 6),
        ("sole", 5),
        ("slip %", 6),
        ("trunk", 6),
        ("hips", 6),
        ("chest", 6),
        ("high", 5),
        ("floor %", 7),
        ("off %", 6),
        ("met", 4),
        ("pops", 5),
        ("faults", 24),
    ];

    fn cells(&self) -> Vec<String> {
        let (posture, number) = (&self.posture, |value: f64| format!("{value:.1}"));
        vec![
            self.character.clone(),
            self.motion.clone(),
            number(posture.knee),
            format!("{:.2}", posture.elbow),
            format!("{:.2}", posture.inward),
            number(posture.sole),
            number(100.0 * posture.slip),
            number(posture.trunk),
            number(posture.hips),
            number(posture.chest),
            format!("{:.2}", posture.high),
            number(100.0 * posture.below),
            number(100.0 * posture.off),
            posture.met.to_string(),
            posture.pops.to_string(),
            self.faults.join(", "),
        ]
    }
}
