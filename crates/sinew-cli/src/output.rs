//! Standard output and files: a closed pipe is no fault, and a file appears whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};

/// Prints to standard output. A reader that has seen enough (`sinew inspect | head`) is no error.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("standard output: cannot be written; check where it goes")
        }
        _ => Ok(()),
    }
}

/// Writes a file under another name in the same folder, then renames it.
pub(crate) fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes).map_err(|error| {
        let (path, why) = (path.display(), error.kind());
        anyhow!("{path}: cannot be written ({why}); check that the folder exists and may be written")
    })
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
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
    path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string()
}
