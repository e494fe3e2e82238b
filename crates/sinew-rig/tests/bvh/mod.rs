//! Skeletons of motion capture files, read just far enough for these tests: HIERARCHY, no motion.
#![allow(clippy::unwrap_used, reason = "the files are well formed")]

use sinew::glam::DVec3;
use sinew::{Joint, JointSpec, Kind, Skeleton, SkeletonBuilder};

/// The skeleton, and the ends of its chains, which have no names.
pub(crate) fn skeleton(text: &str, rename: impl Fn(&str) -> Option<String>) -> (Skeleton, Vec<Joint>) {
    let mut builder = SkeletonBuilder::new();
    let (mut stack, mut specs): (Vec<usize>, Vec<(JointSpec, bool)>) = (Vec::new(), Vec::new());
    let mut words = text.split_whitespace();
    let mut next: Option<(Option<String>, bool)> = None;
    while let Some(word) = words.next() {
        match word {
            "ROOT" | "JOINT" => next = Some((rename(words.next().unwrap()), false)),
            "End" => next = Some((None, true)),
            "{" => {
                let (name, end) = next.take().unwrap();
                let kind = if end { Kind::Fixed } else { Kind::BALL };
                let spec =
                    JointSpec { name, parent: stack.last().map(|&parent| parent.into()), kind, ..JointSpec::default() };
                specs.push((spec, end));
                stack.push(specs.len() - 1);
            }
            "OFFSET" => {
                let mut number = || words.next().unwrap().parse::<f64>().unwrap();
                let offset = DVec3::new(number(), number(), number());
                specs[*stack.last().unwrap()].0.rest.translation = offset;
            }
            "}" => drop(stack.pop()),
            "MOTION" => break,
            _ => {}
        }
    }
    let ends: Vec<bool> = specs.iter().map(|(_, end)| *end).collect();
    for (spec, _) in specs {
        builder.add(spec);
    }
    let skeleton = builder.build().unwrap();
    let tips = (0..ends.len()).filter(|&index| ends[index]).map(|index| skeleton.from_caller(index).unwrap()).collect();
    (skeleton, tips)
}
