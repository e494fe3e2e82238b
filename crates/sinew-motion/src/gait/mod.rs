//! Legs that walk from a path of the body alone: when to step, where to, and how the body follows its feet.
//!
//! A [`Gait`] is made once from a skeleton and its legs. [`Gait::step`] advances a [`GaitState`] by `dt` and puts the pose
//! there. Decisions are made at even ticks (1/120 s), and what lies between is exact, so frames of any rate show the same
//! walk. A foot that stands stays where it is until it lifts.
//!
//! A leg lifts when its turn in the stride comes (`cadence`), when it is late, or when it can no longer reach (`lift`). It never lifts
//! while a neighbour is in the air, unless the body runs or the leg would be stretched too far; of neighbours that wait, the one that
//! is stretched most or farthest behind goes first, and one that would land across another waits for it. It lands ahead of its rest
//! position under the body by half of the distance that it will fall behind, as the path quickens or slows down (`forecast`), on ground
//! that is neither steep nor an edge (`foothold`), where legs do not cross and reach (`beside`). Its way there goes over the ground
//! under ball, heel and toes, and around other legs (`way`).
//!
//! ```
//! use sinew::glam::DVec3;
//! use sinew::{JointSpec, SkeletonBuilder};
//! use sinew_motion::{Gait, GaitState, Leg, PathPoint, Plane};
//!
//! let mut builder = SkeletonBuilder::new();
//! builder.add(JointSpec::named("hips").translation(DVec3::Y * 0.9));
//! let mut leg = |joints: [&str; 3], aside: f64| {
//!     builder.add(JointSpec::named(joints[0]).child_of("hips").translation(DVec3::X * aside));
//!     builder.add(JointSpec::named(joints[1]).child_of(joints[0]).translation(DVec3::new(0.0, -0.45, 0.03)));
//!     builder.add(JointSpec::named(joints[2]).child_of(joints[1]).translation(DVec3::new(0.0, -0.45, -0.03)));
//! };
//! let names = [["thigh_l", "calf_l", "foot_l"], ["thigh_r", "calf_r", "foot_r"]];
//! leg(names[0], 0.1);
//! leg(names[1], -0.1);
//! let skeleton = builder.build()?;
//! let legs = [skeleton.joints(names[0])?.to_vec(), skeleton.joints(names[1])?.to_vec()].map(Leg::from);
//! let gait = Gait::new(&skeleton, &legs, DVec3::Y, DVec3::Z, None)?;
//!
//! let (slope, mut state) = (Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -0.1)), GaitState::default());
//! let velocity = DVec3::Z * gait.easy_speed();
//! for frame in 0..120 {
//!     let position = velocity * (f64::from(frame) / 60.0);
//!     let mut pose = skeleton.rest_pose();
//!     let path = PathPoint { position, forward: DVec3::Z, velocity, turning: 0.0 };
//!     gait.step(&skeleton, path, &slope, &mut pose, &mut state, 1.0 / 60.0);
//!     for (leg, foot) in state.feet().iter().enumerate() {
//!         // A foot that stands is where it came down.
//!         if let (Some(contact), Some(touching)) = (foot.contact(), gait.touching(leg)) {
//!             assert!(pose.position(touching).distance(contact) < 1e-9);
//!         }
//!     }
//! }
//! assert!(state.feet()[0].steps() > 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/clips.md` has a program that walks a recognised animal in a circle over bumps.

mod aloft;
mod beside;
mod body;
mod cadence;
mod error;
mod foothold;
mod forecast;
mod leg;
mod lift;
mod reach;
mod ride;
mod show;
mod state;
mod stride;
mod swing;
mod way;

use glam::DVec3;
use sinew::math::arc;
use sinew::{Joint, Pose, Skeleton};

use crate::feet::Leg;
use crate::ground::Ground;
pub use error::GaitError;
use leg::{Axes, Measured};
pub use state::{Foot, GaitState};

/// Seconds between decisions.
const TICK: f64 = 1.0 / 120.0;
/// Ticks at most in a step; what is longer starts anew where the path is then.
const MOST_TICKS: f64 = 360.0;

/// Where the body should be on its path, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// The middle between the hips, projected onto the ground. Its height only says on which floor the walk begins.
    pub position: DVec3,
    /// Direction in which the body faces; only its part along the ground counts.
    pub forward: DVec3,
    /// Velocity of the body (model units a second): how fast `position` moves. Feet land where it says that the body will be.
    pub velocity: DVec3,
    /// How fast `forward` turns about up (radians a second).
    pub turning: f64,
}

