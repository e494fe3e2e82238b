//! A leg as it is measured once, and how it is brought to where its foot is to be.

mod span;

use glam::{DAffine3, DQuat, DVec3};
use sinew::math::{arc, ops};
use sinew::{Goal, Joint, Pole, Pose, Skeleton, Solver, Status, Target, TwoBone, Workspace};

use super::foot::Footing;
use super::toes::Toes;
use crate::least_jerk::{eased, rounded, smooth};
pub(super) use span::{FLAT, LEFT, room};

/// Share of the bones over which a leg comes softly to its longest.
pub(super) const SOFT: f64 = 0.03;
/// How often a leg is laid whose ankle cannot turn as it should, until its sole is so near where it should be (a share of the leg).
const CORRECTIONS: usize = 4;
const NEAR: f64 = 1e-6;
/// Share of its length that a leg stands upright from which its foot is raised to make it shorter.
const LEANS: f64 = 0.3;
/// Share of the bones over which a leg in the air comes to where it would be straight.
const OVER: f64 = 0.01;
/// Share of how far the clip has a knee bent back, by which it is bent more when it is bent its own way.
const TURNS: f64 = 0.2;
/// Knees nearer to the line from hip to ankle in the stance than this share of the bones are straight.
const STRAIGHT: f64 = 0.01;

/// A leg by its joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// From the hip to the ankle: hip, knee and ankle, a hock or a coxa where there is one, and so on. The two bones with the
    /// longer shorter one bend; other joints keep the clip's rotations in model space.
    pub joints: Vec<Joint>,
    /// Where the toes begin (the ball of the foot), below the ankle or the foot apart; without one the sole is a point.
    pub toe: Option<Joint>,
    /// Where the toes end, below `toe`; without one toes do not bend.
    pub end: Option<Joint>,
    /// A foot that is a bone of its own beside the leg, and moves along with the ankle.
    pub apart: Option<Joint>,
}

impl Leg {
    /// All its joints from the hip to the end of the toes, without a foot apart.
    pub(crate) fn all(&self) -> impl Iterator<Item = Joint> + '_ {
        self.joints.iter().copied().chain(self.toe).chain(self.end)
    }
}

/// A leg of which only the joints are known, and not where its foot begins.
impl From<Vec<Joint>> for Leg {
    fn from(joints: Vec<Joint>) -> Self {
        Self { joints, toe: None, end: None, apart: None }
    }
}

/// A leg, measured.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) limb: TwoBone,
    pub(super) ankle: Joint,
    pub(super) apart: Option<Joint>,
    /// What has the sole: the ankle, or the foot apart.
    pub(super) foot: Joint,
    /// From hip to ankle, stretched.
    pub(super) length: f64,
    /// Lengths of the two bones that bend, together and each.
    pub(super) bones: f64,
    pub(super) parts: [f64; 2],
    /// Direction in which the knee bends more, in the frame of its upper bone.
    knee_way: DVec3,
    /// Heel and ball in the foot's frame; twice the same where there is no toe.
    pub(super) soles: [DVec3; 2],
    pub(super) toes: Option<Toes>,
}

impl Measured {
    /// `floor` is the height of the ground under the stance; left out, that of the lowest joint of the foot.
    pub(super) fn of(skeleton: &Skeleton, leg: &Leg, stance: &Pose, up: DVec3, floor: Option<f64>) -> Option<Self> {
        let &ankle = leg.joints.last()?;
        let place = |joint: Joint| stance.position(joint);
        let bone = |pair: &[Joint]| place(pair[0]).distance(place(pair[1]));
        let bends = |three: &&[Joint]| bone(&three[..2]).min(bone(&three[1..]));
        // Of two that are alike the upper one.
        let three = leg.joints.windows(3).rev().max_by(|a, b| bends(a).total_cmp(&bends(b)))?;
        let limb = TwoBone::new(skeleton, three[0], three[1], three[2]).ok()?;
        let length = leg.joints.windows(2).map(bone).sum();
        let foot = leg.apart.unwrap_or(ankle);
        let low = [Some(ankle), Some(foot), leg.toe, leg.end].into_iter().flatten();
        let lowest = low.map(|joint| place(joint).dot(up)).fold(f64::INFINITY, f64::min);
        let floor = floor.unwrap_or(lowest).min(lowest);
        let down = |joint: Joint| place(joint) - up * (place(joint).dot(up) - floor);
        let into = stance.model(foot).inverse();
        let soles = [down(foot), down(leg.toe.unwrap_or(foot))].map(|sole| into.transform_point3(sole));
        let toes = leg.toe.zip(leg.end);
        let toes = toes.and_then(|(ball, end)| Toes::new(foot, ball, down(end), stance, up, length));
        let parts = [bone(&three[..2]), bone(&three[1..])];
        let bones = parts[0] + parts[1];
        // As it is bent in the stance; a straight leg's knee goes where the foot points, else where none says.
        let (line, own) = (place(three[2]) - place(three[0]), place(three[1]) - place(three[0]));
        let bend = Some(arc::reject(own, arc::unit(line)?)).filter(|bend| arc::length(*bend) > STRAIGHT * bones);
        let toes_way = leg.toe.map_or(DVec3::ZERO, |toe| place(toe) - place(foot));
        let knee_way =
            stance.rotation(three[0]).conjugate() * arc::unit(bend.unwrap_or(toes_way)).unwrap_or(DVec3::ZERO);
        (bones > 0.0 && bones.is_finite() && soles.iter().all(|sole| sole.is_finite())).then_some(Self {
            limb,
            ankle,
            apart: leg.apart,
            foot,
            length,
            bones,
            parts,
            knee_way,
            soles,
            toes,
        })
    }

