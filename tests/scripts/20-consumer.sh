#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the installed package. It installs the package natively and for Windows, builds another
# project with it, and runs the project's program. Under Wine the program runs before and after the
# project's service is installed. The build of a project with an invalid map must fail. The script
# also tests the samples and documents of the package, and what find_package() advises if the
# compiler makes programs for another system.
#
# Tier: all
# Builds: linux mingw
# Job: wine
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

uninstall=

clean_up() {
    [[ -z $uninstall ]] || tests/wine/run "$uninstall" -Uninstall >/dev/null 2>&1 || true
}

install_package() {
    local preset=$1
    quietly cmake --install "build/$preset" --prefix "$work/first"
    # Move the package, because it must work in every folder.
    mv "$work/first" "$work/$preset"
}

# configure <preset of the package> <source folder> <build folder> [<cmake argument>...]
configure() {
    local package=$work/$1 source=$2 build=$3
    shift 3
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$package" "$@"
}

# build_consumer <preset> [<cmake argument>...]
build_consumer() {
    local preset=$1
    shift
    quietly configure "$preset" tests/consumer "$work/build-$preset" "$@"
    quietly cmake --build "$work/build-$preset"
}

# build_samples <preset> [<cmake argument>...]
build_samples() {
    local preset=$1
    shift
    quietly configure "$preset" "$work/$preset/share/PrfData/samples" "$work/samples-$preset" "$@"
    quietly cmake --build "$work/samples-$preset"
}

# Print on one line find_package()'s message for a package for another system.
refusal() {
    ! configure "$@" >"$work/refused" 2>&1 || fail "cmake took the package of $1: $*"
    tr -s ' \n' ' ' <"$work/refused"
}

# expect <line> <command> [<argument>...]
expect() {
    local line=$1 output
    shift
    # Use no pipe, because Wine's services would hold it open.
    "$@" >"$work/output" || true
    output=$(tr -d '\r' <"$work/output")
    if [[ $output != "$line" ]]; then
        printf '%s\nsays: %s\nnot:  %s\n' "$*" "$output" "$line"
        return 1
    fi
}

build_preset linux
install_package linux
build_consumer linux
expect "counted 42 orders in private" "$work/build-linux/consumer"
expect "counted 42 orders in private" "$work/build-linux/consumer_cpp"
expect "HWInputMon: 8 entries, 0 mistakes" "$work/build-linux/richter"
expect "HWInputMon: 8 entries, 0 mistakes" "$work/build-linux/richter_cpp"

# If a build has no toolchain file, the package for Windows names its own toolchain file.
install_package mingw
said=$(refusal mingw tests/consumer "$work/refused-mingw")
toolchain=$work/mingw/lib/cmake/PrfData/toolchain-mingw-x86_64.cmake
[[ $said == *'Cross-compile: use the toolchain file'*"-DCMAKE_TOOLCHAIN_FILE=$toolchain "* ]] ||
    fail "the package for Windows says: $said"
build_consumer mingw -DCMAKE_TOOLCHAIN_FILE="$toolchain"
for bits in i686 x86_64; do
    said=$(refusal linux tests/consumer "$work/refused-$bits" \
        -DCMAKE_TOOLCHAIN_FILE="$work/linux/lib/cmake/PrfData/toolchain-mingw-$bits.cmake")
    [[ $said == *'Put a PrfData for Windows into CMAKE_PREFIX_PATH;'*'use a toolchain file of '* ]] ||
        fail "the package for Linux says: $said"
done

windows=$work/build-mingw
expect "HWInputMon: 8 entries, 0 mistakes" tests/wine/run "$windows/richter.exe"
expect "counted 42 orders in private" tests/wine/run "$windows/consumer.exe"
uninstall=$windows/consumer_installer.exe
quietly tests/wine/run "$windows/consumer_installer.exe" -Install
expect "counted 42 orders for everybody" tests/wine/run "$windows/consumer.exe"
expect "counted 42 orders for everybody" tests/wine/run "$windows/consumer_cpp.exe"
quietly tests/wine/run "$windows/consumer_installer.exe" -Uninstall
expect "counted 42 orders in private" tests/wine/run "$windows/consumer.exe"
uninstall=

