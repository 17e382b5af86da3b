#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the pushgateway 1.11.2 with a push whose Content-Type says OpenMetrics.
#
# Guess: the pushgateway parses it as OpenMetrics, as Prometheus does, or answers 415.
# What happens: the Content-Type is ignored. The text is parsed as the older format, in which a
# counter's family has the name of its sample. The answer is 200, and the counter is of unknown
# type, without help.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

unpack sid prometheus-pushgateway 1.11.2-1
port=$(free_port)
start "$work/prometheus-pushgateway-1.11.2-1/usr/bin/prometheus-pushgateway" --persistence.file= \
    --web.listen-address="127.0.0.1:$port"
until_answered "http://127.0.0.1:$port/-/ready"
push() {
    printf "# TYPE jobs$1 counter\n# HELP jobs$1 How many.\njobs_total 3\n${3:-}" |
        fetch -X PUT -o /dev/null -w '%{http_code}' -H "Content-Type: $2" --data-binary @- \
            "http://127.0.0.1:$port/metrics/job/it"
}
shown() {
    fetch "http://127.0.0.1:$port/metrics" | grep jobs_total | tr '\n' ';'
}
echo 'guess: 200 and a counter with its help, or 415'
code=$(push '' 'application/openmetrics-text; version=1.0.0; charset=utf-8' '# EOF\n')
seen 'OpenMetrics' "$code $(shown)" '200 # TYPE jobs_total untyped;jobs_total{instance="",job="it"} 3;'
code=$(push _total 'text/plain; version=0.0.4')
seen 'the older format' "$code $(shown)" \
    '200 # HELP jobs_total How many.;# TYPE jobs_total counter;jobs_total{instance="",job="it"} 3;'
verdict
