//! Feet on bumps without a skeleton of ours, drawn: `cargo run -p sinew-draw --example bumps > engine.svg`
//!
//! The legs are plain points, as in `docs/engine.md`; the skeleton is there for the picture alone.

use sinew::glam::DVec3;
use sinew::solve::two_bone::{self, Limb};
use sinew::{JointSpec, SkeletonBuilder};
use sinew_draw::{LEFT, Look, Mark, Picture, RIGHT, Trail};

/// The ground's height.
fn ground(at: DVec3) -> f64 {
    0.1 * (3.0 * at.x).sin().max(0.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Hip, knee and ankle of each leg.
    let leg = |x: f64| [DVec3::new(x, 0.9, 0.0), DVec3::new(x, 0.5, 0.03), DVec3::new(x, 0.08, 0.0)];
    let (pelvis, legs) = (DVec3::new(0.1, 0.95, 0.0), [leg(-0.1), leg(0.3)]);
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("pelvis").translation(pelvis));
    for (number, [hip, knee, ankle]) in legs.iter().enumerate() {
        let name = |part: &str| format!("{part} {number}");
        builder.add(JointSpec::named(name("hip")).child_of("pelvis").translation(*hip - pelvis));
        builder.add(JointSpec::named(name("knee")).child_of(name("hip").as_str()).translation(*knee - *hip));
        builder.add(JointSpec::named(name("ankle")).child_of(name("knee").as_str()).translation(*ankle - *knee));
    }
    let skeleton = builder.build()?;
    let (rest, mut pose) = (skeleton.rest_pose(), skeleton.rest_pose());
    let down = DVec3::Y * legs.iter().map(|leg| ground(leg[2])).fold(f64::INFINITY, f64::min);
    pose.edit(&skeleton).translation(skeleton.joint("pelvis")?, pelvis + down);
    let mut marks = Vec::new();
    for (number, leg) in legs.iter().enumerate() {
        let [root, mid, tip] = leg.map(|point| point + down);
        let target = leg[2] + DVec3::Y * ground(leg[2]);
        let bent = two_bone::bend(&Limb { root, mid, tip }, target, mid + DVec3::Z);
        let [hip, knee, ankle] = ["hip", "knee", "ankle"].map(|part| format!("{part} {number}"));
        let mut edit = pose.edit(&skeleton);
        edit.rotation(skeleton.joint(&hip)?, bent.root);
        edit.rotation(skeleton.joint(&knee)?, bent.root.inverse() * bent.mid * bent.root);
        drop(edit);
        marks.push(Mark::new("ankle", target, pose.position(skeleton.joint(&ankle)?)));
    }
    // The ground below each foot's line, 8 cm below the ankles.
    let line = |z: f64| (-30..=60).map(move |step| DVec3::new(f64::from(step) * 0.01, 0.0, z));
    let trail = |color, z| Trail { color, points: line(z).map(|at| at + DVec3::Y * ground(at)).collect() };
    let picture = Picture {
        rest: Some(&rest),
        marks,
        trails: vec![trail(LEFT, -0.1), trail(RIGHT, 0.1)],
        title: "Two legs of an engine's own on bumps".into(),
        looks: vec![Look::ThreeQuarter, Look::Front],
        ..Picture::new(&skeleton, &pose)
    };
    assert!(picture.marks.iter().all(|mark| mark.target.distance(mark.reached) < 1e-9), "both feet stand");
    println!("{}", picture.svg());
    Ok(())
}
