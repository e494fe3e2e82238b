//! `sinew inspect`: the joints in depth-first order, what they were recognised as, and what about them will cause
//! trouble.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use sinew::{Joint, Pose, Skeleton};
use sinew_draw::{Group, Picture};
use sinew_rig::{Limb, LimbKind, Side, sidecar};

use crate::Ending;
use crate::advice::{self, Advice};
use crate::args::InspectArgs;
use crate::clips::ClipObject;
use crate::output::{self, Written};
use crate::rig::Rig;
use crate::robot::Machine;
use crate::{clips, motion, picture, robot, text};

/// Deeper joints are not indented further, or a long chain would fill the page with blanks.
const DEEPEST_INDENT: usize = 30;

/// Runs the verb.
pub(crate) fn run(args: &InspectArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    if let Some(machine) = Machine::given(&args.rig)? {
        return robot::inspect::run(&machine, args);
    }
    let rig = Rig::load(&args.rig)?;
    let control_joints = BTreeSet::from_iter(rig.figure.control_joints());
    let advice = advice::on(&rig, &control_joints);
    let mut written = Written::noting(rig.notes());
    if let Some(file) = &args.write_sidecar {
        let beside = rig.sidecar_path();
        written.files.push(write_sidecar(&rig, file.as_deref().unwrap_or(&beside))?);
    }
    if let Some(path) = &args.picture {
        written.files.push(draw(&rig, &control_joints, path)?);
    }
    let object = || Inspected::of(&rig, &advice, &control_joints);
    output::tell(args.json, &rig.title, &written, object, || page(&rig, &advice, &control_joints))?;
    Ok(Ending::Fine)
}

/// Writes the sidecar to a file that is not there yet; the whole path.
fn write_sidecar(rig: &Rig, file: &Path) -> Result<String> {
    if file.exists() {
        let name = file.display();
        bail!("--write-sidecar: {name} is there already; move it away, or name another with --write-sidecar=FILE");
    }
    let text = sidecar::write(&rig.evidence(), rig.found(), &rig.title, |joint| rig.key(joint));
    output::save(file, text.as_bytes())?;
    Ok(output::whole_path(file))
}

/// Draws the rig at rest with the names of its joints, long bones first where room is scarce; the path.
fn draw(rig: &Rig, control_joints: &BTreeSet<Joint>, path: &Path) -> Result<String> {
    let (skeleton, rest) = (rig.skeleton(), rig.skeleton().rest_pose());
    let own = |joint: &Joint| !rig.figure.is_tip(*joint) && !control_joints.contains(joint);
    let mut joints: Vec<Joint> = skeleton.iter().filter(own).collect();
    let size = |joint: Joint| length(skeleton, &rest, joint).unwrap_or(f64::INFINITY);
    joints.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    let limited = |joint: &Joint| rig.found().role(*joint).is_some();
    let picture = Picture {
        names: joints.iter().map(|&joint| (joint, picture::name(rig, joint, path))).collect(),
        limits: joints.into_iter().filter(limited).collect(),
        groups: groups(rig),
        ..picture::of(rig, &rest, &format!(": {}", rig.found().body.name()))
    };
    picture::save(&picture, path)
}

/// The limbs by side, in colours.
fn groups(rig: &Rig) -> Vec<Group> {
    let of = |name: &str, color, fits: &dyn Fn(&Limb) -> bool| {
        let limbs = rig.found().limbs.iter().filter(|limb| fits(limb));
        Group {
            name: name.to_owned(),
            color,
            joints: limbs.flat_map(|limb| picture::with_foot(rig, &limb.joints)).collect(),
        }
    };
    let sided = |side| move |limb: &Limb| limb.side == side && !matches!(limb.kind, LimbKind::Spine | LimbKind::Head);
    vec![
        of("left limbs", sinew_draw::LEFT, &sided(Some(Side::Left))),
        of("right limbs", sinew_draw::RIGHT, &sided(Some(Side::Right))),
        of("spine and head", sinew_draw::MIDDLE, &|limb| matches!(limb.kind, LimbKind::Spine | LimbKind::Head)),
        of("limbs without a side", sinew_draw::OTHER, &sided(None)),
    ]
}

fn page(rig: &Rig, advice: &[Advice], control_joints: &BTreeSet<Joint>) -> String {
    let height = rig.height();
    let joints = text::count(rig.skeleton().len(), "joint");
    let mut page = format!("{}: {joints}, {} high\n", text::one_line(&rig.title), rig.length(height));
    if let Some(reference) = rig.figure.reference() {
        let _ = writeln!(page, "reference pose: {}", text::one_line(reference));
    }
    page += &tree(rig, control_joints, height);
    page += &recognized(rig);
    page += &clips::page(&clips::of(rig));
    if !advice.is_empty() {
        page += "\nadvice\n";
    }
    for line in advice {
        let _ = writeln!(page, "  {}", line.text);
    }
    page
}

fn tree(rig: &Rig, control_joints: &BTreeSet<Joint>, height: f64) -> String {
    let skeleton = rig.skeleton();
    let (depths, rest) = (depths(skeleton), skeleton.rest_pose());
    let decimals = decimals(height);
    let unit = rig.unit().name();
    let mut page = String::new();
    for joint in skeleton.iter() {
        let depth = depths.get(joint.index()).copied().unwrap_or(0);
        let indent = 2 * depth.min(DEEPEST_INDENT);
        let kind = motion::text(skeleton.kind(joint));
        let _ = write!(page, "{:indent$}{}  {kind}", "", rig.reference(joint));
        if let Some(length) = length(skeleton, &rest, joint) {
            let _ = write!(page, "  {length:.decimals$} {unit}");
        }
        let [x, y, z] = rest.position(joint).to_array().map(|value| text::decimals(value, decimals));
        let _ = write!(page, "  at ({x}, {y}, {z})");
        if let Some(guess) = rig.found().role(joint) {
            let _ = write!(page, "  = {}", guess.role);
        }
        if rig.figure.is_inferred(joint) {
            page += "  (not in the file: inferred)";
        }
        if rig.figure.is_tip(joint) && !rig.figure.is_inferred(joint) {
            page += "  (an end)";
        }
        if control_joints.contains(&joint) && !rig.figure.is_inferred(joint) {
            page += "  (a control joint: it deforms no mesh)";
        }
        if depth > DEEPEST_INDENT {
            let _ = write!(page, "  (depth {depth})");
        }
        page.push('\n');
    }
    page
}

