//! Many chains and many limbs beside `rebirth-ik` 0.1.0, whose `solve_chains_par` is the one batch among the peers: the same
//! problems, the same tolerance, all threads of the machine, the least of many rounds taken in turn.
//!
//! Chains: ten bones of 0.1 m, bent by 0.2 rad a joint, targets within 0.87 m, to 1e-5 m. Ours include the rotations and the
//! forward kinematics; rebirth-ik's are points. Limbs: positions of elbow and tip, pole given, on one thread.

use std::error::Error;
use std::time::Instant;

use rebirth_ik::{ChainBuf, Vec3 as Point, solve_chains_par, two_bone};
use sinew::glam::{DVec3, Quat, Vec3};
use sinew::solve::fabrik::Fabrik;
use sinew::{Rotation, Skeleton};
use sinew_crowd::{Crowd, CrowdTarget, Goals, Limbs, Poses, Width};

const BONES: usize = 10;
const TOLERANCE: f32 = 1e-5;
const ROUNDS: usize = 31;

fn point(v: Vec3) -> Point {
    Point::new(v.x, v.y, v.z)
}

/// Seconds that something takes.
fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

fn chains(count: usize) -> Result<(), Box<dyn Error>> {
    let random = &mut fastrand::Rng::with_seed(1);
    let skeleton = Skeleton::from_lengths(&[0.1; BONES])?;
    let tip = skeleton.joint("joint_10")?;
    let fabrik = Fabrik { position_tolerance: f64::from(TOLERANCE), iterations: 100, ..Fabrik::default() };
    let crowd = Crowd::new(&skeleton)?.fabrik(&fabrik, tip)?;
    let (mut start, mut goals) = (Poses::new(&crowd, count), Goals::new(&crowd, count));
    let bend = Rotation::about(DVec3::Z, 0.2);
    for character in 0..count {
        skeleton.iter().skip(1).for_each(|joint| start.set_rotation(character, joint, bend));
    }
    let mut placed = start.clone();
    crowd.solve(&mut placed, &mut Goals::new(&crowd, count));
    let mut theirs = Vec::with_capacity(count);
    for character in 0..count {
        let toward = Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5);
        goals.set(character, 0, Some(CrowdTarget::new(toward)));
        let positions = skeleton.iter().map(|joint| point(placed.position(character, joint))).collect();
        theirs.push(ChainBuf::new(positions, point(toward)));
    }
    let (mut ours, mut peer) = (f64::INFINITY, f64::INFINITY);
    let mut solved = theirs.clone();
    for _ in 0..ROUNDS {
        let mut poses = start.clone();
        ours = ours.min(timed(|| crowd.solve(&mut poses, &mut goals)));
        solved.clone_from(&theirs);
        peer = peer.min(timed(|| solve_chains_par(&mut solved, 100, TOLERANCE)));
    }
    let near = |error: f32| error <= 2.0 * TOLERANCE;
    let reached = (0..count).filter(|&character| near(goals.result(character, 0).1)).count();
    let passes: u32 = (0..count).map(|character| goals.iterations(character, 0)).sum();
    let end = |chain: &ChainBuf| near(chain.positions[BONES].distance(chain.target));
    let peers = solved.iter().filter(|chain| end(chain)).count();
    let [ours, peer] = [ours, peer].map(|seconds| 1e9 * seconds / count as f64);
    let share = |reached: usize| 100.0 * reached as f64 / count as f64;
    println!(
        "{count} chains: sinew-crowd {ours:.0} ns ({:.1} % reached, {:.2} passes, {} bytes), rebirth-ik {peer:.0} ns ({:.1} %, {} bytes)",
        share(reached),
        f64::from(passes) / count as f64,
        start.bytes_each() + goals.bytes_each(),
        share(peers),
        size_of::<ChainBuf>() + 12 * (BONES + 1) + 4 * BONES,
    );
    Ok(())
}

fn limbs(count: usize) {
    let random = &mut fastrand::Rng::with_seed(2);
    let mut numbers: [Vec<f32>; 11] = Default::default();
    let mut theirs = Vec::new();
    for _ in 0..count {
        let mut vector = || Vec3::new(random.f32() - 0.5, random.f32() - 0.5, random.f32() - 0.5);
        let (root, line, pole) = (vector(), vector(), vector());
        let target = root + line.normalize() * 0.8;
        let all = [root, target, pole].into_iter().flat_map(|v| v.to_array()).chain([0.6, 0.5]);
        numbers.iter_mut().zip(all).for_each(|(slice, x)| slice.push(x));
        let turn = Quat::from_rotation_z(0.3);
        let (mid, tip) = (root + turn * Vec3::X * 0.6, root + turn * Vec3::X * 1.1);
        theirs.push([root, mid, tip, target, root + pole].map(point));
    }
    let vector = |from: usize| [0, 1, 2].map(|axis: usize| &numbers[from + axis][..]);
    let limbs = Limbs { root: vector(0), target: vector(3), pole: vector(6), lengths: [&numbers[9], &numbers[10]] };
    let mut out: [Vec<f32>; 6] = std::array::from_fn(|_| vec![0.0; count]);
    let mut ends = vec![(Point::ZERO, Point::ZERO); count];
    let width = Width::new();
    let (mut ours, mut peer) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..10 * ROUNDS {
        let [a, b, c, d, e, f] = out.each_mut().map(|slice| &mut slice[..]);
        ours = ours.min(timed(|| limbs.positions(width, [a, b, c], [d, e, f])));
        peer = peer.min(timed(|| {
            for (end, [root, mid, tip, target, pole]) in ends.iter_mut().zip(&theirs) {
                *end = two_bone(*root, *mid, *tip, *target, Some(*pole));
            }
        }));
    }
    let off = (0..count).map(|limb| {
        let mid = Point::new(out[0][limb], out[1][limb], out[2][limb]);
        mid.distance(ends[limb].0)
    });
    let off = off.fold(0.0, f32::max);
    let [ours, peer] = [ours, peer].map(|seconds| 1e9 * seconds / count as f64);
    println!(
        "{count} limbs, positions, one thread: sinew-crowd {ours:.2} ns ({}), rebirth-ik {peer:.2} ns; elbows differ by {off:.1e} m at most",
        width.name()
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{} threads, {}", rayon::current_num_threads(), Width::new().name());
    for count in [1_000, 10_000, 100_000] {
        chains(count)?;
    }
    limbs(4096);
    Ok(())
}
