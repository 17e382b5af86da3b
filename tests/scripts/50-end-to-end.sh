#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that the hardware-input monitor counts exactly, from the pressed key to the number that a
# reader gets through HKEY_PERFORMANCE_DATA. xdotool types, moves and clicks on a virtual screen.
#
# Nothing here depends on timing. Input arrives in order, so the last pressed key is a fence: when a
# reader sees it, everything before it has been counted, and the counts must be exact by then.
#
# Tier: test
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment
# shellcheck source=../../samples/hwinput/screen.sh
source samples/hwinput/screen.sh

PICTURE=$PWD/build/end-to-end.png

clean_up() {
    screen_stop
    "$WINE" "$PRFDATA_BIN/hwinput.exe" -Uninstall >/dev/null 2>&1 || true
}

# ---- Reading ----

# Print the fields of a line of CSV, one per line. Each field of the line is quoted.
csv_fields() {
    sed -e 's/\r$//; s/^"//; s/"$//; s/","/\n/g' <<<"$1"
}

# Set keys, moves, left, middle, right and total from one reading. A missing value is `-`.
read_counts() {
    local output path i
    local -a lines paths values
    local -A found=()
    output=$("$WINE" "$PRFDATA_BIN/prfread.exe" '\Hardware Input\Keystrokes' \
        '\Hardware Input\Mouse moves' '\Mouse Clicks(*)\Clicks' -si 0.01 -sc 1 2>"$screen_folder/prfread") ||
        fail "prfread ended with $?: $output $(<"$screen_folder/prfread")"
    mapfile -t lines < <(grep '^"' <<<"$output")
    [[ ${#lines[@]} -eq 2 ]] || fail "prfread printed: $output"
    mapfile -t paths < <(csv_fields "${lines[0]}")
    mapfile -t values < <(csv_fields "${lines[1]}")
    for i in "${!paths[@]}"; do
        path=${paths[i]#'\\'*'\'}
        found[$path]=${values[i]%.000000}
    done
    keys=${found['Hardware Input\Keystrokes']:--}
    moves=${found['Hardware Input\Mouse moves']:--}
    left=${found['Mouse Clicks(Left)\Clicks']:--}
    middle=${found['Mouse Clicks(Middle)\Clicks']:--}
    right=${found['Mouse Clicks(Right)\Clicks']:--}
    total=${found['Mouse Clicks(_Total)\Clicks']:--}
    counts="$keys keys, $moves moves, $left left, $middle middle, $right right, $total clicks"
}

# counts_are <keys> <moves> <left> <middle> <right> <total>: return whether a reader sees these
# counts.
counts_are() {
    read_counts
    [[ "$keys $moves $left $middle $right $total" == "$*" ]]
}

# expect_counts <what> <counts>...: check the counts, and report the found ones if they differ.
expect_counts() {
    local what=$1
    shift
    counts_are "$@" || fail "$what: expected $*, read $counts"
    printf 'passed: %s: %s\n' "$what" "$counts"
}

# expect_at_last <what> <counts>...: wait until the counts are there.
expect_at_last() {
    local what=$1
    shift
    poll "$LIMIT" counts_are "$@" || fail "$what: expected $*, read $counts"
    printf 'passed: %s: %s\n' "$what" "$counts"
}

# ---- Input ----

keys_reach() {
    read_counts
    [[ $keys != - && $keys -ge $1 ]]
}

# Press and release a key, and wait until a reader sees both. Everything that happened before the
# key is counted then. $1: how many keystrokes a reader must see.
fence() {
    xdotool key Shift_L
    poll "$LIMIT" keys_reach "$1" || fail "the fence was not counted: expected $1, read $counts"
}

press() {
    local i
    for ((i = 0; i < $1; i++)); do
        xdotool key "$2"
    done
}

# press_with_alt <key>: press a key together with Alt. Sometimes (3 of 100 times) Wine 10
# gives a program with a low-level hook the key without Alt. This happens if the key comes before
# the hook has seen Alt. So the key is pressed after a reader has seen Alt.
press_with_alt() {
    xdotool keydown alt
    poll "$LIMIT" keys_reach $((K + 1)) || fail "Alt was not counted: expected $((K + 1)), read $counts"
    xdotool key "$1"
    xdotool keyup alt
}

click() {
    local i
    for ((i = 0; i < $1; i++)); do
        xdotool click "$2"
    done
}

moves_reach() {
    read_counts
    [[ $moves -ge $1 ]]
}

# If X holds several moves at the same time, Wine takes them for one. So each move waits until the
# previous one was counted.
move() {
    local i expected=$2
    for ((i = 0; i < $1; i++)); do
        xdotool mousemove_relative -- 0 $((i % 2 ? 1 : -1))
        expected=$((expected + 1))
        poll "$LIMIT" moves_reach "$expected" || fail "a move was not counted: read $counts"
        [[ $moves -eq $expected ]] || fail "a move was counted twice: expected $expected, read $counts"
    done
}

# Accept pointer moves that the test did not make (in Wine: Alt, a window that appears).
accept_moves() {
    read_counts
    [[ $moves -ge $1 ]] || fail "moves went backwards from $1: $counts"
    M=$moves
}

# ---- The window ----

# Print on one line one of the columns of the window's list (2: total, 3: since reset).
window_column() {
    "$WINE" "$PRFDATA_BIN/list-text.exe" "$SCREEN_TITLE" | tr -d '\r' | cut -f "$1" | paste -sd ' '
}

window_shows() {
    # shellcheck disable=SC2053 # a pattern
    [[ $(window_column "$1") == $2 ]]
}

expect_window() {
    local what=$1 column=$2
    shift 2
    poll "$LIMIT" window_shows "$column" "$*" ||
        fail "$what: expected $*, the window shows $(window_column "$column")"
    printf 'passed: %s: %s\n' "$what" "$*"
}

# ---- The test ----

start_monitor() {
    screen_start_monitor || fail "no window: $(cat "$screen_folder/monitor")"
}

[[ -e $PRFDATA_BIN/hwinput.exe && -e $PRFDATA_BIN/prfread.exe ]] || fail "build the preset mingw first"
begin_wine
"$WINE" "$PRFDATA_BIN/hwinput.exe" -Install || fail "-Install ended with $?"
screen_start || fail "no X server: $(cat "$screen_folder/log")"
start_monitor

# After the fence, all moves that the starting window caused have been counted.
read_counts
fence $((keys + 2))
read_counts
K=$keys M=$moves L=$left I=$middle R=$right T=$total
printf 'baseline: %s\n' "$counts"
[[ $((L + I + R)) -eq $T ]] || fail "_Total is not the sum: $counts"

press 20 a
press 5 Return
fence $((K += 2 * 20 + 2 * 5 + 2))
expect_counts '25 keys and the fence, down and up' "$K" "$M" "$L" "$I" "$R" "$T"

click 3 1
click 4 2
click 5 3
fence $((K += 2))
expect_counts '3 left, 4 middle, 5 right clicks' "$K" "$M" $((L += 3)) $((I += 4)) $((R += 5)) \
    $((T += 12))

move 25 "$M"
fence $((K += 2))
expect_counts '25 moves' "$K" $((M += 25)) "$L" "$I" "$R" "$T"
expect_window 'the window shows the same' 2 "$K" "$M" "$L" "$I" "$R" "$T"

screen_picture "$PICTURE" || fail "no picture of the window"
[[ $screen_colours -gt 2 ]] || fail "the window has $screen_colours colours only, see $PICTURE"
printf 'passed: the window has %s colours, see build/%s\n' "$screen_colours" "$(basename "$PICTURE")"

# Alt and R are pressed, and the window resets its counts. At this moment the window may or may not
# have seen the releases of the two keys.
press_with_alt r
poll "$LIMIT" window_shows 3 '[0-2] 0 0 0 0 0' || fail "Alt+R: the window shows $(window_column 3)"
fence $((K += 4 + 2))
accept_moves "$M"
expect_counts 'Alt+R resets what the window shows, not what is published' \
    "$K" "$M" "$L" "$I" "$R" "$T"

# Moving to the button is at least one move, and the press is a click.
xdotool mousemove $((X + 50)) $((Y + HEIGHT - 43)) click 1
expect_window 'the Reset button does the same' 3 0 0 0 0 0 0
fence $((K += 2))
accept_moves $((M + 1))
expect_counts 'and leaves what is published' "$K" "$M" $((L += 1)) "$I" "$R" $((T += 1))
expect_window 'from there on it counts again' 3 2 0 0 0 0 0

kill -9 "$screen_monitor"
wait "$screen_monitor" 2>/dev/null || true
screen_monitor=
expect_at_last 'killed: the instances go, the counts stay' "$K" "$M" - - - "$T"
poll "$LIMIT" screen_window_ended || fail "the window of a killed program stays"

start_monitor
fence $((K += 2))
accept_moves "$M"
expect_counts 'started again: the counts go on' "$K" "$M" "$L" "$I" "$R" "$T"

# The hooks may have ended before the keys are released.
press_with_alt F4
poll "$LIMIT" screen_monitor_ended || fail "Alt+F4 did not end the program"
exit_code=0
wait "$screen_monitor" || exit_code=$?
screen_monitor=
[[ $exit_code -eq 0 ]] || fail "the program ended with $exit_code"
read_counts
[[ $keys -ge $((K + 2)) && $keys -le $((K + 4)) ]] || fail "Alt+F4 made $K keys $keys"
accept_moves "$M"
expect_counts 'closed: the instances go, the counts stay' "$keys" "$M" - - - "$T"

"$WINE" "$PRFDATA_BIN/hwinput.exe" -Uninstall || fail "-Uninstall ended with $?"
if "$WINE" "$PRFDATA_BIN/prfread.exe" '\Hardware Input\*' -sc 1; then
    fail "prfread still finds the counters"
fi
echo "passed: everything"
