//! Numbers as they are read and written (feature `serde`), where the derived forms are not enough.

pub(crate) mod number;
pub(crate) mod vector;

/// What weight and pull are where they are left out.
pub(crate) fn one() -> f64 {
    1.0
}
