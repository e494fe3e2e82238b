//! `sinew inspect`: the joints in depth-first order, and what about them will cause trouble.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::{Joint, Pose, Skeleton};
use sinew_draw::Picture;

use crate::Ending;
use crate::advice::{self, Advice};
use crate::args::InspectArgs;
use crate::rig::Rig;
use crate::{json, output, picture, text};

/// Deeper joints are not indented further, or a long chain would fill the page with blanks.
const DEEPEST_INDENT: usize = 30;

/// Runs the verb.
pub(crate) fn run(args: &InspectArgs) -> Result<Ending> {
    picture::check(args.picture.as_deref())?;
    let rig = Rig::load(args.rig.as_deref())?;
    let handles = BTreeSet::from_iter(rig.character.control_joints());
    let advice = advice::on(&rig, &handles);
    let written = args.picture.as_deref().map(|path| draw(&rig, &handles, path)).transpose()?;
    let text = if args.json {
        let mut object = object(&rig, &advice, &handles);
        object["written"] = json!(written.into_iter().collect::<Vec<_>>());
        format!("{object}\n")
    } else {
        let line = written.map(|file| format!("wrote {}\n", text::one_line(&file)));
        page(&rig, &advice, &handles) + &line.unwrap_or_default()
    };
    output::print(&text)?;
    Ok(Ending::Fine)
}

/// Draws the rig at rest with the names of its joints, long bones first where room is scarce; the path.
fn draw(rig: &Rig, handles: &BTreeSet<Joint>, path: &Path) -> Result<String> {
    let (skeleton, rest) = (rig.skeleton(), rig.skeleton().rest_pose());
    let own = |joint: &Joint| !rig.character.is_inferred(*joint) && !handles.contains(joint);
    let mut joints: Vec<Joint> = skeleton.iter().filter(own).collect();
    let size = |joint: Joint| length(skeleton, &rest, joint).unwrap_or(f64::INFINITY);
    joints.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
    let picture = Picture {
        names: joints.into_iter().map(|joint| (joint, rig.label(joint))).collect(),
        ..picture::of(rig, &rest, "")
    };
    picture::save(&picture, path)
}

fn page(rig: &Rig, advice: &[Advice], handles: &BTreeSet<Joint>) -> String {
    let (skeleton, height) = (rig.skeleton(), rig.character.height());
    let joints = text::count(skeleton.len(), "joint");
    let mut page = format!("{}: {joints}, {} high\n", text::one_line(&rig.title), text::length(height));
    let (depths, rest) = (depths(skeleton), skeleton.rest_pose());
    let decimals = decimals(height);
    for joint in skeleton.iter() {
        let depth = depths.get(joint.index()).copied().unwrap_or(0);
        let indent = 2 * depth.min(DEEPEST_INDENT);
        let kind = skeleton.kind(joint).name();
        let _ = write!(page, "{:indent$}{}  {kind}", "", rig.reference(joint));
        if let Some(length) = length(skeleton, &rest, joint) {
            let _ = write!(page, "  {length:.decimals$} m");
        }
        if rig.character.is_inferred(joint) {
            page += "  (not in the file: inferred)";
        }
        if handles.contains(&joint) && !rig.character.is_inferred(joint) {
            page += "  (a handle: moves no flesh)";
        }
        if depth > DEEPEST_INDENT {
            let _ = write!(page, "  (depth {depth})");
        }
        page.push('\n');
    }
    if !advice.is_empty() {
        page += "\nadvice\n";
    }
    for line in advice {
        let _ = writeln!(page, "  {}", line.text);
    }
    page
}

fn object(rig: &Rig, advice: &[Advice], handles: &BTreeSet<Joint>) -> Value {
    let (skeleton, rest) = (rig.skeleton(), rig.skeleton().rest_pose());
    let joints = skeleton.iter().zip(depths(skeleton)).map(|(joint, depth)| {
        json!({
            "index": rig.character.node(joint),
            "name": skeleton.name(joint),
            "parent": json::parent(rig, joint),
            "depth": depth,
            "kind": skeleton.kind(joint).name(),
            "length": length(skeleton, &rest, joint),
            "inferred": rig.character.is_inferred(joint),
            "handle": handles.contains(&joint),
        })
    });
    let advice = advice.iter().map(|advice| {
        let joints: Vec<String> = advice.joints.iter().map(|&joint| rig.reference(joint)).collect();
        json!({ "about": advice.about, "joints": joints, "text": advice.text })
    });
    json!({
        "rig": rig.title,
        "height": rig.character.height(),
        "joints": joints.collect::<Vec<_>>(),
        "advice": advice.collect::<Vec<_>>(),
    })
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
