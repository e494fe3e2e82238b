//! The inverse rig: solve(goals(pose)) gives the pose back, on random limbs whose joints have any axes, from any start.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use sinew::glam::{DAffine3, DQuat, DVec3};
use sinew::{
    Aim, Goal, Joint, JointSpec, Mass, Orient, Pole, Pose, Rotation, ScaleTarget, Skeleton, SkeletonBuilder, Solver,
    Status, ThreeLink, Transform, TwoBone, Workspace,
};

const CLOSE: f64 = 1e-9;
/// At full reach the bend is the root of rounding.
const STRAIGHT: f64 = 1e-6;

fn unit(random: &mut fastrand::Rng) -> DVec3 {
    loop {
        let v = DVec3::new(random.f64() - 0.5, random.f64() - 0.5, random.f64() - 0.5);
        if v.length() > 0.1 {
            return v.normalize();
        }
    }
}

fn turn(random: &mut fastrand::Rng) -> DQuat {
    DQuat::from_axis_angle(unit(random), 6.0 * random.f64())
}

/// A limb of bones that lie in one plane at rest, each joint's axes its own, on a base that is turned, scaled and maybe
/// mirrored. With the fold axis in each joint's frame.
struct Limb {
    skeleton: Skeleton,
    joints: Vec<Joint>,
    folds: Vec<DVec3>,
}

fn limb(random: &mut fastrand::Rng, bones: usize) -> Limb {
    let mut scale = DVec3::splat(0.1 + 2.0 * random.f64());
    scale.x *= if random.bool() { -1.0 } else { 1.0 };
    let base = DAffine3::from_scale_rotation_translation(scale, turn(random), unit(random));
    let normal = unit(random);
    let mut along = normal.any_orthonormal_vector();
    let mut frames = vec![(unit(random), turn(random))];
    let mut size = 0.2 + random.f64();
    for _ in 0..bones {
        let at = frames.last().unwrap().0 + along * size;
        frames.push((at, turn(random)));
        along = DQuat::from_axis_angle(normal, 0.3 + random.f64()) * along;
        size *= 0.7 + 0.6 * random.f64();
    }
    let mut builder = SkeletonBuilder::new();
    let mut above = DAffine3::IDENTITY;
    for (index, &(at, turn)) in frames.iter().enumerate() {
        let own = DAffine3::from_rotation_translation(turn, at);
        let (_, rotation, translation) = (above.inverse() * own).to_scale_rotation_translation();
        let rest = Transform { translation, rotation: Rotation::from(rotation).quaternion(), scale: DVec3::ONE };
        let mass = Mass { mass: 1.0 + index as f64, center: DVec3::splat(0.05) };
        let spec = JointSpec { rest, mass, ..JointSpec::named(format!("j{index}")) };
        builder.add(if index == 0 { JointSpec { base, ..spec } } else { spec.child_of(index - 1) });
        above = own;
    }
    let skeleton = builder.build().unwrap();
    let joints = skeleton.iter().collect();
    let folds = frames.iter().map(|frame| frame.1.conjugate() * normal).collect();
    Limb { skeleton, joints, folds }
}

impl Limb {
    /// The root and the tip turned anyhow, the joints between folded about the plane's normal by up to so much more.
    fn pose(&self, random: &mut fastrand::Rng, folded: f64) -> Pose {
        let mut pose = self.skeleton.rest_pose();
        let mut edit = pose.edit(&self.skeleton);
        for (index, (&joint, &fold)) in self.joints.iter().zip(&self.folds).enumerate() {
            let by = if index == 0 || index == self.joints.len() - 1 {
                turn(random)
            } else {
                DQuat::from_axis_angle(fold, folded * (random.f64() - 0.15))
            };
            edit.rotation(joint, self.skeleton.rest(joint).rotation * by);
        }
        drop(edit);
        pose
    }

    fn assert_back(&self, solver: &dyn Solver, goals: &[Goal], start: &Pose, wanted: &Pose) {
        self.assert_near(solver, goals, start, wanted, CLOSE);
    }

