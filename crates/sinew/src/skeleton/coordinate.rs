//! Which coordinate drives which joint, through any chain of mimics.

use alloc::vec;
use alloc::vec::Vec;

use super::{Coordinate, Drive, JointSpec, Kind, NamedJoint, SkeletonError};
use crate::limit::Range;

pub(super) type Drives = Vec<Option<Drive>>;

/// Coordinates in the caller's order of the joints that have one, and each joint's drive.
pub(super) fn coordinates(specs: &[JointSpec], place: &[u32]) -> Result<(Vec<Coordinate>, Drives), SkeletonError> {
    let moves = |spec: &JointSpec| matches!(spec.kind, Kind::Hinge { .. } | Kind::Slide { .. });
    let name = |i: usize| specs[i].coordinate.as_ref().or(specs[i].name.as_ref());
    let mut named: Vec<u32> = (0..specs.len()).filter(|&i| moves(&specs[i])).map(|i| i as u32).collect();
    let mut coordinates = Vec::new();
    let mut drives: Drives = vec![None; specs.len()];
    for &joint in named.iter().filter(|&&i| specs[i as usize].mimic.is_none()) {
        let joint = joint as usize;
        drives[joint] = Some(Drive { coordinate: coordinates.len(), multiplier: 1.0, offset: 0.0 });
        coordinates.push(Coordinate { name: name(joint).cloned(), range: Range::FREE, joints: Vec::new() });
    }
    named.sort_by(|&a, &b| name(a as usize).cmp(&name(b as usize)).then(a.cmp(&b)));
    for joint in 0..specs.len() {
        if moves(&specs[joint]) {
            drives[joint] = Some(followed(specs, &named, &drives, joint)?);
        }
    }
    for joint in 0..specs.len() {
        let (Some(drive), Kind::Hinge { range, .. } | Kind::Slide { range, .. }) = (drives[joint], specs[joint].kind)
        else {
            continue;
        };
        let coordinate: &mut Coordinate = &mut coordinates[drive.coordinate];
        coordinate.range = coordinate.range.intersect(range.through(drive.multiplier, drive.offset));
        coordinate.joints.push(place[joint]);
        if !coordinate.range.is_valid() {
            return Err(SkeletonError::EmptyRange { joint: NamedJoint::added(specs, joint) });
        }
    }
    for coordinate in &mut coordinates {
        coordinate.joints.sort_unstable();
    }
    Ok((coordinates, drives))
}

/// The part of a joint's own range at which all joints on its coordinate are inside theirs.
pub(super) fn usable(kind: Kind, drive: Option<Drive>, coordinates: &[Coordinate]) -> Range {
    match (kind, drive) {
        (Kind::Hinge { range, .. } | Kind::Slide { range, .. }, Some(Drive { coordinate, multiplier, offset })) => {
            coordinates[coordinate].range.of_value(multiplier, offset, range)
        }
        _ => Range::FREE,
    }
}

/// The drive of a joint through any chain of mimics.
fn followed(specs: &[JointSpec], named: &[u32], drives: &Drives, joint: usize) -> Result<Drive, SkeletonError> {
    let name = |i: u32| specs[i as usize].coordinate.as_ref().or(specs[i as usize].name.as_ref());
    let (mut at, mut multiplier, mut offset) = (joint, 1.0, 0.0);
    for _ in 0..=named.len() {
        if let Some(drive) = drives[at] {
            return Ok(Drive {
                coordinate: drive.coordinate,
                multiplier: multiplier * drive.multiplier,
                offset: multiplier * drive.offset + offset,
            });
        }
        let Some(mimic) = &specs[at].mimic else { break };
        (offset, multiplier) = (multiplier * mimic.offset + offset, multiplier * mimic.multiplier);
        let start = named.partition_point(|&i| name(i) < Some(&mimic.of));
        let mut fits = named[start..].iter().take_while(|&&i| name(i) == Some(&mimic.of));
        let (Some(&one), None) = (fits.next(), fits.next()) else { break };
        at = one as usize;
    }
    let of = specs[joint].mimic.as_ref().map(|m| m.of.clone()).unwrap_or_default();
    Err(SkeletonError::Mimic { joint: NamedJoint::added(specs, joint), of })
}
