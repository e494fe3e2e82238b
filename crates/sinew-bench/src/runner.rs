//! A method with its problems: prepared once, solved as often as timing asks.

use std::fmt;
use std::hint::black_box;
use std::ops::Range;

use anyhow::{Context, Result};

use crate::answer::Answer;
use crate::limb::Limb;

/// A way to solve two-bone limbs. Only [`solve`](Self::solve) is timed.
pub trait Method: Default + fmt::Debug {
    /// What an engine would have at hand for each limb before it asks.
    type Input: fmt::Debug;
    /// What the call gives, as it gives it.
    type Output: Copy + Default + fmt::Debug;

    /// Builds what a solver needs.
    fn prepare(limb: &Limb) -> Result<Self::Input>;

    /// Solves one limb from its rest pose.
    fn solve(&mut self, input: &Self::Input) -> Self::Output;

    /// The output in the terms of a solution file.
    fn answer(limb: &Limb, output: &Self::Output) -> Answer;
}

/// Any method with its problems.
pub trait Runner: fmt::Debug {
    /// Number of problems.
    fn count(&self) -> usize;

    /// Solves some of the problems, in order.
    fn solve(&mut self, range: Range<usize>);

    /// The last answer to a problem.
    fn answer(&self, index: usize) -> Answer;
}

/// Prepares a method for limbs.
pub fn prepare<M: Method + 'static>(limbs: &[Limb]) -> Result<Box<dyn Runner>> {
    let prepare = |(i, limb)| M::prepare(limb).with_context(|| format!("record {i}"));
    let inputs = limbs.iter().enumerate().map(prepare).collect::<Result<Vec<_>>>()?;
    let outputs = vec![M::Output::default(); limbs.len()];
    Ok(Box::new(Prepared::<M> { method: M::default(), limbs: limbs.to_vec(), inputs, outputs }))
}

#[derive(Debug)]
struct Prepared<M: Method> {
    method: M,
    limbs: Vec<Limb>,
    inputs: Vec<M::Input>,
    outputs: Vec<M::Output>,
}

impl<M: Method> Runner for Prepared<M> {
    fn count(&self) -> usize {
        self.inputs.len()
    }

    fn solve(&mut self, range: Range<usize>) {
        let inputs = black_box(&self.inputs[range.clone()]);
        let outputs = &mut self.outputs[range];
        for (input, output) in inputs.iter().zip(outputs.iter_mut()) {
            *output = self.method.solve(input);
        }
        black_box(outputs);
    }

    fn answer(&self, index: usize) -> Answer {
        M::answer(&self.limbs[index], &self.outputs[index])
    }
}
