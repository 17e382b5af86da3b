/* SPDX-License-Identifier: MIT */
/* Tests every rule about the bytes of a reply, by one named change to a valid reply. It also checks
 * every truncated reply and every corrupt byte; the sanitizers watch. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/wire.h"
#include "validate/validate_run.h"

/* ---- Valid replies ---- */

/* The worked example: object 100 with four counters, instances "ab" and "longer". */
enum {
    COUNTERS = 64,
    FIRST = 224, /* the first instance; its name is at 248 */
    FIRST_BLOCK = 256,
    SECOND = 296,
    SECOND_BLOCK = 336,
    WORKED_END = 376
};

static void worked(wire *w)
{
    memset(w, 0, sizeof *w);
    wire_worked_example(w, 10);
}

/* Object 200 without instances has a value, a fraction, a multi timer, an elapsed time on the
 * object's clock, and a second value. */
enum { LONE_BLOCK = 64 + 7 * 40, LONE_END = LONE_BLOCK + 56 };

static void lone(wire *w)
{
    size_t object;
    size_t values;

    memset(w, 0, sizeof *w);
    object = wire_object(w, 200, 7, PERF_NO_INSTANCES, 0);
    wire_counter(w, 202, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(w, 204, PERF_RAW_FRACTION, 4, 8);
    wire_counter(w, 0, PERF_RAW_BASE, 4, 12);
    wire_counter(w, 206, PERF_COUNTER_MULTI_TIMER, 8, 16);
    wire_counter(w, 0, PERF_COUNTER_MULTI_BASE, 8, 24);
    wire_counter(w, 208, PERF_ELAPSED_TIME, 8, 32);
    wire_counter(w, 210, PERF_COUNTER_LARGE_DELTA, 8, 40);
    values = wire_values(w);
    for (uint32_t i = 0; i < 11; i++)
        /* The start is 0, so the elapsed time has not begun. */
        wire_put32(w, i % 2 || i > 6 ? 0 : i);
    wire_put32(w, 0);
    wire_put32(w, 0);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

/* Object 300 with instances P and Q, object 310 with x below Q and number 7 without a parent. */
enum { PARENT_END = 184, CHILD_X = PARENT_END + 104, CHILD_7 = CHILD_X + 48 };

static void family_of(wire *w, bool swapped, uint32_t value)
{
    static const char *const names[] = {"P", "Q"};
    size_t object;
    size_t values;

    memset(w, 0, sizeof *w);
    object = wire_object(w, 300, 1, 2, 0);
    wire_counter(w, 302, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < 2; i++) {
        wire_instance(w, 0, 0, PERF_NO_UNIQUE_ID, names[swapped ? 1 - i : i]);
        wire_value32(w, i);
    }
    wire_object_end(w, object);

    object = wire_object(w, 310, 1, 2, 0);
    wire_counter(w, 312, PERF_COUNTER_COUNTER, 4, 4);
    wire_instance(w, 300, swapped ? 0 : 1, PERF_NO_UNIQUE_ID, "x");
    values = wire_values(w);
    wire_put32(w, value);
    wire_put64(w, 0);
    wire_values_end(w, values);
    wire_instance(w, 0, 0, 7, NULL);
    wire_value32(w, value);
    wire_object_end(w, object);
}

static void family(wire *w)
{
    family_of(w, false, 5);
}

/* Object 400, which has no instances now. */
static void empty(wire *w)
{
    size_t object;

    memset(w, 0, sizeof *w);
    object = wire_object(w, 400, 1, 0, 0);
    wire_counter(w, 402, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_object_end(w, object);
}

typedef struct base {
    void (*write)(wire *w);
    uint32_t object_count;
} base;

static const base WORKED = {worked, 1};
static const base LONE = {lone, 1};
static const base FAMILY = {family, 2};
static const base EMPTY = {empty, 1};

/* ---- Checking ---- */

static const prfdata_validate_titles titles = {100, 500, 101, 501};

static uint32_t check(const unsigned char *bytes, size_t size, uint32_t object_count, bool metadata,
                      prfdata_findings *findings)
{
    prfdata_validate_reply reply = {bytes, size, object_count};

    prfdata_findings_init(findings);
    return prfdata_validate_structure(&reply, &titles, metadata, findings);
}

static void validate_wire(const wire *w, uint32_t object_count, prfdata_findings *findings)
{
    assert_int_equal(check(w->bytes, w->used, object_count, false, findings), 0);
}

/* Begin a reply of one object, with a RAWCOUNT of 4 bytes. */
static size_t begin_rawcounts(wire *w, uint32_t title, int32_t instance_count, uint32_t code_page)
{
    size_t object;

    memset(w, 0, sizeof *w);
    object = wire_object(w, title, 1, instance_count, code_page);
    wire_counter(w, title + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    return object;
}

static bool has(const prfdata_findings *findings, prfdata_rule rule, size_t offset)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->items[i].rule == rule && findings->items[i].offset == offset)
            return true;
    }
    return false;
}

static void show(const prfdata_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        print_message("  found %s at %u: %s\n", prfdata_rules_about(findings->items[i].rule)->name,
                      (unsigned)findings->items[i].offset, findings->items[i].text);
}

static void expect(const prfdata_findings *findings, prfdata_rule rule, size_t offset, bool alone,
                   const char *what)
{
    if (!has(findings, rule, offset) || (alone && prfdata_findings_total(findings) != 1)) {
        show(findings);
        fail_msg("%s: expected %s at %u%s", what, prfdata_rules_about(rule)->name, (unsigned)offset,
                 alone ? " alone" : "");
    }
}

static void expect_clean(const prfdata_findings *findings, const char *what)
{
    if (prfdata_findings_total(findings) != 0) {
        show(findings);
        fail_msg("%s: expected no finding", what);
    }
}

static void test_validate_right_replies_pass(void **state)
{
    static const base *const bases[] = {&WORKED, &LONE, &FAMILY, &EMPTY};
    prfdata_findings findings;
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        bases[i]->write(&w);
        validate_wire(&w, bases[i]->object_count, &findings);
        expect_clean(&findings, "a right reply");
    }
    assert_int_equal(check(w.bytes, 0, 0, false, &findings), 0);
    expect_clean(&findings, "an empty reply");
}

static void test_validate_bounds_of_definitions_pass(void **state)
{
    static const struct {
        const char *what;
        const base *of;
        size_t at;
        uint32_t value;
    } bounds[] = {
        {"scale 7", &WORKED, COUNTERS + 20, 7},
        {"scale -7", &WORKED, COUNTERS + 20, 0xFFFFFFF9},
        {"default counter is the last", &LONE, 36, 6},
        {"no default counter", &WORKED, 36, 0xFFFFFFFF},
    };
    prfdata_findings findings;
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        bounds[i].of->write(&w);
        memcpy(w.bytes + bounds[i].at, &bounds[i].value, sizeof bounds[i].value);
        validate_wire(&w, bounds[i].of->object_count, &findings);
        expect_clean(&findings, bounds[i].what);
    }
}

/* ---- One change breaks one rule ---- */

enum { ALONE = 1 };

typedef struct validate_change {
    const char *what;
    const base *of;
    size_t at;
    size_t bytes; /* 2 or 4 bytes */
    uint32_t value;
    prfdata_rule rule;
    size_t offset;
    int alone;
} validate_change;

