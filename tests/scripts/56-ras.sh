#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests ports and totals of remote access from end to end: the installer of two services, a
# publisher that prints its values, and two readers, which must show the same values. One reader is
# prfread, the other one reads by hand, through the registry and through the DLL. The test also runs
# prfcheck, and checks what uninstalling leaves.
#
# Nothing here depends on timing, because the publisher takes a step only when the test lets it, and
# the test computes rates by the clock of the reader's samples.
#
# Tier: test
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment

PORTS=4
TOTAL=RAS_TOTAL # stands in place of a port's name

publisher=
reader=
shown='*.err said made'

clean_up() {
    end_process "$publisher" "$reader"
    "$WINE" "$PRFDATA_BIN/installer.exe" -Uninstall >/dev/null 2>&1 || true
}

program() {
    local name=$1
    shift
    "$WINE" "$PRFDATA_BIN/$name.exe" "$@" | tr -d '\r'
}

# expect_code <exit code> <program> [<argument>...]: run it. Its output is in $work/said.
expect_code() {
    local wanted=$1 exit_code=0
    shift
    program "$@" >"$work/said" 2>&1 || exit_code=$?
    [[ $exit_code -eq $wanted ]] || fail "$*: $exit_code instead of $wanted: $(<"$work/said")"
}

expect_said() {
    grep -qF -- "$1" "$work/said" || fail "no \"$1\" in: $(<"$work/said")"
}

expect_not_said() {
    ! grep -qF -- "$1" "$work/said" || fail "\"$1\" in: $(<"$work/said")"
}

# ---- The publisher ----

# Print how many tables the publisher has printed completely.
tables() {
    grep -c 'Total Connections' "$work/made" || true
}

tables_are() {
    [[ $(tables) -eq $1 ]]
}

declare -A made=()    # the values of the last table, by <port>|<counter>
declare -A before=()  # those of the table before
counters=()           # names in the order of the map