    /// Has the knee bend more the way in which it is bent in the mean of some poses, if it is.
    pub(super) fn bend_as(&mut self, poses: &[Pose]) {
        let bend = |pose: &Pose| {
            let (root, line) = (pose.position(self.limb.root), arc::unit(self.line(pose)).unwrap_or(DVec3::ZERO));
            pose.rotation(self.limb.root).conjugate() * arc::reject(pose.position(self.limb.mid) - root, line)
        };
        let mean = poses.iter().map(bend).sum::<DVec3>() / poses.len().max(1) as f64;
        if let Some(way) = arc::unit(mean).filter(|_| arc::length(mean) > STRAIGHT * self.bones) {
            self.knee_way = way;
        }
    }

    /// Where the bones that bend begin.
    pub(super) fn hip(&self) -> Joint {
        self.limb.root
    }

    /// The joint that bends between hip and ankle.
    pub(super) fn knee(&self) -> Joint {
        self.limb.mid
    }

    /// The end of the bones that bend.
    pub(super) fn tip(&self, pose: &Pose) -> DVec3 {
        pose.position(self.limb.tip)
    }

    /// The heel of the sole.
    pub(super) fn sole(&self, pose: &Pose) -> DVec3 {
        pose.model(self.foot).transform_point3(self.soles[0])
    }

    /// From the hip to the end of the bones that bend.
    pub(super) fn line(&self, pose: &Pose) -> DVec3 {
        pose.position(self.limb.tip) - pose.position(self.limb.root)
    }

    /// Brings the foot to where it is asked to be; the pose is the clip's, with the body moved so.
    pub(super) fn place(
        &self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        foot: &Footing,
        body: &DAffine3,
        (up, reach): (DVec3, f64),
        work: &mut Workspace,
    ) {
        let turn = DQuat::from_mat3(&foot.motion.matrix3);
        let (ankle, tip) = (self.ankle, self.limb.tip);
        // Where the clip has joints.
        let (back, level) = (body.inverse(), DQuat::from_mat3(&body.matrix3).conjugate());
        let place = |joint: Joint| back.transform_point3(pose.position(joint));
        let end = foot.motion.transform_point3(place(ankle)) + place(tip) - place(ankle);
        let own_line = arc::length(self.line(pose));
        let rotation = turn * level * pose.rotation(ankle);
        let apart = self.apart.map(|joint| (joint, level * pose.rotation(joint), place(joint) - place(ankle)));
        let own = level * pose.rotation(tip);
        let mut goal = Goal::position(tip, DVec3::ZERO);
        let target = if tip == ankle { rotation } else { own };
        // Legs that bear reach what they stand on; others end softly short of full stretch.
        let root = pose.position(self.limb.root);
        let line = end - root;
        let far = arc::length(line);
        let short = (1.0 - foot.grip()) * self.softly_short(far, own_line, reach);
        let band = OVER * self.bones;
        let over = if foot.swings { eased(far - short - self.longest_span(reach) + 0.5 * band, band) } else { 0.0 };
        let position = root + shortened(line, (far - short - over).max(0.0), up);
        goal.pole = self.pole(pose, root, position);
        // An ankle that cannot turn as it should takes its sole along.
        let stands = foot.motion.transform_point3(back.transform_point3(self.sole(pose))) + position - end;
        let mut aim = position;
        for _ in 0..CORRECTIONS {
            goal.target = Target::Frame { position: aim, rotation: target };
            let limited = self.limb.solve(skeleton, &[goal], pose, work).status == Status::Limited;
            let off = stands - self.sole(pose);
            if !limited || tip != self.foot || arc::length(off) < NEAR * self.length {
                break;
            }
            aim += off;
        }
        if tip != ankle {
            turn_to(skeleton, pose, ankle, rotation);
        }
        let apart =
            apart.map(|(joint, rotation, beside)| (joint, pose.position(ankle) + turn * beside, turn * rotation));
        put_apart(skeleton, pose, apart);
    }