#define RULE(name) PRFDATA_RULE_##name

static const validate_change changes[] = {
    {"total too small for a header", &WORKED, 0, 4, 63, RULE(OBJECT_LENGTH), 0, ALONE},
    {"total beyond the reply", &WORKED, 0, 4, 384, RULE(OBJECT_LENGTH), 0, ALONE},
    {"total 8 bytes short", &WORKED, 0, 4, 368, RULE(OBJECT_LENGTH), 368, 0},
    {"total 4 bytes short", &LONE, 0, 4, LONE_END - 4, RULE(OBJECT_ALIGNMENT), 0, 0},
    {"first of two totals short", &FAMILY, 0, 4, PARENT_END - 8, RULE(OBJECT_LENGTH),
     PARENT_END - 8, 0},
    {"definition length 40 too much", &WORKED, 4, 4, 264, RULE(DEFINITION_LENGTH), 4, ALONE},
    {"definition length 0", &LONE, 4, 4, 0, RULE(DEFINITION_LENGTH), 4, ALONE},
    {"header length 72", &WORKED, 8, 4, 72, RULE(HEADER_LENGTH), 8, 0},
    {"header length 0", &WORKED, 8, 4, 0, RULE(HEADER_LENGTH), 8, ALONE},
    {"odd name index", &WORKED, 12, 4, 101, RULE(TITLE_PARITY), 12, ALONE},
    {"no name index", &WORKED, 12, 4, 0, RULE(TITLE_PARITY), 12, ALONE},
    {"name index below the service's", &WORKED, 12, 4, 98, RULE(TITLE_RANGE), 12, ALONE},
    {"name index above the service's", &WORKED, 12, 4, 502, RULE(TITLE_RANGE), 12, ALONE},
    {"even help index", &WORKED, 20, 4, 102, RULE(TITLE_PARITY), 20, ALONE},
    {"help index below the service's", &WORKED, 20, 4, 99, RULE(TITLE_RANGE), 20, ALONE},
    {"help index above the service's", &WORKED, 20, 4, 503, RULE(TITLE_RANGE), 20, ALONE},
    {"help of another object", &WORKED, 20, 4, 103, RULE(HELP_INDEX), 20, ALONE},
    {"title pointer", &WORKED, 16, 4, 1, RULE(TITLE_POINTER), 16, ALONE},
    {"help pointer", &WORKED, 24, 4, 1, RULE(TITLE_POINTER), 24, ALONE},
    {"detail level 1", &WORKED, 28, 4, 1, RULE(DETAIL_LEVEL), 28, ALONE},
    {"detail level above the counters'", &WORKED, 28, 4, 200, RULE(DETAIL_LEVEL), 28, ALONE},
    {"one counter too many", &WORKED, 32, 4, 5, RULE(COUNTER_LENGTH), FIRST, ALONE},
    {"one counter too few", &WORKED, 32, 4, 3, RULE(DEFINITION_LENGTH), 4, 0},
    {"a billion counters", &EMPTY, 32, 4, 1000000000, RULE(DEFINITION_LENGTH), 32, ALONE},
    {"no counters", &EMPTY, 32, 4, 0, RULE(COUNTER_NONE), 32, 0},
    {"default counter after the last", &WORKED, 36, 4, 4, RULE(DEFAULT_LOST), 36, ALONE},
    {"default counter -2", &WORKED, 36, 4, 0xFFFFFFFE, RULE(DEFAULT_LOST), 36, ALONE},
    {"default counter is another's title", &WORKED, 36, 4, 120, RULE(DEFAULT_LOST), 36, ALONE},
    {"default counter is a base", &LONE, 36, 4, 2, RULE(DEFAULT_LOST), 36, ALONE},
    {"default counter by title", &WORKED, 36, 4, 102, RULE(DEFAULT_COUNTER), 36, ALONE},
    {"one instance too many", &WORKED, 40, 4, 3, RULE(INSTANCE_COUNT), 40, ALONE},
    {"a billion instances", &WORKED, 40, 4, 1000000000, RULE(INSTANCE_COUNT), 40, ALONE},
    {"one instance too few", &WORKED, 40, 4, 1, RULE(INSTANCE_WALK), SECOND, ALONE},
    {"-4 instances", &WORKED, 40, 4, 0xFFFFFFFC, RULE(INSTANCE_COUNT), 40, ALONE},
    {"metadata not asked for", &WORKED, 40, 4, 0xFFFFFFFE, RULE(INSTANCE_COUNT), 40, ALONE},
    {"none of the instances that are there", &WORKED, 40, 4, 0, RULE(EMPTY_TAIL), FIRST, ALONE},
    {"code page", &EMPTY, 44, 4, 1252, RULE(CODE_PAGE), 44, ALONE},
    {"no object frequency", &LONE, 56, 4, 0, RULE(OBJECT_CLOCK), 56, ALONE},

    {"definition of 44 bytes", &WORKED, COUNTERS, 4, 44, RULE(COUNTER_LENGTH), COUNTERS, 0},
    {"definition of 0 bytes", &WORKED, COUNTERS, 4, 0, RULE(COUNTER_LENGTH), COUNTERS, 0},
    {"odd counter name", &WORKED, COUNTERS + 4, 4, 103, RULE(TITLE_PARITY), COUNTERS + 4, ALONE},
    {"foreign counter name", &WORKED, COUNTERS + 4, 4, 600, RULE(TITLE_RANGE), COUNTERS + 4, ALONE},
    {"even counter help", &WORKED, COUNTERS + 12, 4, 102, RULE(TITLE_PARITY), COUNTERS + 12, ALONE},
    {"foreign counter help", &WORKED, COUNTERS + 12, 4, 601, RULE(TITLE_RANGE), COUNTERS + 12,
     ALONE},
    {"help of another counter", &WORKED, COUNTERS + 12, 4, 105, RULE(HELP_INDEX), COUNTERS + 12,
     ALONE},
    {"counter pointer", &WORKED, COUNTERS + 8, 4, 8, RULE(TITLE_POINTER), COUNTERS + 8, ALONE},
    {"scale 8", &WORKED, COUNTERS + 20, 4, 8, RULE(COUNTER_SCALE), COUNTERS + 20, ALONE},
    {"scale -8", &WORKED, COUNTERS + 20, 4, 0xFFFFFFF8, RULE(COUNTER_SCALE), COUNTERS + 20, ALONE},
    {"detail level 401", &WORKED, 28, 4, 401, RULE(DETAIL_UNLISTED), 28, 0},
    {"counter level 401", &WORKED, COUNTERS + 24, 4, 401, RULE(DETAIL_UNLISTED), COUNTERS + 24, 0},
    {"counter level 50", &WORKED, COUNTERS + 24, 4, 50, RULE(DETAIL_LEVEL), COUNTERS + 24, 0},
    {"unknown type", &WORKED, COUNTERS + 28, 4, 0x00990500, RULE(COUNTER_TYPE), COUNTERS + 28,
     ALONE},
    {"size 4 of a type of 8", &WORKED, COUNTERS + 32, 4, 4, RULE(COUNTER_SIZE), COUNTERS + 32,
     ALONE},
    {"size 8 of a type of 4", &WORKED, COUNTERS + 40 + 32, 4, 8, RULE(COUNTER_SIZE),
     COUNTERS + 40 + 32, ALONE},
    {"size 2", &WORKED, COUNTERS + 32, 4, 2, RULE(COUNTER_SIZE), COUNTERS + 32, ALONE},
    {"value in ByteLength", &WORKED, COUNTERS + 36, 4, 0, RULE(COUNTER_IN_LENGTH), COUNTERS + 36,
     ALONE},
    {"value half in ByteLength", &WORKED, COUNTERS + 36, 4, 3, RULE(COUNTER_IN_LENGTH),
     COUNTERS + 36, ALONE},
    {"value after the block", &WORKED, COUNTERS + 36, 4, 40, RULE(COUNTER_OUTSIDE), COUNTERS + 36,
     ALONE},
    {"value half outside the block", &LONE, COUNTERS + 36, 4, 54, RULE(COUNTER_OUTSIDE),
     COUNTERS + 36, 0},
    {"value far after the block", &WORKED, COUNTERS + 36, 4, 0xFFFFFFF8, RULE(COUNTER_OUTSIDE),
     COUNTERS + 36, ALONE},
    {"value of 8 at 4", &WORKED, COUNTERS + 36, 4, 4, RULE(COUNTER_ALIGNMENT), COUNTERS + 36,
     ALONE},
    {"values overlap", &WORKED, COUNTERS + 40 + 36, 4, 12, RULE(COUNTER_OVERLAP),
     COUNTERS + 40 + 36, ALONE},
    {"one counter twice", &WORKED, COUNTERS + 40 + 4, 4, 102, RULE(COUNTER_TWICE),
     COUNTERS + 40 + 4, 0}, /* its help text is then that of another counter */
    {"fraction without base", &LONE, COUNTERS + 80 + 28, 4, PERF_COUNTER_RAWCOUNT_HEX,
     RULE(BASE_MISSING), COUNTERS + 40 + 28, 0},
    {"last counter without base", &WORKED, COUNTERS + 120 + 28, 4, PERF_RAW_BASE,
     RULE(BASE_MISSING), COUNTERS + 80 + 28, 0},
    {"base without counter", &LONE, COUNTERS + 40 + 28, 4, PERF_COUNTER_RAWCOUNT, RULE(BASE_ALONE),
     COUNTERS + 80 + 28, ALONE},
    {"base at the front", &LONE, COUNTERS + 28, 4, PERF_RAW_BASE, RULE(BASE_ALONE), COUNTERS + 28,
     0},
    {"second value of a multi timer elsewhere", &LONE, COUNTERS + 160 + 36, 4, 48,
     RULE(MULTI_SECOND), COUNTERS + 160 + 36, 0},

    {"a start centuries after PerfTime", &LONE, LONE_BLOCK + 36, 4, 8, RULE(ELAPSED_START),
     LONE_BLOCK + 32, ALONE},

    {"base 0 of a multi timer", &LONE, LONE_BLOCK + 28, 4, 0, RULE(MULTI_BASE), LONE_BLOCK + 24,
     ALONE},

    {"a level of -65536", &LONE, LONE_BLOCK + 4, 4, 0xFFFF0000, RULE(LEVEL_BELOW_ZERO),
     LONE_BLOCK + 4, ALONE},

    {"block of 52 bytes", &LONE, LONE_BLOCK, 4, 52, RULE(BLOCK_ALIGNMENT), LONE_BLOCK, 0},
    {"block of 0 bytes", &LONE, LONE_BLOCK, 4, 0, RULE(BLOCK_LENGTH), LONE_BLOCK, ALONE},
    {"block beyond the object", &LONE, LONE_BLOCK, 4, 64, RULE(BLOCK_LENGTH), LONE_BLOCK, ALONE},
    {"lone block short", &LONE, LONE_BLOCK, 4, 48, RULE(INSTANCE_WALK), LONE_END - 8, ALONE},
    {"last block beyond the object", &WORKED, SECOND_BLOCK, 4, 48, RULE(BLOCK_LENGTH), SECOND_BLOCK,
     ALONE},
    {"last block short", &WORKED, SECOND_BLOCK, 4, 36, RULE(INSTANCE_WALK), WORKED_END - 4, 0},
    {"instance of 8 bytes", &WORKED, FIRST, 4, 8, RULE(INSTANCE_LENGTH), FIRST, ALONE},
    {"instance beyond the object", &WORKED, SECOND, 4, 88, RULE(INSTANCE_LENGTH), SECOND, ALONE},
    {"instance of 44 bytes", &WORKED, SECOND, 4, 44, RULE(INSTANCE_ALIGNMENT), SECOND, 0},
    {"neither name nor number", &FAMILY, CHILD_7 + 12, 4, 0xFFFFFFFF, RULE(INSTANCE_NAMELESS),
     CHILD_7, ALONE},
    {"name in the structure", &WORKED, FIRST + 16, 4, 20, RULE(NAME_BOUNDS), FIRST + 16, 0},
    {"name after the definition", &WORKED, FIRST + 16, 4, 0xFFFFFFF0, RULE(NAME_BOUNDS), FIRST + 16,
     0},
    {"name longer than the definition", &WORKED, FIRST + 20, 4, 10, RULE(NAME_BOUNDS), FIRST + 16,
     0},
    {"name of four billion", &WORKED, FIRST + 20, 4, 0xFFFFFFFF, RULE(NAME_BOUNDS), FIRST + 16, 0},
    {"name not at 24", &WORKED, FIRST + 16, 4, 26, RULE(NAME_OFFSET), FIRST + 16, 0},
    {"name without NUL", &WORKED, FIRST + 20, 4, 4, RULE(NAME_END), FIRST + 20, ALONE},
    {"name of 5 bytes", &WORKED, FIRST + 20, 4, 5, RULE(NAME_END), FIRST + 20, ALONE},
    {"padding in NameLength", &WORKED, FIRST + 20, 4, 8, RULE(NAME_LENGTH), FIRST + 20, ALONE},
    {"backslash in a name", &WORKED, FIRST + 24, 2, '\\', RULE(NAME_CHARACTERS), FIRST + 24, ALONE},
    {"# in a name", &WORKED, FIRST + 26, 2, '#', RULE(NAME_CHARACTERS), FIRST + 24, ALONE},
    {"control character", &WORKED, FIRST + 26, 2, 0x85, RULE(NAME_CHARACTERS), FIRST + 24, ALONE},
    {"blank at a name's end", &WORKED, FIRST + 26, 2, ' ', RULE(NAME_BLANK), FIRST + 24, ALONE},
    {"a mark of direction in a name", &WORKED, FIRST + 26, 2, 0x202E, RULE(NAME_HIDDEN), FIRST + 24,
     ALONE},
    {"half a character", &WORKED, FIRST + 26, 2, 0xD83D, RULE(NAME_CHARACTERS), FIRST + 24, ALONE},
    {"the other half", &WORKED, FIRST + 24, 2, 0xDE00, RULE(NAME_CHARACTERS), FIRST + 24, ALONE},
    {"parent of an absent object", &FAMILY, CHILD_X + 4, 4, 330, RULE(PARENT_OBJECT), CHILD_X + 4,
     ALONE},
    {"parent after the last", &FAMILY, CHILD_X + 8, 4, 2, RULE(PARENT_INSTANCE), CHILD_X + 8,
     ALONE},
    {"one object twice", &FAMILY, PARENT_END + 12, 4, 300, RULE(OBJECT_TWICE), PARENT_END + 12, 0},
    {"number beside a name", &FAMILY, CHILD_X + 12, 4, 7, RULE(UNIQUE_ID), CHILD_X + 12, ALONE},
};