/// The ground near a place: where it is along up, and its normal.
type Near<'a> = &'a dyn Fn(DVec3) -> Option<(DVec3, DVec3)>;

/// Legs that walk. Lengths are in model units; settings may be changed at any time.
#[doc(alias = "procedural walk")]
#[doc(alias = "locomotion")]
#[derive(Clone, Debug)]
pub struct Gait {
    legs: Vec<Measured>,
    axes: Axes,
    /// Middle between the hips at rest, and how high the ground is there.
    pivot: DVec3,
    floor: f64,
    height: f64,
    /// Gravity (model units a second squared); 9.81 by default. It sets how quick a walk is for the size of the body. Change it by
    /// [`with_gravity`](Self::with_gravity), which also adapts the stiffness.
    pub gravity: f64,
    /// Height of a swinging foot over the ground; by default an eighth of the hips' height.
    pub clearance: f64,
    /// Highest step up or down; by default 0.45 of the hips' height.
    pub most_step: f64,
    /// Cosine of the steepest ground that feet choose; 0.7 by default.
    pub steepest: f64,
    /// Share of the ground's slope by which a body with more than two legs tilts; 0.8 by default.
    pub tilt: f64,
    /// Share of the way to the standing feet's middle that the body sways; 0.25 by default.
    pub sway: f64,
    /// How quickly the body follows its feet (1/s); by default twice the pendulum rate of its legs, `2 sqrt(g / h)`.
    pub stiffness: f64,
}

impl Gait {
    /// A gait of these legs. A leg with a `toe` has its ankle at the last of its `joints`, and touches the ground with the toe. Of the
    /// joints of others, from the hip to the ground, level links near the ground are taken for the foot ([`Leg::from`]). A foot
    /// `apart` goes along with the end of its leg and lies along the ground. Legs that are straight at rest bend as their mirror images do. `up` and `forward` are directions of the body at rest, in model space. `floor` is
    /// the height of the ground under the body at rest, along `up`; by default that of the lowest joint.
    ///
    /// # Errors
    /// Fewer than two legs, legs without a knee, not hanging down, or not of this skeleton; directions that are none.
    pub fn new(
        skeleton: &Skeleton,
        legs: &[Leg],
        up: DVec3,
        forward: DVec3,
        floor: Option<f64>,
    ) -> Result<Self, GaitError> {
        if legs.len() < 2 {
            return Err(GaitError::FewLegs { legs: legs.len() });
        }
        let up = arc::unit(up).ok_or(GaitError::Directions)?;
        let forward = arc::unit_reject(forward, up, 1e-3).ok_or(GaitError::Directions)?;
        let axes = Axes { up, forward, left: up.cross(forward) };
        let rest = skeleton.rest_pose();
        if let Some(leg) =
            legs.iter().position(|leg| leg.joints.is_empty() || !leg.all().all(|joint| skeleton.contains(joint)))
        {
            return Err(GaitError::Broken { leg });
        }
        let lowest = || legs.iter().flat_map(Leg::all).map(|joint| rest.position(joint).dot(up));
        let floor = floor.unwrap_or_else(|| lowest().fold(f64::INFINITY, f64::min));
        let hips: DVec3 = legs.iter().map(|leg| rest.position(leg.joints[0])).sum::<DVec3>() / legs.len() as f64;
        let knee = |leg: &Leg| match legs.len() {
            3 | 4 if (rest.position(leg.joints[0]) - hips).dot(forward) > 0.0 => -forward,
            2..=4 => forward,
            _ => up,
        };
        let measure = |(index, leg)| Measured::new(skeleton, &rest, index, leg, &axes, floor, knee(leg));
        let mut legs = legs.iter().enumerate().map(measure).collect::<Result<Vec<_>, _>>()?;
        axes.bend_as_mirrored(&mut legs);
        let height = legs.iter().map(|leg| leg.hip.dot(up) - floor).sum::<f64>() / legs.len() as f64;
        let middle: DVec3 = legs.iter().map(|leg| leg.hip).sum::<DVec3>() / legs.len() as f64;
        let gravity = 9.81;
        let mut gait = Self {
            legs,
            axes,
            pivot: middle,
            floor,
            height,
            gravity,
            clearance: 0.125 * height,
            most_step: 0.45 * height,
            steepest: 0.7,
            tilt: 0.8,
            sway: 0.25,
            stiffness: 0.0,
        };
        gait.stiffness = 2.0 * sinew::math::ops::sqrt(gravity / height);
        gait.find_neighbours();
        Ok(gait)
    }

