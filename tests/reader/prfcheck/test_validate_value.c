/* SPDX-License-Identifier: MIT */
/* Tests the rules about values and names that need the clock or several replies. Each rule is
 * tested with numbers on both sides of its limit. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/wire.h"
#include "validate/validate_asked.h"
#include "validate/validate_names.h"
#include "validate/validate_run.h"
#include "validate/validate_titles.h"

#define RULE(name) PRFDATA_RULE_##name

#define SECOND_TICKS 10000000u /* the frequency of all clocks in this file */
#define CROWD        100u      /* instances */

enum { PERF_TIME = 48, PERF_FREQ = 56 }; /* offsets in an object */

static const prfdata_validate_watch second = {1000000, 1100000, SECOND_TICKS};

/* Object 200 with one instance. The counter is at offset 8, and the base follows it. */
static void make_pair(wire *w, const char *name, uint32_t type, uint32_t base_type, uint32_t size,
                      uint64_t value, uint64_t base)
{
    size_t values;
    size_t object;

    memset(w, 0, sizeof *w);
    object = wire_object(w, 200, 2, 1, 0);
    wire_counter(w, 202, type, size, 8);
    wire_counter(w, 204, base_type, size, 8 + size);
    wire_instance(w, 0, 0, PERF_NO_UNIQUE_ID, name);
    values = wire_values(w);
    wire_put32(w, 0);
    if (size == 4) {
        wire_put32(w, (uint32_t)value);
        wire_put32(w, (uint32_t)base);
    } else {
        wire_put64(w, value);
        wire_put64(w, base);
    }
    wire_values_end(w, values);
    wire_object_end(w, object);
    wire_patch64(w, PERF_TIME, 0);
    wire_patch64(w, PERF_FREQ, SECOND_TICKS);
}

static prfdata_validate_reply reply_of(const wire *w)
{
    const prfdata_validate_reply reply = {w->bytes, w->used, 1};

    return reply;
}

/* ---- One reply ---- */

static void test_validate_start_must_be_on_the_objects_clock(void **state)
{
    static const uint64_t now = (uint64_t)7 * 24 * 60 * 60 * SECOND_TICKS; /* a week */
    static const uint64_t day = (uint64_t)24 * 60 * 60 * SECOND_TICKS;
    static const uint64_t filetime = 134000000000000000; /* of 2025 */
    const struct {
        uint64_t start;
        uint64_t now;
        bool is_right;
    } starts[] = {
        {0, now, true},
        {0, filetime, true},
        {1, now, true},
        {now, now, true},
        /* The instance may have started after the reply's clock was read. */
        {now + SECOND_TICKS, now, true},
        {now + day, now, true},
        {now + day + SECOND_TICKS, now, false},
        {filetime, now, false},
        {now, filetime, false},
        {filetime - 30 * 365 * day, filetime, true},
        {filetime - 51 * 365 * day, filetime, false},
    };
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        prfdata_findings findings;
        prfdata_validate_reply reply;

        make_pair(&w, "i", PERF_ELAPSED_TIME, PERF_COUNTER_LARGE_RAWCOUNT, 8, starts[i].start, 0);
        wire_patch64(&w, PERF_TIME, starts[i].now);
        reply = reply_of(&w);
        prfdata_findings_init(&findings);
        assert_int_equal(prfdata_validate_structure(&reply, NULL, false, &findings), 0);
        assert_int_equal(findings.totals[RULE(ELAPSED_START)], !starts[i].is_right);
        assert_int_equal(prfdata_findings_total(&findings), !starts[i].is_right);
    }
}

/* ---- Two replies a second apart ---- */

/* If the start grows as fast as the clock, the provider wrote the time since the start instead of
 * the start. A start shortly before the clock's time may grow, because the measured process may
 * have started again. */
static void test_validate_start_must_not_grow_as_the_clock_does(void **state)
{
    static const struct {
        uint64_t was;
        uint64_t is;
        uint64_t now; /* PerfTime of the newer reply */
        bool is_right;
    } starts[] = {
        {500 * (uint64_t)SECOND_TICKS, 500 * (uint64_t)SECOND_TICKS, 900u, true},
        {500 * (uint64_t)SECOND_TICKS, 501 * (uint64_t)SECOND_TICKS, 900u, false},
        {500 * (uint64_t)SECOND_TICKS, 504 * (uint64_t)SECOND_TICKS, 900u, true},
        {501 * (uint64_t)SECOND_TICKS, 500 * (uint64_t)SECOND_TICKS, 900u, true},
        {500 * (uint64_t)SECOND_TICKS, 501 * (uint64_t)SECOND_TICKS, 562u, false},
        {500 * (uint64_t)SECOND_TICKS, 501 * (uint64_t)SECOND_TICKS, 560u, true},
        {500 * (uint64_t)SECOND_TICKS, 501 * (uint64_t)SECOND_TICKS, 501u, true},
        /* The time since the start in units of 100 ns, 1 us and 1 ms. */
        {5000000000, 5010000000, 900u, false},
        {500000000, 501000000, 900u, false},
        {500000, 501000, 900u, false},
        {500000, 504000, 900u, true},
        {500000, 500000, 900u, true},
    };
    wire was;
    wire is;

    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const uint32_t type = PERF_ELAPSED_TIME;
        const uint32_t base = PERF_COUNTER_LARGE_RAWCOUNT;
        prfdata_findings findings;
        prfdata_validate_reply older;
        prfdata_validate_reply newer;

        make_pair(&was, "i", type, base, 8, starts[i].was, 0);
        make_pair(&is, "i", type, base, 8, starts[i].is, 0);
        wire_patch64(&was, PERF_TIME, (starts[i].now - 1) * SECOND_TICKS);
        wire_patch64(&is, PERF_TIME, starts[i].now * SECOND_TICKS);
        older = reply_of(&was);
        newer = reply_of(&is);
        prfdata_findings_init(&findings);
        assert_int_equal(prfdata_validate_clock(&older, &newer, &second, &findings), 0);
        assert_int_equal(findings.totals[RULE(ELAPSED_START)], !starts[i].is_right);
    }
}