# A project that is only in C++.
quietly configure mingw tests/consumer/nested "$work/cxx" -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
    -DNESTED_LANGUAGES=CXX -DNESTED_PRFDATA="$PWD"
quietly cmake --build "$work/cxx"
expect "MyService: Map: valid (objects: 1, counters: 2)" tests/wine/run "$work/cxx/queues_installer.exe" -Check

# Two products in one tree. Only the first one enables C.
quietly configure linux tests/consumer/products "$work/products" -DFIRST_LANGUAGES='C;CXX'
quietly cmake --build "$work/products"

# PrfData has no components. A package and the repository give the same answer.
ln -s "$PWD" "$work/repository"
for found in linux repository; do
    said=$(refusal "$found" tests/consumer/components "$work/required-$found" -DASKED='COMPONENTS;client')
    [[ $said == *'PrfData has no component client, '*'find_package(PrfData) without COMPONENTS'* ]] ||
        fail "$found, asked for a component, says: $said"
    quietly configure "$found" tests/consumer/components "$work/optional-$found" -DASKED='OPTIONAL_COMPONENTS;client'
done

# ---- A wrong map ----

# build_wrong <name> [<cmake argument>...]: build tests/consumer/wrong for Windows. The arguments
# decide whether its map is valid. The output is in $work/said.
build_wrong() {
    local build=$work/wrong-$1
    shift
    quietly configure mingw tests/consumer/wrong "$build" -DCMAKE_TOOLCHAIN_FILE="$toolchain" "$@"
    cmake --build "$build" >"$work/said" 2>&1
}

# refuse <name> <sentence> [<cmake argument>...]: check that the build fails with this sentence, and
# that it fails again, because a failed map must not count as built.
refuse() {
    local name=$1 sentence=$2
    shift 2
    for _ in first second; do
        ! build_wrong "$name" "$@" || fail "the build takes a wrong map ($name)"
        grep -qxF -- "$sentence" "$work/said" || fail "$name says: $(<"$work/said")"
    done
}

{ read -r bad_name && read -r bad_service; } <tests/consumer/wrong/sentences.txt
not_checked='wrong_installer: the maps were not checked'
# The installer cannot run here, so the build compiles the map for this computer and checks it.
build_wrong native || fail "a right map is refused: $(<"$work/said")"
! grep -q 'not checked' "$work/said" || fail "a right map: $(<"$work/said")"
refuse native "$bad_name" -DSHOP_DEFINITIONS=SHOP_BAD_NAME
# A valid map that is probably not intended is built, and each note is a warning of the build.
build_wrong native -DSHOP_DEFINITIONS=SHOP_ODD || fail "a map with notes is refused: $(<"$work/said")"
for note in \
    'PRFDATA_MAP_PERCENTILE after SHOP_P99 (3): the share is of 10,000, so 99 is the value that 0.99 % do not exceed; p99 is 9900.' \
    'PRFDATA_MAP_AT_MOST after SHOP_QUICK (4): the bound 1000 is not the end of a bucket, so values up to 1023 count; the next lower end is 959.'; do
    grep -qxF -- "wrong_installer : warning PRFDATA: PrfDataWrong: Map: $note" "$work/said" ||
        fail "the build does not say: $note: $(<"$work/said")"
done
build_wrong native -DSHOP_DEFINITIONS= || fail "the map is right again: $(<"$work/said")"
refuse native "$bad_service" -DSHOP_SERVICE=PrfDataShop
refuse native "$bad_service" -DSHOP_DEFINITIONS=SHOP_BAD_NAME # both mistakes together
grep -qxF -- "$bad_name" "$work/said" || fail "with both mistakes: $(<"$work/said")"
build_wrong elsewhere -DSHOP_DEFINITIONS='SHOP_NEEDS_WINDOWS;SHOP_BAD_NAME' ||
    fail "what cannot be checked is refused: $(<"$work/said")"
