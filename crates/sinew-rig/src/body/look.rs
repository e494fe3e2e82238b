//! Where the head looks: neck and trunk turn with it, it stays upright, and no further than people turn.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::solve::aim::{AimSource, AimTarget, Roll, turn};

/// A head turns no further about the upright against the hips (radians): neck 80°, trunk 35°.
const ASIDE: f64 = 2.0;
/// Nor does it nod or lean further.
const NODS: f64 = 1.2;

/// A ray of the head, in its own frame, and what it goes through or along, in the body's own directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) axis: DVec3,
    pub(super) offset: DVec3,
    pub(super) mark: AimTarget,
}

impl Look {
    /// How the head is to be turned at a place on hips turned so; and whether a person stays short of what is told.
    pub(super) fn rotation(&self, place: DVec3, now: DQuat, hips: DQuat) -> (DQuat, bool) {
        let source = AimSource { origin: place, rotation: now, axis: self.axis, offset: self.offset };
        let upright = Roll::Up { axis: DVec3::Y, direction: DVec3::Y, angle: 0.0 };
        let told = hips.conjugate() * turn(&source, self.mark, upright).turn * now;
        let aside = arc::twist_angle(told, DVec3::Y);
        let nod = told * arc::axis_angle(DVec3::Y, -aside);
        let steep = arc::length(arc::rotation_vector(nod));
        if aside.abs() <= ASIDE && steep <= NODS {
            return (arc::normalize(hips * told), false);
        }
        let nod = arc::part_of_turn(DQuat::IDENTITY, nod, NODS / steep.max(NODS));
        (arc::normalize(hips * nod * arc::axis_angle(DVec3::Y, aside.clamp(-ASIDE, ASIDE))), true)
    }
}