/* ---- Names in two processes ---- */

static void put_object_of(wire *w, uint32_t title, const char *first, const char *other)
{
    const size_t object = wire_object(w, title, 1, 2, 0);
    const char *const names[] = {first, other};

    wire_counter(w, title + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (size_t i = 0; i < 2; i++) {
        size_t values;

        wire_instance(w, 0, 0, PERF_NO_UNIQUE_ID, names[i]);
        values = wire_values(w);
        wire_put32(w, 0);
        wire_values_end(w, values);
    }
    wire_object_end(w, object);
}

static void test_validate_names_other_finds_an_object_without_a_common_name(void **state)
{
    static const struct {
        const char *names[2][4]; /* for each process: two names of object 200, two of object 300 */
        /* the object that has no common name in the two processes; 0: none */
        uint32_t title;
    } cases[] = {
        {{{"a", "b", "c", "d"}, {"a", "b", "c", "d"}}, 0},
        {{{"a", "b", "c", "d"}, {"x", "B", "c", "y"}}, 0},
        {{{"a", "b", "c", "d"}, {"a", "b", "x", "y"}}, 300},
        /* in the second process, object 200 has the names of object 300 */
        {{{"a", "b", "c", "d"}, {"c", "d", "c", "d"}}, 200},
        {{{"a", "_Total", "c", "d"}, {"b", "_Total", "c", "d"}}, 200},
        /* in the first process, the first object has only totals */
        {{{"_Total", "_Total", "c", "d"}, {"b", "_Total", "c", "d"}}, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_validate_name names[8];
        prfdata_validate_reply replies[2];
        wire wires[2];
        size_t count;

        memset(wires, 0, sizeof wires);
        for (size_t k = 0; k < 2; k++) {
            put_object_of(&wires[k], 200, cases[i].names[k][0], cases[i].names[k][1]);
            put_object_of(&wires[k], 300, cases[i].names[k][2], cases[i].names[k][3]);
            replies[k] = reply_of(&wires[k]);
            replies[k].object_count = 2;
        }
        count = prfdata_validate_names(&replies[1], 1, names, 8);
        assert_int_equal(prfdata_validate_names_other(&replies[0], names, count), cases[i].title);
        assert_int_equal(prfdata_validate_names(&replies[1], 1, names, 1), count > 0);
    }
}

/* The ids of the two processes are 40 and 41. */
static void test_validate_names_numbered_finds_the_number_of_the_process(void **state)
{
    static const struct {
        const char *names[2][2]; /* for each process: the two names of an object */
        bool is_found;
    } cases[] = {
        {{{"x 40", "y"}, {"x 41", "y"}}, true},
        {{{"40", "y"}, {"y", "41"}}, true},
        {{{"x40.1", "y"}, {"X41.1", "z"}}, true},
        {{{"x 40", "x 41"}, {"x 40", "x 41"}}, false}, /* a list of processes */
        {{{"x 40", "y"}, {"x 41", "x 40"}}, false},    /* the list has one more process */
        {{{"x 40", "y"}, {"z 41", "y"}}, false},
        {{{"x 40", "y"}, {"x 42", "y"}}, false},
        {{{"x 140", "401"}, {"x 141", "411"}}, false}, /* 40 and 41 are parts of longer numbers */
        {{{"x", "y"}, {"x 41", "y"}}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_validate_name names[8];
        prfdata_validate_reply replies[2];
        wire wires[2];
        size_t count;

        memset(wires, 0, sizeof wires);
        for (size_t k = 0; k < 2; k++) {
            put_object_of(&wires[k], 200, cases[i].names[k][0], cases[i].names[k][1]);
            replies[k] = reply_of(&wires[k]);
        }
        count = prfdata_validate_names(&replies[1], 41, names, 8);
        assert_int_equal(prfdata_validate_names_numbered(&replies[0], 40, names, count),
                         cases[i].is_found ? 200 : 0);
    }
}

/* ---- Growth in a second ---- */

/* Return how often the rule is broken if value and base grow by these amounts. */
static uint64_t watch_growth(const char *name, uint32_t type, uint32_t base_type, uint32_t size,
                             uint64_t value, uint64_t base, prfdata_rule rule)
{
    prfdata_validate_reply older;
    prfdata_validate_reply newer;
    prfdata_findings findings;
    wire was;
    wire is;

    make_pair(&was, name, type, base_type, size, 1000, 2000);
    make_pair(&is, name, type, base_type, size, 1000 + value, 2000 + base);
    older = reply_of(&was);
    newer = reply_of(&is);
    prfdata_findings_init(&findings);
    assert_int_equal(prfdata_validate_clock(&older, &newer, &second, &findings), 0);
    return findings.totals[rule];
}

static void test_validate_stamp_must_be_of_the_types_clock(void **state)
{
    static const struct {
        uint64_t ticks;
        bool is_right;
    } stamps[] = {
        {SECOND_TICKS, true},
        {0, true}, /* the instance did not change */
        {SECOND_TICKS / 8, true},
        {SECOND_TICKS / 8 - 1, false},
        {1000, false}, /* milliseconds */
        {(uint64_t)SECOND_TICKS * 64, true},
        {(uint64_t)SECOND_TICKS * 71, false},
        {(uint64_t)SECOND_TICKS * 300, false}, /* a time stamp in cycles of the processor */
    };
    static const uint32_t types[] = {PERF_PRECISION_SYSTEM_TIMER, PERF_PRECISION_100NS_TIMER,
                                     PERF_PRECISION_OBJECT_TIMER};

    (void)state;
    for (size_t i = 0; i < sizeof stamps / sizeof stamps[0]; i++) {
        for (size_t k = 0; k < sizeof types / sizeof types[0]; k++)
            assert_int_equal(watch_growth("i", types[k], PERF_LARGE_RAW_BASE, 8, 0, stamps[i].ticks,
                                          RULE(STAMP_RATE)),
                             !stamps[i].is_right);
    }
    assert_int_equal(watch_growth("_Total", types[0], PERF_LARGE_RAW_BASE, 8, 0,
                                  (uint64_t)SECOND_TICKS * 300, RULE(STAMP_RATE)),
                     0); /* the total may be that of 300 instances */
    assert_int_equal(watch_growth("i", PERF_LARGE_RAW_FRACTION, PERF_LARGE_RAW_BASE, 8, 0, 1000,
                                  RULE(STAMP_RATE)),
                     0); /* this type has no time stamp */
}

/* Object 200 with instances "a0" to "a99", each with a PRECISION timer. Its value is 0, its
 * base is in `bases`. */
static void make_crowd(wire *w, const uint64_t *bases)
{
    size_t object;

    memset(w, 0, sizeof *w);
    object = wire_object(w, 200, 2, CROWD, 0);
    wire_counter(w, 202, PERF_PRECISION_100NS_TIMER, 8, 8);
    wire_counter(w, 204, PERF_LARGE_RAW_BASE, 8, 16);
    for (uint32_t i = 0; i < CROWD; i++) {
        char name[8];
        size_t values;

        (void)snprintf(name, sizeof name, "a%u", (unsigned)i);
        wire_instance(w, 0, 0, PERF_NO_UNIQUE_ID, name);
        values = wire_values(w);
        wire_put32(w, 0);
        wire_put64(w, 0);
        wire_put64(w, bases[i]);
        wire_values_end(w, values);
    }
    wire_object_end(w, object);
    wire_patch64(w, PERF_FREQ, SECOND_TICKS);
}

/* A time stamp is from the last change of its value, so a valid stamp may move only slightly. A
 * slow stamp is no mistake if the stamp of another instance moves by the whole second. */
static void test_validate_stamp_of_one_of_many_may_be_slow(void **state)
{
    static const struct {
        uint64_t first; /* how far the stamp of the first instance moved */
        uint64_t others;
        bool is_right;
    } crowds[] = {
        {1000, SECOND_TICKS, true},
        {1000, 1000, false},
        {1000, 0, false}, /* the other instances did not change */
        {0, 1000, false},
        /* The values of the other instances changed only at the beginning of the second. */
        {SECOND_TICKS, 1000, true},
        {(uint64_t)SECOND_TICKS * 300, SECOND_TICKS, false}, /* no time stamp can move that fast */
    };
    static wire was;
    static wire is;

    (void)state;
    for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
        uint64_t bases[CROWD];
        prfdata_validate_reply older;
        prfdata_validate_reply newer;
        prfdata_findings findings;

        for (size_t k = 0; k < CROWD; k++)
            bases[k] = 1000;
        make_crowd(&was, bases);
        for (size_t k = 0; k < CROWD; k++)
            bases[k] += k == 0 ? crowds[i].first : crowds[i].others;
        make_crowd(&is, bases);
        older = reply_of(&was);
        newer = reply_of(&is);
        prfdata_findings_init(&findings);
        assert_int_equal(prfdata_validate_clock(&older, &newer, &second, &findings), 0);
        assert_int_equal(findings.totals[RULE(STAMP_RATE)], !crowds[i].is_right);
    }
}

static void test_validate_timer_must_not_outrun_its_clock(void **state)
{
    static const struct {
        const char *name;
        uint32_t type;
        uint64_t growth;
        bool is_right;
    } timers[] = {
        {"i", PERF_100NSEC_TIMER, SECOND_TICKS, true},
        /* 64 processors can be busy for this long in a second. */
        {"i", PERF_100NSEC_TIMER, (uint64_t)SECOND_TICKS * 64, true},
        {"i", PERF_100NSEC_TIMER, (uint64_t)SECOND_TICKS * 100, false},
        {"i", PERF_COUNTER_TIMER, (uint64_t)SECOND_TICKS * 100, false},
        {"i", PERF_COUNTER_TIMER_INV, (uint64_t)SECOND_TICKS * 100, false},
        {"i", PERF_OBJ_TIME_TIMER, (uint64_t)SECOND_TICKS * 100, false},
        /* A total may be the time of 100 instances. */
        {"_Total", PERF_100NSEC_TIMER, (uint64_t)SECOND_TICKS * 100, true},
        {"i", PERF_COUNTER_BULK_COUNT, (uint64_t)SECOND_TICKS * 100, true},
        {"i", PERF_ELAPSED_TIME, (uint64_t)SECOND_TICKS * 100, true},
        /* A queue may have 100 items. */
        {"i", PERF_COUNTER_QUEUELEN_TYPE, (uint64_t)SECOND_TICKS * 100, true},
        {"i", PERF_COUNTER_LARGE_QUEUELEN_TYPE, (uint64_t)SECOND_TICKS * 100, true},
        {"i", PERF_COUNTER_100NS_QUEUELEN_TYPE, (uint64_t)SECOND_TICKS * 100, true},
        {"i", PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, (uint64_t)SECOND_TICKS * 100, true},
        /* Another rule checks values that go backwards. */
        {"i", PERF_100NSEC_TIMER, 0 - (uint64_t)1000, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++)
        assert_int_equal(watch_growth(timers[i].name, timers[i].type, PERF_COUNTER_LARGE_RAWCOUNT,
                                      timers[i].type == PERF_COUNTER_QUEUELEN_TYPE ? 4 : 8,
                                      timers[i].growth, 0, RULE(TIMER_RATE)),
                         !timers[i].is_right);
}

static void test_validate_hits_must_not_outgrow_samples(void **state)
{
    static const struct {
        uint32_t hits;
        uint32_t samples;
        bool is_right;
    } growths[] = {{0, 0, true},       {1000, 1000, true},      {1000, 900, true},
                   {64, 0, true},      {65, 0, false},          {1000, 500, false},
                   {0, 100000, true},  {0x80000000u, 10, true}, /* backwards */
                   {1314, 1000, true}, {1315, 1000, false}};

    (void)state;
    for (size_t i = 0; i < sizeof growths / sizeof growths[0]; i++)
        assert_int_equal(watch_growth("i", PERF_SAMPLE_FRACTION, PERF_SAMPLE_BASE, 4,
                                      growths[i].hits, growths[i].samples, RULE(FRACTION_ABOVE)),
                         !growths[i].is_right);
}

static void test_validate_average_must_not_grow_without_its_base(void **state)
{
    static const struct {
        uint64_t value;
        uint64_t base;
        bool is_right;
    } growths[] = {
        {0, 0, true},
        {1, 0, false},
        {1, 1, true},
        {0, 1, true},
        {1000, 0, false},
        /* Another rule checks values that go backwards. */
        {0 - (uint64_t)1, 0, true},
    };
    static const uint32_t types[] = {PERF_AVERAGE_BULK, PERF_AVERAGE_TIMER};

    (void)state;
    for (size_t i = 0; i < sizeof growths / sizeof growths[0]; i++) {
        for (uint32_t k = 0; k < 4; k++) /* values and bases of 8 bytes and of 4 */
            assert_int_equal(watch_growth("i", types[k % 2], PERF_AVERAGE_BASE, k < 2 ? 8 : 4,
                                          growths[i].value, growths[i].base, RULE(AVERAGE_BASE)),
                             !growths[i].is_right);
    }
    assert_int_equal(
        watch_growth("i", PERF_AVERAGE_BULK, PERF_RAW_BASE, 8, 1, 0, RULE(AVERAGE_BASE)),
        0); /* another rule checks missing bases */
    assert_int_equal(watch_growth("i", PERF_LARGE_RAW_FRACTION, PERF_LARGE_RAW_BASE, 8, 1, 0,
                                  RULE(AVERAGE_BASE)),
                     0);
}

/* ---- Two replies, one after the other ---- */

static uint64_t change_between(const wire *was, const wire *is, prfdata_rule rule)
{
    const prfdata_validate_reply older = reply_of(was);
    const prfdata_validate_reply newer = reply_of(is);
    prfdata_findings findings;

    prfdata_findings_init(&findings);
    assert_int_equal(prfdata_validate_change(&older, &newer, NULL, &findings), 0);
    assert_int_equal(prfdata_findings_total(&findings), findings.totals[rule]);
    return findings.totals[rule];
}

static void test_validate_frequency_that_changes_found(void **state)
{
    wire was;
    wire is;

    (void)state;
    make_pair(&was, "i", PERF_ELAPSED_TIME, PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, 0);
    is = was;
    wire_patch64(&is, PERF_FREQ, SECOND_TICKS + 1);
    assert_int_equal(change_between(&was, &was, RULE(CLOCK_FREQUENCY)), 0);
    assert_int_equal(change_between(&was, &is, RULE(CLOCK_FREQUENCY)), 1);

    make_pair(&was, "i", PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, 0);
    is = was;
    wire_patch64(&is, PERF_FREQ, SECOND_TICKS + 1);
    assert_int_equal(change_between(&was, &is, RULE(CLOCK_UNUSED)), 0); /* there is no clock */
    wire_patch64(&is, PERF_TIME, 1);
    assert_int_equal(change_between(&was, &is, RULE(CLOCK_UNUSED)), 1);
}

/* Get the findings if the value of an instance goes from 5 to 3. The reply `seen` to another query,
 * if not NULL, came between the two values. With is_long_ago, `seen` came before both values. */
static void come_back(const char *name, const wire *seen, bool is_long_ago,
                      prfdata_findings *findings)
{
    static prfdata_validate_gone gone;
    prfdata_validate_known known = {&gone, 0};
    prfdata_validate_reply older;
    prfdata_validate_reply newer;
    wire was;
    wire is;

    memset((void *)&gone, 0, sizeof gone);
    make_pair(&was, name, PERF_COUNTER_LARGE_DELTA, PERF_COUNTER_LARGE_RAWCOUNT, 8, 5, 0);
    make_pair(&is, name, PERF_COUNTER_LARGE_DELTA, PERF_COUNTER_LARGE_RAWCOUNT, 8, 3, 0);
    older = reply_of(&was);
    newer = reply_of(&is);
    prfdata_findings_init(findings);
    if (seen) {
        const prfdata_validate_reply without = reply_of(seen);

        assert_int_equal(prfdata_validate_change(&older, &without, &known, findings), 0);
        assert_int_equal(prfdata_findings_total(findings), 0);
    }
    if (is_long_ago)
        known.since = prfdata_validate_gone_moment(&gone);
    assert_int_equal(prfdata_validate_change(&older, &newer, &known, findings), 0);
    assert_int_equal(prfdata_findings_total(findings), 1);
}

static void test_validate_value_of_what_was_gone_is_another_rules(void **state)
{
    prfdata_findings findings;
    wire other;

    (void)state;
    come_back("i", NULL, false, &findings);
    assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], 1);
    for (int i = 0; i < 2; i++) { /* another instance, sorted before and after the missing one */
        make_pair(&other, i == 0 ? "a" : "z", PERF_COUNTER_LARGE_DELTA, PERF_COUNTER_LARGE_RAWCOUNT,
                  8, 0, 0);
        come_back("i", &other, false, &findings);
        assert_int_equal(findings.totals[RULE(INSTANCE_RESTARTED)], 1);
        come_back("i", &other, true,
                  &findings); /* "i" was missing before the older reply was asked for */
        assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], 1);
    }
    make_pair(&other, "i", PERF_COUNTER_LARGE_DELTA, PERF_COUNTER_LARGE_RAWCOUNT, 8, 7, 0);
    come_back("i", &other, false, &findings); /* "i" was never missing */
    assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], 1);
}

