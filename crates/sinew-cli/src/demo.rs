//! The main job, without arguments: the built-in human, one foot on a step, reaches down to a ball with one hand.
//!
//! Only the hand and the feet are told. Hips, trunk, the other arm, elbows and knees follow as a person's do.

use std::path::Path;

use anyhow::Result;
use sinew::glam::DVec3;

use crate::Ending;
use crate::choices::Method;
use crate::joint_request::JointRequest;
use crate::request::ServedGoal;
use crate::rig::Rig;
use crate::run::Task;
use crate::served::Settings;
use crate::{output, report, solve};

const POSED: &str = "sinew-demo.glb";
const PICTURE: &str = "sinew-demo.svg";

/// Centre of the ball (metres).
const BALL: DVec3 = DVec3::new(-0.3, 0.62, 0.62);
/// How far each foot is set from where it rests: one up onto a step ahead, the other back.
const LEFT_STEP: DVec3 = DVec3::new(0.03, 0.16, 0.22);
const RIGHT_STEP: DVec3 = DVec3::new(-0.03, 0.0, -0.1);

/// Runs the demonstration and writes its two files to the current folder.
pub(crate) fn run() -> Result<Ending> {
    let rig = Rig::human()?;
    let settings = Settings { method: Method::Body, ..Settings::plain() };
    let task = Task::new(rig.start().clone(), goals(&rig, settings)?, settings.body(&rig)?);
    let run = task.run(rig.skeleton());
    let written = solve::write(&rig, &run, Some(Path::new(POSED)), Some(Path::new(PICTURE)), false)?;
    let mut page = String::from("The human, one foot on a step, reaches down to a ball.\n\n");
    page += &report::page(&rig, &run);
    page += &written.to_text();
    page += "\nOpen the picture in a browser, the .glb in any glTF viewer. Your own: `sinew help solve`\n";
    output::print(&page)?;
    Ok(Ending::Fine)
}

fn goals(rig: &Rig, settings: Settings) -> Result<Vec<ServedGoal>> {
    let [hand, knuckle, left, right] =
        rig.skeleton().joints(["RightHand", "RightMiddleProximal", "LeftFoot", "RightFoot"])?;
    let rest = rig.skeleton().rest_pose();
    // The palm, not the wrist, meets the ball.
    let palm = rig.skeleton().rest(knuckle).translation;
    let reach = JointRequest { position: Some(BALL), offset: palm, ..JointRequest::of(hand) };
    let foot = |joint, step: DVec3| {
        let (position, rotation) = (Some(rest.position(joint) + step), Some(rest.rotation(joint)));
        JointRequest { position, rotation, ..JointRequest::of(joint) }
    };
    let requests = [reach, foot(left, LEFT_STEP), foot(right, RIGHT_STEP)];
    let mut asked = Vec::new();
    for request in requests {
        asked.extend(request.into_asked(rig, settings)?);
    }
    Ok(asked)
}
