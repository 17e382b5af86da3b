# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Makes a virtual screen with the hardware-input monitor on it, for the demo and for tests. The
# script that sources this file sets PRFDATA_BIN, WINE and WINEPREFIX. At its end, the script calls
# screen_stop, which kills the X server and the monitor by their process ids.

SCREEN_PROGRAM=hwinput.exe
SCREEN_TITLE='Hardware Input Monitor'
screen_server=
screen_monitor=
screen_folder=
screen_desktops=

# poll <seconds> <command>...: repeat the command until it succeeds, for at most <seconds>.
poll() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || return 1
        sleep 0.05
    done
}

# Start an X server on a free display. -r: holding a key down sends no repeated key presses.
screen_start() {
    screen_folder=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-screen.XXXXXX") || return
    Xvfb -displayfd 3 -screen 0 "${SCREEN_SIZE:-800x600}x24" -r -nolisten tcp \
        3>"$screen_folder/display" >"$screen_folder/log" 2>&1 </dev/null &
    screen_server=$!
    poll 120 test -s "$screen_folder/display" || return
    DISPLAY=:$(<"$screen_folder/display")
    export DISPLAY
    screen_desktops=$(screen_list_desktops)
}

screen_stop() {
    local process
    for process in $screen_monitor $screen_server; do
        kill -9 "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    screen_monitor=
    screen_server=
    [[ -z $screen_folder ]] || rm -rf "$screen_folder"
    screen_folder=
}

screen_list_desktops() {
    local command
    for command in $(grep -alsF '\explorer.exe' /proc/[0-9]*/cmdline); do
        grep -qzxF "WINEPREFIX=$WINEPREFIX" "${command%cmdline}environ" 2>/dev/null || continue
        basename "${command%/cmdline}"
    done
}

# Print the ids of the desktop processes that did not begin on this display. Wine's desktop process
# uses the display of the first Windows program, and stays for some seconds after the last program
# has ended. A desktop process on another display must end before the monitor starts, otherwise the
# monitor's window would not appear on this display. A desktop process that is older than this
# display must end, too, because this display may have the number of an earlier display.
screen_other_desktops() {
    local process
    for process in $(screen_list_desktops); do
        [[ " ${screen_desktops//$'\n'/ } " != *" $process "* ]] &&
            grep -qzxF "DISPLAY=$DISPLAY" "/proc/$process/environ" 2>/dev/null || echo "$process"
    done
}

screen_is_alone() {
    [[ -z $(screen_other_desktops) ]]
}

# Wait until no other desktop process is left. If the last program ended while its desktop started,
# Wine 8 keeps the desktop process until another program has used the desktop. So this function runs
# a program that uses the desktop. It kills the desktop processes that are left a minute later.
screen_end_other_desktops() {
    poll 10 screen_is_alone && return
    "$WINE" rundll32.exe user32.dll,GetDesktopWindow >/dev/null 2>&1 </dev/null || true
    poll 60 screen_is_alone && return
    local process
    for process in $(screen_other_desktops); do
        kill -9 "$process" 2>/dev/null || true
    done
    poll 100 screen_is_alone
}

screen_find_window() {
    screen_window=$(xdotool search --onlyvisible --name "^$SCREEN_TITLE\$" 2>/dev/null | head -n 1)
    [[ -n $screen_window ]]
}

screen_window_ended() {
    ! screen_find_window
}

screen_monitor_ended() {
    ! kill -0 "$screen_monitor" 2>/dev/null
}

# Start the monitor and put the pointer on the left margin of its window. The pointer must be over
# the window, because the window under the pointer gets the keys. It must not be over the list,
# because Wine turns some clicks there into moves.
screen_start_monitor() {
    local attempt
    if ! screen_end_other_desktops; then
        echo 'another desktop of Wine does not end' >"$screen_folder/monitor"
        return 1
    fi
    for attempt in 1 2 3; do
        (cd "$PRFDATA_BIN" && exec "$WINE" "$SCREEN_PROGRAM") >"$screen_folder/monitor" 2>&1 </dev/null &
        screen_monitor=$!
        poll 100 screen_find_window && break
        # On a busy machine Wine's desktop may start too slowly. Wine waits ten seconds for the
        # desktop, and then runs the program without a screen. So start the program again.
        [[ $attempt -lt 3 ]] || return
        kill -9 "$screen_monitor" 2>/dev/null || true
        wait "$screen_monitor" 2>/dev/null || true
    done
    screen_locate_window
    xdotool mousemove $((X + 4)) $((Y + HEIGHT / 2))
}

# Sets X, Y, WIDTH and HEIGHT.
screen_locate_window() {
    eval "$(xdotool getwindowgeometry --shell "$screen_window" | grep -E '^(X|Y|WIDTH|HEIGHT)=[0-9]+$')"
}

# screen_picture <file.png>: save a picture of the window and set screen_colours to the number of
# its colours.
screen_picture() {
    local tool
    tool=$(dirname "${BASH_SOURCE[0]}")/xwd-to-png
    xwd -silent -id "$screen_window" >"$screen_folder/picture" || return
    screen_colours=$("$tool" <"$screen_folder/picture" 2>&1 >"$1")
}
