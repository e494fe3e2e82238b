//! What a sweep and a Newton step cost by themselves, at every width, and what it would cost to refill lanes:
//! `SINEW_MEASURE=1 cargo test --profile ci -p sinew-crowd --lib what_a_sweep -- --ignored --nocapture`

use std::error::Error;
use std::time::Instant;

use sinew::glam::{DVec3, Vec3};
use sinew::solve::fabrik::Fabrik;
use sinew::{Rotation, Skeleton};

use super::{GROUPS, Work};
use crate::block::{BLOCK, Block, TILE, places};
use crate::crowd::Crowd;
use crate::goals::Goals;
use crate::lanes::{Kernel, Width};
use crate::number::Lanes;
use crate::poses::Poses;
use crate::steps::Step;

const BONES: usize = 10;
const ROUNDS: usize = 4000;
/// Passes over a block, and twice as many: the difference is theirs alone.
const TIMES: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pass {
    Sweep,
    Step,
}

/// So many passes of one kind over all chains of a block, as many registers side by side as in a solve; the squares of what is left
/// are added up.
struct Only<'a, 'b> {
    work: Work<'a, 'b>,
    pass: Pass,
    times: usize,
    left: &'a mut f32,
}

impl Kernel for Only<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self, like: L) {
        let work = &mut self.work;
        let mut groups = Vec::new();
        for (tile, at) in places(like, work.block.tiles) {
            let mut group = work.take(like, tile, at);
            group.active = like.every_lane();
            work.gather(like, &mut group);
            groups.push(group);
        }
        for _ in 0..self.times {
            for four in groups.chunks_exact_mut(GROUPS) {
                let [a, b, c, d] = four else { return };
                if self.pass == Pass::Step {
                    work.turn(like, a);
                    work.turn(like, b);
                    work.turn(like, c);
                    work.turn(like, d);
                    continue;
                }
                let [e, f, g, h] = [a.sweep(a.active), b.sweep(b.active), c.sweep(c.active), d.sweep(d.active)];
                let ((e, f), (g, h)) = work.sweep(like, ((e, f), (g, h)));
                (a.tip, b.tip, c.tip, d.tip) = (e.tip, f.tip, g.tip, h.tip);
            }
        }
        for group in &groups {
            let mut row = [0.0; TILE];
            let off = group.tip - group.target;
            off.dot(off).store(&mut row);
            *self.left += row.iter().sum::<f32>();
        }
    }
}

/// Puts the directions of all chains of a block into lanes one after another and back, as refilling lanes that have ended would;
/// nanoseconds a chain at best.
fn moved(crowd: &Crowd, start: &Poses) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (mut poses, mut goals) = (start.clone(), Goals::new(crowd, BLOCK));
        let block = crowd.blocks(&mut poses, &mut goals).next().expect("a block");
        let each = block.lines.models.len() / block.tiles;
        let mut rows = [[[0.0_f32; TILE]; 3]; BONES];
        let begun = Instant::now();
        for character in 0..BLOCK {
            // Whichever lane has ended.
            let (tile, lane, free) = (character / TILE, character % TILE, 7 * character % TILE);
            let lines = &mut block.lines.models[each * tile..][..each];
            for (joint, row) in rows.iter_mut().enumerate() {
                (0..3).for_each(|axis| row[axis][free] = lines[7 * joint + axis].0[lane]);
            }
            std::hint::black_box(&mut rows);
            for (joint, row) in rows.iter().enumerate() {
                (0..3).for_each(|axis| lines[7 * joint + axis].0[lane] = row[axis][free]);
            }
        }
        best = best.min(1e9 * begun.elapsed().as_secs_f64());
    }
    best / BLOCK as f64
}

/// Targets in the lines of the tips, as `ready` leaves them, and directions of the bones, as a sweep does.
fn aim(block: &mut Block<'_>, random: &mut fastrand::Rng) {
    let each = block.lines.models.len() / block.tiles;
    for tile in block.lines.models.chunks_exact_mut(each) {
        for lane in 0..TILE {
            let point = |tile: &[crate::block::Line], joint: usize| {
                Vec3::from_array(core::array::from_fn(|axis| tile[7 * joint + 4 + axis].0[lane]))
            };
            for joint in 0..BONES {
                let line = (point(tile, joint + 1) - point(tile, joint)).normalize().to_array();
                (0..3).for_each(|axis| tile[7 * joint + axis].0[lane] = line[axis]);
            }
            (0..3).for_each(|axis| tile[7 * BONES + 4 + axis].0[lane] = 1.2 * (random.f32() - 0.5));
        }
    }
}

/// Nanoseconds that so many passes of one kind take over a block at best, and what is left of the distances.
fn best(crowd: &Crowd, start: &Poses, width: Width, (pass, times): (Pass, usize)) -> (f64, f32) {
    let (mut best, mut left) = (f64::INFINITY, 0.0);
    let Step::Fabrik(chain) = &crowd.steps[0] else { panic!("a chain") };
    for _ in 0..ROUNDS {
        let (mut poses, mut goals) = (start.clone(), Goals::new(crowd, BLOCK));
        let mut block = crowd.blocks(&mut poses, &mut goals).next().expect("a block");
        aim(&mut block, &mut fastrand::Rng::with_seed(1));
        left = 0.0;
        let work = Work { crowd, chain, step: 0, block: &mut block };
        let begun = Instant::now();
        width.run(Only { work, pass, times, left: &mut left });
        best = best.min(1e9 * begun.elapsed().as_secs_f64());
    }
    (best, left)
}

#[test]
#[ignore = "measures; see the head of the file"]
fn what_a_sweep_and_a_newton_step_cost() -> Result<(), Box<dyn Error>> {
    let skeleton = Skeleton::from_lengths(&[0.1; BONES])?;
    let fabrik = Fabrik { position_tolerance: 1e-5, ..Fabrik::default() };
    let crowd = Crowd::new(&skeleton)?.fabrik(&fabrik, skeleton.joint("joint_10")?)?;
    let mut start = Poses::new(&crowd, BLOCK);
    for character in 0..BLOCK {
        for joint in skeleton.iter().skip(1) {
            start.set_rotation(character, joint, Rotation::about(DVec3::Z, 0.2));
        }
    }
    crowd.solve(&mut start, &mut Goals::new(&crowd, BLOCK));
    for width in Width::all() {
        let [sweep, step] = [Pass::Sweep, Pass::Step].map(|pass| {
            let none = best(&crowd, &start, width, (pass, 0)).1;
            let (once, _) = best(&crowd, &start, width, (pass, TIMES));
            let (twice, left) = best(&crowd, &start, width, (pass, 2 * TIMES));
            assert!(left < 0.01 * none, "{pass:?}: {left} of {none} is left");
            (twice - once) / (TIMES * BLOCK * BONES) as f64
        });
        println!("{:9} a bone: {sweep:.2} ns a sweep back and forth, {step:.2} ns a Newton step", width.name());
    }
    println!("a chain of {BONES} put into another lane and back: {:.1} ns", moved(&crowd, &start));
    Ok(())
}
