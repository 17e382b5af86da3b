# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Measures processor times and formats quotients, for other scripts.

# cpu_ms <process>: print the processor time that the process has used, in milliseconds.
cpu_ms() {
    local stat
    stat=$(<"/proc/$1/stat")
    stat=${stat##*) }
    # shellcheck disable=SC2086 # fields 14 and 15; the first two were removed
    set -- $stat
    echo $(((${12} + ${13}) * 1000 / $(getconf CLK_TCK)))
}

# per <whole> <parts>: print the quotient with one digit after the point.
per() {
    awk -v whole="$1" -v parts="$2" 'BEGIN { printf "%.1f", whole / parts }'
}
