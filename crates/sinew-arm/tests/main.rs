//! All tests of `sinew-arm`: one program, so that it is linked once.

mod arm_alone;
mod arms;
mod determinism;
mod laws;
mod no_alloc;
mod path;
mod reach;
mod real_reach;
#[cfg(not(debug_assertions))]
mod same_bits;
mod serial;
mod still;
mod tasks;

use sinew_arm::Width;

/// What the machine can; one alone in dev builds. Three lanes, which every machine has, are compared by the unit tests.
fn widths() -> Vec<Width> {
    Width::all().collect()
}

#[test]
fn the_width_is_one_of_those_of_the_machine() {
    let widths: Vec<usize> = widths().into_iter().map(Width::lanes).collect();
    assert!([&[1][..], &[1, 4], &[1, 4, 8]].contains(&&widths[..]), "{widths:?}");
    assert_eq!(Some(&Width::new().lanes()), widths.last());
    if widths.len() < 3 {
        println!("this machine has no AVX-512: of widths, {widths:?} were compared");
    }
}
