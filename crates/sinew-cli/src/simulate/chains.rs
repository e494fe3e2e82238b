//! What swings: the chains named by `--chain`, the file's own springs, or the human's arms.

use anyhow::{Context as _, Result, anyhow, bail};
use sinew::springs::{Bone, Springs, Tail};
use sinew::{Joint, Start};
use sinew_rig::{Limb, LimbKind, Part};

use super::tune::{self, Tuning};
use crate::joint_ref;
use crate::legs;
use crate::rig::Rig;
use crate::text;
use crate::value::Use;

/// What swings of the built-in human, where nothing is said.
const ARMS: [&str; 2] = ["LeftUpperArm,LeftHand=0.9,0.12", "RightUpperArm,RightHand=0.9,0.12"];
/// Parts of names of what swings, and of what does not although nothing holds it.
const SWINGING: [&str; 17] = [
    "hair", "ear", "tail", "braid", "bang", "pony", "skirt", "cape", "cloak", "scarf", "ribbon", "antenna", "beard",
    "mane", "tassel", "feather", "trunk",
];
const HELPERS: [&str; 20] = [
    "eye", "ik", "pole", "target", "ctrl", "control", "helper", "twist", "slot", "socket", "foot", "heel", "toe",
    "hand", "weapon", "jaw", "arm", "leg", "rear", "gear",
];
/// The fastest swing whose period sub-steps of 1/240 s still keep.
const FASTEST: f64 = 20.0;

/// Bones that hang on one joint.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// Where it begins.
    pub(crate) base: Joint,
    /// Places of its bones among the springs.
    pub(crate) bones: Vec<usize>,
    /// The bone at its farthest end.
    pub(crate) last: Bone,
}

/// How every chain swings for which nothing else is said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) radius: f64,
    pub(crate) stretch: f64,
    pub(crate) squash: bool,
    /// Whether the air damps.
    pub(crate) by_air: bool,
}

/// The chains and the springs that make them swing.
pub(crate) fn read(rig: &Rig, options: &[String], manner: Manner) -> Result<(Springs, Vec<Chain>)> {
    if !options.is_empty() {
        return named(rig, options, manner);
    }
    let springs = rig.figure.springs()?;
    if !springs.bones.is_empty() {
        let chains = trees(rig, &springs.bones);
        return Ok((Springs { shape: Start::Given, ..springs }, chains));
    }
    if rig.title == "human" {
        return named(rig, &ARMS.map(str::to_owned), manner);
    }
    Err(advice(rig))
}

fn named(rig: &Rig, options: &[String], manner: Manner) -> Result<(Springs, Vec<Chain>)> {
    // What the file has to bump into counts for these chains too.
    let colliders = rig.figure.springs().map(|springs| springs.colliders).unwrap_or_default();
    let mut springs = Springs { squash: manner.squash, shape: Start::Given, colliders, ..Springs::default() };
    for value in options {
        let one = Use { option: "--chain", value };
        let (names, frequency, damping) = settings(rig, one)?;
        let bones = bones(rig, one, names)?;
        if let Some(twice) = bones.iter().find(|bone| springs.bones.iter().any(|other| other.joint == bone.joint)) {
            bail!("{one}: '{}' swings in another chain already; name the chains apart", rig.label(twice.joint));
        }
        let tuning = Tuning { frequency, damping, by_air: manner.by_air, stretch: manner.stretch };
        let tuned = tuning.apply(rig.skeleton(), bones).into_iter();
        springs.bones.extend(tuned.map(|bone| Bone { radius: manner.radius, ..bone }));
    }
    let chains = trees(rig, &springs.bones);
    Ok((springs, chains))
}

/// The names, the frequency and the damping that an option says.
fn settings<'a>(rig: &Rig, one: Use<'a>) -> Result<(&'a str, f64, f64)> {
    let plain = (one.value, 2.0, 0.15);
    let Some((names, numbers)) = one.value.rsplit_once('=') else { return Ok(plain) };
    let parsed: Option<Vec<f64>> = numbers.split(',').map(|part| part.trim().parse().ok()).collect();
    match parsed.as_deref() {
        // Names may hold '='.
        None if joint_ref::find(rig, one.value).is_ok() => Ok(plain),
        Some(&[frequency]) if (0.0..=FASTEST).contains(&frequency) => Ok((names, frequency, plain.2)),
        Some(&[frequency, damping]) if (0.0..=FASTEST).contains(&frequency) && (0.0..=10.0).contains(&damping) => {
            Ok((names, frequency, damping))
        }
        _ => Err(anyhow!(
            "{one}: after the '=' goes FREQ, from 0 to {FASTEST} swings a second, then DAMPING, from 0 to 10, such as {}=2,0.15",
            text::short_name(names)
        )),
    }
}

