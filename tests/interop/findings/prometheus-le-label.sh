#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests Prometheus 2.42.0 and 3.5.3 with the bounds of a histogram.
#
# Guess: Prometheus keeps the text of a label's value, and {le="1"} finds le="1".
# What happens: 2.42 keeps the text. 3.x stores whole bounds as floats, such as le="1.0", in every
# format. A rule with {le="1"} no longer finds anything, and no message says so.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

cat >"$work/text" <<'END'
# HELP wait_seconds How long.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="1"} 1
wait_seconds_bucket{le="+Inf"} 2
wait_seconds_sum 5
wait_seconds_count 2
END
serve "$work/text" 'text/plain; version=0.0.4'
bounds() {
    ask 'wait_seconds_bucket' | sed 's/.*"le": \("[^"]*"\).*/\1/' | sort | tr '\n' ' '
}
echo 'guess: "+Inf" "1" in both'
unpack bookworm prometheus 2.42.0+ds-5+deb12u1
prometheus "$work/prometheus-2.42.0+ds-5+deb12u1" "$served"
until_said wait ask 'wait_seconds_bucket'
seen 'the bounds in 2.42.0' "$(bounds)" '"+Inf" "1" '
seen '{le="1"} in 2.42.0' "$(ask 'count(wait_seconds_bucket{le="1"})')" '{} 1'
unpack sid prometheus 3.5.3+ds1-6
prometheus "$work/prometheus-3.5.3+ds1-6" "$served"
until_said wait ask 'wait_seconds_bucket'
seen 'the bounds in 3.5.3' "$(bounds)" '"+Inf" "1.0" '
seen '{le="1"} in 3.5.3' "$(ask 'count(wait_seconds_bucket{le="1"})')" ''
verdict
