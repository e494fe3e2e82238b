//! How the body moves meanwhile: presets that carry it as a whole, and joints that go to places by moments.

use std::f64::consts::{PI, TAU};

use anyhow::{Context as _, Result, bail};
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::{Joint, Pose, Skeleton};
use sinew_motion::carry;

use crate::joint_ref;
use crate::request;
use crate::rig::Rig;
use crate::smooth::smooth;
use crate::text;
use crate::value::Use;

/// Seconds in which a motion comes up to speed.
const EASE: f64 = 0.5;
/// Seconds of a sway, of a turn there and back, of a hop and of two steps.
const SWAY: f64 = 1.6;
const TURN: f64 = 2.0;
const HOP: f64 = 0.9;
const STEPS: f64 = 1.0;
/// Share of a hop that is spent in the air.
const FLIGHT: f64 = 0.6;
/// Share of the clip after which `stop` stops, and seconds that it takes.
const STOP: f64 = 0.4;
const HALT: f64 = 0.1;
/// Body sizes a second of a walk, and of a run.
const WALK: f64 = 0.75;
const RUN: f64 = 1.5;

/// A way in which the body as a whole moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preset {
    Still,
    Sway,
    Turn,
    Hop,
    Walk,
    Stop,
}

/// The presets with their names.
const PRESETS: [(&str, Preset); 6] = [
    ("still", Preset::Still),
    ("sway", Preset::Sway),
    ("turn", Preset::Turn),
    ("hop", Preset::Hop),
    ("walk", Preset::Walk),
    ("stop", Preset::Stop),
];

/// Where a joint goes: moments and places, from where it rests at 0.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) joint: Joint,
    keys: Vec<(f64, DVec3)>,
}

/// How the body moves.
#[derive(Clone, Debug)]
pub(crate) struct Travel {
    presets: Vec<Preset>,
    /// Ways that goals follow.
    pub(crate) ways: Vec<Way>,
    /// Ways of roots, which carry all.
    carriers: Vec<Way>,
    size: f64,
    up: DVec3,
    forward: DVec3,
    /// About which the body turns.
    pivot: DVec3,
    seconds: f64,
}

/// What `--move` says.
pub(crate) fn read(rig: &Rig, options: &[String], size: f64, seconds: f64) -> Result<Travel> {
    let (skeleton, rest) = (rig.skeleton(), rig.skeleton().rest_pose());
    let (mut presets, mut ways) = (Vec::new(), Vec::<Way>::new());
    for one in request::uses("--move", options) {
        if !one.value.contains('=') {
            presets.push(preset(one)?);
            continue;
        }
        let (name, place, moment) = key(one)?;
        let joint = joint_ref::find(rig, name).with_context(|| one.to_string())?;
        let found = ways.iter().position(|way| way.joint == joint);
        let found = found.unwrap_or_else(|| {
            ways.push(Way { joint, keys: vec![(0.0, rest.position(joint))] });
            ways.len() - 1
        });
        let keys = &mut ways[found].keys;
        let last = keys.last().map_or(0.0, |key| key.0);
        let moment = moment.unwrap_or(last + 1.0);
        if moment < last || (moment == last && keys.len() > 1) {
            bail!("{one}: the moment before is {last} s; write the keys of a joint in the order of time");
        }
        keys.push((moment, place));
    }
    if presets.is_empty() && ways.is_empty() {
        presets.push(Preset::Sway);
    }
    let (carriers, ways) = ways.into_iter().partition(|way| skeleton.parent(way.joint).is_none());
    let pivot = skeleton.roots().next().map_or(DVec3::ZERO, |root| rest.position(root));
    let (up, forward) = (rig.found().up, rig.found().forward);
    Ok(Travel { presets, ways, carriers, size, up, forward, pivot, seconds })
}

fn preset(one: Use<'_>) -> Result<Preset> {
    let found = PRESETS.iter().find(|(name, _)| *name == one.value.trim());
    let names = PRESETS.map(|(name, _)| name).join(", ");
    match found {
        Some((_, preset)) => Ok(*preset),
        None => bail!("{one}: no such motion; write {names}, or JOINT=X,Y,Z@SECONDS"),
    }
}