/* ---- Many replies ---- */

/* Object 300 with these instances, object 310 with "x" below the first and "y" below the second. */
static void make_family(wire *w, const char *const *names, uint32_t count)
{
    static const char *const children[] = {"x", "y"};
    size_t object;
    size_t values;

    memset(w, 0, sizeof *w);
    for (uint32_t k = 0; k < 2; k++) {
        object = wire_object(w, 300 + 10 * k, 1, k == 0 ? (int32_t)count : 2, 0);
        wire_counter(w, 302 + 10 * k, PERF_COUNTER_RAWCOUNT, 4, 4);
        for (uint32_t i = 0; i < (k == 0 ? count : 2); i++) {
            wire_instance(w, k == 0 ? 0 : 300, k == 0 ? 0 : i, PERF_NO_UNIQUE_ID,
                          k == 0 ? names[i] : children[i]);
            values = wire_values(w);
            wire_put32(w, 0);
            wire_values_end(w, values);
        }
        wire_object_end(w, object);
    }
}

/* Return how often the rule is broken in this many pairs of replies. The first `changing` pairs are
 * a and b, the others are a and a. */
static uint64_t run_of(const wire *a, const wire *b, uint32_t pairs, uint32_t changing,
                       prfdata_rule rule)
{
    const prfdata_validate_reply one = {a->bytes, a->used, 2};
    const prfdata_validate_reply other = {b->bytes, b->used, 2};
    prfdata_validate_run run = {0};
    prfdata_findings findings;

    for (uint32_t i = 0; i < pairs; i++)
        assert_int_equal(prfdata_validate_run_add(&run, &one, i < changing ? &other : &one), 0);
    prfdata_findings_init(&findings);
    prfdata_validate_run_end(&run, &findings);
    for (size_t i = 0; i < findings.count; i++)
        assert_int_not_equal(findings.items[i].spot.object, 0);
    return findings.totals[rule];
}

