//! Problem files (`IKPROB01`): a header, a block of numbers shared by all problems, then one record
//! of numbers for each problem; little-endian `f32` throughout.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

const MAGIC: &[u8; 8] = b"IKPROB01";
const HEADER: usize = 32;

/// A problem file as it lies on disk.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemFile {
    /// What the problems are: 1 two-bone limbs, 2 free chains, 3 cones, 4 hinges, 5 trees, 6 frames.
    pub kind: u32,
    /// Kind-specific marks; 6 on two-bone limbs says that the records are consecutive frames.
    pub flags: u32,
    /// Bones, or joints for trees.
    pub n: u32,
    /// Numbers in a record.
    pub width: usize,
    /// Numbers shared by all problems.
    pub shared: Vec<f32>,
    /// All records, one after another.
    pub records: Vec<f32>,
}

impl ProblemFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&bytes).with_context(|| format!("{} is no problem file", path.display()))
    }

    /// Takes a file apart. Sizes are checked against the bytes before anything is allocated.
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.starts_with(MAGIC), "it must begin with IKPROB01");
        let Some((header, body)) = bytes.split_at_checked(HEADER) else {
            bail!("it ends inside its header of {HEADER} bytes");
        };
        let field = |i: usize| word(&header[8 + 4 * i..]);
        let [kind, flags, n, count, width, shared] = [0, 1, 2, 3, 4, 5].map(field);
        let needed = 4 * (u128::from(count) * u128::from(width) + u128::from(shared));
        ensure!(
            needed == body.len() as u128,
            "{count} records of {width} numbers and {shared} shared ones are {needed} bytes, {} follow the header",
            body.len()
        );
        ensure!(count == 0 || width > 0, "{count} records of no numbers");
        let mut numbers: Vec<f32> = body.chunks_exact(4).map(|b| f32::from_bits(word(b))).collect();
        let records = numbers.split_off(shared as usize);
        Ok(Self { kind, flags, n, width: width as usize, shared: numbers, records })
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fields = [self.kind, self.flags, self.n, self.count() as u32, self.width as u32, self.shared.len() as u32];
        let numbers = self.shared.iter().chain(&self.records).map(|x| x.to_bits());
        let mut bytes = MAGIC.to_vec();
        bytes.extend(fields.into_iter().chain(numbers).flat_map(u32::to_le_bytes));
        bytes
    }

    /// Number of problems.
    pub fn count(&self) -> usize {
        self.records.len().checked_div(self.width).unwrap_or(0)
    }

    /// The records, one slice for each problem.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.records.chunks_exact(self.width.max(1))
    }
}

/// The first four bytes as a little-endian number; zero where there are fewer.
fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |&first| u32::from_le_bytes(first))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn sample() -> ProblemFile {
        let (shared, records) = (vec![0.5, -1.0], (0..6).map(|i| i as f32).collect());
        ProblemFile { kind: 2, flags: 0, n: 4, width: 3, shared, records }
    }

    #[test]
    fn files_survive_a_round_trip() {
        let back = ProblemFile::parse(&sample().to_bytes()).unwrap();
        assert_eq!(back, sample());
        assert_eq!(back.records().nth(1), Some(&[3.0, 4.0, 5.0][..]));
        let empty = ProblemFile { records: vec![], ..sample() };
        assert_eq!(ProblemFile::parse(&empty.to_bytes()).unwrap().count(), 0);
    }

    #[test]
    fn malformed_files_are_refused_by_size_alone() {
        let good = sample().to_bytes();
        for cut in 0..good.len() {
            assert!(ProblemFile::parse(&good[..cut]).is_err(), "{cut} bytes");
        }
        let patched = |at: usize, value: u32| {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
            ProblemFile::parse(&bytes)
        };
        // Count, width and shared size that no memory would hold, and a width of zero.
        for at in [20, 24, 28] {
            assert!(patched(at, u32::MAX).is_err());
        }
        assert!(patched(24, 0).is_err());
        assert!(patched(0, 0).is_err());
        let longer = [&good[..], &[0]].concat();
        assert!(ProblemFile::parse(&longer).is_err());
    }
}