/// The joint's text, the place, and the moment where there is one.
fn key(one: Use<'_>) -> Result<(&str, DVec3, Option<f64>)> {
    let Some((value, moment)) = one.value.rsplit_once('@').filter(|(value, _)| value.contains('=')) else {
        let (name, place) = one.point()?;
        return Ok((name, place, None));
    };
    let (name, place) = Use { value, ..one }.point()?;
    match moment.trim().parse() {
        Ok(moment) if (0.0..=1e6).contains(&moment) => Ok((name, place, Some(moment))),
        _ => bail!(
            "{one}: '{}' is no moment; write JOINT=X,Y,Z@SECONDS, such as Head=0,1.6,0.2@1.5",
            text::short_name(moment)
        ),
    }
}

impl Way {
    /// The place at a moment: at rest at every key, smooth between.
    pub(crate) fn at(&self, moment: f64) -> DVec3 {
        let next = self.keys.partition_point(|key| key.0 <= moment);
        match (next.checked_sub(1).map(|last| self.keys[last]), self.keys.get(next)) {
            (Some((from, a)), Some(&(to, b))) => a + (b - a) * smooth((moment - from) / (to - from)),
            (Some((_, place)), None) | (None, Some(&(_, place))) => place,
            (None, None) => DVec3::ZERO,
        }
    }
}

/// What [`smooth`] has passed by then, where it ends after `length`.
fn smoothed(moment: f64, length: f64) -> f64 {
    let x = (moment / length).clamp(0.0, 1.0);
    let within = x * x * x * x * (x * (x - 3.0) + 2.5) * length;
    within + (moment - length).max(0.0)
}

impl Travel {
    /// Whether the body stands still all the time.
    pub(crate) fn is_still(&self) -> bool {
        self.ways.is_empty() && self.carriers.is_empty() && self.presets.iter().all(|one| *one == Preset::Still)
    }

    /// What the body does, for people: `the body sways`.
    pub(crate) fn text(&self, rig: &Rig) -> String {
        let verb = |preset: &Preset| match preset {
            Preset::Still => "stands still",
            Preset::Sway => "sways",
            Preset::Turn => "turns",
            Preset::Hop => "hops",
            Preset::Walk => "walks",
            Preset::Stop => "runs and stops dead",
        };
        let mut said: Vec<String> = Vec::new();
        if !self.presets.is_empty() {
            said.push(format!("the body {}", self.presets.iter().map(verb).collect::<Vec<_>>().join(", ")));
        }
        let ways: Vec<&Way> = self.ways.iter().chain(&self.carriers).collect();
        if !ways.is_empty() {
            said.push(format!("{} moves", text::list(ways.iter().map(|way| rig.label(way.joint)))));
        }
        said.join(" and ")
    }

    /// How far a walk has gone: what a camera beside it does not see.
    pub(crate) fn advance(&self, moment: f64) -> DVec3 {
        let far = |preset: &Preset| match preset {
            Preset::Walk => WALK * smoothed(moment, EASE),
            Preset::Stop => RUN * (smoothed(moment, EASE) - smoothed(moment - STOP * self.seconds, HALT)),
            _ => 0.0,
        };
        self.forward * (self.presets.iter().map(far).sum::<f64>() * self.size)
    }

