//! Stiffness for a frequency: how stiff the bones of a chain must be for all of them together to swing so many times a
//! second.
//!
//! Each bone is as stiff as the inertia of what hangs on it, so that a chain bends evenly. The slowest way in which such
//! bones swing is the largest eigenvalue of mass over stiffness, found by power iteration; it scales all of them.
//! Source: Rayleigh, *The Theory of Sound* (1877), chapter IV.

use std::f64::consts::TAU;

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::springs::{Bone, Tail};
use sinew::{Pose, Skeleton};

/// Rounds of the iteration; the second way to swing is at least twice as fast, so each leaves less than a quarter.
const ROUNDS: usize = 60;
/// Swings a second for which what hangs loose is damped.
const LOOSE: f64 = 1.0;
/// How much faster bones lengthen and shorten than the chain swings.
const ALONG: f64 = 2.0;

/// How a chain swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tuning {
    /// Swings a second; 0 is loose.
    pub(crate) frequency: f64,
    /// Share of critical damping.
    pub(crate) damping: f64,
    /// Whether the air damps it.
    pub(crate) by_air: bool,
    /// How long bones may become, 1 where they are rigid.
    pub(crate) stretch: f64,
}

/// A bone as a pendulum.
#[derive(Clone, Debug)]
struct Pendulum {
    start: DVec3,
    end: DVec3,
    mass: f64,
    /// Bones that move its end: those above, and itself.
    above: Vec<usize>,
}

impl Tuning {
    /// Sets masses, springs and damping of the bones of one chain; places are those of a pose.
    pub(crate) fn apply(&self, skeleton: &Skeleton, pose: &Pose, bones: &mut [Bone]) {
        let pendulums = pendulums(skeleton, pose, bones);
        let speed = TAU * self.frequency;
        let (inertia, load) = hanging(&pendulums);
        let slowest = slowest(&pendulums, &inertia);
        for (place, bone) in bones.iter_mut().enumerate() {
            bone.mass = pendulums[place].mass;
            if self.frequency > 0.0 {
                let stiffness = inertia[place] * speed * speed * slowest;
                bone.bend = 1.0 / stiffness;
                bone.bend_damping = if self.by_air { 0.0 } else { 2.0 * self.damping * stiffness / speed };
            }
            if self.by_air || self.frequency == 0.0 {
                *bone = bone.dragged(if self.frequency > 0.0 { self.frequency } else { LOOSE }, self.damping);
            }
            if self.stretch > 1.0 {
                let along = ALONG * if self.frequency > 0.0 { speed } else { TAU * LOOSE };
                bone.stretch = 1.0 / (load[place] * along * along);
                bone.stretch_damping = 2.0 * self.damping * load[place] * along;
                bone.lengths = Range::new(1.0 / self.stretch, self.stretch);
            }
        }
    }
}

fn pendulums(skeleton: &Skeleton, pose: &Pose, bones: &[Bone]) -> Vec<Pendulum> {
    let pendulum = |bone: &Bone| {
        let (start, end) = (pose.position(bone.joint), end(pose, bone));
        let moves = |other: &Bone| match other.tail {
            Tail::Joint(tail) => skeleton.is_below(bone.joint, tail),
            Tail::Point(_) => false,
        };
        let above = bones.iter().enumerate().filter(|(_, other)| std::ptr::eq(*other, bone) || moves(other));
        Pendulum { start, end, mass: start.distance(end), above: above.map(|(place, _)| place).collect() }
    };
    bones.iter().map(pendulum).collect()
}

/// Where a bone ends.
pub(crate) fn end(pose: &Pose, bone: &Bone) -> DVec3 {
    match bone.tail {
        Tail::Joint(tail) => pose.position(tail),
        Tail::Point(point) => pose.model(bone.joint).transform_point3(point),
    }
}

