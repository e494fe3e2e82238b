//! The keys of one property of one node, and what is between them.
//!
//! Before the first key the first value holds, after the last key the last one. Nothing is copied: keys are
//! read from the bytes of the file as they lie, also where they are normalised integers or sparse.
//!
//! Source: Khronos, "glTF 2.0 Specification", section 3.11 and appendix C (Interpolation Modes).

use glam::DQuat;
use sinew::Rotation;
use sinew::math::arc;

use crate::accessor::{Accessors, Column};
use crate::buffer::Buffers;
use crate::channel::{Sampler, Way};
use crate::clip::Property;
use crate::element::Shape;
use crate::error::Fault;

/// Numbers of a value; of translations and scales the last is 0.
type Numbers = [f64; 4];

/// How a property goes in time.
#[derive(Debug)]
pub(crate) struct Curve<'a> {
    times: Column<'a, 1>,
    values: Values<'a>,
    way: Way,
}

#[derive(Debug)]
enum Values<'a> {
    /// Translations or scales.
    Vectors(Column<'a, 3>),
    /// Unit quaternions, but for rounding.
    Rotations(Column<'a, 4>),
}

impl<'a> Curve<'a> {
    /// Opens a sampler and looks at every key. `None` where there is no key.
    ///
    /// # Errors
    /// Data that is not in the file, times that go back, values that are not finite or not rotations.
    pub(crate) fn open(
        sampler: Sampler,
        property: Property,
        accessors: &Accessors,
        buffers: &'a Buffers,
    ) -> Result<Option<Self>, Fault> {
        let (input, output) = (sampler.input, sampler.output);
        let values = if property == Property::Rotation {
            accessors.keys(output, Shape::Vec4, buffers).map(Values::Rotations)
        } else {
            accessors.keys(output, Shape::Vec3, buffers).map(Values::Vectors)
        };
        let times = accessors.keys(input, Shape::Scalar, buffers).map_err(|fault| fault.entry("accessors", input))?;
        let values = values.map_err(|fault| fault.entry("accessors", output))?;
        let curve = Self { times, values, way: sampler.way };
        curve.check_times().map_err(|fault| fault.entry("accessors", input))?;
        curve.check_values().map_err(|fault| fault.entry("accessors", output))?;
        Ok((curve.times.len() > 0).then_some(curve))
    }

    fn check_times(&self) -> Result<(), Fault> {
        if self.times.is_made_up() && self.times.len() > 1 {
            return Err(Fault::new("the times of keys have no data, so all are 0").at("bufferView"));
        }
        let mut before = f64::NEG_INFINITY;
        for key in 0..self.times.len() {
            let time = self.time(key);
            if !(time.is_finite() && time >= before) {
                let problem = format!("key {key} is at {time} s, which is not later than the one before");
                return Err(Fault::new(problem));
            }
            before = time;
        }
        Ok(())
    }

    fn check_values(&self) -> Result<(), Fault> {
        let cubic = self.way == Way::CubicSpline;
        let rotates = matches!(self.values, Values::Rotations(_));
        for index in 0..self.times.len() * self.way.values_per_key() {
            let value = self.value(index);
            if !value.iter().all(|number| number.is_finite()) {
                return Err(Fault::new(format!("element {index} is NaN or infinite")));
            }
            // Tangents are no rotations.
            if rotates && (!cubic || index % 3 == 1) && unit(value).is_nan() {
                return Err(Fault::new(format!("element {index} is no rotation")));
            }
        }
        Ok(())
    }

    /// When the first key is, and when the last (seconds).
    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.time(0), self.time(self.times.len().saturating_sub(1))]
    }

    /// When every key is (seconds).
    pub(crate) fn times(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.times.len()).map(|key| self.time(key))
    }

    /// The value at a moment (seconds): x, y, z and, of a unit quaternion, w.
    pub(crate) fn at(&self, time: f64) -> Numbers {
        let next = self.first_after(time);
        let Some(last) = next.checked_sub(1) else { return self.key(0) };
        let from = self.time(last);
        if next >= self.times.len() || self.way == Way::Step || time <= from {
            return self.key(last);
        }
        let (length, rotates) = (self.time(next) - from, matches!(self.values, Values::Rotations(_)));
        let share = (time - from) / length;
        if self.way == Way::CubicSpline {
            let value = self.spline(last, length, share);
            let turned = if rotates { unit(value) } else { DQuat::from_array(value) };
            return if turned.is_nan() { self.key(last) } else { turned.to_array() };
        }
        let (a, b) = (self.key(last), self.key(next));
        if rotates {
            return arc::part_of_turn(DQuat::from_array(a), DQuat::from_array(b), share).to_array();
        }
        std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share)
    }

    /// The same as the file has it where the moment is that of a key: a quaternion is then unit but for rounding.
    pub(crate) fn stored_at(&self, time: f64) -> Numbers {
        let last = self.first_after(time).saturating_sub(1);
        let is_key = time == self.time(last);
        if is_key { self.value(self.element(last)) } else { self.at(time) }
    }

    /// The number of the first key that is later; as many as there are where none is.
    fn first_after(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.times.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.time(middle) <= time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Appendix C.5: Hermite's cubic from one key to the next, tangents per second.
    fn spline(&self, key: usize, length: f64, t: f64) -> Numbers {
        let (t2, t3) = (t * t, t * t * t);
        let (v, b) = (self.value(3 * key + 1), self.value(3 * key + 2));
        let (a, w) = (self.value(3 * key + 3), self.value(3 * key + 4));
        let (at_v, at_b) = (2.0 * t3 - 3.0 * t2 + 1.0, length * (t3 - 2.0 * t2 + t));
        let (at_w, at_a) = (-2.0 * t3 + 3.0 * t2, length * (t3 - t2));
        std::array::from_fn(|i| at_v * v[i] + at_b * b[i] + at_w * w[i] + at_a * a[i])
    }

    /// The value at a key.
    fn key(&self, key: usize) -> Numbers {
        let value = self.value(self.element(key));
        if matches!(self.values, Values::Rotations(_)) { unit(value).to_array() } else { value }
    }

    /// The element of the output that is a key's value.
    fn element(&self, key: usize) -> usize {
        if self.way == Way::CubicSpline { 3 * key + 1 } else { key }
    }

    fn time(&self, key: usize) -> f64 {
        self.times.row(key).map_or(f64::NAN, |[time]| time)
    }

    /// An element of the output as it is in the file.
    fn value(&self, index: usize) -> Numbers {
        match &self.values {
            Values::Vectors(column) => column.row(index).map_or([f64::NAN; 4], |[x, y, z]| [x, y, z, 0.0]),
            Values::Rotations(column) => column.row(index).unwrap_or([f64::NAN; 4]),
        }
    }
}

/// The rotation that a quaternion means; NaN where it means none.
fn unit(quaternion: Numbers) -> DQuat {
    Rotation::from(DQuat::from_array(quaternion)).quaternion()
}
