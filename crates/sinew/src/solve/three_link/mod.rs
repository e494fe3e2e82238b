//! Three links: fingers, the legs of animals that walk on their toes, cranes.
//!
//! **For** limbs of three bones whose last one has a given direction, or keeps its angle. **Take another** for other limbs:
//! [`Fabrik`](crate::Fabrik) and [`Auto`](crate::Auto) bend any number of bones evenly.
//!
//! # The idea
//!
//! Root `O`, target `E`, links `l1`, `l2`, `l3`. One more constraint than for two links fixes the last one:
//! the direction `u` it must have ([`Last`]: given, toward a position, or at an angle to the second link).
//! Subtract it, `P = E - O - l3 u`, and solve two links to `P`. They bend in the plane of a pole
//! ([`Plane::Pole`], the simple case) or all three in one plane ([`Plane::Natural`]). Out of reach, either the
//! tip's position or the direction yields ([`Yields`]).
//!
//! # Source
//!
//! Subtracting the last link to leave two is how robots with a wrist are solved (Pieper 1968; Craig, *Introduction to Robotics*,
//! planar 3R arm). What yields out of reach, and the natural plane, are our own.
//!
//! # What is here
//!
//! - [`planar`]: by angles and by vectors in any plane;
//! - [`spatial`]: joint positions; [`angles`]: the five angles of the natural limb, for motors;
//! - [`Limb`] and [`bend`]: turns for four positions of an engine's own skeleton;
//! - [`ThreeLink`]: the [`Solver`](crate::Solver) on a pose, with hinges, limits and weights.
//!
//! ```
//! use sinew::glam::DVec3;
//! use sinew::solve::three_link::{Last, Options, Plane, spatial};
//!
//! // A hind leg whose last link points straight down.
//! let (hip, toes) = (DVec3::new(0.0, 1.0, 0.0), DVec3::new(0.0, 0.1, 0.1));
//! let options = Options { plane: Plane::Natural { side: 1.0 }, ..Options::default() };
//! let leg = spatial::positions(hip, toes, [0.45, 0.45, 0.3], Last::Direction(DVec3::NEG_Y), DVec3::Z, options);
//! let [_knee, heel, tip] = leg.elbows[0];
//! assert!(tip.distance(toes) < 1e-12 && (heel - toes).distance(DVec3::Y * 0.3) < 1e-12);
//! ```

pub mod angles;
mod bend;
mod direction;
mod give_way;
mod heel;
mod last_link;
mod least_turn;
mod place;
pub mod planar;
mod settings;
mod solver;
pub mod spatial;
mod still;
mod unfold;

pub use bend::{Limb, Turns, bend};
pub use direction::{Last, Options, Plane, Yields};
pub use settings::ThreeLink;
