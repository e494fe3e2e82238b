//! One `<joint>`: its type, place, axis, limit and whom it mimics.

use glam::DVec3;
use sinew::limit::Range;
use sinew::math::arc;
use sinew::{Kind, Transform};

use crate::error::{Fault, quoted};
use crate::xml::Element;

#[derive(Debug)]
pub(crate) struct UrdfJoint<'a> {
    pub(crate) element: &'a Element,
    pub(crate) name: &'a str,
    pub(crate) parent: &'a str,
    pub(crate) child: &'a str,
    pub(crate) motion: Motion,
    /// Frame of the child link in the parent link's while the joint is at 0.
    pub(crate) origin: Transform,
    pub(crate) mimic: Option<Mimic<'a>>,
    /// Whether it has a limit that sets neither end.
    pub(crate) is_limit_empty: bool,
}

/// What a joint type lets the child link do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Motion {
    /// A fixed, hinge, slide or free kind.
    One(Kind),
    /// Anywhere in the plane with this unit normal.
    Planar(DVec3),
}

/// `value = multiplier · value of the joint called of + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mimic<'a> {
    pub(crate) element: &'a Element,
    pub(crate) of: &'a str,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
}

impl<'a> UrdfJoint<'a> {
    pub(crate) fn read(element: &'a Element) -> Result<Self, Fault> {
        let name = element.named()?;
        let inside = |fault: Fault| fault.within(element);
        let kind = element.required("type")?;
        let motion = read_motion(element, kind)?;
        let mimic = element.child("mimic").filter(|_| !matches!(motion, Motion::One(Kind::Fixed)));
        let mimic = mimic.map(Mimic::read).transpose().map_err(inside)?;
        let link = |end| element.required_child(end).and_then(|end| end.required("link").map_err(inside));
        let sets = |limit: &Element, end: &str| limit.attributes.iter().any(|(key, _)| key == end);
        let limit = element.child("limit").filter(|_| matches!(kind, "revolute" | "prismatic"));
        Ok(Self {
            element,
            name,
            parent: link("parent")?,
            child: link("child")?,
            motion,
            origin: element.origin()?,
            mimic,
            is_limit_empty: limit.is_some_and(|limit| !sets(limit, "lower") && !sets(limit, "upper")),
        })
    }

    /// The kind of a joint with one value.
    pub(crate) fn single(&self) -> Option<Kind> {
        match self.motion {
            Motion::One(kind @ (Kind::Hinge { .. } | Kind::Slide { .. })) => Some(kind),
            _ => None,
        }
    }

    /// Whether it never moves by its type.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self.motion, Motion::One(Kind::Fixed))
    }

    /// Frame of the child link while the joint has a value.
    pub(crate) fn frame_at(&self, value: f64) -> Transform {
        let mut frame = self.origin;
        match self.single() {
            Some(Kind::Hinge { axis, .. }) => frame.rotation *= arc::axis_angle(axis, value),
            Some(Kind::Slide { axis, .. }) => frame.translation += frame.rotation * (axis * value),
            _ => {}
        }
        frame
    }
}

impl<'a> Mimic<'a> {
    fn read(element: &'a Element) -> Result<Self, Fault> {
        let of = element.required("joint")?;
        let multiplier = element.number("multiplier")?.unwrap_or(1.0);
        let offset = element.number("offset")?.unwrap_or(0.0);
        Ok(Self { element, of, multiplier, offset })
    }
}

fn read_motion(element: &Element, kind: &str) -> Result<Motion, Fault> {
    let axis = || read_axis(element).map_err(|fault| fault.within(element));
    Ok(match kind {
        "fixed" => Motion::One(Kind::Fixed),
        "floating" => Motion::One(Kind::Free),
        "continuous" => Motion::One(Kind::hinge(axis()?)),
        "revolute" => Motion::One(Kind::Hinge { axis: axis()?, range: read_range(element)? }),
        "prismatic" => Motion::One(Kind::Slide { axis: axis()?, range: read_range(element)? }),
        "planar" => Motion::Planar(axis()?),
        other => {
            let problem = format!("{} is no type of joint", quoted(other));
            let types = "the types are revolute, continuous, prismatic, fixed, floating and planar";
            return Err(Fault::new(element, problem).advise(types));
        }
    })
}

fn read_axis(joint: &Element) -> Result<DVec3, Fault> {
    let Some(element) = joint.child("axis") else { return Ok(DVec3::X) };
    let xyz = element.vector("xyz")?.ok_or_else(|| Fault::new(element, "its xyz is missing"))?;
    arc::unit(xyz).ok_or_else(|| Fault::new(element, "an axis of length 0 has no direction"))
}

fn read_range(joint: &Element) -> Result<Range, Fault> {
    let Some(limit) = joint.child("limit") else {
        let fault = Fault::new(joint, "<limit> is missing, which revolute and prismatic joints need");
        return Err(fault.advise("add one, or make the joint continuous"));
    };
    let end = |key| limit.number(key).map_err(|fault| fault.within(joint)).map(Option::unwrap_or_default);
    let range = Range::new(end("lower")?, end("upper")?);
    if !range.is_valid() {
        let problem = format!("lower {} lies above upper {}", range.min, range.max);
        return Err(Fault::new(limit, problem).within(joint).advise("exchange them (what is left out is 0)"));
    }
    Ok(range)
}
