//! The reachable space of arms, beside closed forms and brute force.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use core::f64::consts::{PI, TAU};

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::direction;
use sinew::limit::Range;
use sinew::{JointSpec, Kind, Skeleton, SkeletonBuilder};
use sinew_arm::{Arm, Directions, ReachError, ReachableWorkspace, WorkspaceOptions};

/// How much coarser dev builds look; release builds, which `.ci/run` makes too, look finely.
const COARSE: i32 = if cfg!(debug_assertions) { 4 } else { 1 };

/// Joints, each this way from the one above, and a tip.
fn chain(joints: &[(DVec3, Kind)], tip: DVec3) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("base").kind(Kind::Fixed));
    for (i, (way, kind)) in joints.iter().enumerate() {
        builder.add(JointSpec::named(format!("{i}")).child_of(i).translation(*way).kind(*kind));
    }
    builder.add(JointSpec::named("tip").child_of(joints.len()).translation(tip).kind(Kind::Fixed));
    builder.build().unwrap()
}

fn arm(joints: &[(DVec3, Kind)], tip: DVec3) -> Arm {
    let skeleton = chain(joints, tip);
    Arm::new(&skeleton, skeleton.joint("base").unwrap(), skeleton.joint("tip").unwrap()).unwrap()
}

fn hinge(axis: DVec3, min: f64, max: f64) -> Kind {
    Kind::Hinge { axis, range: Range::new(min, max) }
}

fn slide(axis: DVec3, min: f64, max: f64) -> Kind {
    Kind::Slide { axis, range: Range::new(min, max) }
}

fn reach(arm: &Arm, cell: f64) -> ReachableWorkspace {
    arm.reach(&options(cell), |_, _| {}).unwrap()
}

/// In dev builds with a fifth of the restarts, which are most of the work.
fn options(cell: f64) -> WorkspaceOptions {
    let settings = WorkspaceOptions::default();
    let restarts = if COARSE > 1 { settings.restarts / 5 } else { settings.restarts };
    WorkspaceOptions { cell, restarts, ..settings }
}

/// Every claim has a proof: its values are inside the limits and bring the tip there.
fn check_witnesses(arm: &Arm, ranges: &[Range], reach: &ReachableWorkspace) {
    let half = 0.5 * reach.cell() * (1.0 + 1e-6);
    for cell in reach.cells() {
        let (tip, _) = arm.forward(cell.coordinates);
        assert!((tip - cell.center).abs().max_element() <= half, "{} {tip}", cell.center);
        assert!(!cell.is_center || tip.distance(cell.center) <= 1.1e-3 * reach.cell());
        assert!(cell.coordinates.iter().zip(ranges).all(|(&q, range)| range.contains(q)));
    }
}

/// Of random values, how many bring the tip into a cell that is said to be out of reach.
fn missed(arm: &Arm, ranges: &[Range], reach: &ReachableWorkspace, samples: u32, rng: &mut Rng) -> u32 {
    let mut values = vec![0.0; ranges.len()];
    let draw = |rng: &mut Rng, range: &Range| match range.max - range.min {
        size if size < TAU => range.min + size * rng.f64(),
        _ => PI * (2.0 * rng.f64() - 1.0),
    };
    let is_missed = |_: &u32| {
        values.iter_mut().zip(ranges).for_each(|(value, range)| *value = draw(rng, range));
        !reach.contains(arm.forward(&values).0)
    };
    (0..samples).filter(is_missed).count() as u32
}

/// Nearest and farthest point of a square from the origin.
fn square(center: DVec3, half: f64) -> (f64, f64) {
    let (x, y) = (center.x.abs(), center.y.abs());
    ((x - half).max(0.0).hypot((y - half).max(0.0)), (x + half).hypot(y + half))
}

