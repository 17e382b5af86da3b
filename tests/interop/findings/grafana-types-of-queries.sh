#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests @grafana/schema 13.2.3 of npm, Grafana's types of a dashboard, with TypeScript 5.9.3.
#
# Guess: a dashboard that compiles as the type Dashboard has valid queries and rows.
# What happens: fields of panels are checked. But a query may lack every field and have unknown
# ones. A panel may be of a kind that does not exist. A row need not say whether it is collapsed,
# because a row without this field passes as a panel. (Give queries and rows their own types, as
# tests/interop/program_grafana.py does.)
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

npm_install @grafana/schema@13.2.3 typescript@5.9.3
# compile <type> <object>: print the number of the compiler's first error, such as TS2353, or
# "compiles".
compile() {
    printf "import type { Dashboard, RowPanel } from '@grafana/schema';\nexport const it: %s = %s;\n" "$1" "$2" \
        >"$work/it.ts"
    (cd "$work" && node node_modules/typescript/bin/tsc --noEmit --strict --skipLibCheck --pretty false \
        --module esnext --moduleResolution bundler --target es2020 it.ts) >"$work/said" || true
    sed -n -E '1s/.*error (TS[0-9]+).*/\1/p' "$work/said" | grep . || echo compiles
}
panels() {
    compile Dashboard "{\"schemaVersion\": 36, \"panels\": [$1]}"
}
echo 'guess: only the last compiles'
seen 'a panel with a field that is none' "$(panels '{"type": "timeseries", "target": []}')" TS2353
seen 'a query with nothing in it' "$(panels '{"type": "timeseries", "targets": [{}]}')" compiles
seen 'a query with refID and exp' "$(panels '{"type": "timeseries", "targets": [{"refID": "A", "exp": "up"}]}')" compiles
seen 'a panel of the kind timeserie' "$(panels '{"type": "timeserie"}')" compiles
seen 'a row with its kind alone' "$(panels '{"type": "row"}')" compiles
seen 'the same as a RowPanel' "$(compile RowPanel '{"type": "row"}')" TS2739
seen 'a row' "$(panels '{"type": "row", "id": 1, "collapsed": false, "panels": []}')" compiles
verdict
