#!/bin/bash
# SPDX-License-Identifier: MIT
# Other people's programs, fed with what prfread shows and -Emit writes, understand what was counted:
# what of tests/interop/run takes at most three minutes. What the registries lack is skipped by itself;
# where nothing can be had, the test is.
#
# Tier: all
# Builds: linux-asan
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

table=$(mktemp "${TMPDIR:-/tmp}/prfdata-interop.XXXXXX")
trap 'rm -f "$table"' EXIT
PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B tests/interop/run --quick --json "$table"
if ! /usr/bin/python3 -B -c '
import json, sys
sys.exit(all(row["skipped"] for row in json.load(open(sys.argv[1], encoding="utf-8"))))' "$table"; then
    echo 'none of the programs can be had here'
    exit 77
fi
