#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests parse-prometheus-text-format 1.1.1 of npm with a histogram that has labels.
#
# Guess: the buckets, sum and count of each set of labels come back with their labels, like samples
# of other types.
# What happens: only the buckets of the last set come back, without labels, sum and count. A summary
# keeps everything.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

npm_install parse-prometheus-text-format@1.1.1
cat >"$work/text" <<'END'
# TYPE wait_seconds histogram
wait_seconds_bucket{queue="a",le="1"} 1
wait_seconds_bucket{queue="a",le="+Inf"} 2
wait_seconds_sum{queue="a"} 3
wait_seconds_count{queue="a"} 2
wait_seconds_bucket{queue="b",le="1"} 7
wait_seconds_bucket{queue="b",le="+Inf"} 8
wait_seconds_sum{queue="b"} 9
wait_seconds_count{queue="b"} 8
END
parse() {
    (cd "$work" && sed "$1" text | node -e '
        const parse = require("parse-prometheus-text-format");
        console.log(JSON.stringify(parse(require("fs").readFileSync(0, "utf8"))[0].metrics));')
}
echo 'guess: two entries, with queue, sum and count each'
seen 'a histogram of two queues' "$(parse '')" '[{"buckets":{"1":"7","+Inf":"8"}}]'
seen 'a summary of the same' "$(parse 's/ histogram/ summary/; /_bucket/d')" \
    '[{"labels":{"queue":"a"},"sum":"3","count":"2"},{"labels":{"queue":"b"},"sum":"9","count":"8"}]'
verdict
