//! Animated nodes above a root, as motion of that root.
//!
//! A skeleton's base does not move. So where an animation moves the nodes above a root, the root is sampled as if it hung on the
//! resting base and did their motion itself; written back, that motion is taken off again, and the nodes keep their
//! channels.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Joint, Skeleton, Transform};

use crate::clip::Property;
use crate::curve::Curve;
use crate::file::File;
use crate::placement::Placement;

/// The nodes above a root.
#[derive(Debug)]
pub(crate) struct Above<'a> {
    pub(crate) root: Joint,
    base: DAffine3,
    /// From the uppermost down.
    nodes: Vec<Node<'a>>,
}

#[derive(Debug)]
struct Node<'a> {
    rest: Placement,
    curves: Vec<(Property, Curve<'a>)>,
}

impl<'a> Above<'a> {
    /// Those of a root that is this node; `None` where `curves_of` has none of any.
    pub(crate) fn of(
        file: &File,
        skeleton: &Skeleton,
        root: Joint,
        node: usize,
        mut curves_of: impl FnMut(usize) -> Vec<(Property, Curve<'a>)>,
    ) -> Option<Self> {
        let parent = |&node: &usize| file.nodes.get(node)?.parent;
        let up = std::iter::successors(parent(&node), parent);
        let one = |node| Some(Node { rest: file.nodes.get(node)?.placement, curves: curves_of(node) });
        let mut nodes: Vec<Node<'_>> = up.filter_map(one).collect();
        nodes.reverse();
        let moves = nodes.iter().any(|node| !node.curves.is_empty());
        moves.then(|| Self { root, base: *skeleton.base(root), nodes })
    }

    pub(crate) fn curves(&self) -> impl Iterator<Item = &Curve<'a>> {
        self.nodes.iter().flat_map(|node| &node.curves).map(|(_, curve)| curve)
    }

    /// The root's transform on the resting base, of the file's own below the moved nodes; `None` where it would shear.
    pub(crate) fn on_base(&self, time: f64, own: &Transform) -> Option<Transform> {
        self.mapped(own, |base, now| base.inverse() * now, time)
    }

    /// The other way round.
    pub(crate) fn off_base(&self, time: f64, local: &Transform) -> Option<Transform> {
        self.mapped(local, |base, now| now.inverse() * base, time)
    }

    fn mapped(&self, local: &Transform, map: impl Fn(DAffine3, DAffine3) -> DAffine3, time: f64) -> Option<Transform> {
        let now = self.nodes.iter().fold(DAffine3::IDENTITY, |above, node| above * node.at(time));
        if now == self.base {
            return Some(*local);
        }
        let parts = Placement::Matrix(map(self.base, now) * local.to_affine()).to_parts().ok()?;
        parts.is_finite().then_some(parts)
    }
}

impl Node<'_> {
    fn at(&self, time: f64) -> DAffine3 {
        let rest = self.rest.to_affine();
        let parts = if self.curves.is_empty() { None } else { self.rest.to_parts().ok() };
        parts.map_or(rest, |mut local| {
            for (property, curve) in &self.curves {
                property.put(curve.at(time), &mut local);
            }
            local.to_affine()
        })
    }
}

impl Property {
    /// Writes its numbers into a transform.
    pub(crate) fn put(self, numbers: [f64; 4], local: &mut Transform) {
        let [x, y, z, _] = numbers;
        match self {
            Self::Translation => local.translation = DVec3::new(x, y, z),
            Self::Rotation => local.rotation = DQuat::from_array(numbers),
            Self::Scale => local.scale = DVec3::new(x, y, z),
        }
    }
}
