//! The general form: from three positions to two turns, for engines with their own skeletons.

use glam::{DQuat, DVec3};

use super::geometry::{self, Reference, Triangle};
use super::pole_from;
use super::reach::{Reach, Rim};
use super::soft::Bones;
use crate::goal::{Pole, Swivel};
use crate::math::{arc, ops};
use crate::solve::Status;

/// Where a limb's joints are now, in any one space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Shoulder or hip.
    pub root: DVec3,
    /// Elbow or knee.
    pub mid: DVec3,
    /// Wrist or ankle.
    pub tip: DVec3,
}

/// Turns in the space of the limb's positions. The new rotation of the root joint is `root * old`, that of the middle joint
/// `mid * root * old`. In an engine in which children follow their parents, turn the root, then the middle joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turns {
    /// Turn of the whole limb about its root.
    pub root: DQuat,
    /// Turn of the second bone about the middle joint, after the first turn.
    pub mid: DQuat,
    /// How the target was met; `Invalid` (with identity turns) for input that is not finite.
    pub status: Status,
}

impl Turns {
    const NONE: Self = Self { root: DQuat::IDENTITY, mid: DQuat::IDENTITY, status: Status::Invalid };
}

/// Turns that bring the tip to `target`, clamped to the reach, with the middle joint toward `pole`.
///
/// A pole on the line from root to target keeps the bend plane, carried along by the shortest arc;
/// so does a target on the root. A straight limb without one bends about the axis perpendicular to
/// it that is nearest to a coordinate axis. `Pole::Direction(DVec3::ZERO)` keeps the bend plane, too; a bare
/// `DVec3::ZERO` is the point at the origin.
#[inline]
pub fn bend(limb: &Limb, target: DVec3, pole: impl Into<Pole>) -> Turns {
    bend_within(limb, target, pole, Reach::Clamp)
}

fn bend_within(limb: &Limb, target: DVec3, pole: impl Into<Pole>, reach: Reach) -> Turns {
    let Some((l1, l2)) = limb.lengths() else { return stub(limb, target, pole.into(), reach) };
    let (p, pole) = (target - limb.root, pole_from(limb.root, pole.into()));
    let rim = Rim::near(reach, Bones::new(l1, l2), p.dot(p));
    turns(limb, l1, l2, &geometry::solve(p, pole, l1, l2, &rim, || reference(limb)))
}

/// As [`bend`], with a choice of what to do out of reach, and with the bend plane of an earlier call: see
/// [`Prepared::solve_carried`](super::Prepared::solve_carried). `last` is `None` in the first call, and in every call when
/// the plane should depend on the pole alone.
///
/// Stretch lengthens bones, which rotations cannot: they are those of the unstretched limb, and the status says whether
/// stretching would arrive. [`Reach::Hold`] gives identity rotations.
pub fn bend_carried(
    limb: &Limb,
    target: DVec3,
    pole: impl Into<Pole>,
    reach: Reach,
    last: Option<&Swivel>,
) -> (Turns, Option<Swivel>) {
    let pole = pole.into();
    let (Some((l1, l2)), true) = (limb.lengths(), target.is_finite()) else {
        return (bend_within(limb, target, pole, reach), last.copied());
    };
    let (p, pole) = (target - limb.root, pole_from(limb.root, pole));
    if !pole.is_finite() {
        return (Turns::NONE, last.copied());
    }
    let rim = Rim::near(reach, Bones::new(l1, l2), p.dot(p));
    let (triangle, swivel) = geometry::carried(p, pole, l1, l2, &rim, reference(limb), last);
    (turns(limb, l1, l2, &triangle), Some(swivel))
}

impl Limb {
    /// Lengths of the bones, where both have one whose square is a number.
    #[inline(always)]
    fn lengths(&self) -> Option<(f64, f64)> {
        let (a, c) = (self.mid - self.root, self.tip - self.mid);
        let (aa, cc) = (a.dot(a), c.dot(c));
        let ordinary = aa > 1e-200 && cc > 1e-200 && aa < 1e200 && cc < 1e200;
        ordinary.then(|| (ops::sqrt(aa), ops::sqrt(cc)))
    }
}

