#!/bin/bash
# SPDX-License-Identifier: MIT
# A bump, a Collect, an ERROR_MORE_DATA, an instance that comes and goes, and what readers do with
# 10,000 values take as many instructions as bench/instructions.txt says: a slower commit fails on any
# machine, however busy it is.
#
# Tier: all
# Builds: linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
exec bench/instructions
