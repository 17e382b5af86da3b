#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests blocks that prfread.exe saves and prfread on Linux reads, and the other way round. Both
# programs must find the same names, instances and numbers, whether a block came through the system,
# the provider DLL or the region files. The script also tests values computed from two files, and
# damaged files.
#
# Nothing here depends on timing, because the publisher continues when the test lets it.
#
# Tier: all
# Builds: mingw linux-asan
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

publisher=
shown='installed made made.err out said'

clean_up() {
    end_process "$publisher"
    "$WINE" "$PRFDATA_BIN/installer.exe" -Uninstall RasSample >/dev/null 2>&1 || true
}

# windows <exit code> <argument>...: run prfread.exe. Its output is in $work/out, its messages in
# $work/said.
windows() {
    run "$1" in_wine "$PRFDATA_BIN/prfread.exe" "${@:2}"
}

# linux <exit code> <argument>...: run prfread on Linux. Its output is in $work/out, its messages in
# $work/said.
linux() {
    run "$1" natively "$PRFDATA_NATIVE_BIN/prfread" "${@:2}"
}

in_wine() {
    run_in_wine "$work/out" "$work/said" "$@"
}

natively() {
    "$@" >"$work/out" 2>"$work/said"
}

run() {
    local wanted=$1 exit_code=0
    shift
    "$@" || exit_code=$?
    sed -i 's/\r$//' "$work/said"
    [[ $exit_code -eq $wanted ]] ||
        fail "$*: $exit_code instead of $wanted"
}

expect_said() {
    grep -qF -- "$1" "$work/said" || fail "no \"$1\" in: $(<"$work/said")"
}

# same <what> <argument>...: check that prfread prints the same on both systems, except for line
# ends.
same() {
    local what=$1
    shift
    windows 0 "$@"
    sed 's/\r$//' "$work/out" >"$work/windows"
    linux 0 "$@"
    cmp -s "$work/windows" "$work/out" ||
        fail "$what: $(diff "$work/windows" "$work/out" | sed -n 1,6p)"
    [[ -s $work/out ]] || fail "$what: nothing"
    printf 'passed: %s\n' "$what"
}

# Print the values of a reading in CSV, without their times, one per line.
values() {
    tr -d '\r' <"$work/out" | tail -n 1 | sed 's/^"[^"]*",//; s/,/\n/g'
}

# tables_are <number>: return whether the publisher has printed this many tables completely.
tables_are() {
    [[ $(grep -c 'Total Connections' "$work/made" || true) -eq $1 ]]
}

wait_for_tables() {
    wait_for "no table $1" tables_are "$1"
}

# made <counter>: print the total of this counter in the last table that the publisher printed.
made() {
    tr -d '\r' <"$work/made" | grep " $1\$" | tail -n 1 | awk '{print $5}'
}

[[ -x $PRFDATA_NATIVE_BIN/prfread ]] || build_preset linux-asan
begin_wine
cd "$work"

"$WINE" "$PRFDATA_BIN/installer.exe" -Install -Writers Users -AllowUserWritableDll RasSample \
    >"$work/installed" 2>&1 || fail "installing: $(<"$work/installed")"
mkfifo "$work/orders"
"$WINE" "$PRFDATA_BIN/ras.exe" -steps 1000 -hold <"$work/orders" >"$work/made" 2>"$work/made.err" &
publisher=$!
exec 8>"$work/orders"
wait_for_tables 1

# ---- The same moment from all sources ----

windows 0 -save system.block "RAS Port" "RAS Total" "RAS Frames" "RAS Health"
windows 0 -dll RasSample -save dll.block "RAS Port" "RAS Total" "RAS Frames" "RAS Health"
windows 0 -regions RasSample -save regions.block
received=$(made 'Bytes Received')
for source in system dll regions; do
    linux 0 -file $source.block -q
    tr -d '\r' <"$work/out" | sort >"$work/$source.list"
    linux 0 -file $source.block '\RAS Port(*)\Bytes Received' '\RAS Total\Bytes Received'
    values >"$work/$source.values"
    [[ $(tail -n 1 "$work/$source.values") == "\"$received.000000\"" ]] ||
        fail "$source: $(<"$work/$source.values") instead of $received"
    cmp -s "$work/system.values" "$work/$source.values" || fail "$source: other values"
    cmp -s "$work/system.list" "$work/$source.list" || fail "$source: other counters"
