#!/bin/sh
# Two-bone limbs in lanes beside the least that they cost in C, in one run: ./run.sh
# Says so and ends well where there is no C compiler.
cd "$(dirname "$0")" || exit 1
if ! command -v cc >/dev/null; then
    echo "skipped: no cc here, so there is no floor to measure beside"
    exit 0
fi
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
for lanes in 1 4 8 16; do
    # A vector of one lane is none: the compiler must not find some either.
    one=$([ "$lanes" = 1 ] && echo -fno-tree-vectorize)
    cc -O3 -march=native -ffp-contract=off -fno-math-errno $one -DLANES=$lanes floor.c -o "$folder/floor" -lm && "$folder/floor"
done
cargo run --quiet --release -p sinew-crowd --example measure -- limbs
