#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds a project that contains the repository (tests/consumer/nested), in every way and with every
# kind of setting that its targets inherit. The provider must have its name and be next to the
# installer, no reader may be built, there must be no warning, and `cmake --install` must install
# the programs.
#
# Tier: all
# Builds:
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata nested.XXXXXX") # with a blank
trap 'rm -rf "$work"' EXIT
trap end_by_signal INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

mingw=-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchain-mingw-x86_64.cmake

# nested <name> <way> <languages> <build type> [<cmake argument>...]
nested() {
    local build=$work/$1 way=$2 languages=$3 type=$4
    shift 4
    cmake -S tests/consumer/nested -B "$build" -DCMAKE_BUILD_TYPE="$type" -DNESTED_PRFDATA="$PWD" \
        -DCMAKE_PREFIX_PATH="$PWD" -DNESTED_WAY="$way" -DNESTED_LANGUAGES="$languages" "$@" \
        >"$work/said" 2>&1 || fail "configuring $build: $(<"$work/said")"
    ! grep -q Warning "$work/said" || fail "configuring $build: $(<"$work/said")"
    cmake --build "$build" --config "$type" --parallel 2 >"$work/said" 2>&1 || fail "building $build: $(<"$work/said")"
    ! grep -qi 'warning' "$work/said" || fail "building $build: $(<"$work/said")"
    cmake --install "$build" --config "$type" --prefix "$build/installed" >"$work/said" 2>&1 ||
        fail "installing $build: $(<"$work/said")"
    [[ -z $(find "$build" -type f -name 'prfread*') ]] || fail "$build builds readers"
}

# expect_installed <name> <file>...: check that `bin` has exactly these files.
expect_installed() {
    local name=$1 found
    shift
    found=$(cd "$work/$name/installed/bin" && printf '%s\n' * | LC_ALL=C sort | tr '\n' ' ')
    [[ $found == "$* " ]] || fail "$name installs: $found"
    [[ -z $(find "$work/$name/installed" -type f -not -path '*/bin/*') ]] || fail "$name installs more"
}

# expect_together <name>: check that the provider has its name and is in the installer's folder.
expect_together() {
    local provider
    provider=$(find "$work/$1" -name MyServicePrf.dll -not -path '*/installed/*')
    [[ -n $provider && -n $(find "$(dirname "$provider")" -maxdepth 1 -name 'queues_installer.*') ]] ||
        fail "$1: MyServicePrf.dll is not next to the installer: $provider"
}

# Each row combines a way, languages and a kind of setting as no other row does.
nested linux FetchContent 'C;CXX' Debug -DNESTED_SETTINGS=flags
expect_installed linux queues
nested names FetchContent CXX\;C Debug "$mingw" -DNESTED_SETTINGS=names -DCMAKE_DEBUG_POSTFIX=d
expect_together names
for setting in places programs flags; do
    nested $setting add_subdirectory C Debug "$mingw" -DNESTED_SETTINGS=$setting
    expect_together $setting
    expect_installed $setting MyServicePrf.dll queues.exe queues_installer.exe
done
nested windows find_package C Debug "$mingw" -DNESTED_SETTINGS=windows
expect_together windows
x86_64-w64-mingw32-objdump -p "$work/windows/executables/queues_installer.exe" >"$work/said"
grep -q 'Subsystem.*(Windows CUI)' "$work/said" || fail "the installer in a project of windowed programs has no console"
nested strict find_package CXX Debug "$mingw" -DNESTED_SETTINGS=strict
expect_together strict
nested many find_package C Release "$mingw" -G 'Ninja Multi-Config'
expect_together many
nested places-of-many add_subdirectory C Debug "$mingw" -G 'Ninja Multi-Config' -DNESTED_SETTINGS=places
expect_together places-of-many
nested flags-of-linux add_subdirectory C Debug -G 'Ninja Multi-Config' -DNESTED_SETTINGS=names

# The error names a missing language.
! cmake -S tests/consumer/nested -B "$work/no-c" -DNESTED_PRFDATA="$PWD" -DNESTED_LANGUAGES=CXX \
    -DNESTED_WAY=add_subdirectory >"$work/said" 2>&1 || fail "add_subdirectory() without C"
grep -qF 'project(Nested LANGUAGES C CXX).' "$work/said" || fail "without C: $(<"$work/said")"
