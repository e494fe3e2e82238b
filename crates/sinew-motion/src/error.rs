//! What is no clip.

/// Why poses and times make no clip.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// There are no poses.
    #[error("the clip has no poses; give it at least one, with its time")]
    Empty,
    /// There are more or fewer times than poses.
    #[error("the clip has {times} times and {poses} poses; give every pose its time")]
    Unpaired {
        /// Times given.
        times: usize,
        /// Poses given.
        poses: usize,
    },
    /// A time is not finite, or not later than the one before.
    #[error("time {index} of the clip is {time} s; times must be finite, each greater than the one before")]
    Time {
        /// Its place among the times.
        index: usize,
        /// The time.
        time: f64,
    },
    /// A pose is of another skeleton.
    #[error("pose {index} belongs to another skeleton; give poses of the clip's skeleton")]
    OtherSkeleton {
        /// Its place among the poses.
        index: usize,
    },
    /// A rate at which nothing, or more than memory holds, would be sampled.
    #[error("{rate} poses per second cannot be sampled from a clip of {seconds} s; give a rate from 0.001 to 10000")]
    Rate {
        /// Poses a second.
        rate: f64,
        /// Length of the clip.
        seconds: f64,
    },
}
