use sinew::glam::{DQuat, DVec3};
use sinew::springs::{Bone, Springs};
use sinew::{Skeleton, Start};

use super::{Run, chain};

fn energy(run: &Run<'_>, springs: &Springs) -> f64 {
    run.state.particles().map(|p| p.mass * (0.5 * p.velocity.length_squared() - springs.gravity.dot(p.position))).sum()
}

#[test]
fn a_falling_chain_never_gains_energy() {
    for (count, iterations) in [(1, 1), (2, 1), (3, 1), (10, 1), (10, 2), (10, 4), (40, 1)] {
        let (skeleton, springs) = chain(count, 1.0 / count as f64);
        let springs = Springs { gravity: DVec3::X * 9.81, iterations, ..springs };
        let mut run = Run::new(&skeleton, &springs);
        run.frame(0.0);
        let first = energy(&run, &springs);
        let bottom = -9.81 * run.state.particles().map(|p| p.mass * p.position.y).sum::<f64>();
        let (mut last, mut most, mut worst, mut longest) = (first, first, 0.0_f64, 0.0_f64);
        let mut trail = vec![];
        for frame in 0..2400 {
            run.frame(1.0 / 240.0);
            let now = energy(&run, &springs);
            worst = worst.max(now - last);
            most = most.max(now);
            last = now;
            if frame % 240 == 239 { trail.push(now); }
            let mut before = DVec3::ZERO;
            for p in run.state.particles() {
                longest = longest.max((p.position.distance(before) * count as f64 - 1.0).abs());
                before = p.position;
            }
        }
        eprintln!("{count} x{iterations}: first {first} lowest {bottom} most {most} step {worst:.2e} length {longest:.2e} {trail:.3?}");
    }
}