/* Put a counter block with two pairs of these values. */
static void put_block_of(wire *w, uint32_t value, uint32_t base)
{
    const size_t values = wire_values(w);

    wire_put32(w, 0);
    for (int i = 0; i < 2; i++) {
        wire_put32(w, value);
        wire_put32(w, base);
    }
    wire_values_end(w, values);
}

/* Check replies of a fraction with base 4. Each char of `values` is a reply: '+' has the value 5,
 * any other char 4. Returns the number of findings. */
static uint64_t run_of_fractions(const char *values, uint32_t type, uint32_t base_type,
                                 uint32_t size)
{
    prfdata_validate_run run = {0};
    prfdata_findings findings;
    wire w[2];

    make_pair(&w[1], "i", type, base_type, size, values[0] == '+' ? 5 : 4, 4);
    for (size_t i = 1; values[i]; i++) {
        prfdata_validate_reply older;
        prfdata_validate_reply newer;

        w[0] = w[1];
        make_pair(&w[1], "i", type, base_type, size, values[i] == '+' ? 5 : 4, 4);
        older = reply_of(&w[0]);
        newer = reply_of(&w[1]);
        assert_int_equal(prfdata_validate_run_add(&run, &older, &newer), 0);
    }
    prfdata_findings_init(&findings);
    prfdata_validate_run_end(&run, &findings);
    assert_int_equal(prfdata_findings_total(&findings), findings.totals[RULE(FRACTION_ABOVE)]);
    for (size_t i = 0; i < findings.count; i++) {
        assert_int_equal(findings.items[i].spot.object, 200);
        assert_int_equal(findings.items[i].spot.counter, 202);
    }
    return findings.totals[RULE(FRACTION_ABOVE)];
}

