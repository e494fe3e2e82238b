//! The trunk: joints from the hips to the head, bent as people bend, with the head exactly where it is asked for.

use core::cmp::Ordering;

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::math::ops::sqrt;
use sinew::solve::author::ldl;

use super::lean::Lean;
use super::natural;
use super::rows::{MOST_ROWS, Row, Rows};
use super::turn::turn_by;

/// Newton steps at most; three are usual.
const STEPS: usize = 16;
/// Distance from the target that is none, as a share of the length.
const THERE: f64 = 1e-8;
/// A step turns no joint further (radians).
pub const LONGEST: f64 = 0.5;
/// Damping, as a share of the squared length: only of weight where the trunk is straight.
pub const DAMPING: f64 = 1e-9;
/// Share of a nod that the upper end of the neck takes on, beside what is fitted: of looking up and down the neck below the head does
/// two thirds (White & Panjabi, 1990: 82 of 127 degrees lie between the second and the seventh vertebra), and the chest a little.
const NECK_NODS: f64 = 0.4;
/// Joints above a bone of no length turn this little, as a share of the trunk.
pub const LEAST_SHARE: f64 = 0.02;

/// How fast what is off (the squares' sum) falls at the beginning of a step, over all of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gain {
    /// As points come nearer.
    pub(super) nearer: f64,
    /// And as they yield, as if the trunk leant by all that they turn it by.
    pub(super) all: f64,
}

/// A trunk that is being bent.
#[derive(Clone, Debug, Default)]
pub(super) struct Trunk {
    /// From each joint to the next, in the frame of the first.
    pub(super) bones: Vec<DVec3>,
    /// Where each joint lies along the trunk, from 0 to 1 at the head.
    at: Vec<f64>,
    /// Rotations of all joints but the head, in the frame of the hips.
    pub(super) rotations: Vec<DQuat>,
    /// Of all bones together.
    pub(super) length: f64,
    /// The joint whose rotation is told.
    pub(super) fixed: Option<usize>,
    /// How readily each joint turns, and about which axis it moves each row's point.
    pub(super) shares: Vec<f64>,
    levers: Vec<[DVec3; MOST_ROWS]>,
    /// By how much a step turns each joint against what carries it.
    turns: Vec<DVec3>,
    /// For hands that do not reach their targets.
    pub(super) lean: Lean,
}

impl Trunk {
    /// Measures the bones.
    pub(super) fn begin(&mut self, bones: impl Iterator<Item = DVec3>) {
        self.bones.clear();
        self.bones.extend(bones);
        self.length = self.bones.iter().map(|&bone| arc::length(bone)).sum();
        self.at.clear();
        let mut so_far = 0.0;
        for &bone in &self.bones {
            self.at.push(if self.length > 0.0 { so_far / self.length } else { 0.0 });
            so_far += arc::length(bone);
        }
        let share = |&bone: &DVec3| (arc::length(bone) / self.length).max(LEAST_SHARE);
        self.shares.clear();
        self.shares.extend(self.bones.iter().map(share));
        self.levers.resize(self.bones.len(), [DVec3::ZERO; MOST_ROWS]);
    }

    /// What people's trunks depend on: the head at `head` from the first joint, turned so, and the hands, all in the frame of the
    /// hips.
    pub(super) fn seen(&self, head: DVec3, rotation: DQuat, hands: [DVec3; 2]) -> natural::Trunk {
        let straight: DVec3 = self.bones.iter().sum();
        let lean = match (arc::unit(straight), arc::unit(head)) {
            (Some(from), Some(to)) => arc::rotation_vector(arc::arc(from, to, DVec3::X)),
            _ => DVec3::ZERO,
        };
        let long = arc::length(straight);
        let stretch = if long > 0.0 { arc::length(head) / long - 1.0 } else { 0.0 };
        natural::Trunk { lean, head: arc::rotation_vector(rotation), stretch, hands }
    }

    /// Where a joint lies along the trunk.
    pub(super) fn at(&self, place: usize) -> f64 {
        self.at.get(place).copied().unwrap_or(1.0)
    }

    /// Bends the trunk as people do, the joint at `chest` turned as it is told, if it is.
    pub(super) fn bend(&mut self, seen: &natural::Trunk, chest: Option<(usize, DQuat)>) {
        self.rotations.clear();
        self.rotations.extend(self.at.iter().map(|&at| seen.rotation(at)));
        if let Some((place, told)) = chest.filter(|&(place, _)| place < self.rotations.len()) {
            self.turn_chest(place, told);
        }
        self.fixed = chest.map(|(place, _)| place);
    }

