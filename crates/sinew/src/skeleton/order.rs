//! Strict depth-first order: parents before children, subtrees contiguous, the spine or else the
//! longest chain first among siblings. Without recursion, so depth is no danger.

use alloc::vec;
use alloc::vec::Vec;

use super::JointSpec;
use super::joint::NONE;
use crate::math::arc;

/// Children in compressed rows, and an order in which parents precede children.
pub(super) struct Links {
    start: Vec<u32>,
    children: Vec<u32>,
    roots: Vec<u32>,
    top_down: Vec<u32>,
}

impl Links {
    /// The error is a joint whose parents lead back to it.
    pub(super) fn new(parents: &[u32]) -> Result<Self, usize> {
        let n = parents.len();
        let mut start = vec![0_u32; n + 1];
        for &parent in parents.iter().filter(|&&p| p != NONE) {
            start[parent as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut next = start.clone();
        let mut children = vec![0; start[n] as usize];
        let mut roots = Vec::new();
        for (joint, &parent) in parents.iter().enumerate() {
            if parent == NONE {
                roots.push(joint as u32);
            } else {
                children[next[parent as usize] as usize] = joint as u32;
                next[parent as usize] += 1;
            }
        }
        let mut top_down = roots.clone();
        let mut at = 0;
        while at < top_down.len() {
            let joint = top_down[at] as usize;
            top_down.extend_from_slice(&children[start[joint] as usize..start[joint + 1] as usize]);
            at += 1;
        }
        if top_down.len() < n {
            let mut reached = vec![false; n];
            for &i in &top_down {
                reached[i as usize] = true;
            }
            let joint = reached.iter().position(|&r| !r).unwrap_or_default();
            return Err(joint);
        }
        Ok(Self { start, children, roots, top_down })
    }

    /// The spine first, then by length of the longest chain below, then in the caller's order.
    pub(super) fn sort_children(&mut self, parents: &[u32], specs: &[JointSpec], spine: Option<usize>) {
        let mut reach = vec![0.0_f64; parents.len()];
        for &joint in self.top_down.iter().rev() {
            let joint = joint as usize;
            let t = specs[joint].rest.translation;
            if parents[joint] != NONE {
                let parent = parents[joint] as usize;
                reach[parent] = reach[parent].max(reach[joint] + arc::length(t));
            }
        }
        let mut at = spine;
        while let Some(joint) = at {
            reach[joint] = f64::INFINITY;
            at = (parents[joint] != NONE).then_some(parents[joint] as usize);
        }
        // A chain includes the bone that leads to it.
        let length = |&joint: &u32| {
            let t = specs[joint as usize].rest.translation;
            reach[joint as usize] + arc::length(t)
        };
        let by_length = |a: &u32, b: &u32| length(b).total_cmp(&length(a)).then(a.cmp(b));
        self.roots.sort_by(|a, b| reach[*b as usize].total_cmp(&reach[*a as usize]).then(a.cmp(b)));
        for joint in 0..parents.len() {
            self.children[self.start[joint] as usize..self.start[joint + 1] as usize].sort_by(by_length);
        }
    }

    pub(super) fn depth_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.top_down.len());
        let mut stack: Vec<u32> = self.roots.iter().rev().copied().collect();
        while let Some(joint) = stack.pop() {
            order.push(joint);
            let joint = joint as usize;
            stack.extend(self.children[self.start[joint] as usize..self.start[joint + 1] as usize].iter().rev());
        }
        order
    }
}
