//! Where a limb bends without a pole.

/// The plane in which a limb bends where its goal has no pole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Bend {
    /// That of the pose given, carried to the new line by the shortest arc, so that inverse kinematics on top of an
    /// animation keeps the animated elbow. The default.
    ///
    /// A limb that is straight or folded flat in the pose given has no plane, and bends as it prefers to
    /// ([`RestBend::preferred`](super::two_bone::RestBend::preferred)). Between the two cases the given plane is
    /// blended in, by the middle joint's distance from the line. It counts fully from an eighth of the distance that
    /// the target asks for, and less and less below. So an animation that passes through straight does not make the
    /// middle joint jump, and noise of the middle joint is enlarged at most tenfold.
    ///
    /// A hinge that may not fold by a quarter of a turn to either side, such as an elbow, has its plane across its axis, also
    /// where it is straight. Its root does not roll. Other hinges are blended as above, so that the middle joint does not
    /// jump when an animation takes it through straight.
    ///
    /// When the pose is set anew each frame, the same poses and targets give the same answers. When each frame
    /// continues from the last answer, the plane drifts as targets go round, since shortest arcs turn it: by up to the
    /// solid angle of their loop.
    #[default]
    Given,
    /// That of the rest pose, carried by the shortest arc. The answer depends on the goal alone, so it repeats with the
    /// goal.
    Rest,
}
