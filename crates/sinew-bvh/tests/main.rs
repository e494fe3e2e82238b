//! All tests of `sinew-bvh`: one program, so that it is linked once.

mod agreement;
mod files;
mod hostile;
mod reading;
mod writing;