#[test]
fn two_and_three_links_in_a_plane_reach_their_rings_and_no_more() {
    let rings = [(&[0.5, 0.3][..], 0.2), (&[0.3, 0.5], 0.2), (&[0.6, 0.15, 0.2], 0.25), (&[0.4, 0.3, 0.3], 0.0)];
    for (links, inner) in rings.into_iter().step_by(if COARSE > 1 { 2 } else { 1 }) {
        let outer: f64 = links.iter().sum();
        let ways = [0.0].iter().chain(links).map(|&length| DVec3::X * length);
        let joints: Vec<(DVec3, Kind)> = ways.take(links.len()).map(|way| (way, Kind::hinge(DVec3::Z))).collect();
        let arm = arm(&joints, DVec3::X * links[links.len() - 1]);
        let (cell, half) = (0.04 * f64::from(COARSE), 30 / COARSE);
        let reach = reach(&arm, cell);
        check_witnesses(&arm, &vec![Range::FREE; links.len()], &reach);
        let (mut decided, mut wrong) = (0, Vec::new());
        for i in -half..=half {
            for j in -half..=half {
                let center = DVec3::new(f64::from(i), f64::from(j), 0.0) * cell;
                let (near, far) = square(center, 0.5 * cell);
                if (near - outer).abs() < 1e-6 || (far - inner).abs() < 1e-6 {
                    continue;
                }
                decided += 1;
                if reach.contains(center) != (near < outer && far > inner) {
                    wrong.push((center, outer - near, far - inner));
                }
                assert!(!reach.contains(center + DVec3::Z * cell) && !reach.contains(center - DVec3::Z * cell));
            }
        }
        assert!(decided > 3 * half * half && wrong.is_empty(), "{links:?}: {wrong:.4?}");
        // Centers lie in the plane: their area is that of the ring.
        let (area, ring) = (reach.volume() / cell, PI * (outer * outer - inner * inner));
        assert!((area / ring - 1.0).abs() < 0.01 * f64::from(COARSE), "{links:?}: {area} {ring}");
        let (near, far) = reach.distances();
        assert!((near - inner).abs() < cell && (far - outer).abs() < cell && far < outer + 1e-9, "{near} {far}");
    }
}

#[test]
fn a_shell_has_its_volume_and_a_gantry_its_box() {
    let shoulder = [(DVec3::Z * 0.4, DVec3::Z), (DVec3::ZERO, DVec3::Y), (DVec3::X * 0.5, DVec3::Y)];
    let shoulder = shoulder.map(|(way, axis)| (way, Kind::hinge(axis)));
    let turning = arm(&shoulder, DVec3::X * 0.3);
    for &cell in if COARSE > 1 { &[0.05][..] } else { &[0.05, 0.025] } {
        let (volume, shell) = (reach(&turning, cell).volume(), 4.0 / 3.0 * PI * (0.512 - 0.008));
        assert!((volume / shell - 1.0).abs() < 0.2 * cell, "{volume} {shell}");
    }
    let ends = [(0.2, 0.9), (-0.5, 0.1), (0.0, 0.3)];
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let joints: Vec<(DVec3, Kind)> = axes.iter().zip(ends).map(|(&a, (l, h))| (DVec3::ZERO, slide(a, l, h))).collect();
    let gantry = reach(&arm(&joints, DVec3::ONE * 0.01), 0.1);
    let (low, high) = gantry.bounds();
    // Cells from the one with 0.21 to the one with 0.91, and so on.
    assert!(
        low.distance(DVec3::new(0.15, -0.55, -0.05)) < 1e-12 && high.distance(DVec3::new(0.95, 0.15, 0.35)) < 1e-12
    );
    assert_eq!(gantry.cells().len(), 8 * 7 * 4);
    assert_eq!(gantry.cells().filter(|cell| cell.is_center).count(), 7 * 6 * 3);
}

#[test]
fn no_random_values_bring_the_tip_where_it_is_said_not_to_come() {
    let mut rng = Rng::with_seed(5);
    // In debug every third one.
    for count in [9, 6, 5, 4, 3, 2].into_iter().step_by(if COARSE > 1 { 3 } else { 1 }) {
        for _ in 0..if count < 5 && COARSE == 1 { 2 } else { 1 } {
            let mut joints = Vec::new();
            let mut ranges = Vec::new();
            for i in 0..count {
                let range = Range::new(-0.3 - 1.5 * rng.f64(), 0.3 + 1.5 * rng.f64());
                let kind = match i {
                    1 if count != 2 => Kind::Slide { axis: direction(&mut rng), range: Range::new(-0.1, 0.2) },
                    _ => Kind::Hinge { axis: direction(&mut rng), range },
                };
                ranges.push(if matches!(kind, Kind::Slide { .. }) { Range::new(-0.1, 0.2) } else { range });
                joints.push((direction(&mut rng) * 0.25, kind));
            }
            let arm = arm(&joints, direction(&mut rng) * 0.2);
            let reach = reach(&arm, 0.02 * f64::from(COARSE * count));
            check_witnesses(&arm, &ranges, &reach);
            assert_eq!(missed(&arm, &ranges, &reach, 50_000 / COARSE.pow(3) as u32, &mut rng), 0, "{count} joints");
        }
    }
}

