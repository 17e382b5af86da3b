#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that twice as much input takes about twice as many instructions, for each kind of input of
# the readers and of a map. doubling.py has the table of inputs and the limits.
#
# Tier: all
# Builds: linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh

cmake --preset linux >/dev/null
cmake --build --preset linux --target prfread doubled >/dev/null
python3 -B tests/scripts/doubling.py "$PWD/build/linux/bin/prfread" "$PWD/build/linux/bin/doubled"
