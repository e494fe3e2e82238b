//! Where iterative solvers begin.

/// The pose that a solve starts from.
#[doc(alias = "warm start")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Start {
    /// The pose given: few iterations where targets move little from frame to frame. The default.
    ///
    /// When the pose is set anew each frame, the same poses and targets give the same answers. When each frame continues
    /// from the last answer, what the goals leave free drifts as targets go round. Measured on loops half as wide as a
    /// chain of ten joints is long, the worst joint after one lap: free balls 23° with `Jacobian`, 31° with `Ccd`, up to
    /// half a turn with `Fabrik` and `Auto`; limited hinges 10° with `Jacobian`, 21° with `Ccd` and `Auto`, 120° with
    /// `Fabrik`. [`Follow`](super::Follow) prevents this.
    #[default]
    Given,
    /// The rest pose inside the limits, for the joints that may move. The same goals give the same answer, whatever
    /// came before: the second lap of a loop is the first, bit for bit.
    Rest,
}
