//! Joints as users name them: a name, a part of the body (`left hand`, `left hind foot`), a unique part of a name, or `#N` for a node of the file (`#N_tip` for
//! the end that was added to it).

use anyhow::{Result, anyhow, bail};
use sinew::{Joint, NameError};
use sinew_rig::{Limb, LimbKind};

use crate::legs;
use crate::rig::Rig;
use crate::text;

/// The joint that the text means. The error is half a line, to be put behind the option's.
pub(crate) fn find(rig: &Rig, wanted: &str) -> Result<Joint> {
    let wanted = wanted.trim();
    if let Some(index) = wanted.strip_prefix('#') {
        return by_node(rig, index);
    }
    // A name that is a joint's own goes before a part of the body, and that before a part of a name.
    if rig.skeleton().joint(wanted).is_err()
        && let Some(joint) = by_role(rig, wanted).or_else(|| by_limb(rig, wanted))
    {
        return Ok(joint);
    }
    match rig.skeleton().find(wanted) {
        Ok(joint) => Ok(joint),
        Err(NameError::Ambiguous { joints, .. }) => one_of(rig, wanted, &joints),
        Err(NameError::Unknown { nearest, .. }) => Err(unknown(rig, wanted, &nearest)),
        Err(other) => Err(anyhow!("{other}; `sinew inspect` lists the joints")),
    }
}

fn plain(text: &str) -> String {
    text.to_lowercase().replace([' ', '_', '-', '.'], "")
}

/// The same of a limb in the words and the order of `inspect`: `front left foot` is `left fore foot`.
fn plain_limb(text: &str) -> String {
    let text = text.to_lowercase();
    let words = text.split([' ', '_', '-', '.']).map(|word| match word {
        "front" => "fore",
        "back" | "rear" => "hind",
        word => word,
    });
    let (mut sides, rest): (Vec<&str>, Vec<&str>) = words.partition(|word| matches!(*word, "left" | "right"));
    sides.extend(rest);
    sides.concat()
}

/// The end of a limb that was recognised: `left fore leg`, `left hind foot`, `tail`. On animals hands are fore feet and feet hind
/// feet; of many legs on a side the first from the front is `left leg 1`. None where several fit.
fn by_limb(rig: &Rig, wanted: &str) -> Option<Joint> {
    let wanted = plain_limb(wanted);
    let fits = |limb: &&Limb| names(rig, limb).iter().any(|name| plain(name) == wanted);
    let mut fitting = rig.found().limbs.iter().filter(fits);
    fitting.next().filter(|_| fitting.next().is_none()).and_then(|limb| legs::end(rig, limb))
}

/// What a limb's end is called.
fn names(rig: &Rig, limb: &Limb) -> Vec<String> {
    let found = rig.found();
    let mut names = vec![limb.to_string()];
    let (LimbKind::Arm | LimbKind::Leg, Some(side)) = (limb.kind, limb.side) else { return names };
    let is_hand = limb.kind == LimbKind::Arm || limb.front == Some(true);
    names.push(format!("{} {}", side.name(), if is_hand { "hand" } else { "foot" }));
    if limb.kind == LimbKind::Leg {
        names.push(limb.to_string().replace("leg", "foot"));
        let rest = rig.skeleton().rest_pose();
        let ahead = |limb: &Limb| limb.joints.first().map_or(0.0, |&first| rest.position(first).dot(found.forward));
        let before = found.limbs.iter().filter(|other| other.kind == limb.kind && other.side == limb.side);
        let place = 1 + before.filter(|other| ahead(other) > ahead(limb)).count();
        names.extend([format!("{} leg {place}", side.name()), format!("{} foot {place}", side.name())]);
    }
    names
}

/// The joint that plays a part in a body that was recognised: `left hand`, `Left_Hand`, `LeftHand`, `hips`.
fn by_role(rig: &Rig, wanted: &str) -> Option<Joint> {
    let wanted = plain(wanted);
    let found = rig.found();
    let plays = |joint: &Joint| found.role(*joint).is_some_and(|guess| plain(&guess.role.to_string()) == wanted);
    rig.skeleton().iter().find(plays)
}

fn by_node(rig: &Rig, index: &str) -> Result<Joint> {
    let (index, of_tip) = index.strip_suffix("_tip").map_or((index, false), |index| (index, true));
    let node: usize = match index.parse() {
        Ok(node) => node,
        Err(_) => bail!(
            "'#{}' is no node index; write # and a whole number, such as #12 (`sinew inspect` lists them)",
            text::short_name(index)
        ),
    };
    let joint = rig.figure.joint_of_node(node);
    let tip = |joint| rig.skeleton().children(joint).find(|&child| rig.figure.is_inferred(child));
    match (joint, of_tip) {
        (None, _) => Err(anyhow!("node {node} of the file is no joint; `sinew inspect` lists those that are")),
        (Some(joint), false) => Ok(joint),
        (Some(joint), true) => {
            tip(joint).ok_or_else(|| anyhow!("node {node} was given no tip; `sinew inspect` lists those that were"))
        }
    }
}

/// A tip borrows its parent's name; where one other joint fits, that one is meant.
fn one_of(rig: &Rig, wanted: &str, joints: &[Joint]) -> Result<Joint> {
    let own: Vec<Joint> = joints.iter().copied().filter(|&joint| !rig.figure.is_tip(joint)).collect();
    if let [one] = own[..] {
        return Ok(one);
    }
    let fits = text::list(joints.iter().map(|&joint| rig.reference(joint)));
    let wanted = text::short_name(wanted);
    Err(anyhow!("'{wanted}' fits {}: {fits}; write more of the name, or #N", text::count(joints.len(), "joint")))
}

fn unknown(rig: &Rig, wanted: &str, nearest: &[String]) -> anyhow::Error {
    let wanted = text::short_name(wanted);
    let parts = rig.found().limbs.iter().filter(|limb| limb.kind == LimbKind::Leg).flat_map(|limb| names(rig, limb));
    let part = parts.filter(|name| name.contains("foot")).find(|name| by_limb(rig, name).is_some());
    let part = part.map(|name| format!("; parts of the body have names, too, such as '{name}'")).unwrap_or_default();
    if nearest.is_empty() {
        let example = rig.skeleton().iter().find_map(|joint| rig.figure.node(joint)).unwrap_or(0);
        return anyhow!("no joint is called '{wanted}', as none has a name; write #N, such as #{example}{part}");
    }
    let nearest = text::list(nearest.iter().map(|name| format!("'{}'", text::short_name(name))));
    anyhow!("no joint is called '{wanted}'; the nearest are {nearest}{part}")
}
