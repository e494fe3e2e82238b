//! All tests of `sinew-motion`: one program, so that it is linked once.

mod aside;
mod clips;
mod gait;
mod knees;
mod soles;
mod stairs;
