//! One `<link>`: a name and perhaps a mass.

use sinew::Mass;

use crate::error::Fault;
use crate::xml::Element;

#[derive(Debug)]
pub(crate) struct Link<'a> {
    pub(crate) element: &'a Element,
    pub(crate) name: &'a str,
    pub(crate) mass: Mass,
}

impl<'a> Link<'a> {
    pub(crate) fn read(element: &'a Element) -> Result<Self, Fault> {
        let name = element.named()?;
        let mass = match element.child("inertial") {
            Some(inertial) => read_mass(inertial).map_err(|fault| fault.within(element))?,
            None => Mass::default(),
        };
        Ok(Self { element, name, mass })
    }
}

fn read_mass(inertial: &Element) -> Result<Mass, Fault> {
    let center = inertial.origin()?.translation;
    let element = inertial.required_child("mass")?;
    let mass =
        element.number("value").and_then(|value| value.ok_or_else(|| Fault::new(element, "its value is missing")));
    let mass = mass.map_err(|fault| fault.within(inertial))?;
    if mass < 0.0 {
        return Err(Fault::new(element, format!("a mass of {mass} is negative")).within(inertial));
    }
    Ok(Mass { mass, center })
}
