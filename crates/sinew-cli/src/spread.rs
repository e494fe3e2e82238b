//! Work over all cores, with the results in their order: the same whatever the number of cores.

use std::num::NonZero;
use std::thread;

/// What `one` gives for each number below `count`.
pub(crate) fn over_cores<T: Send>(count: usize, one: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(count.max(1));
    // Every core takes every so manieth, since neighbours are alike hard.
    let part = |core: usize| (core..count).step_by(cores).map(&one).collect::<Vec<T>>();
    let mut parts: Vec<_> = thread::scope(|scope| {
        let part = &part;
        let others: Vec<_> = (1..cores).map(|core| scope.spawn(move || part(core))).collect();
        let first = part(0);
        let others =
            others.into_iter().map(|core| core.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)));
        std::iter::once(first).chain(others).map(Vec::into_iter).collect()
    });
    (0..count).filter_map(|number| parts[number % cores].next()).collect()
}

#[cfg(test)]
mod tests {
    use super::over_cores;

    #[test]
    fn results_are_in_order() {
        for count in [0, 1, 2, 3, 1000] {
            assert_eq!(over_cores(count, |number| number * number), (0..count).map(|n| n * n).collect::<Vec<_>>());
        }
    }
}
