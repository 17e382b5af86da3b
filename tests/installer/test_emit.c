/* SPDX-License-Identifier: MIT */
/* Tests the configurations of -Emit. test_emit.py reads them with real parsers; this file tests
 * what parsers do not report. `test_emit KIND MAP` writes a configuration. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include <prfdata/error.h>

#include "emit/emit.h"
#include "emit/emit_item.h"
#include "emit/emit_query.h"
#include "emit_map.h"
#include "hwinput_map.h"
#include "ras_map.h"
#include "support/golden.h"

#define WIDE_OF(text) L##text
#define WIDE(text)    WIDE_OF(text)

static const wchar_t *const kinds[] = {
#define KIND(name, function, obstacle, help) WIDE(#name),
    PRFDATA_EMIT_KINDS(KIND)
#undef KIND
};

static const prfdata_map *const samples[] = {&hwinput_map, &ras_map};
static const prfdata_map *const hostile[] = {&emit_map};

/* ---- A small map, whose configurations are in tests/golden ---- */

PRFDATA_DEFINE_OBJECT(SMALL_QUEUES, 100);
PRFDATA_DEFINE_COUNTER(SMALL_LENGTH, 101);
PRFDATA_DEFINE_COUNTER(SMALL_JOBS, 102);
PRFDATA_DEFINE_COUNTER(SMALL_HITS, 103);
PRFDATA_DEFINE_COUNTER(SMALL_HITS_BASE, 104);
PRFDATA_DEFINE_COUNTER(SMALL_STAY_P99, 105);
PRFDATA_DEFINE_DISTRIBUTION(SMALL_STAY, 106);

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(small_map)
    PRFDATA_MAP_OBJ(SMALL_QUEUES, L"Small Queues", L"Queues of a small service.",
                    PERF_DETAIL_NOVICE, SMALL_LENGTH, 8, 20)
        PRFDATA_MAP_TOTAL()
        PRFDATA_MAP_DISTRIBUTION(SMALL_STAY, PRFDATA_UNIT_100NS, 10, 600000000)
    PRFDATA_MAP_CTR(SMALL_LENGTH, L"Length", L"Jobs that wait now.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_CTR(SMALL_JOBS, L"Jobs/sec", L"Jobs that were done.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_CTR(SMALL_HITS, L"% Hits", L"Jobs that the cache answered.", PERF_DETAIL_NOVICE, 0,
                    PERF_SAMPLE_FRACTION)
    PRFDATA_MAP_CTR(SMALL_HITS_BASE, L"Base", L"All jobs.", PERF_DETAIL_NOVICE, 0,
                    PERF_SAMPLE_BASE)
    PRFDATA_MAP_CTR(SMALL_STAY_P99, L"Stay p99", L"Most jobs wait no longer.", PERF_DETAIL_ADVANCED,
                    0, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_PERCENTILE(SMALL_STAY, 9900)
PRFDATA_MAP_END_AS(small_map, "SmallService")
/* clang-format on */

static const prfdata_map *const small[] = {&small_map};

/* ---- Names that other programs turn into identifiers ---- */

/* clang-format off */
#define NAMED(id, name, type) PRFDATA_MAP_CTR(id, name, L"Help.", PERF_DETAIL_NOVICE, 0, type)
PRFDATA_DEFINE_OBJECT(NAMED_OBJECT, 1);
enum { NAMED_A = 2, NAMED_B, NAMED_C, NAMED_D, NAMED_E, NAMED_F, NAMED_G, NAMED_H, NAMED_I, NAMED_BASE, NAMED_J,
       NAMED_UPTIME };
PRFDATA_MAP_BEGIN_AS(identifiers_map)
    PRFDATA_MAP_OBJ(NAMED_OBJECT, L"Named", L"Help.", PERF_DETAIL_NOVICE, NAMED_A, PERF_NO_INSTANCES, 0)
    NAMED(NAMED_A, L"Jobs/sec", PERF_COUNTER_BULK_COUNT)
    NAMED(NAMED_B, L"Jobs-sec", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_C, L"% Jobs", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_D, L"Jobs", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_E, L"95th Size", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_F, L"5 % slowest", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_G, L"Jobs done", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_H, L"Jobs_sec", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_I, L"% Hits", PERF_RAW_FRACTION)
    NAMED(NAMED_BASE, L"Base", PERF_RAW_BASE)
    NAMED(NAMED_J, L"Hits,secondvalue", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(NAMED_UPTIME, L"Uptime", PERF_ELAPSED_TIME)
PRFDATA_MAP_END_AS(identifiers_map, "Named")
/* clang-format on */

static const prfdata_map *const identifiers[] = {&identifiers_map};

/* ---- Names that are too long for some programs, or mean something to them ---- */

/* clang-format off */
#define SIXTY   L"A title of sixty characters, which other programs cut there."
#define LONGEST SIXTY SIXTY L"seven!" /* with one more character: 127 */
PRFDATA_DEFINE_OBJECT(LONG_QUEUES, 1);
PRFDATA_DEFINE_OBJECT(LONG_JOBS, 10);
PRFDATA_DEFINE_OBJECT(LONG_PLAIN, 20);
PRFDATA_DEFINE_OBJECT(LONG_HOST, 30);
enum { LONG_A = 2, LONG_B, LONG_C, LONG_D = 11, LONG_E, LONG_F, LONG_G = 21, LONG_H, LONG_J, LONG_K, LONG_L, LONG_N,
       LONG_M = 31 };
PRFDATA_MAP_BEGIN_AS(long_map)
    PRFDATA_MAP_OBJ(LONG_QUEUES, LONGEST L"Q", L"Help.", PERF_DETAIL_NOVICE, LONG_A, 8, 100)
    NAMED(LONG_A, LONGEST L"a", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_B, LONGEST L"b", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_C, L"Short", PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_OBJ(LONG_JOBS, LONGEST L"J", L"Help.", PERF_DETAIL_NOVICE, LONG_D, 8, 255)
        PRFDATA_MAP_PARENT(LONG_QUEUES)
        PRFDATA_MAP_TOTAL()
    NAMED(LONG_D, LONGEST L"a", PERF_COUNTER_BULK_COUNT)
    NAMED(LONG_E, LONGEST L"b", PERF_COUNTER_BULK_COUNT)
    NAMED(LONG_F, L"\x65E5\x672C\x8A9E \xD6 " SIXTY, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_OBJ(LONG_PLAIN, LONGEST L"P", L"Help.", PERF_DETAIL_NOVICE, LONG_G, PERF_NO_INSTANCES, 0)
    NAMED(LONG_G, LONGEST L"a", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_H, L"Jobs {HOST.NAME}", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_J, L"Jobs {IPADDRESS}", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_K, L"Old {HOSTNAME}", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_L, L"Jobs {$OWN}", PERF_COUNTER_LARGE_RAWCOUNT)
    NAMED(LONG_N, L"Jobs of `this`", PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_OBJ(LONG_HOST, L"On {HOST.HOST}", L"Help.", PERF_DETAIL_NOVICE, LONG_M, 8, 20)
    NAMED(LONG_M, L"Jobs", PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_END_AS(long_map, "Long")
/* clang-format on */

static const prfdata_map *const longest[] = {&long_map};

/* ---- Text ---- */

static void expect_text(prfdata_quoted_text *text, const char *expected)
{
    assert_false(text->has_failed);
    assert_string_equal(prfdata_quoted_text_get(text), expected);
    prfdata_quoted_text_free(text);
}

static void test_emit_text_quotes_for_json_yaml_and_toml(void **state)
{
    prfdata_quoted_text text = {0};

    (void)state;
    expect_text(&text, "");
    prfdata_quoted_text_put_quoted(&text, "a \"b\" \\c/ '{$}'");
    expect_text(&text, "\"a \\\"b\\\" \\\\c/ '{$}'\"");
    prfdata_quoted_text_put_quoted(&text, "\x01\t\x7F\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF");
    expect_text(&text, "\"\\u0001\\u0009\\u007f\\u0085\\u2028\\ufeff\"");
    prfdata_quoted_text_put_quoted(&text, "\xC3\xB6\xE6\x97\xA5\xF0\x9F\x98\x80");
    expect_text(&text, "\"\xC3\xB6\xE6\x97\xA5\xF0\x9F\x98\x80\"");
    prfdata_quoted_text_free(&text);
}

/* A text from the system may contain half of a surrogate pair, which is no character. */
static void test_emit_text_quotes_wide_text_and_halves_of_pairs(void **state)
{
    static const wchar_t halves[] = {L'a', 0xD83D, L'"', 0xDE00, L'\t', 0x2028, 0xD83D, 0};
    prfdata_quoted_text text = {0};

    (void)state;
    prfdata_quoted_text_put_quoted_wide(&text, halves);
    expect_text(&text, "\"a\\ud83d\\\"\\ude00\\u0009\\u2028\\ud83d\"");
    prfdata_quoted_text_put_quoted_wide(&text, L"\u00F6\U0001F600");
    expect_text(&text, "\"\xC3\xB6\xF0\x9F\x98\x80\"");
}

static void test_emit_text_replaces_every_occurrence(void **state)
{
    prfdata_quoted_text text = {0};

    (void)state;
    prfdata_quoted_text_put_replaced(&text, "$a$$b$", "$", "$$");
    expect_text(&text, "$$a$$$$b$$");
    prfdata_quoted_text_put_replaced(&text, "{{{{x}}", "{{", "<>");
    expect_text(&text, "<><>x}}");
    prfdata_quoted_text_put_replaced(&text, "none", "{{", "<>");
    expect_text(&text, "none");
    prfdata_quoted_text_free(&text);
}

static void test_emit_text_that_is_too_long_to_format_is_a_failure(void **state)
{
    prfdata_quoted_text text = {0};
    char longer[600];

    (void)state;
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    prfdata_quoted_text_format(&text, "%s", longer);
    assert_true(text.has_failed);
    prfdata_quoted_text_free(&text);
    prfdata_quoted_text_put(&text, longer);
    expect_text(&text, longer);
    prfdata_quoted_text_free(&text);
}

/* ---- Items ---- */

static const prfdata_emit_item *item_of(const prfdata_model *model, uint32_t id)
{
    static prfdata_emit_item item;
    const prfdata_model_object *object;
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, &object);

    assert_non_null(counter);
    return prfdata_emit_item_make(model, object, counter, &item) ? &item : NULL;
}

static void expect_item(const prfdata_model *model, uint32_t id, const char *name, const char *unit)
{
    const prfdata_emit_item *item = item_of(model, id);
    prfdata_quoted_text text = {0};

    assert_non_null(item);
    prfdata_emit_item_put_name(&text, item, false);
    expect_text(&text, name);
    prfdata_emit_item_put_unit(&text, item);
    expect_text(&text, unit);
    prfdata_quoted_text_free(&text);
}

enum { Q_SHORT = 300, Q_BUSY, Q_LOAD, Q_LOAD_BASE, Q_HITS, Q_HITS_BASE };

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(short_map)
    PRFDATA_MAP_OBJ(Q_SHORT, L"Short", L"Help.", PERF_DETAIL_NOVICE, Q_BUSY, 8, 40)
        PRFDATA_MAP_PER_PROCESS()
    PRFDATA_MAP_CTR(Q_BUSY, L"Busy", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_100NSEC_TIMER_INV)
    PRFDATA_MAP_CTR(Q_LOAD, L"Load", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_FRACTION)
        PRFDATA_MAP_METRIC("q_busy", "")
    PRFDATA_MAP_CTR(Q_LOAD_BASE, L"Base", L"Base.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_BASE)
    PRFDATA_MAP_CTR(Q_HITS, L"Hits", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_FRACTION)
    PRFDATA_MAP_CTR(Q_HITS_BASE, L"Base", L"Base.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_BASE)
PRFDATA_MAP_END_AS(short_map, "Q")
/* clang-format on */

static void test_emit_items_of_a_map_have_different_names(void **state)
{
    prfdata_model *model = NULL;

    (void)state;
    assert_int_equal(prfdata_model_make(&short_map, &model), ERROR_SUCCESS);
    expect_item(model, Q_BUSY, "q_busy_idle_seconds.percent", "%");
    expect_item(model, Q_LOAD, "q_busy.percent", "%");
    expect_item(model, Q_HITS, "q_hits.percent", "%");
    prfdata_model_free(model);
}

static void test_emit_items_are_named_by_what_pdh_makes_of_them(void **state)
{
    prfdata_model *model = NULL;

    (void)state;
    assert_int_equal(prfdata_model_make(&emit_map, &model), ERROR_SUCCESS);
    expect_item(model, EMIT_LEVEL, "emit_test_1_0_emit_level", "1");
    expect_item(model, EMIT_WAIT, "emit_wait_seconds.milliseconds", "ms");
    expect_item(model, EMIT_LOAD, "emit_load_ratio.percent", "%");
    expect_item(model, EMIT_MEMORY, "emit_memory_bytes.per_second.kibibytes", "KiBy/s");
    expect_item(model, EMIT_STARTED, "emit_test_1_0_emit_started", "1");
    expect_item(model, EMIT_HOSTILE, "emit_test_1_0_emit_hostile.per_second", "1/s");
    expect_item(model, EMIT_BUSY, "emit_test_1_0_emit_busy_seconds.percent", "%");
    expect_item(model, EMIT_LENGTH, "emit_test_1_0_emit_length_seconds.length", "1");
    expect_item(model, EMIT_FRACTION, "emit_test_1_0_emit_fraction_ratio.percent", "%");
    expect_item(model, EMIT_JOB_TIME, "emit_test_1_0_emit_job_time_seconds.average", "s");
    expect_item(model, EMIT_JOB_SIZE, "emit_job_size_bytes.average", "By");
    expect_item(model, EMIT_CHANGE, "emit_test_1_0_emit_change.change", "1");
    expect_item(model, EMIT_SINCE, "emit_test_1_0_emit_since_start_time_seconds.age", "s");
    assert_null(item_of(model, EMIT_JOB_TIME_BASE));
    assert_int_equal(item_of(model, EMIT_STARTED)->shape, PRFDATA_EMIT_COUNT);
    assert_int_equal(item_of(model, EMIT_LEVEL)->shape, PRFDATA_EMIT_LEVEL);
    assert_true(item_of(model, EMIT_ENDED)->has_overall);
    assert_true(item_of(model, EMIT_STAY_P50)->has_overall);
    assert_true(item_of(model, EMIT_FRACTION)->has_overall);
    assert_false(item_of(model, EMIT_SINCE)->has_overall);
    assert_false(item_of(model, EMIT_STARTED)->has_overall);
    prfdata_model_free(model);
}

/* If -Emit did not know the format that PDH has for a type with a metric, it would leave that type
 * out. */
static void test_emit_knows_every_type_that_has_a_metric(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);
        const prfdata_map_entry entry = {.kind = PRFDATA_ENTRY_COUNTER,
                                         .symbol = "A",
                                         .name = L"A",
                                         .help = L"A",
                                         .type = type->type};
        const prfdata_model_counter counter = {.entry = &entry};
        const prfdata_map map = {.service = "S"};
        const prfdata_model model = {.map = &map};
        const prfdata_model_object object = {.counter_count = 1, .counters = &counter};
        prfdata_emit_item item;

        if (type->flags & PRFDATA_TYPE_NOT_YET)
            continue;
        assert_int_equal(prfdata_emit_item_make(&model, &object, &counter, &item),
                         prfdata_metric_part_of(&counter) != NULL);
    }
}

/* ---- Configurations ---- */

static void test_emit_kinds_are_found_in_any_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        assert_non_null(prfdata_emit_find(kinds[i]));
    assert_ptr_equal(prfdata_emit_find(L"gRAFANA"), prfdata_emit_grafana);
    assert_null(prfdata_emit_find(L"Grafan"));
    assert_null(prfdata_emit_find(L"Grafanas"));
    assert_null(prfdata_emit_find(L""));
}

static void test_emit_refuses_a_map_with_mistakes(void **state)
{
    prfdata_map wrong = emit_map;
    const prfdata_map *maps[] = {&hwinput_map, &wrong};
    prfdata_quoted_text text;

    (void)state;
    wrong.service = "no:name";
    assert_int_equal(prfdata_emit(prfdata_emit_grafana, maps, 2, "installer", &text, NULL),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(text.used, 0);
    prfdata_quoted_text_free(&text);
}

static void test_emit_writes_the_same_each_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        prfdata_quoted_text texts[2];

        for (int t = 0; t < 2; t++)
            assert_int_equal(
                prfdata_emit(prfdata_emit_find(kinds[i]), hostile, 1, "installer", &texts[t], NULL),
                ERROR_SUCCESS);
        assert_string_equal(prfdata_quoted_text_get(&texts[0]), prfdata_quoted_text_get(&texts[1]));
        assert_null(strchr(texts[0].bytes, '\r'));
        assert_int_equal(texts[0].bytes[texts[0].used - 1], '\n');
        prfdata_quoted_text_free(&texts[0]);
        prfdata_quoted_text_free(&texts[1]);
    }
}

static void expect_golden(const char *kind, const char *made)
{
    char path[64];
    char *wanted;
    size_t at = 0;

    snprintf(path, sizeof path, "tests/golden/emit_%s.txt", kind);
    wanted = golden_text(path);
    while (made[at] && made[at] == wanted[at])
        at++;
    if (made[at] || wanted[at])
        fail_msg("%s differs at byte %lu: \"%.40s\", not \"%.40s\". If that is meant: test_emit %s "
                 "small",
                 path, (unsigned long)at, made + at, wanted + at, kind);
    free(wanted);
}

/* The texts are compared with tests/golden, because parsers accept many texts, and so would not
 * notice a change. */
static void test_emit_of_a_small_map_is_as_it_was(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        prfdata_quoted_text text;
        char kind[40];

        assert_int_equal(
            prfdata_emit(prfdata_emit_find(kinds[i]), small, 1, "installer", &text, NULL),
            ERROR_SUCCESS);
        snprintf(kind, sizeof kind, "%ls", kinds[i]);
        expect_golden(kind, prfdata_quoted_text_get(&text));
        prfdata_quoted_text_free(&text);
    }
}

/* ---- Recognising ---- */

static void test_emit_knows_what_it_wrote(void **state)
{
    prfdata_quoted_text text;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char *exact;

        assert_int_equal(
            prfdata_emit(prfdata_emit_find(kinds[i]), small, 1, "installer", &text, NULL),
            ERROR_SUCCESS);
        /* The copy has no NUL, so the sanitizer notices a read after its end. */
        exact = malloc(text.used);
        assert_non_null(exact);
        memcpy(exact, text.bytes, text.used);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (prfdata_emit_wrote(exact, text.used, prfdata_emit_find(kinds[k])) != (i == k))
                fail_msg("%ls, %ls", kinds[i], kinds[k]);
        free(exact);
        prfdata_quoted_text_free(&text);
    }
}

static void test_emit_files_of_others_are_not_its_own(void **state)
{
    static const char *const others[] = {"groups:\n  - name: mine\n",
                                         "# Written by me.\n",
                                         "# -Emit Prometheus.\n",
                                         "# -Emit Prometheus. Written by me.\n",
                                         "# Written by installer -Emit PrometheusX.\n",
                                         "# Written by me.\n# See installer -Emit Prometheus.\n"};
    char late[2048];

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (prfdata_emit_wrote(others[i], strlen(others[i]), prfdata_emit_find(L"Prometheus")))
            fail_msg("%s", others[i]);
    snprintf(late, sizeof late, "%1000s# Written by installer -Emit Prometheus.\n", "");
    assert_false(prfdata_emit_wrote(late, strlen(late), prfdata_emit_find(L"Prometheus")));
}

/* ---- Output for test_emit.py and tests/golden ---- */

static const prfdata_map *const *find_maps(const char *name, size_t *count)
{
    *count = strcmp(name, "samples") == 0 ? 2 : 1;
    if (strcmp(name, "identifiers") == 0)
        return identifiers;
    if (strcmp(name, "longest") == 0)
        return longest;
    return strcmp(name, "hostile") == 0 ? hostile : *count == 1 ? small : samples;
}

static int write_configuration(const char *kind, const char *map)
{
    size_t count;
    const prfdata_map *const *maps = find_maps(map, &count);
    prfdata_quoted_text text;
    wchar_t wide[40] = {0};

    for (size_t i = 0; i < 39 && kind[i]; i++)
        wide[i] = (wchar_t)kind[i];
    if (!prfdata_emit_find(wide) || prfdata_emit(prfdata_emit_find(wide), maps, count, "installer",
                                                 &text, NULL) != ERROR_SUCCESS)
        return 1;
#ifdef _WIN32
    (void)_setmode(_fileno(stdout), _O_BINARY);
#endif
    fputs(prfdata_quoted_text_get(&text), stdout);
    prfdata_quoted_text_free(&text);
    return 0;
}

/* The program prints these notes, because nobody reads a configuration that works. */
static void test_emit_notes_say_what_is_left_out_and_what_to_do(void **state)
{
    static const char expected[] =
        "Left out, because Zabbix replaces the macro in the title of the counter or of its object; "
        "choose a title without a macro: \"Jobs {HOST.NAME}\"";
    prfdata_quoted_text text, notes;
    size_t lines = 0;

    (void)state;
    assert_int_equal(prfdata_emit(prfdata_emit_zabbix, longest, 1, "installer", &text, &notes),
                     ERROR_SUCCESS);
    assert_memory_equal(prfdata_quoted_text_get(&notes), expected, sizeof expected - 1);
    for (size_t i = 0; i < notes.used; i++)
        lines += notes.bytes[i] == '\n';
    assert_int_equal(lines, 4);
    prfdata_quoted_text_free(&notes);
    prfdata_quoted_text_free(&text);
}

/* ---- A map with every counter type ---- */

enum { EVERY_COUNT = 2 * PRFDATA_COUNTER_TYPE_COUNT + 1, TITLE_CHARS = 20 };

static struct {
    prfdata_map_entry entries[EVERY_COUNT + 1];
    wchar_t titles[EVERY_COUNT + 1][TITLE_CHARS];
    char symbols[EVERY_COUNT + 1][TITLE_CHARS];
    uint32_t count;
} every;

static void add_entry(uint32_t kind, uint32_t type)
{
    prfdata_map_entry *entry = &every.entries[every.count];

    swprintf(every.titles[every.count], TITLE_CHARS, L"Title %u end", (unsigned)every.count);
    snprintf(every.symbols[every.count], TITLE_CHARS, "EVERY_N%uN", (unsigned)every.count);
    *entry = (prfdata_map_entry){.kind = kind,
                                 .id = every.count + 1,
                                 .symbol = every.symbols[every.count],
                                 .name = every.titles[every.count],
                                 .help = L"Help.",
                                 .detail_level = PERF_DETAIL_NOVICE,
                                 .type = type};
    every.count++;
}

static prfdata_map map_of_every_type(void)
{
    every.count = 0;
    add_entry(PRFDATA_ENTRY_OBJECT, 0);
    every.entries[0].default_counter = 3;
    every.entries[0].max_instances = 4;
    every.entries[0].max_name_chars = 20;
    add_entry(PRFDATA_ENTRY_OPTION, 0);
    every.entries[1].option = PRFDATA_OPTION_PER_PROCESS;
    every.entries[1].symbol = "PRFDATA_MAP_PER_PROCESS";
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (type->flags & (PRFDATA_TYPE_NOT_YET | PRFDATA_TYPE_BASE))
            continue;
        add_entry(PRFDATA_ENTRY_COUNTER, type->type);
        if (type->base_type)
            add_entry(PRFDATA_ENTRY_COUNTER, type->base_type);
    }
    return (prfdata_map){sizeof(prfdata_map_entry), every.count, every.entries, "Every"};
}

/* Returns whether the configuration has the counter: by its title or, in rules for Prometheus, by
 * the name of its metric. */
static bool has_counter(const wchar_t *kind, const char *made, const prfdata_map_entry *entry)
{
    char wanted[TITLE_CHARS];

    snprintf(wanted, sizeof wanted, "%ls", entry->name);
    if (wcscmp(kind, L"Prometheus") == 0)
        snprintf(wanted, sizeof wanted, "every_n%un", (unsigned)entry->id - 1);
    return strstr(made, wanted) != NULL;
}

/* Returns whether a value needs no rule, because it is the metric itself. */
static bool needs_no_rule(const wchar_t *kind, const prfdata_model *model, uint32_t id)
{
    const prfdata_emit_item *item = item_of(model, id);

    return wcscmp(kind, L"Prometheus") == 0 && item &&
           !prfdata_emit_query_operation(item, &item->metric, 0);
}

static void check_kind(const wchar_t *kind, const prfdata_map *map, const prfdata_model *model)
{
    prfdata_quoted_text text, notes;
    size_t left_out = 0;

    assert_int_equal(prfdata_emit(prfdata_emit_find(kind), &map, 1, "installer", &text, &notes), 0);
    for (uint32_t i = 2; i < map->entry_count; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_find(map->entries[i].type);
        char quoted[TITLE_CHARS + 8];
        char *note;

        if (type->flags & PRFDATA_TYPE_BASE)
            continue;
        snprintf(quoted, sizeof quoted, ": \"%ls\"\n", map->entries[i].name);
        note = strstr(notes.used > 0 ? notes.bytes : quoted + strlen(quoted), quoted);
        left_out += note != NULL;
        if (note) /* the configuration has the title only in a comment */
            continue;
        if (!has_counter(kind, prfdata_quoted_text_get(&text), &map->entries[i]) &&
            !needs_no_rule(kind, model, map->entries[i].id))
            fail_msg("%ls has no PERF_%s, and does not say so", kind, type->name);
    }
    for (const char *line = prfdata_quoted_text_get(&notes); *line; line = strchr(line, '\n') + 1) {
        left_out--;
        if (strncmp(line, "Left out, because ", 18) != 0 || !strstr(line, "; "))
            fail_msg("%ls: %s", kind, line);
    }
    assert_int_equal(left_out, 0);
    prfdata_quoted_text_free(&notes);
    prfdata_quoted_text_free(&text);
}

static void test_emit_of_every_type_has_it_or_says_why_not(void **state)
{
    const prfdata_map map = map_of_every_type();
    prfdata_model *model = NULL;

    (void)state;
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        check_kind(kinds[i], &map, model);
    prfdata_model_free(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emit_text_quotes_for_json_yaml_and_toml),
        cmocka_unit_test(test_emit_text_quotes_wide_text_and_halves_of_pairs),
        cmocka_unit_test(test_emit_text_replaces_every_occurrence),
        cmocka_unit_test(test_emit_text_that_is_too_long_to_format_is_a_failure),
        cmocka_unit_test(test_emit_items_of_a_map_have_different_names),
        cmocka_unit_test(test_emit_items_are_named_by_what_pdh_makes_of_them),
        cmocka_unit_test(test_emit_knows_every_type_that_has_a_metric),
        cmocka_unit_test(test_emit_kinds_are_found_in_any_case),
        cmocka_unit_test(test_emit_refuses_a_map_with_mistakes),
        cmocka_unit_test(test_emit_writes_the_same_each_time),
        cmocka_unit_test(test_emit_of_a_small_map_is_as_it_was),
        cmocka_unit_test(test_emit_knows_what_it_wrote),
        cmocka_unit_test(test_emit_notes_say_what_is_left_out_and_what_to_do),
        cmocka_unit_test(test_emit_of_every_type_has_it_or_says_why_not),
        cmocka_unit_test(test_emit_files_of_others_are_not_its_own),
    };

    if (argc == 3)
        return write_configuration(argv[1], argv[2]);
    return cmocka_run_group_tests_name("emit", tests, NULL, NULL);
}
