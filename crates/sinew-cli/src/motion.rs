//! What a joint may do and how far, in a few words, and by how much a pose exceeds it.

use sinew::glam::DVec3;
use sinew::limit::Range;
use sinew::{BallLimit, Joint, Kind, Pose, Skeleton};

use crate::text;

/// `hinge 0° to 150°`, `ball, swing 102° and 100°, twist -70° to 90°`, `ball`.
pub(crate) fn text(kind: Kind) -> String {
    match kind {
        Kind::Hinge { range, .. } => turns("hinge", range),
        Kind::Slide { range, .. } if range != Range::FREE => {
            format!("slide {} to {}", text::length(range.min), text::length(range.max))
        }
        Kind::Ball(BallLimit::SwingTwist(limit)) => {
            format!("ball, swing {}, {}", degrees(limit.swing()), turns("twist", limit.twist()))
        }
        Kind::Ball(BallLimit::EllipticSwing(limit)) => {
            let [a, b] = limit.swing().map(swing);
            format!("ball, swing {a} and {b}, {}", turns("twist", limit.twist()))
        }
        Kind::Ball(BallLimit::Euler(limit)) => {
            let [x, y, z] = limit.ranges();
            format!("ball, {}, {}, {}", turns("x", x), turns("y", y), turns("z", z))
        }
        other => other.name().to_owned(),
    }
}

/// The same to both sides, or from and to.
fn swing(range: Range) -> String {
    if range.max == -range.min {
        degrees(range.max)
    } else {
        format!("{} to {}", degrees(range.min), degrees(range.max))
    }
}

fn turns(what: &str, range: Range) -> String {
    if range == Range::FREE {
        what.to_owned()
    } else {
        format!("{what} {} to {}", degrees(range.min), degrees(range.max))
    }
}

fn degrees(radians: f64) -> String {
    // No minus before a zero.
    format!("{}°", radians.to_degrees().round() + 0.0)
}

/// `+Z`, or the numbers of a direction that is no axis.
pub(crate) fn direction(direction: DVec3) -> String {
    let names = [
        ("+X", DVec3::X),
        ("-X", DVec3::NEG_X),
        ("+Y", DVec3::Y),
        ("-Y", DVec3::NEG_Y),
        ("+Z", DVec3::Z),
        ("-Z", DVec3::NEG_Z),
    ];
    let near = names.into_iter().find(|(_, axis)| axis.dot(direction) > 0.999);
    near.map_or_else(|| format!("{direction:.2}"), |(name, _)| name.to_owned())
}

/// By how many radians (metres for a slide) a joint stands outside its limit; what lies off a hinge's axis does not
/// count.
pub(crate) fn excess(skeleton: &Skeleton, pose: &Pose, joint: Joint) -> f64 {
    match skeleton.kind(joint) {
        Kind::Hinge { range, .. } | Kind::Slide { range, .. } => {
            let value = pose.value(skeleton, joint);
            (value - range.clamp(value)).abs()
        }
        Kind::Ball(_) => {
            let local = pose.local(joint);
            local.rotation.angle_between(skeleton.nearest_allowed(joint, local, 0.0).rotation)
        }
        _ => 0.0,
    }
}
