//! Places as users write them: in the scene, from where the joint is, from another joint, or in the body's own axes and height.

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DQuat, DVec3};
use sinew::math::arc;
use sinew::{Joint, Pose};
use sinew_rig::{Part, Role};

use crate::rig::Rig;
use crate::subject::Subject;
use crate::text;
use crate::value::Use;

/// What may stand after the `=`.
const FORMS: &str =
    "X,Y,Z, +X,Y,Z from where the joint is, JOINT or JOINT+X,Y,Z, or @LEFT,UP,AHEAD in shares of the body's height";

/// What places are measured from, where they are not the scene's.
pub(crate) struct Measures<'a> {
    /// The pose that the solve starts from.
    pub(crate) start: &'a Pose,
    pub(crate) body: BodyAxes,
}

/// A body's own axes and height, where it starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyAxes {
    /// On the floor, below the hips.
    origin: DVec3,
    left: DVec3,
    up: DVec3,
    ahead: DVec3,
    height: f64,
    /// By how much the floor at the start is above the floor at rest.
    rise: f64,
}

impl BodyAxes {
    /// Of a rig as it was recognised; the floor is below all that it has, mesh or joints.
    pub(crate) fn of(rig: &Rig) -> Self {
        let (skeleton, found) = (rig.skeleton(), rig.found());
        let (rest, start, up) = (skeleton.rest_pose(), rig.start(), found.up);
        let lowest =
            |pose: &Pose| skeleton.iter().map(|joint| pose.position(joint).dot(up)).fold(f64::INFINITY, f64::min);
        let rise = if skeleton.is_empty() { 0.0 } else { lowest(start) - lowest(&rest) };
        let mesh: Vec<DVec3> = rig.figure.surface(&rest).into_iter().flatten().collect();
        let joints = || skeleton.iter().map(|joint| rest.position(joint)).collect();
        let points: Vec<DVec3> = if mesh.is_empty() { joints() } else { mesh };
        let heights = points.iter().map(|point| point.dot(up));
        let (floor, top) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
        let (floor, height) = if floor <= top { (floor + rise, top - floor) } else { (0.0, 0.0) };
        let hips = found.joint(skeleton, Role::middle(Part::Hips)).or_else(|| skeleton.iter().next());
        let place = hips.map_or(DVec3::ZERO, |hips| start.position(hips));
        let heading = hips.map_or(DQuat::IDENTITY, |hips| heading(up, &rest, start, hips));
        let ahead = heading * found.forward;
        Self { origin: place + up * (floor - place.dot(up)), left: up.cross(ahead), up, ahead, height, rise }
    }

    /// Where the body looks.
    pub(crate) fn ahead(&self) -> DVec3 {
        self.ahead
    }

    fn place(&self, shares: DVec3) -> DVec3 {
        self.origin + (self.left * shares.x + self.up * shares.y + self.ahead * shares.z) * self.height
    }
}

/// Reads `JOINT=PLACE`; names may hold `=` themselves.
pub(crate) fn read(names: &dyn Subject, one: Use<'_>) -> Result<(Joint, DVec3)> {
    let split = one.value.rsplit_once('=').filter(|(_, place)| is_relative(place));
    let Some((joint, place)) = split else {
        let (joint, point) = one.point()?;
        return Ok((names.find(joint).with_context(|| one.to_string())?, point));
    };
    let joint = names.find(joint).with_context(|| one.to_string())?;
    let Some(measures) = names.measures() else {
        bail!("{one}: positions of robots are numbers; write JOINT=X,Y,Z");
    };
    let place = place.trim();
    if let Some(shares) = place.strip_prefix('@') {
        return Ok((joint, measures.body.place(one.vector_of(shares, FORMS)?)));
    }
    if let Some(offset) = place.strip_prefix('+') {
        return Ok((joint, measures.start.position(joint) + one.vector_of(offset, FORMS)?));
    }
    let (from, offset) = beside(place);
    let offset = offset.map_or(Ok(DVec3::ZERO), |offset| one.vector_of(offset, FORMS))?;
    let from =
        names.find(from).with_context(|| format!("{one}: '{}' is no position ({FORMS})", text::short_name(place)))?;
    Ok((joint, measures.start.position(from) + offset))
}

/// Whether a place is not three numbers, and not meant to be.
fn is_relative(place: &str) -> bool {
    let place = place.trim();
    let begins = place.split(',').next().unwrap_or_default();
    let is_name =
        begins.contains(|c: char| c.is_alphabetic() && c != 'e' && c != 'E') && begins.parse::<f64>().is_err();
    place.starts_with(['+', '@', '#']) || is_name
}

/// The joint and the offset of `JOINT+X,Y,Z`; names may hold `+` themselves.
fn beside(place: &str) -> (&str, Option<&str>) {
    let begins = place.split(',').next().unwrap_or_default();
    let is_number = |&(at, _): &(usize, &str)| begins[at + 1..].trim().parse::<f64>().is_ok();
    match begins.match_indices('+').find(is_number).filter(|_| place.contains(',')) {
        Some((at, _)) => (&place[..at], Some(&place[at + 1..])),
        None => (place, None),
    }
}

/// Where a joint is on the floor below the start: as high above it and as level as at rest, heading as at the start.
pub(crate) fn planted(names: &dyn Subject, measures: &Measures<'_>, joint: Joint) -> (DVec3, DQuat) {
    let (rest, BodyAxes { up, rise, .. }) = (names.skeleton().rest_pose(), measures.body);
    let (now, then) = (measures.start.position(joint), rest.position(joint));
    let turned = heading(up, &rest, measures.start, joint) * rest.rotation(joint);
    (now - up * ((now - then).dot(up) - rise), arc::normalize(turned))
}

/// A joint's turn about the upright since the rest.
fn heading(up: DVec3, rest: &Pose, start: &Pose, joint: Joint) -> DQuat {
    let turn = start.rotation(joint) * rest.rotation(joint).conjugate();
    arc::axis_angle(up, arc::twist_angle(turn, up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        for numbers in ["1,2,3", "-1e5,2,3", " 1E-2,0,0", "1,nan,3", "1,2", ",,", "", "nan,1,2", "inf,0,0"] {
            assert!(!is_relative(numbers), "{numbers}");
        }
        for relative in ["+1,2,3", "@0,1,0", "Head", "Head+0,1,0", "#3+0,0,1", "+"] {
            assert!(is_relative(relative), "{relative}");
        }
        assert_eq!(beside("a+b+1e+2,0,-3"), ("a+b", Some("1e+2,0,-3")));
        assert_eq!(beside("Head+-0.1,0,0"), ("Head", Some("-0.1,0,0")));
        assert_eq!(beside("a+1"), ("a+1", None));
    }
}
