// Runs operations with the functions of <prfdata/prfdata.h> and with the classes of
// <prfdata/prfdata.hpp>. tests/scripts/13-cpp.sh compares their instructions under callgrind. To
// compare compiled code, every operation is a separate function with its handles as arguments.
#include <prfdata/prfdata.hpp>

#include <valgrind/callgrind.h>

enum { TIMES = 10000, OBJECT = 1, REQUESTS, SIZE, SIZE_BASE, TIME, TIME_BASE, LATENCY };

PRFDATA_DECLARE_MAP(counted_map);

// clang-format off
PRFDATA_MAP_BEGIN_AS(counted_map)
    PRFDATA_MAP_OBJ(OBJECT, L"Counted", L"What is counted.", PERF_DETAIL_NOVICE, REQUESTS, 4, 20)
        PRFDATA_MAP_DISTRIBUTION(LATENCY, PRFDATA_UNIT_100NS, 10, 1000000000)
    PRFDATA_MAP_CTR(REQUESTS, L"Requests", L"Requests.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_CTR(SIZE, L"Size", L"The size.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_CTR(SIZE_BASE, L"Size base", L"The size.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(TIME, L"Time", L"The time.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(TIME_BASE, L"Time base", L"The time.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
PRFDATA_MAP_END_AS(counted_map, "PrfDataCounted")
// clang-format on

#define NOINLINE __attribute__((noinline))

struct handles {
    prfdata_handle requests;
    prfdata_pair size;
    prfdata_pair time;
    prfdata_distribution latency;
    prfdata_publisher *publisher;
};

struct classes {
    prfdata::gauge requests;
    prfdata::average size;
    prfdata::timer time;
    prfdata::distribution latency;
    prfdata::publisher *publisher;
};

static NOINLINE void c_increment(const handles *of)
{
    prfdata_increment(of->requests);
}

static NOINLINE void cpp_increment(const classes *of)
{
    ++of->requests;
}

static NOINLINE void c_set(const handles *of)
{
    prfdata_set(of->requests, 7);
}

static NOINLINE void cpp_set(const classes *of)
{
    of->requests.set(7);
}

static NOINLINE void c_raise(const handles *of)
{
    prfdata_raise(of->requests, 6);
}

static NOINLINE void cpp_raise(const classes *of)
{
    of->requests.raise(6);
}

static NOINLINE void c_average(const handles *of)
{
    prfdata_average_add(of->size, 100);
}

static NOINLINE void cpp_average(const classes *of)
{
    of->size.record(100);
}

static NOINLINE void c_time(const handles *of)
{
    const std::uint64_t started = prfdata_timer_start(of->time);

    prfdata_timer_stop(of->time, started);
}

static NOINLINE void cpp_time(const classes *of)
{
    prfdata::scoped_timer running(of->time);
}

static NOINLINE void c_record(const handles *of)
{
    prfdata_record(of->latency, 12345);
}

static NOINLINE void cpp_record(const classes *of)
{
    of->latency.record(12345);
}

static NOINLINE void c_record_scope(const handles *of)
{
    const std::uint64_t started = prfdata_record_start();

    prfdata_record_since(of->latency, started);
}

static NOINLINE void cpp_record_scope(const classes *of)
{
    prfdata::scoped_record running(of->latency);
}

static NOINLINE void c_instance(const handles *of)
{
    prfdata_instance instance;

    prfdata_instance_add(of->publisher, OBJECT, L"comes and goes", nullptr, &instance);
    prfdata_instance_remove(&instance);
}

static NOINLINE void cpp_instance(const classes *of)
{
    prfdata::instance instance(*of->publisher, OBJECT, L"comes and goes");
}

#define COUNT(name, call)                                                                          \
    do {                                                                                           \
        call;                                                                                      \
        CALLGRIND_ZERO_STATS;                                                                      \
        for (int i = 0; i < TIMES; i++)                                                            \
            call;                                                                                  \
        CALLGRIND_DUMP_STATS_AT(name);                                                             \
    } while (0)

int main()
{
    prfdata::publisher publisher(counted_map);
    prfdata::instance instance(publisher, OBJECT, L"one");
    const classes cpp = {instance.resolve<prfdata::gauge>(REQUESTS),
                         instance.resolve<prfdata::average>(SIZE),
                         instance.resolve<prfdata::timer>(TIME),
                         instance.resolve<prfdata::distribution>(LATENCY), &publisher};
    const handles c = {cpp.requests.handle(), cpp.size.handle(), cpp.time.handle(),
                       cpp.latency.handle(), publisher.get()};

    COUNT("C increment", c_increment(&c));
    COUNT("C++ increment", cpp_increment(&cpp));
    COUNT("C set", c_set(&c));
    COUNT("C++ set", cpp_set(&cpp));
    COUNT("C raise", c_raise(&c));
    COUNT("C++ raise", cpp_raise(&cpp));
    COUNT("C average", c_average(&c));
    COUNT("C++ average", cpp_average(&cpp));
    COUNT("C time", c_time(&c));
    COUNT("C++ time", cpp_time(&cpp));
    COUNT("C record", c_record(&c));
    COUNT("C++ record", cpp_record(&cpp));
    COUNT("C recorded scope", c_record_scope(&c));
    COUNT("C++ recorded scope", cpp_record_scope(&cpp));
    COUNT("C instance", c_instance(&c));
    COUNT("C++ instance", cpp_instance(&cpp));
    return 0;
}
