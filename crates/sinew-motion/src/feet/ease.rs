//! Legs of a whole clip that are little quicker than in the clip.
//!
//! A foot that goes on a smooth way does not make a smooth leg: near full stretch a little of its way is a large angle of the knee, a foot
//! that rolls from heel to ball throws its ankle up, and a knee that is bent more than in the clip swings with every roll of the thigh.
//! So where a leg is too quick, what may give way is made smooth: the knee's angle while the foot is in the air or its heel may rise, the
//! ankle's height and its way, and where the knee points. Of all ways the one is taken on which knee and foot accelerate least.

use glam::{DAffine3, DVec3};
use sinew::{Pose, Skeleton, Workspace};

use super::Feet;
use super::aloft::{Aloft, freely};
use super::leg::Measured;
use super::quick::Peaks;
use crate::clip::Clip;
use crate::ground::Ground;
use crate::least_bent::least_bent;

/// How often all that may give way is gone through.
const ROUNDS: usize = 2;
/// Times its largest acceleration in the clip beyond which a leg is eased, and for how many seconds before and after: first the worst
/// by itself, then what is left with more about it.
const PASSES: [(f64, f64); 3] = [(1.4, 0.1), (1.25, 0.2), (1.2, 0.35)];
/// Seconds in which what gives way may come back.
const FADES: [f64; 7] = [0.02, 0.03, 0.05, 0.07, 0.1, 0.14, 0.2];
/// Changed by less than that (radians, or shares of the leg), a leg is left as it is.
const LITTLE: f64 = 1e-4;
/// Share of the leg by which that may bring its foot deeper into the ground.
const DEEPER: f64 = 1e-3;
/// Share of the leg by which a foot that stands may be over the ground meanwhile: 2.6 mm of a person's; and one in the air higher.
const FLOATS: f64 = 0.003;
const HIGHER: f64 = 0.05;
/// Share of the leg over the ground below which a ball bears, so that the heel may rise.
const BEARS: f64 = 0.004;

/// Eases one thing that may give way in a stretch.
type Way<E> = fn(&E, &mut Clip, &Aloft, &mut Workspace);

/// A leg of a planted clip, and what it is eased by.
pub(super) struct Easing<'a, G: ?Sized> {
    pub(super) feet: &'a Feet,
    pub(super) skeleton: &'a Skeleton,
    pub(super) ground: &'a G,
    pub(super) foot: usize,
    /// Whether the foot is in the air, in each frame.
    pub(super) swings: &'a [bool],
    pub(super) peaks: &'a Peaks,
}

