//! Tells `src/lanes.rs` whether anything is optimized, which no `cfg` of the compiler says, whether unit tests measure, and whether
//! lanes are the compiler's, where no vector registers are sure to be there.

use std::env::{var, var_os};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized, measured, portable)");
    if var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
    println!("cargo::rerun-if-env-changed=SINEW_MEASURE");
    if var_os("SINEW_MEASURE").is_some() {
        println!("cargo::rustc-cfg=measured");
    }
    let has_registers = match var("CARGO_CFG_TARGET_ARCH").as_deref() {
        Ok("x86_64" | "aarch64") => true,
        Ok("wasm32") => var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|all| all.split(',').any(|one| one == "simd128")),
        _ => false,
    };
    if !has_registers {
        println!("cargo::rustc-cfg=portable");
    }
}