/* Value and base are read one after the other, so a value above its base means nothing if it is
 * rare. */
static void test_validate_fraction_above_its_base_four_times_found(void **state)
{
    (void)state;
    assert_int_equal(run_of_fractions("----------", PERF_RAW_FRACTION, PERF_RAW_BASE, 4), 0);
    assert_int_equal(run_of_fractions("-+-+++-+++-", PERF_RAW_FRACTION, PERF_RAW_BASE, 4), 0);
    assert_int_equal(run_of_fractions("-++++-----", PERF_RAW_FRACTION, PERF_RAW_BASE, 4), 1);
    assert_int_equal(run_of_fractions("++++", PERF_LARGE_RAW_FRACTION, PERF_LARGE_RAW_BASE, 8), 1);
    assert_int_equal(run_of_fractions("++++", PERF_COUNTER_RAWCOUNT, PERF_RAW_BASE, 4), 0);
}

/* The user may accept the first finding, so the second one must be reported, too. */
static void test_validate_two_fractions_above_their_bases_are_two_findings(void **state)
{
    prfdata_validate_run run = {0};
    prfdata_validate_reply reply;
    prfdata_findings findings;
    size_t object;
    wire w;

    (void)state;
    memset(&w, 0, sizeof w);
    object = wire_object(&w, 200, 4, PERF_NO_INSTANCES, 0);
    for (uint32_t i = 0; i < 4; i++)
        wire_counter(&w, 202 + 2 * i, i % 2 ? PERF_RAW_BASE : PERF_RAW_FRACTION, 4, 8 + 4 * i);
    put_block_of(&w, 5, 4);
    wire_object_end(&w, object);
    reply = reply_of(&w);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(prfdata_validate_run_add(&run, &reply, &reply), 0);
    prfdata_findings_init(&findings);
    prfdata_validate_run_end(&run, &findings);
    assert_int_equal(findings.count, 2);
    assert_int_equal(findings.items[0].spot.counter, 202);
    assert_int_equal(findings.items[1].spot.counter, 206);
}

