//! A walker of two legs on grounds of many kinds.

mod aloft;
mod borne;
mod found;
mod knees;
mod moved;
mod planned;
mod risen;
mod stepped;
mod tilted;

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Goal, JointSpec, Pose, Skeleton, SkeletonBuilder, Solver, Target, TwoBone, Workspace};

use super::{Contacts, Feet, FeetSettings, FeetState, FeetStep, Leg};
use crate::ground::{Ground, GroundPoint, HeightField, Plane, Stairs};
use crate::{Clip, carry};

const ANKLE: f64 = 0.08;

fn walker() -> (Skeleton, Vec<Leg>) {
    let mut builder = SkeletonBuilder::new();
    builder.add(JointSpec::named("hips").translation([0.0, 0.94, 0.0]));
    let mut number = 1;
    for (side, x) in [("l", 0.1), ("r", -0.1)] {
        let at = [[x, 0.0, 0.0], [0.0, -0.43, 0.03], [0.0, -0.43, -0.03], [0.0, 0.02 - ANKLE, 0.15]];
        for (part, (name, place)) in ["hip", "knee", "ankle", "toe"].into_iter().zip(at).enumerate() {
            let parent = if part == 0 { 0 } else { number - 1 };
            builder.add(JointSpec::named(format!("{name}.{side}")).child_of(parent).translation(place));
            number += 1;
        }
    }
    let skeleton = builder.build().unwrap();
    let leg = |side: &str| {
        let joint = |name: &str| skeleton.joint(&format!("{name}.{side}")).unwrap();
        Leg { joints: ["hip", "knee", "ankle"].map(joint).to_vec(), toe: Some(joint("toe")), end: None, apart: None }
    };
    let legs = vec![leg("l"), leg("r")];
    (skeleton, legs)
}

/// The walker with toes that bend.
fn toed() -> (Skeleton, Vec<Leg>) {
    let (plain, legs) = walker();
    let mut builder = SkeletonBuilder::new();
    for joint in plain.iter() {
        let spec = JointSpec::named(plain.name(joint).unwrap()).translation(plain.rest(joint).translation);
        builder.add(match plain.parent(joint) {
            Some(parent) => spec.child_of(plain.name(parent).unwrap()),
            None => spec,
        });
    }
    for side in ["l", "r"] {
        builder.add(
            JointSpec::named(format!("end.{side}"))
                .child_of(format!("toe.{side}").as_str())
                .translation([0.0, 0.0, 0.08]),
        );
    }
    let skeleton = builder.build().unwrap();
    let named = |joint: sinew::Joint| skeleton.joint(plain.name(joint).unwrap()).unwrap();
    let with = |(leg, side): (&Leg, &str)| Leg {
        joints: leg.joints.iter().map(|&joint| named(joint)).collect(),
        toe: leg.toe.map(named),
        end: Some(skeleton.joint(&format!("end.{side}")).unwrap()),
        apart: None,
    };
    let legs = legs.iter().zip(["l", "r"]).map(with).collect();
    (skeleton, legs)
}

/// The walk with feet pitched up as they come down, by 0.35 rad about the ankle, flat a fifth of a second later.
fn pitched(skeleton: &Skeleton, clip: &Clip, legs: &[Leg]) -> Clip {
    let mut clip = clip.clone();
    let times = clip.times().to_vec();
    for (pose, time) in clip.poses_mut().iter_mut().zip(times) {
        for (number, leg) in legs.iter().enumerate() {
            let within = (time + 0.5 * number as f64).fract();
            let ahead = if within < 0.5 { within } else { 1.0 - within };
            let pitch = -0.35 * (1.0 - (ahead / 0.2).min(1.0)).powi(2);
            let own = pose.local(leg.joints[2]).rotation;
            pose.edit(skeleton).rotation(leg.joints[2], own * DQuat::from_rotation_x(pitch));
        }
    }
    clip
}

