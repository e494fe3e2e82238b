//! Clips are what they say: sampled, cut, blended, mirrored, on the spot and back, and measured against formulas.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Joint, JointSpec, Pose, Rotation, Skeleton, SkeletonBuilder};
use sinew_motion::{Clip, ClipError, Mirror, Partners, Transfer, carry};

const JOINTS: [(&str, &str, [f64; 3]); 11] = [
    ("spine", "hips", [0.0, 0.3, 0.02]),
    ("head", "spine", [0.0, 0.4, 0.0]),
    ("arm.L", "spine", [0.2, 0.25, 0.0]),
    ("fore.L", "arm.L", [0.3, 0.0, -0.02]),
    ("hand.L", "fore.L", [0.25, 0.0, 0.02]),
    ("arm.R", "spine", [-0.2, 0.25, 0.0]),
    ("fore.R", "arm.R", [-0.3, 0.0, -0.02]),
    ("hand.R", "fore.R", [-0.25, 0.0, 0.02]),
    ("leg.L", "hips", [0.1, -0.05, 0.0]),
    ("leg.R", "hips", [-0.1, -0.05, 0.0]),
    ("tail", "hips", [0.0, 0.1, -0.2]),
];

fn turn(random: &mut fastrand::Rng) -> DQuat {
    let mut part = || random.f64() - 0.5;
    DQuat::from_xyzw(part(), part(), part(), part()).normalize()
}

/// A body that is symmetric in model space, whatever its joints' own axes, on a base that is turned and scaled.
fn body(random: &mut fastrand::Rng) -> Skeleton {
    body_of(random, 1.0)
}

fn body_of(random: &mut fastrand::Rng, size: f64) -> Skeleton {
    let base = DAffine3::from_scale_rotation_translation(DVec3::splat(0.5), turn(random), DVec3::new(0.0, 0.3, 0.7));
    let mut frames = vec![("hips", DVec3::new(0.0, size, 0.0), turn(random))];
    for (name, parent, way) in JOINTS {
        let above = frames.iter().find(|frame| frame.0 == parent).unwrap().1;
        frames.push((name, above + DVec3::from_array(way) * size, turn(random)));
    }
    let frame = |name: &str| {
        let (_, at, turn) = *frames.iter().find(|frame| frame.0 == name).unwrap();
        DAffine3::from_rotation_translation(turn, at)
    };
    let mut builder = SkeletonBuilder::new();
    let local = |above: DAffine3, own: DAffine3| {
        let (_, rotation, translation) = (above.inverse() * own).to_scale_rotation_translation();
        sinew::Transform { translation, rotation: Rotation::from(rotation).quaternion(), scale: DVec3::ONE }
    };
    let hips = local(base, frame("hips"));
    builder.add(JointSpec { base, rest: hips, ..JointSpec::named("hips") });
    // The base's scale goes down to all.
    for (name, parent, _) in JOINTS {
        let rest = local(frame(parent), frame(name));
        let rest = sinew::Transform { translation: rest.translation / 0.5, ..rest };
        builder.add(JointSpec { rest, ..JointSpec::named(name).child_of(parent) });
    }
    builder.build().unwrap()
}

fn pose(random: &mut fastrand::Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = skeleton.rest_pose();
    let mut edit = pose.edit(skeleton);
    for joint in skeleton.iter() {
        let rest = skeleton.rest(joint);
        edit.rotation(joint, rest.rotation * turn(random));
        if skeleton.parent(joint).is_none() {
            let mut part = || random.f64() - 0.5;
            edit.translation(joint, rest.translation + DVec3::new(part(), part(), part()));
        }
    }
    drop(edit);
    pose
}

fn clip(random: &mut fastrand::Rng, skeleton: &Skeleton, poses: usize) -> Clip {
    let mut time = random.f64();
    let mut later = |random: &mut fastrand::Rng| {
        time += 0.05 + random.f64();
        time
    };
    let times = (0..poses).map(|_| later(random)).collect();
    let poses = (0..poses).map(|_| pose(random, skeleton)).collect();
    Clip::new(skeleton, times, poses).unwrap()
}

