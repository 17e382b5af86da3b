# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Defines functions and variables that the scripts share. If `set -e` ends a script that has sourced
# this file, the script prints at which line.

PRFDATA_SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PRFDATA_CACHE=${PRFDATA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/prfdata}

# say_where <exit code> <command>: print where `set -e` ends the script, and the calls that led
# there. Only the script's own shell prints this, because the script handles the exit codes of its
# subshells.
say_where() {
    [[ $- == *e* && $BASH_SUBSHELL -eq 0 ]] || return 0
    local level places=
    for ((level = 1; level < ${#BASH_SOURCE[@]}; level++)); do
        places+=", ${BASH_SOURCE[level]##*/} line ${BASH_LINENO[level - 1]}"
    done
    printf 'ended%s: exit code %s of: %s\n' "$places" "$1" "$2" >&2
}
set -o errtrace
trap 'say_where "$?" "$BASH_COMMAND"' ERR

# Ends a script at a signal: `trap end_by_signal INT TERM HUP`.
end_by_signal() {
    printf '%s: ended by a signal\n' "$(basename "$0")" >&2
    exit 143
}

die() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Print the seconds since $1, a value of $EPOCHREALTIME, with one digit after the point.
seconds_since() {
    local from=${1/[.,]/} now=${EPOCHREALTIME/[.,]/}
    local tenths=$(((now - from) / 100000))
    printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# show_files <file>...: for a test that fails, show the beginning and the end of each file.
show_files() {
    local file
    for file in "$@"; do
        [[ -f $file ]] || continue
        printf -- '--- %s, %s bytes:\n' "${file##*/}" "$(stat -c %s "$file")"
        awk -v count="$(wc -l <"$file")" 'NR == 21 && count > 40 { print "..." }
            NR <= 20 || NR > count - 20' "$file" | tr -d '\r' | cut -b 1-400 | cat -v
    done
    echo '---'
}

# Run a command silently; if it fails, show its output and how to repeat it. The output goes to a
# file that no longer has a name, so that nothing is left even if this shell is killed.
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

# Compile through ccache, if it is installed. All clones and presets share a cache, except clang's
# MSVC mode, whose command lines Debian's ccache misreads.
prfdata_use_compiler_cache() {
    command -v ccache >/dev/null && [[ -z ${CMAKE_C_COMPILER_LAUNCHER:-} ]] || return 0
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    export CCACHE_DIR=${CCACHE_DIR:-$PRFDATA_CACHE/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-5G}
    # The following settings let another clone use the same cache, although its paths and the times
    # of its precompiled headers differ.
    export CCACHE_BASEDIR=$PRFDATA_SOURCE_DIR CCACHE_NOHASHDIR=1
    # A file that is not in the cache is compiled at once, without a separate preprocessing.
    export CCACHE_DEPEND=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}

build_preset() {
    quietly cmake --preset "$1" && quietly cmake --build --preset "$1"
}

# Print 64 for a Windows program or DLL for x64, 32 for x86, and nothing for any other file.
prfdata_bits_of() {
    local header
    header=$(od -An -tu4 -j 60 -N 4 "$1" 2>/dev/null) || return 0
    case $(od -An -tx2 -j $((header + 4)) -N 2 "$1" 2>/dev/null) in
        *8664) echo 64 ;;
        *014c) echo 32 ;;
    esac
}

# Print the program that $WINE starts. If there is none, print nothing.
prfdata_wine_loader() {
    # Unlike /usr/bin/wine, this program does not warn that there is no 32-bit Wine.
    local loader=/usr/lib/wine/wine64
    [[ -x $loader ]] || loader=$(command -v wine64 || command -v wine || true)
    printf '%s' "$loader"
}

# The kinds of Wine's messages that the tests show. They say why a program ended, or for which lock
# a thread has waited in vain.
printf -v PRFDATA_WINE_DEATHS ',err+%s' environ module ntdll process seh server sync thread virtual
PRFDATA_WINE_DEATHS=-all$PRFDATA_WINE_DEATHS

# prfdata_processor [first]: print the number of the last processor that this process may use. With
# `first`, print the number of the first one.
prfdata_processor() {
    local allowed
    allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    if [[ ${1:-} == first ]]; then
        echo "${allowed%%[-,]*}"
    else
        echo "${allowed##*[-,]}"
    fi
}

# prfdata_exec_together <program> [<argument>...]: replace this shell by Wine's server or by a
# program under Wine, on the processor PRFDATA_WINE_PROCESSOR. If this variable is empty, use all
# processors. The programs often ask the server and wait for the answer. On two processors of a
# virtual machine, each question and each answer wakes a sleeping processor. On one processor, a
# question and its answer take half the time.
prfdata_exec_together() {
    [[ -z ${PRFDATA_WINE_PROCESSOR:-} ]] || exec taskset -c "$PRFDATA_WINE_PROCESSOR" "$@"
    exec "$@"
}

# Set the environment for Wine. WINEPREFIX is overwritten, so that the tests never use the user's
# own prefix. PRFDATA_WINE_PROCESSOR is the processor that Wine's server and its programs share, or
# empty. PRFDATA_WINE_BOTH selects the Wine for 32- and 64-bit programs, in the folder that
# scripts/wine-both makes. PRFDATA_WINE_NEW selects the newer Wine in the same way.
prfdata_wine_environment() {
    local other=${PRFDATA_WINE_BOTH:+-both}${PRFDATA_WINE_NEW:+-new}
    export WINEPREFIX=${PRFDATA_WINEPREFIX:-$PRFDATA_CACHE/wine}$other
    export WINEARCH=win64
    # Without these messages, a program prints nothing if its stack overflows or Wine cannot load
    # it. Its exit code is then 1 or a truncated NTSTATUS.
    export WINEDEBUG=${WINEDEBUG:-$PRFDATA_WINE_DEATHS}
    # Wine must not ask about Mono and Gecko, nor add menu entries to the user's desktop.
    export WINEDLLOVERRIDES=${WINEDLLOVERRIDES:-mscoree=;mshtml=;winemenubuilder.exe=}
    export WINE=$PRFDATA_SOURCE_DIR/tests/wine/wine
    export PRFDATA_WINE_PROCESSOR=${PRFDATA_WINE_PROCESSOR-$(prfdata_processor)}
    if [[ -n $other ]]; then
        WINESERVER=$PRFDATA_SOURCE_DIR/tests/wine/wineserver-both
        return
    fi
    # Debian's wrapper of this program adds -p0, which ends the server with the last program.
    WINESERVER=/usr/lib/wine/wineserver64
    if [[ ! -x $WINESERVER ]]; then
        WINESERVER=$(command -v wineserver || true)
    fi
}

# run_in_wine <file for the output> <file for the errors> <program> [<argument>...]
#
# Run a program under Wine. tests/wine/wine turns off random addresses. If it may not do that, about
# one start in 8000 ends with 1 and the program prints nothing. Our own programs never end in this
# way, so a program that does is started once more. The function then prints a note with Wine's
# messages, which ./test shows.
run_in_wine() {
    local out=$1 err=$2 exit_code attempt
    shift 2
    for attempt in 1 2; do
        exit_code=0
        "$WINE" "$@" >"$out" 2>"$err" || exit_code=$?
        [[ $exit_code -eq 1 && $attempt -eq 1 ]] || break
        [[ ! -s $out ]] && ! grep -aqv '^[0-9a-f]*:err:' "$err" || break
        printf 'note: it ended with 1 and printed nothing, and is started once more: %s: %s\n' "$*" "$(<"$err")"
    done
    return "$exit_code"
}

# How long our server waits for the next program. There may be a build between two programs, and a
# server that is about to end refuses the next program. Normally prfdata_stop_wine ends the server.
# If a run is killed, its server waits this long, or until the next run.
PRFDATA_SERVER_SECONDS=3600

# Start one Wine server for the following programs, which saves half a second for each. Mark the
# processes that are started from now on, so that prfdata_stop_wine can find ours.
prfdata_start_wine() {
    export PRFDATA_RUN_ID=$$-${EPOCHREALTIME/[.,]/}
    # If a server is already running, this command fails, and the programs use the running server. A
    # server holds the files and sockets of all programs. So its limit of open files is raised, as
    # Wine's programs raise theirs.
    (ulimit -Sn "$(ulimit -Hn)" && prfdata_exec_together "$WINESERVER" "-p$PRFDATA_SERVER_SECONDS") \
        >/dev/null 2>&1 </dev/null || true
    # Wine's services keep the output files of the first program open, so the first program is this
    # one, whose output is no pipe.
    DISPLAY='' "$WINE" cmd.exe /c exit >/dev/null 2>&1 </dev/null || true
}

# Print the ids of the processes that use our prefix: those of this run ("ours") or all others
# ("foreign").
prfdata_wine_processes() {
    local whose=$1 environment mark
    for environment in /proc/[0-9]*/environ; do
        grep -qzFx "WINEPREFIX=$WINEPREFIX" "$environment" 2>/dev/null || continue
        mark=foreign
        grep -qzFx "PRFDATA_RUN_ID=$PRFDATA_RUN_ID" "$environment" 2>/dev/null && mark=ours
        [[ $mark != "$whose" ]] || basename "${environment%/environ}"
    done
}

# Like prfdata_wine_processes, but leave out three kinds of processes: the server; Wine's own
# programs, because they end with the server; and the steps of ./test, because the caller may be a
# step.
prfdata_wine_programs() {
    local process
    for process in $(prfdata_wine_processes "$1"); do
        case $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") in
            *wineserver* | *'\windows\system32\'* | *scripts/test-step* | '') ;;
            *) echo "$process" ;;
        esac
    done
}

# Print the ids of the servers that this run started in our prefix.
prfdata_wine_servers() {
    local process
    for process in $(prfdata_wine_processes ours); do
        [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") != *wineserver* ]] || echo "$process"
    done
}

# Allow one run at a time in a prefix, because all runs install the same services. The lock is file
# descriptor 7. No process that outlives the caller may inherit it.
prfdata_lock_wine() {
    mkdir -p "$(dirname "$WINEPREFIX")"
    exec 7>"$WINEPREFIX.run.lock"
    if ! flock -n 7; then
        echo "waiting for another run in $WINEPREFIX"
        # While this run waits, it does not yet count as a user of the prefix, so flock runs without
        # WINEPREFIX. `wait` lets bash run a trap.
        setpriv --pdeathsig KILL env -u WINEPREFIX flock 7 &
        wait "$!"
    fi
}

# Restore the registry and the data folder as they were when the prefix was made, because an
# interrupted run may have left services there. If other programs still use the prefix after a
# minute, restore nothing.
prfdata_reset_wine() {
    local pristine=$WINEPREFIX/prfdata-pristine deadline=$((SECONDS + 60)) foreign
    [[ -d $pristine ]] || return 0
    # The programs of a run that has just ended may need a moment to end.
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
    rm -f "$WINEPREFIX"/prfdata-workaround* # no longer registered
}

# prfdata_use_own_wine <folder>: from now on use a prefix that is made in this folder. The prefix
# has its own registry, server and ProgramData. Windows' files and Wine's own programs are links
# into the prefix that was used before.
prfdata_use_own_wine() {
    local files=$WINEPREFIX folder
    export PRFDATA_WINEPREFIX=$1
    prfdata_wine_environment
    mkdir -p "$WINEPREFIX/dosdevices" "$WINEPREFIX/drive_c"
    ln -s ../drive_c "$WINEPREFIX/dosdevices/c:"
    ln -s / "$WINEPREFIX/dosdevices/z:"
    ln -s "$files/drive_c/windows" "$WINEPREFIX/drive_c/"
    # Share Wine's own folders of programs, but not those that tests make later.
    for folder in 'Program Files' 'Program Files (x86)'; do
        mkdir "$WINEPREFIX/drive_c/$folder"
        find "$files/drive_c/$folder" -mindepth 1 -maxdepth 1 -exec ln -s -t "$WINEPREFIX/drive_c/$folder" {} +
    done
    cp -a "$files/drive_c/users" "$WINEPREFIX/drive_c" # with the folders for temporary files
    cp -a "$files/prfdata-pristine" "$WINEPREFIX"
    cp -a "$files"/prfdata-pristine/*.reg "$files/.update-timestamp" "$WINEPREFIX"
    cp -a "$files/prfdata-pristine/ProgramData" "$WINEPREFIX/drive_c"
}

# End the processes that this run left in Wine, and the server unless other programs use it.
prfdata_stop_wine() {
    [[ -n ${PRFDATA_RUN_ID:-} ]] || return 0
    local process
    if [[ -z $(prfdata_wine_programs foreign) ]]; then
        "$WINESERVER" -k >/dev/null 2>&1 || true
        # `wineserver -k` does not find a server whose prefix was removed.
        for process in $(prfdata_wine_servers); do
            kill "$process" 2>/dev/null || true
        done
    fi
    for process in $(prfdata_wine_programs ours); do
        kill -9 "$process" 2>/dev/null || true
    done
    unset PRFDATA_RUN_ID
}
