//! Limbs of two bones, class by class.

use std::collections::BTreeMap;

use sinew::glam::DVec3;

use super::{Bone, Verdict};
use crate::answer::Answer;
use crate::limb::Limb;

/// The worst of one class of problems.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Class {
    /// Number of problems.
    pub count: usize,
    /// Answers with a NaN or infinity in them.
    pub broken: usize,
    /// Largest distance from the nearest point that the limb can reach, or error of a bone's
    /// length, over the limb's length.
    pub error: f64,
    /// Largest angle between the elbow and the pole about the line to the target (degrees), where
    /// both are well off that line.
    pub pole: f64,
}

/// Judges answers class by class.
pub fn judge<'a>(pairs: impl Iterator<Item = (&'a Limb, Answer)>) -> BTreeMap<u32, Class> {
    let mut classes = BTreeMap::<u32, Class>::new();
    for (limb, answer) in pairs {
        let class = classes.entry(limb.class).or_default();
        class.count += 1;
        let [mid, tip] = answer.points(limb);
        if !(mid.is_finite() && tip.is_finite()) {
            class.broken += 1;
            continue;
        }
        class.error = class.error.max(error(limb, mid, tip));
        class.pole = class.pole.max(pole_angle(limb, mid));
    }
    classes
}

fn error(limb: &Limb, mid: DVec3, tip: DVec3) -> f64 {
    let ([l1, l2], unit) = (limb.lengths, limb.length());
    let reach = limb.target.length().clamp((l1 - l2).abs(), unit);
    // A target on the root is as well met in any direction.
    let way = limb.target.try_normalize().unwrap_or_else(|| tip.normalize_or(DVec3::X));
    let bones = [Bone { ends: [0, 1], length: l1, unit }, Bone { ends: [1, 2], length: l2, unit }];
    let verdict = Verdict::of_points(&[DVec3::ZERO, mid, tip], [(2, way * reach)], &bones);
    verdict.stretch.max(verdict.miss / unit)
}

fn pole_angle(limb: &Limb, mid: DVec3) -> f64 {
    let Some(line) = limb.target.try_normalize() else { return 0.0 };
    let (elbow, pole) = (mid.reject_from_normalized(line), limb.pole.reject_from_normalized(line));
    let clear = elbow.length() > 0.02 * limb.length() && pole.length() > 0.1;
    if clear { elbow.cross(pole).length().atan2(elbow.dot(pole)).to_degrees() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::DQuat;

    #[test]
    fn errors_are_distances_to_what_can_be_reached() {
        let limb = Limb {
            lengths: [1.0, 1.0],
            root: DQuat::IDENTITY,
            bend: 0.0,
            target: DVec3::X * 3.0,
            pole: DVec3::Y,
            class: 1,
        };
        let straight = Answer::Rotations([DQuat::IDENTITY; 2]);
        let short = Answer::Positions([DVec3::X, DVec3::X * 1.5]);
        let broken = Answer::Positions([DVec3::NAN; 2]);
        let class = judge([straight, short, broken].into_iter().map(|answer| (&limb, answer)))[&1];
        assert_eq!(class, Class { count: 3, broken: 1, error: 0.25, pole: 0.0 });
        let near = Limb { target: DVec3::X, ..limb };
        let bent = Answer::Positions([DVec3::new(0.5, -0.75_f64.sqrt(), 0.0), DVec3::X]);
        let class = judge([(&near, bent)].into_iter())[&1];
        assert!(class.error < 1e-15 && (class.pole - 180.0).abs() < 1e-12);
    }
}
