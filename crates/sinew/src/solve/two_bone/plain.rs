//! The limb of most calls, from where its joints are: balls without limits, scale that is the same all round, a target well
//! within reach and a bend that is clear, before and after. All else is [`placement`](super::placement)'s, whose answers these
//! are; here nothing is searched for, and nothing is asked twice.

use glam::{DMat3, DVec2, DVec3};

use super::fold::turn;
use super::given::WHOLE;
use super::measure::FLAT;
use super::placement::Placement;
use super::reach::Rim;
use super::settings::{TwistBones, TwoBone};
use super::soft::Bones;
use crate::goal::{Pole, Swivel};
use crate::math::affine::even_square;
use crate::math::{arc, ops};
use crate::pose::Pose;
use crate::skeleton::{Joint, Skeleton};
use crate::solve::problem::pole::seen_from;
use crate::solve::{Bend, Status};

/// Sine from which a bend, or a pole beside the line, is clear.
const CLEAR: f64 = 0.2;
/// Relative deviation of a map from a similarity that is rounding.
const ROUNDING: f64 = 1e-13;

/// The placement of a plain limb whose point at `offset` moves to `target`; `None` where it is not plain.
#[inline(always)]
pub(super) fn place(
    limb: &TwoBone,
    skeleton: &Skeleton,
    pose: &Pose,
    (target, offset): (DVec3, DVec3),
    pole: Option<(Pole, Option<Joint>)>,
) -> Option<Placement> {
    let usual = limb.twist_bones == TwistBones::Rigid && limb.pole_angle == 0.0 && !limb.reach.stretches();
    let bends = pole.is_some() || limb.bend == Bend::Given;
    if !(usual && bends && skeleton.is_free_ball(limb.root) && skeleton.is_free_ball(limb.mid)) {
        return None;
    }
    let above = skeleton.parent(limb.root).map_or(skeleton.base(limb.root), |parent| pose.model(parent));
    let (above, between) = (&above.matrix3, &pose.model(skeleton.parent(limb.mid)?).matrix3);
    let scale = 1.0 / of_scale(above)?;
    of_scale(between)?;
    let (from, elbow) = (pose.position(limb.root), pose.position(limb.mid));
    let tip = pose.model(limb.tip).transform_point3(offset);
    // In the space of the root's parent, from the root.
    let into = |v: DVec3| transposed(above, v) * scale;
    let (a, second, p) = (into(elbow - from), into(tip - elbow), into(target - from));
    let (l1, l2, h) = (arc::length(a), arc::length(second), p.dot(p));
    let bones = Bones::new(l1, l2);
    let (nearest, farthest) = Rim::near(limb.reach, bones, h).plain();
    let (normal, size) = (a.cross(second), l1 * l2);
    let square = normal.dot(normal);
    let sine = ops::sqrt(square);
    // The comparisons fail for NaN, too.
    if !(h > nearest && h < farthest && sine > CLEAR * size && square > 1e-250 && square < 1e250) {
        return None;
    }
    let d = ops::sqrt(h);
    let line = p / d;
    // Twice the area of the triangle, and in it the elbow along the line and aside.
    let area = 0.5 * ops::sqrt((bones.longest * bones.longest - h) * (h - bones.shortest * bones.shortest));
    let (forward, aside) = (0.5 * (h + (l1 - l2) * bones.longest) / d, area / d);
    let fold = normal / sine;
    let (bend, folded) = if let Some(pole) = pole {
        let bend = arc::unit_across(into(seen_from(from, pole, pose)), line, CLEAR)?;
        (bend, bend.cross(line))
    } else {
        let is_clear = |off| off > CLEAR * l1 && off >= WHOLE * aside;
        let folded = carried(fold, (a + second, line), is_clear, sine)?;
        (line.cross(folded), folded)
    };
    let mid = line * forward + bend * aside;
    if arc::length(mid - a) <= FLAT * bones.longest {
        return None;
    }
    let now = DVec2::new(a.dot(second), sine) / size;
    let then = DVec2::new(0.5 * (h - l1 * l1 - l2 * l2), area) / size;
    let axis = arc::unit(transposed(between, elbow - from).cross(transposed(between, tip - elbow)))?;
    Some(Placement {
        root: arc::product(arc::between_frames(a / l1, fold, mid / l1, folded), pose.local(limb.root).rotation),
        mid: arc::product(turn(axis, now, then), pose.local(limb.mid).rotation),
        mid_value: None,
        stretch: 1.0,
        status: Status::Reached,
        swivel: Swivel { target: p, bend, mid, turn: 0.0 },
    })
}

