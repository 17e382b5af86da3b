#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy and cppcheck find nothing. What was clean is remembered; where the rest takes too long,
# the next ./test goes on with it. Continuous integration looks at everything.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
limit=(--seconds=480)
[[ ${CI:-} != true ]] || limit=()
exec scripts/analyse "${limit[@]}"
