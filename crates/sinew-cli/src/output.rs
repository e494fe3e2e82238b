//! Standard output and files: a closed pipe is no fault, and a file appears whole or not at all. `-` is standard output,
//! and what is said for people then goes to standard error.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;

use crate::text;

/// Whether a file was written to standard output.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// What standard output is called among the files written.
const STANDARD_OUTPUT: &str = "standard output";

/// Whether a path is `-`.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What an input is called in reports.
pub(crate) fn title(path: &Path) -> String {
    if is_standard(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The files that were written and what is to be said about them.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Written {
    /// Whole paths.
    #[serde(rename = "written")]
    pub(crate) files: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Written {
    /// With what is to be said of the rig, or of what is read.
    pub(crate) fn noting(notes: Vec<String>) -> Self {
        Self { files: Vec::new(), notes }
    }

    /// Says what would write something, where nothing was written.
    pub(crate) fn or_hint(mut self, hint: &str) -> Self {
        if self.files.is_empty() {
            self.notes.push(format!("nothing written; {hint}"));
        }
        self
    }

    /// A line each.
    pub(crate) fn to_text(&self) -> String {
        let to = |file: &str| if file == STANDARD_OUTPUT { "to " } else { "" };
        let files = self.files.iter().map(|file| format!("wrote {}{}\n", to(file), text::one_line(file)));
        files.chain(self.notes.iter().map(|note| format!("note: {note}\n"))).collect()
    }
}

/// The object of a verb: the rig, what is told of it, the files that were written, and notes.
#[derive(Serialize)]
struct Object<'a, T> {
    rig: &'a str,
    #[serde(flatten)]
    told: T,
    #[serde(flatten)]
    written: &'a Written,
}

/// Tells what a verb did to a rig: with `--json` one object, else a page for people.
pub(crate) fn tell<T: Serialize>(
    json: bool,
    rig: &str,
    written: &Written,
    object: impl FnOnce() -> T,
    page: impl FnOnce() -> String,
) -> Result<()> {
    if json {
        print(&format!("{}\n", serde_json::to_string(&Object { rig, told: object(), written })?))
    } else {
        print(&(page() + &written.to_text()))
    }
}

/// The object of a verb that went wrong.
#[derive(Serialize)]
struct Failure<'a> {
    rig: Option<&'a str>,
    error: &'a str,
    notes: [&'a str; 0],
}

/// Tells what went wrong, as one object.
pub(crate) fn print_failure(rig: Option<&str>, error: &str) -> Result<()> {
    print(&format!("{}\n", serde_json::to_string(&Failure { rig, error, notes: [] })?))
}

/// Prints to standard output, or to standard error where a file went there. A reader that has seen enough
/// (`sinew inspect | head`) is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    if TAKEN.load(Ordering::Relaxed) {
        complain(text);
        return Ok(());
    }
    to_standard(text.as_bytes())
}

/// Prints to standard error. Where nobody reads that there is nobody to tell.
pub(crate) fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn to_standard(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output: cannot be written; check where it goes")
        }
        _ => Ok(()),
    }
}

/// Writes a file under another name in the same folder, then renames it; `-` to standard output.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    if is_standard(path) {
        TAKEN.store(true, Ordering::Relaxed);
        return to_standard(bytes);
    }
    replace(path, bytes).map_err(|error| {
        let path = path.display();
        anyhow!("{path}: cannot be written ({error}); check that the folder exists and may be written")
    })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Told of by itself: where the folder is missing, the temporary file's name says nothing.
    std::fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".sinew-").suffix(".tmp");
    // A temporary file is private by default; this one becomes an ordinary file (the umask applies).
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The path from the root of the file system, where it can be told.
pub(crate) fn whole_path(path: &Path) -> String {
    if is_standard(path) {
        return STANDARD_OUTPUT.to_owned();
    }
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()
}