/// Inertia and mass of what hangs on each bone, itself and all below.
fn hanging(pendulums: &[Pendulum]) -> (Vec<f64>, Vec<f64>) {
    let (mut inertia, mut load) = (vec![0.0; pendulums.len()], vec![0.0; pendulums.len()]);
    for one in pendulums {
        for &above in &one.above {
            inertia[above] += one.mass * one.end.distance_squared(pendulums[above].start);
            load[above] += one.mass;
        }
    }
    (inertia, load)
}

/// Mass over stiffness of the slowest swing, where stiffness is inertia: one over the square of its angular speed.
fn slowest(pendulums: &[Pendulum], inertia: &[f64]) -> f64 {
    let mut turns = vec![DVec3::new(1.0, 0.7, 0.4); pendulums.len()];
    let mut ratio = 1.0;
    for _ in 0..ROUNDS {
        let mut pushed = vec![DVec3::ZERO; pendulums.len()];
        for one in pendulums {
            let way = |above: usize| one.end - pendulums[above].start;
            let moved: DVec3 = one.above.iter().map(|&above| turns[above].cross(way(above))).sum();
            one.above.iter().for_each(|&above| pushed[above] += way(above).cross(moved) * one.mass);
        }
        let held: f64 = turns.iter().zip(inertia).map(|(turn, inertia)| turn.length_squared() * inertia).sum();
        let moving: f64 = turns.iter().zip(&pushed).map(|(turn, push)| turn.dot(*push)).sum();
        if !(held > 0.0 && moving > 0.0) {
            return 1.0;
        }
        ratio = moving / held;
        let over = |(push, inertia): (&DVec3, &f64)| if *inertia > 0.0 { *push / *inertia } else { DVec3::ZERO };
        turns = pushed.iter().zip(inertia).map(over).collect();
        let size = turns.iter().map(|turn| turn.length()).fold(f64::MIN_POSITIVE, f64::max);
        for turn in &mut turns {
            *turn /= size;
        }
    }
    ratio
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::springs::{SpringState, Springs};

    /// Swings a second of a chain let go from a small bend, counted where its tip passes the middle.
    fn counted(lengths: &[f64], frequency: f64) -> f64 {
        let chain = Skeleton::from_lengths(lengths).unwrap();
        let [base, tip] = [0, lengths.len()].map(|index| chain.at(index).unwrap());
        let mut springs = Springs::chain(&chain, base, tip).unwrap();
        let tuning = Tuning { frequency, damping: 0.0, by_air: false, stretch: 1.0 };
        tuning.apply(&chain, &chain.rest_pose(), &mut springs.bones);
        let (mut pose, mut state) = (chain.rest_pose(), SpringState::default());
        // A weak pull bends it to its slowest way, then is gone.
        let (mut aside, mut crossings, mut now) = (Vec::new(), Vec::new(), 0.0);
        for step in 0..4800 {
            springs.gravity = if step < 960 { DVec3::X * 0.02 * f64::from(step) / 960.0 } else { DVec3::ZERO };
            springs.step(&chain, &mut pose, &mut state, 1.0 / 240.0);
            aside.push(pose.position(tip).x);
            now += 1.0 / 240.0;
            if let &[.., before, after] = &aside[..]
                && step > 960
                && before < 0.0
                && after >= 0.0
            {
                crossings.push(now - after / (after - before) / 240.0);
            }
        }
        (crossings.len() - 1) as f64 / (crossings.last().unwrap() - crossings[0])
    }

    #[test]
    fn chains_swing_as_often_as_they_are_told() {
        for (lengths, frequency) in
            [(&[0.3][..], 2.0), (&[0.1, 0.1, 0.1, 0.1], 2.0), (&[0.2, 0.15, 0.05], 1.0), (&[0.1; 8], 0.7)]
        {
            let found = counted(lengths, frequency);
            assert!((found / frequency - 1.0).abs() < 0.01, "{lengths:?}: {found} for {frequency}");
        }
    }
}
