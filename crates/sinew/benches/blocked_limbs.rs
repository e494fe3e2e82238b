//! Limbs whose limits forbid the targets: what they cost, how near they come, and whether they jump.
//!
//! `cargo bench -p sinew --bench blocked_limbs -- out.csv` writes each case's miss, for a later run to be compared with:
//! `... -- new.csv out.csv`. `EACH` is how many limbs of each pair of kinds, `ONLY` names one row, `NO_SWEEPS` leaves the sweeps
//! out. A time is the least of several solves (`RUNS`), so that other work on the machine hardly counts.

use std::fmt::Write as _;
use std::time::Instant;

use fastrand::Rng;
use sinew::glam::DVec3;
use sinew::laws::rigs::{direction, rotation};
use sinew::limit::{EllipticSwing, EulerOrder, EulerRanges, Range, SwingTwist};
use sinew::math::arc;
use sinew::{
    BallLimit, Goal, Joint, JointSpec, Kind, Pole, Pose, Skeleton, SkeletonBuilder, Solver, Status, ThreeLink,
    Transform, TwoBone, Workspace,
};

/// Solves of which the quickest counts, and random poses that an answer is compared with.
const RUNS: usize = 4;
const RANDOM: usize = 300;
/// Steps of a sweep, and the turn (radians) of a joint in one step that is a jump: ordinary ones are below a hundredth.
const STEPS: usize = 400;
const JUMP: f64 = 0.3;

const DEGREE: f64 = core::f64::consts::PI / 180.0;

/// Draws a joint's kind.
type Draw = fn(&mut Rng) -> Kind;

/// Hinge, cone, ellipse, Euler ranges, free ball, free hinge.
const KINDS: [(&str, Draw); 6] = [
    ("hinge", |rng| {
        let low = -0.2 - 1.3 * rng.f64();
        Kind::hinge(direction(rng)).within(low, low + 0.4 + 2.0 * rng.f64())
    }),
    ("cone", |rng| {
        let cone = SwingTwist::new(direction(rng), 0.2 + 1.2 * rng.f64(), twist(rng));
        Kind::Ball(BallLimit::SwingTwist(cone.expect("valid")))
    }),
    ("ellipse", |rng| {
        let swing = [0.2 + 1.2 * rng.f64(), 0.1 + 0.8 * rng.f64()];
        let ellipse = EllipticSwing::new(direction(rng), direction(rng), swing, twist(rng));
        Kind::Ball(BallLimit::EllipticSwing(ellipse.expect("valid")))
    }),
    ("euler", |rng| {
        let order = [EulerOrder::Xyz, EulerOrder::Zyx][rng.usize(0..2)];
        let [x, y, z] = [(); 3].map(|()| Range::new(-0.1 - rng.f64(), 0.1 + rng.f64()));
        Kind::Ball(BallLimit::Euler(EulerRanges::new(order, x, y, z).expect("valid")))
    }),
    ("free", |_| Kind::BALL),
    ("turning hinge", |rng| Kind::hinge(direction(rng))),
];

fn twist(rng: &mut Rng) -> Range {
    Range::new(-0.2 - rng.f64(), 0.2 + rng.f64())
}

/// A limb, its goal, and what it is called.
struct Case {
    name: String,
    skeleton: Skeleton,
    solver: Box<dyn Solver>,
    tip: Joint,
    length: f64,
    goal: Goal,
    /// The same limb's goal far from there, for sweeps.
    other: DVec3,
}

fn solver(skeleton: &Skeleton, joints: &[Joint]) -> Box<dyn Solver> {
    match *joints {
        [root, mid, tip] => Box::new(TwoBone::new(skeleton, root, mid, tip).expect("a limb")),
        [root, mid, low, tip] => Box::new(ThreeLink::new(skeleton, root, mid, low, tip).expect("a limb")),
        _ => unreachable!("two or three links"),
    }
}

fn case(rng: &mut Rng, name: String, kinds: &[Kind], offset: impl Fn(&mut Rng, usize) -> DVec3) -> Case {
    let mut builder = SkeletonBuilder::new();
    let mut length = 0.0;
    for i in 0..=kinds.len() {
        let kind = kinds.get(i).copied().unwrap_or(Kind::Fixed);
        let mut spec = JointSpec::named(format!("{i}")).kind(kind).rotation(rotation(rng));
        if i > 0 {
            let bone = offset(rng, i);
            length += bone.length();
            spec = spec.child_of(i - 1).translation(bone);
        }
        builder.add(spec);
    }
    let skeleton = builder.build().expect("a chain");
    let joints: Vec<Joint> = skeleton.iter().collect();
    let tip = joints[kinds.len()];
    let target = if rng.u8(0..4) == 0 {
        random_pose(rng, &skeleton).position(tip)
    } else {
        direction(rng) * length * 1.1 * rng.f64()
    };
    let goal = Goal::position(tip, target);
    let goal = if rng.bool() { goal.pole(Pole::Direction(direction(rng))) } else { goal };
    let other = direction(rng) * length * 1.1 * rng.f64();
    let solver = solver(&skeleton, &joints);
    Case { name, skeleton, solver, tip, length, goal, other }
}

