//! Tells `src/lanes.rs` whether anything is optimized, which no `cfg` of the compiler says, and whether unit tests measure.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
    println!("cargo::rerun-if-env-changed=SINEW_MEASURE");
    println!("cargo::rustc-check-cfg=cfg(measured)");
    if std::env::var_os("SINEW_MEASURE").is_some() {
        println!("cargo::rustc-cfg=measured");
    }
}
