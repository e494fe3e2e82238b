//! A whole clip on the ground: known beforehand, the body need not hurry to where its legs reach.

use glam::DVec3;
use sinew::{Pose, Skeleton, Workspace};

use super::body::{Body, SLOWER};
use super::ease::Easing;
use super::foot::{FootState, Footing};
use super::leg::Measured;
use super::quick::Peaks;
use super::rise::Rise;
use super::spread::Spread;
use super::toes::{MOST_BEND, Toes};
use super::{Contacts, Feet, FeetSettings, FeetState, FeetStep};
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;
use crate::least_bent::least_bent;
use crate::least_jerk::smooth;

/// Half-lives of the body's spring ([`FeetSettings::body`](super::FeetSettings::body)) to each side over which its way is averaged:
/// one after the other, until no joint is so many times as quick as in the clip.
const HALVES: [f64; 4] = [2.0, 2.5, 3.0, 1.0];
const QUICK: f64 = 1.7;
/// What weighs as much as one time more: a hundredth of its leg by which a foot stands beside its place.
const MISSES: f64 = 100.0;
/// Seconds before they must in which heels rise, and in which they come down after.
const HEELS: f64 = 0.08;
/// Share of what a leg in the air can be shorter by that the body leaves it.
const CLOSE: f64 = 0.04;
/// Seconds in which toes come back to where they are in the clip.
const TOES: f64 = 0.05;

impl Feet {
    /// Brings a whole clip onto the ground. It does what [`step`](Self::step) does for each pose, but the path of the body
    /// is planned: it follows the mean of the feet and comes down as far as the legs need, both averaged over time. So it
    /// comes down before it must be low and rises after, and is never higher than the legs reach. Legs that are much quicker than
    /// in the clip are eased, and of some paths of the body the one is taken on which joints are least quick.
    ///
    /// # Panics
    /// Where the clip is another skeleton's.
    pub fn plant(&self, skeleton: &Skeleton, clip: &mut Clip, contacts: &Contacts, ground: &(impl Ground + ?Sized)) {
        let peaks = Peaks::of_body(self, skeleton, clip);
        let mut best: Option<(f64, Clip)> = None;
        for halves in HALVES {
            let mut planted = clip.clone();
            let missed = self.plan(skeleton, &mut planted, contacts, ground, halves);
            let quick = peaks.most(planted.times(), planted.poses()) + MISSES * missed;
            if best.as_ref().is_none_or(|(least, _)| quick < *least) {
                best = Some((quick, planted));
            }
            if best.as_ref().is_some_and(|(least, _)| *least < QUICK) {
                break;
            }
        }
        if let Some((_, planted)) = best {
            *clip = planted;
        }
    }

