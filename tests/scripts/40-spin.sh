#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Slots, the structure word, brackets, take-over and readers in every interleaving, writers killed at every
# step: tests/spin/*.pml.
#
# Tier: all
# Job: scripts
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
tests/spin/run
