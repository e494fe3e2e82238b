//! What an element says: names, numbers, frames.

use glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Rotation, Transform};

use crate::error::{Fault, quoted};
use crate::xml::{Element, RUN_XACRO};

impl Element {
    /// The first element of this name in it.
    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The first element of this name in it, which must be there.
    pub(crate) fn required_child(&self, name: &str) -> Result<&Element, Fault> {
        self.child(name).ok_or_else(|| Fault::new(self, format!("<{name}> is missing")))
    }

    /// An attribute's text.
    pub(crate) fn text(&self, key: &str) -> Result<Option<&str>, Fault> {
        let Some((_, value)) = self.attributes.iter().find(|(name, _)| name == key) else { return Ok(None) };
        if value.contains("${") || value.contains("$(") {
            let problem = format!("{key}={} is for xacro to work out", quoted(value));
            return Err(Fault::new(self, problem).advise(RUN_XACRO));
        }
        Ok(Some(value))
    }

    /// An attribute's text, which must be there.
    pub(crate) fn required(&self, key: &str) -> Result<&str, Fault> {
        self.text(key)?.ok_or_else(|| Fault::new(self, format!("its {key} is missing")))
    }

    /// Its name, which must be there and not empty.
    pub(crate) fn named(&self) -> Result<&str, Fault> {
        let name = self.required("name")?;
        if name.is_empty() { Err(Fault::new(self, "its name is empty")) } else { Ok(name) }
    }

    /// An attribute that is one finite number.
    pub(crate) fn number(&self, key: &str) -> Result<Option<f64>, Fault> {
        Ok(self.numbers::<1>(key)?.map(|[number]| number))
    }

    /// An attribute that is three finite numbers.
    pub(crate) fn vector(&self, key: &str) -> Result<Option<DVec3>, Fault> {
        Ok(self.numbers::<3>(key)?.map(DVec3::from_array))
    }

    fn numbers<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, Fault> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let fault = |problem: &str| {
            let fault = Fault::new(self, format!("{key}={} {problem}", quoted(text)));
            fault.advise("write numbers as 0.5 or 1e-3, with a point, and separate them by spaces")
        };
        let mut numbers = [0.0; N];
        let mut words = text.split_whitespace();
        for number in &mut numbers {
            let word = words.next().ok_or_else(|| fault(&format!("holds less than {N}")))?;
            let value: f64 = word.parse().map_err(|_| fault("is no number"))?;
            *number = value;
            if !value.is_finite() {
                return Err(fault("is not finite"));
            }
        }
        if words.next().is_some() { Err(fault(&format!("holds more than {N}"))) } else { Ok(Some(numbers)) }
    }

    /// The frame of the `<origin>` in it; the identity where there is none.
    pub(crate) fn origin(&self) -> Result<Transform, Fault> {
        let Some(origin) = self.child("origin") else { return Ok(Transform::IDENTITY) };
        origin.frame().map_err(|fault| fault.within(self))
    }

    fn frame(&self) -> Result<Transform, Fault> {
        let translation = self.vector("xyz")?.unwrap_or_default();
        let rotation = match (self.vector("rpy")?, self.numbers::<4>("quat_xyzw")?) {
            (Some(_), Some(_)) => return Err(Fault::new(self, "it has both rpy and quat_xyzw")),
            (angles, None) => from_rpy(angles.unwrap_or_default()),
            (None, Some(xyzw)) => Rotation::from(DQuat::from_array(xyzw)).quaternion(),
        };
        if rotation.is_nan() {
            return Err(Fault::new(self, "its quat_xyzw has no length"));
        }
        Ok(Transform { translation, rotation, ..Transform::IDENTITY })
    }
}

/// Roll about x, then pitch about y, then yaw about z, all fixed axes (radians).
fn from_rpy(angles: DVec3) -> DQuat {
    let [roll, pitch, yaw] = angles.to_array();
    let about = |axis, angle| arc::axis_angle(axis, angle);
    about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll)
}
