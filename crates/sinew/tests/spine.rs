//! A look target for a whole spine: every solver shares it, and who comes first decides how the spine twists.

use sinew::glam::DVec3;
use sinew::limit::{Range, SwingTwist};
use sinew::math::{arc, ops};
use sinew::solve::ccd::Order;
use sinew::{
    Aim, BallLimit, Ccd, Fabrik, Goal, Jacobian, Joint, JointSpec, Kind, Outcome, Pose, Sequence, Skeleton,
    SkeletonBuilder, Solver, Status, Target, Workspace,
};

const SPINE: [&str; 5] = ["spine_1", "spine_2", "spine_3", "neck", "head"];

fn ball(swing: f64, twist: f64) -> Kind {
    let (swing, twist) = (swing.to_radians(), twist.to_radians());
    Kind::Ball(BallLimit::SwingTwist(SwingTwist::new(DVec3::Y, swing, Range::new(-twist, twist)).expect("a cone")))
}

/// Hips to head, two arms and nothing else: faces +Z, the left is +X.
fn torso(spine_first: bool) -> Skeleton {
    let mut builder = SkeletonBuilder::new();
    let mut add = |name: &str, above: &str, place: [f64; 3], kind: Kind| {
        let spec = JointSpec::named(name).translation(DVec3::from_array(place)).kind(kind);
        builder.add(if above.is_empty() { spec } else { spec.child_of(above) });
    };
    add("hips", "", [0.0, 1.0, 0.0], ball(25.0, 30.0));
    add("spine_1", "hips", [0.0, 0.1, 0.0], ball(20.0, 15.0));
    add("spine_2", "spine_1", [0.0, 0.13, 0.0], ball(20.0, 15.0));
    add("spine_3", "spine_2", [0.0, 0.13, 0.0], ball(20.0, 15.0));
    add("neck", "spine_3", [0.0, 0.2, 0.0], ball(30.0, 35.0));
    add("head", "neck", [0.0, 0.1, 0.01], ball(30.0, 40.0));
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        let name = |part: &str| format!("{part}_{side}");
        add(&name("shoulder"), "spine_3", [0.03 * sign, 0.15, 0.0], ball(20.0, 5.0));
        add(&name("arm"), &name("shoulder"), [0.15 * sign, 0.0, 0.0], ball(110.0, 60.0));
        add(&name("elbow"), &name("arm"), [0.28 * sign, 0.0, 0.0], Kind::hinge(DVec3::Y * -sign).within(0.0, 2.5));
        add(&name("hand"), &name("elbow"), [0.25 * sign, 0.0, 0.0], Kind::BALL);
    }
    if spine_first {
        builder.spine("head");
    }
    builder.build().expect("a torso")
}

/// A look of the head at a place so far to the left and up (radians), two metres away.
fn look(skeleton: &Skeleton, yaw: f64, pitch: f64) -> Goal {
    let head = skeleton.joint("head").expect("a head");
    let ((sy, cy), (sp, cp)) = (ops::sin_cos(yaw), ops::sin_cos(pitch));
    let eyes = skeleton.rest_pose().position(head);
    Goal::aim(head, DVec3::Z, eyes + DVec3::new(cp * sy, sp, cp * cy) * 2.0)
}

/// Angle of every joint of the spine from its rest.
fn turns(skeleton: &Skeleton, pose: &Pose) -> [f64; 5] {
    SPINE.map(|name| {
        let joint = skeleton.joint(name).expect("a spine");
        let turn = pose.local(joint).rotation * skeleton.rest(joint).rotation.conjugate();
        arc::length(arc::rotation_vector(turn))
    })
}

fn in_limits(skeleton: &Skeleton, pose: &Pose) -> bool {
    skeleton.iter().all(|joint| {
        let local = pose.local(joint);
        let allowed = skeleton.nearest_allowed(joint, local, pose.value(skeleton, joint)).rotation;
        allowed.dot(local.rotation).abs() > 1.0 - 1e-12
    })
}

/// Every solver that shares a look over the spine.
fn sharers(skeleton: &Skeleton) -> Vec<(&'static str, Box<dyn Solver>)> {
    let [base, head] = skeleton.joints(["spine_1", "head"]).expect("a spine");
    vec![
        ("aim", Box::new(Aim::over(skeleton, base, head).expect("a chain"))),
        // Undamped, the joint that is first in order takes as much as it may.
        ("ccd", Box::new(Ccd { damping: 0.01, ..Ccd::default() })),
        ("jacobian", Box::new(Jacobian::default())),
        ("fabrik", Box::new(Fabrik::default())),
    ]
}

