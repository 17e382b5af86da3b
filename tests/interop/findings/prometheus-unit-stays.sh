#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests what Prometheus 3.5.3 returns about a metric after the text has changed.
#
# Guess: /api/v1/metadata shows what the last scrape had.
# What happens: type and help change, but a unit that is no longer there stays as long as the target
# is scraped.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

text() {
    printf '%s\n' "# TYPE job_seconds $1" ${3:+"# UNIT job_seconds $3"} "# HELP job_seconds $2" 'job_seconds 1' '# EOF'
}
metadata() {
    fetch "$api/metadata?metric=job_seconds" | python3 -c 'import json, sys
entry, = json.load(sys.stdin)["data"]["job_seconds"]
print(entry["type"], entry["help"], entry["unit"])'
}
unpack sid prometheus 3.5.3+ds1-6
text gauge Before. seconds >"$work/text"
serve "$work/text" 'application/openmetrics-text; version=1.0.0; charset=utf-8'
prometheus "$work/prometheus-3.5.3+ds1-6" "$served"
until_said Before metadata
seen 'at first' "$(metadata)" 'gauge Before. seconds'
text unknown After. >"$work/new"
mv "$work/new" "$work/text"
until_said After metadata
sleep 3 # three more scrapes
echo 'guess: "unknown After. "'
seen 'after the change' "$(metadata)" 'unknown After. seconds'
verdict
