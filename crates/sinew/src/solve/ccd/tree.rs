//! The joints of a solve in depth-first order, and for each the goals' pairs that pass through it.

use alloc::vec::Vec;

use glam::DVec3;

use super::effector::{Effector, Form, PAIRS, top};
use super::part::{Part, Setting};
use super::settings::Ccd;
use crate::goal::Goal;
use crate::limit::Range;
use crate::math::arc;
use crate::pose::Pose;
use crate::skeleton::{Joint, Kind, Skeleton};
use crate::solve::Workspace;
use crate::solve::problem::Engine as _;
use crate::solve::pulls::Pulls;
use crate::transform::Transform;

pub(super) const NONE: u32 = u32::MAX;
/// Share of a chain's length that is rounding.
const ROUNDING: f64 = 1e-12;

/// A goal's pair at one joint on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) form: Form,
    /// Place of its goal among the effectors.
    pub(super) effector: u32,
    /// How much it counts for this joint; 0 where the goal may not move it.
    pub(super) weight: f64,
    /// Squared length of `from` up to which it is rounding.
    pub(super) least: f64,
    /// The same pair at the next joint of the tree below.
    pub(super) below: u32,
    /// Point in the parent's axes, from the joint's origin, the joint's own turn left out.
    pub(super) from: DVec3,
    /// Point in the parent's frame.
    pub(super) out: DVec3,
    /// Target in the parent's frame.
    pub(super) target: DVec3,
}

/// A coordinate that drives several joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) coordinate: usize,
    pub(super) range: Range,
    /// What a step would gain, and how stiff that is: see `step`.
    pub(super) slope: f64,
    pub(super) bend: f64,
    /// Share of a step that it takes, of its stiffest joint.
    pub(super) ease: f64,
}

/// Everything that moves, so that it can be kept and taken back.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) settings: Vec<Setting>,
    /// Values of shared coordinates (radians or metres).
    pub(super) shared: Vec<f64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { settings: self.settings.clone(), shared: self.shared.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.settings.clone_from(&source.settings);
        self.shared.clone_from(&source.shared);
    }
}

/// The tree of a solve.
#[derive(Debug, Default)]
pub(super) struct PartTree {
    pub(super) parts: Vec<Part>,
    pub(super) entries: Vec<Entry>,
    pub(super) effectors: Vec<Effector>,
    pub(super) shared: Vec<Shared>,
    pub(super) state: State,
    /// The state read from the pose, before the first step.
    pub(super) start: State,
    /// Depth-first indices of the joints, while they are gathered.
    indices: Vec<u32>,
    /// Entry last written for each pair of each effector.
    last: Vec<u32>,
}

impl PartTree {
    /// Gathers the goals that are served and the joints they move, but for goals that ask for nothing defined.
    pub(super) fn gather(&mut self, ccd: &Ccd, skeleton: &Skeleton, goals: &[Goal], pose: &Pose, work: &Workspace) {
        self.effectors.clear();
        let served = |goal: &Goal| ccd.acts_on(skeleton, goal);
        let near = (ccd.position_tolerance, ccd.rotation_tolerance);
        let pulls = Pulls::of(goals.iter().filter(|goal| served(goal)).map(|goal| goal.pull));
        for rank in 0..goals.len() {
            let place = work.ranked(rank);
            let goal = &goals[place];
            if !served(goal) {
                continue;
            }
            let invertible = pose.model(goal.joint).inverse().is_finite();
            let effector = top(skeleton, goal, ccd.base)
                .filter(|_| invertible)
                .and_then(|top| Effector::new(skeleton, (place, goal, pulls), top, near, pose));
            self.effectors.extend(effector);
        }
        self.list_parts(skeleton, pose, work);
        self.ease_parts(skeleton);
        self.list_shared(skeleton, pose);
        self.list_entries(skeleton, work);
        for effector in &mut self.effectors {
            let goal = &goals[effector.place];
            let moved = |from| self.parts.iter().any(|part| part.moves && skeleton.is_below(from, part.joint));
            effector.live =
                goal.relative_to.is_some_and(moved) || !(goal.mask.position.all() && goal.mask.rotation.all());
        }
        self.start.clone_from(&self.state);
    }