read_table() {
    local line i
    local -a fields lines
    before=()
    for i in "${!made[@]}"; do
        before[$i]=${made[$i]}
    done
    made=()
    counters=()
    mapfile -t lines < <(tail -n 18 "$work/made" | tr -d '\r')
    for line in "${lines[@]}"; do
        read -r -a fields <<<"$line"
        line="${fields[*]:PORTS + 1}"
        counters+=("$line")
        for ((i = 0; i < PORTS; i++)); do
            made["COM$((i + 1))|$line"]=${fields[i]}
        done
        made["$TOTAL|$line"]=${fields[PORTS]}
    done
    [[ ${#counters[@]} -eq 18 && ${counters[17]} == 'Total Connections' ]] ||
        fail "the table is $(tail -n 18 "$work/made")"
    unset 'made[COM1|Total Connections]' 'made[COM2|Total Connections]' \
        'made[COM3|Total Connections]' 'made[COM4|Total Connections]'
    [[ ${#made[@]} -eq $((PORTS * 17 + 18)) ]] || fail "the table has ${#made[@]} values"
}

go_on() {
    local count
    count=$(tables)
    printf '\n' >&"$steps"
    wait_for 'the publisher does not go on' tables_are $((count + 1))
    read_table
}

# ---- The reader by hand ----

# Start a reader that takes its second sample when it gets a line of input, and wait for its first
# sample.
start_reader() {
    : >"$work/reader.err"
    "$WINE" "$PRFDATA_BIN/ras_reader.exe" -enter "$@" <"$work/reader.in" \
        >"$work/reader.out" 2>"$work/reader.err" &
    reader=$!
    exec {enter}>"$work/reader.in"
    wait_for 'no first sample' grep -q 'first sample' "$work/reader.err"
}

finish_reader() {
    local exit_code=0
    printf '\n' >&"$enter"
    exec {enter}>&-
    wait "$reader" || exit_code=$?
    reader=
    [[ $exit_code -eq 0 ]] || fail "ras_reader ended with $exit_code"
    tr -d '\r' <"$work/reader.out" >"$work/said"
}

# key_of <object>[(<instance>)] <counter>: print <port>|<name of the counter>. Object and counter
# are title indexes.
key_of() {
    local object=${1%%(*} instance=$TOTAL
    if [[ $1 == *'('* ]]; then
        instance=${1#*(}
        instance=${instance%)}
        [[ $object -eq $first_counter ]] || fail "an instance in object $object"
    else
        [[ $object -eq $((first_counter + 36)) ]] || fail "no instance in object $object"
    fi
    printf '%s|%s' "$instance" "${counters[($2 - object - 2) / 2]}"
}

# Compare every line of the reader with the publisher's tables before and after a step, and every
# rate with the clock of the reader's samples.
compare_reading() {
    local what=$1 line key older newer from to frequency count=0 rates=0
    local pattern='^ *([0-9]+)  +([0-9]+)  +([0-9.]*) *\\([^\\]+)\\([0-9]+)$'
    read -r _ from _ to frequency _ <<<"$(head -n 1 "$work/said" | tr -d ,)"
    while read -r line; do
        [[ $line =~ $pattern ]] || fail "$what: $line"
        older=${BASH_REMATCH[1]} newer=${BASH_REMATCH[2]}
        key=$(key_of "${BASH_REMATCH[4]}" "${BASH_REMATCH[5]}")
        [[ ${before[$key]:-} == "$older" && ${made[$key]:-} == "$newer" ]] ||
            fail "$what: $key is $older, $newer instead of ${before[$key]:-}, ${made[$key]:-}"
        count=$((count + 1))
        [[ $key == */Sec ]] || continue
        printf '%s %s %s\n' "$older" "$newer" "${BASH_REMATCH[3]}"
        rates=$((rates + 1))
    done < <(tail -n +3 "$work/said") >"$work/rates"
    [[ $count -eq $((PORTS * 17 + 18)) && $rates -eq $((PORTS * 5 + 5)) ]] ||
        fail "$what: $count values, $rates rates"
    awk -v from="$from" -v to="$to" -v frequency="$frequency" '
        { rate = ($2 - $1) / ((to - from) / frequency); off = rate - $3 }
        NF != 3 || to <= from || off > 0.001 || off < -0.001 { print "instead of", rate ": " $0; wrong = 1 }
        END { exit wrong }
    ' "$work/rates" || fail "$what: rates"
    printf 'passed: %s: %d values in two samples, %d rates\n' "$what" "$count" "$rates"
}

# ---- prfread ----

# Print the fields of a line of CSV, one per line. Each field of the line is quoted.
csv_fields() {
    sed -e 's/^"//; s/"$//; s/","/\n/g' <<<"$1"
}

compare_prfread() {
    local i path instance count=0
    local -a lines paths values
    program prfread '\RAS Port(*)\*' '\RAS Total\*' -si 0.01 -sc 1 >"$work/said" ||
        fail "prfread: $(<"$work/said")"
    mapfile -t lines < <(grep '^"' "$work/said")
    mapfile -t paths < <(csv_fields "${lines[0]}")
    mapfile -t values < <(csv_fields "${lines[1]}")
    for i in "${!paths[@]}"; do
        path=${paths[i]#'\\'*'\'}
        [[ $path == 'RAS '* ]] || continue
        instance=$TOTAL
        [[ $path != *'('* ]] || instance=${path#*(}
        instance=${instance%%)*}
        count=$((count + 1))
        # rates are 0, because the publisher does nothing between the two samples
        [[ $path != */Sec ]] || made["$instance|${path##*'\'}"]=0
        [[ ${values[i]%.000000} == "${made[$instance|${path##*'\'}]:-}" ]] ||
            fail "prfread: $path is ${values[i]} instead of ${made[$instance|${path##*'\'}]:-}"
    done
    [[ $count -eq $((PORTS * 17 + 18)) ]] || fail "prfread: $count values"
    printf 'passed: prfread: %d values\n' "$count"
}

total_of() {
    value_of 'RAS Total' "$1"
}

value_of() {
    program prfread "\\$1\\$2" -si 0.01 -sc 1 2>"$work/prfread.err" |
        sed -n 's/^"[0-9].*","\([0-9]*\)\.0*"$/\1/p'
}

has_ports() {
    program prfread -qx 'RAS Port' 2>"$work/prfread.err" | grep -F '(COM1)' >/dev/null
}

has_no_ports() {
    ! has_ports
}

# ---- Two services in one installer ----

# Print what uninstalling must restore: the services, and the files of ProgramData.
everything() {
    program_of_wine reg.exe query 'HKLM\System\CurrentControlSet\Services' /s
    ls -R "$WINEPREFIX/drive_c/ProgramData"
}

program_of_wine() {
    DISPLAY='' "$WINE" "$@" 2>/dev/null | tr -d '\r'
}

[[ -e $PRFDATA_BIN/ras_reader.exe && -e $PRFDATA_BIN/prfread.exe ]] || fail "build the preset mingw first"
begin_wine
program installer -Uninstall >/dev/null 2>&1 || true
# The installer remembers the titles of a service until the system restarts. Delete them, so that
# the service is new.
program_of_wine reg.exe delete 'HKLM\SOFTWARE\PrfData Titles RasSample' /f >/dev/null || true
everything >"$work/everything"

expect_code 5 installer -Status
expect_said '[HWInputMon] Performance Counters (Not Installed)'
expect_said '[RasSample] Performance Counters (Not Installed)'
expect_code 1 ras_rates
expect_said 'rates: service RasSample is not installed'
expect_code 0 installer -Install -Writers Users
expect_said 'HWInputMon: Installed'
expect_said 'RasSample: Installed'
expect_code 0 installer -Status RasSample
expect_not_said HWInputMon
first_counter=$(sed -n 's/^ *First Counter ID: .*(\([0-9]*\))$/\1/p' "$work/said")
last_counter=$(sed -n 's/^ *Last Counter ID: .*(\([0-9]*\))$/\1/p' "$work/said")
[[ $((last_counter - first_counter)) -eq 122 ]] || fail "titles $first_counter to $last_counter"
has_texts=1
if grep -q 'Titles: only numbers' "$work/said"; then
    has_texts=
else
    expect_said 'Titles: loaded, the first is "RAS Port"'
fi
expect_code 0 installer -Uninstall HWInputMon
expect_not_said RasSample
expect_code 5 installer -Status
expect_said '[HWInputMon] Performance Counters (Not Installed)'
expect_said '[RasSample] Performance Counters (Enabled)'
echo "passed: one installer, two services"

# Without the workaround, Wine puts the object where no reader finds it, and -Status says so.
tests/wine/install-workaround --remove
expect_code 0 installer -Status RasSample
expect_said 'Reader: not checked: Wine puts the objects where no reader finds them; prfread -dll RasSample reads them'
tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll"
echo "passed: an answer that Wine misplaces is no finding"

# ---- Reading the publisher's values ----

mkfifo "$work/publisher.in" "$work/reader.in"
: >"$work/made"
"$WINE" "$PRFDATA_BIN/ras.exe" -ports "$PORTS" -steps 1000 -hold <"$work/publisher.in" \
    >"$work/made" 2>"$work/publisher.err" &
publisher=$!
exec {steps}>"$work/publisher.in"
wait_for 'the publisher prints nothing' tables_are 1
grep -q 'Publishing as service RasSample' "$work/publisher.err" || fail "it does not publish"
read_table

start_reader "$first_counter" $((first_counter + 36))
go_on
finish_reader
compare_reading 'through the registry'
start_reader -dll "$("$WINE" winepath.exe -w "$PRFDATA_BIN/RasSamplePrf.dll" 2>/dev/null | tr -d '\r')"
go_on
finish_reader
compare_reading 'through the DLL'
compare_prfread

if [[ -z $has_texts ]]; then
    expect_code 1 ras_reader
    expect_said "RasSample has no title \"RAS Port\" between $first_counter and $last_counter"
fi
expect_code 1 ras_reader -service PrfDataNobody
expect_said 'service PrfDataNobody has no counters installed'
expect_code 2 ras_reader -nonsense
expect_code 2 ras -ports 65
expect_said 'Wrong option or value: -ports 65'

# Check that rates.c can be built with the command in its comment.
line=$(sed -n 's/^ \*     \(x86_64-w64-mingw32-gcc .*\)/\1/p' samples/ras/rates.c)
mkdir "$work/rates.build"
cp samples/ras/{rates,raw_reader}.c samples/ras/raw_reader.h "$work/rates.build"
(cd "$work/rates.build" && bash -c "$line") || fail "$line"
if [[ -n $has_texts ]]; then
    PRFDATA_BIN=$work/rates.build expect_code 0 rates
    expect_said ' Bytes Received/Sec'
else
    PRFDATA_BIN=$work/rates.build expect_code 1 rates
    expect_said 'rates: the titles of RasSample have no texts'
fi
echo "passed: rates.c builds by one line"

# expect_health <publishers> <ended publishers>
expect_health() {
    [[ $(value_of 'RAS Health' Publishers) == "$1" && $(value_of 'RAS Health' 'Ended Publishers') == "$2" ]] ||
        fail "health: $(value_of 'RAS Health' Publishers) publishers, not $1 and $2 ended"
}
expect_health 1 0

expect_code 0 prfcheck RasSample -seconds 1
expect_said '0 errors, 0 warnings'
printf 'passed: %s\n' "$(tail -n 1 "$work/said")"

# ---- The publisher's end ----

read_table # prfread's comparison has changed the rates
exec {steps}>&-
exit_code=0
wait "$publisher" || exit_code=$?
publisher=
[[ $exit_code -eq 0 ]] || fail "ras ended with $exit_code"
wait_for 'the ports stay' has_no_ports
[[ $(total_of 'Bytes Received') == "${made["$TOTAL|Bytes Received"]}" ]] ||
    fail "Bytes Received is $(total_of 'Bytes Received')"
[[ $(total_of 'Total Connections') == 0 ]] || fail "connections stay"
expect_health 0 1
echo "passed: the input ends, the program ends: ports go, counts stay, the health says so"

counts_on() {
    [[ $(total_of 'Bytes Received') -gt ${made["$TOTAL|Bytes Received"]} ]]
}

"$WINE" "$PRFDATA_BIN/ras.exe" -steps 100 >/dev/null 2>&1 </dev/null &
publisher=$!
wait_for 'nothing is counted live' counts_on
has_ports || fail "no ports"
kill -9 "$publisher"
wait "$publisher" 2>/dev/null || true
publisher=
wait_for 'the ports of a killed program stay' has_no_ports
counts_on || fail "the counts of a killed program went"
echo "passed: live, then killed: ports go, counts stay"

# ---- Nothing left ----

expect_code 0 installer -Uninstall RasSample
expect_code 5 installer -Status
everything >"$work/everything.after"
cmp -s "$work/everything" "$work/everything.after" ||
    fail "left: $(diff "$work/everything" "$work/everything.after" || true)"
expect_code 0 ras -hold -steps 1
expect_said 'where no reader sees them, because they are not installed'
echo "passed: everything"
