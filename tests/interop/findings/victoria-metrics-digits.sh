#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests how precisely VictoriaMetrics 1.145.0 keeps a number.
#
# Guess: it keeps doubles like other stores of time series, so it returns the double that was
# stored.
# What happens: it keeps decimal numbers. Pi comes back with 13 digits, 2^64 - 1 comes back too
# small by 3615, and the smallest double comes back as 0. Whole numbers up to 2^53 are exact. If you
# compare exact values, allow for this.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

unpack sid victoria-metrics 1.145.0+ds1-2
port=$(free_port)
start "$work/victoria-metrics-1.145.0+ds1-2/usr/bin/victoria-metrics" -storageDataPath="$work/data" \
    -httpListenAddr="127.0.0.1:$port" -loggerLevel=ERROR -memory.allowedBytes=256MB
until_answered "http://127.0.0.1:$port/health"
printf '%s\n' 'it_pi 3.141592653589793' 'it_sum 0.30000000000000004' 'it_most 18446744073709551615' \
    'it_whole 9007199254740991' 'it_least 5e-324' |
    fetch "http://127.0.0.1:$port/api/v1/import/prometheus" --data-binary @-
stored() {
    fetch -G "http://127.0.0.1:$port/api/v1/export" --data-urlencode 'match[]={__name__=~"it_.*"}' | sort |
        sed 's/.*"__name__":"it_\([a-z]*\)".*"values":\[\([^]]*\)\].*/\1 \2;/' | tr -d '\n'
}
until_said whole stored
echo 'guess: 5e-324, 18446744073709552000, 3.141592653589793, 0.30000000000000004, 9007199254740991'
seen 'the values' "$(stored)" \
    'least 0;most 18446744073709548000;pi 3.141592653589;sum 0.3;whole 9007199254740991;'
verdict
