//! Three numbers that may be infinite, one by one as [`number`](super::number) has them.

use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
use glam::DVec3;

/// One of the three.
#[derive(Serialize, Deserialize)]
struct Component(#[serde(with = "super::number")] f64);

pub(crate) fn serialize<S: Serializer>(vector: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
    vector.to_array().map(Component).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DVec3, D::Error> {
    <[Component; 3]>::deserialize(deserializer).map(|all| DVec3::from_array(all.map(|one| one.0)))
}
