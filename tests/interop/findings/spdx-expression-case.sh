#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests spdx-expression-parse 5.0.0 of npm with upper and lower case.
#
# Guess: `mit` is MIT, because SPDX's annex on license expressions says that identifiers match in
# any case.
# What happens: the parser throws for `mit`, but accepts the operators `or` and `and`.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

npm_install spdx-expression-parse@5.0.0
parse() {
    (cd "$work" && node -e '
        import("spdx-expression-parse").then(({default: parse}) => {
            try {
                console.log(JSON.stringify(parse(process.argv[1])));
            } catch (error) {
                console.log(error.message);
            }
        });' "$1")
}
echo 'guess: {"license":"MIT"}'
seen 'mit' "$(parse mit)" 'Unexpected `m` at offset 0'
seen 'MIT or Zlib' "$(parse 'MIT or Zlib')" '{"left":{"license":"MIT"},"conjunction":"or","right":{"license":"Zlib"}}'
verdict
