//! Springs in time: hair, tails, ears, ropes and cloth strips that swing after the body.
//!
//! [`Springs`] are settings, a [`SpringState`] what moves, [`Springs::step`] lets time pass: it reads where the body is
//! from a pose and writes how the bones hang into it. Bones are masses at their ends on joints that bend back to a shape;
//! each may stretch, drag through the air, hit colliders and stop at limits; stiffness and damping are the same at every
//! frame rate.
//!
//! Whatever the settings, the body's motion and the time that passes, numbers stay numbers, rigid bones keep their length
//! to rounding, and bones that stretch stay between 1/20 and 20 times theirs. Only a bone whose end is anchored is as long
//! as the anchor asks; its pose shows it pointing there.
//! Coordinates that are not a bone's alone stay the body's ([`Bone`]): slides, and those that several joints share.
//!
//! Sources: Jakobsen, *Advanced Character Physics* (2001); Müller et al., *Position Based Dynamics* (2007); Macklin,
//! Müller & Chentanez, *XPBD* (2016), whose constraints these are, integrated to second order and solved all at once
//! (Deul et al. 2018) instead of one after another, so that long chains do not sag.

mod anchor;
mod bone;
mod collider;
mod hang;
mod hold;
pub(crate) mod net;
mod plan;
mod settings;
mod shape;
mod state;
mod step;
mod stop;
mod substep;
mod tune;
mod write;

pub use bone::{Bone, Link, Tail};
pub use collider::{Collider, Shape};
pub use settings::{Springs, SpringsError, Teleport};
pub use state::{Particle, SpringState};
pub use step::Step;