/// The walk up on the ball of its feet about where they lift, six tenths of a second into their cycle: turned about it by what `turn`
/// makes of a share that grows to one there.
fn on_the_ball(skeleton: &Skeleton, legs: &[Leg], feet: &Feet, turn: impl Fn(f64) -> DQuat) -> Clip {
    let mut clip = walk(skeleton, legs, 120.0, 0.0);
    let times = clip.times().to_vec();
    for (pose, time) in clip.poses_mut().iter_mut().zip(times) {
        for (number, leg) in legs.iter().enumerate() {
            let within = (time + 0.5 * number as f64).fract() - 0.6;
            let turn = turn((1.0 - (within / 0.3).powi(2)).max(0.0).powi(2));
            let ball = feet.soles(pose, number)[1];
            let [hip, knee, ankle] = [0, 1, 2].map(|part| leg.joints[part]);
            let mut goal = Goal::position(ankle, DVec3::ZERO);
            let position = ball + turn * (pose.position(ankle) - ball);
            goal.target = Target::Frame { position, rotation: turn * pose.rotation(ankle) };
            let limb = TwoBone::new(skeleton, hip, knee, ankle).unwrap();
            let _ = limb.solve(skeleton, &[goal], pose, &mut Workspace::default());
        }
    }
    clip
}

/// A walk along +Z on the floor: 1.1 m/s, feet still for six tenths of a second, then lifted ahead; `slide` metres a second while still.
fn walk(skeleton: &Skeleton, legs: &[Leg], rate: f64, slide: f64) -> Clip {
    let (speed, cycle, still) = (1.1, 1.0, 0.6);
    let limbs: Vec<TwoBone> =
        legs.iter().map(|leg| TwoBone::new(skeleton, leg.joints[0], leg.joints[1], leg.joints[2]).unwrap()).collect();
    let frames = (0..1000u32).map(|frame| f64::from(frame) / rate);
    let times = frames.take_while(|time| *time < 4.0).collect();
    Clip::sampled(skeleton, times, |time, pose| {
        carry(skeleton, pose, &DAffine3::from_translation(DVec3::new(0.0, -0.07, speed * time)));
        for (number, limb) in limbs.iter().enumerate() {
            let phase: f64 = time / cycle + 0.5 * number as f64;
            let (turn, within) = (phase.floor(), phase.fract() * cycle);
            let from = speed * cycle * (turn - 0.5 * number as f64) + 0.3 * speed;
            let swing = ((within - still) / (cycle - still)).max(0.0);
            let ease = swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing));
            let slid = slide * (within.min(still) - 0.3);
            let height = 1.6 * (swing * (1.0 - swing)).powi(2) * 1.2;
            let place =
                DVec3::new(0.1 - 0.2 * number as f64, ANKLE - 0.02 + height, from + speed * cycle * ease + slid);
            let mut goal = Goal::position(limb.tip, DVec3::ZERO);
            goal.target = Target::Frame { position: place, rotation: DQuat::IDENTITY };
            let _ = limb.solve(skeleton, &[goal], pose, &mut Workspace::default());
        }
    })
    .unwrap()
}

fn feet(skeleton: &Skeleton, legs: &[Leg]) -> Feet {
    let settings = FeetSettings::default();
    Feet::new(skeleton, legs, &skeleton.rest_pose(), None, settings).unwrap()
}

fn planted(skeleton: &Skeleton, feet: &Feet, clip: &Clip, ground: &dyn Ground) -> (Vec<Pose>, Contacts) {
    let contacts = Contacts::find(feet, clip);
    let mut after = clip.clone();
    feet.plant(skeleton, &mut after, &contacts, ground);
    (after.poses().to_vec(), contacts)
}

fn stepped(
    skeleton: &Skeleton,
    feet: &Feet,
    clip: &Clip,
    contacts: Option<&Contacts>,
    ground: &dyn Ground,
) -> Vec<Pose> {
    let mut state = FeetState::default();
    let (mut hints, mut poses) = (Vec::new(), clip.poses().to_vec());
    for (frame, pose) in poses.iter_mut().enumerate() {
        let dt = if frame == 0 { 0.0 } else { clip.times()[frame] - clip.times()[frame - 1] };
        if let Some(contacts) = contacts {
            contacts.hints(clip.times()[frame], &mut hints);
        }
        let step = FeetStep { dt, hints: &hints };
        feet.step(skeleton, pose, ground, step, &mut state);
    }
    poses
}

