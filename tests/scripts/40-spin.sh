#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the models tests/spin/*.pml: slots, the structure word, brackets, take-over and readers in
# every interleaving, with writers that are killed at every step.
#
# Tier: all
# Job: scripts
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=../../scripts/lib.sh
source scripts/lib.sh
tests/spin/run
