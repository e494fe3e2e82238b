//! Why a gait cannot be made.

use sinew::Joint;

/// Why legs of a skeleton make no gait.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GaitError {
    /// There are fewer than two legs.
    #[error("a gait needs two legs at least and was given {legs}; name each leg's joints from the hip to the ground")]
    FewLegs {
        /// Number of legs given.
        legs: usize,
    },
    /// A leg's joints do not lie one below the other, or are another skeleton's.
    #[error("the joints of leg {leg} do not lie one below the other; list them from the hip to the ground")]
    Broken {
        /// Index of the leg.
        leg: usize,
    },
    /// A leg has fewer than two links that bend.
    #[error("leg {leg} ends {length} below its hip without a knee between; a leg needs two links with a length")]
    Stiff {
        /// Index of the leg.
        leg: usize,
        /// Its length (model units).
        length: f64,
    },
    /// A leg does not hang down to the ground at rest.
    #[error("leg {leg} does not stand at rest: joint {} is not below its hip; say which way is up", .tip.index())]
    Raised {
        /// Index of the leg.
        leg: usize,
        /// The lowest joint of the leg.
        tip: Joint,
    },
    /// Up and forward are no directions, or the same one.
    #[error("up and forward must be two directions that are not parallel")]
    Directions,
}
