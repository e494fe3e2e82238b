//! The closed form that brings a leg's foot to a place.

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::solve::two_bone::{self, Limb};
use sinew::{Joint, Pole, Pose, Skeleton, Transform};

use super::link::{MOST_LINKS, turn_of};
use super::{Axes, Footing, MOST_HEEL, Measured};

/// How often a leg is bent anew where it missed, and by how much it may miss (share of its length at rest).
const ROUNDS: u32 = 8;
const MISSES: f64 = 1e-6;

impl Measured {
    /// Place and rotation of each link in the space of the hip's parent, with lower joints at a share of their bends.
    pub(super) fn frames(&self, share: f64) -> [(DVec3, DQuat); MOST_LINKS] {
        let mut frames = [(DVec3::ZERO, DQuat::IDENTITY); MOST_LINKS];
        let (mut frame, mut turn) = (DAffine3::IDENTITY, DQuat::IDENTITY);
        for (index, link) in self.links.iter().enumerate() {
            let local = Transform { rotation: link.at(share), ..link.rest };
            frame = frame * link.between * local.to_affine();
            turn = turn * turn_of(&link.between) * local.rotation;
            frames[index] = (frame.translation, turn);
        }
        frames
    }

    /// Local rotations that bring the foot to its footing, in a pose whose body is where it is to be; `body` is its turn from
    /// rest. Returns where the ankle then is.
    pub(in crate::gait) fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &Pose,
        axes: &Axes,
        body: DQuat,
        footing: &Footing,
        out: &mut Vec<(Joint, DQuat)>,
    ) {
        let root = self.links[0].joint;
        let space = skeleton.parent(root).map_or(*skeleton.base(root), |parent| *pose.model(parent));
        let inside = space.inverse();
        let space_turn = arc::rotation_of(&space.matrix3).unwrap_or(DQuat::IDENTITY);
        let foot = footing.turned(axes);
        let ankle = inside.transform_point3(footing.place + foot * self.ankle);

        // Below the coxa's turn all is in the leg's own plane.
        let coxa_turn =
            if self.coxa { self.coxa_turn(&space, inside.matrix3 * (body * axes.up), ankle) } else { DQuat::IDENTITY };
        let hip = self.own[0] + coxa_turn * (self.own[1] - self.own[0]);
        let pole = Pole::Direction(inside.matrix3 * self.carried(axes, body, space.matrix3 * (ankle - hip)));
        let end = (space_turn.conjugate() * foot * self.end_turn).normalize();
        let (place, mut aim) = (inside.transform_point3(footing.place), ankle);
        let mut bent = self.bent(coxa_turn, (hip, aim), pole, end);
        for _ in 0..ROUNDS {
            let miss = place - bent.1;
            if miss.length_squared() <= MISSES * MISSES * self.own[2].distance_squared(self.own[1]) {
                break;
            }
            aim += miss;
            let again = self.bent(coxa_turn, (hip, aim), pole, end);
            if again.1.distance_squared(place) >= miss.length_squared() {
                break;
            }
            bent = again;
        }
        out.extend(self.links.iter().zip(bent.0).map(|(link, rotation)| (link.joint, rotation)));
        if let Some((ball, between)) = self.toes {
            // Toes stay as flat as at rest under a raised heel.
            let rest = skeleton.rest(ball).rotation;
            let flat = foot.conjugate() * footing.turn;
            let inside = self.end_turn * between;
            out.push((ball, (inside.conjugate() * flat * inside * rest).normalize()));
        }
    }

    /// Local rotations of the links that bring the ankle to a place, in the space of the hip's parent, and where what touches the ground then
    /// is: elsewhere than meant where joints are scaled unevenly, as links are longer one way than another.
    fn bent(
        &self,
        coxa_turn: DQuat,
        (hip, ankle): (DVec3, DVec3),
        pole: Pole,
        end: DQuat,
    ) -> ([DQuat; MOST_LINKS], DVec3) {
        let (first, last) = (usize::from(self.coxa), self.links.len() - 1);
        let near = self.own[0];
        let full = self.reach / self.scale;
        let distance = arc::length(ankle - hip).min(full * 0.9999);
        let slack = full - self.rest_reach / self.scale;
        let share = if slack > 1e-3 * full { ((full - distance) / slack).clamp(0.0, self.most_fold) } else { 1.0 };
        let frames = self.frames(share);
        let place = |i: usize| near + coxa_turn * (frames[i].0 - near);
        let limb = Limb { root: hip, mid: place(first + 1), tip: place(last) };
        let target = hip + (ankle - hip).normalize_or(DVec3::Y) * distance.max(0.0);
        let turns = two_bone::bend(&limb, target, pole);

        let mut rotations = [DQuat::IDENTITY; MOST_LINKS];
        let (mut above, mut frame) = (DQuat::IDENTITY, DAffine3::IDENTITY);
        for (index, link) in self.links.iter().enumerate() {
            let between = above * turn_of(&link.between);
            let meant = match index {
                _ if index == last => end,
                0 if self.coxa => coxa_turn * frames[0].1,
                _ if index == first => turns.root * coxa_turn * frames[index].1,
                _ => turns.mid * turns.root * coxa_turn * frames[index].1,
            };
            let rotation = (between.conjugate() * meant).normalize();
            frame = frame * link.between * Transform { rotation, ..link.rest }.to_affine();
            (rotations[index], above) = (rotation, meant);
        }
        (rotations, frame.transform_point3(self.touch))
    }

    /// Turn of the coxa about up that points it at the ankle.
    fn coxa_turn(&self, space: &DAffine3, up: DVec3, ankle: DVec3) -> DQuat {
        let [near, _, last] = self.own;
        let (Some(up), true) = (arc::unit(up), space.is_finite()) else { return DQuat::IDENTITY };
        match (arc::unit(arc::reject(last - near, up)), arc::unit(arc::reject(ankle - near, up))) {
            (Some(from), Some(to)) => arc::arc(from, to, up),
            _ => DQuat::IDENTITY,
        }
    }

    /// How far the heel must rise for the ankle to come within `reach` of the hip; the most where that is not enough.
    pub(in crate::gait) fn heel_for(&self, axes: &Axes, place: DVec3, turn: DQuat, hip: DVec3, reach: f64) -> f64 {
        let e = turn.conjugate() * (hip - place);
        let (w, k) = (self.ankle, axes.left);
        let (along, across) = (k * k.dot(w), arc::reject(w, k));
        let wanted = 0.5 * (e.dot(e) + w.dot(w) - reach * reach) - e.dot(along);
        let (a, b) = (e.dot(across), e.dot(k.cross(across)));
        if a >= wanted || across.dot(across) < 1e-12 * self.reach * self.reach {
            return 0.0;
        }
        let size = ops::sqrt(a * a + b * b);
        let peak = ops::atan2(b, a);
        let c = (wanted / size).min(1.0);
        (peak - ops::atan2(ops::sqrt_clamped(1.0 - c * c), c)).clamp(0.0, MOST_HEEL)
    }
}
