//! Where iterative solvers begin.

/// The pose that a solve starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The pose given: few iterations where targets move little from frame to frame. The default.
    ///
    /// Where the pose is fed anew in each frame, answers repeat with poses and targets. Where each frame goes on from the
    /// answer before, what goals leave free wanders as targets go round.
    #[default]
    Given,
    /// The rest pose inside the limits, for the joints that may move: the same goals give the same answer,
    /// whatever came before.
    Rest,
}
