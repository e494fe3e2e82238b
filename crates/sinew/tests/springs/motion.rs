//! Periods, decays and places of equilibrium, at every frame rate.

use std::f64::consts::TAU;

use sinew::Skeleton;
use sinew::glam::DVec3;
use sinew::springs::{Bone, Springs};

use super::{GRAVITY, Run, chain};

const RATES: [f64; 4] = [24.0, 60.0, 144.0, 240.0];

/// The bones pulled aside by a steady acceleration until they rest, then let go: a signal frame by frame.
fn let_go(
    (skeleton, springs): (&Skeleton, &Springs),
    aside: DVec3,
    (rate, seconds): (f64, f64),
    signal: impl Fn(&Run<'_>) -> f64,
) -> Vec<(f64, f64)> {
    let mut run = Run::new(skeleton);
    let pulled = Springs { gravity: springs.gravity + aside, ..springs.clone() };
    run.run(&pulled.each(|bone| Bone { drag: 30.0, ..bone }), 60.0, 40.0);
    let frames = 0..(seconds * rate) as usize;
    frames
        .map(|frame| {
            (frame as f64 / rate, {
                run.frame(springs, 1.0 / rate);
                signal(&run)
            })
        })
        .collect()
}

/// Mean time between rises through zero, each found between two frames.
fn period(signal: &[(f64, f64)]) -> f64 {
    let pairs = signal.windows(2).filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0);
    let rises: Vec<f64> = pairs.map(|p| p[0].0 + (p[1].0 - p[0].0) * p[0].1 / (p[0].1 - p[1].1)).collect();
    (rises[rises.len() - 1] - rises[0]) / (rises.len() - 1) as f64
}

/// Decay rate (1/s) from the first and last extremes, each from a parabola through three frames.
fn decay(signal: &[(f64, f64)]) -> f64 {
    let peak = |w: &[(f64, f64)]| {
        let (a, b, c) = (w[0].1, w[1].1, w[2].1);
        (w[1].0, b + (a - c) * (a - c) / (8.0 * (2.0 * b - a - c)))
    };
    let peaks: Vec<(f64, f64)> =
        signal.windows(3).filter(|w| w[1].1 > w[0].1 && w[1].1 >= w[2].1 && w[1].1 > 0.0).map(peak).collect();
    let (first, last) = (peaks[0], peaks[peaks.len() - 1]);
    (first.1 / last.1).ln() / (last.0 - first.0)
}

fn assert_share(found: f64, wanted: f64, share: f64, what: &str) {
    assert!(
        (found / wanted - 1.0).abs() < share,
        "{what}: {found}, not {wanted} ({:+.3} %)",
        100.0 * (found / wanted - 1.0)
    );
}

#[test]
fn a_pendulum_has_its_period_at_every_rate() {
    let (skeleton, springs) = chain(1, 0.3);
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs };
    for rate in RATES {
        let swing = let_go((&skeleton, &springs), DVec3::X * 0.2, (rate, 20.0), |run| run.tip().x);
        assert_share(period(&swing), TAU * (0.3 / GRAVITY).sqrt(), 1e-3, "period");
        // Nothing takes its energy: after twenty swings nine tenths are left.
        assert!(decay(&swing) < 0.005, "{}", decay(&swing));
    }
}

#[test]
fn a_tuned_bone_has_its_period_and_decay_at_every_rate_and_sub_step() {
    let (skeleton, springs) = chain(1, 0.3);
    for (frequency, damping) in [(2.0, 0.05), (1.0, 0.2), (4.0, 0.02)] {
        let springs = springs.clone().each(|bone| Bone { mass: 0.7, ..bone }).tuned(&skeleton, frequency, damping);
        let speed = TAU * frequency;
        for (rate, step) in
            RATES.map(|rate| (rate, 240.0)).into_iter().chain([(60.0, 120.0), (60.0, 480.0), (50.0, 333.0)])
        {
            if rate < 15.0 * frequency || step < 100.0 * frequency {
                continue;
            }
            let springs = Springs { step: 1.0 / step, ..springs.clone() };
            let swing =
                let_go((&skeleton, &springs), DVec3::X * 0.1 * speed * speed * 0.3, (rate, 3.0), |run| run.tip().x);
            let wanted = 1.0 / (frequency * (1.0_f64 - damping * damping).sqrt());
            assert_share(period(&swing), wanted, 0.01, "period");
            assert_share(decay(&swing), damping * speed, 0.02, "decay");
        }
    }
}

/// Chains of equal and unequal bones, and a fork: the slowest swing is the one asked for.
#[test]
fn trees_swing_as_often_as_they_are_told() {
    let fork = {
        let mut builder = sinew::SkeletonBuilder::new();
        let root = builder.add(sinew::JointSpec::named("root"));
        let stem = builder.add(sinew::JointSpec::named("stem").child_of(root).translation(DVec3::Y * 0.2));
        for side in [-0.1, 0.15] {
            let tine = sinew::JointSpec::default().child_of(stem).translation(DVec3::new(0.0, 0.2, side));
            let tine = builder.add(tine);
            builder.add(sinew::JointSpec::default().child_of(tine).translation(DVec3::Y * 0.1));
        }
        builder.build().unwrap()
    };
    let chain = |lengths: &[f64]| Skeleton::from_lengths(lengths).unwrap();
    for (skeleton, frequency) in [
        (chain(&[0.3]), 2.0),
        (chain(&[0.1; 4]), 2.0),
        (chain(&[0.2, 0.15, 0.05]), 1.0),
        (chain(&[0.1; 8]), 0.7),
        (fork, 1.5),
    ] {
        let springs = Springs::below(&skeleton, super::joint(&skeleton, 0)).each(|bone| Bone { mass: 0.4, ..bone });
        let springs = springs.tuned(&skeleton, frequency, 0.0);
        // A weak pull that bends it slowly leaves it in its slowest way; the fork's is across its plane's normal.
        let (mut run, mut signal) = (Run::new(&skeleton), vec![]);
        run.frame(&springs, 0.0);
        let start = run.ends()[springs.bones.len() - 1].0.z;
        for step in 0..4800 {
            let aside = DVec3::Z * if step < 1440 { 0.02 * f64::from(step) / 1440.0 } else { 0.0 };
            run.frame(&Springs { gravity: aside, ..springs.clone() }, 1.0 / 240.0);
            if step > 1440 {
                signal.push((f64::from(step) / 240.0, run.ends()[springs.bones.len() - 1].0.z - start));
            }
        }
        assert_share(1.0 / period(&signal), frequency, 0.01, "frequency");
    }
}

