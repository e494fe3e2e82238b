//! Figures that stand keep their feet and their heading, whoever solves them.
#![allow(clippy::unwrap_used, reason = "tests")]

use sinew::glam::{DAffine3, DVec3};
use sinew::{Auto, Goal, Jacobian, MassSpring, Solver, Workspace};
use sinew_rig::{Evidence, recognize};

use crate::made;

#[test]
fn feet_and_heading_stay_while_a_hand_reaches() {
    for (rows, hand, way, feet) in [
        (made::human(), "hand.L", DVec3::new(-0.2, -0.15, 0.1), &["foot.L", "foot.R"][..]),
        (made::dog(), "head", DVec3::new(-0.06, -0.06, 0.0), &["toes.L", "toes.R", "front_toes.L", "front_toes.R"][..]),
    ] {
        let skeleton = made::skeleton(DAffine3::IDENTITY, &rows);
        let found = recognize(&Evidence::of(&skeleton));
        let [hips, hand] = skeleton.joints(["hips", hand]).unwrap();
        let rest = skeleton.rest_pose();
        let asked = Goal::position(hand, rest.position(hand) + way);
        let solvers: [(&str, &dyn Solver); 3] =
            [("whole", &Auto::default()), ("jacobian", &Jacobian::default()), ("mass-spring", &MassSpring::default())];
        for (name, solver) in solvers {
            let kept = found.kept_feet(&skeleton, &rest, &[asked]);
            assert_eq!(kept.len(), feet.len(), "{name}");
            let goals = [vec![asked], kept].concat();
            let mut pose = rest.clone();
            let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut Workspace::default());
            // Springs come to rest slowly: 5 micrometres are left after 200 steps.
            assert!(outcome.position_error < 1e-4, "{name} {}: {outcome:?}", rows.len());
            for foot in feet {
                let foot = skeleton.joint(foot).unwrap();
                let gone = pose.position(foot).distance(rest.position(foot));
                assert!(gone < 1e-4, "{name}: a foot went {gone} m");
            }
            let ahead = pose.rotation(hips) * rest.rotation(hips).conjugate() * DVec3::Z;
            assert!(ahead.z > 0.8, "{name}: hips turned to {ahead}");
            let mut free = rest.clone();
            let _ = solver.solve(&skeleton, &[asked], &mut free, &mut Workspace::default());
            let loose = skeleton.joint(feet[feet.len() - 1]).unwrap();
            let gone = free.position(loose).distance(rest.position(loose));
            assert!(gone > 1e-3, "{name}: the feet would have gone, not {gone} m");
        }
    }
}

#[test]
fn what_is_asked_for_or_cannot_move_is_not_kept() {
    let skeleton = made::skeleton(DAffine3::IDENTITY, &made::human());
    let found = recognize(&Evidence::of(&skeleton));
    let rest = skeleton.rest_pose();
    let [hand, shoulder, shin, foot] = skeleton.joints(["hand.L", "upper_arm.L", "shin.L", "foot.R"]).unwrap();
    let reach = Goal::position(hand, DVec3::new(0.3, 1.0, 0.4));
    assert_eq!(found.kept_feet(&skeleton, &rest, &[]).len(), 0);
    assert_eq!(found.kept_feet(&skeleton, &rest, &[reach.base(shoulder)]).len(), 0);
    let step = Goal::position(shin, DVec3::new(0.1, 0.5, 0.2));
    let kept = found.kept_feet(&skeleton, &rest, &[reach.pull(2.0), step]);
    assert_eq!((kept.len(), kept[0].joint), (1, foot));
    assert_eq!(kept[0].pull, 20.0);
    assert_eq!(found.kept_feet(&skeleton, &rest, &[reach, step.weight(0.0)]).len(), 2);
}
