// Tests <prfdata/prfdata.hpp> as its users use it: counting, destructors, and code that must not
// compile. The service is not installed, so everything counts in private memory. The test is
// compiled without exceptions, linked without the C++ library, and built with the oldest standard
// and a new one.
#include <prfdata/prfdata.h>

// The numbers of open brackets that readers would see: around instances, and around publishers.
static int open_brackets, open_brackets_of_all;
#define prfdata_begin(instance)      (++open_brackets, prfdata_begin(instance))
#define prfdata_end(instance)        (--open_brackets, prfdata_end(instance))
#define prfdata_begin_all(publisher) (++open_brackets_of_all, prfdata_begin_all(publisher))
#define prfdata_end_all(publisher)   (--open_brackets_of_all, prfdata_end_all(publisher))
#include <prfdata/prfdata.hpp>

#include <chrono>
#include <cmath>
#include <type_traits>
#include <utility>

extern "C" {
#include "support/test.h"
}

PRFDATA_DEFINE_OBJECT(SERVER, 1);
PRFDATA_DEFINE_COUNTER(SERVER_REQUESTS, 2);
PRFDATA_DEFINE_COUNTER(SERVER_UP, 3);
PRFDATA_DEFINE_OBJECT(QUEUES, 10);
PRFDATA_DEFINE_COUNTER(QUEUES_DEPTH, 11);
PRFDATA_DEFINE_COUNTER(QUEUES_SIZE, 12);
PRFDATA_DEFINE_COUNTER(QUEUES_SIZE_BASE, 13);
PRFDATA_DEFINE_COUNTER(QUEUES_HITS, 14);
PRFDATA_DEFINE_COUNTER(QUEUES_HITS_BASE, 15);
PRFDATA_DEFINE_COUNTER(QUEUES_TIME, 16);
PRFDATA_DEFINE_COUNTER(QUEUES_TIME_BASE, 17);
PRFDATA_DEFINE_COUNTER(QUEUES_BUSY, 18);
PRFDATA_DEFINE_COUNTER(QUEUES_HOT, 19);
PRFDATA_DEFINE_COUNTER(QUEUES_FULL, 41);
PRFDATA_DEFINE_COUNTER(QUEUES_FULL_BASE, 42);
PRFDATA_DEFINE_DISTRIBUTION(QUEUES_LATENCY, 30);
PRFDATA_DEFINE_DISTRIBUTION(QUEUES_BYTES, 31);
PRFDATA_DEFINE_OBJECT(JOBS, 20);
PRFDATA_DEFINE_COUNTER(JOBS_DONE, 21);

PRFDATA_DECLARE_MAP(hpp_map);

