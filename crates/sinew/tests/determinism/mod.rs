//! Law 10 across machines: one hash a solver over many solves, pinned. It must be the same in debug and
//! release, with wider instructions, and on every architecture; CI runs what it can of those.

pub(crate) mod scenes;

use scenes::SCENES;

#[test]
fn the_bits_are_the_pinned_ones() {
    let changed = SCENES.map(|(name, hash, pinned)| (name, hash(), pinned)).into_iter();
    let changed: Vec<_> = changed.filter(|(_, hash, pinned)| hash != pinned).collect();
    assert!(changed.is_empty(), "bits changed, on purpose or on this machine only: {changed:?} (name, now, pinned)");
}

#[test]
fn threads_agree() {
    let count = if cfg!(debug_assertions) { 2 } else { 4 };
    for (name, hash, _) in SCENES {
        let threads: Vec<_> = (0..count).map(|_| std::thread::spawn(hash)).collect();
        let hashes: Vec<u64> = threads.into_iter().map(|t| t.join().expect("no panic")).collect();
        assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{name}: {hashes:?}");
    }
}