static void test_validate_one_change_breaks_one_rule(void **state)
{
    prfdata_findings findings;
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const validate_change *c = &changes[i];

        c->of->write(&w);
        for (size_t k = 0; k < c->bytes; k++)
            w.bytes[c->at + k] = (unsigned char)(c->value >> 8 * k);
        validate_wire(&w, c->of->object_count, &findings);
        expect(&findings, c->rule, c->offset, c->alone, c->what);
    }
}

/* Only a level of 32 bits is checked for being below 0. If the length of a level is wrong, only the
 * length is reported. */
static void test_validate_level_of_the_wrong_length(void **state)
{
    prfdata_findings findings;
    size_t object;
    wire w;

    (void)state;
    memset(&w, 0, sizeof w);
    object = wire_object(&w, 200, 1, PERF_NO_INSTANCES, 0);
    wire_counter(&w, 202, PERF_COUNTER_RAWCOUNT, 8, 8);
    wire_value64(&w, 0x1FFFFFFFF);
    wire_object_end(&w, object);
    validate_wire(&w, 1, &findings);
    expect(&findings, RULE(COUNTER_SIZE), COUNTERS + 32, true, "a level of 8 bytes");
}

/* If a type does not fix the length, the definition states it. A text may then have any length, and
 * a number may have 4 or 8 bytes. */
