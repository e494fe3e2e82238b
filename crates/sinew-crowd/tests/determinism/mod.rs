//! The same bits on every machine, at every width and in every build: one hash a scene, pinned.

mod scenes;

use scenes::SCENES;

#[test]
fn the_bits_are_the_pinned_ones() {
    for (name, hash, pinned) in SCENES {
        assert_eq!(hash(), pinned, "{name}: its bits changed: on purpose, or on this machine only?");
    }
}
