//! A whole clip on the ground: known beforehand, the body need not hurry to where its legs reach.

use glam::DVec3;
use sinew::{Skeleton, Workspace};

use super::foot::Footing;
use super::rise::rise;
use super::{Contacts, Feet, FeetState, FeetStep};
use crate::clip::Clip;
use crate::course::Course;
use crate::ground::Ground;

/// Half-lives of the body's spring ([`FeetSettings::body`](super::FeetSettings::body)) to each side over which its way is averaged.
const HALVES: f64 = 1.5;

impl Feet {
    /// Brings a whole clip onto the ground. As [`step`](Self::step) does for each of its poses, but the body's way is planned: it follows
    /// the mean of the feet, and comes down as far as the legs need, both averaged over the time around; where it must be low it comes
    /// down before and rises after, so that it is never higher than the legs reach.
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
        (0..self.len()).for_each(|foot| rise(self.settings.up, clip.times(), foot, &mut feet));
        let ways = self.ways(clip, ground, &feet, offsets);
        let mut work = Workspace::default();
        for ((pose, feet), way) in clip.poses_mut().iter_mut().zip(&mut feet).zip(ways) {
            self.show(skeleton, pose, ground, way, feet, &mut work);
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
            let need = |(leg, foot)| {
                let raised = self.raised(leg, pose, ground, foot, way);
                foot.load * leg.short(pose, &raised, way, up, self.settings.reach)
            };
            up * self.legs.iter().zip(&feet[frame]).map(need).fold(0.0, f64::max)
        };
        let needs = course(ways.values().iter().enumerate().map(deep).collect());
        let most = needs.largest_about(clip.times(), span).into_iter().map(|deep| up * deep);
        let depths = course(most.collect()).averaged(span);
        ways.values().iter().zip(depths.values()).map(|(way, deep)| *way - *deep).collect()
    }
}
