//! BVH out: the same joints, channels and numbers, each number as the shortest text that reads back as itself.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use glam::DVec3;

use crate::bvh::Bvh;
use crate::error::WriteError;
use crate::hierarchy::Node;

/// Deeper joints are not indented further, or a long chain would be mostly tabs.
const DEEPEST_INDENT: usize = 64;

/// A number as it is written: a zero keeps its sign, none is padded to hundreds of digits.
struct Number(f64);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
    }
}

impl Bvh {
    /// Writes the clip to a file, which appears whole or not at all: what [`load`](crate::load) reads from it is the same
    /// skeleton and the same motion, number for number. Limits and masses of the skeleton are not in the format.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let path = path.as_ref();
        self.check()?;
        save(path, |out| self.write_text(out)).map_err(|source| WriteError::Io { path: path.to_owned(), source })
    }

    /// The clip as the bytes of a BVH file.
    ///
    /// # Errors
    /// Where a number is NaN or infinite, or the frame time is not greater than 0.
    pub fn to_vec(&self) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        let mut bytes = Vec::new();
        let written = self.write_text(&mut bytes);
        written.map_err(|source| WriteError::Io { path: "memory".into(), source })?;
        Ok(bytes)
    }

    fn check(&self) -> Result<(), WriteError> {
        let (found, expected) = (self.skeleton.len(), self.nodes.len());
        if found != expected {
            return Err(WriteError::OtherSkeleton { found, expected });
        }
        let frame_time = self.motion.frame_time;
        if !(frame_time > 0.0 && frame_time.is_finite()) {
            return Err(WriteError::FrameTime { frame_time });
        }
        for (frame, row) in self.motion.rows().enumerate() {
            if let Some(place) = row.iter().position(|number| !number.is_finite()) {
                return Err(WriteError::NotFinite { what: format!("number {place} of frame {frame}") });
            }
        }
        Ok(())
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "HIERARCHY")?;
        // The blocks that are open.
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            while open.last().copied() != node.parent {
                open.pop();
                writeln!(out, "{}}}", indent(open.len()))?;
            }
            write_node(out, node, open.len())?;
            open.push(index);
        }
        while open.pop().is_some() {
            writeln!(out, "{}}}", indent(open.len()))?;
        }
        let motion = &self.motion;
        write!(out, "MOTION\nFrames: {}\nFrame Time: {}\n", motion.len(), Number(motion.frame_time))?;
        for row in motion.rows() {
            for (place, number) in row.iter().enumerate() {
                write!(out, "{}{}", if place == 0 { "" } else { " " }, Number(*number))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn write_node(out: &mut impl Write, node: &Node, depth: usize) -> io::Result<()> {
    let (outer, inner) = (indent(depth), indent(depth + 1));
    let name = node.name.as_deref().unwrap_or("");
    match (node.is_end, depth) {
        (true, _) => writeln!(out, "{outer}{}", format!("End Site {name}").trim_end())?,
        (false, 0) => writeln!(out, "{outer}ROOT {name}")?,
        (false, _) => writeln!(out, "{outer}JOINT {name}")?,
    }
    let DVec3 { x, y, z } = node.offset;
    write!(out, "{outer}{{\n{inner}OFFSET {} {} {}\n", Number(x), Number(y), Number(z))?;
    if !node.is_end {
        write!(out, "{inner}CHANNELS {}", node.channels.len())?;
        for channel in &node.channels {
            write!(out, " {}", channel.name())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn indent(depth: usize) -> &'static str {
    const TABS: &str = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
    &TABS[..depth.min(DEEPEST_INDENT).min(TABS.len())]
}

/// Writes beside the target under another name, then renames.
fn save(path: &Path, write: impl FnOnce(&mut BufWriter<&std::fs::File>) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Told of by itself: where the folder is missing, the temporary file's name says nothing.
    std::fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sinew-").suffix(".tmp");
    // A temporary file is private by default; this one becomes an ordinary file (the umask applies).
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder)?;
    let mut out = BufWriter::new(file.as_file());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