    /// Keeps the trunk as it is.
    pub(super) fn keep(&mut self, rotations: impl Iterator<Item = DQuat>) {
        self.rotations.clear();
        self.rotations.extend(rotations.take(self.bones.len()));
        self.fixed = None;
    }

    /// Turns with the head as people do, from one way in which it is turned to another.
    pub(super) fn follow(&mut self, from: &natural::Trunk, to: &natural::Trunk) {
        for (rotation, &at) in self.rotations.iter_mut().zip(&self.at) {
            *rotation = arc::normalize(to.rotation(at) * from.rotation(at).conjugate() * *rotation);
        }
    }

    /// Nods the neck along with a head that looks up or down from where it is: what is fitted has the head nod where its place is told,
    /// by which the neck is known to lean.
    pub(super) fn nod(&mut self, chest: usize, from: DQuat, to: DQuat) {
        let nod = |head: DQuat| head * arc::axis_angle(DVec3::Y, -arc::twist_angle(head, DVec3::Y));
        let nodded = nod(to) * nod(from).conjugate();
        let joints = self.rotations.len().saturating_sub(chest + 1) as f64;
        for (place, rotation) in self.rotations.iter_mut().skip(chest + 1).enumerate() {
            let share = NECK_NODS * (place + 1) as f64 / joints;
            *rotation = arc::normalize(arc::part_of_turn(DQuat::IDENTITY, nodded, share) * *rotation);
        }
    }

    /// Turns one joint as told, those beside it by their share.
    fn turn_chest(&mut self, place: usize, told: DQuat) {
        let (wrong, at) = (told * self.rotations[place].conjugate(), self.at(place));
        for (joint, (rotation, &here)) in self.rotations.iter_mut().zip(&self.at).enumerate() {
            let share = match joint.cmp(&place) {
                Ordering::Less => here / at.max(f64::MIN_POSITIVE),
                Ordering::Equal => 1.0,
                Ordering::Greater => (1.0 - here) / (1.0 - at).max(f64::MIN_POSITIVE),
            };
            *rotation = arc::part_of_turn(DQuat::IDENTITY, wrong, share.min(1.0)) * *rotation;
        }
    }

    /// Straightens the trunk towards a place for the head that is out of its reach; whether it is. No step is needed, nor is
    /// any bend left of which steps could make another with every frame.
    pub(super) fn straighten(&mut self, head: DVec3) -> bool {
        let (mut stands, mut reach, mut joint) = (DVec3::ZERO, 0.0, 0);
        while let Some((ends, link)) = self.link(joint) {
            if self.stands(joint) {
                stands += link;
            } else {
                reach += arc::length(link);
            }
            joint = ends;
        }
        let line = head - stands;
        let Some(way) = arc::unit(line).filter(|_| arc::length(line) > reach + THERE * self.length) else {
            return false;
        };
        joint = 0;
        while let Some((ends, link)) = self.link(joint) {
            if let Some(now) = arc::unit(link).filter(|_| !self.stands(joint)) {
                let turn = arc::arc(now, way, DVec3::Z);
                let turned = |rotation: &mut DQuat| *rotation = arc::normalize(turn * *rotation);
                self.rotations[joint..ends].iter_mut().for_each(turned);
            }
            joint = ends;
        }
        true
    }

    /// Whether the link of a joint stands as it is: that of one whose rotation is told, or that no step turns.
    fn stands(&self, joint: usize) -> bool {
        self.fixed == Some(joint) || self.shares[joint] == 0.0
    }

    /// The next joint that turns by itself or is told, and from a joint of the trunk to that one.
    fn link(&self, joint: usize) -> Option<(usize, DVec3)> {
        let ends = (joint + 1..self.rotations.len()).find(|&next| self.fixed == Some(next) || self.shares[next] > 0.0);
        let ends = ends.unwrap_or(self.rotations.len());
        let bones = self.rotations.get(joint..ends)?.iter().zip(&self.bones[joint..]);
        (joint < ends).then(|| (ends, bones.map(|(&rotation, &bone)| rotation * bone).sum()))
    }

    /// Newton's method on all joints at once, those of longer bones turning more, until the head is there.
    pub(super) fn reach(&mut self, head: DVec3) {
        if self.straighten(head) {
            return;
        }
        for _ in 0..STEPS {
            let rows = self.head_rows(head);
            let [x, y, z] = [0, 1, 2].map(|row| rows.rows[row].off);
            if arc::length(DVec3::new(x, y, z)) <= THERE * self.length {
                return;
            }
            self.step(&rows, LONGEST, 0);
        }
    }