    /// The same under another gravity (model units a second squared), with the default stiffness for it.
    #[must_use]
    pub fn with_gravity(self, gravity: f64) -> Self {
        let stiffness = 2.0 * sinew::math::ops::sqrt(gravity / self.height);
        Self { gravity, stiffness, ..self }
    }

    /// Height of the ground under the body at rest, along up (model units).
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// Height of the hips over the ground at rest (model units).
    pub fn height(&self) -> f64 {
        self.height
    }

    /// An easy walk (model units a second): 0.4 of `sqrt(g h)`.
    pub fn easy_speed(&self) -> f64 {
        0.4 * sinew::math::ops::sqrt(self.gravity * self.height)
    }

    /// Number of legs.
    pub fn legs(&self) -> usize {
        self.legs.len()
    }

    /// The joint of a leg that touches the ground; `None` where there is no such leg.
    pub fn touching(&self, leg: usize) -> Option<Joint> {
        self.legs.get(leg).map(|leg| leg.touching)
    }

    /// Indices of the legs next to a leg, around the body; empty where there is no such leg.
    pub fn neighbours(&self, leg: usize) -> &[usize] {
        self.legs.get(leg).map_or(&[], |leg| &leg.neighbours)
    }

    /// Advances the walk by `dt` seconds to a point of the path, and puts the pose there: the roots are moved and the legs are
    /// placed; all else stays as given. Set the pose anew each frame (to rest, or from an animation). The walk starts anew,
    /// standing, when the path jumps, when `dt` is more than three seconds, and with the state of another gait. Input that is
    /// not finite leaves state and pose as they are. Does not allocate after the first call.
    ///
    /// # Panics
    /// Where the pose is another skeleton's.
    pub fn step(
        &self,
        skeleton: &Skeleton,
        path: PathPoint,
        ground: &dyn Ground,
        pose: &mut Pose,
        state: &mut GaitState,
        dt: f64,
    ) {
        let finite =
            path.position.is_finite() && path.velocity.is_finite() && path.turning.is_finite() && dt.is_finite();
        let Some(forward) = arc::unit_reject(path.forward, self.axes.up, 1e-6).filter(|_| finite && dt >= 0.0) else {
            return;
        };
        let path = PathPoint { forward, ..path };
        let rise = self.axes.up * (1.05 * self.most_step);
        let ground = |at: DVec3| ground.below(at + rise, self.axes.up).map(|found| (found.position, found.normal));
        let ground: Near<'_> = &ground;
        let leap = |from: &PathPoint| {
            let way = arc::length(arc::reject(path.position - from.position, self.axes.up));
            way > 2.0 * self.height + 2.0 * dt * (arc::length(path.velocity) + arc::length(from.velocity))
        };
        if state.feet.len() != self.legs.len() || dt > MOST_TICKS * TICK || state.last.as_ref().is_none_or(leap) {
            self.stand(&path, ground, state);
        }
        let from = state.last.unwrap_or(path);
        let mut at = TICK - state.since;
        state.since += dt;
        while state.since >= TICK {
            let share = if dt > 0.0 { (at / dt).clamp(0.0, 1.0) } else { 1.0 };
            self.tick(&between(&from, &path, dt, share, self.axes.up), ground, state);
            state.since -= TICK;
            at += TICK;
        }
        state.last = Some(path);
        self.show(skeleton, &path, pose, state);
    }
}

/// The path between two points, as cubic as their speeds make it.
fn between(from: &PathPoint, to: &PathPoint, time: f64, share: f64, up: DVec3) -> PathPoint {
    let (s, t) = (share, 1.0 - share);
    let (a, b) = (from.velocity * time, to.velocity * time);
    let position =
        from.position * (t * t * (1.0 + 2.0 * s)) + to.position * (s * s * (1.0 + 2.0 * t)) + a * (s * t * t)
            - b * (s * s * t);
    let turn = arc::arc(from.forward, to.forward, up);
    PathPoint {
        position,
        forward: arc::part_of_turn(glam::DQuat::IDENTITY, turn, s) * from.forward,
        velocity: from.velocity * t + to.velocity * s,
        turning: from.turning * t + to.turning * s,
    }
}