/* Check replies of a PERF_SAMPLE_FRACTION. Each char is a reply. With '=', '+' or '-', samples grow
 * by 10, and hits grow by 10, 11 or 9. With '.' nothing grows. With '<' hits fall by 1. */
static uint64_t run_of_hits(const char *growths)
{
    prfdata_validate_run run = {0};
    prfdata_findings findings;
    uint32_t hits = 1000;
    uint32_t samples = 2000;
    wire w[2];

    make_pair(&w[1], "i", PERF_SAMPLE_FRACTION, PERF_SAMPLE_BASE, 4, hits, samples);
    for (; *growths; growths++) {
        prfdata_validate_reply older;
        prfdata_validate_reply newer;

        w[0] = w[1];
        samples += *growths == '.' || *growths == '<' ? 0 : 10;
        hits += *growths == '+'   ? 11u
                : *growths == '-' ? 9u
                : *growths == '=' ? 10u
                : *growths == '<' ? (uint32_t)-1
                                  : 0u;
        make_pair(&w[1], "i", PERF_SAMPLE_FRACTION, PERF_SAMPLE_BASE, 4, hits, samples);
        older = reply_of(&w[0]);
        newer = reply_of(&w[1]);
        assert_int_equal(prfdata_validate_run_add(&run, &older, &newer), 0);
    }
    prfdata_findings_init(&findings);
    prfdata_validate_run_end(&run, &findings);
    assert_int_equal(prfdata_findings_total(&findings), findings.totals[RULE(FRACTION_ABOVE)]);
    for (size_t i = 0; i < findings.count; i++) {
        assert_int_equal(findings.items[i].spot.object, 200);
        assert_int_equal(findings.items[i].spot.counter, 202);
    }
    return findings.totals[RULE(FRACTION_ABOVE)];
}