fn pairs(skeleton: &Skeleton) -> Vec<(Joint, Joint)> {
    let left = ["arm.L", "fore.L", "hand.L", "leg.L"];
    left.map(|name| (skeleton.joint(name).unwrap(), skeleton.joint(&name.replace(".L", ".R")).unwrap())).to_vec()
}

fn near(a: &Pose, b: &Pose) -> bool {
    let apart = a.difference(b);
    apart.distance < 1e-12 && apart.angle < 1e-7
}

#[test]
fn a_clip_is_its_poses_at_their_times_and_between() {
    let mut random = fastrand::Rng::with_seed(1);
    let skeleton = body(&mut random);
    let clip = clip(&mut random, &skeleton, 5);
    let at = |time: f64| {
        let mut pose = skeleton.rest_pose();
        clip.pose(&skeleton, time, &mut pose);
        pose
    };
    for (time, pose) in clip.times().iter().zip(clip.poses()) {
        assert_eq!(at(*time), *pose);
    }
    assert_eq!(at(f64::NEG_INFINITY), clip.poses()[0]);
    assert_eq!(at(1e9), clip.poses()[4]);
    let middle = at(0.5 * (clip.times()[1] + clip.times()[2]));
    let (a, b) = (&clip.poses()[1], &clip.poses()[2]);
    for joint in skeleton.iter() {
        let [from, to] = [middle.joint_difference(a, joint), middle.joint_difference(b, joint)].map(|d| d.angle);
        assert!((from - to).abs() < 1e-9 && (from + to - a.joint_difference(b, joint).angle).abs() < 1e-9);
    }
}

#[test]
fn clips_are_cut_and_counted_out_anew() {
    let mut random = fastrand::Rng::with_seed(2);
    let skeleton = body(&mut random);
    let clip = clip(&mut random, &skeleton, 6);
    let cut = clip.trimmed(&skeleton, clip.times()[1] + 0.01, clip.times()[4]);
    assert_eq!((cut.len(), cut.start(), cut.end()), (4, clip.times()[1] + 0.01, clip.times()[4]));
    assert_eq!(cut.poses()[3], clip.poses()[4]);
    assert_eq!(clip.trimmed(&skeleton, 1e9, -1e9).len(), 1);
    let even = clip.resampled(&skeleton, 30.0).unwrap();
    assert!(even.times().windows(2).all(|pair| (pair[1] - pair[0] - 1.0 / 30.0).abs() < 1e-12));
    assert!(even.start() == clip.start() && clip.end() - even.end() < 1.0 / 30.0);
    let mut other = skeleton.rest_pose();
    clip.pose(&skeleton, even.times()[7], &mut other);
    assert_eq!(even.poses()[7], other);
    // A step that fits leaves nothing over, whatever the last bit of the quotient.
    let second = Clip::new(&skeleton, vec![0.1, 1.1], clip.poses()[..2].to_vec()).unwrap();
    let tenths = Clip::new(&skeleton, vec![0.1, 0.3], clip.poses()[..2].to_vec()).unwrap();
    assert_eq!(tenths.resampled(&skeleton, 30.0).unwrap().len(), 7);
    for rate in 1..=240u16 {
        assert_eq!(second.resampled(&skeleton, f64::from(rate)).unwrap().len(), usize::from(rate) + 1);
    }
    assert!(matches!(clip.resampled(&skeleton, 0.0), Err(ClipError::Rate { .. })));
    assert!(clip.resampled(&skeleton, f64::NAN).is_err());
}

