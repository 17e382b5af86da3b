#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests counters all the way to PromQL: both samples publish under Wine, prfread serves, a real
# Prometheus scrapes, and a query returns the counts that were made. Before that, `promtool check
# metrics` and Python's OpenMetrics parser check prfread's text. After that, the output of the
# installer's -Emit is tested: Prometheus must run the rules, and answer every query of the
# dashboard.
#
# Nothing here depends on timing, because the sample continues when the test lets it, and Prometheus
# is asked until it has scraped the values of this step.
#
# Tier: all
# Builds: mingw
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
prfdata_wine_environment
# shellcheck source=../../samples/hwinput/screen.sh
source samples/hwinput/screen.sh

RAS=('\RAS Port(*)\*' '\RAS Total\*' '\RAS Frames(*)\*' '\RAS Health\*')
INPUT=('\Hardware Input\*' '\Mouse Clicks(*)\*')

publisher=
server=
other_server=
prometheus=
shown='*.err answer'

clean_up() {
    end_process "$prometheus" "$publisher" "$server" "$other_server"
    screen_stop
    if [[ -e $PRFDATA_BIN/installer.exe ]]; then
        "$WINE" "$PRFDATA_BIN/installer.exe" -Uninstall >/dev/null 2>&1 || true
    fi
}

# Find a python3 that has the parser, because the first one in PATH may be the user's own.
find_python() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import prometheus_client.openmetrics.parser' 2>/dev/null && return
    done
    skip "no python3-prometheus-client here"
}

ask() {
    "$python" tests/scripts/prometheus.py "$@" >"$work/answer" 2>&1
}

# ---- Checking text ----

# promtool prints nothing and returns 0 only if it has no objection.
check_lint() {
    local said
    said=$(promtool check metrics <"$1" 2>&1) || fail "promtool: $1: $said"
    [[ -z $said ]] || fail "promtool: $1: $said"
}

check_parser() {
    ask parse "$@" || fail "OpenMetrics parser: $(<"$work/answer")"
}