#[test]
fn it_is_the_same_whoever_decides_and_however_it_begins() {
    let axes = [DVec3::Z, DVec3::Y, DVec3::Y, DVec3::X];
    let joints = axes.map(|axis| (DVec3::new(0.1, 0.0, 0.2), hinge(axis, -2.0, 1.2)));
    let arm = arm(&joints, DVec3::X * 0.1);
    let cell = 0.06 * f64::from(COARSE.min(3));
    let plain = reach(&arm, cell);
    let mut calls = 0;
    let each = |cells: &[usize], _: usize, decide: &(dyn Fn(usize) -> Option<_> + Sync)| {
        calls += 1;
        // In another order, as threads would.
        let mut found: Vec<_> = cells.iter().rev().map(|&cell| decide(cell)).collect();
        found.reverse();
        found
    };
    let threaded = arm.reach_by(&options(cell), each).unwrap();
    assert!(plain.cells().eq(threaded.cells()) && calls > 1);
    // Almost nothing but the flood: the same cells, by other values.
    let flood = arm.reach(&WorkspaceOptions { samples: 1, ..options(cell) }, |_, _| {}).unwrap();
    assert_eq!(flood.cells().len(), plain.cells().len());
    assert!(flood.cells().all(|cell| plain.contains(cell.center)));
}

/// Unit vectors, none near another, that cancel out.
fn check_evenness(directions: &[DVec3]) {
    assert!(directions.iter().sum::<DVec3>().length() < 0.06 * directions.len() as f64);
    for (i, a) in directions.iter().enumerate() {
        assert!((a.length() - 1.0).abs() < 1e-12);
        // Each has a cap of its share of the sphere to itself, nearly: radius 2 over the root of n.
        assert!(directions[..i].iter().all(|b| a.distance_squared(*b) * directions.len() as f64 > 5.7));
    }
}

#[test]
fn a_wrist_points_everywhere_and_without_one_nowhere_else() {
    let (turn, bend) = (Kind::hinge(DVec3::Z), Kind::hinge(DVec3::Y));
    let wrist = [(DVec3::Z * 0.1, turn), (DVec3::ZERO, bend), (DVec3::Z * 0.5, bend), (DVec3::Z * 0.4, turn)];
    let joints = [&wrist[..], &[(DVec3::ZERO, bend), (DVec3::ZERO, turn)]].concat();
    let arm = arm(&joints, DVec3::ZERO);
    let reach = reach(&arm, 0.1);
    let directions = Directions::new(DVec3::Z, 14);
    check_evenness(directions.all());
    // The wrist's axes meet in the tip, which so points anywhere wherever it is.
    for place in (0..reach.cells().len()).step_by(17 * COARSE.pow(2) as usize) {
        assert_eq!(directions.count(&arm, &reach, place, 30), 14, "{}", reach.cells().nth(place).unwrap().center);
    }
    // A tip that is one piece with the last of two links points along them, so nowhere where directions are few.
    let shoulder = [(DVec3::ZERO, turn), (DVec3::ZERO, bend), (DVec3::Z * 0.5, bend)];
    let plain = self::arm(&shoulder, DVec3::Z * 0.4);
    let coarse = COARSE.min(3);
    let reach = self::reach(&plain, 0.02 * f64::from(coarse));
    let directions = Directions::new(DVec3::Z, 14);
    let counts: Vec<usize> = (0..reach.cells().len())
        .step_by(997 / coarse.pow(2) as usize)
        .map(|place| directions.count(&plain, &reach, place, 30))
        .collect();
    assert!(counts.iter().all(|&count| count <= 1) && counts.contains(&0), "{counts:?}");
}

#[test]
fn what_cannot_be_looked_at_is_refused() {
    let joints = [(DVec3::ZERO, Kind::hinge(DVec3::Z)), (DVec3::X, slide(DVec3::X, 0.0, f64::INFINITY))];
    let endless = arm(&joints, DVec3::X);
    assert_eq!(
        endless.reach(&WorkspaceOptions::default(), |_, _| {}).unwrap_err(),
        ReachError::Endless { coordinate: 1 }
    );
    let arm = arm(&joints[..1], DVec3::X);
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = arm.reach(&WorkspaceOptions { cell, ..WorkspaceOptions::default() }, |_, _| {}).unwrap_err();
        assert!(matches!(error, ReachError::Cell { .. }) && error.to_string().contains("longer than 0"), "{error}");
    }
    let fine = |cell: f64| arm.reach(&WorkspaceOptions { cell, samples: 1, ..WorkspaceOptions::default() }, |_, _| {});
    let Err(ReachError::TooFine { cell }) = fine(1e-4) else { panic!("too fine") };
    assert!(cell < 0.02 && fine(cell * f64::from(COARSE)).is_ok(), "the cell that is advised will do: {cell}");
}
