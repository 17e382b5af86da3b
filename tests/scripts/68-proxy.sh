#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests TLS and a password by a proxy in front of prfread, as docs/prometheus.md shows it. The
# page's commands make the certificate, Caddy reads the page's file, and promtool reads the page's
# configuration.
#
# Tier: all
# Builds: linux-asan
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
PRFDATA_NATIVE_BIN=${PRFDATA_NATIVE_BIN:-$PWD/build/linux-asan/bin}
VERSION=2.6.2-5 # Debian 12's Caddy

work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-proxy.XXXXXX")
server=

finish() {
    local exit_code=$?
    trap - EXIT
    if [[ -n $server ]]; then
        kill -9 "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$work"
    exit "$exit_code"
}
trap finish EXIT
trap end_by_signal INT TERM HUP

if ! caddy=$(PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B -c '
import sys
sys.path.insert(0, "tests/interop")
import lab
try:
    print(lab.deb("caddy", sys.argv[1]))
except lab.Missing as missing:
    sys.exit(str(missing))' "$VERSION" 2>&1); then
    printf '%s\n' "$caddy"
    exit 77
fi
python3 -B tests/scripts/documents.py extract "$work/pages" >/dev/null
page=$work/pages/prometheus
certificate=$(grep -A1 '^openssl req ' docs/prometheus.md)
(cd "$page" && bash -c "$certificate" 2>/dev/null)
promtool check config "$page/prometheus-tls.yml" >/dev/null

python3 -B tests/support/scripts/recording.py "$work/shop.blk" --samples=1
port=$(python3 tests/scripts/prometheus.py free-port)
"$PRFDATA_NATIVE_BIN/prfread" -file "$work/shop.blk" -serve "$port" '\Shop\*' 2>"$work/said" &
server=$!
/usr/bin/python3 -B tests/scripts/proxy.py "$page" "$caddy/usr/bin/caddy" "$port" || {
    show_files "$work/said" "$page"/*.said
    exit 1
}