/* If a hit is counted before its sample, the hits are ahead once and fall back in a later step.
 * prfcheck reports hits only if their lead over the samples grows twelve times and never falls in
 * between. */
static void test_validate_hits_that_outgrow_samples_twelve_times_found(void **state)
{
    (void)state;
    assert_int_equal(run_of_hits("++++++++++++"), 1);
    assert_int_equal(run_of_hits("+++++++++++"), 0);
    /* The lead grows in some steps, and never falls. */
    assert_int_equal(run_of_hits("+.+.+=+.+==+.+.+.+.++.+.."), 1);
    assert_int_equal(run_of_hits("++++++++++-+++++++++-++++++++++"), 0);
    assert_int_equal(run_of_hits("+++++++++++<+++++++++++"), 0);
    assert_int_equal(run_of_hits("-++++++++++++-"), 1);
    assert_int_equal(run_of_hits("=====.......====="), 0);
}

/* Only the last of ten instances has hits that never fall back. prfcheck follows enough instances
 * to find it. */
static void test_validate_hits_of_one_in_a_crowd_found(void **state)
{
    static wire w[2];
    prfdata_validate_run run = {0};
    prfdata_findings findings;

    (void)state;
    for (uint32_t round = 0; round < 30; round++) {
        prfdata_validate_reply older;
        prfdata_validate_reply newer;
        size_t object;

        w[0] = w[1];
        memset(&w[1], 0, sizeof w[1]);
        object = wire_object(&w[1], 200, 2, 10, 0);
        wire_counter(&w[1], 202, PERF_SAMPLE_FRACTION, 4, 8);
        wire_counter(&w[1], 204, PERF_SAMPLE_BASE, 4, 12);
        for (uint32_t i = 0; i < 10; i++) {
            const uint32_t ahead = i == 9 ? round : (round + i) % 4;
            const char name[] = {(char)('a' + i), 0};
            size_t block;

            wire_instance(&w[1], 0, 0, PERF_NO_UNIQUE_ID, name);
            block = wire_values(&w[1]);
            wire_put32(&w[1], 0);
            wire_put32(&w[1], 100 * round + ahead);
            wire_put32(&w[1], 100 * round);
            wire_values_end(&w[1], block);
        }
        wire_object_end(&w[1], object);
        if (round == 0)
            continue;
        older = reply_of(&w[0]);
        newer = reply_of(&w[1]);
        assert_int_equal(prfdata_validate_run_add(&run, &older, &newer), 0);
    }
    prfdata_findings_init(&findings);
    prfdata_validate_run_end(&run, &findings);
    assert_int_equal(findings.totals[RULE(FRACTION_ABOVE)], 1);
}

static void test_validate_names_that_never_stay_found(void **state)
{
    static const char *const first[] = {"_Total", "one", "two"};
    static const char *const next[] = {"_Total", "three", "four"};
    static const char *const some[] = {"_Total", "one", "four"};
    wire a;
    wire b;
    wire c;

    (void)state;
    make_family(&a, first, 3);
    make_family(&b, next, 3);
    make_family(&c, some, 3);
    assert_int_equal(run_of(&a, &b, 9, 9, RULE(NAMES_NEW)), 1);
    assert_int_equal(run_of(&a, &b, 8, 8, RULE(NAMES_NEW)), 0);   /* too few pairs to tell */
    assert_int_equal(run_of(&a, &b, 20, 19, RULE(NAMES_NEW)), 0); /* the names stayed in one pair */
    assert_int_equal(run_of(&a, &c, 20, 20, RULE(NAMES_NEW)), 0); /* one name stays */
    make_family(&b, next, 1);
    /* Object 300 of the second reply has only _Total. */
    assert_int_equal(run_of(&a, &b, 20, 20, RULE(NAMES_NEW)), 0);
}

static void test_validate_parents_that_change_places_found(void **state)
{
    static const char *const first[] = {"one", "two"};
    static const char *const next[] = {"two", "one"};
    static const char *const others[] = {"three", "two"};
    wire a;
    wire b;

    (void)state;
    make_family(&a, first, 2);
    make_family(&b, next, 2);
    assert_int_equal(run_of(&a, &b, 9, 9, RULE(PARENT_CHANGED)), 1);
    assert_int_equal(run_of(&a, &b, 16, 4, RULE(PARENT_CHANGED)), 1);
    assert_int_equal(run_of(&a, &b, 20, 4, RULE(PARENT_CHANGED)), 0);
    assert_int_equal(run_of(&a, &b, 9, 3, RULE(PARENT_CHANGED)), 0);
    for (size_t i = 0; i < 2; i++) /* the positions of the children's parents change, too */
        wire_patch32(&b, b.used - 40 * (2 - i) + 8, 1 - (uint32_t)i);
    assert_int_equal(run_of(&a, &b, 9, 9, RULE(PARENT_CHANGED)), 0);
    make_family(&b, others, 2); /* the child's parent is gone */
    assert_int_equal(run_of(&a, &b, 9, 9, RULE(PARENT_CHANGED)), 0);
}