    /// Where a joint is from the first, in the frame of the hips; the last is the head.
    pub(super) fn place(&self, joint: usize) -> DVec3 {
        self.bones.iter().zip(&self.rotations).take(joint).map(|(&bone, &rotation)| rotation * bone).sum()
    }

    /// What brings the head to where it is told.
    pub(super) fn head_rows(&self, head: DVec3) -> Rows {
        let (place, ends) = (self.place(self.bones.len()), self.bones.len());
        let off = head - place;
        let mut rows = Rows::default();
        for (direction, off) in [(DVec3::X, off.x), (DVec3::Y, off.y), (DVec3::Z, off.z)] {
            rows.add(Row { direction, off, place, ends, damping: DAMPING, yields: 0.0 });
        }
        rows
    }

    /// A step that turns no joint by more than `longest`, nor all up to one together; what it gains.
    pub(super) fn step(&mut self, rows: &Rows, longest: f64, together: usize) -> Gain {
        let rows = &rows.rows[..rows.count];
        let size = rows.len();
        let (mut normal, mut pull) = ([0.0; MOST_ROWS * MOST_ROWS], [0.0; MOST_ROWS]);
        let carried = self.fixed.map(|fixed| self.place(fixed));
        let mut from = DVec3::ZERO;
        for joint in 0..self.rotations.len() {
            let (share, levers) = (self.shares[joint], &mut self.levers[joint]);
            for (row, lever) in rows.iter().zip(levers.iter_mut()) {
                // What a fixed joint carries moves with it, but does not turn.
                let end = match (self.fixed, carried) {
                    (Some(fixed), Some(carried)) if joint < fixed && row.ends > fixed => carried,
                    _ => row.place,
                };
                let turns_it = joint < row.ends && self.fixed != Some(joint);
                *lever = if turns_it { (end - from).cross(row.direction) } else { DVec3::ZERO };
            }
            for a in 0..size {
                for b in 0..=a {
                    normal[a * size + b] += share * levers[a].dot(levers[b]);
                }
            }
            from += self.rotations[joint] * self.bones[joint];
        }
        let (mut damped, mut yields) = ([0.0; MOST_ROWS], [0.0; MOST_ROWS]);
        for (place, row) in rows.iter().enumerate() {
            damped[place] = row.damping * self.length * self.length;
            if row.yields > 0.0 {
                let own: DVec3 =
                    self.levers.iter().zip(&self.shares).map(|(levers, &share)| levers[place] * share).sum();
                yields[place] = row.yields * arc::length(own);
            }
            normal[place * size + place] += damped[place] + yields[place];
            pull[place] = row.off;
        }
        if !ldl::factor(&mut normal[..size * size], size) {
            return Gain::default();
        }
        ldl::solve(&normal[..size * size], size, &mut pull[..size]);
        let falls = |keeps: &dyn Fn(usize) -> f64| -> f64 {
            let fall = |(place, row): (usize, &Row)| 2.0 * row.off * (row.off - keeps(place) * pull[place]);
            rows.iter().enumerate().map(fall).sum()
        };
        let (nearer, all) = (falls(&|place| damped[place] + yields[place]), falls(&|place| damped[place]));
        let share = self.turn(&pull[..size], longest, together);
        Gain { nearer: nearer * share, all: all * share }
    }

    /// Turns the joints, each with all above it, up to the fixed one; the share of the pull that turns no joint further than `most`.
    fn turn(&mut self, pull: &[f64], most: f64, together: usize) -> f64 {
        self.turns.clear();
        self.turns.extend(self.levers.iter().zip(&self.shares).map(|(levers, &share)| {
            let own = levers.iter().zip(pull).map(|(&lever, &pull)| lever * (pull * share));
            own.sum::<DVec3>()
        }));
        let longest = self.turns.iter().map(|turn| turn.length_squared()).fold(0.0, f64::max);
        let all: DVec3 = self.turns.iter().take(together + 1).sum();
        let longest = longest.max(all.length_squared());
        if !longest.is_finite() {
            return 0.0;
        }
        let shorter = (most / sqrt(longest)).min(1.0);
        let mut sum = DVec3::ZERO;
        for (joint, (rotation, &turn)) in self.rotations.iter_mut().zip(&self.turns).enumerate() {
            if self.fixed == Some(joint) {
                sum = DVec3::ZERO;
                continue;
            }
            sum += turn * shorter;
            *rotation = arc::normalize(turn_by(sum) * *rotation);
        }
        shorter
    }
}