/// Limbs of joints of any kinds, askew; hinges whose axes are across the bones as people's; three links.
fn cases(each: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for (i, (root, draw_root)) in KINDS.iter().enumerate() {
        for (k, (mid, draw_mid)) in KINDS.iter().enumerate() {
            for seed in 0..each {
                let mut rng = Rng::with_seed(seed + 1000 * (i * KINDS.len() + k) as u64);
                let kinds = [draw_root(&mut rng), draw_mid(&mut rng)];
                let name = format!("{root} {mid}");
                cases.push(case(&mut rng, name, &kinds, |rng, _| direction(rng) * (0.3 + rng.f64())));
            }
        }
    }
    for seed in 0..8 * each {
        let mut rng = Rng::with_seed(seed + 700_000);
        let is_arm = seed % 2 == 0;
        let (swing, twist, bend) = if is_arm { ([85.0, 90.0], 60.0, 150.0) } else { ([75.0, 35.0], 40.0, 140.0) };
        let swing = swing.map(|swing: f64| swing * DEGREE * (0.8 + 0.4 * rng.f64()));
        let twist = Range::new(-twist * DEGREE, 0.8 * twist * DEGREE);
        let root = EllipticSwing::new(DVec3::Y, DVec3::X, swing, twist).expect("valid");
        let mid = Kind::hinge(DVec3::X).within(0.0, bend * DEGREE);
        let kinds = [Kind::Ball(BallLimit::EllipticSwing(root)), mid];
        let name = if is_arm { "arm" } else { "leg" };
        cases.push(case(&mut rng, name.into(), &kinds, |rng, _| DVec3::Y * (0.25 + 0.1 * rng.f64())));
    }
    for seed in 0..12 * each {
        let mut rng = Rng::with_seed(seed + 800_000);
        let kinds = [(); 3].map(|()| KINDS[rng.usize(0..KINDS.len())].1(&mut rng));
        cases.push(case(&mut rng, "three links".into(), &kinds, |rng, _| direction(rng) * (0.3 + rng.f64())));
    }
    cases
}

/// A pose inside the limits, often at their rims.
fn random_pose(rng: &mut Rng, skeleton: &Skeleton) -> Pose {
    let mut pose = skeleton.neutral_pose();
    for joint in skeleton.iter() {
        match skeleton.kind(joint) {
            Kind::Hinge { range, .. } => {
                let (low, high) = (range.min.max(-3.1), range.max.min(3.1));
                let coordinate = skeleton.drive(joint).expect("a hinge").coordinate;
                pose.edit(skeleton).coordinate(coordinate, low + (high - low) * rng.f64());
            }
            Kind::Ball(_) => {
                let local = Transform { rotation: rotation(rng).quaternion(), ..*pose.local(joint) };
                pose.edit(skeleton).local(joint, skeleton.nearest_allowed(joint, &local, 0.0));
            }
            _ => {}
        }
    }
    pose
}

/// One case's result: name, status, time (microseconds), miss over length, and that of the best random pose.
struct Result {
    name: String,
    status: Status,
    time: f64,
    miss: f64,
    random: f64,
}

fn solved(case: &Case, number: u64) -> Result {
    let neutral = case.skeleton.neutral_pose();
    let (mut pose, mut work) = (neutral.clone(), Workspace::default());
    let mut time = f64::INFINITY;
    let mut status = Status::Reached;
    let runs = std::env::var("RUNS").map_or(RUNS, |runs| runs.parse().expect("a number"));
    for _ in 0..runs {
        pose.clone_from(&neutral);
        let start = Instant::now();
        status = case.solver.solve(&case.skeleton, &[case.goal], &mut pose, &mut work).status;
        time = time.min(start.elapsed().as_secs_f64() * 1e6);
    }
    let target = case.goal.target.position().expect("a position");
    let off = |pose: &Pose| pose.position(case.tip).distance(target) / case.length;
    let mut rng = Rng::with_seed(number);
    let random = (0..RANDOM).map(|_| off(&random_pose(&mut rng, &case.skeleton))).fold(f64::INFINITY, f64::min);
    Result { name: case.name.clone(), status, time, miss: off(&pose), random }
}