    /// By how much shorter than to its foot a leg in the air is shown that the clip has so long: it comes softly to its longest.
    fn softly_short(&self, far: f64, own: f64, reach: f64) -> f64 {
        let soft = |far: f64| far - rounded(far - reach * self.bones, SOFT * self.bones);
        let own = own.min(self.longest_span(reach));
        if far <= own {
            return 0.0;
        }
        let rest = (self.longest_span(reach) - own) / (reach * self.bones - soft(own)).max(1e-12);
        far - own - (soft(far) - soft(own)) * rest.min(1.0)
    }

    /// Where the knee points: as in the clip, and what it bends more than there goes the knee's own way. A leg that is all but straight
    /// in the clip has no plane to be bent in.
    fn pole(&self, pose: &Pose, root: DVec3, tip: DVec3) -> Option<Pole> {
        let line = arc::unit(pose.position(self.limb.tip) - root)?;
        let own = arc::reject(pose.position(self.limb.mid) - root, line);
        let [upper, lower] = self.parts;
        let far = arc::length(tip - root);
        let along = (far * far + upper * upper - lower * lower) / (2.0 * far.max(1e-9));
        let bent = ops::sqrt_clamped(upper * upper - along * along);
        let way = arc::reject(pose.rotation(self.limb.root) * self.knee_way, line);
        let own = arc::unit(way).map_or(own, |way| bent_more(own, way, bent));
        // It goes along with the leg.
        let turn = DQuat::from_rotation_arc(line, arc::unit(tip - root)?);
        arc::unit(turn * own).map(Pole::Direction)
    }
}

/// From the line between hip and ankle to a knee that is so far off it, where its own is nearer: what is more goes the knee's `way` (unit),
/// and what is aside stays. A knee that the clip has bent back soon goes its own way when it is bent more: it cannot pass the line, and would
/// go around it.
fn bent_more(own: DVec3, way: DVec3, bent: f64) -> DVec3 {
    let (far, ahead) = (arc::length(own), own.dot(way));
    if bent <= far {
        return own;
    }
    let aside = own - way * ahead;
    let more = aside + way * ops::sqrt_clamped(bent * bent - aside.length_squared());
    if ahead < 0.0 { own.lerp(more, smooth((bent - far) / (TURNS * far))) } else { more }
}

/// A line from hip to end made so long: its end goes up, so that it stays over the same ground, of a leg that goes far aside towards the hip.
fn shortened(line: DVec3, length: f64, up: DVec3) -> DVec3 {
    let (far, aside) = (arc::length(line), line.reject_from_normalized(up));
    let along = line * (length / far.max(1e-9));
    if length >= far || line.dot(up) >= 0.0 {
        return along;
    }
    let upright = ops::sqrt_clamped(length * length - aside.length_squared());
    let raised = aside - up * upright;
    along.lerp(raised, smooth((upright / length.max(1e-9) - LEANS) / (1.0 - 2.0 * LEANS)))
}

/// Puts a foot apart to a place and a rotation in model space, where there is one.
pub(crate) fn put_apart(skeleton: &Skeleton, pose: &mut Pose, apart: Option<(Joint, DVec3, DQuat)>) {
    let Some((joint, place, rotation)) = apart else { return };
    let above = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
    pose.edit(skeleton).translation(joint, above.inverse().transform_point3(place));
    turn_to(skeleton, pose, joint, rotation);
}

/// Turns a joint to a rotation in model space.
pub(super) fn turn_to(skeleton: &Skeleton, pose: &mut Pose, joint: Joint, rotation: DQuat) {
    let above = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
    let upright = arc::rotation_of(&above.matrix3).unwrap_or(DQuat::IDENTITY);
    pose.edit(skeleton).rotation(joint, (upright.conjugate() * rotation).normalize());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg that is shown shorter ends over the same ground; one that goes far aside, or up, on its line.
    #[test]
    fn shorter_legs_end_over_the_same_ground() {
        let [up, steep] = [DVec3::Y, DVec3::new(0.2, -0.9, 0.3)];
        let short = shortened(steep, 0.9, up);
        assert!((short - steep).cross(up).length() < 1e-12 && (short.length() - 0.9).abs() < 1e-12, "{short}");
        for aside in [DVec3::new(0.9, -0.1, 0.0), DVec3::new(0.3, 0.8, 0.0)] {
            let short = shortened(aside, 0.7, up);
            assert!(short.cross(aside).length() < 1e-9 && (short.length() - 0.7).abs() < 1e-9, "{short}");
        }
        assert_eq!(shortened(steep, steep.length(), up), steep);
    }
}
