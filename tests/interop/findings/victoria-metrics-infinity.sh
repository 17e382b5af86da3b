#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests how VictoriaMetrics 1.79.5 and 1.145.0 store and export values that are not numbers.
#
# Guess: /api/v1/export returns JSON in each line for every stored value, and a NaN that was
# accepted is stored.
# What happens: 1.79.5 writes +Inf as a bare word, which no JSON parser reads; 1.145.0 writes the
# text "Infinity" among numbers. A NaN is answered with 204 like any sample, but is not stored.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

echo 'guess: a value that JSON has, such as null, and a series it_nan'
store() {
    local folder=$1 port
    port=$(free_port)
    start "$folder/usr/bin/victoria-metrics" -storageDataPath="$work/data.$port" \
        -httpListenAddr="127.0.0.1:$port" -loggerLevel=ERROR -memory.allowedBytes=256MB
    url=http://127.0.0.1:$port
    until_answered "$url/health"
    code=$(printf '%s\n' 'it_nan NaN' 'it_infinite +Inf' 'it_last 1' |
        fetch -o /dev/null -w '%{http_code}' "$url/api/v1/import/prometheus" --data-binary @-)
    until_said last values
}
values() {
    fetch -G "$url/api/v1/export" --data-urlencode 'match[]={__name__=~"it_.*"}' | sort |
        sed 's/.*"__name__":"it_\([a-z]*\)".*"values":\[\([^]]*\)\].*/\1 \2;/' | tr -d '\n'
}
unpack bookworm victoria-metrics 1.79.5+ds1-2+b5
store "$work/victoria-metrics-1.79.5+ds1-2+b5"
seen '1.79.5' "$code $(values)" '204 infinite +Inf;last 1;'
unpack sid victoria-metrics 1.145.0+ds1-2
store "$work/victoria-metrics-1.145.0+ds1-2"
seen '1.145.0' "$code $(values)" '204 infinite "Infinity";last 1;'
verdict