    /// Lists the joints from where each goal is carried down to its own, each once.
    fn list_parts(&mut self, skeleton: &Skeleton, pose: &Pose, work: &Workspace) {
        self.indices.clear();
        for at in 0..self.effectors.len() {
            let top = self.effectors[at].top;
            let above =
                self.effectors.iter().map(|effector| effector.top).filter(|&other| skeleton.is_below(top, other)).min();
            let effector = &mut self.effectors[at];
            effector.carried = above.unwrap_or(top);
            let hangs =
                skeleton.parent(effector.carried).map_or(skeleton.base(effector.carried), |parent| pose.model(parent));
            (effector.out, effector.into) = (hangs.matrix3, hangs.inverse());
            let columns = [effector.out.x_axis, effector.out.y_axis, effector.out.z_axis];
            effector.unit = columns.into_iter().map(|column| column.dot(column)).sum::<f64>() / 3.0;
            let carried = effector.carried;
            let path = core::iter::successors(Some(effector.joint), |&joint| {
                skeleton.parent(joint).filter(|_| joint != carried)
            });
            self.indices.extend(path.map(|joint| joint.index() as u32));
        }
        self.indices.sort_unstable();
        self.indices.dedup();
        self.parts.clear();
        self.state.settings.clear();
        for &index in &self.indices {
            let joint = skeleton.handle(index);
            let moves = moves(&self.effectors, skeleton, joint, work);
            let (part, setting) = Part::of(skeleton, pose, joint, moves);
            self.parts.push(part);
            self.state.settings.push(setting);
        }
    }

    /// Says which share of its steps each joint takes.
    fn ease_parts(&mut self, skeleton: &Skeleton) {
        let moving = self.parts.iter().filter(|part| part.moves).map(|part| skeleton.stiffness(part.joint));
        let least = moving.fold(f64::INFINITY, f64::min);
        for part in self.parts.iter_mut().filter(|part| part.moves) {
            part.ease = least / skeleton.stiffness(part.joint);
        }
    }

    /// Lists the coordinates that drive several joints, and sets those joints to one value.
    fn list_shared(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.shared.clear();
        self.state.shared.clear();
        for at in 0..self.parts.len() {
            let part = &self.parts[at];
            let Some(drive) = part.drive.filter(|_| part.moves) else { continue };
            if skeleton.driven(drive.coordinate).nth(1).is_none() {
                continue;
            }
            let known = self.shared.iter().position(|shared| shared.coordinate == drive.coordinate);
            let place = known.unwrap_or_else(|| {
                let value = pose.coordinates()[drive.coordinate];
                let range = skeleton.coordinates()[drive.coordinate].range;
                self.shared.push(Shared { coordinate: drive.coordinate, range, slope: 0.0, bend: 0.0, ease: 1.0 });
                self.state.shared.push(range.clamp(value));
                self.shared.len() - 1
            });
            self.state.settings[at] = part.at(drive.multiplier * self.state.shared[place] + drive.offset);
            self.shared[place].ease = self.shared[place].ease.min(part.ease);
            self.parts[at].shared = Some(place as u32);
        }
    }

    /// Lists the pairs that pass through each joint.
    fn list_entries(&mut self, skeleton: &Skeleton, work: &Workspace) {
        self.entries.clear();
        self.last.clear();
        self.last.resize(self.effectors.len() * PAIRS, NONE);
        for part in &mut self.parts {
            part.first = self.entries.len() as u32;
            for at in 0..self.effectors.len() {
                let effector = &self.effectors[at];
                let passes =
                    skeleton.is_below(effector.joint, part.joint) && skeleton.is_below(part.joint, effector.carried);
                if !passes {
                    continue;
                }
                let first = self.entries.len() as u32;
                let weight = weight(&self.effectors, at, part.joint, skeleton, work);
                for (pair, &form) in effector.forms.iter().flatten().enumerate() {
                    let above = self.last[at * PAIRS + pair];
                    let index = self.entries.len() as u32;
                    if let Some(entry) = self.entries.get_mut(above as usize) {
                        entry.below = index;
                    }
                    self.last[at * PAIRS + pair] = index;
                    let from = part.frame * effector.sources[pair];
                    let zero = DVec3::ZERO;
                    let effector = at as u32;
                    self.entries.push(Entry {
                        form,
                        effector,
                        weight,
                        least: 0.0,
                        below: NONE,
                        from,
                        out: zero,
                        target: zero,
                    });
                }
                if part.joint == effector.carried {
                    self.effectors[at].ends = (first, self.entries.len() as u32);
                }
            }
            part.end = self.entries.len() as u32;
        }
        self.size_entries();
        (0..self.effectors.len()).for_each(|at| self.set_targets(at));
    }