#[test]
fn every_solver_shares_a_look_over_the_spine() {
    let skeleton = torso(true);
    let base = skeleton.joint("spine_1").unwrap();
    println!("          reached  limited  worst reached [rad]  left where limited [rad]  largest share: mean, worst");
    for (name, solver) in sharers(&skeleton) {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut reached, mut limited, mut left) = (0, 0, 0.0);
        let (mut worst, mut sum, mut most) = (0.0_f64, 0.0, 0.0_f64);
        for _ in 0..200 {
            let goal = look(&skeleton, between(&mut rng, 3.1), between(&mut rng, 1.3)).base(base);
            let mut pose = skeleton.rest_pose();
            let mut work = Workspace::default();
            let outcome = solver.solve(&skeleton, &[goal], &mut pose, &mut work);
            assert!(in_limits(&skeleton, &pose), "{name} leaves a limit");
            assert!(
                pose.local(skeleton.joint("hips").unwrap())
                    == skeleton.rest_pose().local(skeleton.joint("hips").unwrap())
            );
            if outcome.status == Status::Reached {
                let turns = turns(&skeleton, &pose);
                let share = turns.into_iter().fold(0.0, f64::max) / turns.iter().sum::<f64>();
                (reached, sum, most) = (reached + 1, sum + share, most.max(share));
                worst = worst.max(outcome.rotation_error);
            } else {
                assert_eq!(outcome.status, Status::Limited, "{name}: {outcome:?}");
                assert!(work.blocking(0).next().is_some(), "{name} names no joint");
                (limited, left) = (limited + 1, left + outcome.rotation_error);
            }
        }
        let (mean, left) = (sum / f64::from(reached), left / f64::from(limited));
        println!("{name:8}  {reached:7}  {limited:7}  {worst:19.1e}  {left:24.4}  {mean:.3}, {most:.3}");
        assert!(worst < 1e-6 && most < 0.8, "{name}: {worst} {most}");
        assert!(reached >= 130, "{name}: {reached}");
    }
}

/// A number between plus and minus `size`.
fn between(rng: &mut fastrand::Rng, size: f64) -> f64 {
    (rng.f64() * 2.0 - 1.0) * size
}

/// A solver that sees only the goals of a kind.
#[derive(Debug)]
struct Only(Box<dyn Solver>, fn(&Target) -> bool);

impl Solver for Only {
    fn solve(&self, skeleton: &Skeleton, goals: &[Goal], pose: &mut Pose, work: &mut Workspace) -> Outcome {
        let kept = |goal: &Goal| if (self.1)(&goal.target) { *goal } else { goal.weight(0.0) };
        let goals: Vec<Goal> = goals.iter().map(kept).collect();
        self.0.solve(skeleton, &goals, pose, work)
    }

    fn serves(&self, skeleton: &Skeleton, goal: &Goal) -> bool {
        (self.1)(&goal.target) && self.0.serves(skeleton, goal)
    }
}

fn is_place(target: &Target) -> bool {
    matches!(target, Target::Position(_))
}

/// Twists (degrees) of joints about their bones, from rest.
fn twists<'a>(skeleton: &'a Skeleton, pose: &'a Pose, names: &'a [&str]) -> impl Iterator<Item = f64> + 'a {
    names.iter().map(|name| {
        let joint = skeleton.joint(name).expect("a spine");
        let turn = skeleton.rest(joint).rotation.conjugate() * pose.local(joint).rotation;
        arc::twist_angle(turn, DVec3::Y).to_degrees()
    })
}

/// Makes a solver for the hand.
type Make = fn() -> Box<dyn Solver>;

/// Means over all targets.
#[derive(Clone, Copy, Debug, Default)]
struct Means {
    /// Sum of the three spine joints' twists (degrees).
    twist: f64,
    /// Twist from hips to head that is taken back higher up (degrees).
    back: f64,
    /// Degrees and metres that the goals are left with.
    look: f64,
    hand: f64,
}