#[test]
fn what_is_no_clip_is_refused() {
    let mut random = fastrand::Rng::with_seed(3);
    let skeleton = body(&mut random);
    let rest = || skeleton.rest_pose();
    let new = |times: &[f64], poses: Vec<Pose>| Clip::new(&skeleton, times.to_vec(), poses).unwrap_err();
    assert_eq!(new(&[], vec![]), ClipError::Empty);
    assert_eq!(new(&[0.0], vec![]), ClipError::Unpaired { times: 1, poses: 0 });
    assert_eq!(new(&[0.0, 0.0], vec![rest(), rest()]), ClipError::Time { index: 1, time: 0.0 });
    assert!(matches!(new(&[f64::NAN], vec![rest()]), ClipError::Time { index: 0, .. }));
    let other = Skeleton::from_lengths(&[1.0]).unwrap();
    assert_eq!(new(&[0.0, 1.0], vec![rest(), other.rest_pose()]), ClipError::OtherSkeleton { index: 1 });
}

#[test]
fn blending_leaves_what_has_no_share_and_follows_on_without_a_jump() {
    let mut random = fastrand::Rng::with_seed(4);
    let skeleton = body(&mut random);
    let (a, b) = (clip(&mut random, &skeleton, 8), clip(&mut random, &skeleton, 8));
    let blended = a.blended(&skeleton, &b, |time| if time < a.times()[4] { 0.0 } else { 1.0 });
    assert_eq!(blended.poses()[..4], a.poses()[..4]);
    let mut at = skeleton.rest_pose();
    b.pose(&skeleton, a.times()[6], &mut at);
    assert_eq!(blended.poses()[6], at);
    let (a, b) = (a.resampled(&skeleton, 100.0).unwrap(), b.resampled(&skeleton, 100.0).unwrap());
    let both = a.then(&skeleton, &b, 0.5);
    assert!((both.length() - (a.length() + b.length() - 0.5)).abs() < 1e-9);
    assert_eq!(both.poses().last(), b.poses().last());
    let hand = skeleton.joint("hand.L").unwrap();
    let speed = |clip: &Clip| clip.positions(hand).derivative(1).peak().1;
    assert!(speed(&both) < 3.0 * speed(&a).max(speed(&b)), "{} {} {}", speed(&both), speed(&a), speed(&b));
    assert_eq!(a.then(&skeleton, &b, 0.0).len(), a.len() + b.len() - 1);
}

/// In model space every joint is where the plane shows its partner, and twice mirrored is what was.
#[test]
fn mirrored_poses_are_what_a_mirror_shows() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..50 {
        let skeleton = body(&mut random);
        let mirror = Mirror::new(&skeleton, DVec3::X * 3.0, &pairs(&skeleton)).unwrap();
        let pose = pose(&mut random, &skeleton);
        let (mut image, mut again) = (skeleton.rest_pose(), skeleton.rest_pose());
        mirror.pose(&skeleton, &pose, &mut image);
        mirror.pose(&skeleton, &image, &mut again);
        assert!(near(&again, &pose));
        for joint in skeleton.iter() {
            let name = skeleton.name(joint).unwrap();
            let partner = name.replace(".L", ".r").replace(".R", ".L").replace(".r", ".R");
            let shown = pose.position(skeleton.joint(&partner).unwrap()) * DVec3::new(-1.0, 1.0, 1.0);
            assert!(image.position(joint).distance(shown) < 1e-12, "{name}: {} {shown}", image.position(joint));
        }
        mirror.pose(&skeleton, &skeleton.rest_pose(), &mut image);
        assert_eq!(image, skeleton.rest_pose());
    }
    let skeleton = body(&mut random);
    assert!(Mirror::new(&skeleton, DVec3::ZERO, &[]).is_none());
    let clip = clip(&mut random, &skeleton, 3);
    let mirror = Mirror::new(&skeleton, DVec3::X, &pairs(&skeleton)).unwrap();
    let twice = clip.mirrored(&skeleton, &mirror).mirrored(&skeleton, &mirror);
    assert!(twice.poses().iter().zip(clip.poses()).all(|(a, b)| near(a, b)));
}

