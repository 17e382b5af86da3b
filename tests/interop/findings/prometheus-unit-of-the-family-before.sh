#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests Prometheus 3.5.3 with the feature type-and-unit-labels and a family without a unit.
#
# Guess: a family without a line UNIT has no unit, and gets no label __unit__.
# What happens: it gets the unit of the family before it. A line `# UNIT name ` with nothing after
# the blank prevents that. Prometheus 2.42 and the Python client accept such a line, too.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

printf '%s\n' '# TYPE job_seconds gauge' '# UNIT job_seconds seconds' '# HELP job_seconds How long.' \
    'job_seconds 1' '# TYPE jobs_waiting gauge' '# HELP jobs_waiting How many.' 'jobs_waiting 2' '# EOF' >"$work/text"
sed 's/^# HELP jobs_waiting/# UNIT jobs_waiting \n&/' "$work/text" >"$work/corrected"
unit() {
    ask 'jobs_waiting' | grep -o '"__unit__": "[^"]*"' || true
}
unpack sid prometheus 3.5.3+ds1-6
echo 'guess: no unit'
serve "$work/text" 'application/openmetrics-text; version=1.0.0; charset=utf-8'
prometheus "$work/prometheus-3.5.3+ds1-6" "$served" --enable-feature=type-and-unit-labels
until_said waiting ask 'jobs_waiting'
seen 'the unit of jobs_waiting' "$(unit)" '"__unit__": "seconds"'
serve "$work/corrected" 'application/openmetrics-text; version=1.0.0; charset=utf-8'
prometheus "$work/prometheus-3.5.3+ds1-6" "$served" --enable-feature=type-and-unit-labels
until_said waiting ask 'jobs_waiting'
seen 'with an empty UNIT' "$(unit)" ''
verdict
