#!/bin/bash
# SPDX-License-Identifier: MIT
# Install the package, natively and for Windows, build somebody else's project with it, and run
# that; under Wine before and after its own service is installed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-consumer.XXXXXX")
uninstall=

clean_up() {
    local exit_code=$?
    trap - EXIT
    [[ -z $uninstall ]] || tests/wine/run "$uninstall" -Uninstall >/dev/null 2>&1 || true
    rm -rf "$work"
    exit "$exit_code"
}
trap clean_up EXIT
trap 'exit 143' INT TERM HUP

# build_consumer <preset> [<cmake argument>...]
build_consumer() {
    local preset=$1
    shift
    quietly cmake --install "build/$preset" --prefix "$work/first"
    # The package must not know where it was installed.
    mv "$work/first" "$work/$preset"
    quietly cmake -S tests/consumer -B "$work/build-$preset" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/$preset" "$@"
    quietly cmake --build "$work/build-$preset"
}

# expect <line> <command> [<argument>...]
expect() {
    local line=$1 output
    shift
    # No pipe: Wine's services would hold it open.
    "$@" >"$work/output" || true
    output=$(tr -d '\r' <"$work/output")
    if [[ $output != "$line" ]]; then
        printf '%s\nsays: %s\nnot:  %s\n' "$*" "$output" "$line"
        return 1
    fi
}

build_preset linux
build_consumer linux
expect "counted 42 orders in private" "$work/build-linux/consumer"

build_consumer mingw -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-mingw-x86_64.cmake"
windows=$work/build-mingw
expect "counted 42 orders in private" tests/wine/run "$windows/consumer.exe"
uninstall=$windows/consumer_installer.exe
quietly tests/wine/run "$windows/consumer_installer.exe" -Install
expect "counted 42 orders for everybody" tests/wine/run "$windows/consumer.exe"
quietly tests/wine/run "$windows/consumer_installer.exe" -Uninstall
expect "counted 42 orders in private" tests/wine/run "$windows/consumer.exe"
uninstall=