static void test_validate_size_of_a_type_of_variable_length(void **state)
{
    static const struct {
        uint32_t type;
        uint32_t size;
        bool is_right;
    } sizes[] = {
        {PERF_COUNTER_TEXT, 1, true}, {PERF_COUNTER_TEXT, 16, true}, {0x00000300, 4, true},
        {0x00000300, 8, true},        {0x00000300, 2, false},        {0x00000300, 16, false},
        {0x00000700, 0, false},
    };
    prfdata_findings findings;

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t object;
        size_t values;
        wire w;

        memset(&w, 0, sizeof w);
        object = wire_object(&w, 200, 1, PERF_NO_INSTANCES, 0);
        wire_counter(&w, 202, sizes[i].type, sizes[i].size, 8);
        values = wire_values(&w);
        for (uint32_t k = 0; k < 5; k++)
            wire_put32(&w, 0);
        wire_values_end(&w, values);
        wire_object_end(&w, object);
        validate_wire(&w, 1, &findings);
        if (sizes[i].is_right != !findings.totals[PRFDATA_RULE_COUNTER_SIZE] ||
            (!sizes[i].is_right && !has(&findings, PRFDATA_RULE_COUNTER_SIZE, COUNTERS + 32))) {
            show(&findings);
            fail_msg("type 0x%08X, size %u", (unsigned)sizes[i].type, (unsigned)sizes[i].size);
        }
    }
}

static void test_validate_wrong_object_count_found(void **state)
{
    prfdata_findings findings;
    wire w;

    (void)state;
    family(&w);
    validate_wire(&w, 3, &findings);
    expect(&findings, RULE(OBJECT_COUNT), w.used, true, "one too many");
    validate_wire(&w, 1, &findings);
    expect(&findings, RULE(OBJECT_COUNT), PARENT_END, true, "one too few");
    validate_wire(&w, 0xFFFFFFFF, &findings);
    expect(&findings, RULE(OBJECT_COUNT), w.used, true, "four billion");
    check(w.bytes, 0, 1, false, &findings);
    expect(&findings, RULE(OBJECT_COUNT), 0, true, "one of nothing");
}

static void test_validate_same_names_found_ignoring_case(void **state)
{
    prfdata_findings findings;
    wire w;
    size_t object;

    (void)state;
    object = begin_rawcounts(&w, 100, 4, 0);
    for (size_t i = 0; i < 4; i++) {
        static const char *const names[] = {"same", "x", "SAME", "y"};

        wire_instance(&w, 0, 0, PERF_NO_UNIQUE_ID, names[i]);
        wire_value32(&w, 0);
    }
    wire_object_end(&w, object);
    validate_wire(&w, 1, &findings);
    expect(&findings, RULE(NAME_TWICE), 104 + 48 + 40, true, "same and SAME");

    family(&w);
    wire_patch32(&w, 104 + 40 + 24, 'p'); /* now the names are P and p */
    validate_wire(&w, 2, &findings);
    expect(&findings, RULE(NAME_TWICE), 104 + 40, true, "P and p");
}

