#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests the proxy of docs/prometheus.md, which adds TLS and a password in front of prfread. The
# page's commands make the certificate, Caddy reads the page's file, and promtool reads the page's
# configuration.
#
# Tier: all
# Builds: linux-asan
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
VERSION=2.6.2-5 # Debian 12's Caddy

server=

clean_up() {
    end_process "$server"
}

if ! caddy=$(PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B -c '
import sys
sys.path.insert(0, "tests/interop")
import lab
try:
    print(lab.deb("caddy", sys.argv[1]))
except lab.Missing as missing:
    sys.exit(str(missing))' "$VERSION" 2>&1); then
    skip "$caddy"
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