/// Deepest point of a sole, farthest height of a foot that touches, and its farthest slide from frame to frame (metres).
fn measure(feet: &Feet, clip: &Clip, poses: &[Pose], contacts: &Contacts, ground: &dyn Ground) -> [f64; 3] {
    let mut worst = [0.0f64; 3];
    for (frame, pose) in poses.iter().enumerate() {
        for foot in 0..feet.len() {
            let over = |sole: DVec3| sole.y - ground.below(sole + DVec3::Y, DVec3::Y).unwrap().position.y;
            let soles = feet.soles(pose, foot);
            let low = soles.into_iter().map(over).fold(f64::INFINITY, f64::min);
            worst[0] = worst[0].max(-low);
            let stands = |ago: usize| frame >= ago && contacts.touches(foot, clip.times()[frame - ago]);
            let both = stands(0) && stands(1);
            if !both {
                continue;
            }
            worst[1] = worst[1].max(low);
            let before = feet.soles(&poses[frame - 1], foot);
            // Heel or ball bears the foot.
            let slide = |sole: usize| (soles[sole] - before[sole]).reject_from_normalized(DVec3::Y).length();
            worst[2] = worst[2].max(slide(0).min(slide(1)));
        }
    }
    worst
}

#[test]
fn feet_stand_on_slopes_stairs_and_rough_ground() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 30.0, 0.0);
    let up = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.12, run: 0.35, steps: 6 };
    let down = Stairs { rise: -0.12, ..up };
    let rough = HeightField::rough(5, [40, 120], 0.25, 0.03, DVec3::new(-5.0, 0.0, -5.0));
    let slope = |z: f64| Plane::new(DVec3::ZERO, DVec3::new(0.1, 1.0, z));
    let grounds: [(&str, &dyn Ground); 6] = [
        ("flat", &slope(0.0)),
        ("uphill", &slope(-0.2)),
        ("downhill", &slope(0.2)),
        ("stairs up", &up),
        ("stairs down", &down),
        ("rough", &rough),
    ];
    for (name, ground) in grounds {
        let (poses, contacts) = planted(&skeleton, &feet, &clip, ground);
        let [deep, high, slide] = measure(&feet, &clip, &poses, &contacts, ground).map(|worst| worst * 1e3);
        assert!(deep < 5.0 && high < 5.0 && slide < 1.0, "{name}: {deep} deep, {high} high, {slide} slide");
    }
}

/// The walker with toes, whose feet come down with the heel first and lift it last, on stairs so long and high that the end is two legs
/// above the floor that the clip was made for.
#[test]
fn toes_keep_out_of_risers_on_long_stairs() {
    let (skeleton, legs) = toed();
    let feet = feet(&skeleton, &legs);
    let clip = pitched(&skeleton, &walk(&skeleton, &legs, 60.0, 0.0), &legs);
    let mut jumps = Vec::new();
    for shift in 0..7 {
        let start = DVec3::Z * (1.0 + 0.05 * f64::from(shift));
        let stairs = Stairs { start, along: DVec3::Z, up: DVec3::Y, rise: 0.16, run: 0.36, steps: 12 };
        let (poses, contacts) = planted(&skeleton, &feet, &clip, &stairs);
        let [deep, high, slide] = measure(&feet, &clip, &poses, &contacts, &stairs).map(|worst| worst * 1e3);
        let stands = |foot: usize, frame: usize| contacts.touches(foot, clip.times()[frame]);
        let ball = |foot: usize, frame: usize| feet.soles(&poses[frame], foot)[1].y;
        let both = |foot: usize| {
            (2..poses.len())
                .filter(move |&frame| (0..3).all(|ago| stands(foot, frame - ago)))
                .map(move |frame| (ball(foot, frame) - 2.0 * ball(foot, frame - 1) + ball(foot, frame - 2)).abs())
        };
        let jump = (0..2).flat_map(both).fold(0.0, f64::max) * 1e3;
        assert!(deep < 5.0 && high < 5.0 && slide < 1.0, "{start}: {deep} deep, {high} high, {slide} slide");
        jumps.push(jump);
    }
    let most = jumps.iter().copied().fold(0.0, f64::max);
    assert!(most < 3.0, "{jumps:?}");
}

