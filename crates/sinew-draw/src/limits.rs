//! What a joint may do, as outlines in model space: the sector through which a hinge carries its bone, the
//! cone within which a ball's axis stays.

use std::f64::consts::{PI, TAU};

use sinew::glam::{DQuat, DVec3};
use sinew::limit::{EllipticSwing, Range};
use sinew::{BallLimit, Joint, Kind, Pose, Skeleton};

/// Size of an outline, in lengths of the joint's bone.
const SIZE: f64 = 0.4;
/// Angle between points of an arc (radians): five degrees.
const STEP: f64 = PI / 36.0;

/// The joint's place and the rim of what it may do; for a cone the rim is closed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    pub(crate) apex: DVec3,
    pub(crate) rim: Vec<DVec3>,
    pub(crate) is_cone: bool,
}

/// The outline of a joint's limit; `None` for one without, and for one whose bone has no length.
pub(crate) fn outline(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> Option<Outline> {
    let zero = skeleton.zero(joint);
    let map = skeleton.parent(joint).map_or(*skeleton.base(joint), |parent| *pose.model(parent));
    let origin = pose.local(joint).translation;
    let bone = skeleton.children(joint).map(|child| pose.local(child).translation);
    let bone = bone.max_by(|a, b| a.length().total_cmp(&b.length())).filter(|bone| bone.length() > 0.0)?;
    let place = |direction: DVec3| map.transform_point3(origin + zero.rotation * direction * SIZE);
    let (rim, is_cone) = match skeleton.kind(joint) {
        Kind::Hinge { axis, range } if range.max - range.min < TAU => {
            let turned = |angle: f64| place(DQuat::from_axis_angle(axis, angle) * bone);
            (arc(range.min, range.max).map(turned).collect(), false)
        }
        Kind::Ball(BallLimit::SwingTwist(limit)) if limit.swing() < PI => {
            let tilted = DQuat::from_axis_angle(limit.axis().any_orthonormal_vector(), limit.swing()) * limit.axis();
            let rim = |angle: f64| place(DQuat::from_axis_angle(limit.axis(), angle) * tilted * bone.length());
            (arc(0.0, TAU).map(rim).collect(), true)
        }
        Kind::Ball(BallLimit::EllipticSwing(limit))
            if limit.swing().iter().all(|swing| swing.max < PI && swing.min > -PI) =>
        {
            let rim = |angle: f64| place(swung(&limit, angle) * limit.axis() * bone.length());
            (arc(0.0, TAU).map(rim).collect(), true)
        }
        _ => return None,
    };
    Some(Outline { apex: map.transform_point3(origin), rim, is_cone })
}

/// The swing at an angle on the rim of an ellipse, or of quarters of ellipses (in half-angle sines).
fn swung(limit: &EllipticSwing, angle: f64) -> DQuat {
    let along = |share: f64, swing: Range| share * (0.5 * if share < 0.0 { -swing.min } else { swing.max }).sin();
    let [about_x, about_y] = limit.swing();
    let (x, y) = (along(angle.cos(), about_x), along(angle.sin(), about_y));
    let v = limit.across() * x + limit.axis().cross(limit.across()) * y;
    DQuat::from_xyzw(v.x, v.y, v.z, (1.0 - v.length_squared()).max(0.0).sqrt())
}

/// Angles from one to the other, both included.
fn arc(from: f64, to: f64) -> impl Iterator<Item = f64> {
    #[allow(clippy::cast_sign_loss, reason = "a positive number of steps")]
    let steps = ((to - from) / STEP).ceil().max(1.0) as u32;
    (0..=steps).map(move |i| from + (to - from) * f64::from(i) / f64::from(steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::limit::SwingTwist;
    use sinew::{JointSpec, SkeletonBuilder};

    fn joint(kind: Kind) -> (Skeleton, Joint) {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root").translation(DVec3::X));
        builder.add(JointSpec::named("joint").child_of(0).translation(DVec3::Y).kind(kind));
        builder.add(JointSpec::named("end").child_of(1).translation(DVec3::Y * 0.5));
        let skeleton = builder.build().unwrap();
        let joint = skeleton.joint("joint").unwrap();
        (skeleton, joint)
    }

    #[test]
    fn a_hinge_sweeps_its_bone_through_its_range() {
        let (skeleton, knee) = joint(Kind::hinge(DVec3::X).within(0.0, PI / 2.0));
        let outline = outline(&skeleton, &skeleton.rest_pose(), knee).unwrap();
        let apex = DVec3::new(1.0, 1.0, 0.0);
        assert!(outline.apex.distance(apex) < 1e-12 && !outline.is_cone);
        let (first, last) = (outline.rim[0] - apex, outline.rim[outline.rim.len() - 1] - apex);
        assert!(first.distance(DVec3::Y * 0.2) < 1e-12 && last.distance(DVec3::Z * 0.2) < 1e-12, "{first} {last}");
    }

    #[test]
    fn a_cone_has_its_half_angle_all_round() {
        let cone = SwingTwist::new(DVec3::Y, 0.6, Range::FREE).unwrap();
        let (skeleton, shoulder) = joint(Kind::Ball(BallLimit::SwingTwist(cone)));
        let outline = outline(&skeleton, &skeleton.rest_pose(), shoulder).unwrap();
        assert!(outline.is_cone && outline.rim.len() > 60);
        for point in &outline.rim {
            let to = *point - outline.apex;
            assert!((to.angle_between(DVec3::Y) - 0.6).abs() < 1e-9 && (to.length() - 0.2).abs() < 1e-12);
        }
    }

    #[test]
    fn an_ellipse_reaches_as_far_as_its_swings() {
        let ellipse = EllipticSwing::new(DVec3::Y, DVec3::X, [0.9, 0.4], Range::FREE).unwrap();
        let (skeleton, shoulder) = joint(Kind::Ball(BallLimit::EllipticSwing(ellipse)));
        let outline = outline(&skeleton, &skeleton.rest_pose(), shoulder).unwrap();
        let angles = outline.rim.iter().map(|&point| (point - outline.apex).angle_between(DVec3::Y));
        let (least, most) = angles.fold((f64::MAX, 0.0_f64), |(least, most), a| (least.min(a), most.max(a)));
        assert!(outline.is_cone && (least - 0.4).abs() < 1e-9 && (most - 0.9).abs() < 1e-9, "{least} {most}");
    }

    #[test]
    fn what_has_no_limit_has_no_outline() {
        for kind in [Kind::BALL, Kind::hinge(DVec3::X), Kind::Fixed, Kind::slide(DVec3::X).within(0.0, 1.0)] {
            let (skeleton, joint) = joint(kind);
            assert_eq!(outline(&skeleton, &skeleton.rest_pose(), joint), None);
        }
    }
}
