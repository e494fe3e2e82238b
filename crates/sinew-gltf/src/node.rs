//! The nodes of a document and the tree they form.
//!
//! Indices, two parents and cycles are checked here, once, so that whoever walks the tree afterwards
//! comes to an end. Nothing recurses: a hundred thousand nodes in a row are no danger.

use glam::DAffine3;

use crate::document::{Object, in_range};
use crate::error::Fault;
use crate::placement::Placement;

/// One node, with only what concerns joints.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) name: Option<String>,
    pub(crate) placement: Placement,
    pub(crate) mesh: Option<usize>,
    pub(crate) skin: Option<usize>,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
}

/// All nodes, by index, and the roots of the scene that the file shows.
#[derive(Debug)]
pub(crate) struct Nodes {
    list: Vec<Node>,
    /// Every node after its parent.
    order: Vec<usize>,
    scene: Vec<usize>,
}

impl Nodes {
    /// Reads `nodes`, `scenes` and `scene`.
    pub(crate) fn read(root: Object<'_>) -> Result<Self, Fault> {
        let mut list = root.each("nodes", read_node)?;
        link(&mut list)?;
        let order = parents_first(&list)?;
        let scene = read_scene(root, &list)?;
        Ok(Self { list, order, scene })
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Node> {
        self.list.get(index)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &Node)> {
        self.list.iter().enumerate()
    }

    /// All nodes, every one after its parent.
    pub(crate) fn parents_first(&self) -> impl DoubleEndedIterator<Item = (usize, &Node)> {
        self.order.iter().filter_map(|&index| Some((index, self.get(index)?)))
    }

    /// The nodes that the scene lists: the default scene, else the first, else every root.
    pub(crate) fn scene(&self) -> &[usize] {
        &self.scene
    }

    /// Marks the given nodes and everything below them.
    pub(crate) fn with_descendants(&self, nodes: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut marked = vec![false; self.len()];
        for index in nodes {
            mark(&mut marked, Some(index));
        }
        for (index, node) in self.parents_first() {
            if node.parent.is_some_and(|parent| is_marked(&marked, parent)) {
                mark(&mut marked, Some(index));
            }
        }
        marked
    }

    /// Marks every node above a marked one.
    pub(crate) fn above(&self, below: &[bool]) -> Vec<bool> {
        let mut marked = vec![false; self.len()];
        for (index, node) in self.parents_first().rev() {
            if is_marked(below, index) || is_marked(&marked, index) {
                mark(&mut marked, node.parent);
            }
        }
        marked
    }

    /// Every node's map from its own frame to the scene's, at rest.
    pub(crate) fn in_scene(&self) -> Vec<DAffine3> {
        let mut maps = vec![DAffine3::IDENTITY; self.len()];
        for (index, node) in self.parents_first() {
            let above = node.parent.and_then(|parent| maps.get(parent)).copied().unwrap_or(DAffine3::IDENTITY);
            if let Some(map) = maps.get_mut(index) {
                *map = above * node.placement.to_affine();
            }
        }
        maps
    }
}

/// Whether an index is in range and marked.
pub(crate) fn is_marked(marks: &[bool], index: usize) -> bool {
    marks.get(index).copied().unwrap_or(false)
}

fn mark(marks: &mut [bool], index: Option<usize>) {
    if let Some(mark) = index.and_then(|index| marks.get_mut(index)) {
        *mark = true;
    }
}

fn read_node(node: Object<'_>) -> Result<Node, Fault> {
    let name = node.text("name")?.map(str::to_owned);
    if name.as_ref().is_some_and(|name| name.contains('\0')) {
        return Err(Fault::new("holds the character NUL, where most programs end a name; remove it").at("name"));
    }
    Ok(Node {
        name,
        placement: Placement::read(node)?,
        mesh: node.whole("mesh")?,
        skin: node.whole("skin")?,
        parent: None,
        children: node.wholes("children")?,
    })
}

/// Notes every node's parent.
fn link(list: &mut [Node]) -> Result<(), Fault> {
    for index in 0..list.len() {
        let children = std::mem::take(&mut list[index].children);
        for (place, &child) in children.iter().enumerate() {
            let fault = |fault: Fault| fault.entry("children", place).entry("nodes", index);
            let child = in_range(child, list.len(), "node").map_err(fault)?;
            if let Some(other) = list[child].parent.replace(index) {
                let problem = format!("node {child} is already a child of node {other}, and a node has one parent");
                return Err(fault(Fault::new(problem)));
            }
        }
        list[index].children = children;
    }
    Ok(())
}

/// The order in which parents come first; what it does not reach lies on or below a cycle.
fn parents_first(list: &[Node]) -> Result<Vec<usize>, Fault> {
    let mut order: Vec<usize> = (0..list.len()).filter(|&index| list[index].parent.is_none()).collect();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        order.extend_from_slice(&list[index].children);
        next += 1;
    }
    if order.len() == list.len() {
        return Ok(order);
    }
    let mut reached = vec![false; list.len()];
    for &index in &order {
        mark(&mut reached, Some(index));
    }
    let on_cycle = reached.iter().position(|reached| !reached).unwrap_or_default();
    Err(Fault::new("its children lead back to the node itself").at("children").entry("nodes", on_cycle))
}