command -v promtool >/dev/null || skip "no promtool here"
command -v prometheus >/dev/null || skip "no prometheus here"
find_python
for golden in tests/golden/*.prom; do
    check_lint "$golden"
done
check_parser tests/golden/*.om
printf 'passed: promtool and the OpenMetrics parser accept the golden files\n'

printf 'a_count 1\n' >"$work/wrong"
! promtool check metrics <"$work/wrong" >/dev/null 2>&1 || fail "promtool accepts everything"
! ask parse "$work/wrong" || fail "the parser accepts everything"

# ---- Both samples ----

# tables_are <number>: return whether the publisher has printed this many tables completely.
tables_are() {
    [[ $(grep -c 'Total Connections' "$work/made" || true) -eq $1 ]]
}

# go_on <number>: let the publisher take a step, and wait until it has printed this many tables in
# all.
go_on() {
    printf '\n' >&"$steps"
    wait_for 'the publisher does not go on' tables_are "$1"
    tr -d '\r' <"$work/made" >"$work/table"
}

# expose <format> <file> <path>...
expose() {
    local format=$1 file=$2
    shift 2
    run_in_wine "$work/$file" "$work/prfread.err" "$PRFDATA_BIN/prfread.exe" -f "$format" "$@" ||
        fail "prfread -f $format ended with $?"
    ! grep -q $'\r' "$work/$file" || fail "$file: lines end in CR LF"
}

has_keys() {
    : >"$work/answer"
    expose OM keys.om "${INPUT[0]}"
    grep -qx "hwinput_keystrokes_total $1" "$work/keys.om"
}

press() {
    local i
    for ((i = 0; i < $1; i++)); do
        xdotool key a
    done
}

[[ -e $PRFDATA_BIN/ras.exe && -e $PRFDATA_BIN/prfread.exe ]] || fail "build the preset mingw first"
begin_wine
"$WINE" "$PRFDATA_BIN/installer.exe" -Uninstall >/dev/null 2>&1 || true
"$WINE" "$PRFDATA_BIN/installer.exe" -Install -Writers Users >"$work/installer.err" 2>&1 ||
    fail "-Install ended with $?"

mkfifo "$work/publisher.in"
: >"$work/made"
started=$SECONDS
"$WINE" "$PRFDATA_BIN/ras.exe" -ports 4 -steps 1000 -hold <"$work/publisher.in" \
    >"$work/made" 2>"$work/publisher.err" &
publisher=$!
exec {steps}>"$work/publisher.in"
wait_for 'the publisher prints nothing' tables_are 1
tr -d '\r' <"$work/made" >"$work/table"

# Readers see the percentiles of the last minute, and the publisher's table has those of the whole
# run. In the first minute they are the same.
expose OM percentiles.om "${RAS[2]}"
if [[ $((SECONDS - started)) -lt 55 ]]; then
    ask percentiles "$work/percentiles.om" "$work/table" || fail "percentiles: $(<"$work/answer")"
    printf 'passed: percentiles within 6.25 %%\n'
fi

screen_start || fail "no X server: $(cat "$screen_folder/log")"
screen_start_monitor || fail "no window: $(cat "$screen_folder/monitor")"
expose OM keys.om "${INPUT[0]}"
keys=$(sed -n 's/^hwinput_keystrokes_total //p' "$work/keys.om")
press 10
wait_for 'keys are not counted' has_keys $((keys += 20))

for format in PROM OM; do
    expose "$format" "ras.$format" "${RAS[@]}"
    expose "$format" "input.$format" "${INPUT[@]}"
done
check_lint "$work/ras.PROM"
check_lint "$work/input.PROM"
check_parser "$work/ras.OM" "$work/input.OM"
ask table "$work/ras.OM" "$work/table" || fail "prfread -f OM: $(<"$work/answer")"
printf 'passed: promtool and the parser accept both samples, with the counts that were made\n'

explain() {
    "$WINE" "$PRFDATA_BIN/prfread.exe" -explain "$@" 2>"$work/prfread.err" | tr -d '\r' | sort
}
explain "${RAS[@]}" "${INPUT[@]}" >"$work/explained"
grep -q 'Keystrokes \[[0-9]*\]: counter hwinput_keystrokes (declared)$' \
    "$work/explained" || fail "$(<"$work/explained")"
grep -q 'Keystrokes/sec \[[0-9]*\]: counter hwinputmon_hwinput_keys_accumulated (by its symbol)$' \
    "$work/explained" || fail "$(<"$work/explained")"
! grep -q 'left out' "$work/explained" || fail "$(<"$work/explained")"
explain >"$work/explained.all"
cmp -s "$work/explained" "$work/explained.all" || fail "without paths: $(<"$work/explained.all")"

# ---- The server ----

"$WINE" "$PRFDATA_BIN/prfread.exe" -serve 127.0.0.1:0 "${RAS[@]}" "${INPUT[@]}" \
    >"$work/server.out" 2>"$work/server.err" </dev/null &
server=$!
listens() {
    port=$(sed -n 's|^Serving: http://127.0.0.1:\([0-9]*\)/metrics,.*|\1|p' "$work/server.err")
    [[ -n $port ]]
}
wait_for 'the server does not start' listens

# expect_reply <status and type> <method> <target> <file> [<field>...]
expect_reply() {
    local wanted=$1
    shift
    ask fetch "$port" "$@" || fail "$*: $(<"$work/answer")"
    [[ $(<"$work/answer") == "$wanted"* ]] || fail "$*: $(<"$work/answer")"
}
expect_reply '200 text/plain; version=0.0.4; charset=utf-8' GET /metrics "$work/served.PROM"
check_lint "$work/served.PROM"
expect_reply '200 application/openmetrics-text; version=1.0.0; charset=utf-8' \
    GET /metrics "$work/served.OM" 'Accept: application/openmetrics-text'
check_parser "$work/served.OM"
ask table "$work/served.OM" "$work/table" || fail "-serve: $(<"$work/answer")"
expect_reply '200 text/html' GET / "$work/index"
expect_reply '200 text/plain' HEAD /metrics "$work/empty"
[[ ! -s $work/empty ]] || fail "HEAD has a body"
expect_reply 405 POST /metrics "$work/said"
expect_reply 404 GET /nothing "$work/said"
expect_reply 421 GET /metrics "$work/said" 'Host: attacker.example'
ask scrapes "$port" 100 || fail "$(<"$work/answer")"
printf 'passed: the server, 100 scrapes of two addresses at once\n'

# ---- Prometheus ----

# emit <kind> <file>: write a configuration from the samples' maps.
emit() {
    "$WINE" "$PRFDATA_BIN/installer.exe" -Emit "$1" >"$work/$2" 2>"$work/installer.err" ||
        fail "-Emit $1 ended with $?"
}
emit Prometheus rules.yml
emit Grafana dashboard.json

cat >"$work/prometheus.yml" <<END
global:
  scrape_interval: 2s
  scrape_timeout: 2s
  evaluation_interval: 2s
rule_files: [rules.yml]
scrape_configs:
  - job_name: prfread
    static_configs:
      - targets: ['127.0.0.1:$port']
END
start_prometheus() {
    local own_port
    own_port=$("$python" tests/scripts/prometheus.py free-port)
    url=http://127.0.0.1:$own_port
    prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/storage" \
        --web.listen-address="127.0.0.1:$own_port" --log.level=warn \
        >"$work/prometheus.err" 2>&1 </dev/null &
    prometheus=$!
}
is_ready() {
    if ! kill -0 "$prometheus" 2>/dev/null; then
        start_prometheus # another program took the port
    fi
    ask ready "$url"
}
start_prometheus
wait_for 'Prometheus does not start' is_ready
wait_for 'Prometheus does not scrape' ask query "$url" 'up{job="prfread"}' 1

wait_for 'Prometheus has other counts' ask prometheus "$url" "$work/table"
go_on 2
press 5
keys=$((keys + 10))
wait_for 'Prometheus has other counts' ask prometheus "$url" "$work/table"
wait_for 'Prometheus has other keys' ask query "$url" hwinput_keystrokes_total "$keys"
wait_for 'Prometheus has other keys' ask query "$url" hwinputmon_hwinput_keys_accumulated_total "$keys"
total=$(awk '/ Bytes Received$/ { total = $5 } END { print total }' "$work/table")
wait_for 'the sum over ports' ask query "$url" 'sum(ras_port_received_bytes_total)' "$total"
wait_for 'objects are missing' ask query "$url" 'count(prfread_object_up == 1)' 6
wait_for 'paths found nothing' ask query "$url" prfread_paths_not_found 0

wait_for 'another histogram' ask histogram "$url" "$work/table"
printf 'passed: histogram_quantile is in the bucket of the truth, for each port and for all\n'

# Check the files of -Emit while all instances are there.
ask_emitted() {
    "$python" tests/scripts/dashboard.py "$@" >"$work/answer" 2>&1
}
wait_for 'the dashboard lacks data' ask_emitted panels "$url" "$work/dashboard.json"
printf 'passed: %s of the dashboard\n' "$(<"$work/answer")"
wait_for 'the rules do not work' ask_emitted rules "$url" "$work/rules.yml"
printf 'passed: %s\n' "$(<"$work/answer")"
ask_emitted alerts "$work/rules.yml" || fail "alerts: $(<"$work/answer")"
printf 'passed: %s\n' "$(<"$work/answer")"
sed 's/ == 0 or absent/ == 2 or absent/' "$work/rules.yml" >"$work/wrong"
! ask_emitted alerts "$work/wrong" || fail "alerts need not fire"
for file in dashboard.json rules.yml; do # check that a wrong name would be noticed
    sed 's/hwinput_keystrokes/hwinput_keystroke/' "$work/$file" >"$work/wrong"
    ! cmp -s "$work/$file" "$work/wrong" || fail "$file has no such metric"
    what=panels
    [[ $file == dashboard.json ]] || what=rules
    ! ask_emitted "$what" "$url" "$work/wrong" || fail "$file: any name is accepted"
done

# If prfread gets no paths, the series that the alerts use exist, too.
"$WINE" "$PRFDATA_BIN/prfread.exe" -serve 127.0.0.1:0 >"$work/server.out" 2>"$work/default.err" \
    </dev/null &
other_server=$!
serves_default() {
    local its
    its=$(sed -n 's|^Serving: http://127.0.0.1:\([0-9]*\)/metrics,.*|\1|p' "$work/default.err")
    [[ -n $its ]] && ask fetch "$its" GET /metrics "$work/default.prom"
}
wait_for 'no server without paths' serves_default
[[ $(grep -c '^prfread_object_up{object="[A-Z].*"} 1$' "$work/default.prom") -eq 6 ]] ||
    fail "objects by default: $(grep object_up "$work/default.prom")"
kill -9 "$other_server"
wait "$other_server" 2>/dev/null || true
other_server=

# The counts of an ended program stay in _Total, which has a separate metric.
has_clicks() {
    expose OM clicks.om "${INPUT[1]}"
    cp "$work/clicks.om" "$work/answer"
    grep -qx "$1" "$work/clicks.om"
}
for ((i = 0; i < 3; i++)); do
    xdotool click 1
done
wait_for 'clicks are not counted' has_clicks 'hwinput_mouse_clicks_total{name="Left"} 3'
wait_for 'clicks are not counted' has_clicks 'hwinput_mouse_clicks_overall_total 3'
kill -9 "$screen_monitor"
wait "$screen_monitor" 2>/dev/null || true
screen_monitor=
instances_ended() {
    has_clicks 'hwinput_mouse_clicks_overall_total 3' && ! grep -q 'name="Left"' "$work/clicks.om"
}
wait_for 'an ended program has instances' instances_ended
wait_for 'Prometheus has other clicks' ask query "$url" hwinput_mouse_clicks_overall_total 3
printf 'passed: what an ended program counted stays visible\n'
printf 'passed: Prometheus has all counts that were made: %s keys, %s bytes\n' "$keys" "$total"
