//! A body for tests of many goals.

use sinew::glam::DVec3;
use sinew::{JointSpec, Mass, Skeleton, SkeletonBuilder};

/// Hips, three of a spine, and a head, two arms and two legs of three joints each: balls, each as heavy.
pub(crate) fn body(stiffness: impl Fn(&str) -> f64) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, parent: &str, at: DVec3| {
        let spec = JointSpec { mass: Mass { mass: 1.0, center: at * 0.5 }, ..JointSpec::named(name) };
        let spec = JointSpec { stiffness: stiffness(name), ..spec.translation(at) };
        builder.add(if parent.is_empty() { spec } else { spec.child_of(parent) });
    };
    add("hips", "", DVec3::Y);
    for (name, parent) in [("spine", "hips"), ("chest", "spine"), ("neck", "chest"), ("head", "neck")] {
        add(name, parent, DVec3::new(0.0, 0.15, 0.01));
    }
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}_{side}");
        add(&name("arm"), "chest", DVec3::new(0.2 * sign, 0.1, 0.0));
        add(&name("elbow"), &name("arm"), DVec3::new(0.3 * sign, 0.0, -0.02));
        add(&name("hand"), &name("elbow"), DVec3::new(0.25 * sign, 0.0, 0.03));
        add(&name("leg"), "hips", DVec3::new(0.1 * sign, -0.05, 0.0));
        add(&name("knee"), &name("leg"), DVec3::new(0.0, -0.45, 0.02));
        add(&name("foot"), &name("knee"), DVec3::new(0.0, -0.45, -0.03));
    }
    builder.build().expect("a body")
}