/// Solves look and hand one after the other, both from rest, then the look again by neck and head alone.
/// The look may move the joints from `top` on and owns them, the hand those from the hips on.
fn in_order(skeleton: &Skeleton, hands: Make, top: &str, widest: f64, head_first: bool) -> Means {
    let [hips, top, neck, head, hand] = skeleton.joints(["hips", top, "neck", "head", "hand_l"]).expect("a body");
    let aim =
        |from: Joint| Only(Box::new(Aim::over(skeleton, from, head).expect("a chain")), |target| !is_place(target));
    let reach = Only(hands(), is_place);
    let sequence = if head_first {
        Sequence::new().then(aim(top)).then(reach).then(aim(neck))
    } else {
        Sequence::new().then(reach).then(aim(top)).then(aim(neck))
    };
    let mut rng = fastrand::Rng::with_seed(11);
    let mut means = Means::default();
    for _ in 0..COUNT {
        let gaze = look(skeleton, between(&mut rng, widest.to_radians()), between(&mut rng, 0.5)).base(top);
        let goals = [gaze, random_hand(skeleton, hand, &mut rng).base(hips)];
        let (mut pose, mut work) = (skeleton.rest_pose(), Workspace::default());
        let _ = sequence.solve(skeleton, &goals, &mut pose, &mut work);
        assert!(in_limits(skeleton, &pose));
        let share = 1.0 / f64::from(COUNT);
        let all = ["hips", "spine_1", "spine_2", "spine_3", "neck", "head"];
        let sum = |names: &[&str]| twists(skeleton, &pose, names).map(f64::abs).sum::<f64>();
        means.twist += share * sum(&SPINE[..3]);
        means.back += share * (sum(&all) - twists(skeleton, &pose, &all).sum::<f64>().abs());
        means.look += share * work.residuals()[0].rotation_error().to_degrees();
        means.hand += share * work.residuals()[1].position_error();
    }
    means
}

/// Targets of each kind.
const COUNT: u32 = 200;

/// A place for the hand before the body, some of it beyond the arm alone.
fn random_hand(skeleton: &Skeleton, hand: Joint, rng: &mut fastrand::Rng) -> Goal {
    let root = skeleton.rest_pose().position(skeleton.joint("arm_l").expect("an arm"));
    loop {
        let way = DVec3::new(between(rng, 1.0), between(rng, 1.0), between(rng, 1.0));
        if way.length() < 1.0 && way.z > -0.2 {
            return Goal::position(hand, root + way * 0.7);
        }
    }
}

#[test]
fn the_head_before_the_hand_twists_the_spine_less() {
    let skeleton = torso(true);
    let hands: [(&str, Make); 4] = [
        ("ccd", || Box::new(Ccd::default())),
        ("ccd, tip first", || Box::new(Ccd { order: Order::TipToRoot, ..Ccd::default() })),
        ("jacobian", || Box::new(Jacobian::default())),
        ("fabrik", || Box::new(Fabrik::default())),
    ];
    println!("means of {COUNT}: twist of the spine, twist taken back, look left [degrees]; hand left [cm]");
    for (top, widest) in [("spine_1", 20.0), ("spine_1", 60.0), ("hips", 60.0)] {
        println!("looks up to {widest} degrees aside, from the {top} on:");
        for (name, hands) in hands {
            let [first, after] = [true, false].map(|first| in_order(&skeleton, hands, top, widest, first));
            for (order, Means { twist, back, look, hand }) in [("head first", first), ("hand first", after)] {
                println!("  {name:14} {order}  {twist:6.2} {back:6.2} {look:6.2} {:6.2}", hand * 100.0);
            }
            // A look far aside asks for twist of its own, whoever is first.
            if widest < 30.0 {
                assert!(first.twist < 0.9 * after.twist && first.hand < 0.011, "{name}: {first:?} {after:?}");
            }
            assert!(first.look < 0.1 && first.back < 1.1 * after.back, "{name}: {first:?} {after:?}");
            // Where the look owns all that twists, nothing is twisted to and fro.
            if top == "hips" {
                assert!(first.back < 0.1 * after.back && first.hand < 0.08, "{name}: {first:?} {after:?}");
            }
        }
    }
}

#[test]
fn goals_are_solved_spine_first_where_the_spine_is_named() {
    for (named, head_first) in [(true, true), (false, false)] {
        let skeleton = torso(named);
        let [head, hand] = skeleton.joints(["head", "hand_l"]).unwrap();
        // The longest chain comes first among siblings, unless another is named the spine.
        assert_eq!(head < hand, head_first);
        let goals = [Goal::position(hand, DVec3::ONE), look(&skeleton, 0.3, 0.0)];
        let mut work = Workspace::default();
        work.begin(&goals);
        assert_eq!(work.order().next(), Some(usize::from(head_first)));
    }
}