/// A walk in a circle, the hips upright: on the spot they keep place and heading, and the way put back is the walk.
#[test]
fn what_travels_comes_apart_and_together() {
    let mut random = fastrand::Rng::with_seed(6);
    let skeleton = body(&mut random);
    let (hips, head) = (skeleton.joint("hips").unwrap(), skeleton.joint("head").unwrap());
    let around = |time: f64| {
        let turn = DQuat::from_rotation_y(time);
        DAffine3::from_rotation_translation(turn, turn * DVec3::X * 2.0 - DVec3::X * 2.0)
    };
    let times: Vec<f64> = (0..100).map(|frame| f64::from(frame) * 0.1).collect();
    let standing = pose(&mut random, &skeleton);
    let walk = Clip::sampled(&skeleton, times, |time, pose| {
        pose.clone_from(&standing);
        carry(&skeleton, pose, &around(time));
        let up = pose.local(hips).translation;
        pose.edit(&skeleton).rotation(head, DQuat::from_rotation_x(time.sin())).translation(hips, up);
    })
    .unwrap();
    let (spot, travel) = walk.on_the_spot(&skeleton, hips, DVec3::Y * 2.0);
    for (pose, place) in spot.poses().iter().zip(travel.displacements()) {
        assert!(pose.position(hips).distance(standing.position(hips)) < 1e-12);
        assert!(pose.rotation(hips).dot(standing.rotation(hips)).abs() > 1.0 - 1e-12);
        assert!(place.offset.y.abs() < 1e-12);
    }
    let last = travel.displacements()[99];
    assert!((last.heading - 9.9).abs() < 1e-9, "whole turns count: {}", last.heading);
    let back = spot.travelling(&skeleton, &travel);
    assert!(back.poses().iter().zip(walk.poses()).all(|(a, b)| near(a, b)));
    // A body at another height that leans keeps both.
    let free = clip(&mut random, &skeleton, 20);
    let (spot, travel) = free.on_the_spot(&skeleton, hips, DVec3::Y);
    for (on, off) in spot.poses().iter().zip(free.poses()) {
        assert!((on.position(hips).y - off.position(hips).y).abs() < 1e-12);
        let lean = |pose: &Pose| (pose.rotation(hips) * DVec3::Y).y;
        assert!((lean(on) - lean(off)).abs() < 1e-12);
    }
    let back = spot.travelling(&skeleton, &travel);
    assert!(back.poses().iter().zip(free.poses()).all(|(a, b)| near(a, b)));
    let (same, none) = free.on_the_spot(&skeleton, hips, DVec3::ZERO);
    assert!(same == free && none.displacements().iter().all(|moved| *moved == sinew_motion::Displacement::default()));
}

/// A joint on a cubic in time has the derivatives of the cubic, at uneven times; one that turns evenly, its speed.
#[test]
fn speeds_are_those_of_the_formula() {
    let skeleton = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let [root, tip] = skeleton.joints(["joint_0", "joint_2"]).unwrap();
    let [a, b, c, d] = [DVec3::X, DVec3::new(0.2, -1.0, 0.4), DVec3::new(3.0, 1.0, -2.0), DVec3::new(-0.5, 0.7, 0.9)];
    let times: Vec<f64> = [0.0, 0.1, 0.25, 0.3, 0.55, 0.6, 0.9].to_vec();
    let moved = Clip::sampled(&skeleton, times.clone(), |t, pose| {
        pose.edit(&skeleton).translation(root, a + b * t + c * (t * t) + d * (t * t * t));
    })
    .unwrap();
    let way = moved.positions(tip);
    assert_eq!((way.values().len(), way.derivative(2).values().len(), way.derivative(7).values().len()), (7, 5, 0));
    assert!(way.derivative(3).values().iter().all(|jerk| jerk.distance(d * 6.0) < 1e-9));
    let parabola = Clip::sampled(&skeleton, times.clone(), |t, pose| {
        pose.edit(&skeleton).translation(root, b * t + c * (t * t));
    })
    .unwrap();
    let speed = parabola.positions(root).derivative(1);
    for (t, v) in speed.times().iter().zip(speed.values()) {
        assert!(v.distance(b + c * (2.0 * t)) < 1e-12);
    }
    let spun = Clip::sampled(&skeleton, times, |t, pose| {
        pose.edit(&skeleton).rotation(root, Rotation::about(DVec3::Z, 3.0 * t * t));
    })
    .unwrap();
    let turning = spun.turning(tip);
    for (t, w) in turning.times().iter().zip(turning.values()) {
        assert!(w.distance(DVec3::Z * (6.0 * t)) < 1e-9, "{w} at {t}");
    }
    assert!(turning.derivative(1).values().iter().all(|w| w.distance(DVec3::Z * 6.0) < 1e-9));
    assert_eq!(spun.bending(tip).peak().1, 0.0);
    assert_eq!(turning.peak().0, 0.75);
}

