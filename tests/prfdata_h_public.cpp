// SPDX-License-Identifier: MIT
// The public headers and every macro of a map, as a C++ user meets them.
#include <prfdata/prfdata.h>

PRFDATA_DEFINE_OBJECT(LINKS, 1);
PRFDATA_DEFINE_COUNTER(LINKS_STATE, 2);
PRFDATA_DEFINE_COUNTER(LINKS_BYTES, 3);
PRFDATA_DEFINE_OBJECT(PORTS, 10);
PRFDATA_DEFINE_COUNTER(PORTS_OPEN, 11);

PRFDATA_DECLARE_MAP(cpp_map);

// clang-format off
PRFDATA_MAP_BEGIN_AS(cpp_map)
    PRFDATA_MAP_OBJ(LINKS, L"My Links", L"The links.", PERF_DETAIL_NOVICE, LINKS_STATE, 8, 20)
        PRFDATA_MAP_PER_PROCESS()
        PRFDATA_MAP_TOTAL()
        PRFDATA_MAP_COSTLY()
    PRFDATA_MAP_CTR(LINKS_STATE, L"State", L"The worst state.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_MERGE_MAX()
    PRFDATA_MAP_CTR(LINKS_BYTES, L"Bytes", L"Bytes since installation.", PERF_DETAIL_WIZARD, -7,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_OBJ(PORTS, L"My Ports", L"The ports.", PERF_DETAIL_NOVICE, PORTS_OPEN, 4, 20)
        PRFDATA_MAP_PARENT(LINKS)
    PRFDATA_MAP_CTR(PORTS_OPEN, L"Open", L"Open ports.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT_HEX)
PRFDATA_MAP_END_AS(cpp_map, "CppService")
// clang-format on

// The in-line bumps, without running them.
extern "C" void prfdata_h_bump(prfdata_handle handle, prfdata_pair pair);

extern "C" void prfdata_h_bump(prfdata_handle handle, prfdata_pair pair)
{
    prfdata_handle unset = PRFDATA_HANDLE_INIT;

    prfdata_increment(handle);
    prfdata_set(unset, prfdata_get(handle));
    prfdata_raise(handle, 1);
    prfdata_average_add(pair, 7);
}
