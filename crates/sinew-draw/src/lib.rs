//! Pictures of a solve, as one SVG 1200 pixels wide, or a PNG with the feature `png`: the rest pose pale behind the
//! solved one, with goals, poles, and how far goals were missed. By default from the front and from the side; [`Picture::looks`] names
//! other views.
//!
//! [`RobotPicture`] shows robots as links, drums and blocks from an angle; [`Strip`] and [`RobotStrip`] show many
//! poses side by side.
//!
//! The text of an SVG is generic sans-serif. A PNG is drawn with a font of this crate; fonts of the system are not
//! used. The same input gives the same bytes. What is not finite is left out.
//!
//! ```
//! use sinew::{Skeleton, glam::DVec3};
//! use sinew_draw::{Mark, Picture};
//!
//! let arm = Skeleton::from_lengths(&[0.3, 0.25])?;
//! let pose = arm.rest_pose();
//! let hand = arm.joint("joint_2")?;
//! let mut picture = Picture::new(&arm, &pose);
//! picture.marks.push(Mark::new("hand", DVec3::new(0.2, 0.3, 0.0), pose.position(hand)));
//! assert!(picture.svg().starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axes;
mod label;
mod legend;
mod limits;
mod mark;
mod picture;
mod plot;
#[cfg(feature = "png")]
mod png;
mod robot;
mod silhouette;
mod slices;
mod strip;
mod svg;
mod unit;
mod view;

pub use mark::Mark;
pub use picture::{Group, LEFT, MIDDLE, OTHER, Picture, RIGHT, Trail};
pub use plot::{Band, Curve, Plot, stacked};
#[cfg(feature = "png")]
pub use png::stacked_png;
pub use robot::{Axes, RobotPicture, RobotStrip};
pub use slices::{Slices, share_color};
pub use strip::Strip;
pub use unit::Unit;
pub use view::Look;