/// A body of the same shape, twice as large, with other axes in all its joints, goes the same way twice as large.
#[test]
fn clips_go_over_to_namesakes() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..30 {
        let (from, to) = (body_of(&mut random, 1.0), body_of(&mut random, 2.0));
        let clip = clip(&mut random, &from, 4);
        let transfer = Transfer::by_name(&from, &to).unwrap();
        assert!((transfer.scale() - 2.0).abs() < 1e-12 && transfer.len() == from.len());
        let other = clip.transferred(&from, &to, &transfer);
        assert_eq!(other.times(), clip.times());
        for (a, b) in clip.poses().iter().zip(other.poses()) {
            for joint in from.iter() {
                let name = from.name(joint).unwrap();
                let (was, is) = (a.position(joint), b.position(to.joint(name).unwrap()));
                assert!((was * 2.0).distance(is) < 1e-11, "{name}: {was} {is}");
            }
        }
        let back = other.transferred(&to, &from, &Transfer::by_name(&to, &from).unwrap());
        assert!(back.poses().iter().zip(clip.poses()).all(|(a, b)| near(a, b)));
    }
    assert!(Transfer::by_name(&body(&mut random), &Skeleton::from_lengths(&[1.0]).unwrap()).is_none());
}

/// The same body, resting with its limbs bent elsewhere, in a world that lies: what goes over is where bones point.
#[test]
fn clips_go_over_to_bodies_that_rest_otherwise() {
    let standing = body_of(&mut fastrand::Rng::with_seed(3), 1.0);
    let mut rest = standing.rest_pose();
    let inner = |joint: &Joint| standing.children(*joint).count() == 1 && standing.parent(*joint).is_some();
    let is_last = |joint: Joint| standing.children(joint).all(|child| standing.children(child).next().is_none());
    for joint in standing.iter().filter(inner).filter(|&joint| !is_last(joint)).collect::<Vec<_>>() {
        let child = standing.children(joint).next().unwrap();
        let axis = standing.rest(child).translation.any_orthogonal_vector();
        let turned = rest.local(joint).rotation * Rotation::about(axis, 0.8).quaternion();
        rest.edit(&standing).rotation(joint, turned);
    }
    let bent = standing.revised(|joint, spec| spec.rest = *rest.local(joint)).unwrap();
    let lay = DQuat::from_rotation_x(-1.5) * DQuat::from_rotation_y(0.7);
    let lying = standing.revised(|_, spec| spec.base = DAffine3::from_quat(lay) * spec.base).unwrap();
    let clip = clip(&mut fastrand::Rng::with_seed(5), &standing, 4);
    let laid = Clip::sampled(&lying, clip.times().to_vec(), |time, pose| {
        let given = &clip.poses()[clip.times().iter().position(|&key| key == time).unwrap()];
        for joint in standing.iter() {
            pose.edit(&lying).local(lying.at(joint.index()).unwrap(), *given.local(joint));
        }
    });
    let laid = laid.unwrap();
    let partners = |joint: Joint| Partners { from: joint, to: bent.at(joint.index()).unwrap(), align: true };
    let pairs: Vec<_> = lying.iter().map(partners).collect();
    let transfer = Transfer::new(&lying, &bent, &pairs, lay.conjugate()).unwrap();
    assert!(!transfer.unlike().is_empty() && (transfer.scale() - 1.0).abs() < 1e-9);
    let moved = laid.transferred(&lying, &bent, &transfer);
    for (a, b) in clip.poses().iter().zip(moved.poses()) {
        for joint in standing.iter() {
            let (was, is) = (a.position(joint), b.position(bent.at(joint.index()).unwrap()));
            assert!(was.distance(is) < 1e-9, "{joint:?}: {was} {is}");
        }
    }
    let longer = laid.transferred(&lying, &bent, &transfer.scaled(3.0));
    let way = |clip: &Clip, joint: Joint| clip.poses()[1].position(joint) - clip.poses()[0].position(joint);
    let [root, other] = [&standing, &bent].map(|skeleton| skeleton.roots().next().unwrap());
    assert!((way(&longer, other) - way(&clip, root) * 3.0).length() < 1e-9);
}

