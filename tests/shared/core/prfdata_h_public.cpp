// SPDX-License-Identifier: MIT
// Uses the public headers and the macros of a map as a C++ user would.
#include <prfdata/prfdata.h>

PRFDATA_DEFINE_OBJECT(LINKS, 1);
PRFDATA_DEFINE_COUNTER(LINKS_STATE, 2);
PRFDATA_DEFINE_COUNTER(LINKS_BYTES, 3);
PRFDATA_DEFINE_OBJECT(PORTS, 10);
PRFDATA_DEFINE_COUNTER(PORTS_OPEN, 11);
PRFDATA_DEFINE_DISTRIBUTION(PORTS_DELAY, 12);
PRFDATA_DEFINE_COUNTER(PORTS_SIZE, 13);
PRFDATA_DEFINE_COUNTER(PORTS_USE, 15);
PRFDATA_DEFINE_COUNTER(PORTS_DELAYS, 20);
PRFDATA_DEFINE_COUNTER(PORTS_SHORT, 27);
PRFDATA_DEFINE_COUNTER(PORTS_SUM, 28);
PRFDATA_DEFINE_DISTRIBUTION(PORTS_BYTES, 29);
PRFDATA_DEFINE_COUNTER(PORTS_LARGEST, 30);
PRFDATA_DEFINE_OBJECT(HEALTH, 40);

PRFDATA_DECLARE_MAP(cpp_map);

// clang-format off
PRFDATA_MAP_BEGIN_AS(cpp_map)
    PRFDATA_MAP_OBJ(LINKS, L"My Links", L"The links.", PERF_DETAIL_NOVICE, LINKS_STATE, 8, 20)
        PRFDATA_MAP_PER_PROCESS()
        PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(LINKS_STATE, L"State", L"The worst state.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_MERGE_MAX()
        PRFDATA_MAP_TOTAL_MEAN()
    PRFDATA_MAP_CTR(LINKS_BYTES, L"Bytes", L"Bytes since installation.", PERF_DETAIL_WIZARD, -7,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
        PRFDATA_MAP_HOT()
    PRFDATA_MAP_OBJ(PORTS, L"My Ports", L"The ports.", PERF_DETAIL_NOVICE, PORTS_OPEN, 4, 20)
        PRFDATA_MAP_PARENT(LINKS)
        PRFDATA_MAP_COSTLY()
        PRFDATA_MAP_DISTRIBUTION(PORTS_DELAY, PRFDATA_UNIT_100NS, 10, 600000000)
        PRFDATA_MAP_DISTRIBUTION_WITH(PORTS_BYTES, PRFDATA_UNIT_BYTES, 1, 1000000, 16, 10)
    PRFDATA_MAP_CTR(PORTS_OPEN, L"Open", L"Open ports.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT_HEX)
        PRFDATA_MAP_METRIC("ports_open", "")
    PRFDATA_MAP_CTR_AND_BASE_WITH(PORTS_SIZE, L"Size", L"Size.", PERF_DETAIL_NOVICE, 0,
                                  PERF_AVERAGE_BULK, PRFDATA_MAP_METRIC("port_size", "bytes"))
    PRFDATA_MAP_CTR_AND_BASE(PORTS_USE, L"Use", L"Use.", PERF_DETAIL_NOVICE, 0, PERF_RAW_FRACTION)
    PRFDATA_MAP_DISTRIBUTION_CTRS(PORTS_DELAYS, PORTS_DELAY, L"Delay us", PERF_DETAIL_NOVICE)
    PRFDATA_MAP_CTR(PORTS_SHORT, L"Short", L"At most 1 ms.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_AT_MOST(PORTS_DELAY, 10000)
    PRFDATA_MAP_CTR(PORTS_SUM, L"Sum", L"Sum.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_SUM(PORTS_DELAY)
    PRFDATA_MAP_CTR(PORTS_LARGEST, L"Largest", L"Largest.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_MAXIMUM(PORTS_BYTES)
    PRFDATA_MAP_HEALTH(HEALTH, L"My Ports", "ports")
PRFDATA_MAP_END_AS(cpp_map, "CppService")
// clang-format on

// Calls most in-line functions, but never runs. With PRFDATA_DISABLED all functions are in-line.
extern "C" void prfdata_h_bump(prfdata_handle handle, prfdata_pair pair);

extern "C" void prfdata_h_bump(prfdata_handle handle, prfdata_pair pair)
{
    prfdata_exclusive alone = PRFDATA_EXCLUSIVE_INIT;
    prfdata_handle unset = PRFDATA_HANDLE_INIT;
    prfdata_pair nothing = PRFDATA_PAIR_INIT;
    prfdata_instance none = PRFDATA_INSTANCE_INIT;

    prfdata_increment(handle);
    prfdata_decrement(handle);
    prfdata_add(handle, 2);
    prfdata_subtract(handle, 2);
    prfdata_set(unset, prfdata_get(handle));
    prfdata_raise(handle, 1);
    prfdata_pair_add(nothing, 7, 1);
    prfdata_exclusive_increment(&alone);
    prfdata_exclusive_add(&alone, prfdata_is_exclusive(&alone));
    prfdata_average_add(pair, 7);
    prfdata_timer_stop(pair, prfdata_timer_start(pair));
    prfdata_elapsed_start(handle);
    prfdata_elapsed_stop(handle);
    prfdata_begin(&none);
    prfdata_end(&none);
}

extern "C" uint32_t prfdata_h_publish(void);

extern "C" uint32_t prfdata_h_publish(void)
{
    const prfdata_capacity capacity = {LINKS, 2};
    prfdata_publisher *publisher = nullptr;
    prfdata_instance link = PRFDATA_INSTANCE_INIT;
    prfdata_handle state = PRFDATA_HANDLE_INIT;
    prfdata_pair pair = PRFDATA_PAIR_INIT;
    prfdata_exclusive alone = PRFDATA_EXCLUSIVE_INIT;
    uint32_t error = prfdata_open(&cpp_map, &publisher);

    error += prfdata_open_with(&cpp_map, &capacity, 1, &publisher);
    error += prfdata_instance_add(publisher, LINKS, L"a", nullptr, &link);
    error += prfdata_instance_add_id(publisher, LINKS, 1, nullptr, &link);
    error += prfdata_instance_find(publisher, LINKS, L"a", nullptr, &link);
    error += prfdata_instance_find_id(publisher, LINKS, 1, nullptr, &link);
    error += prfdata_resolve(publisher, LINKS_STATE, &link, &state);
    error += prfdata_resolve_pair(publisher, LINKS_STATE, &link, &pair);
    error += prfdata_resolve_exclusive(publisher, LINKS_BYTES, &link, &alone);
    prfdata_release_exclusive(&alone);
    prfdata_begin_all(publisher);
    prfdata_end_all(publisher);
    error += prfdata_instance_remove(&link);
    prfdata_close(publisher);
    prfdata_close_and_unmap(publisher);
    return error + static_cast<uint32_t>(prfdata_dropped(publisher));
}
