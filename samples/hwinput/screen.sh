# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A virtual screen with the hardware-input monitor on it, for the demo and the end-to-end test.
# Source it; PRFDATA_BIN and WINE are set by then. Everything that it starts is ended by
# screen_stop, by process number.

SCREEN_PROGRAM=hwinput.exe
SCREEN_TITLE='Hardware Input Monitor'
screen_server=
screen_monitor=
screen_folder=

# poll <seconds> <command>...: repeat the command until it succeeds, at most for so long.
poll() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || return 1
        sleep 0.05
    done
}

# Start an X server on a free display. -r: a key that is held down for long is still one key.
screen_start() {
    screen_folder=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-screen.XXXXXX") || return
    Xvfb -displayfd 3 -screen 0 800x600x24 -r -nolisten tcp \
        3>"$screen_folder/display" >"$screen_folder/log" 2>&1 </dev/null &
    screen_server=$!
    poll 120 test -s "$screen_folder/display" || return
    DISPLAY=:$(<"$screen_folder/display")
    export DISPLAY
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

# Wine's desktop belongs to the display of the first windows program and stays for seconds after
# the last one. One without a screen is waited for, else our window would be on no screen.
screen_other_desktop_ended() {
    local command environment
    for command in $(grep -alsF '\explorer.exe' /proc/[0-9]*/cmdline); do
        environment=${command%cmdline}environ
        grep -qzxF "WINEPREFIX=$WINEPREFIX" "$environment" 2>/dev/null || continue
        grep -qzxF "DISPLAY=$DISPLAY" "$environment" 2>/dev/null || return 1
    done
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

# Start the monitor and put the pointer on the left margin of its window: keys go where the pointer
# is, and over the list Wine turns some clicks into moves.
screen_start_monitor() {
    poll 120 screen_other_desktop_ended || return
    (cd "$PRFDATA_BIN" && exec "$WINE" "$SCREEN_PROGRAM") >"$screen_folder/monitor" 2>&1 </dev/null &
    screen_monitor=$!
    poll 120 screen_find_window || return
    screen_locate_window
    xdotool mousemove $((X + 4)) $((Y + HEIGHT / 2))
}

# Sets X, Y, WIDTH and HEIGHT.
screen_locate_window() {
    eval "$(xdotool getwindowgeometry --shell "$screen_window" | grep -E '^(X|Y|WIDTH|HEIGHT)=[0-9]+$')"
}

# screen_picture <file.png>: a picture of the window. Sets screen_colours to how many it has.
screen_picture() {
    local tool
    tool=$(dirname "${BASH_SOURCE[0]}")/xwd-to-png
    xwd -silent -id "$screen_window" >"$screen_folder/picture" || return
    screen_colours=$("$tool" <"$screen_folder/picture" 2>&1 >"$1")
}
