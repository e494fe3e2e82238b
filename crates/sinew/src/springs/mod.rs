//! Springs in time: hair, tails, ears, ropes and cloth strips that swing after the body.
//!
//! [`Springs`] are settings; a [`SpringState`] is what moves. [`Springs::step`] advances it in time: it reads from a pose
//! where the body is, and writes the swinging bones into it. A bone is a mass at its end, on a joint that bends back to a
//! shape. It may stretch, drag through the air, hit colliders and stop at limits. Stiffness and damping are the same at
//! every frame rate.
//!
//! Whatever the settings, the motion of the body and the time step, numbers stay finite, rigid bones keep their length to
//! rounding, and bones that stretch stay between 1/20 and 20 times their length. A bone whose end is anchored is the
//! exception: it is as long as its anchor asks, and its pose points there. Coordinates that do not belong to one bone alone
//! are left to the body ([`Bone`]): slides, and those that several joints share.
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
