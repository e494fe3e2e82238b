//! Whatever the numbers are, the pure forms never panic, and finite input gives finite output.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use fastrand::Rng;
use sinew::glam::{DQuat, DVec2, DVec3, EulerRot};
use sinew::solve::aim::{self, AimSource, AimTarget, Roll};
use sinew::solve::three_link::{self, Last, Options, Plane, Yields, angles, planar as three_planar, spatial as three};
use sinew::solve::two_bone::{self, Bands, Reach, planar, spatial};
use sinew::{Convention, Pole, Status};

/// Ordinary numbers, exact ones, and now and then what no one should pass.
fn number(rng: &mut Rng, wild: bool) -> f64 {
    let ordinary = [0.0, 1.0, -1.0, 0.5, 2.0, 1e-9, 1e9, 1e-160, 1e150];
    match rng.u8(0..10) {
        0..=4 => 2.0 * rng.f64() - 1.0,
        5..=8 => ordinary[rng.usize(0..ordinary.len())] * if rng.bool() { 1.0 } else { -1.0 },
        _ if wild => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE][rng.usize(0..5)],
        _ => 0.25,
    }
}

fn vector(rng: &mut Rng, wild: bool) -> DVec3 {
    DVec3::new(number(rng, wild), number(rng, wild), number(rng, wild))
}

fn reach(rng: &mut Rng, wild: bool) -> Reach {
    let (ratio, stretch) = (number(rng, wild) * 4.0, number(rng, wild) * 2.0);
    [Reach::Clamp, Reach::Hold, Reach::SOFT, Reach::Stretch { limit: stretch }, Reach::Soft { ratio, stretch }]
        [rng.usize(0..5)]
}

fn last(rng: &mut Rng, wild: bool) -> Last {
    let (v, angle) = (vector(rng, wild), number(rng, wild) * 3.0);
    [Last::Direction(v), Last::Toward(v), Last::Angle(angle)][rng.usize(0..3)]
}

#[test]
fn no_form_panics_and_finite_stays_finite() {
    for seed in 0..60_000 {
        let wild = seed % 2 == 0;
        let mut rng = Rng::with_seed(seed);
        let rng = &mut rng;
        let (root, target, pole) = (vector(rng, wild), vector(rng, wild), vector(rng, wild));
        let [l1, l2, l3] = [number(rng, wild), number(rng, wild), number(rng, wild)];
        let (reach, last) = (reach(rng, wild), last(rng, wild));
        let mut results: Vec<(&str, bool)> = Vec::new();

        let bands = Bands::new(number(rng, wild), l1.abs(), l2.abs());
        results.push(("bands", bands.outer.is_finite() && bands.inner.is_finite()));
        let span = reach.span(number(rng, wild).abs(), l1.abs(), l2.abs());
        results.push(("span", span.distance.is_finite() && span.stretch.is_finite()));
        let two = spatial::positions(root, target, pole, l1.abs(), l2.abs(), reach);
        results.push(("positions", two.elbows.iter().flatten().all(|point| point.is_finite())));
        let flat = planar::angles(root.truncate(), target.truncate(), l1.abs(), l2.abs(), reach);
        results.push(("planar", flat.elbows.iter().all(|a| a.root.is_finite() && a.mid.is_finite())));
        let limb = two_bone::Limb { root, mid: vector(rng, wild), tip: vector(rng, wild) };
        let (turns, swivel) = two_bone::bend_carried(&limb, target, Pole::Direction(pole), reach, None);
        let (again, _) = two_bone::bend_carried(&limb, pole, Pole::Point(target), reach, swivel.as_ref());
        results.push(("bend", [turns.root, turns.mid, again.root, again.mid].iter().all(|q| q.is_finite())));

        let plane = [Plane::Pole, Plane::Natural { side: number(rng, wild) }][rng.usize(0..2)];
        let yields = [Yields::Position, Yields::Direction][rng.usize(0..2)];
        let options = Options { plane, yields, reach };
        let lengths = [l1, l2, l3].map(f64::abs);
        let solved = three::positions(root, target, lengths, last, pole, options);
        results.push(("three", solved.elbows.iter().flatten().all(|p| p.is_finite())));
        let solved = angles::angles(root, target, lengths, last, options);
        results.push((
            "five angles",
            solved.elbows.iter().all(|a| a.root.is_finite() && a.last.is_finite() && a.roll.is_finite()),
        ));
        let way = [
            three_planar::Last::Direction(l1),
            three_planar::Last::Toward(DVec2::new(l1, l2)),
            three_planar::Last::Angle(l3),
        ];
        let solved =
            three_planar::positions(root.truncate(), target.truncate(), lengths, way[rng.usize(0..3)], yields, reach);
        results.push(("planar three", solved.elbows.iter().flatten().all(|p| p.is_finite())));
        let four = three_link::Limb { root, mid: limb.mid, low: limb.tip, tip: vector(rng, wild) };
        let turns = three_link::bend(&four, target, last, Pole::Direction(pole), options);
        results.push(("three turns", [turns.root, turns.mid, turns.low].iter().all(|q| q.is_finite())));

        let rotation = DQuat::from_euler(EulerRot::XYZ, rng.f64(), rng.f64(), rng.f64());
        let source = AimSource { origin: root, rotation, axis: vector(rng, wild), offset: vector(rng, wild) };
        let mark = [AimTarget::Point(target), AimTarget::Direction(pole)][rng.usize(0..2)];
        let up = Roll::Up { axis: vector(rng, wild), direction: vector(rng, wild), angle: number(rng, wild) };
        let turn = aim::turn(&source, mark, [Roll::Shortest, up][rng.usize(0..2)]);
        results.push(("aim", turn.turn.is_finite() || turn.status == Status::Invalid));
        let there = Convention::GLTF.to(Convention::UNREAL).point(DVec3::splat(0.5));
        results.push(("convention", there.is_finite()));

        if !wild {
            for (name, finite) in results {
                assert!(
                    finite,
                    "{name}, seed {seed}: {root} {target} {pole} {lengths:?} {reach:?} {last:?} {plane:?} {yields:?}"
                );
            }
        }
    }
}
