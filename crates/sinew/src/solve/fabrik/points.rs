//! The kernel: joint positions and bone lengths in, joint positions out, for a free chain of an
//! engine's own.
//!
//! A chain is first pulled in or let out, every joint bent a little more or a little less (`curl.rs`), and turned towards its
//! target, the more, the more it is stretched: sweeps alone would fold it in one joint, and drift as the target goes in and out.
//! Then a sweep lays the bones from the target back to the root and from the root out again, each along
//! the line to where its joint was. What the sweeps leave is closed exactly by leaning every bone
//! towards the line to the target, or away from it, by one common share (`lean.rs`). A chain on which
//! sweeps make no headway starts again from a closed form.

use glam::{DQuat, DVec3};

use super::bones::Bones;
use super::curl::Bulge;
use super::{curl, even, lean, parts};
use crate::math::{arc, ops};
use crate::solve::Status;

/// Share of the chain's length that a sweep may leave to the closing, the farthest it may unfold, and
/// the share of its error that it must gain.
const LEAN: f64 = 0.25;
const UNFOLD: f64 = 0.6;
const GAIN: f64 = 0.2;
/// Chord of a half circle, as a share of its length.
const HALF_CIRCLE: f64 = core::f64::consts::FRAC_2_PI;
/// Share of the chain's length to which it is closed where others go on.
const CLOSED: f64 = 1e-12;
/// Lengths whose squares keep their digits.
const SIZES: core::ops::Range<f64> = 1e-140..1e140;

/// How a chain of points is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Largest number of sweeps, back and forth, before the closed forms take over; 8 by default. Few chains need more than
    /// two.
    pub iterations: u32,
    /// Distance from the target that counts as reached, as a share of the chain's length; 1e-9 by default. It costs no more
    /// than 1e-3, since the last step is exact.
    pub tolerance: f64,
    /// The direction, of any length, to which a straight chain folds. Zero by default: then it folds to +X, or to +Y when
    /// the line is nearly along X.
    pub bend: DVec3,
    /// Whether to bend the whole chain evenly and turn it onto the target before any sweep, if that reaches it; `false` by
    /// default. From the same given points the answer is then continuous in the target, so a path walked twice gives the
    /// same answers.
    pub whole: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { iterations: 8, tolerance: 1e-9, bend: DVec3::ZERO, whole: false }
    }
}

/// The result of [`solve_points`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// `Reached`, `OutOfReach` (stretched towards the target), `TooClose` (folded towards it),
    /// `Singular` (no length), or `Invalid` (points untouched).
    pub status: Status,
    /// Sweeps made; 0 where nothing had to move.
    pub iterations: u32,
    /// Distance of the tip from the target.
    pub error: f64,
}

/// Moves `points` (root first, one more than `lengths`) so that the last one comes to `target` and neighbours are as far
/// apart as `lengths` say. The first point stays. It starts from the points given, so a chain keeps its shape from frame to
/// frame. Every target within reach is reached, whatever the tolerance.
///
/// ```
/// use sinew::{glam::DVec3, solve::fabrik};
///
/// let mut points = [DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0, DVec3::Y * 3.0];
/// let target = DVec3::new(1.0, 1.0, 0.5);
/// let _ = fabrik::solve_points(&mut points, &[1.0; 3], target, &fabrik::Options::default());
/// assert!(points[3].distance(target) < 1e-12 && (points[2].distance(points[1]) - 1.0).abs() < 1e-12);
/// ```
pub fn solve_points(points: &mut [DVec3], lengths: &[f64], target: DVec3, options: &Options) -> Solved {
    place(points, lengths, target, options, true)
}

