#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests PCP 6.0.3's agent pmdaopenmetrics with a Windows path in HELP.
#
# Guess: the text `C:\\new` has an escaped backslash, and the help is `C:\new`.
# What happens: the agent replaces `\\` first and searches for `\n` in the result. The help's first
# line ends at `C:`.
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "$(readlink -f "$0")")/lib.sh"

printf '%s\n' '# TYPE it_files gauge' '# HELP it_files The files in C:\\new now.' 'it_files 5' >"$work/text"
serve "$work/text" 'text/plain; version=0.0.4; charset=utf-8'
pcp "$served"
help() {
    "$root/usr/bin/pminfo" -h 127.0.0.1 "$1" openmetrics.it.it_files | grep -v '^$' | tr '\n' ';'
}
until_said files help -t
echo 'guess: openmetrics.it.it_files [The files in C:\new now.]'
seen 'the help in one line' "$(help -t)" 'openmetrics.it.it_files [The files in C:];'
verdict
