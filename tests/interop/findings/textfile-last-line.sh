#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests node_exporter 1.11.1's textfile collector and Prometheus 3.5.3 with a text whose last line
# has no end.
#
# Guess: both read the same format, so both accept the text, or both refuse it.
# What happens: Prometheus accepts such a text. The textfile collector leaves out the whole file.
# Only the metric node_textfile_scrape_error and the collector's log say so.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

mkdir "$work/files"
printf '# HELP jobs_first How many.\n# TYPE jobs_first gauge\njobs_first 1\njobs_last 2' >"$work/files/it.prom"
unpack sid prometheus 3.5.3+ds1-6
unpack sid prometheus-node-exporter 1.11.1-3
echo 'guess: both have jobs_first and jobs_last'
serve "$work/files/it.prom" 'text/plain; version=0.0.4'
prometheus "$work/prometheus-3.5.3+ds1-6" "$served"
until_said jobs_last ask '{__name__=~"jobs_.*"}'
seen 'Prometheus, series' "$(ask 'count({__name__=~"jobs_.*"})')" '{} 2'
port=$(free_port)
start "$work/prometheus-node-exporter-1.11.1-3/usr/bin/prometheus-node-exporter" --collector.disable-defaults \
    --collector.textfile --collector.textfile.directory="$work/files" --web.listen-address="127.0.0.1:$port"
until_answered "http://127.0.0.1:$port/metrics"
shown() {
    fetch "http://127.0.0.1:$port/metrics" | grep -E '^(jobs_|node_textfile_scrape_error)' | tr '\n' ';' || true
}
seen 'node_exporter' "$(shown)" 'node_textfile_scrape_error 1;'
printf '\n' >>"$work/files/it.prom"
seen 'node_exporter, with the line end' "$(shown)" 'jobs_first 1;jobs_last 2;node_textfile_scrape_error 0;'
verdict
