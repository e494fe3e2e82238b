//! `sinew-bench body-problems` under a name of its own, by which the checkers of `shared/bench` call it.

fn main() -> std::process::ExitCode {
    sinew_bench::commands::main(Some("body-problems"))
}
