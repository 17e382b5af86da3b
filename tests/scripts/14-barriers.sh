#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that the barriers that atomic.h promises are in the instructions for ARM64. Clang in MSVC
# mode compiles atomic.h with Visual Studio's intrinsics, once for ARM64 and once with the macros of
# ARM64EC. gcc compiles it with its own atomics. Running a program here would not show that a
# barrier is missing, because x86 orders loads and stores itself, even below qemu. tests/fences.py
# checks that the functions that need barriers have them. tests/spin shows that their order
# suffices.
#
# Tier: all
# Builds: linux-arm64 windows-msvc-arm64
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

exit_code=0

# Print each function of an object on a line: its name, then its instructions up to `ret`.
functions_of() {
    llvm-objdump -d --no-show-raw-insn "$1" | tr '\t' ' ' | sed -n \
        -e 's/^[0-9a-f]* <\(.*\)>:$/\n\1:/p' -e 's/^ *[0-9a-f]*:  *\([a-z].*\)$/ \1;/p' |
        tr -s ' ' | tr -d '\n' | sed 's/; *ret;/&\n/g' | sed 's/^\( nop;\)*//'
    echo
}

# expect <object> <function> <regular expression of its instructions>
expect() {
    local found
    found=$(grep "^$2: " "$work/$1.txt" || true)
    if [[ ! $found =~ ^$2:\ $3\;\ ret\;$ ]]; then
        echo "$1: $2 should be: $3"
        echo "    but it is: ${found:-missing}"
        exit_code=1
    fi
}

aarch64-linux-gnu-gcc -std=c11 -O2 -mno-outline-atomics -Ishared/include -Iprovider -I. \
    -c tests/shared/core/barriers.c -o "$work/gcc.o"
functions_of "$work/gcc.o" >"$work/gcc.txt"
objects=build/windows-msvc-arm64/tests/shared/core/CMakeFiles
for name in '' _arm64ec; do
    functions_of "$objects/prfdata_barriers$name.dir/barriers.c.obj" >"$work/msvc$name.txt"
done

x='[xw][0-9]+'
again='cbnz w[0-9]+, [^;]*'
for msvc in msvc msvc_arm64ec; do
    expect "$msvc" load64_relaxed "ldr $x, \[x0\]"
    expect "$msvc" load64_acquire "ldr $x, \[x0\]; dmb ishld"
    expect "$msvc" load32_acquire "ldr $x, \[x0\]; dmb ishld"
    expect "$msvc" load_bytes_acquire "ldr $x, \[x0\]; dmb ishld"
    expect "$msvc" store64_relaxed "str $x, \[x0\]"
    expect "$msvc" store64_release "dmb ish; str $x, \[x0\]"
    expect "$msvc" store32_release "dmb ish; str $x, \[x0\]"
    expect "$msvc" store_bytes_release "dmb ish; str $x, \[x0\]"
    expect "$msvc" add64_relaxed "ldaxr $x, \[x0\]; add [^;]*; stlxr w[0-9]+, $x, \[x0\]; $again"
    expect "$msvc" add64_release "ldaxr $x, \[x0\]; add [^;]*; stlxr w[0-9]+, $x, \[x0\]; $again"
    expect "$msvc" fence 'dmb (ish|sy)'
    expect "$msvc" fence_acquire 'dmb ishld'
    expect "$msvc" fence_release 'dmb ish'
    expect "$msvc" fence_after_swap 'dmb (ish|sy)'
    expect "$msvc" put_two_cells "ldr $x, \[x1\]; .*str $x, \[x0, #8\]"
done

expect gcc load64_relaxed "ldr $x, \[x0\]"
expect gcc load64_acquire "ldar $x, \[x0\]"
expect gcc load32_acquire "ldar $x, \[x0\]"
expect gcc load_bytes_acquire "ldar $x, \[x0\]"
expect gcc store64_relaxed "str $x, \[x0\]"
expect gcc store64_release "stlr $x, \[x0\]"
expect gcc store32_release "stlr $x, \[x0\]"
expect gcc store_bytes_release "stlr $x, \[x0\]"
expect gcc add64_relaxed "ldxr $x, \[x0\]; add [^;]*; stxr w[0-9]+, $x, \[x0\]; $again"
expect gcc add64_release "ldxr $x, \[x0\]; add [^;]*; stlxr w[0-9]+, $x, \[x0\]; $again"
expect gcc fence 'dmb ish'
expect gcc fence_acquire 'dmb ishld'
expect gcc fence_release 'dmb ish'
expect gcc fence_after_swap 'dmb ish'
python3 -B tests/fences.py || exit_code=1
exit "$exit_code"
