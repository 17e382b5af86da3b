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
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

builds="$work/with a blank"
mkdir "$builds"
mingw=-DCMAKE_TOOLCHAIN_FILE=$PWD/cmake/toolchain-mingw-x86_64.cmake

# nested <name> <way> <languages> <build type> [<cmake argument>...]
nested() {
    local build=$builds/$1 way=$2 languages=$3 type=$4
    shift 4
    cmake -S tests/consumer/nested -B "$build" -DCMAKE_BUILD_TYPE="$type" -DNESTED_PRFDATA="$PWD" \
        -DCMAKE_PREFIX_PATH="$PWD" -DNESTED_WAY="$way" -DNESTED_LANGUAGES="$languages" "$@" \
        >"$builds/said" 2>&1 || fail "configuring $build: $(<"$builds/said")"
    ! grep -q Warning "$builds/said" || fail "configuring $build: $(<"$builds/said")"
    cmake --build "$build" --config "$type" --parallel 2 >"$builds/said" 2>&1 || fail "building $build: $(<"$builds/said")"
    ! grep -qiE 'warning|not checked' "$builds/said" || fail "building $build: $(<"$builds/said")"
    cmake --install "$build" --config "$type" --prefix "$build/installed" >"$builds/said" 2>&1 ||
        fail "installing $build: $(<"$builds/said")"
    [[ -z $(find "$build" -type f -name 'prfread*') ]] || fail "$build builds readers"
}

# expect_installed <name> <file>...: check that `bin` has exactly these files.
expect_installed() {
    local name=$1 found
    shift
    found=$(cd "$builds/$name/installed/bin" && printf '%s\n' * | LC_ALL=C sort | tr '\n' ' ')
    [[ $found == "$* " ]] || fail "$name installs: $found"
    [[ -z $(find "$builds/$name/installed" -type f -not -path '*/bin/*') ]] || fail "$name installs more"
}

# expect_together <name>: check that the provider has its name and is in the installer's folder.
expect_together() {
    local provider
    provider=$(find "$builds/$1" -name MyServicePrf.dll -not -path '*/installed/*')
    [[ -n $provider && -n $(find "$(dirname "$provider")" -maxdepth 1 -name 'queues_installer.*') ]] ||
        fail "$1: MyServicePrf.dll is not next to the installer: $provider"
}

# Each row combines a way to get PrfData, the project's languages, a build type and a file of
# settings. Building all combinations would take too long. Each way and each file of settings occurs
# at least once.
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
x86_64-w64-mingw32-objdump -p "$builds/windows/executables/queues_installer.exe" >"$builds/said"
grep -q 'Subsystem.*(Windows CUI)' "$builds/said" || fail "the installer in a project of windowed programs has no console"
nested strict find_package CXX Debug "$mingw" -DNESTED_SETTINGS=strict
expect_together strict
nested rest find_package CXX Profile "$mingw" -DNESTED_SETTINGS=rest
expect_together rest
expect_installed rest MyServicePrf.dll queues.one queues_installer.one
nested many find_package C Release "$mingw" -G 'Ninja Multi-Config'
expect_together many
nested places-of-many add_subdirectory C Debug "$mingw" -G 'Ninja Multi-Config' -DNESTED_SETTINGS=places
expect_together places-of-many
nested flags-of-linux add_subdirectory C Debug -G 'Ninja Multi-Config' -DNESTED_SETTINGS=flags

# expect_error <call> <sentence>: check that this call of a project fails with this sentence.
expect_error() {
    mkdir -p "$builds/error"
    printf 'cmake_minimum_required(VERSION 3.21)\nproject(Error LANGUAGES C)\ninclude("%s")\n%s\n' \
        "$PWD/cmake/PrfDataService.cmake" "$1" >"$builds/error/CMakeLists.txt"
    ! cmake -S "$builds/error" -B "$builds/error/build" >"$builds/said" 2>&1 || fail "$1 is taken"
    [[ $(tr -s ' \n' ' ' <"$builds/said") == *"$2"* ]] || fail "$1 says: $(<"$builds/said")"
}
expect_error 'prfdata_add_provider(p SERVICE "My/Service")' 'the service name "My/Service" is not allowed'
expect_error 'prfdata_add_provider(p SERVICE "My Service.")' 'the service name "My Service." is not allowed'
expect_error 'prfdata_add_provider(p SERVICE "My\"Service")' 'is not allowed; use A-Z a-z 0-9 blank . _ -'
expect_error 'prfdata_add_installer(i MAPS a.c maps/queues.prfmap)' \
    'MAPS are files in C or C++, and maps/queues.prfmap is not. For a map file, use prfinstall'

# The error names a missing language.
! cmake -S tests/consumer/nested -B "$builds/no-c" -DNESTED_PRFDATA="$PWD" -DNESTED_LANGUAGES=CXX \
    -DNESTED_WAY=add_subdirectory >"$builds/said" 2>&1 || fail "add_subdirectory() without C"
grep -qF 'project(Nested LANGUAGES C CXX).' "$builds/said" || fail "without C: $(<"$builds/said")"

# The error names what a build of the repository itself needs for its tests.
! cmake -S . -B "$builds/no-cmocka" -DCMAKE_IGNORE_PATH=/usr/include >"$builds/said" 2>&1 || fail "tests without cmocka"
[[ $(tr -s ' \n' ' ' <"$builds/said") == *"The tests need cmocka"*"-DPRFDATA_BUILD_TESTS=OFF"* ]] ||
    fail "without cmocka: $(<"$builds/said")"

# In a project that is only in C++, the installer gets the options of Visual Studio's linker.
cmake -S tests/consumer/only_cpp -B "$builds/only-cpp" -DONLY_CPP_PRFDATA="$PWD" >"$builds/said" 2>&1 ||
    fail "a project that is only in C++: $(<"$builds/said")"

# Two products in one tree, and each of them finds PrfData.
for languages in CXX 'C;CXX'; do
    rm -rf "$builds/products"
    cmake -S tests/consumer/products -B "$builds/products" -DFIRST_LANGUAGES="$languages" -DCMAKE_PREFIX_PATH="$PWD" \
        >"$builds/said" 2>&1 || fail "two products, the first one in $languages: $(<"$builds/said")"
done
