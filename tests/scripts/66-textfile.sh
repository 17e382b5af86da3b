#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the text file that prfread writes ten times a second. For 3 of each 100 milliseconds, a
# collector has the file open so that it cannot be deleted. No write may fail, no file may be torn,
# and none may be older than two intervals of prfread. The same is tested on Linux, where a reader
# delays no writer. If this user may mount a small disk, the test then fills it for a while. At the
# end our programs write their output to /dev/full, and must end with an error.
#
#     bash tests/scripts/66-textfile.sh [<seconds of each>]
#
# Tier: all
# Builds: mingw linux-asan
# Job: scripts
# Use memory if possible, because a busy disk may take longer than two intervals of the writer to
# flush a file.
[[ ! -w /dev/shm ]] || TMPDIR=/dev/shm
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment
# shellcheck source=../../samples/hwinput/screen.sh
source samples/hwinput/screen.sh # poll

SECONDS_OF_EACH=${1:-4}
TURN_MS=100

writer=
shown='*.said'

clean_up() {
    end_process "$writer"
    umount "$work/small" 2>/dev/null || true
}

# The writer writes for 20 intervals longer than the reader reads, so that the writer does not end
# first.
samples=$((SECONDS_OF_EACH * 1000 / TURN_MS + 20))

# expect_writer <wanted exit code> <what>
expect_writer() {
    local exit_code=0
    wait "$writer" || exit_code=$?
    writer=
    [[ $exit_code -eq $1 ]] || fail "$2: the writer ended with $exit_code, not $1"
}

# ---- A reader ----

natively() {
    "$PRFDATA_NATIVE_BIN/textfile_writer" "$work/q.prom" "$samples" "$TURN_MS" \
        >"$work/writer.said" 2>&1 &
    writer=$!
    "$PRFDATA_NATIVE_BIN/textfile_reader" "$work/q.prom" "$SECONDS_OF_EACH" "$TURN_MS" \
        >"$work/reader.said" 2>&1 || fail "on Linux"
    expect_writer 0 'on Linux'
    [[ ! -s $work/writer.said ]] || fail 'on Linux: the writer said something'
    printf 'passed: on Linux, %s\n' "$(<"$work/reader.said")"
}

# Use the real program, and the DLL of a provider that is not registered.
in_wine() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" -dll "$PRFDATA_BIN/prfdata-fixed.dll" -open FixedOpen \
        -collect FixedCollect -close FixedClose -f PROM -o "$work/w.prom" -y -si 0.1 -sc "$samples" \
        '\7710000\*' >"$work/writer.said" 2>&1 &
    writer=$!
    "$WINE" "$PRFDATA_BIN/textfile_reader.exe" "$work/w.prom" "$SECONDS_OF_EACH" "$TURN_MS" \
        >"$work/reader.said" 2>&1 || fail 'under Wine'
    expect_writer 0 'under Wine'
    ! grep -q '^Error' "$work/writer.said" || fail 'under Wine: a write failed'
    printf 'passed: under Wine, %s\n' "$(tr -d '\r' <"$work/reader.said")"
}

# ---- A full disk ----

has_said() {
    grep -q "$1" "$work/writer.said"
}

full_for_a_while() {
    mkdir "$work/small"
    if ! mount -t tmpfs -o size=64k none "$work/small" 2>/dev/null; then
        printf 'note: no small disk here, which root makes\n'
        return
    fi
    "$PRFDATA_NATIVE_BIN/textfile_writer" "$work/small/q.prom" 1000000 20 \
        >"$work/writer.said" 2>&1 &
    writer=$!
    poll 60 test -s "$work/small/q.prom" || fail 'no file on the small disk'
    head -c 100000 /dev/zero >"$work/small/filler" 2>/dev/null || true
    poll 60 has_said '^Error: .*small/q.prom: cannot write the file' || fail 'a full disk: no message'
    cp "$work/small/q.prom" "$work/old.prom"
    [[ $(tail -n 1 "$work/old.prom") == 'prfread_title_changes '* ]] || fail 'a full disk: half a file'
    rm "$work/small/filler"
    poll 60 has_said '^Note: .*small/q.prom: samples are written again, after' || fail 'a disk with room again: no note'
    ! cmp -s "$work/old.prom" "$work/small/q.prom" || fail 'a disk with room again: the old file'
    [[ $(grep -c '^Error' "$work/writer.said") -eq 1 ]] || fail 'a full disk: more than one message'
    kill -INT "$writer"
    expect_writer 4 'a disk that was full'
    [[ $(find "$work/small" -type f | wc -l) -eq 1 ]] || fail 'a full disk: a temporary file is left'
    printf 'passed: a disk that is full for a while\n'
}

# into_full_disk <program> [<argument>...]: check that a program fails if its output cannot be
# written.
into_full_disk() {
    local exit_code=0
    "$@" >/dev/full 2>"$work/full.said" || exit_code=$?
    [[ $exit_code -ne 0 ]] || fail "into a full disk: $*"
}

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine
natively
in_wine
full_for_a_while
into_full_disk "$PRFDATA_NATIVE_BIN/prfread" '-?'
for program in prfread prfcheck prfinstall; do
    into_full_disk "$WINE" "$PRFDATA_BIN/$program.exe" '-?'
done
printf 'passed: what is printed into a full disk ends with an error\n'
