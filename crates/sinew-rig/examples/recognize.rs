//! What is recognised in a rig: `cargo run --example recognize -- FILE.glb`, else the human of this project.

use sinew_gltf::Character;
use sinew_rig::{Evidence, recognize};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let character = match std::env::args_os().nth(1) {
        Some(file) => sinew_gltf::load(file)?,
        None => Character::from_slice(include_bytes!("../../../rigs/human.glb"), None)?,
    };
    let skeleton = &character.skeleton;
    let found = recognize(&Evidence::of_character(&character));
    println!("{}: looks along {:.2} ({})", found.body.name(), found.forward, found.forward_reason);
    for limb in &found.limbs {
        let name = |&joint| {
            skeleton.name(joint).map_or_else(|| format!("#{}", character.node(joint).unwrap_or(0)), str::to_owned)
        };
        let joints: Vec<String> = limb.joints.iter().map(name).collect();
        println!("  {limb}, {:.2}: {} ({})", limb.confidence, joints.join(" > "), limb.reason);
    }
    Ok(())
}
