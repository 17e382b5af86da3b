#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The life of a slot in every interleaving, writers killed at every step: tests/spin/region.pml.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests/spin/run
