//! All tests of `sinew-cli`: one program, so that it is linked once.

mod bake;
mod bvh;
mod characters;
mod clips;
mod command;
mod crowd;
mod data;
mod face;
mod gltf;
mod parts;
mod path;
mod plant;
mod reach;
mod robots;
mod shell;
mod simulate;
mod streams;
mod words;
