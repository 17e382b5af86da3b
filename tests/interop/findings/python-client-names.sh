#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the Python client 0.21.1 and its parser of the older text format.
#
# Guess: a parser returns the samples that the text has.
# What happens: a counter that the text calls `jobs` is returned as `jobs_total`, so a program that
# passes on what it parsed renames the series. If TYPE names `jobs` and the sample is
# `jobs_total`, as in OpenMetrics, the family `jobs` is empty. The sample is in a separate family of
# unknown type.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

unpack trixie python3-prometheus-client 0.21.1+ds1-1
parse() {
    printf '# TYPE jobs counter\n%s 3\n' "$1" |
        PYTHONPATH=$work/python3-prometheus-client-0.21.1+ds1-1/usr/lib/python3/dist-packages python3 -B -c '
import sys
from prometheus_client.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name, family.type, [sample.name for sample in family.samples], end="; ")'
}
echo "guess: jobs counter ['jobs']; and one family of jobs_total"
seen 'a sample jobs' "$(parse jobs)" "jobs counter ['jobs_total']; "
seen 'a sample jobs_total' "$(parse jobs_total)" "jobs counter []; jobs_total unknown ['jobs_total']; "
verdict