/// The turns from the limb as it stands to the triangle.
#[inline(always)]
fn turns(limb: &Limb, l1: f64, l2: f64, triangle: &Triangle) -> Turns {
    if matches!(triangle.status, Status::Invalid | Status::Held) {
        return Turns { status: triangle.status, ..Turns::NONE };
    }
    let (a, c) = ((limb.mid - limb.root) / l1, (limb.tip - limb.mid) / l2);
    let n = a.cross(c);
    let nn = n.dot(n);
    if nn > 1e-16 {
        let root = arc::between_frames(a, arc::reject(n / ops::sqrt(nn), a), triangle.x, triangle.normal);
        // Half-angle difference: the fold that is wanted less the one there is.
        let (sine, cosine) = (0.5 * arc::length(a - c), 0.5 * arc::length(a + c));
        let fold = triangle.fold;
        let turn = triangle.normal * (fold.0 * cosine - fold.1 * sine);
        let mid = DQuat::from_xyzw(turn.x, turn.y, turn.z, fold.1 * cosine + fold.0 * sine);
        return Turns { root, mid, status: triangle.status };
    }
    // Straight or folded: no plane to keep, so the shortest turn, and then the second bone from
    // where it was carried to where it belongs.
    let root = arc::arc(a, triangle.x, triangle.normal);
    let wanted = fold_of(triangle.fold, triangle.normal) * triangle.x;
    Turns { root, mid: arc::arc(root * c, wanted, triangle.normal), status: triangle.status }
}

fn fold_of(fold: (f64, f64), normal: DVec3) -> DQuat {
    let v = normal * fold.0;
    DQuat::from_xyzw(v.x, v.y, v.z, fold.1)
}

/// The limb's own line and bend, as far as it has them.
fn reference(limb: &Limb) -> Reference {
    let a = limb.mid - limb.root;
    let line = arc::unit(limb.tip - limb.root).or_else(|| arc::unit(a)).unwrap_or(DVec3::X);
    let bend = arc::unit_reject(a, line, 1e-8).unwrap_or_else(|| arc::any_perpendicular(line));
    Reference { line, bend }
}

