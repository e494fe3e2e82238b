//! A whole human body from few goals, posed as people hold themselves.
//!
//! Goals may be for any of hips, chest (rotation), head (position, rotation or aim), hands, feet, elbows and knees. What
//! they leave free follows a few linear functions fitted to motion capture (`natural.rs`). All is in closed form except the
//! trunk, which takes a few Newton steps. When hips, head, hands and feet all have goals, the answer depends on the goals
//! and the bones alone. Without a goal for the position of the head it starts from the pose given: what no goal asks for
//! stays as it is there, an arm turns with the chest about the upright, and a hand or foot whose goal is a position nearby
//! keeps how its elbow or knee is turned out. An elbow or knee guides a limb whose hand or foot has a goal; else that goes
//! along. A head that is told no rotation leaves the feet where they are. A hand behind the back turns the hips only by how
//! much further behind its goal is.
//!
//! ```
//! # use glam::DVec3;
//! # use sinew::{Goal, JointSpec, SkeletonBuilder, Solver, Status, Workspace};
//! # use sinew_rig::{Body, Evidence, Part, Role, Side, recognize};
//! # let mut builder = SkeletonBuilder::new();
//! # let mut add = |name: &str, parent: &str, place: [f64; 3]| {
//! #     let joint = JointSpec::named(name).translation(place);
//! #     builder.add(if parent.is_empty() { joint } else { joint.child_of(parent) });
//! # };
//! # add("hips", "", [0.0, 0.93, 0.0]);
//! # add("spine", "hips", [0.0, 0.1, 0.0]);
//! # add("chest", "spine", [0.0, 0.2, 0.0]);
//! # add("neck", "chest", [0.0, 0.25, 0.0]);
//! # add("head", "neck", [0.0, 0.1, 0.0]);
//! # for (side, x) in [("L", 1.0), ("R", -1.0)] {
//! #     let part = |name: &str| format!("{name}.{side}");
//! #     add(&part("upper_arm"), "chest", [0.18 * x, 0.2, 0.0]);
//! #     add(&part("forearm"), &part("upper_arm"), [0.28 * x, 0.0, 0.0]);
//! #     add(&part("hand"), &part("forearm"), [0.25 * x, 0.0, 0.0]);
//! #     add(&part("thigh"), "hips", [0.1 * x, 0.0, 0.0]);
//! #     add(&part("shin"), &part("thigh"), [0.0, -0.42, 0.0]);
//! #     add(&part("foot"), &part("shin"), [0.0, -0.42, 0.0]);
//! #     add(&part("toes"), &part("foot"), [0.0, -0.05, 0.12]);
//! # }
//! # let skeleton = builder.build()?;
//! let found = recognize(&Evidence::of(&skeleton));
//! let body = Body::of(&skeleton, &found).ok_or("no human was recognised")?;
//! let hand = found.joint(&skeleton, Role::on(Side::Left, Part::Hand)).ok_or("no hand")?;
//! let (target, mut pose) = (DVec3::new(0.3, 1.3, 0.35), skeleton.rest_pose());
//! let outcome = body.solve(&skeleton, &[Goal::position(hand, target)], &mut pose, &mut Workspace::default());
//! assert_eq!(outcome.status, Status::Reached);
//! assert!(pose.position(hand).distance(target) < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed;
mod arm;
#[allow(clippy::approx_constant, reason = "fitted numbers may be near any constant")]
mod coefficients;
mod engine;
mod feet;
mod finish;
#[cfg(feature = "fit")]
#[doc(hidden)]
pub mod fit;
mod hinge;
mod hips;
mod layout;
mod lean;
mod limb;
mod look;
mod natural;
mod place;
mod roll;
mod rows;
mod seen;
mod shoulder;
mod swivel;
mod targets;
mod trunk;
mod turn;
mod uneven;
mod untold;

use sinew::{Jacobian, Skeleton};

use crate::recognize::Recognition;
use layout::Layout;

/// What the body in lanes (`sinew-crowd`) is made of, so that both have the same numbers. No part of the public interface.
#[doc(hidden)]
pub mod author {
    pub use super::coefficients::{COLLAR, ELBOW, ELBOW_FREE, KNEE, KNEE_FREE, PITCH, ROLL, YAW};
    pub use super::hinge::AXIS_TELLS;
    pub use super::layout::{Layout, Limb};
    pub use super::natural::{KNOWN, LEAST, SOFT, STEADY};
    pub use super::roll::{BENT, FARTHEST, MIDDLE};
    pub use super::shoulder::{ALONG, FOLLOWS, LEANS};
    pub use super::trunk::{DAMPING, LEAST_SHARE, LONGEST};
}

/// Solves a recognised human as a whole. See the [module](self).
#[doc(alias = "full body IK")]
#[doc(alias = "FBIK")]
#[derive(Clone, Debug)]
pub struct Body {
    /// Distance that counts as met, as a share of a leg's length, where a goal has no tolerance of its own; 1e-6 by default.
    pub position_tolerance: f64,
    /// Angle (radians) that counts as met; 1e-6 by default.
    pub rotation_tolerance: f64,
    layout: Layout,
    /// Serves what has no closed form.
    rest: Jacobian,
}

impl Body {
    /// Which joints it is made of.
    #[doc(hidden)]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The body that was recognised; `None` where hips, a head above them, two arms and two legs are not.
    pub fn of(skeleton: &Skeleton, found: &Recognition) -> Option<Self> {
        let layout = Layout::of(skeleton, found)?;
        Some(Self { position_tolerance: 1e-6, rotation_tolerance: 1e-6, layout, rest: Jacobian::default() })
    }
}