#[test]
fn the_air_slows_by_its_grip() {
    let (skeleton, springs) = chain(1, 0.3);
    let springs = springs.tuned(&skeleton, 2.0, 0.0).each(|bone| bone.dragged(2.0, 0.05));
    for rate in [60.0, 240.0] {
        let swing = let_go((&skeleton, &springs), DVec3::X, (rate, 3.0), |run| run.tip().x);
        // x'' + drag x' + w² x = 0.
        assert_share(decay(&swing), 0.05 * TAU * 2.0, 0.02, "decay");
    }
    // Far faster than a frame: the tip moves with the wind.
    let (skeleton, springs) = chain(1, 1.0);
    let springs = Springs { wind: DVec3::X, ..springs.each(|bone| Bone { drag: 1e5, ..bone }) };
    let mut run = Run::new(&skeleton);
    run.run(&springs, 60.0, 0.5);
    let [(_, velocity)] = run.ends()[..] else { panic!() };
    let across = run.tip().y;
    assert_share(velocity.length(), across, 0.01, "speed across the bone");
}

/// Two equal masses on two equal bones swing slowly together or quickly against each other: w² = (2 ∓ √2) g / l.
#[test]
fn a_double_pendulum_has_its_two_periods() {
    let (skeleton, springs) = chain(2, 0.25);
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs };
    let root = std::f64::consts::SQRT_2;
    let mode = |sign: f64| {
        move |run: &Run<'_>| {
            let ends = run.ends();
            // Coordinates of one mode: the other's shape is orthogonal to it.
            ends[0].0.x + sign * (ends[1].0.x - ends[0].0.x) * root / 2.0
        }
    };
    let swing = let_go((&skeleton, &springs), DVec3::X * 0.05, (240.0, 20.0), mode(1.0));
    assert_share(period(&swing), TAU / ((2.0 - root) * GRAVITY / 0.25).sqrt(), 2e-3, "slow");
    let swing = let_go((&skeleton, &springs), DVec3::X * 0.05, (240.0, 4.0), mode(-1.0));
    assert_share(period(&swing), TAU / ((2.0 + root) * GRAVITY / 0.25).sqrt(), 5e-3, "quick");
}

/// Springs that hold a weight: each joint's torque is what hangs on it.
#[test]
fn a_bent_rod_carries_its_weight() {
    for (count, weight) in [(1, 1.0), (3, 2.0), (12, 0.3)] {
        let (skeleton, springs) = chain(count, 0.2);
        let springs = Springs { gravity: DVec3::NEG_X * GRAVITY, ..springs };
        let springs = springs.each(|bone| Bone { mass: weight / count as f64, bend: 0.02 / weight, drag: 8.0, ..bone });
        let mut run = Run::new(&skeleton);
        run.run(&springs, 60.0, 60.0);
        let ends = run.ends();
        let mut place = DVec3::ZERO;
        let mut before = DVec3::Y;
        for joint in 0..count {
            let torque: f64 = ends[joint..].iter().map(|end| (end.0 - place).y * GRAVITY * weight / count as f64).sum();
            let bone = (ends[joint].0 - place).normalize();
            let sine = before.cross(bone).z;
            assert!((sine * weight / 0.02 - torque).abs() < 1e-6 * weight, "{joint}: {sine} {torque}");
            (place, before) = (ends[joint].0, bone);
        }
    }
}

/// The same motion whatever the frame rate, also where the anchor moves.
#[test]
fn frame_rates_agree() {
    let (skeleton, springs) = chain(6, 0.1);
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs }.tuned(&skeleton, 2.0, 0.1);
    let tips = |rate: u32| {
        let mut run = Run::new(&skeleton);
        run.frame(&springs, 0.0);
        let mut tips = vec![];
        for frame in 1..=2 * rate {
            // Steady between the frames of the slowest rate.
            let time = f64::from(frame) / f64::from(rate);
            let key = |k: f64| DVec3::new((3.0 * k / 24.0).sin() * 0.2, 0.0, 0.0);
            let place = key((24.0 * time).floor()).lerp(key((24.0 * time).floor() + 1.0), (24.0 * time).fract());
            let root = super::joint(&skeleton, 0);
            run.moved(&springs, 1.0 / f64::from(rate), |pose| {
                pose.edit(&skeleton).translation(root, place);
            });
            if (frame * 24).is_multiple_of(rate) {
                tips.push(run.tip());
            }
        }
        tips
    };
    let wanted = tips(240);
    for rate in [24, 48, 120, 480, 960] {
        let off = tips(rate).iter().zip(&wanted).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(off < 1e-6, "{rate}: {off}");
    }
}
