//! Skeletons of motion capture files under other names.
#![allow(clippy::unwrap_used, reason = "the files are well formed")]

use sinew::{Joint, Skeleton};

/// The skeleton, and the ends of its chains, which have no names.
pub(crate) fn skeleton(text: &str, rename: impl Fn(&str) -> Option<String>) -> (Skeleton, Vec<Joint>) {
    let clip = sinew_bvh::parse(text.as_bytes()).unwrap();
    let ends: Vec<Joint> = clip.skeleton.iter().filter(|&joint| clip.is_end_site(joint)).collect();
    let renamed = clip.skeleton.revised(|joint, spec| {
        spec.name = spec.name.take().filter(|_| !ends.contains(&joint)).and_then(|name| rename(&name));
    });
    let skeleton = renamed.unwrap();
    let tips = ends.iter().map(|end| skeleton.at(end.index()).unwrap()).collect();
    (skeleton, tips)
}
