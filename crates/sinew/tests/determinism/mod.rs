//! Law 10 across machines: one hash a solver over many solves, pinned. It must be the same in debug and
//! release, with wider instructions, and on every architecture; CI runs what it can of those.

pub(crate) mod scenes;

use scenes::SCENES;

/// Each scene in several threads at once.
#[test]
fn the_bits_are_the_pinned_ones_in_every_thread() {
    let count = if cfg!(debug_assertions) { 2 } else { 4 };
    let mut changed = Vec::new();
    for (name, hash, pinned) in SCENES {
        let threads: Vec<_> = (0..count).map(|_| std::thread::spawn(hash)).collect();
        let hashes: Vec<u64> = threads.into_iter().map(|thread| thread.join().expect("no panic")).collect();
        if hashes.iter().any(|&hash| hash != pinned) {
            changed.push((name, hashes, pinned));
        }
    }
    assert!(changed.is_empty(), "bits changed, on purpose or on this machine only: {changed:?} (name, now, pinned)");
}
