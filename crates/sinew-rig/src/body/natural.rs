//! How people hold what goals leave free: knees, elbows, collar bones and the joints of the trunk, each as a linear function
//! of a few directions, fitted to motion capture.
//!
//! What is on the right is mirrored to the left before, and back after, so that both sides are alike. Directions are in the
//! frame that the part hangs on (hips for a knee, chest for an elbow), x out to the side, y up, z ahead. The numbers are in
//! [`super::coefficients`].

use glam::{DMat3, DQuat, DVec3};
use sinew::math::arc;
use sinew::math::ops::sqrt;

use super::coefficients::{COLLAR, ELBOW, ELBOW_FREE, HIPS_PLACE, HIPS_TURN, KNEE, KNEE_FREE, PITCH, ROLL, YAW};
use super::turn::turn_by;

/// Share of where an elbow would point without a turned hand, beside where it points with it: a hand that flicks does not whirl its elbow
/// about.
pub const STEADY: f64 = 0.1;

/// An elbow or knee goes at least so much with where it would point without a turned hand or foot, with a transition, where that is longer
/// than `KNOWN`.
pub const LEAST: f64 = 0.3;
/// The width of that. HEURISTIC: with 0.1 the elbow of a clip turned by 52° in a frame (`cmu_131_01`); the wider, the farther from the people seen.
pub const SOFT: f64 = 0.5;
/// A direction so long is known in full.
pub const KNOWN: f64 = 0.3;

/// Left and right changed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side(pub(super) f64);

impl Side {
    /// A direction.
    pub(super) fn flip(self, v: DVec3) -> DVec3 {
        DVec3::new(v.x * self.0, v.y, v.z)
    }

    /// A rotation vector.
    pub(super) fn flip_turn(self, v: DVec3) -> DVec3 {
        DVec3::new(v.x, v.y * self.0, v.z * self.0)
    }

    /// The axes of a rotation.
    fn axes(self, rotation: DQuat) -> [DVec3; 3] {
        let axes = DMat3::from_quat(rotation);
        [self.flip(axes.x_axis) * self.0, self.flip(axes.y_axis), self.flip(axes.z_axis)]
    }
}

/// One and directions, as numbers.
fn listed<const N: usize>(directions: &[DVec3]) -> [f64; N] {
    let mut all = [1.0; N];
    for (place, direction) in directions.iter().enumerate() {
        direction.write_to_slice(&mut all[1 + 3 * place..]);
    }
    all
}

/// What a knee depends on: the direction from hip to foot, and the axis of the foot that points to the side.
pub(super) fn knee_features(line: DVec3, foot: DQuat, side: Side) -> [f64; 7] {
    listed(&[side.flip(line), side.axes(foot)[0]])
}

/// What an elbow depends on: the direction from shoulder to hand, and the axes of the hand.
pub(super) fn elbow_features(line: DVec3, hand: DQuat, side: Side) -> [f64; 13] {
    let [x, y, z] = side.axes(hand);
    listed(&[side.flip(line), x, y, z])
}

/// What an elbow depends on where the hand may turn as it likes: the direction from shoulder to hand, and how far the hand is, as a
/// share of the arm. The elbow of a hand at the chest hangs lower than that of a hand held out the same way.
pub(super) fn elbow_free_features(line: DVec3, far: f64, side: Side) -> [f64; 8] {
    let line = side.flip(line);
    let [x, y, z] = line.to_array();
    let far = far.min(1.0);
    [1.0, x, y, z, far, far * x, far * y, far * z]
}

/// What a collar bone depends on: where the hand is, from the shoulder of the T-pose, in lengths of the arm.
pub(super) fn collar_features(hand: DVec3, side: Side) -> [f64; 4] {
    listed(&[side.flip(hand)])
}

/// Where a knee points, in the frame of the hips; not of unit length, and not square to the line.
pub(super) fn knee(line: DVec3, foot: Option<DQuat>, side: Side) -> DVec3 {
    let own = side.flip(line);
    let free = weighted(&KNEE_FREE, &listed::<4>(&[own]));
    side.flip(match foot {
        Some(foot) => ahead(weighted(&KNEE, &knee_features(line, foot, side)), arc::reject(free, own)),
        None => free,
    })
}

/// Where an elbow points, in the frame of the chest; not of unit length, and not square to the line.
pub(super) fn elbow(line: DVec3, far: f64, hand: Option<DQuat>, side: Side) -> DVec3 {
    let free = weighted(&ELBOW_FREE, &elbow_free_features(line, far, side));
    side.flip(match hand {
        Some(hand) => {
            let told = weighted(&ELBOW, &elbow_features(line, hand, side)) + STEADY * free;
            ahead(told, arc::reject(free, side.flip(line)))
        }
        None => free,
    })
}

