//! Who drives whom, through any chain of mimics.

use crate::error::{Fault, quoted};
use crate::joint::{Mimic, UrdfJoint};
use crate::tree::Tree;

/// Where a joint's value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drive {
    /// A coordinate of its own, or several, or nothing to drive.
    Own,
    /// `multiplier · value + offset` of a joint that has a coordinate of its own; the multiplier is not zero.
    Follows { joint: usize, multiplier: f64, offset: f64 },
    /// It stays at this value.
    Still(f64),
}

/// The drive of every joint.
pub(crate) fn drives(tree: &Tree<'_>) -> Result<Vec<Drive>, Fault> {
    let joints = &tree.joints;
    let mut drives: Vec<Option<Drive>> =
        joints.iter().map(|joint| joint.mimic.is_none().then_some(Drive::Own)).collect();
    let mut is_on_path = vec![false; joints.len()];
    let mut path = Vec::new();
    for joint in 0..joints.len() {
        let mut at = joint;
        while let (None, Some(mimic)) = (drives[at], &joints[at].mimic) {
            let Some(&target) = tree.joints_by_name.get(mimic.of) else {
                // As urdfdom has it: the joint has a value of its own.
                drives[at] = Some(Drive::Own);
                break;
            };
            if std::mem::replace(&mut is_on_path[at], true) {
                return Err(refused(&joints[at], mimic, "mimics it in turn"));
            }
            if joints[at].single().is_none() {
                let problem = "planar and floating joints have several values and cannot mimic";
                return Err(Fault::new(mimic.element, problem).within(joints[at].element));
            }
            path.push((at, target, mimic));
            at = target;
        }
        while let Some((follower, target, mimic)) = path.pop() {
            drives[follower] =
                Some(follow(joints, &drives, target, mimic).map_err(|why| refused(&joints[follower], mimic, why))?);
        }
    }
    Ok(drives.into_iter().map(|drive| drive.unwrap_or(Drive::Own)).collect())
}

fn refused(joint: &UrdfJoint<'_>, mimic: &Mimic<'_>, why: &str) -> Fault {
    let fault = Fault::new(mimic.element, format!("the joint {} {why}", quoted(mimic.of))).within(joint.element);
    fault.advise("name a revolute, continuous or prismatic joint that has a value of its own in the end")
}

/// The drive of a joint that mimics `target`, whose own is known.
fn follow(
    joints: &[UrdfJoint<'_>],
    drives: &[Option<Drive>],
    target: usize,
    mimic: &Mimic<'_>,
) -> Result<Drive, &'static str> {
    let Mimic { multiplier, offset, .. } = *mimic;
    let drive = match drives[target] {
        Some(Drive::Follows { joint, multiplier: inner, offset: start }) => {
            Drive::Follows { joint, multiplier: multiplier * inner, offset: multiplier * start + offset }
        }
        Some(Drive::Still(value)) => Drive::Still(multiplier * value + offset),
        _ if joints[target].single().is_some() => Drive::Follows { joint: target, multiplier, offset },
        _ if joints[target].is_fixed() => Drive::Still(offset),
        _ => return Err("has several values and cannot be mimicked"),
    };
    match drive {
        Drive::Follows { multiplier: 0.0, offset, .. } => Ok(Drive::Still(offset)),
        Drive::Follows { multiplier: m, offset: o, .. } if !(m.is_finite() && o.is_finite()) => {
            Err("is followed beyond all numbers")
        }
        Drive::Still(value) if !value.is_finite() => Err("is followed beyond all numbers"),
        drive => Ok(drive),
    }
}