fn read_scene(root: Object<'_>, list: &[Node]) -> Result<Vec<usize>, Fault> {
    let scenes = root.each("scenes", |scene| {
        let nodes = scene.wholes("nodes")?;
        for (place, &node) in nodes.iter().enumerate() {
            let fault = |fault: Fault| fault.entry("nodes", place);
            let root = in_range(node, list.len(), "node").map_err(fault)?;
            if let Some(parent) = list[root].parent {
                let problem = format!("node {root} is a child of node {parent}, and a scene lists roots only");
                return Err(fault(Fault::new(problem)));
            }
        }
        Ok(nodes)
    })?;
    let shown = root.whole("scene")?;
    if let Some(shown) = shown {
        in_range(shown, scenes.len(), "scene").map_err(|fault| fault.at("scene"))?;
    }
    let every_root = || (0..list.len()).filter(|&index| list[index].parent.is_none()).collect();
    Ok(scenes.into_iter().nth(shown.unwrap_or(0)).unwrap_or_else(every_root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Nodes, String> {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        Nodes::read(Object::of(&value).unwrap()).map_err(|fault| fault.in_file("f").to_string())
    }

    #[test]
    fn what_is_no_tree_is_refused_by_place() {
        let two_parents = read(r#"{"nodes":[{"children":[2]},{"children":[2]},{}]}"#).unwrap_err();
        assert!(
            two_parents.starts_with("f: nodes[1].children[0]: node 2 is already a child of node 0"),
            "{two_parents}"
        );
        let cycle = read(r#"{"nodes":[{},{"children":[2]},{"children":[1]}]}"#).unwrap_err();
        assert!(cycle.starts_with("f: nodes[1].children: "), "{cycle}");
        assert!(read(r#"{"nodes":[{"children":[0]}]}"#).is_err());
        assert!(
            read(r#"{"nodes":[{"children":[7]}]}"#)
                .unwrap_err()
                .starts_with("f: nodes[0].children[0]: there is no node 7")
        );
        assert!(read(r#"{"scene":3,"scenes":[{}]}"#).unwrap_err().starts_with("f: scene: there is no scene 3"));
    }

    #[test]
    fn marks_spread_down_and_up() {
        let nodes = read(r#"{"nodes":[{"children":[1]},{"children":[2,3]},{},{}]}"#).unwrap();
        assert_eq!(nodes.with_descendants([1]), [false, true, true, true]);
        assert_eq!(nodes.above(&[false, false, true, false]), [true, true, false, false]);
        assert_eq!(nodes.scene(), [0]);
    }
}