static void test_validate_names_beside_numbers_found_unless_it_is_the_total(void **state)
{
    static const struct {
        const char *names[3]; /* NULL: the instance has only a number */
        int32_t mixed;        /* index of the name that the finding is about; -1: no finding */
    } objects[] = {
        {{"a", "b", "c"}, -1},      {{NULL, NULL, NULL}, -1},     {{"a", NULL, "c"}, 0},
        {{NULL, NULL, "a"}, 2},     {{"_Total", NULL, NULL}, -1}, {{NULL, "_Total", NULL}, -1},
        {{"_Total", "a", NULL}, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        prfdata_findings findings;
        size_t at[3];
        size_t object;
        wire w;

        object = begin_rawcounts(&w, 100, 3, 0);
        for (size_t k = 0; k < 3; k++) {
            const char *name = objects[i].names[k];

            at[k] = w.used;
            wire_instance(&w, 0, 0, name ? PERF_NO_UNIQUE_ID : 5 + (int32_t)k, name);
            wire_value32(&w, 0);
        }
        wire_object_end(&w, object);
        validate_wire(&w, 1, &findings);
        if (objects[i].mixed < 0)
            expect_clean(&findings, "all of one kind");
        else
            expect(&findings, RULE(NAME_MIXED), at[objects[i].mixed], true, "two kinds");
    }
}

/* Names must differ below one parent. Below two parents, instances may have the same name. */
static void test_validate_same_name_below_two_parents_passes(void **state)
{
    prfdata_findings findings;
    size_t at[2];
    size_t object;
    wire w;

    (void)state;
    family(&w);
    object = wire_object(&w, 320, 1, 2, 0);
    wire_counter(&w, 322, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < 2; i++) {
        at[i] = wire_instance(&w, 300, i, PERF_NO_UNIQUE_ID, "x");
        wire_value32(&w, 0);
    }
    wire_object_end(&w, object);
    validate_wire(&w, 3, &findings);
    expect_clean(&findings, "x of P and x of Q");
    wire_patch32(&w, at[1] + 8, 0);
    validate_wire(&w, 3, &findings);
    expect(&findings, RULE(NAME_TWICE), at[1], true, "x of P and x of P");
}

/* The rule that all instances have names, or that all have numbers, is about the instances of one
 * parent. */
static void test_validate_name_and_number_below_two_parents_pass(void **state)
{
    prfdata_findings findings;
    wire w;

    (void)state;
    family(&w);
    wire_patch32(&w, CHILD_7 + 4, 300);
    validate_wire(&w, 2, &findings);
    expect_clean(&findings, "x of Q and 7 of P");
    wire_patch32(&w, CHILD_7 + 8, 1);
    validate_wire(&w, 2, &findings);
    expect(&findings, RULE(NAME_MIXED), CHILD_X, true, "x of Q and 7 of Q");
}

/* The parent of an instance may be in the instance's own object, but no chain of parents may return
 * to where it began. */
static void test_validate_no_instance_is_its_own_ancestor(void **state)
{
    enum { P = 104, Q = 144 };
    prfdata_findings findings;
    wire w;

    (void)state;
    family(&w);
    wire_patch32(&w, P + 4, 300);
    wire_patch32(&w, P + 8, 1);
    validate_wire(&w, 2, &findings);
    expect_clean(&findings, "P below Q");
    wire_patch32(&w, Q + 4, 300);
    wire_patch32(&w, Q + 8, 1);
    validate_wire(&w, 2, &findings);
    expect(&findings, RULE(PARENT_INSTANCE), Q + 8, true, "Q below itself, and P below Q");
    wire_patch32(&w, Q + 8, 0);
    validate_wire(&w, 2, &findings);
    expect(&findings, RULE(PARENT_INSTANCE), P + 8, false, "P below Q, and Q below P");
    assert_int_equal(findings.totals[RULE(PARENT_INSTANCE)], 2);
}

/* The NameOffset of an instance without a name is 0 or 24. The ParentObjectInstance of an instance
 * without a parent may have any value, here UINT32_MAX. */
static void test_validate_number_passes_with_and_without_an_empty_name(void **state)
{
    prfdata_findings findings;
    wire w;

    (void)state;
    for (int32_t number = 7; number < 9; number++) {
        size_t object;

        object = begin_rawcounts(&w, 100, 2, 0);
        for (int32_t i = 0; i < 2; i++) {
            if (number == 7)
                wire_instance(&w, 0, 0, number + i, NULL);
            else
                wire_numbered_instance(&w, number + i);
            wire_value32(&w, 0);
        }
        wire_object_end(&w, object);
        validate_wire(&w, 1, &findings);
        expect_clean(&findings, number == 7 ? "without" : "with");
    }
}

static void test_validate_names_of_a_code_page_end_with_one_byte(void **state)
{
    prfdata_findings findings;
    size_t instance;
    size_t object;
    wire w;

    (void)state;
    object = begin_rawcounts(&w, 100, 1, 1252);
    instance = wire_ansi_instance(&w, "name");
    wire_value32(&w, 0);
    wire_object_end(&w, object);
    validate_wire(&w, 1, &findings);
    expect(&findings, RULE(CODE_PAGE), 44, true, "a code page");
    wire_patch32(&w, instance + 20, 4);
    validate_wire(&w, 1, &findings);
    expect(&findings, RULE(NAME_END), instance + 20, false, "without NUL");
}

static void test_validate_long_name_noted(void **state)
{
    prfdata_findings findings;
    char name[129];
    size_t object;
    wire w;

    (void)state;
    memset(name, 'n', sizeof name);
    for (size_t length = 127; length <= 128; length++) {
        name[length] = '\0';
        object = begin_rawcounts(&w, 100, 1, 0);
        wire_instance(&w, 0, 0, -1, name);
        wire_value32(&w, 0);
        wire_object_end(&w, object);
        name[length] = 'n';
        validate_wire(&w, 1, &findings);
        if (length == 127)
            expect_clean(&findings, "127 characters");
        else
            expect(&findings, RULE(NAME_LONG), 124, true, "128 characters");
    }
}

static void test_validate_metadata_has_definitions_only(void **state)
{
    prfdata_findings findings;
    wire w;

    (void)state;
    empty(&w);
    wire_patch32(&w, 40, (uint32_t)PERF_METADATA_MULTIPLE_INSTANCES);
    check(w.bytes, w.used, 1, true, &findings);
    expect_clean(&findings, "metadata");
    wire_patch32(&w, 40, 0);
    check(w.bytes, w.used, 1, true, &findings);
    expect(&findings, RULE(METADATA_INSTANCES), 40, true, "0 instances");

    worked(&w);
    check(w.bytes, w.used, 1, true, &findings);
    expect(&findings, RULE(METADATA_INSTANCES), 40, true, "2 instances");
    wire_patch32(&w, 40, (uint32_t)PERF_METADATA_MULTIPLE_INSTANCES);
    check(w.bytes, w.used, 1, true, &findings);
    expect(&findings, RULE(METADATA_INSTANCES), 40, true, "bytes behind the definitions");
}

/* If no title index of the service is known, no index is out of range. If only the first one is
 * known, an index below it is out of range. */
static void test_validate_only_known_titles_limit_indexes(void **state)
{
    static const prfdata_validate_titles from = {150, 0, 151, 0};
    prfdata_findings findings;
    prfdata_validate_reply reply;
    wire w;

    (void)state;
    worked(&w);
    reply.bytes = w.bytes;
    reply.size = w.used;
    reply.object_count = 1;
    prfdata_findings_init(&findings);
    prfdata_validate_structure(&reply, NULL, false, &findings);
    expect_clean(&findings, "no titles");
    prfdata_validate_structure(&reply, &from, false, &findings);
    expect(&findings, RULE(TITLE_RANGE), 12, false, "only the first index known");
}

static void test_validate_findings_are_bounded_and_counted(void **state)
{
    prfdata_findings findings;
    size_t object;
    wire w;

    (void)state;
    object = begin_rawcounts(&w, 100, 50, 0);
    for (size_t i = 0; i < 50; i++) {
        wire_instance(&w, 0, 0, -1, "same");
        wire_value32(&w, 0);
    }
    wire_object_end(&w, object);
    validate_wire(&w, 1, &findings);
    assert_int_equal(findings.totals[RULE(NAME_TWICE)], 49);
    assert_int_equal(findings.count, PRFDATA_FINDINGS_KEPT);
    assert_int_equal(prfdata_findings_total(&findings), 49);
}

static void test_validate_next_object_walks_the_chain(void **state)
{
    prfdata_validate_reply reply;
    size_t offset = 0;
    uint32_t title = 0;
    uint32_t parent = 0;
    wire w;

    (void)state;
    family(&w);
    reply.bytes = w.bytes;
    reply.size = w.used;
    reply.object_count = 2;
    assert_true(prfdata_validate_next_object(&reply, &offset, &title, &parent));
    assert_int_equal(offset, PARENT_END);
    assert_int_equal(title, 300);
    assert_int_equal(parent, 0);
    assert_true(prfdata_validate_next_object(&reply, &offset, &title, &parent));
    assert_int_equal(offset, w.used);
    assert_int_equal(title, 310);
    assert_int_equal(parent, 300);
    assert_false(prfdata_validate_next_object(&reply, &offset, &title, &parent));

    empty(&w);
    reply.size = w.used;
    offset = 0;
    assert_true(prfdata_validate_next_object(&reply, &offset, &title, &parent));
    assert_int_equal(parent, PRFDATA_VALIDATE_UNKNOWN);
}

/* Make object 320 with these instances, each with the title of its parent's object or 0. Returns
 * the title of the object that, according to prfcheck, has the parents. */
static uint32_t parent_among(const char *const *names, const uint32_t *parents, int32_t count)
{
    prfdata_validate_reply reply;
    size_t offset = 0;
    uint32_t title = 0;
    uint32_t parent = 0;
    size_t object;
    wire w;

    object = begin_rawcounts(&w, 320, count, 0);
    for (int32_t i = 0; i < count; i++) {
        wire_instance(&w, parents[i], 0, PERF_NO_UNIQUE_ID, names[i]);
        wire_value32(&w, 0);
    }
    wire_object_end(&w, object);
    reply.bytes = w.bytes;
    reply.size = w.used;
    reply.object_count = 1;
    assert_true(prfdata_validate_next_object(&reply, &offset, &title, &parent));
    return parent;
}

/* _Total has no parent, even in an object of children, so another instance tells which
 * object has the parents. */
static void test_validate_next_object_looks_past_total_for_a_parent(void **state)
{
    static const char *const names[] = {"_Total", "x", "y"};
    static const char *const others[] = {"one", "two"};
    static const char *const longer[] = {"_Totals"};
    static const uint32_t of_first[] = {0, 300, 300};
    static const uint32_t none[] = {0, 0, 0};

    (void)state;
    assert_int_equal(parent_among(names, of_first, 3), 300);
    assert_int_equal(parent_among(names, of_first, 1), PRFDATA_VALIDATE_UNKNOWN);
    assert_int_equal(parent_among(names, none, 2), 0);
    assert_int_equal(parent_among(others, none, 2), 0);
    assert_int_equal(parent_among(longer, none, 1), 0);
}

/* ---- From one reply to the next ---- */

static void change_of(const wire *older, const wire *newer, uint32_t object_count,
                      prfdata_findings *findings)
{
    prfdata_validate_reply was = {older->bytes, older->used, object_count};
    prfdata_validate_reply is = {newer->bytes, newer->used, object_count};

    prfdata_findings_init(findings);
    assert_int_equal(prfdata_validate_change(&was, &is, NULL, findings), 0);
}

static void test_validate_value_or_clock_backwards_found(void **state)
{
    static const struct {
        const char *what;
        size_t at;
        uint32_t bytes;
        uint32_t value;
        prfdata_rule rule; /* PRFDATA_RULE_COUNT: none */
    } later[] = {
        {"a rate, 10 before", FIRST_BLOCK + 8, 8, 9, RULE(VALUE_BACKWARDS)},
        {"the same rate", FIRST_BLOCK + 8, 8, 10, PRFDATA_RULE_COUNT},
        {"a gauge", FIRST_BLOCK + 16, 4, 0, PRFDATA_RULE_COUNT},
        {"an average, 31 before", SECOND_BLOCK + 24, 8, 30, RULE(VALUE_BACKWARDS)},
        {"its base, 41 before", SECOND_BLOCK + 32, 4, 40, RULE(VALUE_BACKWARDS)},
        {"PerfTime", 48, 8, 999, RULE(CLOCK_BACKWARDS)},
    };
    prfdata_findings findings;
    wire older;
    wire newer;

    (void)state;
    worked(&older);
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        newer = older;
        if (later[i].bytes == 8)
            wire_patch64(&newer, later[i].at, later[i].value);
        else
            wire_patch32(&newer, later[i].at, later[i].value);
        change_of(&older, &newer, 1, &findings);
        if (later[i].rule == PRFDATA_RULE_COUNT)
            expect_clean(&findings, later[i].what);
        else
            expect(&findings, later[i].rule, later[i].at, true, later[i].what);
    }
}

