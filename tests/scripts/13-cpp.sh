#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests that <prfdata/prfdata.hpp> costs as much as C. The same operations through the C functions
# and through the classes must take the same number of instructions, counted by callgrind. In C++,
# 1 % more is allowed.
#
# Tier: all
# Builds: linux
# Job: native
# shellcheck source=../support/scripts/script.sh
source "$(dirname "$0")/../support/scripts/script.sh"

quietly cmake --preset linux
quietly cmake --build --preset linux --target prfdata_client
exit_code=0
for standard in 11 20; do
    g++ "-std=c++$standard" -O2 -Wall -Wextra -Werror -Ishared/include bench/counted_cpp.cpp \
        build/linux/lib/libprfdata_client.a build/linux/lib/libprfdata_core.a -pthread -o "$work/counted"
    rm -f "$work"/out*
    quietly valgrind -q --tool=callgrind "--callgrind-out-file=$work/out" "$work/counted"
    for file in "$work"/out.*; do
        printf '%s: %s\n' "$(sed -n 's/^desc: Trigger: Client Request: //p' "$file")" \
            "$(sed -n 's/^totals: //p' "$file")"
    done | sort >"$work/counts"
    operations=$(sed -n 's/^C++ \(.*\): .*/\1/p' "$work/counts")
    [[ $(wc -l <<<"$operations") -eq 8 ]] || { cat "$work/counts"; exit 1; }
    while read -r operation; do
        c=$(sed -n "s/^C $operation: //p" "$work/counts")
        cpp=$(sed -n "s/^C++ $operation: //p" "$work/counts")
        printf 'C++%s, %s: C %s, C++ %s instructions\n' "$standard" "$operation" "$c" "$cpp"
        # A call takes as many instructions in C++ as in C, or one or two more if an object stores
        # something for its destructor.
        [[ $((cpp * 100)) -le $((c * 101)) ]] || { echo 'that is more'; exit_code=1; }
    done <<<"$operations"
done
exit "$exit_code"
