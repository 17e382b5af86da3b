#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that programs that read CSV can read the logs of prfread. parsers.py lists the programs, and
# what they must find.
#
# Tier: all
# Builds: linux-asan
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
python3 -B tests/support/scripts/recording.py "$work/shop.blk" --samples=70
PRFDATA_CACHE=$PRFDATA_CACHE /usr/bin/python3 -B tests/scripts/parsers.py "$PRFDATA_NATIVE_BIN/prfread" "$work"
