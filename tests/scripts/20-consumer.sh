#!/bin/bash
# SPDX-License-Identifier: MIT
# Install the package, natively and for Windows, build somebody else's project with it, and run
# that.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-consumer.XXXXXX")
trap 'rm -rf "$work"' EXIT

# consume <preset> <program> <run with> [<cmake argument>...]
consume() {
    local preset=$1 program=$2 run_with=$3 output
    shift 3
    cmake --install "build/$preset" --prefix "$work/first" >/dev/null
    # The package must not know where it was installed.
    mv "$work/first" "$work/$preset"
    quietly cmake -S tests/consumer -B "$work/build-$preset" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/$preset" "$@"
    quietly cmake --build "$work/build-$preset"
    $run_with "$work/build-$preset/$program" >"$work/output" || true
    output=$(tr -d '\r' <"$work/output")
    if [[ $output != "counted 42 orders" ]]; then
        echo "$preset: the consumer says: $output"
        return 1
    fi
}

build_preset linux
consume linux consumer ''
consume mingw consumer.exe tests/wine/run \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-mingw-x86_64.cmake"
