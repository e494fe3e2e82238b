//! Closed forms that serve a goal by themselves.

use alloc::vec::Vec;

use super::counts;
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::{Orient, ThreeLink, TwoBone};

/// Limbs remembered from call to call.
const REMEMBERED: usize = 64;

/// Sine of the angle within which two axes are parallel.
const PARALLEL: f64 = 1e-9;

/// The closed form of a goal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Limb(TwoBone),
    Links(ThreeLink),
    Turn(Orient),
}

impl Form {
    /// The joints that may turn to bring its tip somewhere, root first.
    pub(super) fn joints(&self) -> [Option<Joint>; 4] {
        match *self {
            Self::Limb(TwoBone { root, mid, tip, .. }) => [Some(root), Some(mid), Some(tip), None],
            Self::Links(ThreeLink { root, mid, low, tip, .. }) => [Some(root), Some(mid), Some(low), Some(tip)],
            Self::Turn(Orient { joint }) => [Some(joint), None, None, None],
        }
    }
}

/// Forms found before: by skeleton, base and tip; `None` where no form fits.
#[derive(Debug, Default)]
pub(super) struct Forms(Vec<(u32, Joint, Joint, Option<Fit>)>);

/// A form, and whether the kinds of its joints let it be exact.
#[derive(Clone, Copy, Debug)]
struct Fit {
    form: Form,
    is_exact: bool,
}

impl Forms {
    /// Whether every goal that counts has a closed form of its own, and no two share a joint. One that cannot be exact
    /// comes first only where there is a pole to look at: no other method does.
    pub(super) fn serve_all(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> bool {
        let counted = || goals.iter().enumerate().filter(|(_, goal)| counts(goal));
        let alone = counted().count() == 1;
        for (place, goal) in counted() {
            let Some(Fit { form, is_exact }) = self.fit(skeleton, goal) else { return false };
            let lies = matches!(form, Form::Links(_)) && (!alone || goal.target.rotation().is_some());
            if lies || !(is_exact || goal.pole.is_some() || goal.swivel.is_some()) {
                return false;
            }
            let base = base_of(skeleton, goal);
            let shared = |other: &Goal| {
                let other_base = base_of(skeleton, other);
                skeleton.is_below(base, other_base) || skeleton.is_below(other_base, base)
            };
            if counted().any(|(at, other)| at != place && shared(other)) {
                return false;
            }
        }
        true
    }

    /// The form of the only goal that counts, if it has one.
    pub(super) fn of_lone(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> Option<Form> {
        let mut counted = goals.iter().filter(|goal| counts(goal));
        let lone = counted.next().filter(|_| counted.next().is_none())?;
        self.of(skeleton, lone)
    }

    /// The goal's closed form.
    pub(super) fn of(&mut self, skeleton: &Skeleton, goal: &Goal) -> Option<Form> {
        self.fit(skeleton, goal).map(|fit| fit.form)
    }

    /// The same with how it fits; remembered, so that only the first look for it allocates.
    fn fit(&mut self, skeleton: &Skeleton, goal: &Goal) -> Option<Fit> {
        if goal.relative_to.is_some() {
            return None;
        }
        let base = base_of(skeleton, goal);
        match goal.target {
            Target::Rotation(_) => {
                let form = Form::Turn(Orient { joint: goal.joint });
                return (base == goal.joint).then_some(Fit { form, is_exact: true });
            }
            Target::Position(_) | Target::Frame { .. } => {}
            _ => return None,
        }
        let key = (skeleton.fingerprint(), base, goal.joint);
        if let Some(known) = self.0.iter().find(|(id, base, tip, _)| (*id, *base, *tip) == key) {
            return known.3;
        }
        let form = closed_form(skeleton, base, goal.joint);
        let fit = form.map(|form| Fit { form, is_exact: is_exact(skeleton, &form) });
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        self.0.push((key.0, key.1, key.2, fit));
        fit
    }
}

/// The uppermost joint that may move for a goal.
pub(super) fn base_of(skeleton: &Skeleton, goal: &Goal) -> Joint {
    let mut base = goal.joint;
    while Some(base) != goal.base {
        match skeleton.parent(base) {
            Some(parent) => base = parent,
            None => break,
        }
    }
    base
}

/// From a goal's joint up to its base.
pub(super) fn way_up<'a>(skeleton: &'a Skeleton, goal: &Goal) -> impl Iterator<Item = Joint> + Clone + use<'a> {
    let base = base_of(skeleton, goal);
    core::iter::successors(Some(goal.joint), move |&joint| if joint == base { None } else { skeleton.parent(joint) })
}

/// The limb from `base` to `tip`, where exactly two or three joints of the way bend, `base` the first, and none
/// slides.
fn closed_form(skeleton: &Skeleton, base: Joint, tip: Joint) -> Option<Form> {
    let mut at = tip;
    while at != base {
        at = skeleton.parent(at)?;
        if matches!(skeleton.kind(at), Kind::Slide { .. } | Kind::Free) {
            return None;
        }
    }
    if let Ok(links) = ThreeLink::between(skeleton, base, tip) {
        return Some(Form::Links(links));
    }
    // The second bend above the tip must be the base, or what cannot turn above it.
    TwoBone::ending_at(skeleton, tip).ok().filter(|limb| limb.root == base).map(Form::Limb)
}

/// Whether the kinds of its joints let a form be exact. Three links unfold in a plane: balls must be free to turn into
/// it, but for the first, and hinges must share it.
fn is_exact(skeleton: &Skeleton, form: &Form) -> bool {
    let Form::Links(ThreeLink { root, mid, low, .. }) = *form else { return true };
    let rest = skeleton.rest_pose();
    let mut shared = None;
    [root, mid, low].into_iter().all(|joint| match skeleton.kind(joint) {
        Kind::Hinge { axis, .. } => {
            let axis = rest.model(joint).transform_vector3(axis);
            let first = *shared.get_or_insert(axis);
            arc::length(first.cross(axis)) <= PARALLEL * arc::length(first) * arc::length(axis)
        }
        Kind::Ball(limit) => joint == root || limit == BallLimit::Free,
        _ => true,
    })
}