static void test_validate_value_may_pass_the_border_once(void **state)
{
    static const struct {
        uint64_t older;
        uint64_t newer;
        bool right;
    } of_4[] = {{0xFFFFFFF0, 5, true},  {21, 5, false},         {0, 0x7FFFFFFF, true},
                {0, 0x80000000, false}, {0x80000000, 0, false}, {0x80000001, 0, true}},
      of_8[] = {{UINT64_MAX, 0, true}, {1000, 999, false}, {0x100000000, 5, false}};
    prfdata_findings findings;
    wire older;
    wire newer;

    (void)state;
    for (size_t i = 0; i < sizeof of_4 / sizeof of_4[0]; i++) {
        worked(&older);
        worked(&newer);
        wire_patch32(&older, FIRST_BLOCK + 32, (uint32_t)of_4[i].older);
        wire_patch32(&newer, FIRST_BLOCK + 32, (uint32_t)of_4[i].newer);
        change_of(&older, &newer, 1, &findings);
        assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], !of_4[i].right);
    }
    for (size_t i = 0; i < sizeof of_8 / sizeof of_8[0]; i++) {
        worked(&older);
        worked(&newer);
        wire_patch64(&older, FIRST_BLOCK + 8, of_8[i].older);
        wire_patch64(&newer, FIRST_BLOCK + 8, of_8[i].newer);
        change_of(&older, &newer, 1, &findings);
        assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], !of_8[i].right);
    }
}

static void test_validate_instances_are_matched_by_names(void **state)
{
    prfdata_findings findings;
    wire older;
    wire newer;

    (void)state;
    family_of(&older, false, 5);
    family_of(&newer, true, 6); /* the two parents have swapped their positions */
    change_of(&older, &newer, 2, &findings);
    expect_clean(&findings, "parents in another order");
    family_of(&newer, true, 4);
    change_of(&older, &newer, 2, &findings);
    assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], 2);

    family_of(&newer, false, 4);
    wire_patch32(&newer, CHILD_X + 8, 0);  /* the x of P is another instance than the x of Q */
    wire_patch32(&newer, CHILD_7 + 12, 8); /* number 8 is another instance than number 7 */
    change_of(&older, &newer, 2, &findings);
    expect_clean(&findings, "other instances");
}

/* Make a reply of two objects. Each has one rate and 20 numbered instances. */
static void two_rates(wire *w, uint32_t value)
{
    memset(w, 0, sizeof *w);
    for (uint32_t title = 100; title <= 200; title += 100) {
        const size_t object = wire_object(w, title, 1, 20, 0);

        wire_counter(w, title + 2, PERF_COUNTER_COUNTER, 4, 4);
        for (int32_t i = 0; i < 20; i++) {
            wire_instance(w, 0, 0, i, NULL);
            wire_value32(w, value);
        }
        wire_object_end(w, object);
    }
}

static void test_validate_falling_values_of_one_object_do_not_hide_those_of_the_next(void **state)
{
    static wire older;
    static wire newer;
    prfdata_findings findings;

    (void)state;
    two_rates(&older, 10);
    two_rates(&newer, 9);
    change_of(&older, &newer, 2, &findings);
    assert_int_equal(findings.totals[RULE(VALUE_BACKWARDS)], 40);
    assert_int_equal(findings.count, (size_t)2 * PRFDATA_FINDINGS_KEPT);
}

static void test_validate_names_there_twice_are_not_compared(void **state)
{
    prfdata_findings findings;
    wire older;
    wire newer;

    (void)state;
    worked(&older);
    wire_patch32(&older, SECOND + 20, 6);
    wire_patch32(&older, SECOND + 24, 'a' | 'B' << 16);
    wire_patch32(&older, SECOND + 28, 0);
    newer = older;
    wire_patch64(&newer, FIRST_BLOCK + 8, 1);
    change_of(&older, &newer, 1, &findings);
    expect_clean(&findings, "ab and aB");
}