/// The bones that `BASE` or `BASE,TIP` means.
fn bones(rig: &Rig, one: Use<'_>, names: &str) -> Result<Vec<Bone>> {
    let skeleton = rig.skeleton();
    let told = |name: &str, found: Result<Joint>| {
        let found = found.map_err(|error| if joint_ref::is_unknown(rig, name) { unknown(rig, name) } else { error });
        found.with_context(|| one.to_string())
    };
    let find = |name: &str| told(name, joint_ref::find(rig, name));
    let first = |name: &str| told(name, begin(rig, name));
    // Names may hold commas.
    let pair = names.match_indices(',').map(|(at, _)| (&names[..at], &names[at + 1..]));
    let mut pairs = pair.clone().filter_map(|(base, tip)| Some((first(base).ok()?, find(tip).ok()?)));
    let (base, tip) = match (first(names), pairs.next(), pair.clone().next()) {
        (Ok(base), ..) => (base, None),
        (Err(_), Some((base, tip)), _) => (base, Some(tip)),
        (Err(_), None, Some((base, tip))) => (first(base)?, Some(find(tip)?)),
        (Err(error), None, None) => return Err(error),
    };
    let Some(tip) = tip else { return below(rig, one, base) };
    let (above, under) = (rig.label(base), rig.label(tip));
    match Springs::chain(skeleton, base, tip) {
        Ok(springs) if !springs.bones.is_empty() => Ok(springs.bones),
        _ if skeleton.is_below(base, tip) && base != tip => {
            bail!("{one}: '{above}' lies below '{under}'; write the upper one first: {under},{above}")
        }
        _ => {
            let under = text::list(rows(rig, base).into_iter());
            let instead = if under.is_empty() { String::new() } else { format!(": {under}") };
            bail!("{one}: the tip must lie below '{above}'; leave it out, or name a joint there{instead}")
        }
    }
}

/// Where a chain of this name begins. A foot that is a bone of its own is the end of its leg, as it is for goals.
fn begin(rig: &Rig, name: &str) -> Result<Joint> {
    let first = joint_ref::first(rig, name)?;
    Ok(legs::end_of_detached(rig, first).map_or(first, |(end, _)| end))
}

/// The complaint about a name that is no joint's or limb's, with names that are.
fn unknown(rig: &Rig, name: &str) -> anyhow::Error {
    let hidden = rig.figure.control_joints();
    let holds = |joint: &Joint| !hidden.contains(joint) && !Springs::below(rig.skeleton(), *joint).bones.is_empty();
    let nearest = joint_ref::nearest(rig, name).into_iter().find(holds);
    let is_limb = |joint: Joint| rig.found().limbs.iter().any(|limb| limb.joints.contains(&joint));
    let others = rig.skeleton().iter().filter(|&joint| swings(rig, joint) && !is_limb(joint) && nearest != Some(joint));
    let of = |kinds: fn(LimbKind) -> bool| {
        joint_ref::limb_names(rig, rig.found().limbs.iter().filter(move |limb| kinds(limb.kind)), name)
    };
    let mut known: Vec<String> = nearest.map(|joint| rig.key(joint)).into_iter().collect();
    known.extend(of(|kind| kind == LimbKind::Tail));
    known.extend(others.map(|joint| rig.key(joint)));
    known.extend(of(|kind| !matches!(kind, LimbKind::Tail | LimbKind::Spine | LimbKind::Head)));
    let name = text::short_name(name);
    let instead = match text::list(known.into_iter().map(|name| format!("'{}'", text::short_name(&name)))) {
        none if none.is_empty() => "`sinew inspect` lists the joints".to_owned(),
        names => format!("name {names}, or any joint"),
    };
    anyhow!("no joint or limb is called '{name}'; {instead}")
}

fn below(rig: &Rig, one: Use<'_>, base: Joint) -> Result<Vec<Bone>> {
    let bones = Springs::below(rig.skeleton(), base).bones;
    if !bones.is_empty() {
        return Ok(bones);
    }
    let above = rig.skeleton().parent(base);
    let ends =
        |limb: &&Limb| matches!(limb.kind, LimbKind::Arm | LimbKind::Leg) && limb.joints.last().copied() == above;
    let whole = rig.found().limbs.iter().filter(ends);
    let whole = joint_ref::limb_names(rig, whole, "").into_iter().next();
    let above = whole.or_else(|| Some(rig.key(above?))).map(|name| format!(", such as '{name}'"));
    bail!("{one}: nothing hangs on '{}'; name what it hangs on{}", rig.label(base), above.unwrap_or_default())
}

/// The joints right below one, then below those, and so on.
fn rows(rig: &Rig, base: Joint) -> Vec<String> {
    let skeleton = rig.skeleton();
    let mut joints: Vec<Joint> = skeleton.subtree(base).filter_map(|index| skeleton.at(index)).collect();
    joints.retain(|joint| *joint != base && !rig.figure.is_inferred(*joint));
    joints.into_iter().map(|joint| rig.key(joint)).collect()
}

