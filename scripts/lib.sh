# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scripts share. Source it; it sets variables and defines functions only.

PRFDATA_SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PRFDATA_CACHE=${PRFDATA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/prfdata}

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

# Run a command silently; if it fails, show what it said and how to repeat it. The file has no name
# while the command runs: whatever ends us leaves nothing.
quietly() {
    local name file exit_code=0
    name=$(mktemp "${TMPDIR:-/tmp}/prfdata-log.XXXXXX")
    exec {file}>"$name"
    rm -f "$name"
    "$@" >&"$file" 2>&1 </dev/null || exit_code=$?
    if [[ $exit_code -ne 0 ]]; then
        cat "/proc/$BASHPID/fd/$file"
        printf -- '--- exit code %s; to repeat: %s\n' "$exit_code" "$*"
    fi
    exec {file}>&-
    return "$exit_code"
}

# Configure and build a preset.
build_preset() {
    quietly cmake --preset "$1" && quietly cmake --build --preset "$1"
}

# The bitness that a Windows program or DLL is made for: 32, 64 or nothing.
prfdata_bits_of() {
    local header
    header=$(od -An -tu4 -j 60 -N 4 "$1" 2>/dev/null) || return 0
    case $(od -An -tx2 -j $((header + 4)) -N 2 "$1" 2>/dev/null) in
        *8664) echo 64 ;;
        *014c) echo 32 ;;
    esac
}

# The program that $WINE starts, or nothing.
prfdata_wine_loader() {
    # /usr/bin/wine warns that there is no 32-bit Wine; this one does not.
    local loader=/usr/lib/wine/wine64
    [[ -x $loader ]] || loader=$(command -v wine64 || command -v wine || true)
    printf '%s' "$loader"
}

# The tests never touch the user's own prefix, whatever WINEPREFIX says. With PRFDATA_WINE_BOTH
# set, it is the Wine for 32- and 64-bit programs in the folder that scripts/wine-both makes.
prfdata_wine_environment() {
    export WINEPREFIX=${PRFDATA_WINEPREFIX:-$PRFDATA_CACHE/wine}${PRFDATA_WINE_BOTH:+-both}
    export WINEARCH=win64
    export WINEDEBUG=${WINEDEBUG:--all}
    # No questions about Mono and Gecko, no menu entries on the user's desktop.
    export WINEDLLOVERRIDES=${WINEDLLOVERRIDES:-mscoree=;mshtml=;winemenubuilder.exe=}
    export WINE=$PRFDATA_SOURCE_DIR/tests/wine/wine
    if [[ -n ${PRFDATA_WINE_BOTH:-} ]]; then
        WINESERVER=$PRFDATA_SOURCE_DIR/tests/wine/wineserver-both
        return
    fi
    WINESERVER=/usr/lib/wine/wineserver64 # Debian's wrapper ends with its last program
    if [[ ! -x $WINESERVER ]]; then
        WINESERVER=$(command -v wineserver || true)
    fi
}

# How long a server of ours waits for another program. Between two programs there may be a build,
# and one that is just ending refuses the next program. prfdata_stop_wine ends it; only that of a run
# that was killed waits for so long, or for the next run.
PRFDATA_SERVER_SECONDS=3600

# Keep one Wine server for the programs to come (half a second each), and mark everything that is
# started from here on, so that prfdata_stop_wine knows what is ours.
prfdata_start_wine() {
    export PRFDATA_RUN_ID=$$-${EPOCHREALTIME/[.,]/}
    # Fails when somebody's server runs already: then that one serves. All programs' files and sockets
    # are open in it: as Wine's programs do, it takes all that it may open.
    (ulimit -Sn "$(ulimit -Hn)" && exec "$WINESERVER" "-p$PRFDATA_SERVER_SECONDS") \
        >/dev/null 2>&1 </dev/null || true
    # Wine's services keep the output of the program that made Wine start them: not a pipe that
    # somebody reads to its end.
    DISPLAY='' "$WINE" cmd.exe /c exit >/dev/null 2>&1 </dev/null || true
}

# The numbers of the processes that run in our prefix: "ours" (this run's) or "foreign".
prfdata_wine_processes() {
    local whose=$1 environment mark
    for environment in /proc/[0-9]*/environ; do
        grep -qzFx "WINEPREFIX=$WINEPREFIX" "$environment" 2>/dev/null || continue
        mark=foreign
        grep -qzFx "PRFDATA_RUN_ID=$PRFDATA_RUN_ID" "$environment" 2>/dev/null && mark=ours
        [[ $mark != "$whose" ]] || basename "${environment%/environ}"
    done
}

# The same without the server and its own, which end with it.
prfdata_wine_programs() {
    local process
    for process in $(prfdata_wine_processes "$1"); do
        case $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") in
            *wineserver* | *'\windows\system32\'* | '') ;;
            *) echo "$process" ;;
        esac
    done
}

# One run at a time in a prefix: they would install the same services. Holds file 7, which must not
# be handed on to anything that outlives the caller.
prfdata_lock_wine() {
    mkdir -p "$(dirname "$WINEPREFIX")"
    exec 7>"$WINEPREFIX.run.lock"
    if ! flock -n 7; then
        echo "waiting for another run in $WINEPREFIX"
        # Who waits does not use it yet. bash runs a trap while it waits like this.
        setpriv --pdeathsig KILL env -u WINEPREFIX flock 7 &
        wait "$!"
    fi
}

# Take the registry and the data folder back to what a new prefix has: an interrupted run may have
# left services there. Not while somebody works in it.
prfdata_reset_wine() {
    local pristine=$WINEPREFIX/prfdata-pristine deadline=$((SECONDS + 60)) foreign
    [[ -d $pristine ]] || return 0
    # The programs of a run that has just ended may still be about to end.
    while foreign=$(PRFDATA_RUN_ID='' prfdata_wine_programs foreign) && [[ -n $foreign ]]; do
        if [[ $SECONDS -ge $deadline ]]; then
            echo "$WINEPREFIX is used by ${foreign//$'\n'/, } and stays as it is"
            return 0
        fi
        sleep 0.1
    done
    "$WINESERVER" -k >/dev/null 2>&1 || true
    timeout 60 "$WINESERVER" -w >/dev/null 2>&1 || true
    cp -a "$pristine"/*.reg "$WINEPREFIX"
    rm -rf "$WINEPREFIX/drive_c/ProgramData"
    cp -a "$pristine/ProgramData" "$WINEPREFIX/drive_c"
    rm -f "$WINEPREFIX"/prfdata-cure* # registered no more
}

# End what this run left in Wine. The server goes too, unless somebody else uses it.
prfdata_stop_wine() {
    [[ -n ${PRFDATA_RUN_ID:-} ]] || return 0
    local process
    if [[ -z $(prfdata_wine_programs foreign) ]]; then
        "$WINESERVER" -k >/dev/null 2>&1 || true
    fi
    for process in $(prfdata_wine_programs ours); do
        kill -9 "$process" 2>/dev/null || true
    done
    unset PRFDATA_RUN_ID
}
