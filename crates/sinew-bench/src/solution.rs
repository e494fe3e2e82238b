//! Solution files (`IKSOLN01`): the answers of one method, written whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::answer::Answer;

const MAGIC: &[u8; 8] = b"IKSOLN01";

/// Answers as they go on disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// 0 for rotations, 1 for positions.
    pub kind: u32,
    /// Numbers in a row.
    pub width: usize,
    /// All rows, one after another.
    pub rows: Vec<f64>,
    /// Nanoseconds for each problem.
    pub nanoseconds: Vec<f64>,
    /// Iterations for each problem; 1 for a closed form.
    pub iterations: Vec<u32>,
}

impl Solution {
    /// Answers of one kind, with the time each took.
    pub fn new(answers: &[Answer], nanoseconds: Vec<f64>) -> Result<Self> {
        let kind = answers.first().map_or(0, Answer::kind);
        ensure!(answers.iter().all(|answer| answer.kind() == kind), "rotations and positions in one solution");
        ensure!(answers.len() == nanoseconds.len(), "{} answers, {} times", answers.len(), nanoseconds.len());
        let rows: Vec<f64> = answers.iter().flat_map(Answer::row).collect();
        let width = rows.len().checked_div(answers.len()).unwrap_or(0);
        Ok(Self { kind, width, rows, nanoseconds, iterations: vec![1; answers.len()] })
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fields = [self.kind, self.iterations.len() as u32, self.width as u32, 0];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(fields.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(self.rows.iter().chain(&self.nanoseconds).flat_map(|x| x.to_le_bytes()));
        bytes.extend(self.iterations.iter().flat_map(|i| i.to_le_bytes()));
        bytes
    }

    /// Writes beside `path`, then renames: nobody ever sees half a file.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut name = OsString::from(path);
        name.push(format!(".{}.part", std::process::id()));
        let part = Path::new(&name);
        let written = fs::write(part, self.to_bytes()).and_then(|()| fs::rename(part, path));
        if written.is_err() {
            // What went wrong before is what matters, not whether a part is left to remove.
            fs::remove_file(part).ok();
        }
        written.with_context(|| format!("cannot write {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use sinew::glam::{DQuat, DVec3};

    #[test]
    fn rows_lie_where_the_format_says() {
        let positions = Answer::Positions([DVec3::X, DVec3::Y]);
        let solution = Solution::new(&[positions; 2], vec![20.0, 30.0]).unwrap();
        let bytes = solution.to_bytes();
        assert_eq!(bytes.len(), 24 + 2 * 9 * 8 + 2 * 8 + 2 * 4);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let number = |at: usize| f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!([8, 12, 16, 20].map(word), [1, 2, 9, 0]);
        assert_eq!([24, 24 + 3 * 8, 24 + 7 * 8].map(number), [0.0, 1.0, 1.0]);
        assert_eq!((number(24 + 18 * 8 + 8), word(bytes.len() - 4)), (30.0, 1));
        let rotations = Solution::new(&[Answer::Rotations([DQuat::IDENTITY; 2])], vec![0.0]).unwrap();
        assert_eq!((rotations.kind, rotations.width, rotations.rows[3]), (0, 8, 1.0));
    }

    #[test]
    fn answers_of_two_kinds_are_refused() {
        let mixed = [Answer::Positions([DVec3::X; 2]), Answer::Rotations([DQuat::IDENTITY; 2])];
        assert!(Solution::new(&mixed, vec![0.0; 2]).is_err());
        assert!(Solution::new(&mixed[..1], vec![]).is_err());
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        // A folder in the way: the part can be written, but not renamed.
        let way = folder.path().join("out");
        fs::create_dir_all(way.join("inside")).unwrap();
        assert!(Solution::default().write(&way).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        Solution::default().write(&folder.path().join("fine")).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