/// Jumps of a sweep from the case's target to its other one and back: where limits block the limb, of these those where the
/// old pose, moved with the target, misses more than the new one by more than the step; and where it arrives.
fn jumps(case: &Case, fed: bool) -> [usize; 3] {
    let neutral = case.skeleton.neutral_pose();
    let (mut pose, mut work) = (neutral.clone(), Workspace::default());
    let from = case.goal.target.position().expect("a position");
    let step = (case.other - from).length() / STEPS as f64;
    let mut last: Option<(Pose, Status)> = None;
    let mut jumps = [0; 3];
    for i in 0..=2 * STEPS {
        let share = if i > STEPS { 2 * STEPS - i } else { i } as f64 / STEPS as f64;
        let target = from.lerp(case.other, share);
        let mut goal = Goal::position(case.tip, target);
        goal.pole = case.goal.pole;
        if fed {
            pose.clone_from(&neutral);
        }
        let status = case.solver.solve(&case.skeleton, &[goal], &mut pose, &mut work).status;
        if let Some((last, before)) = &last {
            let turned = |joint: Joint| last.local(joint).rotation.conjugate() * pose.local(joint).rotation;
            let turn = case.skeleton.iter().map(|joint| arc::rotation_vector(turned(joint)).length());
            // The first frame starts elsewhere.
            if i > 1 && turn.fold(0.0, f64::max) > JUMP {
                let [old, new] = [last, &pose].map(|pose| pose.position(case.tip).distance(target));
                let place = match (status, before) {
                    (Status::Reached, Status::Reached) => 2,
                    _ if old - new > 3.0 * step => 1,
                    _ => 0,
                };
                jumps[place] += 1;
            }
        }
        last = Some((pose.clone(), status));
    }
    jumps
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    let below = sorted.iter().zip(0_u32..).take_while(|(_, i)| f64::from(*i) < share * sorted.len() as f64);
    below.last().map_or(f64::NAN, |(time, _)| *time)
}

fn report(name: &str, results: &[&Result]) {
    let mut times: Vec<f64> = results.iter().map(|result| result.time).collect();
    times.sort_by(f64::total_cmp);
    let worse: Vec<f64> = results.iter().map(|result| result.miss - result.random).filter(|&by| by > 1e-9).collect();
    let by = worse.iter().fold(0.0, |most: f64, &by| most.max(by));
    let [half, most, worst] = [0.5, 0.99, 1.0].map(|share| percentile(&times, share));
    println!(
        "{name:28} {:5} {half:9.2} {most:9.2} {worst:9.2} us, {} worse than random, by {by:.1e}",
        results.len(),
        worse.len()
    );
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let each = std::env::var("EACH").map_or(60, |each| each.parse().expect("a number"));
    let mut cases = cases(each);
    if let Ok(only) = std::env::var("ONLY") {
        cases.retain(|case| case.name == only);
    }
    let results: Vec<Result> = cases.iter().zip(0..).map(|(case, number)| solved(case, number)).collect();
    let mut names: Vec<&str> = results.iter().map(|result| result.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    println!("{:28} {:>5} {:>9} {:>9} {:>9}", "limits block", "cases", "median", "p99", "worst");
    let of = |keep: &dyn Fn(&Result) -> bool| results.iter().filter(|result| keep(result)).collect::<Vec<_>>();
    for name in names {
        report(name, &of(&|result| result.name == name && result.status == Status::Limited));
    }
    let blocked = |result: &Result| result.status == Status::Limited;
    report("two bones, all blocked", &of(&|result| result.name != "three links" && blocked(result)));
    report("two bones, all others", &of(&|result| result.name != "three links" && !blocked(result)));
    report("three links, all others", &of(&|result| result.name == "three links" && !blocked(result)));
    if let Some(path) = args.get(1) {
        let before = std::fs::read_to_string(path).expect("results of an earlier run");
        let misses = before.lines().map(|line| line.rsplit(',').next().and_then(|miss| miss.parse::<f64>().ok()));
        let mut worse = Vec::new();
        let mut better = 0;
        for (i, (result, miss)) in results.iter().zip(misses).enumerate() {
            let miss = miss.expect("a number");
            if result.miss > miss + 1e-7 {
                worse.push((i, &result.name, result.miss, miss, result.random));
            }
            better += usize::from(result.miss < miss - 1e-7);
        }
        println!("{better} nearer than before, {} farther: {:?}", worse.len(), &worse[..worse.len().min(20)]);
    }
    if let Some(path) = args.first() {
        let mut lines = String::new();
        for result in &results {
            writeln!(lines, "{},{},{},{:e}", result.name, result.status, result.time, result.miss).expect("a string");
        }
        std::fs::write(path, lines).expect("written");
    }
    if std::env::var_os("NO_SWEEPS").is_some() {
        return;
    }
    let swept = || cases.iter().step_by(20);
    for fed in [false, true] {
        for three in [false, true] {
            let chosen = || swept().filter(|case| (case.name == "three links") == three);
            let all: Vec<[usize; 3]> = chosen().map(|case| jumps(case, fed)).collect();
            let sum = |place: usize| all.iter().map(|jumps| jumps[place]).sum::<usize>();
            println!(
                "{} links, {}: {} sweeps of {} steps; jumps at borders {}, for no reason {}, where it arrives {}",
                if three { "three" } else { "two" },
                if fed { "pose fed" } else { "pose carried on" },
                all.len(),
                2 * STEPS,
                sum(0),
                sum(1),
                sum(2)
            );
        }
    }
}
