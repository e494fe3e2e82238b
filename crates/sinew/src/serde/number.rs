//! Numbers that may be infinite. Formats for people, such as JSON, have no word for that: there it is `null`, which is read as
//! "no bound". The functions here are for what is unbounded above; [`low`] is for what is unbounded below.
#![allow(clippy::trivially_copy_pass_by_ref)] // Serde hands over references.

use serde::de::{Error, Unexpected};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    write(*number, f64::INFINITY, serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    read(f64::INFINITY, deserializer)
}

/// The same for lower ends: no bound is minus infinity.
pub(crate) mod low {
    use serde::{Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        super::write(*number, f64::NEG_INFINITY, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        super::read(f64::NEG_INFINITY, deserializer)
    }
}

fn write<S: Serializer>(number: f64, unbounded: f64, serializer: S) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        serializer.serialize_f64(number)
    } else if number == unbounded {
        serializer.serialize_none()
    } else if number.is_finite() {
        Some(number).serialize(serializer)
    } else {
        Err(S::Error::custom("a number that is none, or infinite the wrong way"))
    }
}

fn read<'de, D: Deserializer<'de>>(unbounded: f64, deserializer: D) -> Result<f64, D::Error> {
    let number = if deserializer.is_human_readable() {
        Option::deserialize(deserializer)?.unwrap_or(unbounded)
    } else {
        f64::deserialize(deserializer)?
    };
    if number.is_nan() {
        return Err(D::Error::invalid_value(Unexpected::Float(number), &"a number"));
    }
    Ok(number)
}
