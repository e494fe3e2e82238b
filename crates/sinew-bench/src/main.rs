//! `sinew-bench COMMAND`: problem sets, comparisons with other solvers, measurements on real motion.

fn main() -> std::process::ExitCode {
    sinew_bench::commands::main(None)
}
