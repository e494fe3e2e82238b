//! The peers, each through its own interface: rebirth-ik's `solve_chain` on points, skelly's FABRIK on a tree without
//! limits, k's Jacobian solver on a chain of hinges.

use k::nalgebra as na;
use k::{InverseKinematicsSolver as _, JacobianIkSolver, JointType, NodeBuilder, SerialChain};
use nalgebra_for_skelly as sna;
use rebirth_ik::Vec3;
use sinew::Kind;
use sinew::glam::{DQuat, DVec3};
use skelly::ik::StepResult;
use skelly::ik::fabrik::FabrikSolver;
use skelly::{Posture, Skelly};

use super::body::Body;
use super::contender::{Contender, RunOptions, chain};

/// The peer's `solve_chain`, in `f32` on points.
#[derive(Debug)]
pub(super) struct Rebirth {
    rest: Vec<Vec3>,
    now: Vec<Vec3>,
    lengths: Vec<f32>,
    targets: Vec<Vec3>,
    warm: bool,
    asked: RunOptions,
}

impl Rebirth {
    pub(super) fn new(body: &Body, asked: RunOptions) -> Self {
        let narrow = |v: &DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
        let (rest, lengths) = chain(body);
        let rest: Vec<Vec3> = rest.iter().map(narrow).collect();
        Self {
            now: rest.clone(),
            rest,
            lengths: lengths.into_iter().map(|length| length as f32).collect(),
            targets: body.targets.iter().map(narrow).collect(),
            warm: body.warm,
            asked,
        }
    }
}

impl Contender for Rebirth {
    fn solve(&mut self, record: usize) -> u32 {
        if !self.warm {
            self.now.copy_from_slice(&self.rest);
        }
        let RunOptions { tolerance, iterations } = self.asked;
        let target = self.targets[record];
        rebirth_ik::solve_chain(&mut self.now, &self.lengths, target, iterations, tolerance as f32).iterations
    }

    fn positions(&self) -> Vec<DVec3> {
        self.now.iter().map(|p| DVec3::new(p.x.into(), p.y.into(), p.z.into())).collect()
    }

    fn reset(&mut self) {
        self.now.copy_from_slice(&self.rest);
    }
}

/// skelly's tree, in `f64`.
pub(super) struct SkellyTree {
    tree: Skelly<f64>,
    posture: Posture<f64>,
    solver: FabrikSolver<f64>,
    /// Bone of each joint, in the file's order.
    bones: Vec<usize>,
    body: Body,
    asked: RunOptions,
}

impl std::fmt::Debug for SkellyTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SkellyTree").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl SkellyTree {
    pub(super) fn new(body: &Body, asked: RunOptions) -> Self {
        let mut tree = Skelly::new();
        let mut bones: Vec<usize> = vec![0; body.joints.len()];
        let place = |joint| body.joints.iter().position(|&other| other == joint);
        // Parents first, as in depth-first order.
        for joint in body.skeleton.iter() {
            let rest = body.skeleton.rest(joint).translation;
            let offset = sna::Vector3::new(rest.x, rest.y, rest.z);
            let parent = body.skeleton.parent(joint).and_then(place);
            let bone = match parent {
                Some(parent) => tree.attach(offset, bones[parent]),
                None => tree.add_root(offset.into()),
            };
            if let Some(at) = place(joint) {
                bones[at] = bone;
            }
        }
        let (posture, solver) = (Posture::new(&tree), FabrikSolver::new(asked.tolerance));
        Self { tree, posture, solver, bones, body: body.clone(), asked }
    }
}

impl Contender for SkellyTree {
    fn solve(&mut self, record: usize) -> u32 {
        if !self.body.warm {
            self.reset();
        }
        for (tip, target) in self.body.tips.iter().zip(self.body.targets(record)) {
            if let Some(at) = self.body.joints.iter().position(|joint| joint == tip) {
                self.solver.set_position_goal(self.bones[at], sna::Point3::new(target.x, target.y, target.z));
            }
        }
        for step in 0..self.asked.iterations {
            if self.solver.solve_step(&self.tree, &mut self.posture) == StepResult::Solved {
                return step + 1;
            }
        }
        self.asked.iterations
    }

