//! Skeletons made of rows of joints.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use sinew::glam::{DAffine3, DVec3};
use sinew::{JointSpec, Skeleton, SkeletonBuilder};

/// Names of joints that hang on one another, the joint that the first hangs on (none for a root), and their places (metres).
pub(crate) type Row<'a> = (&'a str, &'a str, Vec<[f64; 3]>);

/// A skeleton of rows below a base. A parent comes before its row.
pub(crate) fn skeleton(base: DAffine3, rows: &[Row<'_>]) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut places = HashMap::new();
    for (names, parent, joints) in rows {
        let mut above = (*parent).to_owned();
        for (name, &place) in names.split(' ').zip(joints) {
            let place = DVec3::from(place);
            let from = places.get(&above).copied().unwrap_or(DVec3::ZERO);
            let spec = JointSpec::named(name).translation(place - from);
            builder.add(if above.is_empty() { JointSpec { base, ..spec } } else { spec.child_of(above.as_str()) });
            places.insert(name.to_owned(), place);
            name.clone_into(&mut above);
        }
    }
    builder.build().unwrap()
}

/// A person in the T-pose who looks along +Z, 1.7 m tall.
pub(crate) fn human() -> Vec<Row<'static>> {
    let arm = |x: f64| vec![[0.18 * x, 1.43, 0.0], [0.46 * x, 1.43, 0.0], [0.71 * x, 1.43, 0.0]];
    let leg = |x: f64| vec![[0.1 * x, 0.9, 0.0], [0.1 * x, 0.48, 0.0], [0.1 * x, 0.06, 0.0], [0.1 * x, 0.0, 0.12]];
    let trunk = vec![[0.0, 0.93, 0.0], [0.0, 1.03, 0.0], [0.0, 1.23, 0.0], [0.0, 1.48, 0.0], [0.0, 1.58, 0.0]];
    vec![
        ("hips spine chest neck head", "", trunk),
        ("upper_arm.L forearm.L hand.L", "chest", arm(1.0)),
        ("upper_arm.R forearm.R hand.R", "chest", arm(-1.0)),
        ("thigh.L shin.L foot.L toes.L", "hips", leg(1.0)),
        ("thigh.R shin.R foot.R toes.R", "hips", leg(-1.0)),
    ]
}

/// A dog that looks along +Z, 1 m tall.
pub(crate) fn dog() -> Vec<Row<'static>> {
    let leg = |x: f64, z: f64| vec![[x, 0.6, z], [x, 0.33, z], [x, 0.06, z], [x, 0.0, z + 0.05]];
    let trunk = vec![[0.0, 0.65, -0.4], [0.0, 0.67, -0.1], [0.0, 0.67, 0.2], [0.0, 0.8, 0.4], [0.0, 0.95, 0.5]];
    vec![
        ("hips spine chest neck head", "", trunk),
        ("thigh.L shin.L foot.L toes.L", "hips", leg(0.1, -0.4)),
        ("thigh.R shin.R foot.R toes.R", "hips", leg(-0.1, -0.4)),
        ("front_thigh.L front_shin.L front_foot.L front_toes.L", "chest", leg(0.1, 0.25)),
        ("front_thigh.R front_shin.R front_foot.R front_toes.R", "chest", leg(-0.1, 0.25)),
        ("tail1 tail2", "hips", vec![[0.0, 0.65, -0.5], [0.0, 0.6, -0.8]]),
    ]
}