/// A direction that goes with another at least a little: where it would not, it would turn about the faster the shorter it is.
fn ahead(told: DVec3, with: DVec3) -> DVec3 {
    let long = arc::length(with);
    let Some(way) = arc::unit(with) else { return told };
    let over = told.dot(way) - LEAST;
    let missing = 0.5 * (sqrt(over * over + SOFT * SOFT) - over);
    told + way * (missing * (long / KNOWN).min(1.0))
}

/// How a collar bone is turned against the chest.
pub(super) fn collar(hand: DVec3, side: Side) -> DQuat {
    turn_by(side.flip_turn(weighted(&COLLAR, &collar_features(hand, side))))
}

/// What the trunk depends on, in the frame of the hips: how the line from its first joint to the head leans, how the head is
/// turned, both as rotation vectors, by how much the line is longer than in the T-pose (share), and where the hands are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trunk {
    pub(super) lean: DVec3,
    pub(super) head: DVec3,
    pub(super) stretch: f64,
    /// From the right hand to the left, and from the head to between them, in lengths of an arm.
    pub(super) hands: [DVec3; 2],
}

impl Trunk {
    /// For nodding; times each the place along the trunk.
    pub(super) fn pitch_features(&self, at: f64) -> [f64; 12] {
        let (s, g, [_, middle]) = (self.lean, self.head, self.hands);
        along([s.x, g.x, 1.0, self.stretch, middle.y, middle.z], at)
    }

    /// For turning and for leaning aside.
    pub(super) fn side_features(&self, at: f64) -> [f64; 14] {
        let (s, g, [across, middle]) = (self.lean, self.head, self.hands);
        along([s.y, s.z, g.y, g.z, across.y, across.z, middle.x], at)
    }

    /// The same with left and right changed over.
    #[cfg(feature = "fit")]
    pub(super) fn mirrored(&self) -> Self {
        let side = Side(-1.0);
        let [across, middle] = self.hands;
        Self {
            lean: side.flip_turn(self.lean),
            head: side.flip_turn(self.head),
            hands: [-side.flip(across), side.flip(middle)],
            ..*self
        }
    }

    /// How the joint at a place along the trunk (0 the first joint, 1 the head) is turned against the hips.
    pub(super) fn rotation(&self, at: f64) -> DQuat {
        let side = self.side_features(at);
        let turn = DVec3::new(dot(&PITCH, &self.pitch_features(at)), dot(&YAW, &side), dot(&ROLL, &side));
        turn_by(turn)
    }
}

/// What hips depend on that are not told, seen from above as the head is turned about the upright.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stance {
    /// How the head nods and leans aside (rotation vector).
    pub(super) head: DVec3,
    /// By how much the head is higher than in a body that stands (share of its height above the feet).
    pub(super) rise: f64,
    /// From the right hand to the left, and from the head to between them, in lengths of an arm.
    pub(super) hands: [DVec3; 2],
}

impl Stance {
    pub(super) fn features(&self) -> [f64; 11] {
        let (head, [across, middle]) = (self.head, self.hands);
        let rise = self.rise;
        [1.0, head.x, head.z, rise, rise * rise, across.x, across.y, across.z, middle.x, middle.y, middle.z]
    }

    /// The same with left and right changed over.
    #[cfg(feature = "fit")]
    pub(super) fn mirrored(&self) -> Self {
        let side = Side(-1.0);
        let [across, middle] = self.hands;
        Self { head: side.flip_turn(self.head), hands: [-side.flip(across), side.flip(middle)], ..*self }
    }

    /// From the head to the hips, in heights of the head above the feet of a body that stands.
    pub(super) fn place(&self) -> DVec3 {
        weighted(&HIPS_PLACE, &self.features())
    }

    /// How the hips are turned.
    pub(super) fn rotation(&self) -> DQuat {
        turn_by(weighted(&HIPS_TURN, &self.features()))
    }
}

/// Each value, and times the place along the trunk.
fn along<const N: usize, const M: usize>(values: [f64; N], at: f64) -> [f64; M] {
    core::array::from_fn(|place| if place % 2 == 0 { values[place / 2] } else { values[place / 2] * at })
}

fn dot<const N: usize>(weights: &[f64; N], features: &[f64; N]) -> f64 {
    weights.iter().zip(features).map(|(a, b)| a * b).sum()
}

fn weighted<const N: usize>(rows: &[[f64; 3]; N], features: &[f64; N]) -> DVec3 {
    let row = |sum: DVec3, (row, feature): (&[f64; 3], &f64)| sum + DVec3::from_array(*row) * *feature;
    rows.iter().zip(features).fold(DVec3::ZERO, row)
}
