//! Scales of chains, with and without limits, shared both ways, of any sign, then a reach.

use sinew::glam::DVec3;
use sinew::laws::rigs::{self, direction};
use sinew::laws::{MakeRig, SIZES};
use sinew::limit::Range;
use sinew::solve::scale::{Distribution, Limit};
use sinew::{Fabrik, Goal, ScaleTarget, Sequence, Solver, Workspace};

use super::Hash;

pub(crate) fn hash() -> u64 {
    let mut hash = Hash::default();
    let mut work = Workspace::default();
    let rigs: [MakeRig; 3] = [rigs::free_limb, rigs::hinged_limb, rigs::free_three_link];
    for seed in 0..40 {
        for make in rigs {
            let mut rng = fastrand::Rng::with_seed(seed);
            let rig = make(&mut rng);
            let root = Limit::new(rig.root, Range::new(0.0, 1.0 + rng.f64()));
            for distribution in [Distribution::RootFirst, Distribution::Even] {
                for ranges in [[Range::FREE; 3], [Range::FREE, SIZES, SIZES]] {
                    let scale = ScaleTarget { distribution, ranges, limits: vec![root] };
                    let solver = Sequence::new().then(scale).then(Fabrik::default());
                    let mut pose = rig.skeleton.neutral_pose();
                    let place = pose.position(rig.root) + direction(&mut rng) * rig.length() * rng.f64();
                    let goals = [
                        Goal::scale(rig.tip, direction(&mut rng) * 9.0).base(rig.root),
                        Goal::scale(rig.mid, DVec3::splat(rng.f64() * 4.0)).weight(0.7),
                        Goal::position(rig.tip, place).base(rig.root),
                    ];
                    let outcome = solver.solve(&rig.skeleton, &goals, &mut pose, &mut work);
                    hash.solved(&rig.skeleton, &pose, &outcome, &work);
                }
            }
        }
    }
    hash.0
}
