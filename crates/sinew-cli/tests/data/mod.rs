//! Real files, where they are.

use std::path::PathBuf;

/// The folder of real files.
pub(crate) fn data() -> PathBuf {
    PathBuf::from(std::env::var_os("SINEW_TEST_DATA").expect("SINEW_TEST_DATA names the folder of real files"))
}
