//! Goals carried out of reach.

use sinew::{Auto, Jacobian, Solver};
use sinew_bench::away::{CASES, run};
use sinew_bench::humanoids::Humanoid;

#[test]
fn what_is_in_reach_is_met_and_what_is_not_is_missed() {
    let body = Humanoid::built_in().expect("the human");
    for solver in [&Auto::default() as &dyn Solver, &Jacobian::default()] {
        let of = |name: &str| {
            let case = CASES.iter().find(|case| case.name == name).expect("a case");
            run(&body, &body.skeleton, solver, case, 1, 1)
        };
        let [reach, far] = ["frames in reach", "places, one hand"].map(of);
        assert!(reach.unmet < 0.02 && reach.miss < 1e-4, "{solver:?}: {} {}", reach.unmet, reach.miss);
        // The hand is 2.5 times as far as it was, and it alone misses: by more than a tenth of the height, a fifth of that in the mean.
        assert!(far.unmet > 0.999 && far.miss > 0.02, "{solver:?}: {} {}", far.unmet, far.miss);
        assert!(far.micros.windows(2).all(|pair| pair[0] <= pair[1]) && far.micros.len() == 180);
    }
}
