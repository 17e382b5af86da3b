#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares `promtool check metrics` 2.42.0 and 3.5.3 with Prometheus of the same version.
#
# Guess: Prometheus can scrape every text that promtool accepts, because both come from one project.
# What happens: they have two parsers. promtool accepts a type in another case, `# TYPE jobs Gauge`,
# but Prometheus refuses the whole scrape for it.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

printf '%s\n' '# HELP jobs How many.' '# TYPE jobs Gauge' 'jobs 1' >"$work/text"
serve "$work/text" 'text/plain; version=0.0.4'
state() {
    fetch "$api/targets" | python3 -c 'import json, sys
target, = json.load(sys.stdin)["data"]["activeTargets"]
print(target["health"], target["lastError"])'
}
echo 'guess: promtool says nothing, and the target is up'
compare() {
    seen "promtool of $1" "$("$2" check metrics <"$work/text" 2>&1 && echo "exit code 0")" 'exit code 0'
    prometheus "$3" "$served"
    until_said down state
    seen "Prometheus $1" "$(state)" 'down invalid metric type "Gauge"'
}
unpack bookworm prometheus 2.42.0+ds-5+deb12u1
compare 2.42.0 "$work/prometheus-2.42.0+ds-5+deb12u1/usr/bin/promtool" "$work/prometheus-2.42.0+ds-5+deb12u1"
unpack sid prometheus 3.5.3+ds1-6
unpack sid promtool 3.5.3+ds1-6
compare 3.5.3 "$work/promtool-3.5.3+ds1-6/usr/bin/promtool" "$work/prometheus-3.5.3+ds1-6"
verdict
