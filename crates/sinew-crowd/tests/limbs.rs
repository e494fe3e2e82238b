//! Limbs by numbers alone: where the core puts them, the same bits at every width, wherever they stand.

use sinew::glam::{DVec3, Quat, Vec3};
use sinew::solve::two_bone::{Reach, spatial};
use sinew_crowd::{Limbs, Width};

use crate::vector;

/// Problems, a slice a number, and what came out.
#[derive(Clone)]
struct Set {
    numbers: [Vec<f32>; 11],
}

impl Set {
    /// Every fourth limb is out of reach, too close, at its root, or has a pole along its line.
    fn new(count: usize) -> Self {
        let random = &mut fastrand::Rng::with_seed(19);
        let mut numbers: [Vec<f32>; 11] = Default::default();
        for index in 0..count {
            let (root, line) = (vector(random) * 4.0, vector(random).normalize());
            let [l1, l2] = [0.1 + random.f64(), 0.1 + random.f64()];
            let between = (l1 - l2).abs() + (l1 + l2 - (l1 - l2).abs()) * (0.01 + 0.98 * random.f64());
            let distance = match index % 16 {
                0 => (l1 + l2) * (1.0 + random.f64()),
                4 => (l1 - l2).abs() * random.f64(),
                8 => 0.0,
                _ => between,
            };
            let pole = match index % 16 {
                12 => line * 3.0,
                13 => DVec3::ZERO,
                14 => (line + vector(random) * 0.01) * 100.0,
                _ => vector(random),
            };
            let target = root + line * distance;
            let all =
                [root, target, pole].into_iter().flat_map(|v| v.as_vec3().to_array()).chain([l1 as f32, l2 as f32]);
            numbers.iter_mut().zip(all).for_each(|(slice, x)| slice.push(x));
        }
        Self { numbers }
    }

    fn limbs(&self) -> Limbs<'_> {
        let vector = |from: usize| [0, 1, 2].map(|axis| &self.numbers[from + axis][..]);
        Limbs { root: vector(0), target: vector(3), pole: vector(6), lengths: [&self.numbers[9], &self.numbers[10]] }
    }

    fn vector(&self, from: usize, limb: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis| self.numbers[from + axis][limb]))
    }

    /// Positions, then rotations.
    fn solve(&self, width: Width) -> [Vec<f32>; 12] {
        let mut out: [Vec<f32>; 12] = std::array::from_fn(|_| vec![f32::NAN; self.numbers[0].len()]);
        let [a, b, c, d, e, f, g, h, i, j, k, l] = out.each_mut().map(|slice| &mut slice[..]);
        self.limbs().positions(width, [a, b, c], [d, e, f]);
        self.limbs().rotations(width, [g, h, i, j], [k, l]);
        out
    }
}

#[test]
fn bare_limbs_are_where_the_core_puts_them() {
    let set = Set::new(4001);
    let out = set.solve(Width::new());
    let (mut worst, mut turned) = (0.0_f64, 0.0_f64);
    for (limb, (&l1, &l2)) in set.numbers[9].iter().zip(&set.numbers[10]).enumerate() {
        let [root, target, pole] = [0, 3, 6].map(|from| set.vector(from, limb));
        let at = |from: usize| Vec3::from_array([0, 1, 2].map(|axis| out[from + axis][limb]));
        let (mid, tip) = (at(0), at(3));
        let size = f64::from(l1 + l2);
        // Bones have their lengths, and the rotations give the same places.
        let first = Quat::from_array([6, 7, 8, 9].map(|index: usize| out[index][limb]));
        let second = first * Quat::from_xyzw(0.0, 0.0, out[10][limb], out[11][limb]);
        let ends = [first * Vec3::X * l1, first * Vec3::X * l1 + second * Vec3::X * l2];
        for (end, place) in ends.into_iter().zip([mid, tip]) {
            turned = turned.max(f64::from((root + end).distance(place)) / size);
        }
        assert!((first.length() - 1.0).abs() < 1e-5 && (second.length() - 1.0).abs() < 1e-5, "{limb} {first} {second}");
        assert!(out[10][limb] <= 0.0, "{limb}: folds to the other side");
        if limb % 16 == 12 {
            // How far f32 puts the pole beside the line is chance: the lengths are not.
            let off = (mid.distance(root) - l1).abs().max((mid.distance(tip) - l2).abs());
            assert!(f64::from(off) < 1e-5 * size, "{limb} {off}");
            continue;
        }
        let [root, target, pole] = [root.as_dvec3(), target.as_dvec3(), pole.as_dvec3()];
        let wanted = spatial::positions(root, target, pole, f64::from(l1), f64::from(l2), Reach::Clamp).elbows[0];
        for (place, wanted) in [mid, tip].into_iter().zip(wanted) {
            worst = worst.max(place.as_dvec3().distance(wanted) / size);
        }
    }
    println!("places {worst:e}, rotations {turned:e}");
    assert!(worst < 4e-5 && turned < 3e-6, "{worst:e} {turned:e}");
}

#[test]
fn bare_limbs_have_the_same_bits_at_every_width_wherever_they_stand() {
    let set = Set::new(333);
    let bits = |out: [Vec<f32>; 12]| out.map(|slice| slice.into_iter().map(f32::to_bits).collect::<Vec<_>>());
    let mut answers = Width::all().map(|width| (width.name(), bits(set.solve(width))));
    let (_, reference) = answers.next().unwrap();
    answers.for_each(|(name, answer)| assert!(answer == reference, "{name}"));
    // Without the first 7 every limb is in another lane, beside others.
    let later = Set { numbers: set.numbers.each_ref().map(|slice| slice[7..].to_vec()) };
    for width in Width::all() {
        let answer = bits(later.solve(width));
        for (slice, all) in answer.iter().zip(&reference) {
            assert!(slice[..] == all[7..], "{}", width.name());
        }
    }
}

#[test]
fn bare_limbs_allocate_nothing() {
    let set = Set::new(100);
    let (mut out, width) = (vec![[0.0; 100]; 6], Width::new());
    let info = allocation_counter::measure(|| {
        let [a, b, c, d, e, f] = &mut out[..] else { return };
        set.limbs().positions(width, [&mut a[..], b, c], [d, e, f]);
    });
    assert!(out[5].iter().any(|&x| x != 0.0));
    assert_eq!(info.count_total, 0);
}
