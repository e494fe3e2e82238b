//! Where a limb bends without a pole.

/// The plane in which a limb bends where its goal has no pole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Bend {
    /// That of the pose given, carried to the new line by the shortest arc: inverse kinematics on top of an animation
    /// keeps the animated elbow. The default.
    ///
    /// A limb that is straight in the pose given, or folded flat, has no plane and bends as it prefers to
    /// ([`RestBend::preferred`](super::two_bone::RestBend::preferred)). In between, the middle joint's distance from the
    /// line decides how much the given plane counts: wholly from an eighth of the distance that the target asks for,
    /// less and less below that. So an animation that passes through straight does not make the middle joint jump, and
    /// noise of the middle joint is never enlarged more than tenfold.
    ///
    /// Fed anew each frame, answers repeat with poses and targets. Where each frame goes on from the answer before,
    /// the plane drifts as targets go round, since shortest arcs turn it: by up to the solid angle of their loop.
    #[default]
    Given,
    /// That of the rest pose, carried by the shortest arc: the answer depends on the goal alone, and returns with it.
    Rest,
}
