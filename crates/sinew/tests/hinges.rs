//! A hinge of any axis inside a limb keeps axis and range: both branches are found, and where neither is
//! allowed the limb ends nearest and names the joint.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use fastrand::Rng;
use sinew::glam::{DQuat, DVec3};
use sinew::laws::rigs::{direction, rotation};
use sinew::{Auto, Goal, Joint, JointSpec, Kind, Pose, Skeleton, SkeletonBuilder, Solver, Status, TwoBone, Workspace};

struct Rig {
    skeleton: Skeleton,
    joints: [Joint; 3],
    axis: DVec3,
    range: (f64, f64),
}

/// Bones of random lengths and directions, a hinge whose axis may even lie along them.
fn rig(rng: &mut Rng, width: f64) -> Rig {
    let low = TAU * rng.f64() - PI;
    let (axis, range) = (direction(rng), (low, low + width));
    let mut builder = SkeletonBuilder::new();
    let mut bone = || direction(rng) * (0.2 + rng.f64());
    let (first, second) = (bone(), bone());
    builder.add(JointSpec::named("root").rotation(rotation(rng)));
    let mid = JointSpec::named("mid").child_of(0).translation(first).rotation(rotation(rng));
    builder.add(mid.kind(Kind::hinge(axis).within(range.0, range.1)));
    builder.add(JointSpec::named("tip").child_of(1).translation(second));
    let skeleton = builder.build().unwrap();
    let joints = skeleton.joints(["root", "mid", "tip"]).unwrap();
    Rig { skeleton, joints, axis, range }
}

impl Rig {
    /// Distance from root to tip at a value of the hinge: the tip goes round on a circle. Many are looked at, so what they share is
    /// found once.
    fn distances(&self) -> impl Fn(f64) -> f64 + use<> {
        let [_, mid, tip] = self.joints.map(|joint| *self.skeleton.rest(joint));
        let along = self.axis * self.axis.dot(tip.translation);
        let center = mid.translation + mid.rotation * along;
        let (x, y) = (mid.rotation * (tip.translation - along), mid.rotation * self.axis.cross(tip.translation));
        move |value| (center + x * value.cos() + y * value.sin()).length()
    }

    fn distance(&self, value: f64) -> f64 {
        self.distances()(value)
    }

    fn solve(&self, start: f64, target: DVec3) -> (Pose, Status, Vec<Joint>) {
        let [root, mid, tip] = self.joints;
        let mut pose = self.skeleton.rest_pose();
        pose.edit(&self.skeleton).coordinate(0, start);
        let mut work = Workspace::default();
        let solver = TwoBone::new(&self.skeleton, root, mid, tip).unwrap();
        let outcome = solver.solve(&self.skeleton, &[Goal::position(tip, target)], &mut pose, &mut work);
        (pose, outcome.status, work.blocking(0).collect())
    }

    /// The hinge's local rotation is its zero turned about its axis, by a value inside its range.
    fn assert_kept(&self, pose: &Pose) {
        let (mid, value) = (self.joints[1], pose.coordinates()[0]);
        let wanted = self.skeleton.rest(mid).rotation * DQuat::from_axis_angle(self.axis, value);
        assert!(pose.local(mid).rotation.dot(wanted).abs() > 1.0 - 1e-14);
        assert!(value >= self.range.0 && value <= self.range.1, "{value} in {:?}", self.range);
    }
}

