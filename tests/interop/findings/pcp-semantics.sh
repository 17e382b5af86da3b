#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests which metrics are counters for PCP 6.0.3's agent pmdaopenmetrics.
#
# Guess: the line TYPE decides, and a gauge is shown with its value.
# What happens: a gauge whose name contains the word total, count or sum is a counter for PCP. PCP's
# tools show the rate of this gauge instead of its value.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

printf '# TYPE %s gauge\n# HELP %s How many.\n%s 5\n' orders_waiting orders_waiting orders_waiting \
    orders_count_now orders_count_now orders_count_now >"$work/text"
serve "$work/text" 'text/plain; version=0.0.4; charset=utf-8'
pcp "$served"
semantics() {
    "$root/usr/bin/pminfo" -h 127.0.0.1 -d "openmetrics.it.$1" | sed -n 's/.*Semantics: \([a-z]*\).*/\1/p'
}
until_said instant semantics orders_waiting
echo 'guess: instant for both'
seen 'orders_waiting' "$(semantics orders_waiting)" 'instant'
seen 'orders_count_now' "$(semantics orders_count_now)" 'counter'
verdict