/// The same for bones that may not be `rigid`, but as long as they are for small turns alone: these are not turned as a whole.
pub(super) fn place(points: &mut [DVec3], lengths: &[f64], target: DVec3, options: &Options, rigid: bool) -> Solved {
    let refused = Solved { status: Status::Invalid, iterations: 0, error: 0.0 };
    let usable = points.len() == lengths.len() + 1 && target.is_finite() && points.iter().all(|p| p.is_finite());
    let Some(bones) = Bones::of(lengths).filter(|_| usable && options.bend.is_finite()) else { return refused };
    let (root, tip) = (points[0], points[lengths.len()]);
    if !SIZES.contains(&bones.total) {
        return Solved { status: Status::Singular, iterations: 0, error: arc::length(target - root) };
    }
    let to = target - root;
    let distance = if to.abs().max_element() < SIZES.end { arc::length(to) } else { f64::INFINITY };
    let way = || arc::unit(to).or_else(|| arc::unit(tip - root)).or_else(|| arc::unit(points[1] - root));
    let near = options.tolerance.max(1e-12) * bones.total;
    let left = arc::length(target - tip);
    if left <= near && fits(points, &bones, near) {
        return Solved { status: Status::Reached, iterations: 0, error: left };
    }
    if distance >= bones.total - 1e-15 * bones.total || distance <= bones.nearest() {
        let Some(way) = way() else { return refused };
        let status = if distance > bones.total + near {
            Status::OutOfReach
        } else if distance < bones.nearest() - near {
            Status::TooClose
        } else {
            Status::Reached
        };
        lay(points, &bones, way, distance <= bones.nearest() && distance < bones.total);
        return Solved { status, iterations: 1, error: arc::length(target - points[lengths.len()]) };
    }
    if rigid {
        set_out(points, &bones, target, options);
    }
    let iterations = approach(points, &bones, target, options);
    Solved { status: Status::Reached, iterations, error: arc::length(target - points[lengths.len()]) }
}

/// Whether the points already are as far apart as the bones are long.
fn fits(points: &[DVec3], bones: &Bones<'_>, near: f64) -> bool {
    let off = |(pair, &length): (&[DVec3], &f64)| (arc::length(pair[1] - pair[0]) - length).abs();
    points.windows(2).zip(bones.lengths).all(|each| off(each) <= near)
}

/// Lays every bone along the line: all outward, or folded back but for the longest.
pub(super) fn lay(points: &mut [DVec3], bones: &Bones<'_>, way: DVec3, folded: bool) {
    for (i, &length) in bones.lengths.iter().enumerate() {
        let sign = if folded && i != bones.longest { -1.0 } else { 1.0 };
        points[i + 1] = points[i] + way * (sign * length);
    }
}

/// Sweeps until the rest can be closed; else starts from a closed form. Returns the sweeps made.
fn approach(points: &mut [DVec3], bones: &Bones<'_>, target: DVec3, options: &Options) -> u32 {
    let near = (0.01 * options.tolerance).max(1e-13) * bones.total;
    let mut left = f64::INFINITY;
    if options.whole {
        if !lean::close(points, bones, target, near) {
            start(points, bones, target, options.bend);
        }
        return 1;
    }
    for sweep in 1..=options.iterations {
        back(points, bones.lengths, target);
        let error = forth(points, bones.lengths, target);
        let short = arc::length(points[bones.lengths.len()] - points[0]) < arc::length(target - points[0]);
        let share = if short { UNFOLD } else { LEAN };
        if error <= near || (error < share * bones.total && lean::close(points, bones, target, near)) {
            return sweep;
        }
        if error > (1.0 - GAIN) * left {
            break;
        }
        left = error;
    }
    start(points, bones, target, options.bend);
    options.iterations.clamp(1, 2)
}

/// Brings a chain as a whole nearer to a target within its reach, a straight one all the way, one bent to a half circle not at all:
/// bent like that, its tip goes out and in as readily as aside. Whether it did.
pub(in crate::solve) fn bring_near(points: &mut [DVec3], lengths: &[f64], target: DVec3, bend: DVec3) -> bool {
    let Some(bones) = Bones::of(lengths).filter(|bones| SIZES.contains(&bones.total)) else { return false };
    let (tip, to) = (points[lengths.len()] - points[0], target - points[0]);
    let (Some(line), Some(way)) = (arc::unit(tip), arc::unit(to)) else { return false };
    let (chord, distance) = (arc::length(tip), arc::length(to));
    let bent = (1.0 - chord / bones.total) / (1.0 - HALF_CIRCLE);
    let is_there = arc::length(to - tip) <= CLOSED * bones.total;
    if is_there || bent >= 1.0 || distance >= bones.total || distance <= bones.nearest() {
        return false;
    }
    // Level at both ends.
    let share = 1.0 - bent * bent * (3.0 - 2.0 * bent);
    let turn = arc::nlerp(DQuat::IDENTITY, arc::arc(line, way, arc::any_perpendicular(line)), share);
    let target = points[0] + turn * line * (chord + (distance - chord) * share);
    set_out(points, &bones, target, &Options { bend, whole: true, ..Options::default() });
    lean::close(points, &bones, target, CLOSED * bones.total)
}

