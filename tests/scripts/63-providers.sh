#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests prfread with a provider that crashes, hangs or is slow, in every mode: values, lists, dumps,
# samples and recordings, files for Prometheus, -serve, the live view, the service. Whatever the
# provider does, prfread names it, shows the values of the other providers, and returns 4. prfread's
# process for the providers ends with prfread. tests/providers/unsteady.c has two objects. The file
# $mood says how this provider behaves.
#
# Only the checks of hanging providers depend on timing, because prfread gives such providers up
# after a time limit. Each check is repeated until the program has done its work. With arguments,
# the script measures instead of testing:
#
#   63-providers.sh figures [<program>...]   print the figures of docs/prfread.md for these
#                                            programs; default: prfread.exe
#   63-providers.sh scrapes [<number>...]    print how long two scrapes in a row take while this
#                                            many providers hang; default: 1 2 5
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
# shellcheck source=../support/scripts/figures.sh
source tests/support/scripts/figures.sh
figures=
[[ ${1:-} != figures && ${1:-} != scrapes ]] || figures=$1
[[ -z $figures ]] || export PRFDATA_WINE_PROCESSOR= # Wine may use all processors
prfdata_wine_environment

FIGURE_SECONDS=60
SERVICES='HKLM\System\CurrentControlSet\Services'
FIRST='\7720000\7720002' OTHER='\7720010\7720012'
mood=$work/mood
windows_work='Z:'${work//\//\\}
export PRFDATA_TEST_MOOD="$windows_work\\mood"
reader=
shown='said out err metrics log state'

end_reader() {
    end_process "$reader"
    reader=
}

clean_up() {
    end_reader
}

# prfread <exit code> <argument>...: run it. Its output is in $work/out, its messages in $work/err.
prfread() {
    local wanted=$1 exit_code=0
    shift
    timeout "$LIMIT" "$WINE" "$PRFDATA_BIN/prfread.exe" "$@" >"$work/out" 2>"$work/err" </dev/null ||
        exit_code=$?
    sed -i 's/\r$//' "$work/out" "$work/err"
    [[ $exit_code -eq $wanted ]] || fail "prfread $*: $exit_code instead of $wanted"
}

start_prfread() {
    rm -f "$work/out" "$work/err" # so that no output of an earlier run is taken for this one
    : >"$work/out"
    : >"$work/err"
    "$WINE" "$PRFDATA_BIN/prfread.exe" "$@" >"$work/out" 2>"$work/err" </dev/null &
    reader=$!
}

expect() {
    grep -qE -- "$2" "$work/$1" || fail "no \"$2\" in $1"
}

expect_fault() {
    [[ $(grep -cE "^Error: 7720000: the provider Z:.*prfdata-unsteady\.dll of PrfDataUnsteady $1; it is left out$" \
        "$work/err") -eq 1 ]] || fail "the provider is not named once"
}

# Print the processes of our prefix in which prfread asks providers.
provider_processes() {
    local process
    for process in $(prfdata_wine_processes ours); do
        [[ $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline") != *-provider-process* ]] || echo "$process"
    done
}

has_provider_process() { [[ -n $(provider_processes) ]]; }
has_no_provider_process() { [[ -z $(provider_processes) ]]; }

scrape() {
    python3 tests/scripts/prometheus.py fetch "$port" GET /metrics "$work/metrics" >/dev/null 2>&1
}

# shows <0 or 1> <0 or 1>: return whether the newest scrape has this many values of the first
# object, and of the second one.
shows() {
    scrape && [[ $(grep -c '^title_7720000_title_7720002 42' "$work/metrics") -eq $1 &&
        $(grep -c '^title_7720010_title_7720012 42' "$work/metrics") -eq $2 ]]
}

[[ -e $PRFDATA_BIN/prfread.exe && -e $PRFDATA_BIN/prfdata-unsteady.dll ]] || fail "build mingw first"
use_own_wine
# Services get the variables that the registry has when Wine starts.
DISPLAY='' "$WINE" reg.exe add 'HKLM\System\CurrentControlSet\Control\Session Manager\Environment' \
    /v PRFDATA_TEST_MOOD /d "$PRFDATA_TEST_MOOD" /f >/dev/null 2>&1 </dev/null
"$WINESERVER" -k || true
timeout 60 "$WINESERVER" -w || true
"$WINESERVER" -p60
DISPLAY='' WINEDEBUG=-all,err+eventlog,warn+eventlog,trace+eventlog \
    "$WINE" cmd.exe /c exit >/dev/null 2>"$work/log" </dev/null
tests/wine/install-workaround "$PRFDATA_BIN/prfdata-wine-workaround.dll" >/dev/null

# register_provider <service> <title>: register prfdata-unsteady.dll for an object.
register_provider() {
    local key=$SERVICES\\$1\\Performance call
    "$WINE" reg.exe add "$key" /v Library /d "Z:${PRFDATA_BIN//\//\\}\\prfdata-unsteady.dll" /f >"$work/said"
    for call in Open Collect Close; do
        "$WINE" reg.exe add "$key" /v $call /d Unsteady$call /f >/dev/null
    done
    "$WINE" reg.exe add "$key" /v 'First Counter' /t REG_DWORD /d "$2" /f >/dev/null
    "$WINE" reg.exe add "$key" /v 'Last Counter' /t REG_DWORD /d $(($2 + 2)) /f >/dev/null
}
register_provider PrfDataUnsteady 7720000

# ---- Figures ----

# print_cost <program>: print what one sample per second costs the program, and its process for the
# providers.
print_cost() {
    local other own=0 providers=0 from spent
    "$WINE" "$1" "$FIRST" "$OTHER" -si 1 >"$work/out" 2>"$work/err" </dev/null &
    reader=$!
    wait_for 'no values' grep -q ',"42.000000","42.000000"' "$work/out"
    sleep 5 # so that the figures do not contain the costs of the start
    other=$(provider_processes)
    from=${EPOCHREALTIME/[.,]/}
    own=$(cpu_ms "$reader")
    [[ -z $other ]] || providers=$(cpu_ms "$other")
    sleep "$FIGURE_SECONDS"
    own=$(($(cpu_ms "$reader") - own))
    [[ -z $other ]] || providers=$(($(cpu_ms "$other") - providers))
    spent=$(((${EPOCHREALTIME/[.,]/} - from) / 1000))
    [[ -z $other ]] || other=$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$other/status")
    echo "$1, one sample per second: $(per "$((own * 100))" "$spent") % of a core, its process for the" \
        "providers $(per "$((providers * 100))" "$spent") % and $(per "${other:-0}" 1024) MiB of its own"
    end_reader
}

# Each row has the longest time of a scrape in milliseconds, prfread's options if any, and after a
# colon the header of the scrape if any.
scrapes=('2500 -limit 3' '4500 -limit 5' '7500 -limit 8' '8000' '3500 :X-Prometheus-Scrape-Timeout-Seconds: 4'
    '2500 -limit 3 :X-Prometheus-Scrape-Timeout-Seconds: 30')

# begin_scrapes <row of scrapes> <path>...: serve these paths while all providers answer, and then
# let all but one hang. Sets most_ms, options and field.
begin_scrapes() {
    read -r most_ms options <<<"${1%%:*}"
    field=()
    [[ $1 != *:* ]] || field=("${1#*:}")
    rm -f "$mood"
    port=$(python3 tests/scripts/prometheus.py free-port)
    # shellcheck disable=SC2086 # options are words
    start_prfread $options -serve "127.0.0.1:$port" "${@:2}"
    wait_for 'it does not answer' shows 1 1
    sleep 0.2 # the next scrape must not get the same sample
    echo hang >"$mood"
}

# Take a scrape, and set took_ms.
time_scrape() {
    python3 tests/scripts/prometheus.py timed-fetch "$port" GET /metrics "$work/metrics" "${field[@]}" >"$work/said" 2>&1
    took_ms=$(tail -n 1 "$work/said")
}

# print_scrapes <number>: print how long two scrapes in a row take while this many providers hang.
print_scrapes() {
    local i title row paths=("$FIRST" "$OTHER")
    for ((i = 1; i < $1; i++)); do
        title=$((7720090 + 10 * i))
        register_provider "PrfDataUnsteady$i" "$title"
        paths+=("\\$title\\$((title + 2))")
    done
    for row in "${scrapes[@]}"; do
        begin_scrapes "$row" "${paths[@]}"
        printf '%s hanging%s%s:' "$1" "${options:+, $options}" "${field[*]:+, ${field[*]}}"
        for i in first second; do
            time_scrape
            printf ' %s scrape %s ms, %s,' "$i" "$took_ms" \
                "$(grep -q '^title_7720010_title_7720012 42' "$work/metrics" && echo with the others || echo without the others)"
            sleep 0.2
        done
        printf ' left out %s\n' "$(sed -n 's/^prfread_providers_left_out //p' "$work/metrics")"
        end_reader
    done
}

if [[ $figures == scrapes ]]; then
    [[ $# -gt 1 ]] || set -- scrapes 1 2 5
    for number in "${@:2}"; do
        print_scrapes "$number"
    done
    exit
fi
if [[ -n $figures ]]; then
    [[ $# -gt 1 ]] || set -- figures "$PRFDATA_BIN/prfread.exe"
    for program in "${@:2}"; do
        print_cost "$program"
    done
    exit
fi

# ---- Whole runs ----

# in_every_mode <argument>...: run the modes that end by themselves with the current provider.
in_every_mode() {
    prfread 4 "$@" "$FIRST" "$OTHER" -sc 2 -si 0.1
    expect_fault "$fault"
    [[ $(grep -c ',"42.000000"$' "$work/out") -eq 2 ]] || fail "values: $(<"$work/out")"
    prfread 4 "$@" "$FIRST" "$OTHER" -sc 1 -si 0.1 -f JSON
    expect_fault "$fault"
    expect out '"CookedValue":42,'
    prfread 4 "$@" -f PROM -o "$windows_work\\p.prom" -y -sc 2 -si 0.1 "$FIRST" "$OTHER"
    expect_fault "$fault"
    grep -q '^prfread_object_up{object="7720000"} 0' "$work/p.prom" || fail "$(<"$work/p.prom")"
    grep -q '^title_7720010_title_7720012 42' "$work/p.prom" || fail "$(<"$work/p.prom")"
    prfread 4 "$@" -explain "$FIRST" "$OTHER"
    expect_fault "$fault"
    prfread 4 "$@" -q 7720000 7720010
    expect_fault "$fault"
    [[ $(<"$work/out") == '\7720010\7720012' ]] || fail "listed: $(<"$work/out")"
    prfread 4 "$@" -dump 7720010 7720000
    expect_fault "$fault"
    expect out 'ObjectNameTitleIndex     7720010'
    prfread 4 "$@" -save "$windows_work\\s.blk" -y 7720000 7720010
    expect_fault "$fault"
    prfread 0 -file "$windows_work\\s.blk" "$OTHER"
    expect out '"42.000000"'
    prfread 4 "$@" -save "$windows_work\\r.blk" -y -sc 3 -si 0.1 7720000 7720010
    expect_fault "$fault"
    prfread 0 -file "$windows_work\\r.blk" "$OTHER"
    [[ $(grep -c ',"42.000000"$' "$work/out") -eq 2 ]] || fail "recorded: $(<"$work/out")"
    # If the only provider fails, there is one message, and neither a row nor a file.
    prfread 4 "$@" "$FIRST" -sc 2 -o "$windows_work\\none.csv"
    expect_fault "$fault"
    [[ $(wc -l <"$work/err") -eq 1 && ! -e $work/none.csv ]] || fail "said: $(<"$work/err")"
}

prfread 0 "$FIRST" "$OTHER" -sc 1 -si 0.1
expect out ',"42.000000","42.000000"$'
echo crash >"$mood"
fault='crashed' in_every_mode
echo 'passed: a provider that crashes'
echo hang >"$mood"
fault='did not answer within 0\.5 s' in_every_mode -limit 0.5
echo 'passed: a provider that hangs'
echo slow 1000 1000 >"$mood"
prfread 0 -limit 60 "$FIRST" "$OTHER" -sc 1 -si 0.1
expect out ',"42.000000","42.000000"$'
wait_for 'a process is left' has_no_provider_process
echo 'passed: slow providers'

# ---- A provider that crashes, or hangs, while it is read ----

for what in crash hang; do
    rm -f "$mood"
    start_prfread -limit 1 "$FIRST" "$OTHER" -si 0.1
    wait_for 'no values' grep -q ',"42.000000","42.000000"' "$work/out"
    echo $what >"$mood"
    wait_for 'the others stop' grep -q ',"-1","42.000000"' "$work/out"
    [[ $what == crash ]] && fault=crashed || fault='did not answer within 1 s'
    wait_for 'nothing is said' grep -q "PrfDataUnsteady $fault" "$work/err"
    sed -i 's/\r$//' "$work/err"
    expect_fault "$fault"
    wait_for 'no process for providers' has_provider_process
    end_reader
    wait_for 'a process is left' has_no_provider_process
done
# prfread is killed while a provider hangs. Its process for providers must end, too, although no
# pipe tells it that prfread has ended.
start_prfread -limit 1000 "$FIRST" -si 0.1
wait_for 'no process for providers' has_provider_process
end_reader
wait_for 'a process is left' has_no_provider_process
echo 'passed: a provider that crashes and one that hangs while they are read; killed meanwhile'

# ---- Servers ----

for what in crash hang; do
    rm -f "$mood"
    port=$(python3 tests/scripts/prometheus.py free-port)
    start_prfread -limit 1 -serve "127.0.0.1:$port" "$FIRST" "$OTHER"
    wait_for 'it does not answer' shows 1 1
    echo $what >"$mood"
    wait_for 'the others are not served' shows 0 1
    grep -q '^prfread_object_up{object="7720000"} 0' "$work/metrics" || fail "metrics: $(<"$work/metrics")"
    if [[ $what == crash ]]; then # one case is enough, because each waits a minute
        rm "$mood"
        wait_for 'it is never asked again' shows 1 1
        wait_for 'that is not said' grep -q 'Note: 7720000: the provider .* answers again' "$work/err"
    fi
    end_reader
done
wait_for 'a process is left' has_no_provider_process
echo 'passed: -serve, and what answers again'

# If a provider begins to hang, a scrape takes no longer than -limit or the scrape's header says,
# and the answer has the values of the other providers.
for row in "${scrapes[@]}"; do
    begin_scrapes "$row" "$FIRST" "$OTHER"
    time_scrape
    [[ $took_ms -lt $((most_ms + 400)) && $took_ms -ge $((most_ms / 2)) ]] || fail "$row: a scrape took $took_ms ms"
    grep -q '^title_7720010_title_7720012 42' "$work/metrics" || fail "$row: the others are missing"
    grep -q '^prfread_providers_left_out 1' "$work/metrics" || fail "$row: nothing is counted"
    echo "a provider hangs${options:+, $options}${field[*]:+, ${field[*]}}: the scrape took $took_ms ms"
    end_reader
done
rm -f "$mood"
wait_for 'a process is left' has_no_provider_process
echo 'passed: -serve keeps the time of its clients'

cp "$PRFDATA_BIN/prfread.exe" "$work/"
port=$(python3 tests/scripts/prometheus.py free-port)
"$WINE" "$work/prfread.exe" -service install -limit 1 -serve "127.0.0.1:$port" "$FIRST" "$OTHER" \
    >"$work/said" 2>&1 || fail 'installing the service'
"$WINE" net start prfread >"$work/said" 2>&1 || fail 'the service does not start'
wait_for 'the service does not answer' shows 1 1
echo hang >"$mood"
wait_for 'the service does not serve the others' shows 0 1
wait_for 'no event' grep -qaE 'eventlog:ReportEventW L"(7720000: the provider .*did not answer within [0-9.]+ s|the time for the sample was over)' "$work/log"
"$WINE" net stop prfread >"$work/said" 2>&1 || fail 'the service does not stop'
wait_for 'the process of the service is left' has_no_provider_process
"$WINE" "$work/prfread.exe" -service remove >"$work/said" 2>&1 || fail 'removing the service'
echo 'passed: the service'

# ---- The live view ----

/usr/bin/python3 -B -c 'import pyte' 2>/dev/null || fail "no python3-pyte: run scripts/bootstrap"
for what in 'crash crashed' 'hang did not answer within 1 s'; do
    rm -f "$mood"
    /usr/bin/python3 -B tests/support/scripts/top_on_screen.py unsteady "$mood" "${what%% *}" "${what#* }" -- \
        "$WINE" "$PRFDATA_BIN/prfread.exe" -limit 1 || fail 'the live view'
done
wait_for 'a process is left' has_no_provider_process
echo 'passed: the live view'
