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

/// The first joint of a limb that the text names as a whole, such as `tail`; else the joint that it means. A foot or hand is the end
/// of a limb, not the limb.
pub(crate) fn first(rig: &Rig, wanted: &str) -> Result<Joint> {
    let is_joint = rig.skeleton().joint(wanted.trim()).is_ok() || by_role(rig, wanted).is_some();
    let limb = limb(rig, wanted, whole_names).filter(|_| !is_joint);
    limb.and_then(|limb| limb.joints.first().copied()).map_or_else(|| find(rig, wanted), Ok)
}

/// Whether no joint or limb has this name or holds it.
pub(crate) fn is_unknown(rig: &Rig, wanted: &str) -> bool {
    let wanted = wanted.trim();
    let has_none = matches!(rig.skeleton().find(wanted), Err(NameError::Unknown { .. }));
    has_none && !wanted.starts_with('#') && first(rig, wanted).is_err()
}

/// The joints whose names are nearest to one that no joint has.
pub(crate) fn nearest(rig: &Rig, wanted: &str) -> Vec<Joint> {
    let Err(NameError::Unknown { nearest, .. }) = rig.skeleton().find(wanted.trim()) else { return Vec::new() };
    nearest.iter().filter_map(|name| rig.skeleton().joint(name).ok()).collect()
}

/// The names of limbs that [`first`] takes as a whole, those that begin most like a text first.
pub(crate) fn limb_names<'a>(rig: &Rig, limbs: impl Iterator<Item = &'a Limb>, wanted: &str) -> Vec<String> {
    let is_own = |name: &String| limb(rig, name, whole_names).is_some();
    let mut known: Vec<String> = limbs.filter_map(|limb| whole_names(rig, limb).into_iter().find(is_own)).collect();
    known.sort_by_key(|name| std::cmp::Reverse(alike(name, wanted)));
    known
}

/// How many letters two names of limbs share at their beginning.
fn alike(name: &str, wanted: &str) -> usize {
    plain_limb(name).chars().zip(plain_limb(wanted).chars()).take_while(|(a, b)| a == b).count()
}

/// The end of a limb that was recognised: `left fore leg`, `left hind foot`, `tail`.
fn by_limb(rig: &Rig, wanted: &str) -> Option<Joint> {
    limb(rig, wanted, names).and_then(|limb| legs::end(rig, limb))
}

/// The limb that has a name; none where several do.
fn limb<'a>(rig: &'a Rig, wanted: &str, names: impl Fn(&Rig, &Limb) -> Vec<String>) -> Option<&'a Limb> {
    let wanted = plain_limb(wanted);
    let fits = |limb: &&Limb| names(rig, limb).iter().any(|name| plain(name) == wanted);
    let mut fitting = rig.found().limbs.iter().filter(fits);
    fitting.next().filter(|_| fitting.next().is_none())
}

/// What a limb or its end is called.
fn names(rig: &Rig, limb: &Limb) -> Vec<String> {
    [end_names(rig, limb), whole_names(rig, limb)].concat()
}

/// What a limb is called. Of many legs on a side the first from the front is `left leg 1`.
fn whole_names(rig: &Rig, limb: &Limb) -> Vec<String> {
    let mut names = vec![limb.to_string()];
    if let (LimbKind::Leg, Some(side)) = (limb.kind, limb.side) {
        names.push(format!("{} leg {}", side.name(), place(rig, limb)));
    }
    names
}

/// What the end of an arm or leg is called. On animals hands are fore feet and feet hind feet.
fn end_names(rig: &Rig, limb: &Limb) -> Vec<String> {
    let (LimbKind::Arm | LimbKind::Leg, Some(side)) = (limb.kind, limb.side) else { return Vec::new() };
    let is_hand = limb.kind == LimbKind::Arm || limb.front == Some(true);
    let mut names = vec![format!("{} {}", side.name(), if is_hand { "hand" } else { "foot" })];
    if limb.kind == LimbKind::Leg {
        names.push(limb.to_string().replace("leg", "foot"));
        names.push(format!("{} foot {}", side.name(), place(rig, limb)));
    }
    names
}

/// The place of a leg among those of its side, from the front; the first is 1.
fn place(rig: &Rig, limb: &Limb) -> usize {
    let (found, rest) = (rig.found(), rig.skeleton().rest_pose());
    let ahead = |limb: &Limb| limb.joints.first().map_or(0.0, |&first| rest.position(first).dot(found.forward));
    let before = found.limbs.iter().filter(|other| other.kind == limb.kind && other.side == limb.side);
    1 + before.filter(|other| ahead(other) > ahead(limb)).count()
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
    let part = nearest_part(rig, &wanted);
    let likeness = |name: &String| alike(name, &wanted);
    let is_nearer = part.as_ref().map(likeness) > nearest.iter().map(likeness).max();
    let part = part.map(|name| format!("; parts of the body have names, too, such as '{name}'")).unwrap_or_default();
    if nearest.is_empty() {
        let example = rig.skeleton().iter().find_map(|joint| rig.figure.node(joint)).unwrap_or(0);
        return anyhow!("no joint is called '{wanted}', as none has a name; write #N, such as #{example}{part}");
    }
    let nearest = text::list(nearest.iter().map(|name| format!("'{}'", text::short_name(name))));
    if is_nearer {
        return anyhow!("no joint is called '{wanted}'{part}; the joints with the nearest names are {nearest}");
    }
    anyhow!("no joint is called '{wanted}'; the nearest are {nearest}{part}")
}

/// The name of a hand, foot, arm or leg that begins most like a text; of several the first foot's.
fn nearest_part(rig: &Rig, wanted: &str) -> Option<String> {
    let limbs = |kind| rig.found().limbs.iter().filter(move |limb| limb.kind == kind);
    let names = limbs(LimbKind::Leg).chain(limbs(LimbKind::Arm)).flat_map(|limb| names(rig, limb));
    let known = names.filter(|name| by_role(rig, name).or_else(|| by_limb(rig, name)).is_some());
    known.reduce(|best, name| if alike(&name, wanted) > alike(&best, wanted) { name } else { best })
}
