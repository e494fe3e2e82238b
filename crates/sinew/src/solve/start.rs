//! Where iterative solvers begin.

/// The pose that a solve starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Start {
    /// The pose given: few iterations where targets move little from frame to frame. The default.
    ///
    /// Where the pose is fed anew in each frame, answers repeat with poses and targets. Where each frame goes on from the
    /// answer before, what goals leave free wanders as targets go round, since it is not integrable: on loops half as wide
    /// as a chain is long, the worst joint of a chain of ten balls is off by 23° after a lap with `Jacobian`, by 31° with
    /// `Ccd`, and turned right over by `Fabrik` and `Auto`; with limited hinges by 10°, 21°, 120° (`Fabrik`) and 21° (`Auto`).
    /// [`Follow`](super::Follow) keeps this from happening.
    #[default]
    Given,
    /// The rest pose inside the limits, for the joints that may move: the same goals give the same answer,
    /// whatever came before: the second lap of a loop is the first, bit for bit.
    Rest,
}