    fn assert_near(&self, solver: &dyn Solver, goals: &[Goal], start: &Pose, wanted: &Pose, close: f64) {
        let (mut pose, mut work) = (start.clone(), Workspace::default());
        let outcome = solver.solve(&self.skeleton, goals, &mut pose, &mut work);
        assert_eq!(outcome.status, Status::Reached, "{outcome:?}");
        let apart = pose.difference(wanted);
        let size = self.joints.iter().map(|&joint| wanted.position(joint).length()).fold(1.0, f64::max);
        assert!(apart.distance < close * size && apart.angle < close.max(1e-7), "{apart:?}, {goals:?}");
        // The angle of a difference is the arc sine's root of rounding; the model transforms are sharper.
        for &joint in &self.joints {
            assert!(pose.model(joint).matrix3.abs_diff_eq(wanted.model(joint).matrix3, 3.0 * close), "{joint:?}");
        }
    }
}

#[test]
fn two_bones_come_back() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..500 {
        let limb = limb(&mut random, 2);
        let [root, mid, tip] = limb.joints[..] else { panic!() };
        let pole_angle = if random.bool() { 0.0 } else { random.f64() - 0.5 };
        let solver = TwoBone { pole_angle, ..TwoBone::new(&limb.skeleton, root, mid, tip).unwrap() };
        let pose = limb.pose(&mut random, 1.0);
        let other = limb.pose(&mut random, 1.0);
        let goals = [solver.goal_of(&limb.skeleton, &pose)];
        for start in [&limb.skeleton.rest_pose(), &other, &pose] {
            limb.assert_back(&solver, &goals, start, &pose);
        }
    }
}

/// A limb straightened by a target out of reach has no bend to be seen, but comes back all the same.
#[test]
fn straight_limbs_come_back() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..200 {
        let limb = limb(&mut random, 2);
        let [root, mid, tip] = limb.joints[..] else { panic!() };
        let solver = TwoBone::new(&limb.skeleton, root, mid, tip).unwrap();
        let (mut pose, mut work) = (limb.skeleton.rest_pose(), Workspace::default());
        let far =
            Goal::frame(tip, unit(&mut random) * 100.0, turn(&mut random)).pole(Pole::Direction(unit(&mut random)));
        let _ = solver.solve(&limb.skeleton, &[far], &mut pose, &mut work);
        let goals = [solver.goal_of(&limb.skeleton, &pose)];
        limb.assert_near(&solver, &goals, &limb.skeleton.rest_pose(), &pose, STRAIGHT);
    }
}

#[test]
fn three_links_come_back() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..500 {
        let limb = limb(&mut random, 3);
        let [root, mid, low, tip] = limb.joints[..] else { panic!() };
        let solver = ThreeLink::new(&limb.skeleton, root, mid, low, tip).unwrap();
        let (pose, other) = (limb.pose(&mut random, 0.6), limb.pose(&mut random, 0.6));
        let goals = solver.goals_of(&limb.skeleton, &pose);
        for start in [&limb.skeleton.rest_pose(), &other, &pose] {
            limb.assert_back(&solver, &goals, start, &pose);
        }
    }
}

#[test]
fn aims_rotations_and_scales_come_back() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..300 {
        let limb = limb(&mut random, 3);
        let (skeleton, rest) = (&limb.skeleton, limb.skeleton.rest_pose());
        let joint = limb.joints[random.usize(0..3)];
        let mut pose = rest.clone();
        pose.edit(skeleton).rotation(joint, turn(&mut random));
        let (axis, up) = (unit(&mut random), unit(&mut random));
        if axis.cross(up).length() < 0.2 {
            continue;
        }
        let aim = Aim { up_axis: Some(up), ..Aim::new(skeleton, joint).unwrap() };
        limb.assert_back(&aim, &[aim.goal_of(&pose, axis, 2.0).unwrap()], &rest, &pose);
        assert!(aim.goal_of(&pose, DVec3::ZERO, 1.0).is_none() && aim.goal_of(&pose, axis, f64::NAN).is_none());
        let orient = Orient { joint };
        limb.assert_back(&orient, &[orient.goal_of(skeleton, &pose)], &rest, &pose);
        let mut grown = rest.clone();
        let mut edit = grown.edit(skeleton);
        for &joint in &limb.joints {
            edit.scale(joint, DVec3::new(0.5 + random.f64(), 0.5 + random.f64(), 0.5 + random.f64()));
        }
        drop(edit);
        let goals: Vec<Goal> = ScaleTarget::goals_of(skeleton, &grown, limb.joints.clone()).collect();
        limb.assert_back(&ScaleTarget::default(), &goals, &rest, &grown);
    }
}

