//! Running the command.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs `sinew` in a folder.
pub(crate) fn sinew_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(arguments).current_dir(folder).output().expect("the command starts")
}

/// Runs `sinew` where it writes nothing.
pub(crate) fn sinew(arguments: &[&str]) -> Output {
    sinew_in(Path::new("."), arguments)
}

/// Standard output of a run that must succeed.
pub(crate) fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The object printed by a run that must succeed.
pub(crate) fn object(output: &Output) -> Value {
    serde_json::from_str(&text(output)).expect("JSON")
}

/// The one line on standard error of a run that must fail.
pub(crate) fn complaint(output: &Output) -> String {
    let line = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{line}");
    assert!(line.starts_with("sinew: ") && line.lines().count() == 1 && line.len() < 600, "{line}");
    assert!(output.stdout.is_empty());
    line
}

/// Numbers of a JSON array.
pub(crate) fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let list: Vec<f64> = value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    list.try_into().expect("that many numbers")
}
