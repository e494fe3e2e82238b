//! Problems on one skeleton (kinds 2 to 6), solved by our solvers and by peers.

mod body;
mod contender;
mod peers;
mod run;
mod table;

pub use body::Body;
pub use contender::{Contender, NAMES, RunOptions, contender};
pub use run::{Ran, run};
pub use table::{LEAST, table};