/// Every kind of target, measured from the model or from another joint, with and without an offset: the pose that told it
/// meets it, so that nothing moves and nothing is left.
#[test]
fn targets_told_by_a_pose_are_met_by_it() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..300 {
        let limb = limb(&mut random, 3);
        let pose = limb.pose(&mut random, 1.0);
        let tip = limb.joints[3];
        let (v, w, q) = (unit(&mut random), unit(&mut random), turn(&mut random));
        let kinds = [
            Goal::position(tip, v),
            Goal::rotation(tip, q),
            Goal::frame(tip, v, q),
            Goal::aim(tip, w, v * 3.0),
            Goal::axis(tip, w, v * 0.3),
            Goal::center_of_mass(limb.joints[1], v),
        ];
        for goal in kinds {
            let goal = if random.bool() { goal.relative_to(limb.joints[0]) } else { goal };
            let goal = if random.bool() { goal.offset(unit(&mut random) * 0.2) } else { goal };
            let met = goal.met_by(&limb.skeleton, &pose);
            let left = sinew::Residual::measured(&met, &pose, Status::Reached);
            assert!(left.position_error() < 1e-12 && left.rotation_error() < 1e-7, "{goal:?} {left:?}");
            assert_ne!(met.target, goal.target);
            let again = met.met_by(&limb.skeleton, &pose);
            let same = |a: DVec3, b: DVec3| a.distance(b) < 1e-9;
            match (met.target, again.target, goal.target) {
                (
                    sinew::Target::Aim { point: a, .. },
                    sinew::Target::Aim { point: b, .. },
                    sinew::Target::Aim { point: old, .. },
                ) => {
                    let map = met.relative_to.map_or(DAffine3::IDENTITY, |joint| *pose.model(joint));
                    let muzzle = pose.model(tip).transform_point3(met.offset);
                    let far = |point: DVec3| map.transform_point3(point).distance(muzzle);
                    assert!(same(a, b) && (far(a) - far(old)).abs() < 1e-9);
                }
                (sinew::Target::Axis { direction: a, .. }, sinew::Target::Axis { direction: b, .. }, _)
                | (sinew::Target::CenterOfMass(a), sinew::Target::CenterOfMass(b), _) => assert!(same(a, b)),
                _ => {}
            }
        }
    }
}

/// What a pose cannot tell stays as it was.
#[test]
fn what_cannot_be_told_stays() {
    let limb = limb(&mut fastrand::Rng::with_seed(6), 2);
    let mut pose = limb.skeleton.rest_pose();
    pose.edit(&limb.skeleton).scale(limb.joints[0], DVec3::ZERO);
    let goal = Goal::frame(limb.joints[2], DVec3::X, DQuat::IDENTITY).relative_to(limb.joints[0]);
    assert_eq!(goal.met_by(&limb.skeleton, &pose), goal);
    let aim = Goal::aim(limb.joints[2], DVec3::ZERO, DVec3::X);
    assert_eq!(aim.met_by(&limb.skeleton, &limb.skeleton.rest_pose()), aim);
    let massless = Skeleton::from_lengths(&[1.0]).unwrap();
    let heavy = Goal::center_of_mass(massless.at(0).unwrap(), DVec3::X);
    assert_eq!(heavy.met_by(&massless, &massless.rest_pose()), heavy);
}
