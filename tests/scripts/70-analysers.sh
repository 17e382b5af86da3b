#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy and cppcheck find nothing. What was clean is remembered; where the rest takes too long,
# the next ./test goes on with it. Continuous integration looks at everything, if it can in half an
# hour: ./test ends what takes longer than its own limit.
#
# Tier: all
# Builds: mingw linux-asan linux
# Job: native
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
limit=(--seconds=900)
[[ ${CI:-} != true ]] || limit=(--seconds=1800)
exec scripts/analyse "${limit[@]}"