static void test_validate_changed_definitions_found(void **state)
{
    static const size_t places[] = {20, 28, 36, 44, COUNTERS + 4, COUNTERS + 28, COUNTERS + 76};
    prfdata_findings findings;
    wire older;
    wire newer;

    (void)state;
    worked(&older);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        worked(&newer);
        newer.bytes[places[i]] ^= 4;
        change_of(&older, &newer, 1, &findings);
        expect(&findings, RULE(DEFINITIONS_CHANGED), places[i], true, "a changed definition");
    }
    worked(&newer);
    wire_patch32(&newer, 40, 1); /* an instance that ended is no finding */
    change_of(&older, &newer, 1, &findings);
    expect_clean(&findings, "one instance less");
}

enum { PERF_TIME = 48, PERF_FREQ = 56 }; /* offsets in an object */

/* A time of 1 to 1.1 seconds passed between the two replies. */
static const prfdata_validate_watch second = {1000000, 1100000, 3000000};

/* Check two replies that are 1 to 1.1 seconds apart. Between them, a clock that should make
 * `frequency` ticks per second made `ticks` ticks. */
static void watch(void (*write)(wire *w), uint64_t from, uint64_t ticks, uint64_t frequency,
                  prfdata_findings *findings)
{
    wire older;
    wire newer;
    prfdata_validate_reply was;
    prfdata_validate_reply is;

    write(&older);
    wire_patch64(&older, PERF_TIME, from);
    wire_patch64(&older, PERF_FREQ, frequency);
    newer = older;
    wire_patch64(&newer, PERF_TIME, from + ticks);
    was = (prfdata_validate_reply){older.bytes, older.used, 1};
    is = (prfdata_validate_reply){newer.bytes, newer.used, 1};
    prfdata_findings_init(findings);
    assert_int_equal(prfdata_validate_clock(&was, &is, &second, findings), 0);
}

/* The test uses LONE, because the elapsed time of LONE needs the object's clock. */
static void test_validate_clock_must_run_at_its_frequency(void **state)
{
    static const struct {
        uint64_t ticks;
        uint64_t frequency;
        bool is_right;
    } clocks[] = {
        {10000000, 10000000, true},
        {5000000, 10000000, true},
        {22000000, 10000000, true},
        {4999990, 10000000, false},
        {22000010, 10000000, false},
        {0, 10000000, false},
        {1000, 10000000, false},
        {10000000, 3000000, false},
        {1, 1, true},
        {0, 1, true},
        {0, 4, true},
        {10, 10, true},
        {0, 10, false},
        {0, 0, true},
        {UINT64_MAX, 10000000, false},
        {UINT64_MAX / 2, 1000, false},
    };
    prfdata_findings findings;

    (void)state;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        watch(lone, 1000, clocks[i].ticks, clocks[i].frequency, &findings);
        if (clocks[i].is_right)
            expect_clean(&findings, "a clock that runs");
        else
            expect(&findings, RULE(CLOCK_RATE), PERF_TIME, true, "a clock that does not");
    }
}

static void test_validate_clock_that_no_type_uses_found(void **state)
{
    prfdata_findings findings;

    (void)state;
    watch(empty, 1000, 0, 10000000, &findings);
    expect(&findings, RULE(CLOCK_UNUSED), PERF_TIME, true, "a clock that stands");
    watch(empty, 0, 0, 10000000, &findings);
    expect_clean(&findings, "no clock");
    watch(empty, 5, 10000000, 10000000, &findings);
    expect_clean(&findings, "a clock that runs");
}

/* Check the reply `right` as if the provider had not written `bytes` bytes from `at` on. */
static void leave(const base *right, size_t at, size_t bytes, prfdata_findings *findings)
{
    unsigned char unwritten[sizeof((wire *)NULL)->bytes] = {0};
    prfdata_validate_reply reply;
    wire w;

    right->write(&w);
    memset(unwritten + at, 1, bytes);
    reply = (prfdata_validate_reply){w.bytes, w.used, right->object_count};
    prfdata_findings_init(findings);
    assert_int_equal(prfdata_validate_written(&reply, unwritten, findings), 0);
}

static void test_validate_unwritten_bytes_by_who_reads_them(void **state)
{
    static const struct {
        const base *of;
        size_t at;
        size_t bytes;
        bool is_padding;
    } left[] = {
        {&WORKED, 0, 4, false},                 /* TotalByteLength */
        {&WORKED, COUNTERS + 28, 4, false},     /* CounterType */
        {&WORKED, FIRST + 24, 2, false},        /* the name */
        {&WORKED, FIRST + 28, 2, false},        /* the NUL of the name */
        {&WORKED, FIRST + 30, 2, true},         /* unused bytes after the name */
        {&WORKED, FIRST_BLOCK, 4, false},       /* ByteLength */
        {&WORKED, FIRST_BLOCK + 4, 4, true},    /* bytes between the length and the values */
        {&WORKED, FIRST_BLOCK + 8, 8, false},   /* the first value of the block */
        {&WORKED, FIRST_BLOCK + 36, 4, true},   /* unused bytes after the last value */
        {&WORKED, SECOND_BLOCK + 32, 4, false}, /* the base of the average */
        {&LONE, LONE_BLOCK + 4, 4, false},
        {&WORKED, FIRST_BLOCK + 20, 4, true},
        {&LONE, LONE_END - 8, 8, true},
        {&EMPTY, 64, 40, false},
    };
    prfdata_findings findings;

    (void)state;
    leave(&WORKED, 0, 0, &findings);
    expect_clean(&findings, "all is written");
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        leave(left[i].of, left[i].at, left[i].bytes, &findings);
        expect(&findings, left[i].is_padding ? RULE(UNWRITTEN_PADDING) : RULE(UNWRITTEN),
               left[i].at, true, "some bytes are left");
    }
    leave(&WORKED, FIRST, SECOND - FIRST, &findings);
    expect(&findings, RULE(UNWRITTEN), FIRST, false, "a whole instance");
    expect(&findings, RULE(UNWRITTEN_PADDING), FIRST + 30, false, "a whole instance");
}

/* ---- Hostile bytes ---- */

/* Check exactly these bytes, in their own allocation: as a reply, as the older of two, and as the
 * newer of two. */
static void validate_all_ways(const unsigned char *bytes, size_t size, const wire *right,
                              uint32_t object_count)
{
    static prfdata_validate_gone gone;
    const prfdata_validate_known known = {&gone, 0};
    unsigned char *copy = malloc(size);
    prfdata_validate_reply hostile = {copy, size, object_count};
    prfdata_validate_reply right_reply = {right->bytes, right->used, object_count};
    prfdata_validate_run run = {0};
    prfdata_findings findings;
    size_t offset = 0;
    uint32_t title;
    uint32_t parent;

    if (size > 0)
        memcpy(copy, bytes, size);
    prfdata_findings_init(&findings);
    assert_int_equal(prfdata_validate_structure(&hostile, &titles, false, &findings), 0);
    assert_int_equal(prfdata_validate_structure(&hostile, &titles, true, &findings), 0);
    assert_int_equal(prfdata_validate_change(&hostile, &right_reply, &known, &findings), 0);
    assert_int_equal(prfdata_validate_change(&right_reply, &hostile, &known, &findings), 0);
    assert_int_equal(prfdata_validate_clock(&hostile, &right_reply, &second, &findings), 0);
    assert_int_equal(prfdata_validate_clock(&right_reply, &hostile, &second, &findings), 0);
    assert_int_equal(prfdata_validate_run_add(&run, &hostile, &right_reply), 0);
    assert_int_equal(prfdata_validate_run_add(&run, &right_reply, &hostile), 0);
    assert_int_equal(prfdata_validate_written(&hostile, copy, &findings), 0);
    for (size_t i = 0; i < findings.count; i++)
        assert_true(findings.items[i].offset <= size || findings.items[i].offset <= right->used);
    while (prfdata_validate_next_object(&hostile, &offset, &title, &parent))
        assert_true(offset <= size);
    free(copy);
}