/// A foot that dwells and hurries while it stands, as animators' walks on the spot have it, touches all the while.
#[test]
fn walks_on_the_spot_touch_while_they_are_on_the_floor() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let mut clip = walk(&skeleton, &legs, 30.0, 0.0);
    let times = clip.times().to_vec();
    // Back and forth by a sine, a cycle a stride: nearly still in the middle of each stand, quick at its ends.
    for (pose, time) in clip.poses_mut().iter_mut().zip(times) {
        let sway = 0.16 * (std::f64::consts::TAU * (time - 0.3) * 2.0).sin();
        carry(&skeleton, pose, &DAffine3::from_translation(DVec3::Z * sway));
    }
    let share = |contacts: &Contacts| {
        let of = contacts.of(0).iter().map(|contact| contact.until - contact.from);
        of.sum::<f64>() / clip.times()[clip.len() - 1]
    };
    let (by_speed, carried) =
        (share(&Contacts::find(&feet, &clip)), share(&Contacts::of_travelling(&feet, &clip, DVec3::Z * 2.6)));
    assert!(by_speed < 0.5 && (0.55..0.7).contains(&carried), "{by_speed} {carried}");
}

#[test]
fn feet_that_slide_are_held_and_keep_their_look() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 30.0, 0.06);
    let flat = Plane::new(DVec3::ZERO, DVec3::Y);
    let (poses, contacts) = planted(&skeleton, &feet, &clip, &flat);
    let before = measure(&feet, &clip, clip.poses(), &contacts, &flat)[2];
    let after = measure(&feet, &clip, &poses, &contacts, &flat)[2];
    assert!(before > 1.5e-3 && after < 1e-3, "{before} {after}");
    let away = |joint| {
        let pairs = clip.poses().iter().zip(&poses);
        let mut away: Vec<f64> = pairs.map(|(a, b)| a.position(joint).distance(b.position(joint))).collect();
        away.sort_by(f64::total_cmp);
        away[away.len() / 2]
    };
    let most = skeleton.iter().map(away).fold(0.0, f64::max);
    assert!(most < 0.03, "{most}");
    // Feet stand in the middle of where the clip's slide.
    let ankle = legs[0].joints[2];
    let off = |frame: usize| (poses[frame].position(ankle) - clip.poses()[frame].position(ankle)).z;
    let stands = |frame: &usize| contacts.touches(0, clip.times()[*frame]);
    let stood: Vec<f64> = (30..poses.len() - 30).filter(stands).map(off).collect();
    let mean = stood.iter().sum::<f64>() / stood.len() as f64;
    assert!(mean.abs() < 5e-3, "{mean}");
    // Lifting and landing do not jerk.
    let after = Clip::new(&skeleton, clip.times().to_vec(), poses).unwrap();
    let grown = |joint| after.positions(joint).derivative(2).peak().1 / clip.positions(joint).derivative(2).peak().1;
    assert!(grown(ankle) < 1.5, "{}", grown(ankle));
}

