//! Rewrites `rigs/human.glb` and says what went into it.

use std::error::Error;
use std::fs;

use rig_generator::{body, glb, human, human_path};

fn main() -> Result<(), Box<dyn Error>> {
    let skeleton = human::skeleton();
    let mesh = body::flesh(&skeleton);
    let bytes = glb::write(&skeleton, &mesh)?;

    // A reader never sees half a file.
    let path = human_path();
    let unfinished = path.with_extension("glb.part");
    fs::write(&unfinished, &bytes)?;
    fs::rename(&unfinished, &path)?;

    println!(
        "wrote rigs/human.glb: {} joints, {} vertices, {} triangles, {} bytes",
        skeleton.joints().len(),
        mesh.vertices.len(),
        mesh.triangles.len(),
        bytes.len(),
    );
    Ok(())
}
