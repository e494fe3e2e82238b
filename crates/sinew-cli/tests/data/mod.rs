//! Real files, where they are.

use std::io::Write as _;
use std::path::PathBuf;

/// The folder of test data, if there is one.
pub(crate) fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_TEST_DATA").map(PathBuf::from);
    if folder.is_none() {
        // Written past the capture of passing tests, so that it is seen.
        let _ = writeln!(std::io::stderr(), "skipped: SINEW_TEST_DATA names no folder of test data");
    }
    folder
}
