# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scripts share. Source it; it sets variables and defines functions only.

PRFDATA_SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PRFDATA_CACHE=${PRFDATA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/prfdata}

# The tests never touch the user's own prefix, whatever WINEPREFIX says.
prfdata_wine_environment() {
    export WINEPREFIX=${PRFDATA_WINEPREFIX:-$PRFDATA_CACHE/wine}
    export WINEARCH=win64
    export WINEDEBUG=${WINEDEBUG:--all}
    # No questions about Mono and Gecko, no menu entries on the user's desktop.
    export WINEDLLOVERRIDES=${WINEDLLOVERRIDES:-mscoree=;mshtml=;winemenubuilder.exe=}
    # /usr/bin/wine warns that there is no 32-bit Wine; this one does not.
    WINE=/usr/lib/wine/wine64
    if [[ ! -x $WINE ]]; then
        WINE=$(command -v wine64 || command -v wine || true)
    fi
    export WINE
}

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Seconds since $1 (a value of $EPOCHREALTIME), one digit after the point.
seconds_since() {
    local from=${1/[.,]/} now=${EPOCHREALTIME/[.,]/}
    local tenths=$(((now - from) / 100000))
    printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}
