//! Joints by name: exact, several at once, or by a unique part; a miss lists the nearest names.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{Joint, Skeleton};

/// How many suggestions an unknown name is given.
const SUGGESTIONS: usize = 3;
/// Longer names are compared by their beginnings only.
const COMPARED: usize = 64;

/// Why a name found no joint.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// No joint has the name; the nearest names there are.
    Unknown {
        /// What was asked for.
        name: String,
        /// Existing names, nearest first.
        nearest: Vec<String>,
    },
    /// Several joints fit the name.
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The joints that fit, in depth-first order.
        joints: Vec<Joint>,
        /// Their names, for the message (at most a few).
        fits: Vec<String>,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest } if nearest.is_empty() => write!(f, "no joint is called '{name}'"),
            Self::Unknown { name, nearest } => {
                write!(f, "no joint is called '{name}'; the nearest names are '{}'", nearest.join("', '"))
            }
            Self::Ambiguous { name, joints, fits } => {
                write!(f, "'{name}' fits {} joints ('{}', …)", joints.len(), fits.join("', '"))
            }
        }
    }
}

impl core::error::Error for NameError {}

impl Skeleton {
    /// The joint with exactly this name.
    pub fn joint(&self, name: &str) -> Result<Joint, NameError> {
        let start = self.by_name.partition_point(|&i| self.name_at(i) < name);
        let fits: Vec<u32> = self.by_name[start..].iter().copied().take_while(|&i| self.name_at(i) == name).collect();
        match fits[..] {
            [] => Err(self.unknown(name)),
            [one] => Ok(self.handle(one)),
            _ => Err(self.ambiguous(name, fits)),
        }
    }

    /// Several joints by exact name at once.
    pub fn joints<const N: usize>(&self, names: [&str; N]) -> Result<[Joint; N], NameError> {
        let mut joints = [self.handle(0); N];
        for (joint, name) in joints.iter_mut().zip(names) {
            *joint = self.joint(name)?;
        }
        Ok(joints)
    }

    /// The joint with this name, else the only one with it in another case, else the only one of
    /// whose name it is a part (case ignored).
    pub fn find(&self, query: &str) -> Result<Joint, NameError> {
        match self.joint(query) {
            Err(NameError::Unknown { .. }) => {}
            found => return found,
        }
        let lower = query.to_lowercase();
        let fitting = |test: &dyn Fn(&str) -> bool| -> Vec<u32> {
            let names = self.joints.iter().enumerate().filter_map(|(i, j)| Some((i, j.name.as_ref()?)));
            names.filter(|(_, name)| test(&name.to_lowercase())).map(|(i, _)| i as u32).collect()
        };
        let same = fitting(&|name| name == lower);
        let parts = if same.is_empty() && !lower.is_empty() { fitting(&|name| name.contains(&lower)) } else { same };
        match parts[..] {
            [] => Err(self.unknown(query)),
            [one] => Ok(self.handle(one)),
            _ => Err(self.ambiguous(query, parts)),
        }
    }

    fn name_at(&self, index: u32) -> &str {
        self.joints[index as usize].name.as_deref().unwrap_or_default()
    }

    fn unknown(&self, name: &str) -> NameError {
        let wanted: Vec<char> = name.to_lowercase().chars().take(COMPARED).collect();
        let mut near: Vec<(usize, u32)> = Vec::new();
        let mut row = Vec::new();
        for &index in &self.by_name {
            let candidate = self.name_at(index).to_lowercase();
            let distance = edit_distance(&wanted, candidate.chars().take(COMPARED), &mut row);
            near.push((distance, index));
        }
        near.sort_unstable();
        near.dedup_by(|a, b| self.name_at(a.1) == self.name_at(b.1));
        let nearest = near.iter().take(SUGGESTIONS).map(|&(_, i)| self.name_at(i).to_string()).collect();
        NameError::Unknown { name: name.to_string(), nearest }
    }

    fn ambiguous(&self, name: &str, mut fits: Vec<u32>) -> NameError {
        fits.sort_unstable();
        let names = fits.iter().take(SUGGESTIONS).map(|&i| self.name_at(i).to_string()).collect();
        let joints = fits.iter().map(|&i| self.handle(i)).collect();
        NameError::Ambiguous { name: name.to_string(), joints, fits: names }
    }
}

/// Levenshtein's distance, a row at a time.
fn edit_distance(a: &[char], b: impl Iterator<Item = char>, row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=a.len());
    for (j, cb) in b.enumerate() {
        let mut diagonal = row[0];
        row[0] = j + 1;
        for (i, &ca) in a.iter().enumerate() {
            let substituted = diagonal + usize::from(ca != cb);
            diagonal = row[i + 1];
            row[i + 1] = substituted.min(diagonal + 1).min(row[i] + 1);
        }
    }
    row[a.len()]
}