#[test]
fn every_allowed_distance_is_reached_from_either_branch() {
    for seed in 0..crate::cases(3000) {
        let mut rng = Rng::with_seed(seed);
        let width = [0.3, 2.0, 6.0][rng.usize(0..3)];
        let rig = rig(&mut rng, width);
        let value = rig.range.0 + rng.f64() * width;
        let target = rig.skeleton.rest(rig.joints[0]).translation + direction(&mut rng) * rig.distance(value);
        let start = rig.range.0 + rng.f64() * width;
        let (pose, status, _) = rig.solve(start, target);
        let size = rig.distance(0.0).max(0.2);
        assert_eq!(status, Status::Reached, "seed {seed}");
        assert!(pose.position(rig.joints[2]).distance(target) < 1e-9 * size, "seed {seed}");
        rig.assert_kept(&pose);
        // Of the branches that are allowed the one nearer to the start: no allowed value of the same
        // distance lies strictly nearer.
        let steps = 4000;
        let value = |i: i32| rig.range.0 + width * f64::from(i) / f64::from(steps);
        let distance = rig.distances();
        let off = |v: f64| distance(v) - target.length();
        let crossings = (0..steps).filter(|&i| off(value(i)) * off(value(i + 1)) < 0.0).map(value);
        let nearest = crossings.map(|v| (v - start).abs()).fold(f64::INFINITY, f64::min);
        let turned = (pose.coordinates()[0] - start).abs();
        assert!(
            turned <= nearest + 2.0 * width / f64::from(steps),
            "seed {seed}: {turned}, {nearest}, {} {:?} d {}",
            pose.coordinates()[0],
            rig.range,
            target.length()
        );
    }
}

#[test]
fn forbidden_distances_end_nearest_and_name_the_hinge() {
    let mut limited = 0;
    for seed in 0..crate::cases(2000) {
        let mut rng = Rng::with_seed(seed);
        let rig = rig(&mut rng, 0.5);
        let distance = 2.4 * rng.f64();
        let (pose, status, blocking) = rig.solve(rig.range.0 + 0.2, direction(&mut rng) * distance);
        rig.assert_kept(&pose);
        let miss = (pose.position(rig.joints[2]).length() - distance).abs();
        let distances = rig.distances();
        let best = (0..=5000).map(|i| (distances(rig.range.0 + 1e-4 * f64::from(i)) - distance).abs());
        let best = best.fold(f64::INFINITY, f64::min);
        assert!(miss <= best + 1e-9, "seed {seed}: {miss}, by brute force {best}");
        if best > 1e-3 {
            let circle = (0..=6000).map(|i| distances(TAU * f64::from(i) / 6000.0));
            let (low, high) = circle.fold((f64::INFINITY, 0.0_f64), |(low, high), d| (low.min(d), high.max(d)));
            // Within what the triangle could do, it is the limit that stands in the way.
            if distance > low + 1e-3 && distance < high - 1e-3 {
                assert_eq!((status, &blocking[..]), (Status::Limited, &rig.joints[1..2]), "seed {seed}");
                limited += 1;
            } else {
                assert!(status > Status::Reached, "seed {seed}");
            }
        }
    }
    assert!(limited > crate::cases(2000) / 10, "{limited} cases only");
}

/// Both joints hinges about one axis, as in a mechanism or a sprite.
#[test]
fn two_parallel_hinges_solve_in_their_plane() {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("root").kind(Kind::hinge(DVec3::Z).within(-1.0, 2.0)));
    builder
        .add(JointSpec::named("mid").child_of(0).translation(DVec3::X).kind(Kind::hinge(DVec3::Z).within(-2.5, 2.5)));
    builder.add(JointSpec::named("tip").child_of(1).translation(DVec3::X * 0.8));
    let skeleton = builder.build().unwrap();
    let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).unwrap();
    let solver = TwoBone::new(&skeleton, root, mid, tip).unwrap();
    let mut rng = Rng::with_seed(1);
    for _ in 0..300 {
        let mut made = skeleton.rest_pose();
        made.edit(&skeleton).coordinate(0, 3.0 * rng.f64() - 1.0).coordinate(1, 5.0 * rng.f64() - 2.5);
        // In the plane it is reached; beside it what is left is the way to the plane.
        for beside in [0.0, 0.2] {
            let target = made.position(tip) + DVec3::Z * beside;
            let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
            let outcome = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut work);
            assert!((outcome.position_error - beside).abs() < 1e-7, "{beside}: {outcome:?}");
            assert!(pose.position(tip).z.abs() < 1e-12);
        }
    }
}