impl<G: Ground + ?Sized> Easing<'_, G> {
    /// Eases the leg about all moments at which it is too quick.
    pub(super) fn ease(&self, clip: &mut Clip, work: &mut Workspace) {
        let everywhere = vec![true; self.swings.len()];
        let ways: [(Way<Self>, &[bool]); 5] = [
            (Self::bend, self.swings),
            (Self::settle, &everywhere),
            (Self::bend, &everywhere),
            (Self::lead, self.swings),
            (Self::swivel, &everywhere),
        ];
        for _ in 0..ROUNDS {
            for (way, places) in ways {
                for pass in PASSES {
                    for stretch in self.quick_about(clip, places, pass) {
                        way(self, clip, &stretch, work);
                    }
                }
            }
        }
    }

    /// Stretches about moments at which it is too quick, in frames that may be changed.
    fn quick_about(&self, clip: &Clip, places: &[bool], (least, about): (f64, f64)) -> Vec<Aloft> {
        let (times, quickness) = (clip.times(), self.peaks.quickness(clip.times(), clip.poses()));
        let quick: Vec<f64> =
            times.iter().skip(1).zip(quickness).filter_map(|(&time, quick)| (quick > least).then_some(time)).collect();
        let near = |(may, time): (&bool, &f64)| *may && quick.iter().any(|quick| (quick - time).abs() < about);
        Aloft::all(&places.iter().zip(times).map(near).collect::<Vec<bool>>())
    }

    /// The knee's angle, where the foot is in the air; where it stands on its ball, the heel rises.
    fn bend(&self, clip: &mut Clip, stretch: &Aloft, work: &mut Workspace) {
        let (leg, up, around) = (self.leg(), self.feet.settings.up, stretch.around.clone());
        let poses = &clip.poses()[around.clone()];
        let rolls: Vec<bool> =
            poses.iter().zip(around.clone()).map(|(pose, frame)| !self.swings[frame] && self.rolls(pose)).collect();
        let given: Vec<f64> = poses.iter().map(|pose| leg.knee_angle(pose)).collect();
        let bound = |at: usize| {
            let lowest = if self.swings[around.start + at] || rolls[at] { 0.0 } else { given[at] };
            [lowest, if self.swings[around.start + at] { std::f64::consts::PI } else { given[at] }]
        };
        let [lowest, highest] = [0, 1].map(|side: usize| (0..given.len()).map(|at| bound(at)[side]).collect());
        let mut ways = smoothed(clip, stretch, &given, [&lowest, &given]);
        ways.extend(smoothed(clip, stretch, &given, [&lowest, &highest]));
        self.choose(clip, stretch, ways.len(), |way, at, pose| {
            let angle = ways[way][at];
            if (angle - given[at]).abs() > LITTLE {
                if rolls[at] {
                    leg.roll_to(self.skeleton, pose, angle, up, work);
                } else {
                    leg.bend_to(self.skeleton, pose, angle, work);
                }
            }
        });
    }

    /// The ankle's height: a foot that stands may be a little over the ground.
    fn settle(&self, clip: &mut Clip, stretch: &Aloft, work: &mut Workspace) {
        let (leg, up, around) = (self.leg(), self.feet.settings.up, stretch.around.clone());
        let poses = &clip.poses()[around.clone()];
        let given: Vec<f64> = poses.iter().map(|pose| leg.tip(pose).dot(up)).collect();
        let bound = |(at, pose): (usize, &Pose)| {
            let [soles, all] = self.over(pose).map(|over| over.clamp(0.0, leg.length));
            if self.swings[around.start + at] {
                return [given[at] - all, given[at] + HIGHER * leg.length];
            }
            let floats = FLOATS * leg.length;
            [given[at] - soles.min(floats), given[at] + (floats - soles).max(0.0)]
        };
        let bounds: Vec<[f64; 2]> = poses.iter().enumerate().map(bound).collect();
        let [lowest, highest] = [0, 1].map(|side: usize| bounds.iter().map(|bound| bound[side]).collect());
        let ways = smoothed(clip, stretch, &given, [&lowest, &highest]);
        self.choose(clip, stretch, ways.len(), |way, at, pose| {
            let by = ways[way][at] - given[at];
            if by.abs() > LITTLE * leg.length {
                leg.move_by(self.skeleton, pose, up * by, None, work);
            }
        });
    }

    /// The way of an ankle in the air.
    fn lead(&self, clip: &mut Clip, stretch: &Aloft, work: &mut Workspace) {
        let (leg, around) = (self.leg(), stretch.around.clone());
        let given: Vec<DVec3> = clip.poses()[around.clone()].iter().map(|pose| leg.tip(pose)).collect();
        let times = &clip.times()[around];
        let ways = FADES.map(|fades| freely(times, &given, stretch.held(), fades));
        self.choose(clip, stretch, ways.len(), |way, at, pose| {
            leg.move_by(self.skeleton, pose, ways[way][at] - given[at], None, work);
        });
    }

    /// Where the knee points.
    fn swivel(&self, clip: &mut Clip, stretch: &Aloft, work: &mut Workspace) {
        let (leg, around) = (self.leg(), stretch.around.clone());
        let given: Vec<DVec3> = clip.poses()[around.clone()].iter().map(|pose| leg.knee_off(pose)).collect();
        let times = &clip.times()[around];
        let ways = FADES.map(|fades| freely(times, &given, stretch.held(), fades));
        self.choose(clip, stretch, ways.len(), |way, at, pose| {
            leg.move_by(self.skeleton, pose, DVec3::ZERO, Some(ways[way][at]), work);
        });
    }

    /// Lays the leg along one of so many ways in a stretch: along the one on which it hurries least, if it hurries less than now and its
    /// foot comes no deeper into the ground.
    fn choose(&self, clip: &mut Clip, stretch: &Aloft, ways: usize, mut lay: impl FnMut(usize, usize, &mut Pose)) {
        let (around, [first, last]) = (stretch.around.clone(), stretch.held());
        let (times, before) = (clip.times()[around.clone()].to_vec(), clip.poses()[around.clone()].to_vec());
        let depths: Vec<[f64; 2]> = before.iter().map(|pose| self.deep(pose)).collect();
        let mut least = self.peaks.most(&times, &before);
        for way in 0..ways {
            let mut poses = before.clone();
            (first..poses.len() - last).for_each(|at| lay(way, at, &mut poses[at]));
            let now = self.peaks.most(&times, &poses);
            let deeper = |(pose, was): (&Pose, &[f64; 2])| {
                let is = self.deep(pose);
                (is[0] - was[0]).max(is[1] - was[1])
            };
            if now < least && poses.iter().zip(&depths).map(deeper).fold(0.0, f64::max) < DEEPER * self.leg().length {
                least = now;
                clip.poses_mut()[around.clone()].clone_from_slice(&poses);
            }
        }
    }

    fn leg(&self) -> &Measured {
        &self.feet.legs[self.foot]
    }

    /// Whether the foot stands on its ball, so that its heel may rise.
    fn rolls(&self, pose: &Pose) -> bool {
        let [heel, ball] = self.feet.soles(pose, self.foot);
        heel != ball && self.height(ball) < BEARS * self.leg().length
    }

    /// How high a point is over the ground.
    fn height(&self, at: DVec3) -> f64 {
        let up = self.feet.settings.up;
        let below = self.ground.below(at + up * self.leg().length, up);
        below.map_or(f64::INFINITY, |below| (at - below.position).dot(up))
    }

    /// How high the lower end of the sole is over the ground, and the lowest point of all the foot.
    fn over(&self, pose: &Pose) -> [f64; 2] {
        let [heel, ball] = self.feet.soles(pose, self.foot).map(|at| self.height(at));
        let tip = self.feet.tip(pose, self.foot).map_or(f64::INFINITY, |at| self.height(at));
        [heel.min(ball), heel.min(ball).min(tip)]
    }

    /// How deep the foot is in the ground, and its toes below what they can bend; 0 over it.
    fn deep(&self, pose: &Pose) -> [f64; 2] {
        let up = self.feet.settings.up;
        let stuck = self.leg().toes.map_or(0.0, |toes| toes.stuck(pose, &DAffine3::IDENTITY, self.ground, up));
        [-self.over(pose)[1], stuck].map(|deep| deep.max(0.0))
    }
}

/// Values of a stretch between bounds, smoothed by more and more.
fn smoothed(clip: &Clip, stretch: &Aloft, given: &[f64], [lowest, highest]: [&Vec<f64>; 2]) -> Vec<Vec<f64>> {
    let times = &clip.times()[stretch.around.clone()];
    let way = |fades| {
        let mut values = given.to_vec();
        least_bent(times, &mut values, [lowest, highest], stretch.held(), fades);
        values
    };
    FADES.into_iter().map(way).collect()
}
