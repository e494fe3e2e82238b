//! Law 10 across machines for arms, as the core's `tests/determinism`: one hash a scene, pinned.

mod scenes;

use scenes::SCENES;

#[test]
fn the_bits_are_the_pinned_ones() {
    for (name, hash, pinned) in SCENES {
        assert_eq!(hash(), pinned, "{name}: its bits changed: on purpose, or on this machine only?");
    }
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
