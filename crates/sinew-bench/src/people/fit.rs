//! Least squares that fit what people do.

use anyhow::{Result, bail};
use sinew::glam::DVec3;
use sinew::solve::author::ldl;
use sinew_rig::body::fit::{Pointing, Value};

/// Rounds in which the answer's length is brought nearer to one.
const ROUNDS: usize = 8;
/// Pull to zero, as a share of the mean square of the features: what the motions do not tell stays small.
const RIDGE: f64 = 1e-4;

/// Weights of a number.
///
/// # Errors
/// Where there are no samples.
pub fn value(samples: &[Value], ridge: f64) -> Result<Vec<f64>> {
    let Some(first) = samples.first() else { bail!("no samples") };
    let mut normal = Normal::new(first.features.len());
    for sample in samples {
        normal.add(&sample.features, sample.target, sample.weight * sample.weight);
    }
    normal.solve(ridge)
}

/// Weights of a direction: a row of three for each feature. `length` is how much the answer's length counts beside its direction: the less
/// the features tell, the more it has to, or answers shrink to nothing.
///
/// # Errors
/// Where there are no samples.
pub fn pointing(samples: &[Pointing], length: f64) -> Result<Vec<[f64; 3]>> {
    let Some(first) = samples.first() else { bail!("no samples") };
    let count = first.features.len();
    let mut rows = vec![[0.0; 3]; count];
    for round in 0..ROUNDS {
        let mut normal = Normal::new(3 * count);
        for sample in samples {
            let bent = sample.target.length() * sample.weight;
            let Some(wanted) = sample.target.try_normalize() else { continue };
            let aside = sample.line.cross(wanted);
            // A short answer turns further by the same error.
            let long = if round == 0 { 1.0 } else { answer(&rows, &sample.features).dot(wanted).max(0.2) };
            let spread = |axis: DVec3| -> Vec<f64> {
                sample.features.iter().flat_map(|feature| (axis * *feature).to_array()).collect()
            };
            normal.add(&spread(aside), 0.0, bent * bent / (long * long));
            normal.add(&spread(wanted), 1.0, bent * bent * length);
        }
        let all = normal.solve(RIDGE)?;
        rows = all.chunks(3).map(|row| [row[0], row[1], row[2]]).collect();
    }
    Ok(rows)
}

fn answer(rows: &[[f64; 3]], features: &[f64]) -> DVec3 {
    rows.iter().zip(features).map(|(row, feature)| DVec3::from_array(*row) * *feature).sum()
}

/// Mean distance between the joint and where the answer has it, in lengths of the limb.
pub fn miss(samples: &[Pointing], rows: &[[f64; 3]]) -> f64 {
    let off = |sample: &Pointing| {
        let answer = answer(rows, &sample.features);
        let across = answer - sample.line * answer.dot(sample.line);
        (across.normalize_or_zero() * sample.target.length() - sample.target).length()
    };
    samples.iter().map(off).sum::<f64>() / samples.len() as f64
}

/// Normal equations.
struct Normal {
    matrix: Vec<f64>,
    right: Vec<f64>,
    weight: f64,
}

impl Normal {
    fn new(size: usize) -> Self {
        Self { matrix: vec![0.0; size * size], right: vec![0.0; size], weight: 0.0 }
    }

    fn add(&mut self, row: &[f64], target: f64, weight: f64) {
        let size = row.len();
        for (i, a) in row.iter().enumerate() {
            self.right[i] += weight * a * target;
            for (cell, b) in self.matrix[i * size..].iter_mut().zip(row) {
                *cell += weight * a * b;
            }
        }
        self.weight += weight;
    }

    fn solve(mut self, ridge: f64) -> Result<Vec<f64>> {
        let size = self.right.len();
        for i in 0..size {
            self.matrix[i * size + i] += ridge * self.weight;
        }
        if !ldl::factor(&mut self.matrix, size) {
            bail!("the samples do not tell");
        }
        ldl::solve(&self.matrix, size, &mut self.right);
        Ok(self.right)
    }
}
