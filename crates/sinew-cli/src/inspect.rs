//! `sinew inspect`: the joints in depth-first order, and what about them will cause trouble.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::{Joint, Pose, Skeleton};

use crate::Ending;
use crate::advice::{self, Advice};
use crate::args::InspectArgs;
use crate::rig::Rig;
use crate::{json, output, text};

/// Deeper joints are not indented further, or a long chain would fill the page with blanks.
const DEEPEST_INDENT: usize = 30;

/// Runs the verb.
pub(crate) fn run(args: &InspectArgs) -> Result<Ending> {
    let rig = Rig::load(args.rig.as_deref())?;
    let advice = advice::on(&rig);
    let text = if args.json { format!("{}\n", object(&rig, &advice)) } else { page(&rig, &advice) };
    output::print(&text)?;
    Ok(Ending::Fine)
}

fn page(rig: &Rig, advice: &[Advice]) -> String {
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

fn object(rig: &Rig, advice: &[Advice]) -> Value {
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