/// Joints that the other skeleton has not: the next below it takes over their turn.
#[test]
fn turns_of_joints_without_a_partner_are_not_lost() {
    let names =
        |skeleton: &Skeleton| skeleton.revised(|joint, spec| spec.name = Some(format!("j{}", joint.index()))).unwrap();
    let from = names(&Skeleton::from_lengths(&[0.0, 1.0, 1.0]).unwrap());
    let to = Skeleton::from_lengths(&[1.0, 1.0]).unwrap();
    let to = to.revised(|joint, spec| spec.name = Some(format!("j{}", [0, 2, 3][joint.index()]))).unwrap();
    let clip = clip(&mut fastrand::Rng::with_seed(2), &from, 3);
    let moved = clip.transferred(&from, &to, &Transfer::by_name(&from, &to).unwrap());
    for (a, b) in clip.poses().iter().zip(moved.poses()) {
        let [from, to] = [("j3", "j2", a, &from), ("j3", "j2", b, &to)].map(|(tip, mid, pose, skeleton)| {
            pose.position(skeleton.joint(tip).unwrap()) - pose.position(skeleton.joint(mid).unwrap())
        });
        assert!(from.distance(to) < 1e-12, "{from} {to}");
    }
}

/// Legs beside the hips go over to legs below them.
#[test]
fn joints_that_hang_elsewhere_turn_as_much() {
    let body = |legs_below: &str| {
        let mut builder = SkeletonBuilder::new();
        builder.add(JointSpec::named("root").translation(DVec3::Y));
        builder.add(JointSpec::named("hips").child_of("root"));
        builder.add(JointSpec::named("spine").child_of("hips").translation(DVec3::Y));
        builder.add(JointSpec::named("leg").child_of(legs_below).translation(DVec3::X * 0.1));
        builder.add(JointSpec::named("foot").child_of("leg").translation(DVec3::NEG_Y));
        builder.build().unwrap()
    };
    let (from, to) = (body("root"), body("hips"));
    let clip = clip(&mut fastrand::Rng::with_seed(4), &from, 4);
    let names = ["hips", "spine", "leg", "foot"];
    let pairs = names.map(|name| (from.joint(name).unwrap(), to.joint(name).unwrap()));
    let partners = pairs.map(|(from, to)| Partners { from, to, align: false });
    let moved = clip.transferred(&from, &to, &Transfer::new(&from, &to, &partners, DQuat::IDENTITY).unwrap());
    for (a, b) in clip.poses().iter().zip(moved.poses()) {
        for (one, other) in pairs {
            let (was, is) = (a.rotation(one), b.rotation(other));
            assert!(was.dot(is).abs() > 1.0 - 1e-12, "{:?}: {was} {is}", from.name(one));
        }
    }
}
