//! Links and joints that make one tree: every name is there and unique, every link but one hangs on one joint.

use std::collections::BTreeMap;

use crate::error::{Fault, line, quoted};
use crate::joint::UrdfJoint;
use crate::link::Link;
use crate::xml::Element;

/// The links and joints of a file, checked.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) links: Vec<Link<'a>>,
    /// In the file's order.
    pub(crate) joints: Vec<UrdfJoint<'a>>,
    pub(crate) joints_by_name: BTreeMap<&'a str, usize>,
    /// Parent and child link of each joint.
    pub(crate) ends: Vec<(usize, usize)>,
    /// The joint above each link.
    pub(crate) above: Vec<Option<usize>>,
    /// The link that hangs on no joint.
    pub(crate) root: usize,
}

impl<'a> Tree<'a> {
    pub(crate) fn read(robot: &'a Element, text: &str) -> Result<Self, Fault> {
        let all = |name: &'static str| robot.children.iter().filter(move |child| child.name == name);
        let links = all("link").map(Link::read).collect::<Result<Vec<_>, _>>()?;
        let joints = all("joint").map(UrdfJoint::read).collect::<Result<Vec<_>, _>>()?;
        let by_name = index(links.iter().map(|link| (link.name, link.element)), text)?;
        let joints_by_name = index(joints.iter().map(|joint| (joint.name, joint.element)), text)?;
        let ends = joints.iter().map(|joint| find_ends(joint, &by_name)).collect::<Result<Vec<_>, _>>()?;
        let above = joints_above(&links, &joints, &ends, text)?;
        let root = find_root(robot, &links, &above, text)?.ok_or_else(|| {
            // Every way up from anywhere ends on a loop.
            let up = |joint: &usize| above[ends[*joint].0];
            let last = std::iter::successors(above[0], up).nth(links.len());
            last.map_or_else(|| Fault::new(robot, "it has no root"), |joint| closed_loop(&joints[joint]))
        })?;
        let tree = Self { links, joints, joints_by_name, ends, above, root };
        tree.check_reached()?;
        Ok(tree)
    }

    /// With one root and one joint above every other link, what is not below the root hangs on a loop.
    fn check_reached(&self) -> Result<(), Fault> {
        let mut is_rooted = vec![false; self.links.len()];
        is_rooted[self.root] = true;
        let mut path = Vec::new();
        for link in 0..self.links.len() {
            let mut at = link;
            while let (false, Some(joint)) = (is_rooted[at], self.above[at]) {
                path.push(at);
                if path.len() > self.links.len() {
                    return Err(closed_loop(&self.joints[joint]));
                }
                at = self.ends[joint].0;
            }
            path.drain(..).for_each(|link| is_rooted[link] = true);
        }
        Ok(())
    }
}

/// The fault of a joint on a closed loop.
fn closed_loop(joint: &UrdfJoint<'_>) -> Fault {
    Fault::new(joint.element, "it is part of a closed loop, which URDF cannot hold")
        .advise("cut the loop at one joint, and close it again by a goal relative to a joint")
}

/// Places by name; refuses names that are there twice.
fn index<'a>(
    named: impl Iterator<Item = (&'a str, &'a Element)>,
    text: &str,
) -> Result<BTreeMap<&'a str, usize>, Fault> {
    let mut places = BTreeMap::new();
    for (place, (name, element)) in named.enumerate() {
        if let Some((_, first)) = places.insert(name, (place, element)) {
            let problem = format!("its name is taken on line {}", line(text, first.at));
            return Err(Fault::new(element, problem).advise("rename one of the two and what refers to it"));
        }
    }
    Ok(places.into_iter().map(|(name, (place, _))| (name, place)).collect())
}

fn find_ends(joint: &UrdfJoint<'_>, by_name: &BTreeMap<&str, usize>) -> Result<(usize, usize), Fault> {
    let find = |end: &str, name: &str| {
        by_name.get(name).copied().ok_or_else(|| {
            let fault = Fault::new(joint.element, format!("its {end}, the link {}, does not exist", quoted(name)));
            fault.advise("add the link or mend the name; elements with a prefix do not count")
        })
    };
    let ends = (find("parent", joint.parent)?, find("child", joint.child)?);
    if ends.0 == ends.1 {
        return Err(Fault::new(joint.element, format!("it hangs the link {} on itself", quoted(joint.child))));
    }
    Ok(ends)
}

fn joints_above(
    links: &[Link<'_>],
    joints: &[UrdfJoint<'_>],
    ends: &[(usize, usize)],
    text: &str,
) -> Result<Vec<Option<usize>>, Fault> {
    let mut above: Vec<Option<usize>> = vec![None; links.len()];
    for (joint, &(_, child)) in ends.iter().enumerate() {
        if let Some(first) = above[child].replace(joint) {
            let (link, first) = (quoted(links[child].name), joints[first].element);
            let problem =
                format!("the link {link} is a child already, of {} on line {}", first.label(), line(text, first.at));
            return Err(Fault::new(joints[joint].element, problem)
                .advise("leave one of the two; close the loop by a goal relative to a joint"));
        }
    }
    Ok(above)
}

/// The link that hangs on no joint; none where every link hangs on one.
fn find_root(robot: &Element, links: &[Link<'_>], above: &[Option<usize>], text: &str) -> Result<Option<usize>, Fault> {
    if links.is_empty() {
        return Err(Fault::new(robot, "there is no <link> in it"));
    }
    let mut roots = (0..links.len()).filter(|&link| above[link].is_none());
    let first = roots.next();
    if let (Some(first), Some(second)) = (first, roots.next()) {
        let (first, second) = (links[first].element, links[second].element);
        let problem = format!("it hangs on no joint, nor does {} on line {}", first.label(), line(text, first.at));
        return Err(Fault::new(second, problem).advise("a robot has one root: connect the two by a joint"));
    }
    Ok(first)
}