    /// The same with the body's way averaged over so many half-lives of its spring to each side; how far from its place a foot stands at
    /// most, as a share of its leg.
    fn plan(
        &self,
        skeleton: &Skeleton,
        clip: &mut Clip,
        contacts: &Contacts,
        ground: &(impl Ground + ?Sized),
        halves: f64,
    ) -> f64 {
        let (mut state, mut hints) = (FeetState::default(), Vec::new());
        let mut last = clip.start();
        let mut feet: Vec<Vec<Footing>> = Vec::with_capacity(clip.len());
        for (pose, &time) in clip.poses().iter().zip(clip.times()) {
            contacts.hints(time, &mut hints);
            // What is in the way of a foot that lifts is known of the whole clip below.
            hints.iter_mut().filter(|hint| hint.touches == Some(true)).for_each(|hint| hint.landing = None);
            self.advance(pose, ground, &FeetStep { dt: time - last, hints: &hints }, &mut state);
            let footing =
                |(leg, foot): (&Measured, &FootState)| foot.footing(pose.position(leg.ankle), self.settings.up);
            feet.push(self.legs.iter().zip(&state.feet).map(footing).collect());
            last = time;
        }
        (0..self.len()).for_each(|foot| self.come_back(clip, foot, &mut feet));
        let mut rises: Vec<Rise> = (0..self.len()).map(|foot| Rise::new(self, clip, ground, foot, &mut feet)).collect();
        let free = vec![f64::INFINITY; clip.len()];
        for rise in &mut rises {
            rise.lay(self.settings.up, clip.times(), &free, &mut feet);
        }
        let bodies = self.bodies(clip, ground, &feet, halves);
        (0..self.len()).for_each(|foot| self.heels(clip, &bodies, foot, &mut feet));
        // Where the body is decides how far the legs fold.
        for rise in &mut rises {
            let highest = rise.highest(self, clip, &bodies, &feet);
            rise.lay(self.settings.up, clip.times(), &highest, &mut feet);
        }
        let mut work = Workspace::default();
        let peaks: Vec<Peaks> = (0..self.len()).map(|foot| Peaks::of_leg(self, clip, foot)).collect();
        let mut missed: f64 = 0.0;
        for ((pose, feet), body) in clip.poses_mut().iter_mut().zip(&mut feet).zip(bodies) {
            let own: Vec<DVec3> = self.legs.iter().map(|leg| leg.sole(pose)).collect();
            self.show(skeleton, pose, ground, body, feet, &mut work);
            for (leg, (foot, own)) in self.legs.iter().zip(feet.iter().zip(own)).filter(|(_, (foot, _))| !foot.swings) {
                missed = missed.max(leg.sole(pose).distance(foot.motion.transform_point3(own)) / leg.length);
            }
        }
        for (foot, peaks) in peaks.iter().enumerate() {
            let swings: &[bool] = &feet.iter().map(|frame| frame[foot].swings).collect::<Vec<bool>>();
            Easing { feet: self, skeleton, ground, foot, swings, peaks }.ease(clip, &mut work);
        }
        for toes in self.legs.iter().filter_map(|leg| leg.toes) {
            self.bend_toes(skeleton, clip, ground, &toes);
        }
        missed
    }

    /// Has toes bend in good time before they must, where that does not bring them into the ground ahead.
    fn bend_toes(&self, skeleton: &Skeleton, clip: &mut Clip, ground: &(impl Ground + ?Sized), toes: &Toes) {
        let up = self.settings.up;
        let needed: Vec<f64> = clip.poses().iter().map(|pose| toes.needed(pose, ground, up)).collect();
        let bent = |highest: &[f64]| {
            let mut angles = needed.clone();
            least_bent(clip.times(), &mut angles, [&needed, highest], [0, 0], TOES);
            angles
        };
        let deeper = |(pose, (&angle, &needed)): (&Pose, (&f64, &f64))| {
            toes.deep(pose, angle, ground, up) > toes.deep(pose, needed, ground, up).max(0.0)
        };
        let most: Vec<f64> = needed.iter().map(|needed| needed.max(MOST_BEND)).collect();
        let free = bent(&most);
        let pairs = clip.poses().iter().zip(free.iter().zip(&needed));
        let highest = pairs.zip(&most).map(|(pair, most)| if deeper(pair) { *pair.1.1 } else { *most });
        let angles = bent(&highest.collect::<Vec<f64>>());
        for (pose, pair) in clip.poses_mut().iter_mut().zip(angles.iter().zip(&needed)) {
            let angle = if deeper((pose, pair)) { *pair.1 } else { *pair.0 };
            toes.bend(skeleton, pose, angle);
        }
    }

    /// Has heels rise in good time before they must, and come down after.
    fn heels(&self, clip: &Clip, bodies: &[Body], foot: usize, feet: &mut [Vec<Footing>]) {
        let FeetSettings { up, longest, .. } = self.settings;
        let course =
            |angles: Vec<f64>| Course::new(clip.times().to_vec(), angles.into_iter().map(|a| up * a).collect());
        let leg = &self.legs[foot];
        let needed = clip.poses().iter().zip(&*feet).zip(bodies);
        let needed =
            needed.map(|((pose, feet), body)| leg.heel_angle(pose, &feet[foot], body.way_of(leg, pose), up, longest));
        let most = course(needed.collect()).largest_about(clip.times(), HEELS);
        // A heel that bears the foot does not rise before it must: the ball, which is not held yet, would slide.
        let mut on_ball = f64::INFINITY;
        let times = clip.times().windows(2).map(|pair| pair[1] - pair[0]);
        for ((feet, angle), dt) in feet.iter_mut().zip(course(most).averaged(HEELS).sizes()).zip(times.chain([0.0])) {
            let foot = &mut feet[foot];
            on_ball = if foot.on_heel { 0.0 } else { on_ball };
            foot.heel = angle * smooth(on_ball / HEELS);
            on_ball += dt;
        }
    }

