//! What is walked on, by name, scaled to the legs; and how it is drawn.

use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;
use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew_draw::Trail;
use sinew_motion::{Ground, GroundPoint, Plane, Stairs, Triangles};

use crate::text;

/// Points of a line over the ground.
const POINTS: usize = 60;

/// `--ground`
#[derive(Debug, Args)]
pub(crate) struct GroundArgs {
    /// The ground: `flat`, `slope:DEGREES`, `stairs`, `stairs:RISE,RUN`, `rough:SEED`, or the triangles of a glTF file. All except
    /// a file begin where the motion begins, and lead in its direction. Stairs have 12 steps, the first 1.2 leg lengths ahead; where
    /// RISE and RUN (in the file's unit) are left out, each is 0.18 leg lengths high and 0.42 deep. Rough ground has nine waves, 1 to 3.2
    /// leg lengths long; each rises and falls by 0.022 of its length
    #[arg(long, value_name = "GROUND", default_value = "flat", allow_hyphen_values = true)]
    pub(crate) ground: String,
}

/// Where a walk begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// On the floor.
    pub(crate) at: DVec3,
    pub(crate) up: DVec3,
    /// Where it looks, or goes.
    pub(crate) forward: DVec3,
}

/// The ground along a body, as lines of a picture in which it is moved by `beside`: from `long` behind the start to as far ahead, so far
/// to the left each; looked for from `high` above the floor.
pub(crate) fn lines(
    ground: &dyn Ground,
    start: Start,
    (long, high): (f64, f64),
    sides: &[(f64, &'static str)],
    beside: &DAffine3,
) -> Vec<Trail> {
    let (left, back) = (start.up.cross(start.forward), beside.inverse());
    let line = |&(aside, color): &(f64, &'static str)| {
        let point = |index: usize| {
            let along = long * (2.0 * index as f64 / POINTS as f64 - 1.0);
            let seen = start.at + start.forward * along + left * aside;
            let from = back.transform_point3(seen) + start.up * high;
            ground.below(from, start.up).map(|found| beside.transform_point3(found.position))
        };
        Trail { color, points: (0..=POINTS).filter_map(point).collect() }
    };
    sides.iter().map(line).collect()
}

/// The ground that an option names. `height` is the hips'.
pub(crate) fn read(option: &str, start: Start, height: f64) -> Result<Box<dyn Ground>> {
    let (name, value) = option.split_once(':').unwrap_or((option, ""));
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    Ok(match (name, number(value)) {
        ("flat", _) if value.is_empty() => Box::new(Plane::new(start.at, start.up)),
        ("slope", Some(degrees)) if degrees.abs() <= 60.0 => {
            let left = start.up.cross(start.forward);
            let normal = DQuat::from_axis_angle(left, -degrees.to_radians()) * start.up;
            Box::new(Plane::new(start.at, normal))
        }
        ("stairs", _) => {
            let parts: Vec<f64> = value.split(',').filter_map(number).collect();
            let [rise, run] = match (value, &parts[..]) {
                ("", _) => [0.18 * height, 0.42 * height],
                (_, &[rise, run]) if run > 0.0 => [rise, run],
                _ => bail!("--ground {option}: write stairs:RISE,RUN, such as stairs:0.17,0.28"),
            };
            let from = start.at + start.forward * (1.2 * height);
            Box::new(Stairs { start: from, along: start.forward, up: start.up, rise, run, steps: 12 })
        }
        ("rough", Some(seed)) => Box::new(rough(seed, start, height)),
        _ if Path::new(option).is_file() => {
            let scene = sinew_gltf::load(Path::new(option))?;
            let triangles = scene.surface(&scene.skeleton.rest_pose());
            if triangles.is_empty() {
                bail!("--ground {}: has no triangles to walk on", text::short_name(option));
            }
            let count = u32::try_from(3 * triangles.len())?;
            let indices: Vec<u32> = (0..count).collect();
            Box::new(Triangles::new(triangles.into_iter().flatten().collect(), &indices, start.up))
        }
        _ => bail!(
            "--ground {}: no such ground; write flat, slope:10, stairs, rough:1 or the name of a glTF file",
            text::short_name(option)
        ),
    })
}

/// Hills of a few waves, as long as a stride and shorter; directions and phases by the seed. Level at the start.
fn rough(seed: f64, start: Start, height: f64) -> impl Ground {
    let (at, up, forward) = (start.at, start.up, start.forward);
    let left = up.cross(forward);
    let mut mixed = (seed.to_bits() ^ 0x9e37_79b9_7f4a_7c15).max(1);
    let mut next = move || {
        mixed ^= mixed << 13;
        mixed ^= mixed >> 7;
        mixed ^= mixed << 17;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..16 {
        next();
    }
    let waves: Vec<[f64; 4]> = (0..9)
        .map(|wave| {
            let length = height * (3.2 - 0.28 * f64::from(wave));
            let (angle, phase) = (next() * std::f64::consts::TAU, next() * std::f64::consts::TAU);
            let rate = std::f64::consts::TAU / length;
            [rate * angle.cos(), rate * angle.sin(), phase, 0.022 * length]
        })
        .collect();
    move |point: DVec3, _: DVec3| {
        let (x, y) = ((point - at).dot(forward), (point - at).dot(left));
        let (mut high, mut dx, mut dy) = (0.0, 0.0, 0.0);
        for &[kx, ky, phase, size] in &waves {
            let angle = kx * x + ky * y + phase;
            high += size * angle.sin();
            (dx, dy) = (dx + size * kx * angle.cos(), dy + size * ky * angle.cos());
        }
        let position = point + up * ((at - point).dot(up) + high);
        Some(GroundPoint { position, normal: (up - forward * dx - left * dy).normalize(), part: 0 })
    }
}
