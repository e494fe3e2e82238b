//! Straight chains that are drawn in, and whose target passes full reach.

#![allow(clippy::unwrap_used, reason = "tests")]

use sinew_bench::chains::Ask;
use sinew_bench::sweeps::Method;

#[test]
fn bends_are_shared_and_joints_slow_by_some_solvers_and_not_by_others() {
    let run = |method, bones, cone| Ask { method, bones, cone }.run().unwrap();
    let auto = run(Method::Auto, 10, None).unwrap();
    assert!(auto.bend.iter().all(|&bend| (1.0..1.5).contains(&bend)) && auto.reached[0] == auto.reached[1], "{auto:?}");
    assert!(auto.speed[0] > 1.0 && auto.speed[0] < 3.0 && auto.speed[1] == 0.0, "{auto:?}");
    // Frame after frame the joints near the root turn most; in one the chain bends as a whole.
    let sweeps = run(Method::Ccd, 20, None).unwrap();
    assert!(sweeps.bend[0] < 1.5 && sweeps.bend[1] > 3.0, "{sweeps:?}");
    // Two bones bend by a cone at most: to 0.924 of their length by 45 degrees.
    let held = run(Method::Auto, 2, Some(45.0)).unwrap();
    assert!(held.reached[0] > 0 && held.reached[0] < held.reached[1] && held.speed[1] > 0.0, "{held:?}");
    assert!(run(Method::Body, 2, None).is_none());
}
