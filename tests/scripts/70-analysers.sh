#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that clang-tidy and cppcheck find nothing. Clean files are remembered. If the rest takes too
# long, the next ./test continues with it. Continuous integration checks everything, if that takes
# at most half an hour, because ./test ends steps that exceed their limit.
#
# Tier: all
# Builds: mingw linux-asan linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
limit=(--seconds=900)
[[ ${CI:-} != true ]] || limit=(--seconds=1800)
exec scripts/analyse "${limit[@]}"
