#!/bin/bash
# SPDX-License-Identifier: MIT
# Tries the examples of README.md and docs/. It builds the package and the program as README.md
# says. It compiles every example in C for Windows and, if possible, natively. Then it installs the
# counters, runs the program, reads the counters, runs every other command, and uninstalls.
# documents.py says how each kind of block is tried.
#
# Tier: all
# Builds: linux mingw
# Job: scripts
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
prfdata_wine_environment

# Always use the same folder, below the source, so that the compiler's cache finds earlier results.
work=$PWD/build/documents
rm -rf "$work"
mkdir -p "$work"
pages=$work/pages
readme=$pages/README # the folder that README.md names
bin=$readme/build
queues=
in_test=${PRFDATA_RUN_ID:-} # ./test keeps Wine's server

finish() {
    local exit_code=$? installer
    trap - EXIT
    [[ -z $queues ]] || kill -9 "$queues" 2>/dev/null || true
    while read -r installer; do
        "$WINE" "$installer" -Uninstall >/dev/null 2>&1 </dev/null || true
    done < <(find "$pages" -name '*_installer.exe' 2>/dev/null)
    "$WINE" reg.exe delete "$perflib" /v EventLogLevel /f >/dev/null 2>&1 </dev/null || true
    [[ -n $in_test ]] || prfdata_stop_wine
    rm -rf "$work"
    exit "$exit_code"
}
perflib='HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib'
trap finish EXIT
trap end_by_signal INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*"
    show_files "$work"/prfread.err
    exit 1
}

documents() {
    /usr/bin/python3 -B tests/scripts/documents.py "$@" || exit 1
}

# ---- Building ----

documents check
mkdir "$pages"
documents extract "$pages"
for folder in "$pages"/*/; do
    ln -s "$PWD" "$folder/prfdata"
done
CMAKE_GENERATOR=Ninja CFLAGS='-Wall -Wextra -Werror' documents run "$pages" build
for file in queues.exe queues_installer.exe MyServicePrf.dll; do
    [[ -e $bin/$file ]] || fail "the commands of README.md made no $file"
done
echo "passed: built for Windows as README.md says, with provider and installer"

build_preset linux
build_preset mingw # the samples, and the workaround for Wine
for preset in linux mingw; do
    cmake --install "build/$preset" --prefix "$work/$preset" >/dev/null
done
documents build "$pages" "$work/linux" linux
documents build "$pages" "$work/mingw" windows \
    -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-mingw-x86_64.cmake"
for program in "$pages"/testing-your-counters/build-linux/bakery_test_c{,pp}; do
    "$program" >/dev/null || fail "$program ended with $?"
done
printf 'abc' | "$readme/queues/build-linux/queues" || fail "queues ended with $? on Linux"
echo "passed: it runs natively"

# ---- The program of README.md ----

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine
tests/wine/install-workaround build/mingw/bin/prfdata-wine-workaround.dll

program() {
    "$WINE" "$@" | tr -d '\r'
}

prfread() {
    program "$bin/PrfData/bin/prfread.exe" "$@"
}

# Print the value of \My Queues(<name>)\Jobs, or nothing.
jobs_of() {
    prfread "\\My Queues($1)\\Jobs" -si 0.01 -sc 1 2>"$work/prfread.err" | sed -n 's/^"[0-9].*","\([0-9]*\)\.0*"$/\1/p'
}

# wait_for <what> <command>...
wait_for() {
    local what=$1 deadline=$((SECONDS + 300))
    shift
    until "$@"; do
        [[ $SECONDS -lt $deadline ]] || fail "$what"
        sleep 0.05
    done
}

jobs_are() {
    [[ $(jobs_of "$1") == "$2" ]]
}

install=$(grep -m 1 -- ' -Install ' README.md) || fail "README.md shows no -Install"
read -r name options <<<"$install"
options=${options//\"%USERNAME%\"/$(id -un)} # as cmd does; Wine's user has the name of this user
# shellcheck disable=SC2086 # words
program "$bin/$name.exe" $options
mkfifo "$work/input"
"$WINE" "$bin/queues.exe" <"$work/input" >/dev/null 2>&1 &
queues=$!
exec {jobs}>"$work/input"
wait_for 'the instance did not appear' jobs_are mail 0
printf '12345' >&"$jobs"
wait_for "Jobs is $(jobs_of mail), not 5" jobs_are mail 5
jobs_are _Total 5 || fail "_Total is $(jobs_of _Total)"
echo "passed: five jobs are read as five"

# ---- All commands ----

# Twice in some hundred runs, on a busy machine, the counts of README.md's program were missing
# here. The output did not show the reason, so print the installation, the region files and the
# processes.
describe() {
    local process
    program "$bin/$name.exe" -Status || true
    ls -l --full-time "$WINEPREFIX/drive_c/ProgramData/PrfData/MyService" || true
    for process in $(prfdata_wine_processes ours); do
        printf '%s since %s: %s\n' "$process" "$(stat -c %y "/proc/$process" 2>/dev/null)" \
            "$(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline")"
    done
}
(PATH=$PWD/build/linux/bin:$PATH documents run "$pages" pages) >"$work/pages.log" 2>&1 || {
    describe
    cat "$work/pages.log"
    exit 1
}
cat "$work/pages.log"

# ---- The end ----

exec {jobs}>&-
exit_code=0
wait "$queues" || exit_code=$?
queues=
[[ $exit_code -eq 0 ]] || fail "queues.exe ended with $exit_code"
[[ -z $(jobs_of mail) ]] || fail "the instance is still there after the end"
jobs_are _Total 5 || fail "_Total is $(jobs_of _Total) after the end"
echo "passed: the instance went, _Total stayed"

documents run "$pages" uninstall
[[ -z $(jobs_of _Total) ]] || fail "still there after -Uninstall"
echo "passed: uninstalled"
