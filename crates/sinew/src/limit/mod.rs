//! Limits of joints as projections, shared by every solver. Projecting twice changes nothing, and an allowed value
//! comes back bit for bit.

mod elliptic;
mod euler;
mod range;
mod sines;
mod swing_twist;
mod twist;

pub use elliptic::EllipticSwing;
pub use euler::{EulerOrder, EulerRanges};
pub use range::Range;
pub(crate) use sines::Sines;
pub use swing_twist::SwingTwist;
