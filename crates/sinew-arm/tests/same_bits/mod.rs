//! Law 10 for arms: the same bits at every width, whatever is asked; and nothing allocated.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

mod problems;

use std::path::{Path, PathBuf};

use fastrand::Rng;
use problems::Problem;
use sinew::{Goal, Skeleton, Solver, Status, Tolerance, Workspace};
use sinew_arm::{Arm, IkSolution, PoseTarget, Serial, Width};

use crate::{arms, widths};

/// Everything that a solve says, as bits.
fn bits(arm: &Arm, found: &IkSolution, answer: &[f64]) -> Vec<u64> {
    let left = [found.position, found.rotation].into_iter().flat_map(|v| v.to_array());
    let numbers = left.chain(answer.iter().copied()).map(f64::to_bits);
    let blocking = (0..arm.coordinates().len()).map(|place| u64::from(found.is_blocking(place)));
    numbers.chain(blocking).chain([found.status as u64, u64::from(found.iterations)]).collect()
}

/// What a width comes to.
fn solve(arm: &Arm, problem: &Problem, width: Width) -> (IkSolution, Vec<f64>) {
    let settings = Serial { width, ..problem.settings };
    let mut answer = problem.seed.clone();
    let found = match &problem.within {
        None => arm.solve(&problem.asked, &problem.seed, &settings, &mut answer),
        Some(within) => arm.nearest(&problem.asked, &problem.seed, within, &settings, &mut answer),
    };
    (found, answer)
}

/// Asks an arm many things at every width; how each ended.
fn compare(name: &str, arm: &Arm, problems: &[Problem]) -> Vec<Status> {
    let wanted: Vec<_> = problems.iter().map(|problem| solve(arm, problem, Width::ONE)).collect();
    for (problem, (found, answer)) in problems.iter().zip(&wanted) {
        let wanted = bits(arm, found, answer);
        for width in widths() {
            let (found, answer) = solve(arm, problem, width);
            assert_eq!(bits(arm, &found, &answer), wanted, "{name}, {} lanes: {problem:?}", width.lanes());
        }
    }
    many(name, arm, problems, &wanted);
    wanted.iter().map(|(found, _)| found.status).collect()
}

/// The same as batches: each run of problems with the same settings, and room everywhere, is one.
fn many(name: &str, arm: &Arm, problems: &[Problem], wanted: &[(IkSolution, Vec<f64>)]) {
    let count = arm.coordinates().len();
    for settings in problems::SETTINGS {
        let chosen = || {
            let is_in = |problem: &Problem| problem.within.is_none() && problem.settings == settings;
            problems.iter().zip(wanted).filter(move |(problem, _)| is_in(problem))
        };
        let asked: Vec<_> = chosen().map(|(problem, _)| problem.asked).collect();
        let seeds: Vec<f64> = chosen().flat_map(|(problem, _)| problem.seed.clone()).collect();
        let (mut answers, mut found) = (seeds.clone(), Vec::new());
        for width in widths() {
            answers.fill(7.0);
            arm.solve_many(&asked, &seeds, &Serial { width, ..settings }, (&mut answers, &mut found));
            assert_eq!(found.len(), asked.len());
            for (i, (problem, (wanted, answer))) in chosen().enumerate() {
                let got = bits(arm, &found[i], &answers[i * count..][..count]);
                assert_eq!(got, bits(arm, wanted, answer), "{name}, batch in {} lanes: {problem:?}", width.lanes());
            }
        }
    }
}

/// What is said to be reached is there, by the skeleton's own account.
fn there(skeleton: &Skeleton, arm: &Arm, problems: &[Problem]) {
    for problem in problems {
        let Tolerance { position, rotation } = problem.asked.tolerance;
        let (found, answer) = solve(arm, problem, *widths().last().unwrap());
        if found.status == Status::Reached
            && PoseTarget::frame(problem.asked.position, problem.asked.rotation).tolerance(problem.asked.tolerance)
                == problem.asked
        {
            let tip = arms::tip(skeleton, arm, &answer);
            assert!(tip.translation.distance(problem.asked.position) < 1.1 * position + 1e-12, "{problem:?}");
            assert!(tip.rotation.angle_between(problem.asked.rotation) < 1.1 * rotation + 1e-7, "{problem:?}");
        }
    }
}

