//! A skeleton at rest as a body: what belongs to it, how it hangs together, and where it is.
//!
//! Handles, inferred tips, named ends, twist bones, hair and the like are left out, and what hangs below them
//! hangs on the joint above. Places are those of the rest pose in model space.

use glam::DVec3;
use sinew::{Joint, Skeleton};

use crate::evidence::Evidence;
use crate::name::{Hint, Reading};
use crate::role::{Digit, Part, Role};

/// Lengths below this part of the whole are none.
const NOTHING: f64 = 1e-6;

/// See the module documentation. Joints are depth-first indices.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) readings: Vec<Reading>,
    /// Whether the joint belongs to the body.
    pub(crate) kept: Vec<bool>,
    /// The nearest joint above that does.
    pub(crate) parent: Vec<Option<usize>>,
    pub(crate) children: Vec<Vec<usize>>,
    /// Kept joints without kept parent.
    pub(crate) roots: Vec<usize>,
    pub(crate) place: Vec<DVec3>,
    /// Where the bone of a joint without kept children ends, if anything says so.
    end: Vec<Option<DVec3>>,
    /// Length of the longest chain below, ends included.
    pub(crate) reach: Vec<f64>,
    pub(crate) up: DVec3,
    /// Lowest and highest place along `up`.
    pub(crate) floor: f64,
    pub(crate) top: f64,
    /// Whether the file itself gives the joint's role.
    pub(crate) given: Vec<bool>,
    /// One past the last joint below each.
    subtree_end: Vec<usize>,
}

impl Tree {
    pub(crate) fn of(evidence: &Evidence<'_>) -> Self {
        let skeleton = evidence.skeleton;
        let n = skeleton.len();
        let rest = skeleton.rest_pose();
        let place: Vec<DVec3> = skeleton.iter().map(|joint| rest.position(joint)).collect();
        let (mut control, mut tip) = (vec![false; n], vec![false; n]);
        evidence.control_joints.iter().for_each(|joint| control[joint.index()] = true);
        evidence.tips.iter().for_each(|joint| tip[joint.index()] = true);
        // MakeHuman leads to a bone by a link of the same name behind two underscores.
        let leads = |name: &str| name.strip_prefix("__").is_some_and(|bone| skeleton.joint(bone).is_ok());
        let reading = |joint| skeleton.name(joint).filter(|name| !leads(name)).map(Reading::of).unwrap_or_default();
        let mut readings: Vec<Reading> = skeleton.iter().map(reading).collect();
        for &(joint, role) in &evidence.roles {
            readings[joint.index()] = reading_of(role);
        }
        hang_fingers(skeleton, &mut readings);
        let mut given = vec![false; n];
        evidence.roles.iter().for_each(|(joint, _)| given[joint.index()] = true);
        let mut kept = vec![true; n];
        let mut has_children = vec![false; n];
        for joint in skeleton.iter().rev() {
            let index = joint.index();
            let reading = &readings[index];
            let is_end = reading.is_end && !has_children[index];
            // A finger without mesh is still no control joint.
            let control = control[index] && !matches!(reading.hint, Hint::Finger(_));
            kept[index] = given[index] || !(control || tip[index] || is_end || reading.hint.is_aside());
            if kept[index]
                && let Some(parent) = skeleton.parent(joint)
            {
                has_children[parent.index()] = true;
            }
        }
        let mut parent = vec![None; n];
        let (mut children, mut roots, mut end) = (vec![Vec::new(); n], Vec::new(), vec![None; n]);
        for joint in skeleton.iter() {
            let index = joint.index();
            let above = skeleton.parent(joint).map(Joint::index);
            parent[index] = above.and_then(|above| if kept[above] { Some(above) } else { parent[above] });
            match (kept[index], parent[index]) {
                (true, Some(parent)) => children[parent].push(index),
                (true, None) => roots.push(index),
                (false, _) => {
                    if let Some(above) = above.filter(|&above| kept[above] && (tip[index] || readings[index].is_end)) {
                        end[above] = end[above].or(Some(place[index]));
                    }
                }
            }
        }
        let subtree_end = skeleton.iter().map(|joint| skeleton.subtree(joint).end).collect();
        let (reach, up) = (vec![0.0; n], evidence.up);
        let mut body = Self {
            readings,
            kept,
            parent,
            children,
            roots,
            place,
            end,
            reach,
            up,
            floor: 0.0,
            top: 0.0,
            given,
            subtree_end,
        };
        body.measure();
        body
    }

    fn measure(&mut self) {
        for index in (0..self.place.len()).rev() {
            if !self.kept[index] {
                continue;
            }
            let below = |&child: &usize| self.place[index].distance(self.place[child]) + self.reach[child];
            let longest = self.children[index].iter().map(below).fold(0.0, f64::max);
            let end = self.end[index].map_or(0.0, |end| end.distance(self.place[index]));
            self.reach[index] = if self.children[index].is_empty() { end } else { longest };
        }
        let kept = (0..self.place.len()).filter(|&index| self.kept[index]);
        let heights: Vec<f64> = kept
            .flat_map(|index| [Some(self.place[index]), self.end[index]])
            .flatten()
            .map(|at| at.dot(self.up))
            .collect();
        self.floor = heights.iter().copied().fold(f64::INFINITY, f64::min);
        self.top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }

    /// Extent along `up`.
    pub(crate) fn height(&self) -> f64 {
        (self.top - self.floor).max(0.0)
    }

    /// How high a place is above the floor.
    pub(crate) fn above_floor(&self, place: DVec3) -> f64 {
        place.dot(self.up) - self.floor
    }