/* ---- Replies to two queries ---- */

static void test_validate_values_that_are_0_by_index_found(void **state)
{
    static const struct {
        uint64_t all[2];
        uint64_t asked[2];
        uint32_t title;
    } replies[] = {
        {{5, 7}, {0, 0}, 200}, {{5, 0}, {0, 0}, 200}, {{5, 7}, {5, 0}, 0},
        {{5, 7}, {0, 8}, 0},   {{0, 0}, {0, 0}, 0},   {{0, 0}, {5, 7}, 0},
    };
    wire w[2];

    (void)state;
    for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
        prfdata_validate_reply all;
        prfdata_validate_reply asked;

        make_pair(&w[0], "i", PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_LARGE_RAWCOUNT, 8,
                  replies[i].all[0], replies[i].all[1]);
        make_pair(&w[1], "i", PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_LARGE_RAWCOUNT, 8,
                  replies[i].asked[0], replies[i].asked[1]);
        all = reply_of(&w[0]);
        asked = reply_of(&w[1]);
        assert_int_equal(prfdata_validate_asked_zero(&all, &asked), replies[i].title);
    }
}

/* The reply uses the titles 200, 202 and 204. Each row has the first title of a service and the
 * number of its titles. */
static void test_validate_titles_that_are_hardly_used_found(void **state)
{
    static const struct {
        uint32_t first;
        uint32_t count;
        bool is_right;
    } services[] = {{200, 3, true},   {200, 34, true},  {200, 35, false},
                    {198, 35, false}, {200, 36, false}, {300, 31, true},
                    {300, 32, false}, {202, 33, true},  {202, 34, false}};
    prfdata_validate_reply reply;
    wire w;

    (void)state;
    make_pair(&w, "i", PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, 0);
    reply = reply_of(&w);
    for (size_t i = 0; i < sizeof services / sizeof services[0]; i++) {
        static prfdata_validate_titles_seen seen;
        prfdata_findings findings;

        memset(&seen, 0, sizeof seen);
        seen.first = services[i].first;
        seen.count = services[i].count;
        assert_int_equal(prfdata_validate_titles_add(&seen, &reply), 0);
        prfdata_findings_init(&findings);
        prfdata_validate_titles_end(&seen, &findings);
        assert_int_equal(findings.totals[RULE(TITLES_UNUSED)], !services[i].is_right);
    }
}

/* If at least a third of all titles are used, unused titles are no finding, however many. */
static void test_validate_titles_of_which_a_third_is_used_pass(void **state)
{
    static prfdata_validate_titles_seen seen;
    prfdata_findings findings;

    (void)state;
    seen.first = 200;
    seen.count = 300;
    for (uint32_t i = 0; i < 100; i++)
        seen.is_seen[i] = true;
    prfdata_findings_init(&findings);
    prfdata_validate_titles_end(&seen, &findings);
    assert_int_equal(prfdata_findings_total(&findings), 0);
    for (uint32_t i = 80; i < 100; i++) /* now 80 of 300 titles are used */
        seen.is_seen[i] = false;
    prfdata_validate_titles_end(&seen, &findings);
    assert_int_equal(prfdata_findings_total(&findings), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validate_values_that_are_0_by_index_found),
        cmocka_unit_test(test_validate_titles_that_are_hardly_used_found),
        cmocka_unit_test(test_validate_titles_of_which_a_third_is_used_pass),
        cmocka_unit_test(test_validate_start_must_not_grow_as_the_clock_does),
        cmocka_unit_test(test_validate_names_other_finds_an_object_without_a_common_name),
        cmocka_unit_test(test_validate_names_numbered_finds_the_number_of_the_process),
        cmocka_unit_test(test_validate_start_must_be_on_the_objects_clock),
        cmocka_unit_test(test_validate_stamp_must_be_of_the_types_clock),
        cmocka_unit_test(test_validate_stamp_of_one_of_many_may_be_slow),
        cmocka_unit_test(test_validate_timer_must_not_outrun_its_clock),
        cmocka_unit_test(test_validate_hits_must_not_outgrow_samples),
        cmocka_unit_test(test_validate_fraction_above_its_base_four_times_found),
        cmocka_unit_test(test_validate_two_fractions_above_their_bases_are_two_findings),
        cmocka_unit_test(test_validate_average_must_not_grow_without_its_base),
        cmocka_unit_test(test_validate_hits_that_outgrow_samples_twelve_times_found),
        cmocka_unit_test(test_validate_hits_of_one_in_a_crowd_found),
        cmocka_unit_test(test_validate_frequency_that_changes_found),
        cmocka_unit_test(test_validate_value_of_what_was_gone_is_another_rules),
        cmocka_unit_test(test_validate_names_that_never_stay_found),
        cmocka_unit_test(test_validate_parents_that_change_places_found),
    };

    return cmocka_run_group_tests_name("validate_value", tests, NULL, NULL);
}