/// Bones that hang together, by the joints at which they begin.
fn trees(rig: &Rig, bones: &[Bone]) -> Vec<Chain> {
    let skeleton = rig.skeleton();
    let rest = skeleton.rest_pose();
    let held = |joint: Joint| bones.iter().any(|bone| bone.tail == Tail::Joint(joint));
    let mut bases: Vec<Joint> = bones.iter().map(|bone| bone.joint).filter(|&joint| !held(joint)).collect();
    bases.dedup();
    let mut chains: Vec<Chain> = Vec::new();
    for (place, bone) in bones.iter().enumerate() {
        let base = *bases.iter().rfind(|&&base| skeleton.is_below(bone.joint, base)).unwrap_or(&bone.joint);
        match chains.iter_mut().find(|chain| chain.base == base) {
            Some(chain) => chain.bones.push(place),
            None => chains.push(Chain { base, bones: vec![place], last: *bone }),
        }
    }
    for chain in &mut chains {
        let from = rest.position(chain.base);
        let far = |place: &usize| tune::end(&rest, &bones[*place]).distance(from);
        let last = chain.bones.iter().copied().max_by(|a, b| far(a).total_cmp(&far(b)));
        chain.last = last.map_or(chain.last, |place| bones[place]);
    }
    chains
}

impl Chain {
    /// The joints that turn, and the tail of the last where it is one.
    pub(crate) fn joints(&self, springs: &Springs) -> Vec<Joint> {
        let mut joints: Vec<Joint> = self.bones.iter().map(|&place| springs.bones[place].joint).collect();
        joints.dedup();
        joints
    }
}

/// The complaint that nothing swings, with what might.
fn advice(rig: &Rig) -> anyhow::Error {
    let key = |joint: Joint| quoted(&rig.key(joint));
    let swinging: Vec<String> = rig.skeleton().iter().filter(|&joint| swings(rig, joint)).map(key).collect();
    let (why, named) = if swinging.is_empty() {
        ("the file has no springs, and no hair, ears or tail were found; any chain can swing, such as", limbs(rig))
    } else {
        ("the file has no springs of its own; name what swings:", swinging.into_iter().collect())
    };
    let Some(command) = named.first() else {
        return anyhow!(
            "nothing to swing: the file has no springs, hair, ears, tail or limbs; name a joint with joints below it: --chain JOINT"
        );
    };
    let chains = text::list(named.iter().map(|key| format!("--chain {key}")));
    let rig = quoted(&rig.title);
    anyhow!("nothing to swing: {why} {chains}, as in `sinew simulate {rig} --chain {command} -o out.glb`")
}

/// Where upper arms begin, or else the first limb that is none of the trunk.
fn limbs(rig: &Rig) -> Vec<String> {
    let limbs = || rig.found().limbs.iter().filter(|limb| limb.joints.len() > 1);
    let mut some: Vec<_> = limbs().filter(|limb| limb.kind == LimbKind::Arm).collect();
    if some.is_empty() {
        some.extend(limbs().max_by_key(|limb| !matches!(limb.kind, LimbKind::Spine | LimbKind::Head)));
    }
    let is_collar = |joint: &Joint| rig.found().role(*joint).is_some_and(|guess| guess.role.part == Part::Shoulder);
    let first = |limb: &&Limb| limb.joints.iter().copied().find(|joint| !is_collar(joint));
    some.iter().filter_map(first).map(|joint| quoted(&rig.key(joint))).collect()
}

/// The name as a shell takes it.
fn quoted(name: &str) -> String {
    let name = text::one_line(name);
    let plain = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    if name.chars().all(plain) { name } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// Whether a chain begins here that swings by its name or as a recognised tail.
fn swings(rig: &Rig, joint: Joint) -> bool {
    let (skeleton, found) = (rig.skeleton(), rig.found());
    let tails = || found.limbs.iter().filter(|limb| limb.kind == LimbKind::Tail);
    let says = |joint: Joint| {
        let name = skeleton.name(joint).unwrap_or_default().to_lowercase();
        let holds = |words: &[&str]| words.iter().any(|word| name.contains(word));
        holds(&SWINGING) && !holds(&HELPERS) && found.role(joint).is_none()
    };
    let is_tail = tails().any(|tail| tail.joints.first() == Some(&joint));
    let in_tail = tails().any(|tail| tail.joints.contains(&joint));
    let begins = says(joint) && !in_tail && !skeleton.parent(joint).is_some_and(says);
    let is_control = || rig.figure.control_joints().contains(&joint);
    (is_tail || begins) && !is_control() && !rig.figure.is_tip(joint) && skeleton.children(joint).next().is_some()
}