    /// Finds what is rounding in a point that is carried up: a share of the way from the goal's own point.
    fn size_entries(&mut self) {
        let Self { parts, entries, state, .. } = self;
        for (part, setting) in parts.iter().zip(&state.settings).rev() {
            let link = arc::length(part.place(*setting));
            let scale = arc::length(part.frame.y_axis);
            for i in part.first as usize..part.end as usize {
                // Up to here `out.x` is the length of the way below.
                let below = match entries[i].below {
                    NONE => arc::length(entries[i].from),
                    below => scale * entries[below as usize].out.x,
                };
                entries[i].least = ROUNDING * ROUNDING * below * below;
                entries[i].out.x = below + link;
            }
        }
    }

    /// Hands a goal's targets to the joint from which they are carried down.
    pub(super) fn set_targets(&mut self, at: usize) {
        let effector = &self.effectors[at];
        let ends = effector.ends.0 as usize..effector.ends.1 as usize;
        for (entry, &target) in self.entries[ends].iter_mut().zip(&effector.targets) {
            entry.target = match entry.form {
                Form::Point | Form::Ray => effector.into.transform_point3(target),
                Form::Vector | Form::Sight => effector.into.transform_vector3(target),
            };
        }
    }

    /// Writes the joints that moved into the pose.
    pub(super) fn write(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let mut edit = pose.edit(skeleton);
        for (at, part) in self.parts.iter().enumerate() {
            let setting = self.state.settings[at];
            if !part.moves || setting == self.start.settings[at] && part.inside {
                continue;
            }
            match (setting, part.drive) {
                (_, Some(_)) if part.shared.is_none() => {
                    edit.value(part.joint, part.value(setting));
                }
                (Setting::Ball(rotation), _) => {
                    let local = *edit.pose().local(part.joint);
                    edit.local(part.joint, Transform { rotation, ..local });
                }
                (Setting::Free(rotation, translation), _) => {
                    let local = *edit.pose().local(part.joint);
                    edit.local(part.joint, Transform { translation, rotation, ..local });
                }
                _ => {}
            }
        }
        for (at, shared) in self.shared.iter().enumerate() {
            let value = self.state.shared[at];
            let now = edit.pose();
            let mut driven = skeleton.driven(shared.coordinate);
            if value != now.coordinates()[shared.coordinate] || driven.any(|joint| now.is_off_value(skeleton, joint)) {
                edit.coordinate(shared.coordinate, value);
            }
        }
    }
}

/// Whether any goal may move the joint, or one that shares its coordinate.
fn moves(effectors: &[Effector], skeleton: &Skeleton, joint: Joint, work: &Workspace) -> bool {
    let counts = |joint: Joint| (0..effectors.len()).any(|at| weight(effectors, at, joint, skeleton, work) > 0.0);
    match (skeleton.kind(joint), skeleton.drive(joint)) {
        (Kind::Fixed, _) => false,
        (_, Some(drive)) => {
            // A coordinate that moves what the tree hangs on cannot be moved by the tree.
            let above = |driven: Joint| {
                effectors
                    .iter()
                    .any(|effector| driven != effector.carried && skeleton.is_below(effector.carried, driven))
            };
            skeleton.driven(drive.coordinate).any(counts) && !skeleton.driven(drive.coordinate).any(above)
        }
        _ => counts(joint),
    }
}

/// How much a goal counts for a joint: its pull, unless the joint is above its base or another goal's own.
fn weight(effectors: &[Effector], at: usize, joint: Joint, skeleton: &Skeleton, work: &Workspace) -> f64 {
    let effector = &effectors[at];
    let on_the_way = skeleton.is_below(joint, effector.top) && skeleton.is_below(effector.joint, joint);
    if on_the_way && !work.is_owned(skeleton, joint, effector.joint) { effector.pull } else { 0.0 }
}
