//! A sidecar as a start: what was recognised, with why, and what the preset makes of each joint.

use std::fmt::Write as _;

use sinew::limit::Range;
use sinew::{BallLimit, Joint, Kind, Skeleton};

use crate::evidence::Evidence;
use crate::human::Human;
use crate::recognize::{BodyKind, Recognition};

/// The text of a sidecar for a rig called `rig`: limbs and roles as they were recognised, and for a human the
/// preset, with the limits that it gives as comments to be changed. `label` is what the file is to call a joint; it
/// must be what the `find` of [`Sidecar::apply`](super::Sidecar::apply) finds.
pub fn write(evidence: &Evidence<'_>, found: &Recognition, rig: &str, label: impl Fn(Joint) -> String) -> String {
    let human = found.body == BodyKind::Humanoid;
    let mut text = head(rig, human);
    if human {
        let _ = writeln!(text, "preset = \"human\"\nmass = {:?}\n", Human::default().mass);
    } else {
        text += "preset = \"none\"\n\n";
    }
    let _ = writeln!(text, "# {}", comment(&found.forward_reason));
    let _ = writeln!(text, "up = {}\nforward = {}", numbers(&found.up.to_array()), numbers(&found.forward.to_array()));
    for limb in &found.limbs {
        let _ = writeln!(text, "\n# {limb}, {:.2}: {}", limb.confidence, comment(&limb.reason));
        let _ = writeln!(text, "[[limb]]\nkind = {}", quoted(limb.kind.name()));
        if let Some(side) = limb.side {
            let _ = writeln!(text, "side = {}", quoted(side.name()));
        }
        if let Some(front) = limb.front {
            let _ = writeln!(text, "place = {}", quoted(if front { "fore" } else { "hind" }));
        }
        let joints: Vec<String> = limb.joints.iter().map(|&joint| quoted(&label(joint))).collect();
        let _ = writeln!(text, "joints = [{}]", joints.join(", "));
    }
    let limited = human.then(|| Human::default().apply(evidence.skeleton, found).ok()).flatten();
    for joint in evidence.skeleton.iter() {
        let Some(guess) = found.role(joint) else { continue };
        let _ = writeln!(text, "\n[joint.{}]\nrole = {}", quoted(&label(joint)), quoted(&guess.role.to_string()));
        if let Some(limited) = &limited {
            text += &limits(limited, joint);
        }
    }
    text
}

fn head(rig: &str, human: bool) -> String {
    let rig = comment(rig);
    let preset = if human {
        "\n# Lines that begin with '# ' below a joint are what the preset gives it: take the '# ' away to change them."
    } else {
        ""
    };
    format!(
        "# What sinew takes {rig} for. Kept beside it as a file of the same name that ends in .sinew.toml, it is\n\
         # read whenever the rig is. Everything but the version may be changed or left out: what is not said is\n\
         # recognised. Angles are in degrees, lengths in metres, directions in model space for the whole and in the\n\
         # joint's own frame for a joint.{preset}\n\
         version = 1\n"
    )
}

/// The joint's kind and limit, commented out.
fn limits(limited: &Skeleton, joint: Joint) -> String {
    let Some(joint) = limited.at(joint.index()) else { return String::new() };
    let mut text = String::new();
    let range = |min: f64, max: f64| numbers(&[min.to_degrees(), max.to_degrees()]);
    match limited.kind(joint) {
        Kind::Hinge { axis, range: turn } => {
            let _ = writeln!(
                text,
                "# kind = \"hinge\"\n# axis = {}\n# range = {}",
                numbers(&axis.to_array()),
                range(turn.min, turn.max)
            );
        }
        Kind::Ball(BallLimit::EllipticSwing(limit)) => {
            let _ = writeln!(text, "# kind = \"ball\"\n# axis = {}", numbers(&limit.axis().to_array()));
            let swing = swings(limit.swing());
            let _ = writeln!(text, "# swing = {swing}\n# across = {}", numbers(&limit.across().to_array()));
            let _ = writeln!(text, "# twist = {}", range(limit.twist().min, limit.twist().max));
        }
        _ => return text,
    }
    let _ = writeln!(text, "# zero = {}", numbers(&limited.zero(joint).rotation.to_array()));
    if let Some(bend) = limited.bend(joint) {
        let _ = writeln!(text, "# bend = {}", numbers(&bend.to_array()));
    }
    let mass = limited.mass(joint);
    if mass.mass > 0.0 {
        let _ = writeln!(text, "# mass = {}\n# center = {}", number(mass.mass), numbers(&mass.center.to_array()));
    }
    text
}

/// The same to both sides as one number, else from and to.
fn swings(swing: [Range; 2]) -> String {
    if swing.iter().all(|range| range.max == -range.min) {
        return numbers(&swing.map(|range| range.max.to_degrees()));
    }
    let [one, two] = swing.map(|range| numbers(&[range.min.to_degrees(), range.max.to_degrees()]));
    format!("[{one}, {two}]")
}

fn numbers(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("[{}]", values.join(", "))
}

/// Seven digits behind the point, without the zeros that say nothing.
fn number(value: f64) -> String {
    let text = format!("{value:.7}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Text that stays in one comment.
fn comment(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
