//! Prints the joints of a glTF file as a tree: `cargo run -p sinew-gltf --example tree -- hero.glb`.
//! Without a path it shows the human of this repository.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let human = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rigs/human.glb");
    let path = std::env::args_os().nth(1).map_or(PathBuf::from(human), PathBuf::from);
    let character = sinew_gltf::load(path)?;
    let skeleton = &character.skeleton;
    println!("{}: {} joints, {:.3} high", character.name(), skeleton.len(), character.height());
    for joint in skeleton.iter() {
        let depth = std::iter::successors(skeleton.parent(joint), |&above| skeleton.parent(above)).count();
        let node = character.node(joint).map_or("inferred".to_owned(), |node| format!("node {node}"));
        let length = skeleton.rest(joint).translation.length();
        let (name, kind) = (skeleton.name(joint).unwrap_or("-"), skeleton.kind(joint).name());
        println!("{:indent$}{name}  {kind}, {length:.4} from its parent, {node}", "", indent = 2 * depth);
    }
    Ok(())
}
