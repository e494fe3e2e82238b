#!/bin/sh
# Limbs and chains in lanes beside the least that they cost in C, each width with its own instructions, and beside rebirth-ik and
# ozz-animation-rs, in one run: ./run.sh
# Says so where there is no C compiler, or where it cannot build for this machine, and where there is no Rust 1.89 (for ozz-animation-rs).
cd "$(dirname "$0")" || exit 1
if command -v cc >/dev/null && [ "$(uname -m)" = x86_64 ]; then
    folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
    # A vector of one lane is none: the compiler must not find some either.
    for set in 1:x86-64-v2:-fno-tree-vectorize 4:x86-64-v2: 8:x86-64-v3: 16:x86-64-v4:-mprefer-vector-width=512; do
        IFS=: read -r lanes machine more <<SET
$set
SET
        for kernel in floor pose chain; do
            cc -O3 -march="$machine" $more -ffp-contract=off -fno-math-errno -DLANES="$lanes" $kernel.c -o "$folder/floor" -lm &&
                { "$folder/floor" || echo "$lanes lanes: not on this machine"; }
        done
    done
else
    echo "skipped: no cc for x86-64 here, so there is no floor to measure beside"
fi
# The peers are a workspace of their own.
ours='cargo run --quiet --release --manifest-path ../../../../Cargo.toml -p sinew-crowd --example'
$ours measure -- limbs
$ours measure_chains
cargo run --quiet --release
if cargo +1.89.0 --version >/dev/null 2>&1; then
    # Unstable features of a stable compiler: what they are called has changed since.
    (cd ozz && RUSTC_BOOTSTRAP=1 cargo +1.89.0 run --quiet --release)
else
    echo "skipped: no Rust 1.89 for ozz-animation-rs (rustup toolchain install 1.89.0 --profile minimal)"
fi
