//! How fast the elbow runs for the target's speed: out to full stretch, and past the pole's line.
//!
//! Two equal bones of length one half; speeds are finite differences of elbow positions. The ratio asked
//! for is [`Reach::RATIO`].

use anyhow::Result;
use rebirth_ik::Vec3;
use sinew::glam::DVec3;
use sinew::solve::two_bone::{Prepared, Reach, spatial};
use sinew::{Pole, Skeleton, Swivel};
use sinew_draw::{Curve, Plot};

const BONE: f64 = 0.5;
/// Steps of the target, in lengths of the limb.
const OUTWARD: f64 = 2e-4;
const ACROSS: f64 = 1e-3;
/// How near the target passes the pole's line.
const HAIR: f64 = 1e-4;

/// A way to find the elbow for a target, over and over.
type Elbow = Box<dyn FnMut(DVec3) -> DVec3>;

fn peer(pole: DVec3) -> Elbow {
    let narrow = |v: DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    let (mid, tip) = (Vec3::new(0.0, BONE as f32, 0.0), Vec3::new(0.0, 2.0 * BONE as f32, 0.0));
    Box::new(move |target| {
        let (elbow, _) = rebirth_ik::two_bone(Vec3::ZERO, mid, tip, narrow(target), Some(narrow(pole)));
        DVec3::new(elbow.x.into(), elbow.y.into(), elbow.z.into())
    })
}

fn stateless(pole: DVec3, reach: Reach) -> Elbow {
    Box::new(move |target| spatial::positions(DVec3::ZERO, target, pole, BONE, BONE, reach).elbows[0][0])
}

/// The bend carried along from target to target.
fn carried(pole: DVec3) -> Result<Elbow> {
    let arm = Skeleton::from_lengths(&[BONE, BONE])?;
    let [root, mid, tip] = arm.joints(["joint_0", "joint_1", "joint_2"])?;
    let limb = Prepared::new(&arm, root, mid, tip)?.with_reach(Reach::SOFT);
    let mut last: Option<Swivel> = None;
    Ok(Box::new(move |target| {
        let (bent, swivel) = limb.solve_carried(target, Pole::Direction(pole), last.as_ref());
        last = swivel;
        bent.rotations[0] * (DVec3::Y * BONE)
    }))
}

/// Position along the path and elbow travel over target travel, at each step.
fn ratios(elbow: &mut Elbow, path: impl Iterator<Item = (f64, DVec3)>) -> Vec<(f64, f64)> {
    let mut last: Option<(DVec3, DVec3)> = None;
    let mut ratios = Vec::new();
    for (at, target) in path {
        let mid = elbow(target);
        if let Some((before, from)) = last {
            ratios.push((at, mid.distance(before) / target.distance(from)));
        }
        last = Some((mid, target));
    }
    ratios
}

/// The chart as an SVG document.
pub fn chart() -> Result<String> {
    let pole = DVec3::Z;
    // The peer wide and pale, since it runs under others.
    let curve = |name: &str, color: [u8; 3], width: u32, mut elbow: Elbow, path: &dyn Fn() -> Vec<(f64, DVec3)>| {
        Curve { name: name.into(), color, width, points: ratios(&mut elbow, path().into_iter()) }
    };
    let (blue, orange, pale) = (Curve::color(0), Curve::color(1), [185; 3]);
    let outward = || (0..=1000).map(|i| 0.85 + OUTWARD * f64::from(i)).map(|d| (d, DVec3::Y * d)).collect();
    let across = || (-150..=150).map(|i| ACROSS * f64::from(i)).map(|x| (x, DVec3::new(x, HAIR, 0.7))).collect();
    let plot = |title: &str, x: &str, curves: Vec<Curve>| Plot {
        title: title.into(),
        x: x.into(),
        y: "elbow speed / target speed".into(),
        curves,
        guides: vec![Reach::RATIO],
        range: Some(0.1..1e3),
        logarithmic: true,
        bands: Vec::new(),
    };
    Ok(sinew_draw::stacked(&[
        plot(
            "Out to full stretch",
            "distance of the target / length of the limb",
            vec![
                curve("rebirth-ik 0.1.0", pale, 7, peer(pole), &outward),
                curve("sinew, clamp", orange, 2, stateless(pole, Reach::Clamp), &outward),
                curve("sinew, soft at ratio 3", blue, 2, stateless(pole, Reach::SOFT), &outward),
            ],
        ),
        plot(
            "Past the line to the pole",
            "place of the target beside the line / length of the limb",
            vec![
                curve("rebirth-ik 0.1.0", pale, 7, peer(pole), &across),
                curve("sinew, no state", orange, 2, stateless(pole, Reach::Clamp), &across),
                curve("sinew, swivel carried", blue, 2, carried(pole)?, &across),
            ],
        ),
    ]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn the_chart_names_its_curves_and_repeats() {
        let svg = chart().unwrap();
        for name in ["rebirth-ik 0.1.0", "sinew, soft at ratio 3", "sinew, swivel carried"] {
            assert!(svg.contains(name), "{name}");
        }
        assert_eq!(svg, chart().unwrap());
    }

    #[test]
    fn the_curves_show_what_they_are_about() {
        let fastest = |mut elbow: Elbow, path: &mut dyn Iterator<Item = (f64, DVec3)>| {
            ratios(&mut elbow, path).into_iter().map(|(_, ratio)| ratio).fold(0.0, f64::max)
        };
        let outward = || (0..=1000).map(|i| 0.85 + OUTWARD * f64::from(i)).map(|d| (d, DVec3::Y * d));
        assert!(fastest(stateless(DVec3::Z, Reach::Clamp), &mut outward()) > 20.0);
        assert!(fastest(stateless(DVec3::Z, Reach::SOFT), &mut outward()) <= 3.0);
        let across = || (-150..=150).map(|i| (0.0, DVec3::new(ACROSS * f64::from(i), HAIR, 0.7)));
        assert!(fastest(peer(DVec3::Z), &mut across()) > 300.0);
        assert!(fastest(carried(DVec3::Z).unwrap(), &mut across()) <= 3.0 + 1e-9);
    }
}
