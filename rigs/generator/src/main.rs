//! Rewrites the rigs and says what went into them.

use std::error::Error;
use std::fs;

use rig_generator::mesh::Mesh;
use rig_generator::skeleton::Skeleton;
use rig_generator::{body, creatures, glb, human, rig_path};

fn main() -> Result<(), Box<dyn Error>> {
    let skeleton = human::skeleton();
    let mesh = body::flesh(&skeleton);
    write("human", "Human", &skeleton, &mesh)?;
    for creature in creatures::all() {
        write(creature.name, creature.name, &creature.skeleton, &creature.mesh)?;
    }
    Ok(())
}

fn write(file: &str, scene: &str, skeleton: &Skeleton, mesh: &Mesh) -> Result<(), Box<dyn Error>> {
    let bytes = glb::write(scene, skeleton, mesh)?;
    // A reader never sees half a file.
    let path = rig_path(file);
    let unfinished = path.with_extension("glb.part");
    fs::write(&unfinished, &bytes)?;
    fs::rename(&unfinished, &path)?;
    println!(
        "wrote rigs/{file}.glb: {} joints, {} vertices, {} triangles, {} bytes",
        skeleton.joints().len(),
        mesh.vertices.len(),
        mesh.triangles.len(),
        bytes.len(),
    );
    Ok(())
}
