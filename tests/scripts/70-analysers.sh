#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that clang-tidy and cppcheck find nothing. Clean files are remembered. If the other files
# take too long, the next ./test continues with them. Continuous integration checks all files, if
# that takes at most half an hour, because ./test ends steps that exceed their limit.
#
# Tier: all
# Builds: mingw linux-asan linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
limit=(--seconds=900)
[[ ${CI:-} != true ]] || limit=(--seconds=1800)
exec scripts/analyse "${limit[@]}"