done
printf 'passed: the system, the DLL and the regions say the same: %s bytes\n' "$received"

same "a list" -file system.block -qx
same "every field" -file system.block -dump
same "one file: no rates" -file system.block '\RAS Total\*' -f JSON
grep -q '"PDH_INVALID_DATA\|null' "$work/out" || fail "a rate from one sample: $(<"$work/out")"

cp system.block other.block # becomes a sample of a computer whose name begins with ~
printf '~' | dd of=other.block bs=1 seek=88 conv=notrunc status=none
same "the computer's name" -file other.block '\RAS Total\Bytes Received'
grep -qF '"\\~' "$work/out" || fail "the computer's name: $(<"$work/out")"

# Help texts are in the file, too.
linux 0 -file system.block -f OM '\RAS Total\Bytes Received'
grep -q '^# HELP .*The number of bytes received' "$work/out" || fail "no help: $(<"$work/out")"

# ---- Two moments ----

echo >&8
wait_for_tables 2
windows 0 -save later.block "RAS Port" "RAS Total"
same "two files" -file system.block later.block '\RAS Port(*)\*' '\RAS Total\*'
values | grep '"-1"' && fail "two files: something has no value: $(values)"
same "two files as JSON" -file system.block later.block '\RAS Total\Bytes Received/Sec' -f JSON
linux 0 -file system.block later.block '\RAS Total\Bytes Received'
[[ $(values) == "\"$(made 'Bytes Received').000000\"" ]] || fail "the later value: $(values)"

linux 0 -file later.block system.block '\RAS Total\Bytes Received/Sec'
expect_said "is older than the other file"
[[ $(values) == '"-1"' ]] || fail "a rate backwards: $(values)"
linux 2 -file other.block later.block '\RAS Total\Bytes Received'
expect_said "other.block of ~"
linux 2 -file system.block later.block -q
expect_said "only values are computed from two files"

# ---- Files ----

linux 0 -file system.block -save copy.block
cmp -s system.block copy.block || fail "a copy is not the same"
linux 4 -file later.block -save copy.block
expect_said "the file exists; -y overwrites it"
cmp -s system.block copy.block || fail "an existing file was changed"
linux 0 -file later.block -save copy.block -y
cmp -s later.block copy.block || fail "-y did not overwrite"
windows 0 -file copy.block -save back.block
cmp -s later.block back.block || fail "a copy of a copy is not the same"
printf 'passed: copies on both systems are the same bytes\n'

linux 4 -file nothing.block -q
expect_said "cannot read the file"
head -c 50 system.block >cut.block
linux 5 -file cut.block -q
expect_said "the file is cut short"
size=$(stat -c %s system.block)
head -c $((size - 10)) system.block >cut.block
linux 5 -file cut.block '\RAS Total\Bytes Received'
expect_said "the titles are cut short"
[[ $(values) == "\"$received.000000\"" ]] || fail "titles cut short: $(values)"
windows 5 -file cut.block '\RAS Total\Bytes Received'
expect_said "the titles are cut short"
printf 'passed: damaged files\n'

# Save only the block, without the titles that follow it. Then cut off its last three bytes.
total=$(od -An -tu4 -j 20 -N 4 system.block | tr -d ' ')
head -c "$total" system.block >raw.block
linux 0 -file raw.block -q
grep -q '^\\[0-9]*\\[0-9]*' "$work/out" || fail "a block without titles: $(<"$work/out")"
head -c $((total - 3)) system.block >cut.block
linux 5 -file cut.block -dump
expect_said "the file is cut short"
printf 'passed: a block without titles, and one cut short\n'