/// Two hinges of any axes and ranges against a fine grid of both angles.
#[test]
fn two_hinges_of_any_axes_end_nearest() {
    for seed in 0..60 {
        let mut rng = Rng::with_seed(seed);
        let mut builder = SkeletonBuilder::new();
        let mut hinge = || {
            let low = TAU * rng.f64() - PI;
            (direction(&mut rng), low, low + 0.5 + 3.0 * rng.f64())
        };
        let [one, two] = [hinge(), hinge()];
        let kind = |(axis, low, high): (DVec3, f64, f64)| Kind::hinge(axis).within(low, high);
        builder.add(JointSpec::named("root").rotation(rotation(&mut rng)).kind(kind(one)));
        builder.add(JointSpec::named("mid").child_of(0).translation(direction(&mut rng)).kind(kind(two)));
        builder.add(JointSpec::named("tip").child_of(1).translation(direction(&mut rng) * 0.8));
        let skeleton = builder.build().unwrap();
        let [root, mid, tip] = skeleton.joints(["root", "mid", "tip"]).unwrap();
        let target = direction(&mut rng) * 2.0 * rng.f64();
        let (mut pose, mut work) = (skeleton.neutral_pose(), Workspace::default());
        let solver = TwoBone::new(&skeleton, root, mid, tip).unwrap();
        let outcome = solver.solve(&skeleton, &[Goal::position(tip, target)], &mut pose, &mut work);
        let turn = |(axis, low, high): (DVec3, f64, f64), i: i32| {
            DQuat::from_axis_angle(axis, low + (high - low) * f64::from(i) / 300.0)
        };
        let [first, second, third] = [root, mid, tip].map(|joint| *skeleton.rest(joint));
        let mut best = f64::INFINITY;
        for j in 0..=300 {
            let folded = second.translation + second.rotation * turn(two, j) * third.translation;
            for i in 0..=300 {
                best = best.min((first.rotation * turn(one, i) * folded).distance(target));
            }
        }
        assert!(outcome.position_error <= best + 1e-9, "seed {seed}: {} against {best}", outcome.position_error);
        for (value, (_, low, high)) in pose.coordinates().iter().zip([one, two]) {
            assert!(*value >= low - 1e-12 && *value <= high + 1e-12, "seed {seed}");
        }
    }
}

/// A chain of five hinges that carries its answer along hardly ever turns a joint far for a small step of its target. A method that spreads
/// its joints where its steps creep does: with `Ccd` first 40 frames turned by more than ten degrees.
#[test]
fn carried_hinges_are_calm() {
    let mut builder = SkeletonBuilder::new();
    for place in 0..=5 {
        let axis = if place % 2 == 0 { DVec3::Y } else { DVec3::Z };
        let spec = JointSpec::default().kind(Kind::hinge(axis).within(-FRAC_PI_4, FRAC_PI_4));
        builder.add(if place > 0 { spec.child_of(place - 1).translation(DVec3::X * 0.1) } else { spec });
    }
    let skeleton = builder.build().expect("a chain");
    let tip = skeleton.at(5).expect("a tip");
    let mut rng = Rng::with_seed(1);
    let mut posed = |number: Option<f64>| {
        let mut pose = skeleton.rest_pose();
        for coordinate in 0..6 {
            let share = number.unwrap_or_else(|| rng.f64());
            pose.edit(&skeleton).coordinate(coordinate, FRAC_PI_4 * (2.0 * share - 1.0));
        }
        pose
    };
    let (mut turns, mut work) = (0, Workspace::default());
    for number in 0..48 {
        let (target, mut pose) = (posed(None).position(tip), posed(Some(0.6)));
        let way = [DVec3::X, DVec3::Y, DVec3::Z][number % 3];
        for frame in 0..60 {
            let before = pose.clone();
            let place = target + way * 0.05 * (0.05 * f64::from(frame)).sin();
            let _ = Auto::default().solve(&skeleton, &[Goal::position(tip, place)], &mut pose, &mut work);
            let turned = |joint| before.local(joint).rotation.angle_between(pose.local(joint).rotation);
            turns += u32::from(frame > 0 && skeleton.iter().any(|joint| turned(joint).to_degrees() > 10.0));
        }
    }
    assert!(turns <= 16, "{turns} of 2,832 frames turn a joint by more than ten degrees");
}
