#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that other people's programs understand the output of prfread and of -Emit. It runs
# tests/interop/run --quick. A program that the registries lack is skipped. If no program is
# available, the test is skipped.
#
# Tier: all
# Builds: linux-asan
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

table=$work/table
PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B tests/interop/run --quick --json "$table"
if ! /usr/bin/python3 -B -c '
import json, sys
sys.exit(all(row["skipped"] for row in json.load(open(sys.argv[1], encoding="utf-8"))))' "$table"; then
    echo 'none of the programs can be had here'
    exit "$SKIPPED"
fi
