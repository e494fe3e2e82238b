//! All tests of `sinew-urdf`: one program, so that it is linked once.

mod files;
mod hostile;
mod pinocchio;
mod reading;
