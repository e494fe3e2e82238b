//! Goals are refused where no solver would take their numbers. Whether their joints are a skeleton's only a solve can tell.

use ::serde::de::Error;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
use glam::DQuat;

use super::{Goal, GoalError, Target};
use crate::math::arc;

/// How far the square of a rotation's length may be from 1 by rounding.
const ROUNDING: f64 = 1e-14;

impl Serialize for Goal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Goal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut goal = Self::deserialize(deserializer)?;
        if let Target::Rotation(rotation) | Target::Frame { rotation, .. } = &mut goal.target {
            *rotation = unit(*rotation).ok_or_else(|| D::Error::custom(GoalError::Target))?;
        }
        goal.check_numbers().map_err(D::Error::custom)?;
        Ok(goal)
    }
}

/// The rotation at length 1, the same bits where it has it; none of length 0 or of what is not finite.
fn unit(rotation: DQuat) -> Option<DQuat> {
    let square = rotation.length_squared();
    if (square - 1.0).abs() <= ROUNDING {
        return Some(rotation);
    }
    (square.is_finite() && square > 0.0).then(|| arc::normalize(rotation))
}
