#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that programs that read CSV can read the logs of prfread. parsers.py lists the programs, and
# what they must find.
#
# Tier: all
# Builds: linux-asan
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
PRFDATA_NATIVE_BIN=${PRFDATA_NATIVE_BIN:-$PWD/build/linux-asan/bin}
work=$(mktemp -d "${TMPDIR:-/tmp}/prfdata-parsers.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap end_by_signal INT TERM HUP
python3 -B tests/support/scripts/recording.py "$work/shop.blk" --samples=70
PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B tests/scripts/parsers.py "$PRFDATA_NATIVE_BIN/prfread" "$work"
