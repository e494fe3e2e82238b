//! Swings, joints' own limits, lengths, links and anchors.

use std::f64::consts::FRAC_PI_2;

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::springs::{Bone, Link, Springs};
use sinew::{BallLimit, JointSpec, Kind, SkeletonBuilder};

use super::{GRAVITY, Run, chain, joint};

#[test]
fn a_swing_ends_at_its_limit() {
    let (skeleton, springs) = chain(4, 0.2);
    let springs =
        Springs { gravity: DVec3::X * GRAVITY, ..springs }.each(|bone| Bone { swing: 0.3, drag: 2.0, ..bone });
    let mut run = Run::new(&skeleton);
    for frame in 0..600 {
        run.frame(&springs, 1.0 / 60.0);
        let mut above = DVec3::Y;
        for i in 0..4 {
            let [from, to] = [i, i + 1].map(|i| run.pose.position(joint(&skeleton, i)));
            let angle = above.angle_between(to - from);
            assert!(angle < 0.3 + 1e-9, "frame {frame}, bone {i}: {angle}");
            // It hangs on its limit in the end.
            assert!(frame < 300 || angle > 0.285, "bone {i}: {angle}");
            above = to - from;
        }
    }
}

#[test]
fn joints_end_inside_their_own_limits() {
    let cone = BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, 0.4, Range::new(-0.1, 0.1)).unwrap());
    let kinds = [Kind::hinge(DVec3::Z).within(-0.5, 0.2), Kind::Ball(cone), Kind::Fixed, Kind::hinge(DVec3::X)];
    let mut builder = SkeletonBuilder::new();
    let mut parent = None;
    for (i, kind) in kinds.into_iter().chain([Kind::BALL]).enumerate() {
        let spec = JointSpec { kind, ..JointSpec::named(format!("{i}")).translation(DVec3::Y * 0.2) };
        parent = Some(builder.add(parent.map_or(spec.clone(), |parent: usize| spec.child_of(parent))));
    }
    let skeleton = builder.build().unwrap();
    let springs = Springs::chain(&skeleton, joint(&skeleton, 0), joint(&skeleton, 4)).unwrap();
    let askew = [DVec3::new(-0.76, -0.64, 0.11), DVec3::new(0.77, -0.09, -0.64), DVec3::new(-0.9, -0.22, -0.36)];
    let along = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::new(1.0, -1.0, 0.4)];
    for gravity in along.into_iter().chain(askew) {
        let springs = Springs { gravity: gravity * GRAVITY, ..springs.clone() };
        let mut run = Run::new(&skeleton);
        run.frame(&springs, 0.0);
        let energy = |run: &Run<'_>| -> f64 {
            run.ends().iter().map(|end| 0.5 * end.1.length_squared() - springs.gravity.dot(end.0)).sum()
        };
        let first = energy(&run);
        for frame in 0..600 {
            run.frame(&springs, 1.0 / 60.0);
            for joint in skeleton.iter() {
                let local = run.pose.local(joint);
                let allowed = skeleton.nearest_allowed(joint, local, run.pose.value(&skeleton, joint)).rotation;
                assert!(allowed.angle_between(local.rotation) < 1e-7, "frame {frame}, joint {}", joint.index());
            }
            assert!(energy(&run) < first + 0.02, "{gravity}: frame {frame} gains {}", energy(&run) - first);
        }
    }
}

/// Two hinges on one coordinate and a slide stay where the pose given has them, and the ball after them swings.
#[test]
fn coordinates_that_are_not_a_bones_alone_are_the_bodys() {
    let kinds = [Kind::hinge(DVec3::Z), Kind::hinge(DVec3::Z), Kind::slide(DVec3::Y), Kind::BALL, Kind::BALL];
    let mut builder = SkeletonBuilder::new();
    for (i, kind) in kinds.into_iter().enumerate() {
        let spec = JointSpec::named(format!("{i}")).translation(DVec3::Y * 0.2).kind(kind);
        let spec = if i == 1 { spec.mimic("0", -0.5, 0.0) } else { spec };
        builder.add(if i == 0 { spec } else { spec.child_of(i - 1) });
    }
    let skeleton = builder.build().unwrap();
    let springs = Springs::chain(&skeleton, joint(&skeleton, 0), joint(&skeleton, 4)).unwrap();
    let springs = Springs { gravity: DVec3::X * GRAVITY, ..springs };
    let springs = springs.each(|bone| Bone { stretch: 1e-3, ..bone });
    let place = |run: &Run<'_>, i| run.pose.position(joint(&skeleton, i));
    let (mut run, mut lengths) = (Run::new(&skeleton), Range::new(f64::INFINITY, 0.0));
    for frame in 0..120 {
        let [turn, slide] = [0.01 * f64::from(frame), 0.001 * f64::from(frame)];
        run.moved(&springs, 1.0 / 60.0, |pose| {
            pose.edit(&skeleton).coordinate(0, turn).coordinate(1, slide);
        });
        assert_eq!(run.pose.coordinates(), [turn, slide]);
        assert!((place(&run, 1).distance(place(&run, 2)) - 0.2 - slide).abs() < 1e-9);
        let length = place(&run, 3).distance(place(&run, 4));
        lengths = Range::new(lengths.min.min(length), lengths.max.max(length));
    }
    assert!(lengths.max > lengths.min + 1e-3, "the last bone alone stretches: {lengths:?}");
}

