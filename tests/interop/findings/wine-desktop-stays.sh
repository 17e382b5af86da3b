#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests Debian's Wine 8.0~repack-4 with a program that is killed while Wine starts its desktop.
#
# Guess: the desktop process (explorer.exe /desktop) ends about a second after the last program that
# used the desktop, however that program ended.
# What happens: if the program is killed while the desktop process starts, the desktop process often
# stays. The next program that uses the desktop and ends takes the desktop process with it.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

# A separate namespace with a /run of its own, so that the server's socket is ours.
if [[ ${1:-} != inside ]]; then
    rm -rf "$work"
    exec unshare --user --map-root-user --mount bash "$(readlink -f "$0")" inside
fi
mount -t tmpfs tmpfs /run
unpack_wine
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
unset DISPLAY TMPDIR
wine=$work/wine/usr/lib/wine/wine64
"$wine" wineboot.exe --init >/dev/null 2>&1 </dev/null || true # Wine warns that it has no screen
"$work/wine/usr/lib/wine/wineserver64" -p60 >/dev/null 2>&1 || true

# Print the desktop processes of the prefix.
desktops() {
    local process
    for process in $(grep -alsF '\explorer.exe' /proc/[0-9]*/cmdline | cut -d / -f 3); do
        ! grep -qzFx "WINEPREFIX=$WINEPREFIX" "/proc/$process/environ" 2>/dev/null || echo "$process"
    done
}

# desktop_is <yes or no> <tenths of a second>: wait until there is a desktop process, or none.
desktop_is() {
    local i
    for ((i = 0; i < $2; i++)); do
        [[ $([[ -n $(desktops) ]] && echo yes || echo no) != "$1" ]] || return 0
        sleep 0.1
    done
    return 1
}

# Use the desktop and end: Wine starts the desktop process if there is none.
use_desktop() {
    "$wine" rundll32.exe user32.dll,GetDesktopWindow >/dev/null 2>&1 </dev/null || true
}

# Kill a program as soon as a desktop process exists. Print "ends" if the desktop process ends
# within 5 seconds, otherwise "stays".
kill_early() {
    local program i
    "$wine" rundll32.exe user32.dll,GetDesktopWindow >/dev/null 2>&1 </dev/null &
    program=$!
    for ((i = 0; i < 1000; i++)); do
        [[ -z $(desktops) ]] || break
        sleep 0.01
    done
    kill -9 "$program" 2>/dev/null || true
    wait "$program" 2>/dev/null || true
    if desktop_is no 50; then echo ends; else echo stays; fi
}

echo 'guess: a desktop process ends after its last program'
use_desktop
seen 'after a program that ends by itself' "$(desktop_is no 50 && echo ends)" ends
for ((attempt = 0; attempt < 20; attempt++)); do
    desktop_is no 100 || break
    result=$(kill_early)
    [[ $result != stays ]] || break
done
seen 'in one of 20 attempts, after a program that is killed early' "$result" stays
use_desktop
seen 'after the next program' "$(desktop_is no 50 && echo ends || echo stays)" ends
"$work/wine/usr/lib/wine/wineserver64" -k >/dev/null 2>&1 || true
verdict
