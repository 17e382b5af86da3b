#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that operations take the number of instructions that bench/instructions.txt allows: a bump,
# a Collect, an ERROR_MORE_DATA, an instance that comes and goes, and readers with 10,000 values. So
# a slower commit fails on any machine, even on a busy one.
#
# Tier: all
# Builds: linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
exec bench/instructions