#[test]
fn lengths_end_at_their_range() {
    let (skeleton, springs) = chain(3, 0.2);
    let springs = Springs { gravity: DVec3::Y * GRAVITY, ..springs };
    let springs =
        springs.each(|bone| Bone { stretch: 0.05, stretch_damping: 1.0, lengths: Range::new(0.9, 1.1), ..bone });
    let mut run = Run::new(&skeleton);
    for _ in 0..300 {
        run.frame(&springs, 1.0 / 60.0);
        let mut place = DVec3::ZERO;
        for (end, _) in run.ends() {
            assert!(end.distance(place) / 0.2 < 1.1 + 1e-3, "{}", end.distance(place));
            place = end;
        }
    }
    assert!((run.tip().y - 0.66).abs() < 1e-4, "{}", run.tip());
    // A rigid bone that must be longer is.
    let rigid = springs.each(|bone| Bone { stretch: 0.0, lengths: Range::new(1.05, 2.0), ..bone });
    let mut run = Run::new(&skeleton);
    run.run(&rigid, 60.0, 2.0);
    assert!((run.tip().y - 0.63).abs() < 1e-6, "{}", run.tip());
}

/// Two strands side by side, tied across: a strip of cloth.
#[test]
fn links_hold_a_strip_together() {
    let mut builder = SkeletonBuilder::new();
    let root = builder.add(JointSpec::named("root"));
    for side in [-0.1, 0.1] {
        let mut parent = builder.add(JointSpec::named(format!("{side}_0")).child_of(root).translation(DVec3::X * side));
        for i in 1..=5 {
            parent =
                builder.add(JointSpec::named(format!("{side}_{i}")).child_of(parent).translation(DVec3::NEG_Y * 0.1));
        }
    }
    let skeleton = builder.build().unwrap();
    let strand = |side: &str| {
        let [base, tip] = [0, 5].map(|i| skeleton.joint(&format!("{side}_{i}")).unwrap());
        Springs::chain(&skeleton, base, tip).unwrap().bones
    };
    let bones: Vec<Bone> = strand("-0.1").into_iter().chain(strand("0.1")).collect();
    let gravity = DVec3::NEG_Y * GRAVITY;
    let links: Vec<Link> = (0..5).map(|i| Link::new(i, i + 5)).collect();
    // One strand is blown aside, the other is not.
    let gust = |bones: &[Bone]| -> Vec<Bone> {
        bones
            .iter()
            .enumerate()
            .map(|(i, bone)| Bone { drag: 0.5, pull: DVec3::X * if i < 5 { 8.0 } else { 0.0 }, ..*bone })
            .collect()
    };
    let tied = Springs { bones: gust(&bones), links, gravity, ..Springs::default() };
    let distances = |springs: &Springs| {
        let mut run = Run::new(&skeleton);
        let mut range = (f64::INFINITY, 0.0_f64);
        for _ in 0..300 {
            run.frame(springs, 1.0 / 60.0);
            let place = |bone: usize| run.state.particles().find(|end| end.bone == bone).unwrap().position;
            for i in 0..5 {
                let distance = place(i).distance(place(i + 5));
                range = (range.0.min(distance), range.1.max(distance));
            }
        }
        range
    };
    let (least, most) = distances(&tied);
    assert!((least - 0.2).abs() < 2e-4 && (most - 0.2).abs() < 2e-4, "{least} {most}");
    let (least, _) = distances(&Springs { links: vec![], ..tied.clone() });
    assert!(least < 0.15, "untied, they do not come near: {least}");
    // A rope's length is one that may be shorter, not longer.
    let rope = |link: &Link| Link { compliance: f64::INFINITY, lengths: Range::new(0.0, 1.0), ..*link };
    let roped = Springs { links: tied.links.iter().map(rope).collect(), ..tied };
    let (least, most) = distances(&roped);
    assert!(least < 0.199 && most < 0.2 + 2e-4, "{least} {most}");
}

/// Both ends held, as a rope bridge: it hangs in a catenary of bones.
#[test]
fn an_anchored_end_stays() {
    let (skeleton, mut springs) = chain(10, 0.12);
    springs.gravity = DVec3::NEG_Y * GRAVITY;
    springs = springs.each(|bone| Bone { drag: 3.0, ..bone });
    springs.bones[9].anchored = true;
    let mut run = Run::new(&skeleton);
    // The pose given bends the chain to a span of 0.9; only its two ends count.
    let far = DVec3::new(0.9, 0.0, 0.0);
    for _ in 0..900 {
        run.moved(&springs, 1.0 / 60.0, |pose| {
            let angle = (0.9_f64 / 1.2).acos();
            let mut edit = pose.edit(&skeleton);
            edit.rotation(joint(&skeleton, 0), sinew::Rotation::about(DVec3::Z, angle - FRAC_PI_2));
            edit.rotation(joint(&skeleton, 5), sinew::Rotation::about(DVec3::Z, -2.0 * angle));
        });
    }
    assert!(run.tip().distance(far) < 1e-6, "{}", run.tip());
    let places: Vec<DVec3> = (0..=10).map(|i| run.pose.position(joint(&skeleton, i))).collect();
    // Statics: the horizontal pull is the same in every bone, the vertical one grows by a weight.
    let slopes: Vec<f64> = places.windows(2).map(|pair| (pair[1] - pair[0]).y / (pair[1] - pair[0]).x).collect();
    for pair in slopes.windows(3) {
        assert!(((pair[2] - pair[1]) / (pair[1] - pair[0]) - 1.0).abs() < 1e-3, "{slopes:?}");
    }
    assert!(places[5].y < -0.2 && slopes[0] < 0.0);
}