    /// How the body is moved from where the clip has it, for each of its poses, to go along with feet that are moved so.
    fn bodies(&self, clip: &Clip, ground: &(impl Ground + ?Sized), feet: &[Vec<Footing>], halves: f64) -> Vec<Body> {
        let (up, span) = (self.settings.up, halves * self.settings.body);
        let course = |values| Course::new(clip.times().to_vec(), values);
        let spreads = feet.iter().map(|frame| Spread::of(frame, up)).map(|spread| (spread.shape, spread.rise));
        let (shapes, rises) = spreads.unzip();
        let [shapes, rises] = [shapes, rises].map(|values| course(values).averaged(SLOWER * span));
        let ways = course(feet.iter().map(|frame| self.mean_offset(frame)).collect()).averaged(span);
        let body = |frame: usize, way| {
            let spread = Spread { shape: shapes.values()[frame], rise: rises.values()[frame] };
            self.body(&clip.poses()[frame], way, &spread)
        };
        let deep = |(frame, &way): (usize, &DVec3)| {
            let (pose, body) = (&clip.poses()[frame], body(frame, way));
            let need = |(leg, foot): (&Measured, &Footing)| {
                let way = body.way_of(leg, pose);
                let raised = self.raised(leg, pose, ground, foot, way);
                foot.load * leg.short(pose, &raised, way, up, self.settings.longest)
            };
            // No lower than legs that bear fold.
            let most = |(leg, foot): (&Measured, &Footing)| leg.most_deep(pose, foot, body.way_of(leg, pose), up);
            let most = self.legs.iter().zip(&feet[frame]).map(most).fold(f64::INFINITY, f64::min);
            up * self.legs.iter().zip(&feet[frame]).map(need).fold(0.0, f64::max).min(most)
        };
        let needs = course(ways.values().iter().enumerate().map(deep).collect());
        let most = needs.largest_about(clip.times(), span).into_iter().map(|deep| up * deep);
        let depths = course(most.collect()).averaged(span);
        let low: Vec<DVec3> = ways.values().iter().zip(depths.values()).map(|(way, deep)| *way - *deep).collect();
        // No lower than legs in the air fold.
        let near = |(frame, &way): (usize, &DVec3)| {
            let (pose, body) = (&clip.poses()[frame], body(frame, way));
            let near = |(leg, foot): (&Measured, &Footing)| {
                (1.0 - foot.load) * leg.lowest(pose, foot, body.way_of(leg, pose), up, (0.0, CLOSE)).max(0.0)
            };
            // And no higher than those reach that bear.
            let reach = |(leg, foot): (&Measured, &Footing)| {
                let way = body.way_of(leg, pose);
                let raised = self.raised(leg, pose, ground, foot, way);
                -leg.short(pose, &raised, way, up, self.settings.longest) / foot.load.max(1e-3)
            };
            let reach = self.legs.iter().zip(&feet[frame]).map(reach).fold(f64::INFINITY, f64::min);
            up * self.legs.iter().zip(&feet[frame]).map(near).fold(0.0, f64::max).min(reach.max(0.0))
        };
        let needs = course(low.iter().enumerate().map(near).collect());
        let most = needs.largest_about(clip.times(), span).into_iter().map(|high| up * high);
        let rises = course(most.collect()).averaged(span);
        low.iter().zip(rises.values()).enumerate().map(|(frame, (low, rise))| body(frame, *low + *rise)).collect()
    }
}