/// At 30, 60 and 120 frames a second, and with frames that come as they will, feet and bodies are where they are at 240.
#[test]
fn frame_rates_agree() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let slope = Plane::new(DVec3::ZERO, DVec3::new(0.0, 1.0, -0.15));
    let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.12, run: 0.35, steps: 6 };
    let whole = walk(&skeleton, &legs, 240.0, 0.0);
    let contacts = Contacts::find(&feet, &whole);
    let apart = |ground: &dyn Ground, foreseen: bool, frames: &[usize]| {
        let told = foreseen.then_some(&contacts);
        let poses = frames.iter().map(|&frame| whole.poses()[frame].clone()).collect();
        let times = frames.iter().map(|&frame| whole.times()[frame]).collect();
        let clip = Clip::new(&skeleton, times, poses).unwrap();
        let [quick, slow] = [&whole, &clip].map(|clip| stepped(&skeleton, &feet, clip, told, ground));
        // Where the last foot lands; what is then in the air has no landing that is known.
        let known = |frame: &usize| !foreseen || *frame < 760;
        let pairs = slow.iter().zip(frames).filter(|(_, frame)| known(frame));
        let far = |(pose, &frame): (&Pose, &usize)| {
            let far = |joint| pose.position(joint).distance(quick[frame].position(joint));
            skeleton.iter().map(far).collect::<Vec<f64>>()
        };
        let mut far: Vec<f64> = pairs.flat_map(far).collect();
        far.sort_by(f64::total_cmp);
        [far[far.len() / 2], far[far.len() - 1]]
    };
    let every = |step: usize| (0..whole.len()).step_by(step).collect::<Vec<usize>>();
    // From 1/240 to 1/30 of a second.
    let uneven: Vec<usize> =
        every(1).into_iter().scan(0, |at, step| Some(std::mem::replace(at, *at + 1 + step * step % 8))).collect();
    let uneven = uneven.into_iter().filter(|frame| *frame < whole.len()).collect();
    for frames in [every(8), every(4), every(2), uneven] {
        for (name, ground) in [("slope", &slope as &dyn Ground), ("stairs", &stairs)] {
            let ([median, most], [online, worst]) = (apart(ground, true, &frames), apart(ground, false, &frames));
            let count = frames.len();
            assert!(median < 1.5e-3 && most < 0.025, "{name}, {count} frames: {median} {most}");
            assert!(online < 4e-3 && worst < 0.08, "{name}, {count} frames, untold: {online} {worst}");
        }
    }
}

#[test]
fn a_locked_foot_goes_along_with_its_platform() {
    struct Lift(f64);
    impl Ground for Lift {
        fn below(&self, point: DVec3, up: DVec3) -> Option<GroundPoint> {
            let plane = Plane::new(DVec3::Y * 0.3 * self.0, DVec3::Y);
            plane.below(point, up).map(|at| GroundPoint { part: 1, ..at })
        }
        fn frame(&self, _: usize) -> DAffine3 {
            DAffine3::from_translation(DVec3::new(0.2, 0.3, 0.0) * self.0)
        }
    }
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let (mut state, rest) = (FeetState::default(), skeleton.rest_pose());
    let mut begin = [DVec3::ZERO; 2];
    for frame in 0..40 {
        let (time, mut pose) = (f64::from(frame) / 60.0, rest.clone());
        let step = FeetStep { dt: if frame == 0 { 0.0 } else { 1.0 / 60.0 }, ..FeetStep::default() };
        feet.step(&skeleton, &mut pose, &Lift(time), step, &mut state);
        let now = [0, 1].map(|foot| feet.soles(&pose, foot)[0] - DVec3::new(0.2, 0.3, 0.0) * time);
        if frame == 0 {
            begin = now;
        }
        let off = now[0].distance(begin[0]).max(now[1].distance(begin[1]));
        assert!(off < 1e-6, "{off} at {time}");
    }
}

#[test]
fn frames_after_the_first_do_not_allocate() {
    let (skeleton, legs) = walker();
    let feet = feet(&skeleton, &legs);
    let clip = walk(&skeleton, &legs, 60.0, 0.0);
    let contacts = Contacts::find(&feet, &clip);
    // The first step comes long after the first frame.
    let stairs = Stairs { start: DVec3::Z, along: DVec3::Z, up: DVec3::Y, rise: 0.12, run: 0.35, steps: 6 };
    for foreseen in [false, true] {
        let (mut state, mut hints) = (FeetState::default(), Vec::new());
        let mut poses = clip.poses().to_vec();
        let mut frame = |pose: &mut Pose, time: f64, dt: f64| {
            if foreseen {
                contacts.hints(time, &mut hints);
            }
            feet.step(&skeleton, pose, &stairs, FeetStep { dt, hints: &hints }, &mut state);
        };
        frame(&mut poses[0], 0.0, 0.0);
        let counted = allocation_counter::measure(|| {
            for (pose, time) in poses.iter_mut().zip(clip.times()).skip(1) {
                frame(pose, *time, 1.0 / 60.0);
            }
        });
        assert_eq!(counted.count_total, 0, "{foreseen}");
    }
}