/// Pulls the chain in or lets it out, and turns it towards the target: a stretched one all the way, which has nothing to
/// bend, a compact one hardly, since its last bones go there by themselves; as a whole always.
fn set_out(points: &mut [DVec3], bones: &Bones<'_>, target: DVec3, options: &Options) {
    let (root, count) = (points[0], bones.lengths.len());
    let (tip, to) = (points[count] - root, target - root);
    let (Some(line), Some(way)) = (arc::unit(tip), arc::unit(to)) else { return };
    let (chord, distance) = (tip.dot(line), to.dot(way));
    if count > 1
        && let Some(bulge) = bulge(points, bones, line, options.bend)
    {
        curl::bend(points, bones, (line, chord), distance, bulge);
    }
    let share = if options.whole { 1.0 } else { turned_at_once(chord.max(distance), bones) };
    let turn = arc::arc(line, way, arc::any_perpendicular(line));
    let turn = if share < 1.0 { arc::nlerp(DQuat::IDENTITY, turn, share) } else { turn };
    for point in &mut points[1..] {
        *point = root + turn * (*point - root);
    }
}

/// Which share of the way to its target a chain turns before it bends. HEURISTIC: of long chains more, since sweeps move the
/// bones next to an end alone; so up to 200 bones none turns by three times the mean.
fn turned_at_once(chord: f64, bones: &Bones<'_>) -> f64 {
    let slack = (1.0 - chord / bones.total).max(0.0);
    1.0 - (0..2 + bones.lengths.len() / 4).fold(1.0, |left, _| left * slack)
}

/// How the chain bulges from its chord's direction; a straight one to `bend`, else to a side of its own.
fn bulge(points: &[DVec3], bones: &Bones<'_>, line: DVec3, bend: DVec3) -> Option<Bulge> {
    let sum = points.iter().map(|&point| point - points[0]).sum::<DVec3>();
    let bulges = arc::length(arc::reject(sum, line)) > 1e-6 * bones.total * points.len() as f64;
    let far = |v: DVec3| arc::unit_reject(v, line, 1e-9);
    let side = Some(sum).filter(|_| bulges).and_then(far).or_else(|| far(bend));
    let side = side.or_else(|| far(if line.x.abs() <= 0.8 { DVec3::X } else { DVec3::Y }))?;
    Some(Bulge { side, sum: sum.dot(side) })
}

/// A chain that reaches the target by a closed form: an even bend, or else three straight parts.
fn start(points: &mut [DVec3], bones: &Bones<'_>, target: DVec3, bend: DVec3) {
    let (root, tip) = (points[0], points[bones.lengths.len()]);
    let to = target - root;
    let line = arc::unit(tip - root).or_else(|| arc::unit(to)).or_else(|| arc::unit(points[1] - root));
    let Some(line) = line else { return };
    let way = arc::unit(to).unwrap_or(line);
    // The side goes along as the chain turns to the target.
    let side = bulge(points, bones, line, bend).map(|bulge| bulge.side);
    let side = side.and_then(|side| arc::unit_reject(arc::arc(line, way, side) * side, way, 0.0));
    let Some(side) = side else { return };
    let distance = arc::length(to);
    // Where the longest bone is the circle's diameter, the arc keeps half of its digits.
    let even = even::place(points, bones, distance, way, side);
    if !even || arc::length(points[bones.lengths.len()] - target) > 1e-12 * bones.total {
        parts::place(points, bones, distance, way, side);
        // A short bone between long parts is as long as they leave it, to a few digits less.
        forth(points, bones.lengths, target);
    }
}

/// From the target back to the joint after the root.
#[inline]
fn back(points: &mut [DVec3], lengths: &[f64], target: DVec3) {
    let last = lengths.len();
    let (mut at, mut bone) = (target, points[0] - target);
    points[last] = target;
    for i in (1..last).rev() {
        bone = laid(points[i] - at, lengths[i], bone);
        at += bone;
        points[i] = at;
    }
}

/// From the root out again; how far the tip is from the target.
#[inline]
fn forth(points: &mut [DVec3], lengths: &[f64], target: DVec3) -> f64 {
    let (mut at, mut bone) = (points[0], target - points[0]);
    for (point, &length) in points[1..].iter_mut().zip(lengths) {
        bone = laid(*point - at, length, bone);
        at += bone;
        *point = at;
    }
    arc::length(target - at)
}

