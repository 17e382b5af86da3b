#!/bin/bash
# SPDX-License-Identifier: MIT
# Demonstrates the hardware-input monitor. xdotool types, moves and clicks on a virtual screen. The
# monitor counts this input, and a reader shows the counts through HKEY_PERFORMANCE_DATA. ./demo
# calls this script and sets PRFDATA_BIN, WINE and WINEPREFIX.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=screen.sh
source "$here/screen.sh"

SECONDS_SHOWN=5
PICTURE=$here/../../build/hwinput.png

bold=''
plain=''
if [[ -t 1 && ${TERM:-dumb} != dumb && -z ${NO_COLOR:-} ]]; then
    bold=$'\e[1m'
    plain=$'\e[0m'
fi
fingers=

step() {
    printf '\n%s%s%s\n' "$bold" "$*" "$plain"
}

show() {
    sed -e 's/\r$//; s/^/    /'
}

give_up() {
    printf 'demo: %s\n' "$*" >&2
    exit 1
}

finish() {
    local exit_code=$?
    trap - EXIT
    stop_fingers
    screen_stop
    program hwinput -Uninstall >/dev/null 2>&1 || true
    rm -f "$said"
    exit "$exit_code"
}
said=$(mktemp "${TMPDIR:-/tmp}/prfdata-demo.XXXXXX")
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

program() {
    local name=$1
    shift
    "$WINE" "$PRFDATA_BIN/$name.exe" "$@"
}

# Run a program and show its output. The output goes through a file, because background processes
# that Wine starts may keep standard error open. Reading a pipe would then not end.
show_program() {
    program "$@" >"$said" 2>&1 || { show <"$said"; return 1; }
    show <"$said"
}

# Type, move the pointer and click, as a person would, until this process is killed.
type_and_click() {
    local round=0 key
    local keys=(h e l l o Return)
    while :; do
        round=$((round + 1))
        key=${keys[round % ${#keys[@]}]}
        xdotool key "$key" mousemove_relative -- 0 $((round % 2 ? 3 : -3)) sleep 0.05
        case $((round % 12)) in
            3 | 6 | 9) xdotool click 1 ;;
            7) xdotool click 3 ;;
            11) xdotool click 2 ;;
        esac
        sleep "0.0$((RANDOM % 10))"
    done
}

# Print the fields of a line of CSV, one per line. All fields are quoted.
csv_fields() {
    sed -e 's/\r$//; s/^"//; s/"$//; s/","/\n/g' <<<"$1"
}

# Read prfread's CSV from standard input. Print it as a table with a line per sample.
live_table() {
    local line i
    local -a fields
    while IFS= read -r line; do
        [[ $line == '"'* ]] || continue
        mapfile -t fields < <(csv_fields "$line")
        if [[ ${fields[0]} == '(PDH'* ]]; then
            fields=('time' "${fields[@]:1}")
            fields=("${fields[@]##*\\Hardware Input\\}")
            fields=("${fields[@]##*\\Mouse }")
            fields=("${fields[@]/Clicks(/}")
            fields=("${fields[@]/)\\Clicks\/sec/}")
        else
            # Shortens "11/20/2026 11:18:43.220" to "11:18:43", and "12.034567" to "12.0".
            fields=("${fields[0]:11:8}" "${fields[@]:1}")
            for ((i = 1; i < ${#fields[@]}; i++)); do
                fields[i]=${fields[i]%?????}
            done
        fi
        printf '    %-8s %15s %15s' "${fields[@]:0:3}"
        printf ' %9s' "${fields[@]:3}"
        printf '\n'
    done
}

# Read one sample as prfread's CSV from standard input. Print the path and the value of each
# counter.
totals_table() {
    local i
    local -a lines paths values
    mapfile -t lines < <(grep '^"')
    mapfile -t paths < <(csv_fields "${lines[0]}")
    mapfile -t values < <(csv_fields "${lines[1]}")
    for ((i = 1; i < ${#paths[@]}; i++)); do
        printf '    %-32s %8s\n' "\\${paths[i]#??*\\}" "${values[i]%.*}"
    done
}

stop_fingers() {
    [[ -n $fingers ]] || return 0
    kill "$fingers" 2>/dev/null || true
    wait "$fingers" 2>/dev/null || true
    fingers=
}

instances_ended() {
    ! program prfread -qx 'Mouse Clicks' | grep '(Left)' >/dev/null
}

echo "${bold}PrfData: performance counters for any Windows program${plain}"
echo "A program counts keys, mouse moves and clicks. A reader that does not know it shows the counts."

step "1. Install the counters: hwinput.exe -Install"
show_program hwinput -Install

step "2. Start the program on a virtual screen"
screen_start || give_up "no X server"
screen_start_monitor || give_up "the window did not appear"
echo "    hwinput.exe runs on display $DISPLAY and publishes as service HWInputMon"

step "3. Type, move and click; prfread reads HKEY_PERFORMANCE_DATA every second"
echo "    per second:                                   clicks per second:"
type_and_click &
fingers=$!
program prfread '\Hardware Input\Keystrokes/sec' '\Hardware Input\Mouse moves/sec' \
    '\Mouse Clicks(*)\Clicks/sec' -si 1 -sc "$SECONDS_SHOWN" | live_table
screen_picture "$PICTURE" || give_up "no picture of the window"
stop_fingers

step "4. What was counted"
program prfread '\Hardware Input\Keystrokes' '\Hardware Input\Mouse moves' \
    '\Mouse Clicks(*)\Clicks' -sc 1 | totals_table
echo "    The window while it counted: $(realpath --relative-to="$PWD" "$PICTURE")"

step "5. Kill the program: its instances disappear, the counts stay"
kill -9 "$screen_monitor"
wait "$screen_monitor" 2>/dev/null || true
screen_monitor=
poll 120 instances_ended || give_up "the instances stay"
program prfread '\Hardware Input\Keystrokes' '\Mouse Clicks(*)\Clicks' -sc 1 |
    totals_table

step "6. Clean up: hwinput.exe -Uninstall"
show_program hwinput -Uninstall
