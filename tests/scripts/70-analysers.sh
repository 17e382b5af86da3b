#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that clang-tidy and cppcheck find nothing. Clean files are remembered. After 15 minutes (30
# in continuous integration), the files that are left wait for the next ./test, because ./test ends
# steps that exceed their limit.
#
# Tier: all
# Builds: mingw linux-asan linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
limit=(--seconds=900)
[[ ${CI:-} != true ]] || limit=(--seconds=1800)
exec scripts/analyse "${limit[@]}"