    /// Where the whole body is carried by a moment, as a rigid motion of model space.
    fn carried(&self, moment: f64) -> DAffine3 {
        let eased = smooth(moment / EASE);
        let wave = |period: f64| (TAU * moment / period).sin() * eased;
        let (mut turn, mut way) = (DQuat::IDENTITY, self.advance(moment));
        for preset in &self.presets {
            match preset {
                Preset::Still | Preset::Stop => {}
                Preset::Sway => way += self.up.cross(self.forward) * (0.12 * self.size * wave(SWAY)),
                Preset::Turn => turn *= DQuat::from_axis_angle(self.up, PI / 3.0 * wave(TURN)),
                Preset::Hop => {
                    let share = ((moment / HOP).fract() - (1.0 - FLIGHT)) / FLIGHT;
                    let share = share.clamp(0.0, 1.0);
                    way += self.up * (0.6 * self.size * share * (1.0 - share));
                }
                Preset::Walk => {
                    let bob = 0.5 - 0.5 * (2.0 * TAU * moment / STEPS).cos();
                    way += self.up * (0.03 * self.size * bob * eased);
                    turn *= DQuat::from_axis_angle(self.up, 0.1 * wave(STEPS));
                }
            }
        }
        for one in &self.carriers {
            way += one.at(moment) - one.at(0.0);
        }
        DAffine3::from_translation(way + self.pivot - turn * self.pivot) * DAffine3::from_quat(turn)
    }

    /// Carries a pose to where it is at a moment.
    pub(crate) fn carry(&self, skeleton: &Skeleton, pose: &mut Pose, moment: f64) {
        carry(skeleton, pose, &self.carried(moment));
    }

    /// Carries a pose from where it was at one moment to where it is at another.
    pub(crate) fn carry_on(&self, skeleton: &Skeleton, pose: &mut Pose, from: f64, to: f64) {
        let (before, after) = (self.carried(from), self.carried(to));
        if before != after {
            carry(skeleton, pose, &(after * before.inverse()));
        }
    }

    /// Puts a pose back to where a camera that walks beside sees it.
    pub(crate) fn beside(&self, skeleton: &Skeleton, pose: &mut Pose, moment: f64) {
        carry(skeleton, pose, &DAffine3::from_translation(-self.advance(moment)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn travel(presets: &[Preset]) -> Travel {
        let (ways, carriers) = (Vec::new(), Vec::new());
        let presets = presets.to_vec();
        let (up, forward, pivot) = (DVec3::Y, DVec3::Z, DVec3::Y);
        Travel { presets, ways, carriers, size: 1.75, up, forward, pivot, seconds: 4.0 }
    }

    #[test]
    fn motions_begin_at_rest_and_have_no_jumps() {
        for (name, preset) in PRESETS {
            let travel = travel(&[preset]);
            assert_eq!(travel.carried(0.0), DAffine3::IDENTITY, "{name}");
            let point = DVec3::new(0.3, 1.2, 0.1);
            let at = |moment: f64| travel.carried(moment).transform_point3(point);
            let speeds: Vec<f64> =
                (0..4000).map(|ms| at(f64::from(ms + 1) * 1e-3).distance(at(f64::from(ms) * 1e-3)) * 1e3).collect();
            let fastest = speeds.iter().copied().fold(0.0, f64::max);
            assert!(speeds[0] < 0.05 && fastest < 6.0, "{name}: {fastest}");
            assert_eq!(fastest == 0.0, preset == Preset::Still, "{name}");
        }
    }

    #[test]
    fn what_stops_dead_stays() {
        let travel = travel(&[Preset::Stop]);
        let speed = |moment: f64| (travel.advance(moment + 1e-6) - travel.advance(moment)).z * 1e6;
        assert!((speed(1.0) - RUN * 1.75).abs() < 1e-6 && speed(1.6 + HALT).abs() < 1e-6);
        assert!(travel.advance(2.0).distance(travel.advance(4.0)) < 1e-12);
    }

    #[test]
    fn ways_pass_their_keys_at_rest() {
        let skeleton = Skeleton::from_lengths(&[1.0]).unwrap();
        let joint = skeleton.at(1).unwrap();
        let way = Way { joint, keys: vec![(0.0, DVec3::ZERO), (1.0, DVec3::X), (3.0, DVec3::Y)] };
        for (moment, place) in
            [(0.0, DVec3::ZERO), (0.5, DVec3::X * 0.5), (1.0, DVec3::X), (3.0, DVec3::Y), (9.0, DVec3::Y)]
        {
            assert_eq!(way.at(moment), place, "{moment}");
            let rests = moment != 0.5;
            assert_eq!(way.at(moment + 1e-4).distance(place) < 1e-9, rests, "{moment}");
        }
    }
}
