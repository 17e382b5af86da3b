#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests Debian's Wine 8.0~repack-4 with /run/user/<uid>, which appears when its user logs in and
# disappears after the logout.
#
# Guess: the programs of one prefix have one server, and therefore one registry, as long as one of
# them runs.
# What happens: Debian's server has its socket below /run/user/<uid> if that exists, and below /tmp
# otherwise. A program that starts after a login does not find the server of an earlier program, so
# it starts another server in the same prefix. This server reads the registry that was saved last.
# Neither program sees what the other one writes.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

# The login is made in a separate namespace, where /run is empty.
if [[ ${1:-} != inside ]]; then
    rm -rf "$work"
    exec unshare --user --map-root-user --mount bash "$(readlink -f "$0")" inside
fi
mount -t tmpfs tmpfs /run
unpack_wine
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=;winemenubuilder.exe='
unset DISPLAY TMPDIR
wine() {
    "$work/wine/usr/lib/wine/wine64" "$@" 2>/dev/null | tr -d '\r'
}
wine wineboot.exe --init || true # Wine warns that it has no screen
"$work/wine/usr/lib/wine/wine64" notepad.exe >/dev/null 2>&1 </dev/null & # keeps Wine's server running
started+=($!)
has_value() {
    wine reg.exe query 'HKCU\Software\Finding' /v Seen | grep -c REG_SZ || true
}
# Print the servers of the prefix.
servers() {
    local process
    for process in $(grep -lzFx "WINEPREFIX=$WINEPREFIX" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3); do
        [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") != *wineserver* ]] || echo "$process"
    done
}
# Print how many servers there are. Each has its own folder.
folders() {
    local process
    for process in $(servers); do
        readlink "/proc/$process/cwd"
    done | sort -u | wc -l
}

echo 'guess: the value is found before and after the login, and there is one server'
wine reg.exe add 'HKCU\Software\Finding' /v Seen /d yes /f >/dev/null
seen 'before the login: values found, servers' "$(has_value) $(folders)" '1 1'
mkdir -p /run/user/0
chmod 700 /run/user/0
seen 'after the login' "$(has_value) $(folders)" '0 2'
for server in $(servers); do
    kill "$server" 2>/dev/null || true # its programs end with it
done
verdict
