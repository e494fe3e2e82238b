//! Limits as projections, shared by every solver: idempotent, and an allowed value passes through
//! bit for bit.

mod elliptic;
mod euler;
mod range;
mod swing_twist;
mod twist;

pub use elliptic::EllipticSwing;
pub use euler::{EulerOrder, EulerRanges};
pub use range::Range;
pub use swing_twist::SwingTwist;