/// A bone along `way`; where that has no length, along the bone before it.
#[inline(always)]
fn laid(way: DVec3, length: f64, before: DVec3) -> DVec3 {
    let square = way.dot(way);
    if square > 1e-280 { way * (length / ops::sqrt(square)) } else { arc::unit(before).unwrap_or(DVec3::Y) * length }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use fastrand::Rng;

    fn direction(rng: &mut Rng) -> DVec3 {
        loop {
            let v = DVec3::new(rng.f64(), rng.f64(), rng.f64()) * 2.0 - 1.0;
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    /// Bones, some of no length, and points of a random chain or a straight one.
    fn chain(rng: &mut Rng) -> (Vec<f64>, Vec<DVec3>) {
        let n = [1, 2, 3, 4, 7, 10, 30, 100][rng.usize(0..8)];
        let size = [1e-4, 1.0, 1.0, 1e4][rng.usize(0..4)];
        let kind = rng.u8(0..4);
        let mut length = || match kind {
            0 => size,
            1 => size * (0.05 + rng.f64()),
            2 => {
                size * {
                    let x = rng.f64();
                    x * x * x * x
                }
            }
            _ => size * if rng.u8(0..4) == 0 { 0.0 } else { 0.1 + rng.f64() },
        };
        let mut lengths: Vec<f64> = (0..n).map(|_| length()).collect();
        lengths[0] = lengths[0].max(0.01 * size);
        let (line, bent) = (direction(rng), rng.u8(0..3));
        let mut points = vec![direction(rng) * size];
        for &length in &lengths {
            let way = if bent == 0 { line } else { (line + direction(rng) * 0.7 * f64::from(bent)).normalize() };
            points.push(points[points.len() - 1] + way * length);
        }
        (lengths, points)
    }

    fn check(points: &[DVec3], lengths: &[f64], root: DVec3) {
        let total: f64 = lengths.iter().sum();
        assert_eq!(points[0], root);
        for (pair, length) in points.windows(2).zip(lengths) {
            assert!(
                (pair[0].distance(pair[1]) - length).abs() < 1e-13 * total + 5e-15 * root.length(),
                "{} {length}",
                pair[0].distance(pair[1])
            );
        }
    }

    #[test]
    fn every_reachable_target_is_reached_and_bones_keep_their_lengths() {
        let mut rng = Rng::with_seed(7);
        let mut most = 0;
        for case in 0..20_000 {
            let (lengths, mut points) = chain(&mut rng);
            let (bones, root) = (Bones::of(&lengths).unwrap(), points[0]);
            let (low, high) = (bones.nearest().max(0.0), bones.total);
            let share =
                [rng.f64(), 1.0 - 1e-3 * rng.f64(), 1.0 - 1e-9 * rng.f64(), 1e-6 * rng.f64(), 0.0, 1.0][case % 6];
            let way = if rng.bool() { direction(&mut rng) } else { arc::unit(points[1] - root).unwrap() };
            let target = root + way * (low + (high - low) * share);
            let solved = solve_points(&mut points, &lengths, target, &Options::default());
            check(&points, &lengths, root);
            let error = points[lengths.len()].distance(target);
            assert!(
                error < 1e-9 * high + 5e-15 * root.length() && solved.status == Status::Reached,
                "{case} {share} {error} {solved:?} {lengths:?}"
            );
            most = most.max(solved.iterations);
            let before = points.clone();
            let again = solve_points(&mut points, &lengths, target, &Options::default());
            assert!(points.iter().zip(&before).all(|(a, b)| a.distance(*b) < 1e-9 * high), "{again:?} {solved:?}");
        }
        assert!(most <= 8);
    }

    #[test]
    fn beyond_reach_it_stretches_and_too_near_it_folds_at_once() {
        let mut rng = Rng::with_seed(8);
        for _ in 0..2000 {
            let (lengths, mut points) = chain(&mut rng);
            let (bones, root, way) = (Bones::of(&lengths).unwrap(), points[0], direction(&mut rng));
            let far = solve_points(&mut points, &lengths, root + way * bones.total * 1.5, &Options::default());
            assert_eq!((far.status, far.iterations), (Status::OutOfReach, 1));
            assert!(points[lengths.len()].distance(root + way * bones.total) < 1e-12 * bones.total);
            if bones.nearest() > 0.0 {
                let near = solve_points(&mut points, &lengths, root + way * bones.nearest() * 0.5, &Options::default());
                assert_eq!(near.status, Status::TooClose);
                assert!((near.error - 0.5 * bones.nearest()).abs() < 1e-12 * bones.total);
                check(&points, &lengths, root);
            }
        }
    }

    #[test]
    fn a_straight_chain_with_its_target_on_the_line_folds_at_once() {
        for n in [2, 3, 10, 100] {
            let lengths = vec![1.0; n];
            for share in [0.9, 0.5, 0.1, -0.3] {
                let mut points: Vec<DVec3> = (0..=n).map(|i| DVec3::Y * i as f64).collect();
                let target = DVec3::Y * n as f64 * share;
                let solved =
                    solve_points(&mut points, &lengths, target, &Options { bend: DVec3::Z, ..Options::default() });
                assert!(
                    solved.iterations <= 2 && points[n].distance(target) < 1e-9 * n as f64,
                    "{n} {share} {solved:?}"
                );
                assert!(points.iter().all(|p| p.x.abs() < 1e-9));
            }
        }
    }

    /// The largest and the mean turn from one bone to the next.
    fn turns(points: &[DVec3]) -> (f64, f64) {
        let bone = |i: usize| arc::unit(points[i + 1] - points[i]).unwrap();
        let turns = (2..points.len()).map(|i| {
            let (a, b) = (bone(i - 2), bone(i - 1));
            ops::atan2(arc::length(a.cross(b)), a.dot(b))
        });
        let (largest, sum) = turns.fold((0.0_f64, 0.0), |(largest, sum), turn| (largest.max(turn), sum + turn));
        (largest, sum / (points.len() - 2) as f64)
    }

    #[test]
    fn a_chain_that_is_pulled_in_shares_its_bends() {
        for (n, frames, end) in [3, 5, 10, 20, 200]
            .into_iter()
            .flat_map(|n| [1, 10, 200].into_iter().flat_map(move |frames| [0.95, 0.5, 0.2].map(|end| (n, frames, end))))
        {
            for (angle, whole) in [0.0, 0.3, 1.5].into_iter().flat_map(|angle| [(angle, false), (angle, true)]) {
                let lengths = vec![1.0; n];
                let mut points: Vec<DVec3> = (0..=n).map(|i| DVec3::Y * i as f64).collect();
                let options = Options { whole, ..Options::default() };
                for frame in 1..=frames {
                    let share = f64::from(frame) / f64::from(frames);
                    let (sine, cosine) = ops::sin_cos(angle * share);
                    let target = DVec3::new(sine, cosine, 0.0) * (n as f64 * (1.0 - (1.0 - end) * share));
                    let _ = solve_points(&mut points, &lengths, target, &options);
                    let (largest, mean) = turns(&points);
                    assert!(
                        largest < 3.0 * mean && points[n].distance(target) < 1e-9 * n as f64,
                        "{n} bones to {end} by {angle}, whole: {whole}, frame {frame} of {frames}: {largest}, {mean}"
                    );
                }
            }
        }
    }

    #[test]
    fn hostile_numbers_leave_finite_points() {
        let sizes = [0.0, 1e-300, 1e-160, 1e-20, 1.0, 1e20, 1e138, 1e160, 1e300];
        for &a in &sizes {
            for &b in &sizes {
                for &c in &sizes {
                    let mut points = [DVec3::ZERO, DVec3::Y, DVec3::new(1.0, 1.0, 0.0), DVec3::X * b];
                    let target = DVec3::new(c, -c, 0.5 * c);
                    for whole in [false, true] {
                        let options = Options { whole, ..Options::default() };
                        let solved = solve_points(&mut points, &[a, b, 1.0], target, &options);
                        assert!(points.iter().all(|point| point.is_finite()), "{a} {b} {c} {solved:?} {points:?}");
                        assert!(!solved.error.is_nan());
                    }
                }
            }
        }
        assert_eq!(solve_points(&mut [], &[], DVec3::X, &Options::default()).status, Status::Invalid);
        assert_eq!(solve_points(&mut [DVec3::X], &[], DVec3::X, &Options::default()).status, Status::Singular);
    }

    #[test]
    fn what_is_no_chain_is_refused_untouched() {
        let good = [DVec3::ZERO, DVec3::Y, DVec3::Y * 2.0];
        let options = Options::default();
        for (lengths, target) in [
            (vec![1.0], DVec3::X),
            (vec![1.0, -1.0], DVec3::X),
            (vec![1.0, f64::NAN], DVec3::X),
            (vec![1.0, 1.0], DVec3::NAN),
        ] {
            let mut points = good;
            assert_eq!(solve_points(&mut points, &lengths, target, &options).status, Status::Invalid);
            assert_eq!(points, good);
        }
        let mut points = good;
        assert_eq!(solve_points(&mut points, &[0.0, 0.0], DVec3::X, &options).status, Status::Singular);
        assert_eq!(solve_points(&mut points, &[1.0, 1.0], DVec3::X * 1e300, &options).status, Status::OutOfReach);
        assert!(points[2].distance(DVec3::X * 2.0) < 1e-12);
    }
}
