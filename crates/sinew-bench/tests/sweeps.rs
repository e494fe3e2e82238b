//! A hand of the human built in along smooth ways.

#![allow(clippy::unwrap_used, reason = "tests")]

use sinew_bench::humanoids::Humanoid;
use sinew_bench::sweeps::{Method, Path, Start, Sweep, run};

fn sweep(method: Method, path: Path, limited: bool, start: Start) -> Sweep {
    Sweep { method, path, limited, start, frames: 60 }
}

/// Fed anew, every lap is the one before; a body moves without a pop.
#[test]
fn laps_of_a_fed_pose_are_alike_and_a_body_does_not_pop() {
    let body = Humanoid::built_in().unwrap();
    for method in [Method::Body, Method::Fabrik] {
        let report = run(&body, &sweep(method, Path::Circle, false, Start::Neutral)).unwrap().unwrap();
        assert!(report.drift < 1e-5, "{method:?}: {report:?}");
        assert!(report.turns[0] > 1.0 && report.turns[1] <= report.turns[0], "{report:?}");
        assert!(report.micros[0] <= report.micros[1] && report.micros[1] <= report.micros[2]);
    }
    let report = run(&body, &sweep(Method::Body, Path::Circle, false, Start::Carried)).unwrap().unwrap();
    assert!(report.pops == 0 && report.first_pop.is_none() && report.miss < 1e-3, "{report:?}");
}