    pub(crate) fn hint(&self, joint: usize) -> Hint {
        self.readings[joint].hint
    }

    /// The child below which the longest chain lies.
    pub(crate) fn onward(&self, joint: usize) -> Option<usize> {
        let length = |&child: &usize| self.place[joint].distance(self.place[child]) + self.reach[child];
        self.children[joint].iter().copied().max_by(|a, b| length(a).total_cmp(&length(b)).then(b.cmp(a)))
    }

    /// Children below which a chain of any length lies.
    fn ways(&self, joint: usize) -> usize {
        let shortest = NOTHING + 0.02 * self.reach[joint];
        self.children[joint]
            .iter()
            .filter(|&&child| self.place[joint].distance(self.place[child]) + self.reach[child] > shortest)
            .count()
    }

    /// The longest chain from a joint down, up to where three ways or more part (a palm).
    pub(crate) fn chain(&self, from: usize) -> Vec<usize> {
        let next = |&joint: &usize| if self.ways(joint) >= 3 && joint != from { None } else { self.onward(joint) };
        std::iter::successors(Some(from), next).collect()
    }

    /// Where a chain ends: the end of its last bone, as far as anything says.
    pub(crate) fn end_of(&self, joint: usize) -> DVec3 {
        self.end[joint].or_else(|| self.onward(joint).map(|child| self.place[child])).unwrap_or(self.place[joint])
    }

    /// The joints above, nearest first.
    pub(crate) fn above(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent[joint], |&joint| self.parent[joint])
    }

    /// Indices of a joint and everything below it, also of what was left out.
    pub(crate) fn subtree(&self, joint: usize) -> std::ops::Range<usize> {
        joint..self.subtree_end[joint]
    }

    /// Whether `joint` is `above` or below it.
    pub(crate) fn is_below(&self, joint: usize, above: usize) -> bool {
        (above..self.subtree_end[above]).contains(&joint)
    }

    /// The lowest joint that is above (or is) both.
    pub(crate) fn meeting(&self, a: usize, b: usize) -> Option<usize> {
        std::iter::once(a).chain(self.above(a)).find(|&joint| self.is_below(b, joint))
    }

    /// From one joint to another through where they meet, both included.
    pub(crate) fn path(&self, from: usize, to: usize) -> Option<Vec<usize>> {
        let meeting = self.meeting(from, to)?;
        let rise = std::iter::once(from).chain(self.above(from)).take_while(|&joint| joint != meeting);
        let mut path: Vec<usize> = rise.collect();
        let mut fall: Vec<usize> =
            std::iter::once(to).chain(self.above(to)).take_while(|&joint| joint != meeting).collect();
        path.push(meeting);
        fall.reverse();
        path.extend(fall);
        Some(path)
    }
}

/// Fewest fingers by which a joint is a hand whatever it is called.
const FINGERS: usize = 3;

/// Reads anew what a name says only where it hangs: fingers hang below a hand, and what is called a fore foot below a foot are
/// its toes.
fn hang_fingers(skeleton: &Skeleton, readings: &mut [Reading]) {
    let mut digits = vec![[false; Digit::ALL.len()]; readings.len()];
    for joint in skeleton.iter() {
        let reading = &readings[joint.index()];
        let sure = if let Hint::Finger(digit) = reading.hint { digit } else { None };
        if let (Some(digit), Some(parent)) = (sure.or(reading.on_hand), skeleton.parent(joint)) {
            digits[parent.index()][digit as usize] = true;
        }
    }
    let is_hand = |index: usize, readings: &[Reading]| {
        readings[index].hint == Hint::Hand || digits[index].iter().filter(|&&digit| digit).count() >= FINGERS
    };
    let mut on_hand = vec![false; readings.len()];
    for joint in skeleton.iter() {
        let (index, Some(parent)) = (joint.index(), skeleton.parent(joint).map(Joint::index)) else { continue };
        on_hand[index] = on_hand[parent] || is_hand(parent, readings);
        if let (Some(digit), true) = (readings[index].on_hand, on_hand[index]) {
            readings[index].hint = Hint::Finger(Some(digit));
        }
        let is_foot = |index: usize| readings[index].hint == Hint::Foot;
        if is_foot(index) && is_foot(parent) && readings[index].front == Some(true) && readings[parent].front.is_none()
        {
            (readings[index].hint, readings[index].front) = (Hint::Toe, None);
        }
    }
}

/// What a role that the file gives says, as if it had been read from a name.
fn reading_of(role: Role) -> Reading {
    let (hint, place) = match role.part {
        Part::Hips => (Hint::Hips, None),
        Part::Spine => (Hint::Spine, None),
        Part::Chest | Part::UpperChest => (Hint::Chest, None),
        Part::Neck => (Hint::Neck, None),
        Part::Head => (Hint::Head, None),
        Part::Jaw => (Hint::Jaw, None),
        Part::Eye => (Hint::Eye, None),
        Part::Shoulder => (Hint::Clavicle, None),
        Part::UpperArm => (Hint::UpperArm, None),
        Part::LowerArm => (Hint::LowerArm, None),
        Part::Hand => (Hint::Hand, None),
        Part::UpperLeg => (Hint::UpperLeg, None),
        Part::LowerLeg => (Hint::LowerLeg, None),
        Part::Foot => (Hint::Foot, None),
        Part::Toes => (Hint::Toe, None),
        Part::Finger(digit, place) => (Hint::Finger(Some(digit)), Some(u32::from(place))),
    };
    Reading { hint, side: role.side, place, ..Reading::default() }
}
