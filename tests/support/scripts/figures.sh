# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What scripts measure with.

# cpu_ms <process>: its processor time until now.
cpu_ms() {
    local stat
    stat=$(<"/proc/$1/stat")
    stat=${stat##*) }
    # shellcheck disable=SC2086 # fields 14 and 15 of all; the first two are gone
    set -- $stat
    echo $(((${12} + ${13}) * 1000 / $(getconf CLK_TCK)))
}

# per <whole> <parts>: with one digit after the point.
per() {
    awk -v whole="$1" -v parts="$2" 'BEGIN { printf "%.1f", whole / parts }'
}
