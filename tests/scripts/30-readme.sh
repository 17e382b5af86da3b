#!/bin/bash
# SPDX-License-Identifier: MIT
# Build what README.md shows, exactly as it stands there, against the installed package, natively
# and for Windows; install its counters, run it, read them as the README says, uninstall.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
prfdata_wine_environment

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-readme.XXXXXX")
bin=$work/mingw-build
queues=
in_test=${PRFDATA_RUN_ID:-} # ./test keeps Wine's server

finish() {
    local exit_code=$?
    trap - EXIT
    [[ -z $queues ]] || kill -9 "$queues" 2>/dev/null || true
    [[ ! -e $bin/queues_installer.exe ]] ||
        "$WINE" "$bin/queues_installer.exe" -Uninstall >/dev/null 2>&1 || true
    [[ -n $in_test ]] || prfdata_stop_wine
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap 'exit 143' INT TERM HUP

fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# ---- What the README shows ----

# file_block <name>: the block behind the line that begins with this file's name.
file_block() {
    awk -v name="\`$1\`" '
        /^```/ { if (inside) exit; if (found) { inside = 1; next } in_other = !in_other; next }
        inside { print; next }
        !in_other && index($0, name) == 1 { found = 1 }
    ' README.md
}

# All command lines for Windows.
windows_commands() {
    awk '/^```bat$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md
}

mkdir "$work/queues" "$work/files"
for file in queues_map.h queues_map.c queues.c CMakeLists.txt; do
    file_block "$file" >"$work/queues/$file"
    [[ -s $work/queues/$file ]] || fail "README.md shows no $file"
done

# ---- Building it ----

# build <preset> [<cmake argument>...]
build() {
    local preset=$1
    shift
    cmake --install "build/$preset" --prefix "$work/$preset-package" >/dev/null
    quietly cmake -S "$work/queues" -B "$work/$preset-build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_PREFIX_PATH="$work/$preset-package" -DCMAKE_C_FLAGS='-Wall -Wextra -Werror' "$@"
    quietly cmake --build "$work/$preset-build"
}

build_preset linux
build linux
printf 'abc' | "$work/linux-build/queues" || fail "queues ended with $? on Linux"
echo "passed: it builds and runs natively"

build_preset mingw
build mingw -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/toolchain-mingw-x86_64.cmake"
for file in queues.exe queues_installer.exe MyServicePrf.dll; do
    [[ -e $bin/$file ]] || fail "the build made no $file"
done
echo "passed: it builds for Windows, with provider and installer"

# ---- Running it ----

scripts/wine-prefix
[[ -n $in_test ]] || prfdata_start_wine
tests/wine/install-cure build/mingw/bin/prfdata-wine-cure.dll

program() {
    "$WINE" "$@" | tr -d '\r'
}

prfread() {
    program "$work/mingw-package/bin/prfread.exe" "$@"
}

# The value of \My Queues(<name>)\Jobs, or nothing.
jobs_of() {
    prfread "\\My Queues($1)\\Jobs" -si 0.01 -sc 1 2>/dev/null | sed -n 's/^"[0-9].*","\([0-9]*\)\.0*"$/\1/p'
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

install=$(windows_commands | grep -- ' -Install ') || fail "README.md shows no -Install"
read -r name options <<<"$install"
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

# Every command of the README that this machine has a program for.
count=0
words=()
while read -r line; do
    eval "words=(${line//\\/\\\\})"
    case ${words[0]} in
        prfread)
            (cd "$work/files" && prfread "${words[@]:1}") >"$work/said" 2>&1 ||
                fail "$line: $(<"$work/said")"
            ;;
        queues_installer)
            [[ ${words[1]} == -Status ]] || continue
            program "$bin/queues_installer.exe" -Status >"$work/said" || fail "$line: $(<"$work/said")"
            ;;
        *) continue ;;
    esac
    file=$(sed -n 's/.* -\(o\|save\) \([^ ]*\).*/\2/p' <<<"$line")
    if [[ -n $file ]]; then
        [[ -s $work/files/$file ]] || fail "$line wrote no $file; it says: $(<"$work/said")"
    else
        grep -qi 'queues\|MyService' "$work/said" || fail "$line says: $(<"$work/said")"
    fi
    count=$((count + 1))
done < <(windows_commands)
[[ $count -ge 3 ]] || fail "only $count commands of README.md were run"
echo "passed: $count commands of the README work"

exec {jobs}>&-
exit_code=0
wait "$queues" || exit_code=$?
queues=
[[ $exit_code -eq 0 ]] || fail "queues.exe ended with $exit_code"
[[ -z $(jobs_of mail) ]] || fail "the instance is still there after the end"
jobs_are _Total 5 || fail "_Total is $(jobs_of _Total) after the end"
echo "passed: the instance went, _Total stayed"

program "$bin/queues_installer.exe" -Uninstall >/dev/null
[[ -z $(jobs_of _Total) ]] || fail "still there after -Uninstall"

# ---- Names that the README mentions ----

grep -o '](\([^)]*\))' README.md | sed 's/^](//; s/)$//' | while read -r file; do
    [[ -e $file ]] || fail "README.md links to $file, which is not there"
done
grep -o -- '--preset [a-z0-9-]*' README.md | sed 's/--preset //' | while read -r preset; do
    grep -q "\"name\": \"$preset\"" CMakePresets.json || fail "there is no preset $preset"
done
echo "passed: links and presets exist"
