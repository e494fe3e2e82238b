//! How long a leg may be, and what that asks of the body's height.

use glam::{DAffine3, DVec3};
use sinew::Pose;
use sinew::math::{arc, ops};

use super::Measured;
use crate::feet::foot::Footing;
use crate::least_jerk::{eased, smooth};

/// Least share of its length that a leg stands upright, for which the body comes down: what is farther aside it does not reach.
const STEEP: f64 = 0.2;
/// Share of what it can be shorter by to which a leg in the air folds, and over what share of its bones it begins to come down.
const FOLDS: f64 = 0.5;
const EASES: f64 = 0.1;
/// Share of the length to which it folds from which a leg that goes so far aside comes down less.
const ASIDE: f64 = 0.7;
/// Share of what it can be shorter by that a leg which bears keeps, however low the body should be for others.
pub(in crate::feet) const FLAT: f64 = 0.15;
/// What a leg that the clip has straight keeps of what others do.
pub(in crate::feet) const LEFT: f64 = 0.25;
impl Measured {
    /// How long the bones that bend may be: a share of their length, or what the clip's own leg is where that is more, all but
    /// straight.
    pub(in crate::feet) fn span(&self, pose: &Pose, reach: f64) -> f64 {
        self.span_of(self.line(pose), reach)
    }

    /// The same of a leg with that line from hip to end in the clip.
    pub(in crate::feet) fn span_of(&self, line: DVec3, reach: f64) -> f64 {
        arc::length(line).clamp(reach * self.bones, self.longest_span(reach))
    }

    /// How long they may be at most.
    pub(super) fn longest_span(&self, reach: f64) -> f64 {
        (1.0 - LEFT * (1.0 - reach)) * self.bones
    }

    /// How far the body, `way` from where the clip has it, must come down so that the leg reaches a foot that moves so from where the clip
    /// has it; negative where it need not.
    pub(in crate::feet) fn short(&self, pose: &Pose, motion: &DAffine3, way: DVec3, up: DVec3, reach: f64) -> f64 {
        let ankle = pose.position(self.ankle);
        let offset = motion.transform_point3(ankle) - ankle;
        -room(self.line(pose) + offset - way, up, self.span(pose, reach))
    }

    /// How far a foot that moves so must come down for its leg to be no shorter than it folds well, or than the clip's own is; smooth.
    pub(in crate::feet) fn near(&self, pose: &Pose, motion: &DAffine3, way: DVec3, up: DVec3) -> f64 {
        let ankle = pose.position(self.ankle);
        let own = self.line(pose);
        self.near_of(own + motion.transform_point3(ankle) - ankle - way, arc::length(own), up)
    }

    /// The same for such a line from hip to end of a leg that the clip has so long.
    pub(in crate::feet) fn near_of(&self, line: DVec3, own: f64, up: DVec3) -> f64 {
        let least = self.folded(FOLDS).min(own);
        let aside = line.reject_from_normalized(up).length_squared();
        // A leg that goes aside folds whatever its foot's height is.
        let upright = 1.0 - smooth((ops::sqrt(aside) / least.max(1e-12) - ASIDE) / (1.0 - ASIDE));
        upright * eased(ops::sqrt_clamped(least * least - aside) + line.dot(up), EASES * self.bones)
    }

    /// How short the bones that bend are when they are folded by all but a share of what they can be.
    fn folded(&self, share: f64) -> f64 {
        let shortest = (self.parts[0] - self.parts[1]).abs();
        shortest + share * (self.bones - shortest)
    }

    /// How far a body that is moved by `way` may come down at most for other legs: as far as this one folds, the more the less it bears.
    pub(in crate::feet) fn most_deep(&self, pose: &Pose, foot: &Footing, way: DVec3, up: DVec3) -> f64 {
        let ankle = pose.position(self.ankle);
        let line = self.line(pose) + foot.motion.transform_point3(ankle) - ankle - way;
        (-room(line, up, self.folded(FLAT))).max(0.0) / foot.load.max(1e-3)
    }

    /// The same for such a line from hip to end of a leg that the clip has so long; one that goes farther aside asks for nothing.
    pub(in crate::feet) fn least(&self, line: DVec3, own: f64, up: DVec3, share: f64) -> f64 {
        let folded = self.folded(share).min(own);
        let aside = line.reject_from_normalized(up).length_squared();
        if aside < folded * folded {
            line.dot(up) + ops::sqrt_clamped(folded * folded - aside)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// How much higher than `way` from where the clip has it a body must be at least for the leg to fold to a foot that comes down so far,
    /// and keep such a share of what it can be shorter by; negative where it may be lower.
    pub(in crate::feet) fn lowest(
        &self,
        pose: &Pose,
        foot: &Footing,
        way: DVec3,
        up: DVec3,
        (down, share): (f64, f64),
    ) -> f64 {
        let ankle = pose.position(self.ankle);
        let line = self.line(pose) + foot.motion.transform_point3(ankle) - ankle - way;
        self.least(line - up * down, arc::length(self.line(pose)), up, share)
    }
}

/// How far up (or down, where negative) the body may go until a leg of that span, with such a line from hip to end, reaches no more.
pub(in crate::feet) fn room(line: DVec3, up: DVec3, span: f64) -> f64 {
    let upright = ops::sqrt_clamped(span * span - line.reject_from_normalized(up).length_squared());
    line.dot(up) + upright.max(STEEP * span)
}
