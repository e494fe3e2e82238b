//! Limits as projections, shared by every solver: idempotent, and an allowed value passes through
//! bit for bit.

mod range;
mod swing_twist;

pub use range::Range;
pub use swing_twist::SwingTwist;