// clang-format off
PRFDATA_MAP_BEGIN_AS(hpp_map)
    PRFDATA_MAP_OBJ(SERVER, L"Server", L"The server.", PERF_DETAIL_NOVICE, SERVER_REQUESTS,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(SERVER_REQUESTS, L"Requests/sec", L"Requests.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_CTR(SERVER_UP, L"Up time", L"Time since the start.", PERF_DETAIL_NOVICE, 0,
                    PERF_ELAPSED_TIME)
    PRFDATA_MAP_OBJ(QUEUES, L"Queues", L"The queues.", PERF_DETAIL_NOVICE, QUEUES_DEPTH, 4, 20)
        PRFDATA_MAP_DISTRIBUTION(QUEUES_LATENCY, PRFDATA_UNIT_100NS, 10, 1000000000)
        PRFDATA_MAP_DISTRIBUTION(QUEUES_BYTES, PRFDATA_UNIT_BYTES, 1, 1000000)
    PRFDATA_MAP_CTR(QUEUES_DEPTH, L"Depth", L"Jobs that wait.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_CTR(QUEUES_SIZE, L"Bytes/job", L"The size of a job.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BULK)
    PRFDATA_MAP_CTR(QUEUES_SIZE_BASE, L"Bytes/job base", L"Jobs.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(QUEUES_HITS, L"Hits", L"Jobs that were cached.", PERF_DETAIL_NOVICE, 0,
                    PERF_SAMPLE_FRACTION)
    PRFDATA_MAP_CTR(QUEUES_HITS_BASE, L"Hits base", L"Jobs.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_BASE)
    PRFDATA_MAP_CTR(QUEUES_TIME, L"Sec/job", L"How long a job takes.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(QUEUES_TIME_BASE, L"Sec/job base", L"Jobs.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
    PRFDATA_MAP_CTR(QUEUES_BUSY, L"Busy", L"Time with a job.", PERF_DETAIL_NOVICE, 0,
                    PERF_100NSEC_TIMER)
    PRFDATA_MAP_CTR(QUEUES_FULL, L"Full", L"Part of the room in use.", PERF_DETAIL_NOVICE, 0,
                    PERF_LARGE_RAW_FRACTION)
    PRFDATA_MAP_CTR(QUEUES_FULL_BASE, L"Full base", L"Room.", PERF_DETAIL_NOVICE, 0,
                    PERF_LARGE_RAW_BASE)
    PRFDATA_MAP_CTR(QUEUES_HOT, L"Hot", L"What many threads count.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_HOT()
    PRFDATA_MAP_OBJ(JOBS, L"Jobs", L"The jobs of a queue.", PERF_DETAIL_NOVICE, JOBS_DONE, 8, 20)
        PRFDATA_MAP_PARENT(QUEUES)
    PRFDATA_MAP_CTR(JOBS_DONE, L"Done", L"Jobs done.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_DELTA)
PRFDATA_MAP_END_AS(hpp_map, "PrfDataTestHpp")
// clang-format on

// ---- Code that must not compile ----

template <class Type> constexpr bool moves_only()
{
    return !std::is_copy_constructible<Type>::value && !std::is_copy_assignable<Type>::value &&
           std::is_nothrow_move_constructible<Type>::value;
}

static_assert(moves_only<prfdata::publisher>(), "a publisher has one owner");
static_assert(moves_only<prfdata::instance>(), "an instance has one owner");
static_assert(moves_only<prfdata::exclusive_counter>(), "a lane has one owner");
static_assert(moves_only<prfdata::scoped_timer>(), "a time is counted once");
static_assert(moves_only<prfdata::scoped_record>(), "a time is recorded once");
static_assert(!std::is_constructible<prfdata::scoped_record, prfdata::distribution>::value,
              "a handle that ends before the scope");
static_assert(std::is_trivially_copyable<prfdata::distribution>::value, "a handle is a value");
static_assert(sizeof(prfdata::distribution) == sizeof(prfdata_distribution), "and nothing more");
static_assert(std::is_nothrow_move_assignable<prfdata::publisher>::value, "");
static_assert(std::is_nothrow_move_assignable<prfdata::instance>::value, "");
static_assert(!std::is_copy_constructible<prfdata::bracket>::value, "every begin has its end");
static_assert(std::is_trivially_copyable<prfdata::counter>::value, "a handle is a value");
static_assert(sizeof(prfdata::counter) == sizeof(prfdata_handle), "and nothing more");
static_assert(sizeof(prfdata::timer) == sizeof(prfdata_pair), "");

// Whether a handle has set(). A handle of an accumulating counter must not have set().
template <class Handle> auto has_set(int) -> decltype(std::declval<Handle>().set(1), true)
{
    return true;
}
template <class Handle> constexpr char has_set(long)
{
    return 0;
}
static_assert(std::is_same<decltype(has_set<prfdata::counter>(0)), char>::value, "");
static_assert(std::is_same<decltype(has_set<prfdata::gauge>(0)), bool>::value, "");

// ---- Tests ----

namespace
{
using prfdata::average;
using prfdata::counter;
using prfdata::distribution;
using prfdata::elapsed;
using prfdata::exclusive_counter;
using prfdata::fraction;
using prfdata::gauge;
using prfdata::instance;
using prfdata::publisher;
using prfdata::scoped_record;
using prfdata::scoped_timer;
using prfdata::timer;

// A publisher that is unmapped in the end. Otherwise the next test would open the same publisher
// again, with its counts.
struct fresh_publisher : publisher {
    fresh_publisher() : publisher(hpp_map)
    {
    }

    ~fresh_publisher()
    {
        close_and_unmap();
    }
};

bool find_queue(publisher &owner, const wchar_t *name)
{
    prfdata_instance found;

    return prfdata_instance_find(owner.get(), QUEUES, name, nullptr, &found) == ERROR_SUCCESS;
}

void test_hpp_publisher_says_what_opening_returned(void **)
{
    fresh_publisher one;
    publisher none;
    char text[PRFDATA_STATUS_BYTES];

    assert_int_equal(one.error(), ERROR_FILE_NOT_FOUND);
    assert_non_null(one.get());
    assert_int_equal(one.status(), ERROR_FILE_NOT_FOUND);
    assert_int_equal(one.status(text), ERROR_FILE_NOT_FOUND);
    assert_true(text[0] != 0);
    assert_int_equal(one.retry(), ERROR_FILE_NOT_FOUND);
    assert_int_equal(one.dropped(), 0);
    assert_int_equal(none.error(), ERROR_INVALID_HANDLE);
    assert_null(none.get());
    assert_int_equal(none.retry(), ERROR_INVALID_HANDLE);
}

void test_hpp_publisher_with_capacities_is_smaller(void **)
{
    const prfdata_capacity capacities[] = {{QUEUES, 1}};
    publisher one(hpp_map, capacities, 1);

    {
        instance first(one, QUEUES, L"first"), second(one, QUEUES, L"second");

        assert_int_equal(first.error(), ERROR_SUCCESS);
        assert_int_equal(second.error(), ERROR_NOT_ENOUGH_QUOTA);
        assert_int_equal(one.dropped(), 1);
    }
    one.close_and_unmap();
}

void test_hpp_publisher_moves_and_closes_once(void **)
{
    publisher one(hpp_map);
    prfdata_publisher *const opened = one.get();
    counter requests = one.resolve<counter>(SERVER_REQUESTS);
    publisher other(std::move(one));

    assert_null(one.get());
    assert_int_equal(one.error(), ERROR_INVALID_HANDLE);
    assert_ptr_equal(other.get(), opened);
    requests.increment();
    one = std::move(other);
    assert_ptr_equal(one.get(), opened);
    assert_null(other.get());
    assert_int_equal(one.resolve<counter>(SERVER_REQUESTS).value(), 1);
    one = publisher(); // closes it
    assert_int_equal(prfdata_status(opened, nullptr, 0), ERROR_INVALID_HANDLE);
    fresh_publisher().close_and_unmap();
}

void test_hpp_publisher_closes_at_the_end_of_the_scope(void **)
{
    prfdata_publisher *opened;

    {
        publisher one(hpp_map);

        opened = one.get();
    }
    assert_int_equal(prfdata_status(opened, nullptr, 0), ERROR_INVALID_HANDLE);
    {
        publisher one(hpp_map);

        one.close_and_unmap();
        assert_null(one.get());
        assert_int_equal(one.error(), ERROR_INVALID_HANDLE);
    }
}

void test_hpp_resolve_says_why_not(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    std::uint32_t error = 0;

    one.resolve<counter>(SERVER_REQUESTS, &error);
    assert_int_equal(error, ERROR_SUCCESS);
    one.resolve<counter>(999, &error).increment(); // this counts in the scratch cell
    assert_int_equal(error, ERROR_NOT_FOUND);
    mail.resolve<timer>(QUEUES_DEPTH, &error);
    assert_int_equal(error, ERROR_NOT_SUPPORTED);
    mail.resolve<counter>(SERVER_REQUESTS, &error);
    assert_int_equal(error, ERROR_INVALID_PARAMETER);
}

void test_hpp_handles_that_were_never_resolved_do_no_harm(void **)
{
    counter().increment();
    gauge().set(1);
    elapsed().start();
    average().record(1);
    fraction().record(true);
    fraction().set(1, 2);
    timer().stop(timer().start());
    timer().record(std::chrono::seconds(1));
    assert_int_equal(instance().error(), ERROR_NOT_FOUND);
}

void test_hpp_counter_counts(void **)
{
    fresh_publisher one;
    counter requests = one.resolve<counter>(SERVER_REQUESTS);

    requests.increment();
    ++requests;
    requests.add(10);
    requests += 30;
    assert_int_equal(requests.value(), 42);
    assert_int_equal(prfdata_get(requests.handle()), 42);
}

void test_hpp_exclusive_counter_owns_a_lane(void **)
{
    enum { LANES = 17 };
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    counter shared = mail.resolve<counter>(QUEUES_HOT);

    ++shared;
    for (int i = 0; i < 2 * LANES; i++) { /* each round releases its lane */
        exclusive_counter own = mail.resolve<exclusive_counter>(QUEUES_HOT);
        exclusive_counter taken(std::move(own));

        assert_true(taken.is_exclusive());
        assert_false(own.is_exclusive());
        ++taken;
        taken += 2;
        own = std::move(taken);
        assert_true(own.is_exclusive());
        assert_false(taken.is_exclusive());
    }
    assert_int_equal(shared.value(), 1 + 3 * 2 * LANES);
    {
        exclusive_counter own[LANES + 1];

        for (exclusive_counter &each : own) {
            each = mail.resolve<exclusive_counter>(QUEUES_HOT);
            each.increment();
            each.add(1);
        }
        assert_true(own[LANES - 1].is_exclusive());
        assert_false(own[LANES].is_exclusive()); /* all lanes are taken */
    }
    assert_int_equal(shared.value(), 1 + 3 * 2 * LANES + 2 * (LANES + 1));
    assert_false(mail.resolve<exclusive_counter>(QUEUES_DEPTH).is_exclusive());
}

void test_hpp_gauge_goes_up_and_down(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    gauge depth = mail.resolve<gauge>(QUEUES_DEPTH);

    depth.set(10);
    depth.increment();
    ++depth;
    depth.add(4);
    depth += 4;
    assert_int_equal(depth.value(), 20);
    depth.decrement();
    --depth;
    depth.subtract(3);
    depth -= 5;
    assert_int_equal(depth.value(), 10);
    depth.raise(7);
    assert_int_equal(depth.value(), 10);
    depth.raise(12);
    assert_int_equal(depth.value(), 12);
}

void test_hpp_elapsed_is_the_start_or_zero(void **)
{
    fresh_publisher one;
    elapsed up = one.resolve<elapsed>(SERVER_UP);

    up.start();
    assert_true(up.value() > 0);
    up.stop();
    assert_int_equal(up.value(), 0);
}

void test_hpp_average_and_fraction_count_their_bases(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    average size = mail.resolve<average>(QUEUES_SIZE);
    fraction hits = mail.resolve<fraction>(QUEUES_HITS);

    size.record(100);
    size.record(200);
    assert_int_equal(size.value(), 300);
    assert_int_equal(size.base(), 2);
    hits.record(true);
    hits.record(false);
    hits.add(3, 6);
    assert_int_equal(hits.value(), 4);
    assert_int_equal(hits.base(), 8);
}

void test_hpp_fraction_of_the_moment_is_set(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    fraction full = mail.resolve<fraction>(QUEUES_FULL);

    full.set(30, 120);
    full.set(20, 110);
    assert_int_equal(full.value(), 20);
    assert_int_equal(full.base(), 110);
}

void test_hpp_timer_records_durations(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    timer busy = mail.resolve<timer>(QUEUES_BUSY); // this timer counts units of 100 ns
    timer time = mail.resolve<timer>(QUEUES_TIME);

    busy.record(std::chrono::milliseconds(3));
    assert_int_equal(busy.value(), 30000);
    busy.record(std::chrono::duration<double>(0.5));
    assert_int_equal(busy.value(), 5030000);
    busy.record(std::chrono::seconds(-1));
    assert_int_equal(busy.value(), 5030000);
    time.record(std::chrono::microseconds(1));
    assert_int_equal(time.base(), 1);
}

// Record this time with a timer in units of 100 ns, and return the value of the timer.
template <class Time> std::int64_t counted_for(Time time)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    timer busy = mail.resolve<timer>(QUEUES_BUSY);

    busy.record(time);
    return busy.value();
}

void test_hpp_timer_records_the_longest_time_for_longer_ones(void **)
{
    typedef std::chrono::duration<std::int64_t, std::ratio<1, 30>> frames;
    const std::int64_t longest = INT64_MAX / 100; // INT64_MAX nanoseconds, in units of 100 ns

    assert_int_equal(counted_for(std::chrono::nanoseconds::max()), longest);
    assert_int_equal(counted_for(std::chrono::seconds::max()), longest);
    assert_int_equal(counted_for(std::chrono::hours::max()), longest);
    assert_int_equal(counted_for(std::chrono::hours(24 * 365 * 293)), longest);
    assert_int_equal(counted_for(std::chrono::hours(24 * 365 * 292)),
                     24ll * 365 * 292 * 36000000000);
    assert_int_equal(counted_for(std::chrono::duration<std::uint64_t>::max()), longest);
    assert_int_equal(counted_for(frames::max()), longest);
    assert_int_equal(counted_for(frames(30ll * 86400 * 365 * 200 + 1)),
                     10000000ll * 86400 * 365 * 200 + 333333);
    assert_int_equal(counted_for(std::chrono::duration<double>::max()), longest);
    assert_int_equal(counted_for(std::chrono::duration<float>(INFINITY)), longest);
    assert_int_equal(counted_for(std::chrono::duration<double>(NAN)), 0);
    assert_int_equal(counted_for(std::chrono::seconds::min()), 0);
    assert_int_equal(counted_for(std::chrono::duration<double>::min()), 0);
}

std::uint64_t recorded(const distribution &of, std::uint64_t &sum)
{
    const prfdata_distribution handle = of.handle();
    std::uint64_t count = 0;

    sum = handle.words[PRFDATA_DISTRIBUTION_SUM];
    for (std::uint32_t i = 0; i < handle.shape.bucket_count; i++)
        count += handle.words[PRFDATA_DISTRIBUTION_BUCKETS + i];
    return count;
}

void test_hpp_distribution_records_its_highest_value_for_longer_times(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    distribution latency = mail.resolve<distribution>(QUEUES_LATENCY);
    std::uint64_t sum = 0;

    latency.record(UINT64_MAX);
    const std::uint64_t highest = (recorded(latency, sum), sum);

    latency.record(std::chrono::hours::max());
    latency.record(std::chrono::nanoseconds::max());
    latency.record(std::chrono::duration<double>::max());
    latency.record(std::chrono::hours::min());
    assert_int_equal(recorded(latency, sum), 5);
    assert_int_equal(sum, 4 * highest + 10);
}

void test_hpp_distribution_records_values_and_durations(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    distribution latency = mail.resolve<distribution>(QUEUES_LATENCY);
    distribution bytes = mail.resolve<distribution>(QUEUES_BYTES);
    distribution none;
    std::uint32_t error = 0;
    std::uint64_t sum = 0;

    latency.record(40);
    latency.record(std::chrono::milliseconds(3));
    latency.record(std::chrono::duration<double>(0.5));
    latency.record(std::chrono::seconds(-1));
    assert_int_equal(recorded(latency, sum), 4);
    assert_int_equal(sum, 40 + 30000 + 5000000 + 10); /* values below 10 are recorded as 10 */
    latency.record_since(latency.start());
    assert_int_equal(recorded(latency, sum), 5);
    bytes.record(7);
    bytes.record(std::chrono::seconds(1)); /* a distribution of bytes does not accept times */
    bytes.record_since(bytes.start());
    assert_int_equal(recorded(bytes, sum), 1);
    assert_int_equal(sum, 7);
    none.record(1);
    none.record_since(none.start());
    none = mail.resolve<distribution>(QUEUES_DEPTH, &error);
    assert_int_equal(error, ERROR_NOT_FOUND);
    assert_null(none.handle().words);
}

void test_hpp_scoped_record_records_once(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    distribution latency = mail.resolve<distribution>(QUEUES_LATENCY);
    std::uint64_t sum = 0;

    {
        scoped_record running(latency);

        assert_int_equal(recorded(latency, sum), 0);
    }
    assert_int_equal(recorded(latency, sum), 1);
    {
        scoped_record running(latency);
        scoped_record moved(std::move(running));

        moved.stop();
        assert_int_equal(recorded(latency, sum), 2);
    }
    assert_int_equal(recorded(latency, sum), 2);
    {
        scoped_record running(latency);

        running.cancel();
    }
    assert_int_equal(recorded(latency, sum), 2);
}

void test_hpp_scoped_timer_counts_once(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    timer time = mail.resolve<timer>(QUEUES_TIME);
    timer busy = mail.resolve<timer>(QUEUES_BUSY);
    const std::uint64_t before = busy.start();

    {
        scoped_timer running(time);

        assert_int_equal(time.base(), 0);
    }
    assert_int_equal(time.base(), 1);
    {
        scoped_timer running(time);
        scoped_timer moved(std::move(running));
    }
    assert_int_equal(time.base(), 2);
    {
        scoped_timer running(time);

        running.stop();
        assert_int_equal(time.base(), 3);
        running.stop();
    }
    assert_int_equal(time.base(), 3);
    {
        scoped_timer running(time);

        running.cancel();
    }
    assert_int_equal(time.base(), 3);
    {
        scoped_timer running(busy);

        while (busy.start() == before) {
        }
    }
    assert_in_range(busy.value(), 0, busy.start() - before);
}

void test_hpp_instance_is_removed_at_the_end_of_the_scope(void **)
{
    fresh_publisher one;

    {
        instance mail(one, QUEUES, L"mail");

        assert_int_equal(mail.error(), ERROR_SUCCESS);
        assert_true(find_queue(one, L"mail"));
    }
    assert_false(find_queue(one, L"mail"));
}

void test_hpp_instance_moves_and_is_removed_once(void **)
{
    fresh_publisher one;
    instance kept;

    {
        instance mail(one, QUEUES, L"mail");

        instance taken(std::move(mail));

        assert_int_equal(mail.remove(), ERROR_NOT_FOUND);
        kept = std::move(taken);
        assert_int_equal(taken.error(), ERROR_NOT_FOUND);
        assert_int_equal(taken.remove(), ERROR_NOT_FOUND);
    }
    assert_true(find_queue(one, L"mail"));
    kept = instance(one, QUEUES, L"news");
    assert_false(find_queue(one, L"mail"));
    assert_true(find_queue(one, L"news"));
    assert_int_equal(kept.remove(), ERROR_SUCCESS);
    assert_false(find_queue(one, L"news"));
}

void test_hpp_instance_released_stays(void **)
{
    fresh_publisher one;
    prfdata_instance left;

    {
        instance mail(one, QUEUES, L"mail");

        left = mail.release();
    }
    assert_true(find_queue(one, L"mail"));
    assert_int_equal(prfdata_instance_remove(&left), ERROR_SUCCESS);
}

void test_hpp_instance_has_parents_and_numbers(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");

    {
        instance job(one, JOBS, L"1", mail), numbered(one, JOBS, 2, mail), unnamed(one, QUEUES, 7);

        assert_int_equal(job.error(), ERROR_SUCCESS);
        assert_int_equal(numbered.error(), ERROR_SUCCESS);
        assert_int_equal(unnamed.error(), ERROR_SUCCESS);
        ++job.resolve<counter>(JOBS_DONE);
        assert_int_equal(job.resolve<counter>(JOBS_DONE).value(), 1);
        assert_int_equal(numbered.resolve<counter>(JOBS_DONE).value(), 0);
        assert_int_equal(mail.remove(), ERROR_DEPENDENT_RESOURCE_EXISTS);
        assert_int_equal(mail.error(), ERROR_SUCCESS); /* the instance still exists */
    }
    assert_int_equal(mail.remove(), ERROR_SUCCESS);
}

void test_hpp_bracket_begins_and_ends(void **)
{
    fresh_publisher one;
    instance mail(one, QUEUES, L"mail");
    gauge depth = mail.resolve<gauge>(QUEUES_DEPTH);

    {
        prfdata::bracket together(mail);

        depth.set(1);
        assert_int_equal(open_brackets, 1);
        {
            prfdata::bracket all(one);

            assert_int_equal(open_brackets_of_all, 1);
        }
        assert_int_equal(open_brackets, 1);
        assert_int_equal(open_brackets_of_all, 0);
    }
    assert_int_equal(open_brackets, 0);
    assert_int_equal(depth.value(), 1);
}

#ifdef PRFDATA_HAS_STRING_VIEW_
// Returns the error of adding an instance with this name, which does not exist yet.
std::uint32_t error_of_name(prfdata::publisher &owner, std::string_view name)
{
    return prfdata::instance(owner, QUEUES, name).error();
}

void test_hpp_instance_has_a_name_in_utf_8(void **)
{
    prfdata::publisher owner(hpp_map);
    const char *const no_text[] = {"\x80",
                                   "a\xC3",
                                   "\xC0\x80",
                                   "\xE0\x80\x80",
                                   "\xED\xA0\x80",
                                   "\xF0\x80\x80\x80",
                                   "\xF4\x90\x80\x80",
                                   "\xFF",
                                   "\xC3\x28"};

    {
        const prfdata::instance utf_8(owner, QUEUES, "m\xC3\xA4il \xE2\x82\xAC \xF0\x9F\x98\x80");
        prfdata_instance found;

        assert_int_equal(utf_8.error(), ERROR_SUCCESS);
        assert_int_equal(prfdata_instance_find(owner.get(), QUEUES, L"m\u00E4il \u20AC \U0001F600",
                                               nullptr, &found),
                         ERROR_SUCCESS);
        assert_int_equal(found.slot_index, utf_8.get().slot_index);
    }
    for (const char *text : no_text)
        assert_int_equal(error_of_name(owner, text), ERROR_INVALID_NAME);
    assert_int_equal(error_of_name(owner, std::string_view("a\0b", 3)), ERROR_INVALID_NAME);
    assert_int_equal(error_of_name(owner, ""), ERROR_INVALID_NAME);
    assert_int_equal(error_of_name(owner, "12345678901234567890"), ERROR_SUCCESS);
    assert_int_equal(error_of_name(owner, "123456789012345678901"), ERROR_FILENAME_EXCED_RANGE);
    {
        static char endless[1000];

        for (char &c : endless)
            c = 'x';
        assert_int_equal(error_of_name(owner, std::string_view(endless, sizeof endless)),
                         ERROR_FILENAME_EXCED_RANGE);
    }
#ifdef __cpp_lib_char8_t
    assert_int_equal(prfdata::instance(owner, QUEUES, u8"mail").error(), ERROR_SUCCESS);
#endif
    assert_int_equal(prfdata::instance(owner, QUEUES, L"mail").error(), ERROR_SUCCESS);
}
#endif

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hpp_publisher_says_what_opening_returned),
        cmocka_unit_test(test_hpp_publisher_with_capacities_is_smaller),
        cmocka_unit_test(test_hpp_publisher_moves_and_closes_once),
        cmocka_unit_test(test_hpp_publisher_closes_at_the_end_of_the_scope),
        cmocka_unit_test(test_hpp_resolve_says_why_not),
        cmocka_unit_test(test_hpp_handles_that_were_never_resolved_do_no_harm),
        cmocka_unit_test(test_hpp_counter_counts),
        cmocka_unit_test(test_hpp_exclusive_counter_owns_a_lane),
        cmocka_unit_test(test_hpp_gauge_goes_up_and_down),
        cmocka_unit_test(test_hpp_elapsed_is_the_start_or_zero),
        cmocka_unit_test(test_hpp_average_and_fraction_count_their_bases),
        cmocka_unit_test(test_hpp_fraction_of_the_moment_is_set),
        cmocka_unit_test(test_hpp_timer_records_durations),
        cmocka_unit_test(test_hpp_timer_records_the_longest_time_for_longer_ones),
        cmocka_unit_test(test_hpp_distribution_records_values_and_durations),
        cmocka_unit_test(test_hpp_distribution_records_its_highest_value_for_longer_times),
        cmocka_unit_test(test_hpp_scoped_record_records_once),
        cmocka_unit_test(test_hpp_scoped_timer_counts_once),
        cmocka_unit_test(test_hpp_instance_is_removed_at_the_end_of_the_scope),
        cmocka_unit_test(test_hpp_instance_moves_and_is_removed_once),
        cmocka_unit_test(test_hpp_instance_released_stays),
        cmocka_unit_test(test_hpp_instance_has_parents_and_numbers),
        cmocka_unit_test(test_hpp_bracket_begins_and_ends),
#ifdef PRFDATA_HAS_STRING_VIEW_
        cmocka_unit_test(test_hpp_instance_has_a_name_in_utf_8),
#endif
    };

    return cmocka_run_group_tests_name("prfdata_hpp", tests, nullptr, nullptr);
}