/// Limbs with a bone of no length: what is left points at the target.
#[cold]
fn stub(limb: &Limb, target: DVec3, pole: Pole, reach: Reach) -> Turns {
    let (p, pole) = (target - limb.root, pole_from(limb.root, pole));
    let (a, c) = (limb.mid - limb.root, limb.tip - limb.mid);
    if !(a.is_finite() && c.is_finite() && p.is_finite() && pole.is_finite()) {
        return Turns::NONE;
    }
    let (first, second) = (arc::unit(a), arc::unit(c));
    let (l1, l2) = (first.map_or(0.0, |u| u.dot(a)), second.map_or(0.0, |u| u.dot(c)));
    let status = reach.span(arc::unit(p).map_or(0.0, |u| u.dot(p)), l1, l2).status;
    let (Some(line), false) = (arc::unit(p), status == Status::Held) else {
        return Turns { status, ..Turns::NONE };
    };
    match (first, second) {
        (Some(a), None) => Turns { root: arc::arc(a, line, pole), mid: DQuat::IDENTITY, status },
        (None, Some(c)) => Turns { root: DQuat::IDENTITY, mid: arc::arc(c, line, pole), status },
        _ => Turns { status: Status::Singular, ..Turns::NONE },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = DVec3> {
        (-size..size, -size..size, -size..size).prop_map(DVec3::from)
    }

    /// The limb after its turns.
    fn turned(limb: &Limb, turns: &Turns) -> Limb {
        let mid = limb.root + turns.root * (limb.mid - limb.root);
        let tip = mid + turns.mid * turns.root * (limb.tip - limb.mid);
        Limb { root: limb.root, mid, tip }
    }

    fn nearest(limb: &Limb, target: DVec3) -> f64 {
        let (l1, l2) = (limb.mid.distance(limb.root), limb.tip.distance(limb.mid));
        let d = target.distance(limb.root);
        (d - d.clamp((l1 - l2).abs(), l1 + l2)).abs()
    }

    proptest! {
        #[test]
        fn the_tip_arrives_and_the_elbow_points_at_the_pole(root in vector(1.0), a in vector(1.0), c in vector(1.0), p in vector(1.5), pole in vector(2.0), straight in 0..4) {
            prop_assume!(a.length() > 0.05 && c.length() > 0.05 && p.length() > 1e-3);
            // Exactly straight, exactly folded, nearly straight, and any limb.
            let c = match straight { 0 => a * 0.5, 1 => a * -0.5, 2 => a * 0.5 + c * 1e-9, _ => c };
            let limb = Limb { root, mid: root + a, tip: root + a + c };
            let l = a.length() + c.length();
            let turns = bend(&limb, root + p, Pole::Point(root + pole));
            let after = turned(&limb, &turns);
            prop_assert!((after.tip.distance(root + p) - nearest(&limb, root + p)).abs() < 1e-12 * l, "{after:?}");
            let off_line = (after.mid - root).reject_from(p);
            let wanted = pole.reject_from(p);
            prop_assume!(off_line.length() > 1e-3 && wanted.length() > 1e-3);
            prop_assert!(off_line.normalize().dot(wanted.normalize()) > 1.0 - 1e-9);
        }
    }

    #[test]
    fn a_solved_limb_stays_still() {
        let limb = Limb { root: DVec3::ZERO, mid: DVec3::new(0.0, -0.4, 0.1), tip: DVec3::new(0.0, -0.8, 0.0) };
        let turns = bend(&limb, limb.tip, DVec3::new(0.0, -0.4, 3.0));
        for q in [turns.root, turns.mid] {
            assert!(arc::rotation_vector(q).length() < 1e-12, "{q}");
        }
    }

    #[test]
    fn degenerate_limbs() {
        let limb = |a: DVec3, c: DVec3| Limb { root: DVec3::ZERO, mid: a, tip: a + c };
        let (x, y, o) = (DVec3::X, DVec3::Y, DVec3::ZERO);
        for (limb, target, pole, status) in [
            (limb(x, y), o, y, Status::Reached),
            (limb(x, x), o, o, Status::Reached),
            (limb(x, x * 0.5), o, y, Status::TooClose),
            (limb(x, o), y, y, Status::Reached),
            (limb(o, x), y, y, Status::Reached),
            (limb(o, o), y, y, Status::Singular),
            (limb(x, y), y, y, Status::Reached),
            (limb(x, y), y * f64::NAN, y, Status::Invalid),
            (limb(x * f64::INFINITY, y), y, y, Status::Invalid),
        ] {
            let turns = bend(&limb, target, pole);
            assert_eq!(turns.status, status, "{limb:?} {target}");
            assert!(turns.root.is_finite() && turns.mid.is_finite());
            if status == Status::Reached {
                assert!(turned(&limb, &turns).tip.distance(target) < 1e-12, "{limb:?} {target} {turns:?}");
            }
        }
        let held = bend_within(&limb(x, y), x * 9.0, y, Reach::Hold);
        assert_eq!((held.status, held.root), (Status::Held, DQuat::IDENTITY));
    }
    /// Without an earlier bend `bend_carried` does what `bend` does, at every distance and with every reach.
    #[test]
    fn a_first_bend_is_not_carried() {
        let limb = Limb { root: DVec3::ONE, mid: DVec3::new(1.3, 0.9, 1.1), tip: DVec3::new(1.2, 1.2, 1.3) };
        let pole = DVec3::new(0.5, -2.0, 1.0);
        for reach in [Reach::Clamp, Reach::SOFT, Reach::Hold] {
            for step in 1..60 {
                let target = limb.root + DVec3::new(0.3, -0.5, 0.8) * (0.02 * f64::from(step));
                let (first, _) = bend_carried(&limb, target, pole, reach, None);
                let plain = bend_within(&limb, target, pole, reach);
                assert_eq!(first.status, plain.status, "{reach:?} {step}");
                let off = [(first.root, plain.root), (first.mid, plain.mid)].map(|(a, b)| a.angle_between(b));
                assert!(off[0].max(off[1]) < 1e-7, "{reach:?} {step}: {off:?}");
            }
        }
    }
}
