#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests `prfread -top` on real terminals: prfread.exe in Wine's console with counters that grow when
# the test lets them, and prfread on Linux with two saved blocks. With --capture: print a screen.
#
# Nothing here depends on timing, because tests/support/scripts/screen.py waits for a condition of
# the screen.
#
# Tier: all
# Builds: mingw linux-asan
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

python=(/usr/bin/python3 -B) # the one that has Debian's packages; it leaves no __pycache__
drive=$PWD/tests/support/scripts/top_on_screen.py

publisher=
shown='installed made made.err out said'

end_publisher() {
    end_process "$publisher"
    publisher=
}

clean_up() {
    end_publisher
    "$WINE" "$PRFDATA_BIN/installer.exe" -Uninstall RasSample >/dev/null 2>&1 || true
}

# start_publisher <argument>...
start_publisher() {
    : >"$work/made.err" # otherwise an earlier publisher's line may still be there
    "$WINE" "$PRFDATA_BIN/ras.exe" "$@" <"$work/orders" >"$work/made" 2>"$work/made.err" &
    publisher=$!
    disown # bash must not report its end
    exec 8>"$work/orders" # the program reads orders as long as this is open
    wait_for "ras did not start" grep -q . "$work/made.err"
    grep -q '^Publishing' "$work/made.err" || fail "$(<"$work/made.err")"
}

prfread() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" "$@"
}

"${python[@]}" -c 'import pyte' 2>/dev/null || fail "no python3-pyte: run scripts/bootstrap"
[[ -x $PRFDATA_NATIVE_BIN/prfread ]] || build_preset linux-asan
begin_wine
"$WINE" "$PRFDATA_BIN/installer.exe" -Install -Writers Users -AllowUserWritableDll RasSample \
    >"$work/installed" 2>&1 || fail "installing: $(<"$work/installed")"
mkfifo "$work/orders"
export TMP=$work # the temporary folder, for Wine's programs, too

if [[ ${1:-} == --capture ]]; then
    start_publisher -ports 4 -steps 40
    "${python[@]}" "$drive" capture -- "$WINE" "$PRFDATA_BIN/prfread.exe"
    exit 0
fi

# ---- Without a terminal ----

exit_code=0
prfread -top "RAS Total" >"$work/out" 2>"$work/said" || exit_code=$?
[[ $exit_code -eq 4 && ! -s $work/out ]] || fail "into a file: $exit_code, $(<"$work/out")"
grep -q 'needs a terminal' "$work/said" || fail "into a file: $(<"$work/said")"
echo "passed: standard output that is no terminal"

# ---- Windows ----

start_publisher -ports 3 -steps 1000 -hold
for source in "" "-regions RasSample" "-dll RasSample"; do
    # shellcheck disable=SC2086 # words
    "${python[@]}" "$drive" everything -- "$WINE" "$PRFDATA_BIN/prfread.exe" -top $source
done
PUBLISHER=$publisher "${python[@]}" "$drive" live "$work/orders" "$work/made" -- \
    "$WINE" "$PRFDATA_BIN/prfread.exe"
end_publisher

# ---- Linux ----

start_publisher -steps 1000 -hold
(cd "$work" && prfread -save older.block "RAS Port" "RAS Total") || fail "-save ended with $?"
echo >&8
(cd "$work" && prfread -save newer.block "RAS Port" "RAS Total") || fail "-save ended with $?"
# On Linux, too, a word that begins with / is an option, so name the files without a folder.
cd "$work"
"${python[@]}" "$drive" recorded -- "$PRFDATA_NATIVE_BIN/prfread" -top -file older.block newer.block

# ---- Lines on a terminal ----

# The file is from a computer whose name begins with an escape character.
printf '\033' | dd of=newer.block bs=1 seek=88 conv=notrunc status=none
watch=("$PRFDATA_NATIVE_BIN/prfread" -file newer.block '\RAS Total\Bytes Received')
"${watch[@]}" >"$work/out" 2>"$work/said" || fail "$(<"$work/said")"
grep -qF '\\'$'\033' "$work/out" || fail "a file does not get every byte: $(<"$work/out")"
"${python[@]}" -c 'import pty, sys; pty.spawn(sys.argv[1:])' "${watch[@]}" >"$work/seen" </dev/null
grep -qF '\\'$'\xEF\xBF\xBD' "$work/seen" || fail "on a terminal: $(<"$work/seen")"
! grep -q $'\033' "$work/seen" || fail "a terminal gets an escape character"
echo "passed: everything"