/// The limbs, with how sure they are and why.
fn recognized(rig: &Rig) -> String {
    let found = rig.found();
    if found.limbs.is_empty() {
        return "\nno limbs recognised\n".to_owned();
    }
    let forward = motion::direction(found.forward);
    let mut page = format!("\nlimbs: {}, looking along {forward} ({})\n", found.body.name(), found.forward_reason);
    let width = found.limbs.iter().map(|limb| limb.to_string().len()).max().unwrap_or(0);
    for limb in &found.limbs {
        let path = advice::path(rig, &limb.joints);
        let _ = writeln!(page, "  {:width$}  {:.2}  {path}  ({})", limb.to_string(), limb.confidence, limb.reason);
    }
    page
}

/// The object.
#[derive(Serialize)]
struct Inspected<'a> {
    height: f64,
    reference: Option<&'a str>,
    body: &'static str,
    up: [f64; 3],
    forward: [f64; 3],
    limits: Limits<'a>,
    limbs: Vec<LimbObject<'a>>,
    joints: Vec<JointObject<'a>>,
    clips: Vec<ClipObject>,
    advice: Vec<AdviceObject<'a>>,
}

#[derive(Serialize)]
struct Limits<'a> {
    preset: bool,
    sidecar: &'a Option<PathBuf>,
}

#[derive(Serialize)]
struct LimbObject<'a> {
    name: String,
    kind: &'static str,
    side: Option<&'static str>,
    place: Option<&'static str>,
    joints: Vec<String>,
    nodes: Vec<Option<usize>>,
    confidence: f64,
    reason: &'a str,
}

#[derive(Serialize)]
struct JointObject<'a> {
    index: Option<usize>,
    name: Option<&'a str>,
    parent: Option<usize>,
    depth: usize,
    kind: &'static str,
    motion: String,
    length: Option<f64>,
    position: [f64; 3],
    rotation: [f64; 4],
    role: Option<String>,
    inferred: bool,
    control_joint: bool,
}

#[derive(Serialize)]
struct AdviceObject<'a> {
    about: &'static str,
    joints: Vec<String>,
    text: &'a str,
}

impl<'a> Inspected<'a> {
    fn of(rig: &'a Rig, advice: &'a [Advice], control_joints: &BTreeSet<Joint>) -> Self {
        let (skeleton, rest, found) = (rig.skeleton(), rig.skeleton().rest_pose(), rig.found());
        let joints = skeleton.iter().zip(depths(skeleton)).map(|(joint, depth)| JointObject {
            index: rig.figure.node(joint),
            name: skeleton.name(joint),
            parent: rig.parent_node(joint),
            depth,
            kind: skeleton.kind(joint).name(),
            motion: motion::text(skeleton.kind(joint)),
            length: length(skeleton, &rest, joint),
            position: rest.position(joint).to_array(),
            rotation: rest.rotation(joint).to_array(),
            role: found.role(joint).map(|guess| guess.role.to_string()),
            inferred: rig.figure.is_inferred(joint),
            control_joint: control_joints.contains(&joint),
        });
        let limbs = found.limbs.iter().map(|limb| LimbObject {
            name: limb.to_string(),
            kind: limb.kind.name(),
            side: limb.side.map(Side::name),
            place: limb.front.map(|front| if front { "fore" } else { "hind" }),
            joints: limb.joints.iter().map(|&joint| rig.label(joint)).collect(),
            nodes: limb.joints.iter().map(|&joint| rig.figure.node(joint)).collect(),
            confidence: limb.confidence,
            reason: &limb.reason,
        });
        let advice = advice.iter().map(|advice| AdviceObject {
            about: advice.about,
            joints: advice.joints.iter().map(|&joint| rig.reference(joint)).collect(),
            text: &advice.text,
        });
        Self {
            height: rig.height(),
            reference: rig.figure.reference(),
            body: found.body.name(),
            up: found.up.to_array(),
            forward: found.forward.to_array(),
            limits: Limits { preset: rig.preset, sidecar: &rig.sidecar },
            limbs: limbs.collect(),
            joints: joints.collect(),
            clips: clips::of(rig),
            advice: advice.collect(),
        }
    }
}

/// Number of joints above each.
fn depths(skeleton: &Skeleton) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.iter() {
        let above = skeleton.parent(joint).and_then(|parent| depths.get(parent.index()));
        depths.push(above.map_or(0, |depth| depth + 1));
    }
    depths
}

/// Distance from the parent in model space at rest; none for roots.
fn length(skeleton: &Skeleton, rest: &Pose, joint: Joint) -> Option<f64> {
    skeleton.parent(joint).map(|parent| rest.position(joint).distance(rest.position(parent)))
}

/// Digits behind the point that tell a thousandth of the character.
fn decimals(height: f64) -> usize {
    let thousand_of = |digits: &usize| height * 10_f64.powi(i32::try_from(*digits).unwrap_or(0)) >= 1000.0;
    (0..9).find(thousand_of).unwrap_or(9)
}
