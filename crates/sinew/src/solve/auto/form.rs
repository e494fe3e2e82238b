//! Closed forms that serve a goal by themselves.

use alloc::vec::Vec;

use super::settings::counts;
use crate::goal::{Goal, Target};
use crate::math::arc;
use crate::skeleton::{BallLimit, Joint, Kind, Skeleton};
use crate::solve::problem::scope::chain;
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
    /// The closed form of the only goal that counts, where that comes first: it is exact, or the only method that looks at
    /// a pole.
    pub(super) fn exact(&mut self, skeleton: &Skeleton, goals: &[Goal]) -> Option<Form> {
        let mut counted = goals.iter().filter(|goal| counts(goal));
        let goal = counted.next().filter(|_| counted.next().is_none())?;
        let Fit { form, is_exact } = self.fit(skeleton, goal)?;
        let turned = matches!(form, Form::Links(_)) && goal.target.rotation().is_some();
        let comes_first = is_exact || goal.pole.is_some() || goal.swivel.is_some();
        (comes_first && !turned).then_some(form)
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
        let key = (skeleton.fingerprints().all, base, goal.joint);
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
fn base_of(skeleton: &Skeleton, goal: &Goal) -> Joint {
    chain(skeleton, goal).last().expect("a chain has its tip")
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
