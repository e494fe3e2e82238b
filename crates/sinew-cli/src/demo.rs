//! The main job, without arguments: the built-in human reaches for a ball with one hand and stands with
//! each foot on a step of its own.
//!
//! The pelvis is pinned, so steps are climbed by drawing up the legs; the feet stay flat, since they keep
//! their rotation in model space, and the knees point forward, to poles in front of them; the elbow's pole
//! lies below.

use std::path::Path;

use anyhow::Result;
use sinew::glam::DVec3;
use sinew::solve::two_bone::End;

use crate::Ending;
use crate::request::{Asked, Wish};
use crate::rig::Rig;
use crate::run::Run;
use crate::served::Settings;
use crate::{output, report, solve};

const POSED: &str = "sinew-demo.glb";
const PICTURE: &str = "sinew-demo.svg";

/// Centre of the ball (metres).
const BALL: DVec3 = DVec3::new(-0.26, 1.52, 0.48);
/// The elbow hangs below and outside, as when a hand is held out.
const ELBOW_POLE: DVec3 = DVec3::new(-0.55, 0.95, 0.1);
/// How far each foot is set from where it rests: up onto its step, and forward or back.
const LEFT_STEP: DVec3 = DVec3::new(0.02, 0.30, 0.24);
const RIGHT_STEP: DVec3 = DVec3::new(-0.02, 0.12, -0.02);
/// The knees' pole, from the foot's target.
const KNEE_POLE: DVec3 = DVec3::new(0.0, 0.35, 0.8);

/// Runs the demonstration and writes its two files to the current folder.
pub(crate) fn run() -> Result<Ending> {
    let rig = Rig::human()?;
    let run = Run::of(&rig, &goals(&rig)?, None);
    let written = solve::write(&rig, &run, Some(Path::new(POSED)), Some(Path::new(PICTURE)), false)?;
    let mut page = String::from("The human reaches for a ball and stands on two steps.\n\n");
    page += &report::solved(&rig, &run);
    page += &written.to_text();
    page += "\nOpen the picture in a browser, the .glb in any glTF viewer. Your own: `sinew help solve`\n";
    output::print(&page)?;
    Ok(Ending::Fine)
}

fn goals(rig: &Rig) -> Result<Vec<Asked>> {
    let [hand, knuckle, left, right] =
        rig.skeleton().joints(["RightHand", "RightMiddleProximal", "LeftFoot", "RightFoot"])?;
    let rest = rig.skeleton().rest_pose();
    // The palm, not the wrist, meets the ball.
    let palm = rig.skeleton().rest(knuckle).translation;
    let reach = Wish { position: Some(BALL), offset: palm, pole: Some(ELBOW_POLE), ..Wish::of(hand) };
    let foot = |joint, step: DVec3| {
        let target = rest.position(joint) + step;
        Wish { position: Some(target), pole: Some(target + KNEE_POLE), end: End::Model, ..Wish::of(joint) }
    };
    let wishes = [reach, foot(left, LEFT_STEP), foot(right, RIGHT_STEP)];
    let mut asked = Vec::new();
    for wish in wishes {
        asked.extend(wish.into_asked(rig, Settings::plain())?);
    }
    Ok(asked)
}
