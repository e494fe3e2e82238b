//! Clips, as far as they concern a pose: which nodes each one drives.
//!
//! A viewer that plays a clip ignores the pose of the nodes it drives, so a caller wants to know which
//! clips get in the way of what it moved. Samplers are checked for having a value for every key and a
//! way between keys that there is, since the file is written with them again.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::accessor::Accessors;
use crate::document::{Object, in_range};
use crate::error::{Fault, quoted};

/// One animation of the file.
#[derive(Debug)]
pub(crate) struct Animation {
    pub(crate) name: Option<String>,
    /// Nodes whose translation, rotation or scale it drives.
    pub(crate) nodes: BTreeSet<usize>,
}

/// Reads `animations`, of `nodes` nodes.
pub(crate) fn read(root: Object<'_>, nodes: usize, accessors: &Accessors) -> Result<Vec<Animation>, Fault> {
    root.each("animations", |clip| {
        let samplers = clip.each("samplers", |sampler| check_sampler(sampler, accessors))?;
        let targets = clip.each("channels", |channel| read_target(channel, nodes, samplers.len()))?;
        let name = clip.text("name")?.map(str::to_owned);
        Ok(Animation { name, nodes: targets.into_iter().flatten().collect() })
    })
}

fn check_sampler(sampler: Object<'_>, accessors: &Accessors) -> Result<(), Fault> {
    let accessor = |key: &str| {
        let index = sampler.whole(key)?.ok_or_else(|| Fault::new("missing").at(key))?;
        in_range(index, accessors.len(), "accessor").map_err(|fault| fault.at(key))
    };
    let (input, output) = (accessor("input")?, accessor("output")?);
    let values_per_key = match sampler.text("interpolation")? {
        None | Some("LINEAR" | "STEP") => 1,
        Some("CUBICSPLINE") => 3,
        Some(other) => {
            let problem = format!("{} is none of LINEAR, STEP and CUBICSPLINE", quoted(other));
            return Err(Fault::new(problem).at("interpolation"));
        }
    };
    let (keys, values) = (accessors.count(input), accessors.count(output));
    if values < keys.saturating_mul(values_per_key) {
        let problem = format!("{values} values for {keys} keys, each of which needs {values_per_key}");
        return Err(Fault::new(problem).at("output"));
    }
    Ok(())
}

/// The node that a channel drives, where it drives one.
fn read_target(channel: Object<'_>, nodes: usize, samplers: usize) -> Result<Option<usize>, Fault> {
    if let Some(sampler) = channel.whole("sampler")? {
        in_range(sampler, samplers, "sampler").map_err(|fault| fault.at("sampler"))?;
    }
    let Some(target) = channel.object("target")? else { return Ok(None) };
    let inside = |fault: Fault| fault.at("target");
    match target.text("path").map_err(inside)? {
        Some("translation" | "rotation" | "scale") => {}
        Some("pointer") => return Ok(pointed_node(target)),
        _ => return Ok(None),
    }
    let Some(node) = target.whole("node").map_err(inside)? else { return Ok(None) };
    in_range(node, nodes, "node").map(Some).map_err(|fault| fault.at("target.node"))
}

/// The node in a pointer such as `/nodes/3/rotation` (`KHR_animation_pointer`).
fn pointed_node(target: Object<'_>) -> Option<usize> {
    let pointer = target.extension("KHR_animation_pointer").ok()??.value("pointer").and_then(Value::as_str)?;
    let mut steps = pointer.strip_prefix("/nodes/")?.split('/');
    let node = steps.next()?.parse().ok()?;
    matches!(steps.next()?, "translation" | "rotation" | "scale").then_some(node)
}
