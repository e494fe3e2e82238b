//! Animations as the document lists them: which nodes each one drives, by which keys.
//!
//! A viewer that plays a clip ignores the pose of the nodes it drives, so a caller wants to know which
//! clips get in the way of what it moved. Samplers are checked for having a value for every key and a
//! way between keys that there is, since the file is written with them again; the keys themselves are only
//! looked at where an animation is asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::accessor::Accessors;
use crate::clip::Property;
use crate::document::{Object, in_range};
use crate::error::{Fault, quoted};

/// One animation of the file.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) name: Option<String>,
    /// Nodes whose translation, rotation or scale it drives.
    pub(crate) nodes: BTreeSet<usize>,
    pub(crate) samplers: Vec<Sampler>,
    /// Those that drive a node, in the file's order.
    pub(crate) channels: Vec<Channel>,
}

/// Keys, by the accessors that hold them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampler {
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) way: Way,
}

/// What is between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Step,
    Linear,
    CubicSpline,
}

/// What a channel drives of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    /// Its place among the animation's channels in the file.
    pub(crate) place: usize,
    pub(crate) sampler: usize,
    pub(crate) node: usize,
    pub(crate) property: Property,
}

impl Way {
    /// Elements of the output for each key.
    pub(crate) fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

/// Reads `animations`, of `nodes` nodes.
pub(crate) fn read(root: Object<'_>, nodes: usize, accessors: &Accessors) -> Result<Vec<Listing>, Fault> {
    root.each("animations", |clip| {
        let samplers = clip.each("samplers", |sampler| read_sampler(sampler, accessors))?;
        let targets = clip.each("channels", |channel| read_channel(channel, nodes, samplers.len()))?;
        let name = clip.text("name")?.map(str::to_owned);
        let driven = targets.iter().enumerate().filter_map(|(place, target)| {
            let Target { node, property, sampler } = (*target)?;
            Some(Channel { place, sampler: sampler?, node, property })
        });
        let channels = driven.collect();
        Ok(Listing { name, nodes: targets.iter().flatten().map(|target| target.node).collect(), samplers, channels })
    })
}

fn read_sampler(sampler: Object<'_>, accessors: &Accessors) -> Result<Sampler, Fault> {
    let accessor = |key: &str| {
        let index = sampler.whole(key)?.ok_or_else(|| Fault::new("missing").at(key))?;
        in_range(index, accessors.len(), "accessor").map_err(|fault| fault.at(key))
    };
    let (input, output) = (accessor("input")?, accessor("output")?);
    let way = match sampler.text("interpolation")? {
        None | Some("LINEAR") => Way::Linear,
        Some("STEP") => Way::Step,
        Some("CUBICSPLINE") => Way::CubicSpline,
        Some(other) => {
            let problem = format!("{} is none of LINEAR, STEP and CUBICSPLINE", quoted(other));
            return Err(Fault::new(problem).at("interpolation"));
        }
    };
    let (keys, values, per_key) = (accessors.count(input), accessors.count(output), way.values_per_key());
    if values < keys.saturating_mul(per_key) {
        let problem = format!("{values} values for {keys} keys, each of which needs {per_key}");
        return Err(Fault::new(problem).at("output"));
    }
    Ok(Sampler { input, output, way })
}

/// A node that a channel drives, and by which sampler, where it has one.
#[derive(Clone, Copy, Debug)]
struct Target {
    node: usize,
    property: Property,
    sampler: Option<usize>,
}

fn read_channel(channel: Object<'_>, nodes: usize, samplers: usize) -> Result<Option<Target>, Fault> {
    let sampler = channel.whole("sampler")?;
    if let Some(sampler) = sampler {
        in_range(sampler, samplers, "sampler").map_err(|fault| fault.at("sampler"))?;
    }
    let Some(target) = channel.object("target")? else { return Ok(None) };
    let inside = |fault: Fault| fault.at("target");
    let path = target.text("path").map_err(inside)?;
    if path == Some("pointer") {
        let pointed = pointed_node(target).filter(|(node, _)| *node < nodes);
        return Ok(pointed.map(|(node, property)| Target { node, property, sampler }));
    }
    let Some(property) = path.and_then(Property::named) else { return Ok(None) };
    let Some(node) = target.whole("node").map_err(inside)? else { return Ok(None) };
    let node = in_range(node, nodes, "node").map_err(|fault| fault.at("target.node"))?;
    Ok(Some(Target { node, property, sampler }))
}

/// What a pointer such as `/nodes/3/rotation` (`KHR_animation_pointer`) means.
fn pointed_node(target: Object<'_>) -> Option<(usize, Property)> {
    let pointer = target.extension("KHR_animation_pointer").ok()??.value("pointer").and_then(Value::as_str)?;
    let (node, property) = pointer.strip_prefix("/nodes/")?.split_once('/')?;
    Some((node.parse().ok()?, Property::named(property)?))
}
