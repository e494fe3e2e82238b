//! A peer that is a program of its own: `PROGRAM PROBLEM RESULT`, as the checker of the problem files calls solvers.
//!
//! Its exit status is 3 where it is not for such arms. It solves all problems twice, and tells
//! the times of the second turn.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::robots::file::Results;

/// Names of wheels' solvers in `peers/arms.py`, and their names for `pip install`.
pub(super) const WHEELS: [(&str, &str); 4] = [
    ("optik", "optik-py numpy"),
    ("roboticstoolbox", "roboticstoolbox-python"),
    ("pytracik", "pytracik"),
    ("EAIK", "EAIK"),
];
/// Not for such arms.
const ELSEWHERE: i32 = 3;
/// Numeric libraries keep to one thread if this says so.
const THREADS: [&str; 4] = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"];

/// How to call it, and how to get it.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    command: Vec<OsString>,
    install: String,
}

impl Program {
    /// A wheel, through `arms.py`.
    pub(super) fn wheel(&(name, package): &(&'static str, &str), python: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/arms.py");
        let command = vec![python.into(), script.into(), name.into()];
        Self { name, command, install: format!("`{} -m pip install {package}`", python.display()) }
    }

    /// The Rust crate, which needs `CMake` and is thus built apart, to lie beside this program.
    pub(super) fn ik_geo() -> Result<Self> {
        let this = std::env::current_exe().context("cannot find this program's own folder")?;
        let install = "`CMAKE_POLICY_VERSION_MINIMUM=3.5 cargo build --release --target-dir target --manifest-path \
                       crates/sinew-bench/peers/ik-geo/Cargo.toml`, which needs cmake";
        Ok(Self { name: "ik-geo", command: vec![this.with_file_name("ik-geo-arms").into()], install: install.into() })
    }

    /// Answers to the first problems.
    pub(super) fn solve(&self, file: &Path, result: &Path, count: usize) -> Result<Option<Results>> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).args([file, result]).env("IKP_MAX", count.to_string());
        let output = match command.envs(THREADS.map(|name| (name, "1"))).output() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                bail!("{} is not here; {}", Path::new(&self.command[0]).display(), self.install)
            }
            Err(error) => return Err(error).with_context(|| format!("cannot run {}", self.name)),
        };
        if output.status.code() == Some(ELSEWHERE) {
            return Ok(None);
        }
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
            bail!("{last}; {}", self.install);
        }
        Results::read(result).map(Some)
    }
}
