//! Biovision BVH motion capture as [`sinew`] skeletons and poses, and back.
//!
//! ```
//! let text = "HIERARCHY
//! ROOT Hips
//! {
//!     OFFSET 0 0 0
//!     CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
//!     JOINT Knee
//!     {
//!         OFFSET 0 -40 0
//!         CHANNELS 3 Zrotation Yrotation Xrotation
//!         End Site
//!         {
//!             OFFSET 0 -42 0
//!         }
//!     }
//! }
//! MOTION
//! Frames: 1
//! Frame Time: 0.0083333
//! 0 90 0  0 0 0  90 0 0
//! ";
//! let clip = sinew_bvh::parse(text.as_bytes())?;
//! let mut pose = clip.skeleton.rest_pose();
//! clip.pose_frame(0, &mut pose);
//! let foot = clip.skeleton.joint("Knee_tip")?;
//! assert!(pose.position(foot).distance([42.0, 50.0, 0.0].into()) < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What becomes what
//! Every `ROOT`, `JOINT` and `End Site` is a joint of the skeleton, added in the file's order. Names are the file's; an end
//! site without a name is called as its joint with `_tip` behind. What a joint may do comes from its rotation channels:
//!
//! | rotation channels | kind |
//! |---|---|
//! | none, or an end site | fixed |
//! | one | hinge about that axis; its coordinate has the joint's name |
//! | two or three | ball |
//!
//! The rest pose is every joint at its `OFFSET` without rotation, as the file has it, even where that is no pose that a body
//! can take. A frame turns each joint about its own axes in the order of its channels, the first outermost. Position channels,
//! on whatever joint, replace the offset along their axis. Roots are pinned as far as solvers are concerned, and so are inner joints
//! with position channels: their translation is the frame's.
//!
//! Lengths are in the file's unit, which the format does not name; angles of [`Motion`] are in degrees, as in the file. Model
//! space is the file's: right-handed; neither up nor forward is agreed on.
//!
//! # What is understood beside the format's description
//! Several roots, joints without channels, named end sites, names with spaces, keywords in any case, `{` and `}` on any line,
//! LF, CRLF and CR, no motion at all. A frame is a line; blank lines do not count.
//!
//! # What is refused
//! Numbers that are not finite, NaN and infinity among them; rows, channels and frames that are not as many as is said; a frame time
//! that is not greater than 0; two channels of one kind on a joint; more than 100,000 joints; text that is not UTF-8. Every error
//! names its line.
//!
//! # Memory
//! A file is read through a buffer of 64 KiB, so that loading takes the memory of its numbers, eight bytes each.

mod bvh;
mod channel;
mod error;
mod euler;
mod hierarchy;
mod motion;
mod posing;
mod rows;
mod skeleton;
mod source;
mod write;

pub use bvh::{Bvh, load, parse};
pub use channel::{Axis, Channel};
pub use error::{LoadError, WriteError};
pub use motion::Motion;