grep -qF "$not_checked" "$work/said" || fail "a map that is not checked: $(<"$work/said")"
# A map may need a later standard than the default of this computer's compiler.
refuse later "$bad_name" -DSHOP_DEFINITIONS='SHOP_NEEDS_C23;SHOP_BAD_NAME' -DCMAKE_C_STANDARD=23
for compiler in gcc clang; do
    host_cc=$(command -v "$compiler") || continue
    # The check uses the standard of the target, or the standard that an option chooses.
    refuse "$compiler" "$bad_name" -DPRFDATA_HOST_CC="$host_cc" -DSHOP_EXTENSION=cpp \
        -DSHOP_DEFINITIONS='SHOP_NEEDS_CXX11;SHOP_BAD_NAME' -DCMAKE_CXX_STANDARD=11
    refuse "$compiler-option" "$bad_name" -DPRFDATA_HOST_CC="$host_cc" -DSHOP_EXTENSION=cpp \
        -DSHOP_DEFINITIONS='SHOP_NEEDS_CXX20;SHOP_BAD_NAME' -DCMAKE_CXX_FLAGS=-std=gnu++20
    # The log must say why the map does not compile in its standard, not in another one.
    build_wrong "$compiler" -DSHOP_DEFINITIONS='SHOP_NEEDS_CXX11;SHOP_NEEDS_WINDOWS' ||
        fail "$compiler: what cannot be checked is refused: $(<"$work/said")"
    log=$(grep -oE '/[^(]*-compiler\.err' "$work/said") || fail "$compiler: no log: $(<"$work/said")"
    grep -q 'windows\.h' "$log" || fail "$compiler: the log does not name windows.h: $(<"$log")"
    ! grep -q 'another standard' "$log" || fail "$compiler: the log is of another standard: $(<"$log")"
done
# If CMake knows an emulator, the installer for Windows runs and checks its own map.
refuse emulated "$bad_name" -DSHOP_DEFINITIONS='SHOP_NEEDS_WINDOWS;SHOP_BAD_NAME' \
    -DCMAKE_CROSSCOMPILING_EMULATOR="$PWD/tests/wine/run"
refuse emulated "$bad_service" -DSHOP_DEFINITIONS=SHOP_NEEDS_WINDOWS -DSHOP_SERVICE=PrfDataShop
build_wrong emulated -DSHOP_SERVICE=prfdatawrong || fail "a right map is refused: $(<"$work/said")"
! grep -q 'not checked' "$work/said" || fail "a right map: $(<"$work/said")"

# ---- The rest of the package ----

build_samples linux
build_samples mingw -DCMAKE_TOOLCHAIN_FILE="$toolchain"
for file in hwinput.exe installer.exe ras.exe HWInputMonPrf.dll RasSamplePrf.dll; do
    [[ -s $work/samples-mingw/bin/$file ]] || fail "the installed samples make no $file"
done
# expect_bin <preset> <file>...: check that `bin` of the package has exactly these files.
expect_bin() {
    local preset=$1 found
    shift
    found=$(cd "$work/$preset/bin" && printf '%s\n' * | sort | tr '\n' ' ')
    [[ $found == "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ]] || fail "bin of the package for $preset has $found"
}
expect_bin linux prfread prfinstall
expect_bin mingw prfread.exe prfcheck.exe prfview.exe prfinstall.exe PrfDataProvider.dll prfdata.dll
[[ -s $work/linux/lib/libprfdata.so ]] || fail "no libprfdata.so"
"$work/linux/bin/prfread" '-?' >"$work/said" || fail "the installed prfread"
grep -q '^prfread: performance counters' "$work/said" || fail "prfread says: $(<"$work/said")"
for reader in prfread prfcheck prfinstall; do
    tests/wine/run "$work/mingw/bin/$reader.exe" '-?' >"$work/said" || fail "the installed $reader"
    grep -q 'performance counter' "$work/said" || fail "$reader says: $(<"$work/said")"
done
for preset in linux mingw; do
    for file in LICENSE README.md; do
        cmp "$file" "$work/$preset/share/doc/PrfData/$file" || fail "$preset: $file"
    done
    diff -r packaging/debugging "$work/$preset/share/PrfData/debugging" || fail "$preset: debugging"
    [[ ! -d docs ]] || diff -r docs "$work/$preset/share/doc/PrfData/docs" || fail "$preset: docs"
done
