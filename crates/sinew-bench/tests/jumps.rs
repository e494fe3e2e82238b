//! Answers that jump.

#![allow(clippy::unwrap_used, reason = "tests")]

use sinew_bench::humanoids::Humanoid;
use sinew_bench::jumps::{Ask, Asked, Report};
use sinew_bench::sweeps::Method;

#[test]
fn a_body_does_not_jump_and_points_drawn_along_bones_do() {
    let body = Humanoid::built_in().unwrap();
    let run = |method, limited| {
        let mut report = Report::new(Ask { method, goals: Asked::Hand, limited, fed: true });
        report.add(&body, 0).unwrap();
        report
    };
    let calm = run(Method::Body, true);
    assert!(calm.frames == 240 && calm.reached > 50 && calm.jumps == 0 && calm.list.is_empty(), "{calm:?}");
    let jumpy = run(Method::Fabrik, false);
    assert!(jumpy.jumps > 0 && jumpy.jumps == jumpy.list.len() && jumpy.large <= jumpy.jumps, "{jumpy:?}");
    assert_eq!(jumpy.stepped.iter().sum::<usize>(), jumpy.jumps);
}
