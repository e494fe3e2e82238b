//! A whole clip on the ground: known beforehand, the body need not hurry to where its legs reach.

use glam::DVec3;
use sinew::{Skeleton, Workspace};

use super::foot::Footing;
use super::leg::Measured;
use super::rise::Rise;
use super::{Contacts, Feet, FeetSettings, FeetState, FeetStep};
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;

/// Half-lives of the body's spring ([`FeetSettings::body`](super::FeetSettings::body)) to each side over which its way is averaged.
const HALVES: f64 = 1.5;
/// Seconds before they must in which heels rise, and in which they come down after.
const HEELS: f64 = 0.08;

impl Feet {
    /// Brings a whole clip onto the ground. It does what [`step`](Self::step) does for each pose, but the path of the body
    /// is planned: it follows the mean of the feet and comes down as far as the legs need, both averaged over time. So it
    /// comes down before it must be low and rises after, and is never higher than the legs reach.
    ///
    /// # Panics
    /// Where the clip is another skeleton's.
    pub fn plant(&self, skeleton: &Skeleton, clip: &mut Clip, contacts: &Contacts, ground: &(impl Ground + ?Sized)) {
        let (mut state, mut hints) = (FeetState::default(), Vec::new());
        let mut last = clip.start();
        let mut feet: Vec<Vec<Footing>> = Vec::with_capacity(clip.len());
        let mut offsets = Vec::with_capacity(clip.len());
        for (pose, &time) in clip.poses().iter().zip(clip.times()) {
            contacts.hints(time, &mut hints);
            self.advance(pose, ground, &FeetStep { dt: time - last, hints: &hints }, &mut state);
            feet.push(state.feet.iter().map(|foot| foot.footing(self.settings.up)).collect());
            offsets.push(self.mean_offset(&state.feet));
            last = time;
        }
        (0..self.len()).for_each(|foot| self.come_back(clip, foot, &mut feet, &mut offsets));
        let mut rises: Vec<Rise> =
            (0..self.len()).map(|foot| Rise::new(self, clip, ground, foot, &feet, &mut offsets)).collect();
        let free = vec![f64::INFINITY; clip.len()];
        for rise in &mut rises {
            rise.lay(self.settings.up, clip.times(), &free, &mut feet);
        }
        let ways = self.ways(clip, ground, &feet, offsets);
        (0..self.len()).for_each(|foot| self.heels(clip, &ways, foot, &mut feet));
        // Where the body is decides how far the legs fold.
        for rise in &mut rises {
            let highest = rise.highest(self, clip, &ways, &feet);
            rise.lay(self.settings.up, clip.times(), &highest, &mut feet);
        }
        let mut work = Workspace::default();
        for ((pose, feet), way) in clip.poses_mut().iter_mut().zip(&mut feet).zip(ways) {
            self.show(skeleton, pose, ground, way, feet, &mut work);
        }
    }

    /// Has heels rise in good time before they must, and come down after.
    fn heels(&self, clip: &Clip, ways: &[DVec3], foot: usize, feet: &mut [Vec<Footing>]) {
        let FeetSettings { up, reach, .. } = self.settings;
        let course =
            |angles: Vec<f64>| Course::new(clip.times().to_vec(), angles.into_iter().map(|a| up * a).collect());
        let needed = clip.poses().iter().zip(&*feet).zip(ways);
        let needed = needed.map(|((pose, feet), way)| self.legs[foot].heel_angle(pose, &feet[foot], *way, up, reach));
        let most = course(needed.collect()).largest_about(clip.times(), HEELS);
        for (feet, angle) in feet.iter_mut().zip(course(most).averaged(HEELS).sizes()) {
            feet[foot].heel = angle;
        }
    }

    /// How far the body moves from where the clip has it, for each of its poses, to go along with feet that are moved so in the mean.
    fn ways(
        &self,
        clip: &Clip,
        ground: &(impl Ground + ?Sized),
        feet: &[Vec<Footing>],
        offsets: Vec<DVec3>,
    ) -> Vec<DVec3> {
        let (up, span) = (self.settings.up, HALVES * self.settings.body);
        let course = |values| Course::new(clip.times().to_vec(), values);
        let ways = course(offsets).averaged(span);
        let deep = |(frame, &way): (usize, &DVec3)| {
            let pose = &clip.poses()[frame];
            let need = |(leg, foot): (&Measured, &Footing)| {
                let raised = self.raised(leg, pose, ground, foot, way);
                foot.load * leg.short(pose, &raised, way, up, self.settings.reach)
            };
            // No lower than legs that bear fold.
            let most = |(leg, foot): (&Measured, &Footing)| leg.most_deep(pose, foot, way, up);
            let most = self.legs.iter().zip(&feet[frame]).map(most).fold(f64::INFINITY, f64::min);
            up * self.legs.iter().zip(&feet[frame]).map(need).fold(0.0, f64::max).min(most)
        };
        let needs = course(ways.values().iter().enumerate().map(deep).collect());
        let most = needs.largest_about(clip.times(), span).into_iter().map(|deep| up * deep);
        let depths = course(most.collect()).averaged(span);
        ways.values().iter().zip(depths.values()).map(|(way, deep)| *way - *deep).collect()
    }
}
