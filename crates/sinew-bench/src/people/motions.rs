//! What people do with few goals: where hands, feet, hips and eyes go in it, on any human.

use clap::ValueEnum;
use sinew::Goal;
use sinew::glam::DVec3;
use sinew::math::arc;
use sinew::math::ops::sin_cos;

use super::person::Person;

/// A motion from its beginning to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Motion {
    /// The left hand goes up, in the end higher than it reaches.
    ReachUp,
    /// Ahead, in the end further than anybody reaches who stands.
    ReachAhead,
    /// Down to the floor, ahead.
    ReachLow,
    /// To the side, in the end too far.
    ReachSide,
    /// Both hands from the floor to before the chest.
    Lift,
    /// The hips go down half their height above the feet.
    Crouch,
    /// The eyes go round to what is behind.
    LookBack,
    /// The left hand to and fro beside the head.
    Wave,
    /// The right hand from a table to the mouth.
    Drink,
    /// The left hand before belly, chest and mouth.
    Before,
    /// The left hand from beside the thigh to behind the small of the back, and up to between the shoulders.
    Behind,
    /// Hands above the head in turn, a foot on a step.
    Climb,
}

impl Motion {
    /// The goals at a share of the motion.
    pub fn goals(self, person: &Person, share: f64) -> Vec<Goal> {
        let (arm, tall, rest) = (person.arm, person.tall, &person.rest);
        let way = |left, up, ahead| person.way(left, up, ahead);
        let shoulder = |side: usize| rest.position(person.arms[side].upper);
        let between = 0.5 * (shoulder(0) + shoulder(1));
        // From a shoulder, in lengths of the arm: outwards, up, ahead.
        let from = |side: usize, [out, up, ahead]: [f64; 3]| {
            shoulder(side) + person.arms[side].out * (out * arm) + way(0.0, up, ahead) * arm
        };
        let along = |a: DVec3, b: DVec3| a + (b - a) * share;
        let hand = |side: usize, place: DVec3| Goal::position(person.arms[side].end, place);
        let ground = person.on_floor(rest.position(person.hips));
        let floor = |side: usize, out: f64, up: f64, ahead: f64| {
            ground + (person.arms[side].out * out + way(0.0, up, ahead)) * tall
        };
        let goes = |from_there: [f64; 3], to: [f64; 3]| vec![hand(0, along(from(0, from_there), from(0, to)))];
        match self {
            Self::ReachUp => goes([0.0, 0.0, 0.6], [0.0, 1.3, 0.1]),
            Self::ReachAhead => goes([0.0, -0.1, 0.6], [0.0, -0.1, 2.2]),
            Self::ReachLow => vec![hand(0, along(from(0, [0.1, -0.5, 0.6]), floor(0, 0.12, 0.07, 0.25)))],
            Self::ReachSide => goes([0.6, -0.1, 0.2], [2.0, -0.1, 0.1]),
            Self::Lift => {
                let lifted = |side| hand(side, along(floor(side, 0.1, 0.1, 0.22), from(side, [-0.1, -0.25, 0.55])));
                vec![lifted(0), lifted(1)]
            }
            Self::Crouch => {
                let [hips, foot] = [person.hips, person.legs[0].end].map(|joint| rest.position(joint));
                let high = person.height(hips) - person.height(foot);
                vec![Goal::position(person.hips, hips - way(0.0, 0.5, 0.0) * (high * share))]
            }
            Self::LookBack => {
                let (sine, cosine) = sin_cos(170_f64.to_radians() * share);
                let eyes = rest.position(person.head) + way(0.0, 0.05, 0.0) * tall;
                let axis = rest.rotation(person.head).conjugate() * way(0.0, 0.0, 1.0);
                let axis = arc::unit(axis).unwrap_or(DVec3::Z);
                vec![Goal::aim(person.head, axis, eyes + way(sine, 0.0, cosine) * (2.0 * tall))]
            }
            Self::Wave => {
                let (sine, _) = sin_cos(core::f64::consts::TAU * share);
                vec![hand(0, from(0, [0.35 + 0.25 * sine, 0.5, 0.25]))]
            }
            Self::Drink => {
                let mouth = rest.position(person.head) + (person.arms[1].out * 0.06 + way(0.0, -0.03, 0.13)) * tall;
                vec![hand(1, along(from(1, [0.0, -0.45, 0.6]), mouth))]
            }
            Self::Before => {
                let mouth = rest.position(person.head) + way(0.03, -0.02, 0.14) * tall;
                let chest = between - way(0.0, 0.25, -0.5) * arm;
                let belly = between - way(-0.1, 0.65, -0.45) * arm;
                let second = (2.0 * share - 1.0).max(0.0);
                let first = (2.0 * share).min(1.0);
                vec![hand(0, belly + (chest - belly) * first + (mouth - chest) * second)]
            }
            Self::Behind => {
                let beside = from(0, [0.35, -0.85, 0.1]);
                let small = between + way(0.0, -0.8, -0.3) * arm;
                let high = between + way(-0.05, -0.35, -0.3) * arm;
                let second = (2.0 * share - 1.0).max(0.0);
                let first = (2.0 * share).min(1.0);
                vec![hand(0, beside + (small - beside) * first + (high - small) * second)]
            }
            Self::Climb => {
                let foot = rest.position(person.legs[0].end) + way(0.0, 0.4, 0.3) * (person.leg * share);
                vec![
                    hand(0, along(from(0, [0.0, 0.2, 0.6]), from(0, [0.0, 0.75, 0.45]))),
                    hand(1, along(from(1, [0.0, 0.75, 0.45]), from(1, [0.0, 0.2, 0.6]))),
                    Goal::position(person.legs[0].end, foot),
                ]
            }
        }
    }

    /// By how much trunk and hips may lean from upright (degrees): the line from hips to shoulders.
    pub fn leans(self) -> f64 {
        match self {
            Self::LookBack | Self::Wave | Self::Drink | Self::Before | Self::Behind => 15.0,
            Self::ReachUp => 25.0,
            Self::Crouch | Self::Climb => 40.0,
            Self::ReachAhead | Self::ReachSide => 60.0,
            Self::ReachLow | Self::Lift => 100.0,
        }
    }

    /// Whether its hands are before chest, mouth or belly, where elbows hang below and outside.
    pub fn is_before(self) -> bool {
        matches!(self, Self::Before | Self::Drink)
    }
}