#[test]
fn random_arms_come_to_the_same_bits() {
    let mut rng = Rng::with_seed(1);
    let mut statuses = Vec::new();
    for case in 0..40 {
        let skeleton = arms::random_arm(&mut rng);
        let arm = arms::arm_of(&skeleton);
        let problems = problems::random(&skeleton, &arm, 60, &mut rng);
        statuses.extend(compare(&format!("case {case}"), &arm, &problems));
        there(&skeleton, &arm, &problems);
    }
    let count = |wanted: Status| statuses.iter().filter(|&&status| status == wanted).count();
    let ways = [Status::Reached, Status::Limited, Status::OutOfReach, Status::Stalled, Status::Invalid];
    assert!(ways.iter().all(|&way| count(way) > 20), "{:?}", ways.map(count));
}

#[test]
fn our_own_arm_comes_to_the_same_bits() {
    robots(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rigs"), &[("arm6.urdf", "")]);
}

#[test]
#[ignore = "needs SINEW_TEST_DATA"]
fn real_robots_come_to_the_same_bits() {
    let data =
        PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"));
    let files = [
        ("panda.urdf", "panda_link8"),
        ("ur5e.urdf", ""),
        ("jaco_kinova.urdf", ""),
        ("prismatic_mixed_robot.urdf", ""),
        ("simple_mimic_robot.urdf", ""),
    ];
    robots(&data.join("urdf"), &files);
}

/// Files in a folder, with the name of the tip, which may be empty.
fn robots(folder: &Path, files: &[(&str, &str)]) {
    let mut rng = Rng::with_seed(2);
    for (file, tip) in files {
        let file = folder.join(file);
        let robot = sinew_urdf::load(&file).unwrap();
        let skeleton = &robot.skeleton;
        // Named, or else the joint that most others are above.
        let depth = |joint: &_| std::iter::successors(Some(*joint), |&joint| skeleton.parent(joint)).count();
        let tip = robot.link(tip).unwrap_or_else(|_| skeleton.iter().max_by_key(depth).unwrap());
        let arm = Arm::new(skeleton, skeleton.iter().next().unwrap(), tip).unwrap();
        let problems = problems::random(skeleton, &arm, 150, &mut rng);
        let reached = compare(&file.display().to_string(), &arm, &problems);
        assert!(reached.contains(&Status::Reached), "{}", file.display());
    }
}

#[test]
fn poses_come_to_the_same_bits() {
    let mut rng = Rng::with_seed(3);
    let settings = Serial { restarts: 60, ..Serial::default() };
    for case in 0..30 {
        let skeleton: Skeleton = arms::random_arm(&mut rng);
        let [tip, middle] = skeleton.joints(["tip", "joint_5"]).unwrap();
        let mut aim = skeleton.rest_pose();
        for (coordinate, q) in skeleton.coordinates().iter().zip(0..) {
            let range = coordinate.range;
            aim.edit(&skeleton).coordinate(q, range.clamp(4.0 * rng.f64() - 2.0));
        }
        for goals in [
            vec![Goal::frame(tip, aim.position(tip), aim.rotation(tip))],
            vec![Goal::position(middle, aim.position(middle)), Goal::position(tip, aim.position(tip))],
        ] {
            let solve = |solver: &dyn Solver| {
                let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
                let outcome = solver.solve(&skeleton, &goals, &mut pose, &mut work);
                (pose.coordinates().iter().map(|q| q.to_bits()).collect::<Vec<_>>(), outcome.status)
            };
            let wanted = solve(&Serial { width: Width::ONE, ..settings });
            for width in widths() {
                assert_eq!(solve(&Serial { width, ..settings }), wanted, "{case}, {} lanes", width.lanes());
            }
        }
    }
}

#[test]
fn nothing_is_allocated() {
    let mut rng = Rng::with_seed(4);
    let skeleton = arms::random_arm(&mut rng);
    let arm = arms::arm_of(&skeleton);
    let problems = problems::random(&skeleton, &arm, 40, &mut rng);
    let asked: Vec<_> = problems.iter().map(|problem| problem.asked).collect();
    let seeds: Vec<f64> = problems.iter().flat_map(|problem| problem.seed.clone()).collect();
    let (mut answers, mut found) = (seeds.clone(), Vec::with_capacity(asked.len()));
    for width in widths() {
        let settings = Serial { restarts: 20, width, ..Serial::default() };
        let counted = allocation_counter::measure(|| {
            for (problem, answer) in problems.iter().zip(answers.chunks_exact_mut(arm.coordinates().len())) {
                let _ = arm.solve(&problem.asked, &problem.seed, &settings, answer);
            }
            arm.solve_many(&asked, &seeds, &settings, (&mut answers, &mut found));
        });
        assert_eq!(counted.count_total, 0, "{} lanes", width.lanes());
    }
}
