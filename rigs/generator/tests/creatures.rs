//! What may be taken for granted about the creatures in `rigs/`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use rig_generator::{creatures, glb, rig_path};

#[test]
fn the_committed_files_are_what_the_generator_makes() -> Result<(), Box<dyn Error>> {
    for creature in creatures::all() {
        let made = glb::write(creature.name, &creature.skeleton, &creature.mesh)?;
        let committed = fs::read(rig_path(creature.name))?;
        assert!(made == committed, "run `cargo run -p rig-generator` and commit rigs/{}.glb", creature.name);
        assert!(made.len() < 250_000, "{}: {} bytes", creature.name, made.len());
    }
    Ok(())
}

#[test]
fn they_stand_on_the_ground_and_are_closed() {
    for creature in creatures::all() {
        let lowest = creature.mesh.vertices.iter().map(|vertex| vertex.position.y).fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 0.02, "{}: {lowest}", creature.name);
        let mut edges = BTreeMap::new();
        let mut volume = 0.0;
        for &[a, b, c] in &creature.mesh.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *edges.entry(edge).or_insert(0) += 1;
            }
            let [a, b, c] = [a, b, c].map(|corner| creature.mesh.vertices[corner].position);
            volume += a.dot(b.cross(c)) / 6.0;
        }
        for (&(from, to), &count) in &edges {
            assert_eq!((count, edges.get(&(to, from))), (1, Some(&1)), "{}: edge {from} {to}", creature.name);
        }
        assert!(volume > 0.0, "{}: {volume}", creature.name);
    }
}
