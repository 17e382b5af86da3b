#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs tests/chaos/chaos.py: writers are killed, stopped and started again at any moment, while
# readers check that no number falls, that nothing is malformed, and that totals are exact in the
# end.
#
# The first run uses Linux programs and two readers with the provider's library. In the second run,
# programs open three versions of the map, while the installed counters are upgraded and downgraded
# all the time. Two kinds of runs follow, each with 1, 3 and 8 threads of the readers. In runs with
# --equal, short programs do the same work one after another, and no reader may show a part of one
# program's counts together with a part of the next program's counts. In runs with --late, short
# programs start before the counters are installed, and publish later. The last run uses Windows
# programs under Wine and a reader with the provider's DLL.
#
#     bash tests/scripts/65-chaos.sh [<seconds> [<seed>]]
#
# The first run and the last one take this many seconds (default 25), the others fewer.
#
# Tier: all
# Builds: mingw linux-asan
# Job: scripts
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"
export PRFDATA_WINE_PROCESSOR= # Wine may use all processors
prfdata_wine_environment

seconds=${1:-25}
seed=(${2:+--seed "$2"})

chaos() {
    /usr/bin/python3 -B tests/chaos/chaos.py "${seed[@]}" --seconds "$seconds" "$@"
}

chaos build/linux-asan/bin/chaos
/usr/bin/python3 -B tests/chaos/chaos.py "${seed[@]}" --versions --seconds $((seconds / 4 + 1)) \
    build/linux-asan/bin/chaos
for threads in 1 3 8; do
    /usr/bin/python3 -B tests/chaos/chaos.py "${seed[@]}" --equal --threads "$threads" \
        --seconds $((seconds / 8 + 1)) build/linux-asan/bin/chaos
    /usr/bin/python3 -B tests/chaos/chaos.py "${seed[@]}" --late --threads "$threads" \
        --seconds $((seconds / 8 + 1)) build/linux-asan/bin/chaos
done
[[ -n $in_test ]] || prfdata_start_wine
chaos --windows --dll "$PRFDATA_BIN/PrfDataChaosPrf.dll" --writers 16 --threads 3 --pause 0.1 \
    tests/wine/run "$PRFDATA_BIN/chaos.exe"
