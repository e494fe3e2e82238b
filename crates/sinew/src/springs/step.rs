//! A step in time: whole sub-steps of a fixed length from an accumulator, while the body moves steadily from where it
//! was to where it is; what is shown lies between the last two sub-steps.

use glam::DVec3;

use super::anchor::Anchor;
use super::settings::Springs;
use super::state::{Particle, SpringState, Surroundings};
use crate::math::ops;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Share of a sub-step that counts as whole, since sums of frame times round.
const NEARLY: f64 = 1e-6;

/// What a step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Sub-steps made.
    pub steps: u32,
    /// Time left out, since more sub-steps than allowed would have been needed (seconds).
    pub dropped: f64,
    /// Whether the bones were carried over a jump of their body.
    pub jumped: bool,
    /// Whether nothing was done: settings that [`Springs::check`] refuses, a pose of another skeleton or with NaN in it,
    /// or a time that is negative or not finite. The pose is then untouched.
    pub refused: bool,
}

impl Springs {
    /// Advances by `dt` seconds: reads from `pose` where the body is, and writes the swinging bones into it. Set the pose
    /// anew before each call, by whatever moves the body. What it holds for the bones themselves does not matter, unless
    /// [`shape`](Self::shape) is `Given`. The bones are shown one sub-step behind the body, so that every frame rate shows
    /// the same motion.
    pub fn step(&self, skeleton: &Skeleton, pose: &mut Pose, state: &mut SpringState, dt: f64) -> Step {
        self.step_with(skeleton, pose, state, dt, &mut |_| DVec3::ZERO)
    }

    /// The same with a force (newtons, model space) on each bone's end: buoyancy, gusts, magnets. It is asked in each
    /// sub-step, and again when a blow makes the sub-step begin anew. A force that is not finite counts as none.
    ///
    /// ```
    /// # use sinew::{Skeleton, glam::DVec3, springs::{SpringState, Springs}};
    /// # let weed = Skeleton::from_lengths(&[0.1; 5])?;
    /// # let [base, tip] = weed.joints(["joint_0", "joint_5"])?;
    /// let springs = Springs { gravity: DVec3::NEG_Y * 9.81, ..Springs::chain(&weed, base, tip)? }
    ///     .each(|bone| bone.dragged(1.0, 0.5));
    /// let (mut pose, mut state) = (weed.rest_pose(), SpringState::default());
    /// let water = 0.3;
    /// springs.step_with(&weed, &mut pose, &mut state, 1.0 / 60.0, &mut |end| {
    ///     if end.position.y < water { DVec3::Y * (1.2 * 9.81 * end.mass) } else { DVec3::ZERO }
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step_with(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        state: &mut SpringState,
        dt: f64,
        force: &mut dyn FnMut(&Particle) -> DVec3,
    ) -> Step {
        let refused = Step { refused: true, ..Step::default() };
        let usable = dt >= 0.0 && dt.is_finite() && pose.fits(skeleton);
        if !usable || self.check(skeleton).is_err() {
            return refused;
        }
        state.prepare(self, skeleton);
        if !state.after.read(self, &state.plan, skeleton, pose) {
            return refused;
        }
        state.plan.read_shape(self, skeleton, pose, &state.after.anchors);
        let jumped = state.meet(self);
        let step = Step { jumped, ..self.run(skeleton, state, dt, force) };
        if state.ends.iter().any(|end| !(end.shown.is_finite() && end.velocity.is_finite())) {
            state.begin();
        }
        self.write(skeleton, pose, state);
        core::mem::swap(&mut state.before, &mut state.after);
        state.jumps = false;
        step
    }

    /// Runs the sub-steps.
    fn run(
        &self,
        skeleton: &Skeleton,
        state: &mut SpringState,
        dt: f64,
        force: &mut dyn FnMut(&Particle) -> DVec3,
    ) -> Step {
        let h = self.step;
        let wanted = libm::floor((state.left + dt) / h + NEARLY);
        let most = f64::from(self.most_steps);
        let dropped = if wanted > most { (state.left + dt - most * h).min(dt) } else { 0.0 };
        let mut passed = dt - dropped;
        if dropped > 0.0 {
            // What is left out is carried over.
            let SpringState { before, after, now, .. } = state;
            now.mix(before, after, dropped / dt);
            state.leap();
            passed = passed.max(f64::MIN_POSITIVE);
        }
        #[allow(clippy::cast_sign_loss, reason = "clamped")]
        let steps = wanted.clamp(0.0, most) as u32;
        for number in 1..=steps {
            let share = ((f64::from(number) * h - state.left) / passed).clamp(0.0, 1.0);
            let SpringState { before, after, now, .. } = state;
            now.mix(before, after, share);
            // What is shown lies between the last two.
            self.substep(skeleton, state, force, number + 1 >= steps);
        }
        state.left = if dropped > 0.0 { 0.0 } else { (state.left + dt - f64::from(steps) * h).clamp(0.0, h) };
        Step { steps, dropped, ..Step::default() }
    }
}

impl SpringState {
    /// Begins where nothing was yet, and carries the bones where the body jumped; whether it did.
    fn meet(&mut self, springs: &Springs) -> bool {
        let SpringState { before, after, .. } = self;
        let mirrors = |one: &Surroundings, other: &Surroundings| {
            one.anchors.iter().zip(&other.anchors).any(|(a, b)| a.mirrored != b.mirrored)
        };
        let same = before.anchors.len() == after.anchors.len() && before.colliders.len() == after.colliders.len();
        if !self.begun || !same || mirrors(before, after) {
            self.before.copy(&self.after);
            self.begin();
            return false;
        }
        let far = springs.teleport.distance * self.plan.extent;
        let turned = ops::sin_cos(0.5 * springs.teleport.angle.min(core::f64::consts::PI)).1;
        let jump = |(a, b): (&Anchor, &Anchor)| a.place.distance(b.place) > far || a.turn.dot(b.turn).abs() < turned;
        let jumped = self.jumps || before.anchors.iter().zip(&after.anchors).any(jump);
        if jumped {
            self.now.copy(&self.after);
            self.leap();
        }
        jumped
    }
}
