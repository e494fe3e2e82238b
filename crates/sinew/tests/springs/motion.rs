//! Periods and decays.

use std::f64::consts::{PI, TAU};

use sinew::glam::DVec3;
use sinew::springs::{Bone, Springs};

use super::{Run, chain};

/// Times at which a signal rises through zero, by interpolation.
fn rises(signal: &[(f64, f64)]) -> Vec<f64> {
    let pairs = signal.windows(2).filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0);
    pairs.map(|pair| pair[0].0 + (pair[1].0 - pair[0].0) * pair[0].1 / (pair[0].1 - pair[1].1)).collect()
}

fn period(signal: &[(f64, f64)]) -> f64 {
    let rises = rises(signal);
    (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64
}

/// The springs pulled aside by a steady force for long, then let go, frame by frame: times and sideways places of the tip.
fn let_go(springs: &Springs, skeleton: &sinew::Skeleton, rate: f64, seconds: f64, aside: f64) -> Vec<(f64, f64)> {
    let mut run = Run::new(skeleton, springs);
    let aside = Springs { wind: DVec3::ZERO, gravity: springs.gravity + DVec3::X * aside, ..springs.clone() };
    let still = aside.clone().each(|bone| Bone { drag: 20.0, ..bone });
    for _ in 0..1200 {
        run.pose.reset(skeleton);
        still.step(skeleton, &mut run.pose, &mut run.state, 1.0 / 60.0);
    }
    run.springs = springs;
    let frames = (seconds * rate) as usize;
    (0..frames).map(|frame| { run.frame(1.0 / rate); (frame as f64 / rate, run.tip().x) }).collect()
}

#[test]
fn a_pendulum_has_its_period_and_decay() {
    let (skeleton, springs) = chain(1, 0.3);
    let gravity = 9.81;
    for rate in [24.0, 60.0, 240.0] {
        let springs = Springs { gravity: DVec3::Y * gravity, ..springs.clone() };
        let swing = let_go(&springs, &skeleton, rate, 20.0, 0.2);
        let wanted = TAU * (0.3_f64 / gravity).sqrt();
        eprintln!("{rate}: {} {}", period(&swing) / wanted - 1.0, swing[swing.len()-5..].iter().map(|s| s.1).fold(0.0, f64::max));
    }
    for rate in [24.0, 60.0, 240.0] {
        let springs = springs.clone().each(|bone| bone.tuned(&skeleton, 2.0, 0.05));
        let swing = let_go(&springs, &skeleton, rate, 3.0, 1.0);
        let wanted = 0.5 / (1.0_f64 - 0.05 * 0.05).sqrt();
        let peaks: Vec<f64> = swing.windows(3).filter(|w| w[1].1 > w[0].1 && w[1].1 > w[2].1).map(|w| w[1].1).collect();
        eprintln!("{rate}: {} {:?} {}", period(&swing) / wanted - 1.0, peaks, (-0.05 * TAU * 2.0 * wanted).exp());
    }
    let _ = PI;
}
