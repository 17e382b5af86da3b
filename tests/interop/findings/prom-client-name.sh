#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests prom-client 15.1.3 of npm with a counter whose name lacks `_total`.
#
# Guess: the content type of a registry does not change the names of samples, so queries keep
# working.
# What happens: the sample is `jobs` in the older format and `jobs_total` in OpenMetrics. If you
# switch the content type, Prometheus has other series from then on.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

npm_install prom-client@15.1.3
sample() {
    (cd "$work" && node -e '
        const client = require("prom-client");
        const registry = new client.Registry(client.Registry[process.argv[1]]);
        new client.Counter({name: "jobs", help: "How many.", registers: [registry]}).inc(3);
        registry.metrics().then(text => console.log(text.split("\n").find(line => /^jobs/.test(line))));' "$1")
}
echo 'guess: one name in both'
seen 'the older format' "$(sample PROMETHEUS_CONTENT_TYPE)" 'jobs 3'
seen 'OpenMetrics' "$(sample OPENMETRICS_CONTENT_TYPE)" 'jobs_total 3'
verdict
