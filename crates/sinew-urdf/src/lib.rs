//! URDF robots as [`sinew`] skeletons: links for goals, joints for coordinates.
//!
//! ```
//! use sinew::{Goal, Jacobian, Solver, Status, Workspace, glam::DVec3};
//!
//! let robot = sinew_urdf::parse(
//!     r#"<robot name="crane">
//!          <link name="base"/> <link name="boom"/> <link name="hook"/>
//!          <joint name="slew" type="continuous">
//!            <parent link="base"/> <child link="boom"/> <axis xyz="0 0 1"/>
//!          </joint>
//!          <joint name="trolley" type="prismatic">
//!            <parent link="boom"/> <child link="hook"/> <origin xyz="1 0 2"/>
//!            <limit lower="0" upper="3" effort="1" velocity="1"/>
//!          </joint>
//!        </robot>"#,
//! )?;
//! let (skeleton, hook) = (&robot.skeleton, robot.link("hook")?);
//! let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
//! let goal = Goal::position(hook, DVec3::new(0.0, 2.5, 2.0));
//! let outcome = Jacobian::default().solve(skeleton, &[goal], &mut pose, &mut work);
//! assert_eq!(outcome.status, Status::Reached);
//! let trolley = robot.coordinate("trolley").expect("a moving joint");
//! assert!((pose.coordinates()[trolley] - 1.5).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What becomes what
//! Every link is a joint of the skeleton, with the link's name, frame and mass; the first in the order added is the
//! root link, the others follow in the file's order of joints. What the link may do comes from the URDF joint above it:
//!
//! | URDF | skeleton | coordinates |
//! |---|---|---|
//! | `fixed` | fixed | |
//! | `revolute`, `continuous` | hinge, within its limit or free | the joint's name |
//! | `prismatic` | slide within its limit | the joint's name |
//! | `planar` | slide, slide, hinge at one place; the two in front have no name | `joint/x`, `joint/y`, `joint/theta` |
//! | `floating` | free | none: its link's local transform |
//!
//! Coordinates are in the file's order of joints. Those of a planar joint are named as in `MoveIt`; its x is
//! the joint frame's own axis least along the normal, laid into the plane (X for the normals Z and Y, Y for X), its y
//! is normal × x. Frames, angles and axes are the file's: model space is the root link's frame, in metres. The root is
//! pinned. To let it travel:
//!
//! ```
//! # let mut robot = sinew_urdf::parse(r#"<robot name="r"><link name="trunk"/></robot>"#)?;
//! let base = robot.base();
//! robot.skeleton = robot.skeleton.revised(|joint, spec| {
//!     if joint == base {
//!         spec.kind = sinew::Kind::Free;
//!     }
//! })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Mimic** joints share a coordinate, through any chain of them, and narrow its range to where all of them are inside
//! their own. One that in the end follows a fixed joint, or with a multiplier of 0, is fixed at its offset. Planar and
//! floating joints can neither mimic nor be mimicked. A joint that mimics one that does not exist has a value of its own,
//! which [`Robot::notes`] mentions.
//!
//! **Missing** is what the specification says: origins are the identity, axes (1, 0, 0), multipliers 1, offsets 0;
//! revolute and prismatic joints need a `<limit>`, whose `lower` and `upper` are 0. Where both are left out the joint
//! thus cannot move, which [`Robot::notes`] mentions. `quat_xyzw` of newer files is understood beside `rpy`.
//!
//! # What is ignored
//! Whatever else the file holds: `<visual>` and `<collision>` with their meshes, `<material>`, `<transmission>`,
//! `<gazebo>`, `<sensor>`, `<ros2_control>` and all elements with a prefix; inertia tensors and the rotation of
//! inertial frames; `effort` and `velocity`, also where they are missing; limits of continuous, planar and floating
//! joints, axes of fixed and floating ones; `<dynamics>`, `<calibration>` and `<safety_controller>`, so limits are the hard
//! ones; `<mimic>` on a fixed joint; the robot's `version`.
//!
//! # What is refused
//! Xacro, with what to run; document types, since they define entities; text that is not UTF-8; two links or two joints
//! of one name; whatever is no tree with one root; numbers that are not finite. Every error names element and line.
//!
//! # Why this parser
//! `quick-xml` is maintained, has no recursion, expands no entities and knows byte positions. `roxmltree` 0.21 takes
//! minutes for 270 kB of nested namespaces; `urdf-rs` 0.10 knows no lines, and takes nine of thirteen files that
//! must be refused, a limit of NaN among them.

mod element;
mod error;
mod joint;
mod link;
mod mimic;
mod robot;
mod skeleton;
mod text;
mod tree;
mod xml;

pub use error::LoadError;
pub use robot::{Robot, load, parse};