/// Square of the factor by which a map scales all directions alike; `None` where it does not, or hardly leaves a number.
#[inline(always)]
fn of_scale(map: &DMat3) -> Option<f64> {
    even_square(map, ROUNDING).filter(|&square| square > 1e-250 && square < 1e250)
}

/// The transpose of a map on a vector: its inverse but for a factor, where it scales all directions alike.
#[inline(always)]
fn transposed(map: &DMat3, v: DVec3) -> DVec3 {
    DVec3::new(map.x_axis.dot(v), map.y_axis.dot(v), map.z_axis.dot(v))
}

/// The unit normal of a limb whose tip is at `tip`, carried by the shortest turn to another unit line: `n - (u + v) (n·v) / (1 + u·v)`
/// for an `n` perpendicular to `u`. `None` where lines are nearly opposite, or the elbow, whose area beside `tip` is given,
/// is not far enough off its line.
#[inline(always)]
fn carried(normal: DVec3, (tip, line): (DVec3, DVec3), is_clear: impl Fn(f64) -> bool, area: f64) -> Option<DVec3> {
    let chord = arc::length(tip);
    let now = tip / chord;
    let square = 1.0 + now.dot(line);
    (is_clear(area / chord) && square > CLEAR).then(|| normal - (now + line) * (normal.dot(line) / square))
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measured;
    use super::super::place;
    use super::super::placement::PlacementTarget;
    use super::*;
    use crate::skeleton::{JointSpec, SkeletonBuilder};
    use crate::transform::Transform;
    use glam::DQuat;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from)
    }

    proptest! {
        #[test]
        fn places_as_any_limb_is_placed(v in prop::array::uniform6(vector()), size in 0.1..10.0_f64, mirrored in prop::bool::ANY, posed in prop::bool::ANY) {
            let mut builder = SkeletonBuilder::new();
            let factor = DVec3::new(if mirrored { -size } else { size }, size, size);
            let joints = [("chest", DVec3::ZERO), ("arm", v[0]), ("twist", v[1]), ("elbow", v[1] * 0.5), ("hand", v[2])];
            for (place, (name, translation)) in joints.into_iter().enumerate() {
                let scale = if place == 0 { factor } else { DVec3::ONE };
                let spec = JointSpec::named(name).rest(Transform { scale, ..Transform::from_translation(translation) });
                builder.add(if place == 0 { spec } else { spec.child_of(place - 1) });
            }
            let skeleton = builder.build().expect("five joints in a row");
            let [root, mid, tip] = skeleton.joints(["arm", "elbow", "hand"]).expect("named above");
            let limb = TwoBone::new(&skeleton, root, mid, tip).expect("three joints in a row");
            let mut pose = skeleton.rest_pose();
            for (at, axis) in [(0, v[3]), (1, v[4]), (3, v[5])] {
                let turn = DQuat::from_scaled_axis(axis);
                pose.edit(&skeleton).rotation(skeleton.at(at).expect("five joints"), turn);
            }
            let target = pose.position(root) + (v[3] + v[5]) * size;
            let (offset, pole) = (v[4] * 0.1, posed.then_some((Pole::Direction(v[1] + v[4]), None)));
            let plain = place(&limb, &skeleton, &pose, (target, offset), pole);
            prop_assume!(plain.is_some());
            let plain = plain.expect("just asked");
            let measured = Measured::of(&limb, &skeleton, &pose, offset).expect("bones have lengths");
            let into = measured.into_parent;
            let p = into.transform_point3(target) - measured.origin;
            let pole = pole.map(|pole| into.transform_vector3(seen_from(pose.position(root), pole, &pose)));
            let asked = PlacementTarget { p, pole, last: None, weight: 1.0, whole: p };
            let any = place::place(&limb, &skeleton, &pose, &measured, asked, &mut |_| {}).expect("it has a length");
            prop_assert!(arc::normalize(plain.root).dot(any.root).abs() > 1.0 - 1e-12, "{:?} {:?}", plain, any);
            prop_assert!(arc::normalize(plain.mid).dot(any.mid).abs() > 1.0 - 1e-12, "{:?} {:?}", plain, any);
            let (one, other) = (plain.swivel, any.swivel);
            prop_assert!((one.bend - other.bend).length() < 1e-11 && (one.mid - other.mid).length() < 1e-11);
        }
    }
}