    fn positions(&self) -> Vec<DVec3> {
        let mut globals = vec![sna::Isometry3::identity(); self.tree.len()];
        self.posture.write_globals(&self.tree, &sna::Isometry3::identity(), &mut globals);
        let place = |&bone: &usize| {
            let at = globals[bone].translation.vector;
            DVec3::new(at.x, at.y, at.z)
        };
        self.bones.iter().map(place).collect()
    }

    fn reset(&mut self) {
        self.posture = Posture::new(&self.tree);
    }
}

/// k's chain of hinges.
pub(super) struct KChain {
    chain: SerialChain<f64>,
    solver: JacobianIkSolver<f64>,
    constraints: k::Constraints,
    rest: Vec<f64>,
    targets: Vec<DVec3>,
}

impl std::fmt::Debug for KChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KChain").field("rest", &self.rest).finish_non_exhaustive()
    }
}

impl KChain {
    /// `None` for anything but a chain of hinges with one target.
    pub(super) fn new(body: &Body, asked: RunOptions) -> Option<Self> {
        let skeleton = &body.skeleton;
        let (&tip, inner) = body.joints.split_last()?;
        if body.tips != [tip] {
            return None;
        }
        let rotation = |q: DQuat| na::UnitQuaternion::from_quaternion(na::Quaternion::new(q.w, q.x, q.y, q.z));
        let mut nodes: Vec<k::Node<f64>> = Vec::new();
        for (index, &joint) in inner.iter().chain([&tip]).enumerate() {
            let zero = skeleton.zero(joint);
            let at = zero.translation;
            let builder = NodeBuilder::new()
                .name(&format!("joint{index}"))
                .translation(na::Translation3::new(at.x, at.y, at.z))
                .rotation(rotation(zero.rotation));
            let node = match skeleton.kind(joint) {
                Kind::Hinge { axis, range } => builder
                    .joint_type(JointType::Rotational {
                        axis: na::Unit::new_normalize(na::Vector3::new(axis.x, axis.y, axis.z)),
                    })
                    .limits(Some(k::joint::Range::new(range.min, range.max)))
                    .into_node(),
                _ if joint == tip => builder.joint_type(JointType::Fixed).into_node(),
                _ => return None,
            };
            if let Some(parent) = nodes.last() {
                node.set_parent(parent);
            }
            nodes.push(node);
        }
        let chain = SerialChain::from_end(nodes.last()?);
        let pose = skeleton.rest_pose();
        let rest = inner.iter().map(|&joint| pose.value(skeleton, joint)).collect();
        let constraints =
            k::Constraints { rotation_x: false, rotation_y: false, rotation_z: false, ..k::Constraints::default() };
        let solver = JacobianIkSolver::new(asked.tolerance, 1.0, 0.5, asked.iterations as usize);
        Some(Self { chain, solver, constraints, rest, targets: body.targets.clone() })
    }
}

impl Contender for KChain {
    fn solve(&mut self, record: usize) -> u32 {
        self.reset();
        let target = self.targets[record];
        let goal = na::Isometry3::translation(target.x, target.y, target.z);
        // Whether it came there is judged from the positions.
        self.solver.solve_with_constraints(&self.chain, &goal, &self.constraints).ok();
        0
    }

    fn positions(&self) -> Vec<DVec3> {
        let place = |node: &k::Node<f64>| {
            let at = node.world_transform().unwrap_or_else(na::Isometry3::identity).translation.vector;
            DVec3::new(at.x, at.y, at.z)
        };
        self.chain.update_transforms();
        self.chain.iter().map(place).collect()
    }

    fn reset(&mut self) {
        self.chain.set_joint_positions_unchecked(&self.rest);
    }
}
