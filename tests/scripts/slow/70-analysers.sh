#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy and cppcheck find nothing. The first time takes a minute and a half on two cores; where
# it takes much longer, the next ./test goes on with what is left.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../../.."
exec scripts/analyse --seconds=480
