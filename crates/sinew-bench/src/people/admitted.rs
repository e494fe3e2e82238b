//! Which share of real motion lies inside a human's limits.

use std::collections::BTreeMap;

use anyhow::Result;
use sinew::math::arc;
use sinew::{BallLimit, Kind};
use sinew_rig::limits_fit::Shown;
use sinew_rig::{BodyKind, Human};

use crate::table::Row;

use super::clip::Clip;

/// Frames a second that are looked at.
const RATE: f64 = 30.0;
/// Turn (degrees) beyond a limit that is rounding.
const ROUNDING: f64 = 1e-4;

/// How far frames of joints lie outside their limits, in degrees; 0 inside.
#[derive(Clone, Debug, Default)]
pub struct Outside(Vec<f64>);

impl Outside {
    /// More frames.
    pub fn add(&mut self, more: Self) {
        self.0.extend(more.0);
    }

    /// Share of the frames that are outside.
    pub fn share(&self) -> f64 {
        self.0.iter().filter(|&&off| off > ROUNDING).count() as f64 / self.0.len().max(1) as f64
    }

    /// A row of the table.
    pub fn row(self, part: String) -> OutsideOf {
        let mut off = self.0;
        off.sort_by(f64::total_cmp);
        OutsideOf { part, off: Self(off) }
    }
}

/// How far a part lies outside, as a row.
#[derive(Clone, Debug)]
pub struct OutsideOf {
    /// What is counted.
    pub part: String,
    /// Ascending.
    off: Outside,
}

impl Row for OutsideOf {
    const COLUMNS: &'static [(&'static str, usize)] =
        &[("part", 18), ("joint-frames", 12), ("outside %", 9), ("99 % within", 11), ("all within", 10)];

    fn cells(&self) -> Vec<String> {
        let off = &self.off.0;
        let at = |share: usize| off.get(off.len() * share / 1000).or(off.last()).copied().unwrap_or_default();
        vec![
            self.part.clone(),
            off.len().to_string(),
            format!("{:.3}", 100.0 * self.off.share()),
            format!("{:.1}°", at(990)),
            format!("{:.1}°", at(1000)),
        ]
    }
}

/// How far the joints of a clip are outside their limits, by part; none where the clip shows no human in motion. `along`: what
/// lies beside a hinge's axis does not count.
///
/// # Errors
/// Where limits cannot be applied.
pub fn measure(clip: &Clip, along: bool) -> Result<Option<BTreeMap<String, Outside>>> {
    let (bvh, plain) = (&clip.bvh, &clip.bvh.skeleton);
    if !is_in_motion(clip) {
        return Ok(None);
    }
    let limited = Human::default().apply(plain, &clip.found)?;
    let (mut pose, mut parts) = (plain.rest_pose(), BTreeMap::<String, Outside>::new());
    for frame in frames(clip) {
        bvh.pose_frame(frame, &mut pose);
        for joint in limited.iter().filter(|&joint| !bvh.is_end_site(joint)) {
            let own = plain.at(joint.index()).unwrap_or(joint);
            let local = pose.local(own);
            let off = match limited.kind(joint) {
                Kind::Ball(BallLimit::Free) | Kind::Free | Kind::Fixed => continue,
                Kind::Hinge { axis, range } if along => {
                    let value = arc::twist_angle(limited.zero(joint).rotation.conjugate() * local.rotation, axis);
                    (value - range.clamp_angle(value, 0.0)).abs()
                }
                _ => limited.nearest_allowed(joint, local, 0.0).rotation.angle_between(local.rotation),
            };
            let part = clip.found.role(own).map_or("between".to_owned(), |guess| guess.role.part.name());
            parts.entry(part).or_default().0.push(off.to_degrees());
        }
    }
    Ok(Some(parts))
}

/// How the joints of a clip turn; none where it shows no human in motion.
pub fn shown(clip: &Clip) -> Option<Vec<Shown>> {
    let mut joints = Shown::joints(&clip.bvh.skeleton, &clip.found);
    let mut pose = clip.bvh.skeleton.rest_pose();
    for frame in frames(clip) {
        clip.bvh.pose_frame(frame, &mut pose);
        for joint in &mut joints {
            joint.add(&pose);
        }
    }
    is_in_motion(clip).then_some(joints)
}

fn is_in_motion(clip: &Clip) -> bool {
    clip.found.body == BodyKind::Humanoid && clip.bvh.motion.len() >= 5
}

/// The frames that are looked at.
fn frames(clip: &Clip) -> impl Iterator<Item = usize> {
    let motion = &clip.bvh.motion;
    #[allow(clippy::cast_sign_loss, reason = "at least one")]
    let step = (1.0 / (RATE * motion.frame_time)).round().max(1.0) as usize;
    (0..motion.len()).step_by(step)
}
