//! All tests of `sinew-gltf`: one program, so that it is linked once.

#![allow(clippy::unwrap_used, reason = "helpers of tests may fail too")]

mod above;
mod animating;
mod hostile;
mod joints;
mod oracle;
mod sample;
mod sampling;
mod springs;
mod surface;
mod swinging;
mod tips;
mod validator;
mod writing;

/// So many cases in release; in debug, which is ten times as slow, a tenth. `.ci/run` runs both.
const fn cases(all: usize) -> usize {
    if cfg!(debug_assertions) { all.div_ceil(10) } else { all }
}