static void test_validate_every_truncation_is_found(void **state)
{
    static const base *const bases[] = {&WORKED, &LONE, &FAMILY, &EMPTY};
    prfdata_findings findings;
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        bases[i]->write(&w);
        for (size_t size = 0; size < w.used; size++) {
            validate_all_ways(w.bytes, size, &w, bases[i]->object_count);
            check(w.bytes, size, bases[i]->object_count, false, &findings);
            assert_true(prfdata_findings_total(&findings) > 0);
        }
    }
}

static void test_validate_every_corrupt_byte_is_survived(void **state)
{
    static const base *const bases[] = {&WORKED, &LONE, &FAMILY, &EMPTY};
    static const unsigned char values[] = {0, 1, 7, 0x7F, 0x80, 0xFF};
    wire right;
    wire w;

    (void)state;
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        bases[i]->write(&right);
        w = right;
        for (size_t at = 0; at < w.used; at++) {
            for (size_t k = 0; k < sizeof values; k++) {
                w.bytes[at] = values[k];
                validate_all_ways(w.bytes, w.used, &right, bases[i]->object_count);
            }
            for (unsigned bit = 0; bit < 8; bit++) {
                w.bytes[at] = (unsigned char)(right.bytes[at] ^ 1u << bit);
                validate_all_ways(w.bytes, w.used, &right, bases[i]->object_count);
            }
            w.bytes[at] = right.bytes[at];
        }
    }
}

static void test_validate_mistakes_of_one_object_do_not_hide_those_of_the_next(void **state)
{
    prfdata_findings findings;

    (void)state;
    prfdata_findings_init(&findings);
    for (size_t i = 0; i < PRFDATA_FINDINGS_KEPT + 4; i++)
        prfdata_findings_add(&findings, RULE(NAME_BLANK), i, "a name");
    assert_int_equal(findings.count, PRFDATA_FINDINGS_KEPT);
    prfdata_findings_begin_object(&findings);
    prfdata_findings_add(&findings, RULE(NAME_BLANK), 0, "a name");
    assert_int_equal(findings.count, PRFDATA_FINDINGS_KEPT + 1);
    assert_int_equal(findings.totals[RULE(NAME_BLANK)], PRFDATA_FINDINGS_KEPT + 5);
}

static void test_validate_a_long_text_is_cut_before_a_character(void **state)
{
    static prfdata_findings findings;
    char text[210] = "";
    const size_t room = sizeof findings.items[0].text - 1;

    (void)state;
    prfdata_findings_init(&findings);
    memset(text, 'a', room - 1);
    strcat(text, "\xC3\xA4z");
    prfdata_findings_add(&findings, RULE(NAME_BLANK), 0, "%s", text);
    prfdata_findings_add(&findings, RULE(NAME_BLANK), 0, "%s", text + 1);
    prfdata_findings_add(&findings, RULE(NAME_BLANK), 0, "\xE4\r%s", "b");
    assert_int_equal(strlen(findings.items[0].text), room - 1);
    assert_memory_equal(findings.items[0].text, text, room - 1);
    assert_int_equal(strlen(findings.items[1].text), room);
    assert_memory_equal(findings.items[1].text, text + 1, room);
    /* A name that the provider made may have any bytes. */
    assert_string_equal(findings.items[2].text, "??b");
}

/* ---- The table ---- */

static void test_validate_rules_have_names_of_their_own(void **state)
{
    (void)state;
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_about *about = prfdata_rules_about((prfdata_rule)i);

        assert_true(strlen(about->name) > 0);
        assert_true(strlen(about->sentence) > 0);
        assert_true(about->event == 0 || (about->event >= 1000 && about->event <= 2003));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(about->name, prfdata_rules_about((prfdata_rule)k)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_validate_right_replies_pass),
        cmocka_unit_test(test_validate_bounds_of_definitions_pass),
        cmocka_unit_test(test_validate_one_change_breaks_one_rule),
        cmocka_unit_test(test_validate_level_of_the_wrong_length),
        cmocka_unit_test(test_validate_size_of_a_type_of_variable_length),
        cmocka_unit_test(test_validate_wrong_object_count_found),
        cmocka_unit_test(test_validate_same_names_found_ignoring_case),
        cmocka_unit_test(test_validate_names_beside_numbers_found_unless_it_is_the_total),
        cmocka_unit_test(test_validate_same_name_below_two_parents_passes),
        cmocka_unit_test(test_validate_name_and_number_below_two_parents_pass),
        cmocka_unit_test(test_validate_no_instance_is_its_own_ancestor),
        cmocka_unit_test(test_validate_number_passes_with_and_without_an_empty_name),
        cmocka_unit_test(test_validate_names_of_a_code_page_end_with_one_byte),
        cmocka_unit_test(test_validate_long_name_noted),
        cmocka_unit_test(test_validate_metadata_has_definitions_only),
        cmocka_unit_test(test_validate_only_known_titles_limit_indexes),
        cmocka_unit_test(test_validate_findings_are_bounded_and_counted),
        cmocka_unit_test(test_validate_next_object_walks_the_chain),
        cmocka_unit_test(test_validate_next_object_looks_past_total_for_a_parent),
        cmocka_unit_test(test_validate_clock_must_run_at_its_frequency),
        cmocka_unit_test(test_validate_clock_that_no_type_uses_found),
        cmocka_unit_test(test_validate_unwritten_bytes_by_who_reads_them),
        cmocka_unit_test(test_validate_value_or_clock_backwards_found),
        cmocka_unit_test(test_validate_value_may_pass_the_border_once),
        cmocka_unit_test(test_validate_instances_are_matched_by_names),
        cmocka_unit_test(test_validate_falling_values_of_one_object_do_not_hide_those_of_the_next),
        cmocka_unit_test(test_validate_names_there_twice_are_not_compared),
        cmocka_unit_test(test_validate_changed_definitions_found),
        cmocka_unit_test(test_validate_every_truncation_is_found),
        cmocka_unit_test(test_validate_every_corrupt_byte_is_survived),
        cmocka_unit_test(test_validate_mistakes_of_one_object_do_not_hide_those_of_the_next),
        cmocka_unit_test(test_validate_a_long_text_is_cut_before_a_character),
        cmocka_unit_test(test_validate_rules_have_names_of_their_own),
    };

    return cmocka_run_group_tests_name("validate", tests, NULL, NULL);
}
