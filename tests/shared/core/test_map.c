/* SPDX-License-Identifier: MIT */
/* Tests the check of a map and its messages. Each rule is tested with a valid map and one
 * change. */
#include <stdlib.h>
#include <string.h>

#include <prfdata/map.h>

#include "map/counter_types.h"
#include "map/map_bytes.h"
#include "names/names.h"
#include "support/sample_map.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define LONE         (wchar_t)0xD800

static sample_map sample;
static prfdata_map_entry *const entries = sample.entries;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    return 0;
}

/* Expect that the mistake has a message, which is one line and ends with a full stop. */
static void assert_sentence(const prfdata_map_mistake *mistake)
{
    char text[2000];
    size_t length = prfdata_map_mistake_text(mistake, text, sizeof(text));

    assert_in_range(length, 20, sizeof(text) - 1);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length - 1], '.');
    assert_null(strchr(text, '\n'));
}

/* Expect this mistake. `index` may be sample.map.entry_count, which means the whole map. */
static void assert_mistake(prfdata_map_rule rule, uint32_t index)
{
    prfdata_map_mistake mistakes[4];
    size_t count = prfdata_map_check(&sample.map, mistakes, COUNT(mistakes));

    if (count != 1 || mistakes[0].rule != rule)
        for (size_t i = 0; i < count && i < COUNT(mistakes); i++) {
            char text[1000];

            prfdata_map_mistake_text(&mistakes[i], text, sizeof(text));
            print_message("found rule %d: %s\n", (int)mistakes[i].rule, text);
        }
    assert_int_equal(count, 1);
    assert_int_equal(mistakes[0].rule, rule);
    assert_int_equal(mistakes[0].entry_index, index);
    assert_ptr_equal(mistakes[0].map, &sample.map);
    assert_sentence(&mistakes[0]);
}

static void assert_whole_mistake(prfdata_map_rule rule)
{
    assert_mistake(rule, sample.map.entry_count);
}

static void assert_conflict(prfdata_map_rule rule, uint32_t index, uint32_t other)
{
    prfdata_map_mistake mistake;

    assert_mistake(rule, index);
    prfdata_map_check(&sample.map, &mistake, 1);
    assert_int_equal(mistake.other_index, other);
}

static void assert_right(void)
{
    prfdata_map_mistake mistake;

    if (prfdata_map_check(&sample.map, &mistake, 1) > 0) {
        char text[1000];

        prfdata_map_mistake_text(&mistake, text, sizeof(text));
        fail_msg("%s", text);
    }
}

static void test_map_sample_is_right(void **state)
{
    (void)state;
    assert_right();
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 0);
}

/* ---- PRFDATA_MAP_RULE_MAP ---- */

static void test_map_null_is_one_mistake(void **state)
{
    prfdata_map_mistake mistake;

    (void)state;
    assert_int_equal(prfdata_map_check(NULL, &mistake, 1), 1);
    assert_int_equal(mistake.rule, PRFDATA_MAP_RULE_MAP);
    assert_string_equal(mistake.symbol, "");
    assert_true(mistake.name[0] == 0);
    assert_sentence(&mistake);
}

static void test_map_of_another_header_is_not_read(void **state)
{
    (void)state;
    sample.map.entry_bytes += 4;
    sample.map.entries = (const prfdata_map_entry *)(uintptr_t)8; /* must not be accessed */
    assert_whole_mistake(PRFDATA_MAP_RULE_MAP);
}

static void test_map_without_table_is_refused(void **state)
{
    (void)state;
    sample.map.entries = NULL;
    assert_whole_mistake(PRFDATA_MAP_RULE_MAP);
    sample.map.entry_count = 0;
    assert_whole_mistake(PRFDATA_MAP_RULE_NO_OBJECT);
}

static void test_map_unknown_kind_is_refused(void **state)
{
    static const uint32_t kinds[] = {0, 4, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        sample_map_init(&sample);
        sample_map_insert(&sample, WORKERS, &entries[JOBS]);
        entries[WORKERS].kind = kinds[i];
        assert_mistake(PRFDATA_MAP_RULE_MAP, WORKERS);
    }
}

static void test_map_missing_text_is_refused(void **state)
{
    (void)state;
    entries[JOBS].symbol = NULL;
    assert_mistake(PRFDATA_MAP_RULE_MAP, JOBS);
    sample_map_init(&sample);
    entries[JOBS].name = NULL;
    assert_mistake(PRFDATA_MAP_RULE_MAP, JOBS);
    sample_map_init(&sample);
    entries[WORKERS].help = NULL;
    assert_mistake(PRFDATA_MAP_RULE_MAP, WORKERS);
    sample_map_init(&sample);
    entries[JOB_TIME_BASE].name = NULL;
    assert_mistake(PRFDATA_MAP_RULE_MAP, JOB_TIME_BASE);
}

/* Nobody knows what an option after an unknown line belongs to, so only the unknown line is
 * reported. */
static void test_map_unknown_kind_is_reported_without_its_options(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, WORKERS, PRFDATA_OPTION_TOTAL, 0);
    sample_map_insert(&sample, WORKERS, &entries[JOBS]);
    entries[WORKERS].kind = 7;
    assert_mistake(PRFDATA_MAP_RULE_MAP, WORKERS);
}

/* ---- The map as a whole ---- */

static void test_map_service_name_follows_the_installer(void **state)
{
    static const char *const good[] = {
        "A",
        "9",
        "HWInputMon",
        "a b.c_d-e",
        "CONSOLE",
        "COM",
        "COM0",
        "COM10",
        "NULL",
        "LPTX",
        "xCON",
        "A.ini.x",
        "ini",
        "Ash",
        "CON-1",
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    };
    static const char *const bad[] = {
        "",
        " a",
        ".a",
        "_a",
        "-a",
        "a ",
        "a.",
        "a/b",
        "a\\b",
        "a:b",
        "a\tb",
        "a*",
        "\xC3\xA4",
        "CON",
        "prn",
        "Aux",
        "nul",
        "COM1",
        "com9",
        "LPT1",
        "lpt9",
        "nul.txt",
        "CON .x",
        "com1.a.b",
        /* The title file of the service HWInputMon has this name, and the folder of a service
         * HWInputMon.ini would have it, too. */
        "HWInputMon.ini",
        "A.INI",
        "a.b.h",
        NULL,
        "123456789012345678901234567890123456789012345678901234567890123456789012345678901",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        sample.map.service = good[i];
        assert_right();
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        sample.map.service = bad[i];
        assert_whole_mistake(PRFDATA_MAP_RULE_SERVICE_NAME);
    }
}

static void test_map_256_objects_are_allowed_257_not(void **state)
{
    (void)state;
    /* Make objects with one counter each. Symbols and names are made from ids. */
    sample.map.entry_count = 0;
    for (uint32_t i = 0; i < 256; i++) {
        prfdata_map_entry object = sample_map_counter(2 * i, 0);
        prfdata_map_entry counter = sample_map_counter(2 * i + 1, PERF_COUNTER_COUNTER);

        object.kind = PRFDATA_ENTRY_OBJECT;
        object.default_counter = counter.id;
        object.max_instances = PERF_NO_INSTANCES;
        sample_map_append(&sample, object);
        sample_map_append(&sample, counter);
        if (i == 0)
            assert_right();
    }
    assert_right();
    {
        prfdata_map_entry object = entries[510];
        prfdata_map_entry counter = sample_map_counter(601, PERF_COUNTER_COUNTER);
        prfdata_map_entry texts = sample_map_counter(600, 0);

        object.id = texts.id;
        object.symbol = texts.symbol;
        object.name = texts.name;
        object.default_counter = counter.id;
        sample_map_append(&sample, object);
        sample_map_append(&sample, counter);
    }
    assert_whole_mistake(PRFDATA_MAP_RULE_TOO_MANY);
}

static void test_map_1024_counters_are_allowed_1025_not(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1023; i++) {
        prfdata_map_entry counter = sample_map_counter(1000 + i, PERF_COUNTER_COUNTER);

        sample_map_insert(&sample, BUSY + 1, &counter);
    }
    assert_right();
    {
        prfdata_map_entry counter = sample_map_counter(2023, PERF_COUNTER_COUNTER);

        sample_map_insert(&sample, BUSY + 1, &counter);
    }
    assert_mistake(PRFDATA_MAP_RULE_TOO_MANY, WORKERS);
}

static wchar_t *text_of(wchar_t c, size_t length)
{
    wchar_t *text = malloc((length + 1) * sizeof(*text));

    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = c;
    text[length] = 0;
    return text;
}

static void test_map_encoded_beyond_64_kib_is_refused(void **state)
{
    wchar_t *help = text_of(L'h', 900);
    uint64_t missing;

    (void)state;
    for (uint32_t i = 0; prfdata_map_bytes_size(&sample.map) + 1000 <= PRFDATA_MAX_MAP_BYTES; i++) {
        prfdata_map_entry counter = sample_map_counter(1000 + i, PERF_COUNTER_COUNTER);

        counter.help = help;
        sample_map_insert(&sample, BUSY + 1, &counter);
    }
    missing = PRFDATA_MAX_MAP_BYTES - prfdata_map_bytes_size(&sample.map);
    {
        prfdata_map_entry counter = sample_map_counter(999, PERF_COUNTER_COUNTER);

        counter.help = L"";
        sample_map_insert(&sample, BUSY + 1, &counter);
        missing = PRFDATA_MAX_MAP_BYTES - prfdata_map_bytes_size(&sample.map);
        counter.help = help + 900 - missing;
        entries[BUSY + 1] = counter;
        assert_int_equal(prfdata_map_bytes_size(&sample.map), PRFDATA_MAX_MAP_BYTES);
        assert_right();
        entries[BUSY + 1].help--;
        assert_whole_mistake(PRFDATA_MAP_RULE_TOO_LARGE);
    }
    free(help);
}

/* Lines beyond the limit are not compared with each other, because that would take hours. */
static void test_map_absurd_entry_count_is_one_mistake(void **state)
{
    (void)state;
    sample.map.entry_count = UINT32_MAX;
    assert_whole_mistake(PRFDATA_MAP_RULE_TOO_LARGE);
}

/* ---- Objects and counters ---- */

static void test_map_counter_before_any_object_is_refused(void **state)
{
    prfdata_map_entry counter = sample_map_counter(1, PERF_COUNTER_COUNTER);

    (void)state;
    sample_map_insert(&sample, 0, &counter);
    assert_mistake(PRFDATA_MAP_RULE_COUNTER_FIRST, 0);
}

static void test_map_object_without_counter_is_refused(void **state)
{
    (void)state;
    sample_map_remove(&sample, BUSY);
    assert_mistake(PRFDATA_MAP_RULE_NO_COUNTER, WORKERS);
    sample_map_init(&sample);
    sample_map_remove(&sample, TAKEN); /* removes the last object's only counter */
    assert_mistake(PRFDATA_MAP_RULE_NO_COUNTER, CONSUMERS);
}

static void test_map_symbol_is_an_identifier(void **state)
{
    static const char *const good[] = {
        "a",
        "a_",
        "A9",
        "a_1_",
        "Class",
        "NEW",
        "PRFDATA",
        "MY_PRFDATA_X",
        "a23456789012345678901234567890123456789012345678901234567890123"};
    static const char *const bad[] = {
        "",
        "9",
        "a b",
        "a-b",
        "X::Y",
        "(X)",
        "\xC3\xA4",
        "a\n",
        "100",
        "class",
        "restrict",
        "xor_eq",
        "char8_t",
        "_",
        "_a",
        "_A",
        "a__b",
        "a__",
        "PRFDATA_NO_LONGER_USED_2",
        "prfdata_x",
        "PRFDATA_",
        "a234567890123456789012345678901234567890123456789012345678901234"};
    static const uint32_t places[] = {QUEUES, JOBS, JOB_TIME_BASE};

    (void)state;
    for (size_t place = 0; place < COUNT(places); place++) {
        sample_map_init(&sample);
        for (size_t i = 0; i < COUNT(good); i++) {
            entries[places[place]].symbol = good[i];
            assert_right();
        }
        for (size_t i = 0; i < COUNT(bad); i++) {
            entries[places[place]].symbol = bad[i];
            assert_mistake(PRFDATA_MAP_RULE_SYMBOL, places[place]);
        }
    }
}

static void test_map_symbols_equal_ignoring_case_are_refused(void **state)
{
    (void)state;
    entries[BUSY].symbol = "jObS";
    assert_conflict(PRFDATA_MAP_RULE_SYMBOL, BUSY, JOBS);
}

/* A line that occurs twice repeats the id and the name. Its symbol then stands for the same id, so
 * the symbol is no third mistake. */
static void test_map_line_said_twice_is_told_once_per_rule(void **state)
{
    prfdata_map_mistake mistakes[3];

    (void)state;
    sample_map_insert(&sample, JOBS, &entries[JOBS]);
    assert_int_equal(prfdata_map_check(&sample.map, mistakes, 3), 2);
    assert_int_equal(mistakes[0].rule, PRFDATA_MAP_RULE_DUPLICATE_ID);
    assert_int_equal(mistakes[1].rule, PRFDATA_MAP_RULE_DUPLICATE_NAME);
}

static void test_map_id_used_twice_is_refused(void **state)
{
    (void)state;
    entries[TAKEN].id = entries[CONSUMERS].default_counter = 104;
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_ID, TAKEN, JOB_TIME_BASE);
    sample_map_init(&sample);
    entries[BUSY].id = entries[WORKERS].default_counter = 200;
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_ID, BUSY, WORKERS);
    sample_map_init(&sample);
    entries[WORKERS].id = 100;
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_ID, WORKERS, QUEUES);
}

static void test_map_name_has_1_to_127_chars(void **state)
{
    static const uint32_t places[] = {QUEUES, DEPTH, JOB_TIME_BASE};
    wchar_t *name = text_of(L'n', 128);
    wchar_t pairs[200] = L"";

    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        sample_map_init(&sample);
        entries[places[i]].name = L"";
        assert_mistake(PRFDATA_MAP_RULE_NAME_LENGTH, places[i]);
        entries[places[i]].name = name;
        assert_mistake(PRFDATA_MAP_RULE_NAME_LENGTH, places[i]);
        entries[places[i]].name = name + 1;
        assert_right();
        entries[places[i]].name = name + 127;
        assert_right();
    }
    /* The limit counts UTF-16 units: 63 pairs and one unit are 127. One more is too many. */
    for (size_t i = 0; i < 63; i++)
        wcscat(pairs, L"\U00010437");
    wcscat(pairs, L"a");
    entries[DEPTH].name = pairs;
    assert_right();
    wcscat(pairs, L"a");
    assert_mistake(PRFDATA_MAP_RULE_NAME_LENGTH, DEPTH);
    free(name);
}

static void test_map_name_characters_of_paths_are_refused(void **state)
{
    static const wchar_t refused[] = L"\\()#*\x01\t\n\x1F\x7F\x80\x9F";

    (void)state;
    for (size_t i = 0; i < COUNT(refused) - 1; i++) {
        wchar_t name[] = {L'a', refused[i], L'b', 0};

        entries[DEPTH].name = name;
        assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, DEPTH);
        sample_map_init(&sample);
        entries[WORKERS].name = name;
        assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, WORKERS);
        sample_map_init(&sample);
        entries[JOB_TIME_BASE].name = name;
        assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, JOB_TIME_BASE);
        sample_map_init(&sample);
    }
    entries[WORKERS].name = L"a/b"; /* a slash separates an instance from its parent */
    assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, WORKERS);
    entries[WORKERS].name = L"\u00E4 'b' \"c\" % \U00010437 d";
    entries[DEPTH].name = L"a/b 'c' \u00A0 % d";
    assert_right();
}

static void test_map_name_ends_that_title_files_strip_are_refused(void **state)
{
    static const wchar_t *const names[] = {L" a", L"a ", L"\"a", L"a\"", L"'a", L"a'", L"\"a b\""};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        entries[DEPTH].name = names[i];
        assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, DEPTH);
    }
}

static void test_map_name_with_lone_surrogate_is_refused(void **state)
{
    static const wchar_t name[] = {L'a', LONE, L'b', 0};

    (void)state;
    entries[DEPTH].name = name;
    assert_mistake(PRFDATA_MAP_RULE_NAME_CHARACTERS, DEPTH);
    sample_map_init(&sample);
    entries[DEPTH].help = name;
    assert_mistake(PRFDATA_MAP_RULE_HELP_CHARACTERS, DEPTH);
}

static void test_map_equal_names_of_siblings_are_refused(void **state)
{
    (void)state;
    entries[JOB_TIME].name = L"dEPTH";
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_NAME, JOB_TIME, DEPTH);
    sample_map_init(&sample);
    entries[CONSUMERS].name = L"my workers";
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_NAME, CONSUMERS, WORKERS);
    sample_map_init(&sample);
    entries[DEPTH].name = L"\u00C4 a";
    entries[JOBS].name = L"\u00E4 A";
    assert_conflict(PRFDATA_MAP_RULE_DUPLICATE_NAME, JOBS, DEPTH);
}

static void test_map_equal_names_elsewhere_are_allowed(void **state)
{
    prfdata_map_entry later = sample_map_counter(1, PERF_COUNTER_COUNTER);

    (void)state;
    entries[BUSY].name = entries[DEPTH].name;         /* the name of a counter in another object */
    entries[TAKEN].name = entries[CONSUMERS].name;    /* one name for an object and a counter */
    entries[JOB_TIME_BASE].name = entries[JOBS].name; /* no reader shows the name of a base */
    assert_right();
    entries[JOB_TIME_BASE].name = later.name;
    sample_map_insert(&sample, WORKERS, &later);
    assert_right();
    entries[JOB_TIME_BASE].name = L"$$";
    assert_right();
}

static void test_map_names_equal_for_wmi_are_refused(void **state)
{
    static const wchar_t *const names[][2] = {
        {L"a b", L"A.B"},   {L"% used", L"percentUSED"}, {L"Jobs/min", L"Jobs Per min"},
        {L"a_b", L"a _ b"}, {L"a \u00E4", L"a"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        sample_map_init(&sample);
        entries[DEPTH].name = names[i][0];
        entries[JOBS].name = names[i][1];
        assert_conflict(PRFDATA_MAP_RULE_WMI_NAME, JOBS, DEPTH);
    }
    sample_map_init(&sample);
    entries[WORKERS].name = L"MyQueues";
    assert_conflict(PRFDATA_MAP_RULE_WMI_NAME, WORKERS, QUEUES);
    entries[WORKERS].name = L"My Queues 2";
    assert_right();
}

static void test_map_names_without_a_wmi_name_are_refused(void **state)
{
    static const wchar_t *const names[] = {L"$$", L"\u00E4", L"-", L"\u4E2D\u6587",
                                           L"\u00E4/\u00E4"};

    (void)state;
    for (size_t i = 0; i + 1 < COUNT(names); i++) {
        entries[DEPTH].name = names[i];
        assert_mistake(PRFDATA_MAP_RULE_WMI_NAME, DEPTH);
    }
    entries[DEPTH].name = names[COUNT(names) - 1]; /* the slash becomes "Per" */
    assert_right();
    entries[QUEUES].name = L"$$";
    assert_mistake(PRFDATA_MAP_RULE_WMI_NAME, QUEUES);
}

static void test_map_names_that_every_wmi_class_has_are_refused(void **state)
{
    static const wchar_t *const names[] = {L"Name",
                                           L"CAPTION",
                                           L"Description",
                                           L"Frequency_Object",
                                           L"Frequency_PerfTime",
                                           L"Frequency_Sys100NS",
                                           L"Timestamp_Object",
                                           L"Timestamp_PerfTime",
                                           L"Timestamp_Sys100NS",
                                           L"na.me"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        entries[DEPTH].name = names[i];
        assert_mistake(PRFDATA_MAP_RULE_WMI_NAME, DEPTH);
    }
    entries[DEPTH].name = L"Names";
    entries[WORKERS].name = L"Name"; /* for WMI this is a class, not a property */
    assert_right();
}

/* In WMI the base of a fraction is the property <fraction>_Base, whatever its name in the map
 * is. */
static void test_map_wmi_names_of_bases_count(void **state)
{
    prfdata_map_entry later = sample_map_counter(1, PERF_COUNTER_COUNTER);

    (void)state;
    entries[DEPTH].name = L"Avg sec Per Job_Base";
    assert_conflict(PRFDATA_MAP_RULE_WMI_NAME, JOB_TIME, DEPTH);
    sample_map_init(&sample);
    later.name = L"Avgsec/Job _base";
    sample_map_insert(&sample, WORKERS, &later);
    assert_conflict(PRFDATA_MAP_RULE_WMI_NAME, WORKERS, JOB_TIME);
    /* In WMI, a counter without a base has no property <counter>_Base. */
    sample_map_init(&sample);
    entries[DEPTH].name = L"Jobs/sec_Base";
    assert_right();
    entries[JOBS].type = PERF_COUNTER_RAWCOUNT_HEX; /* this type is 0, like "no base" */
    entries[DEPTH].name = L"Depth";
    later.name = L"Depth_Base";
    sample_map_insert(&sample, WORKERS, &later);
    assert_right();
}

static void test_map_help_has_1_to_900_chars(void **state)
{
    static const uint32_t places[] = {QUEUES, DEPTH, JOB_TIME_BASE};
    wchar_t *help = text_of(L'h', 901);

    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        sample_map_init(&sample);
        entries[places[i]].help = L"";
        assert_mistake(PRFDATA_MAP_RULE_HELP_LENGTH, places[i]);
        entries[places[i]].help = help;
        assert_mistake(PRFDATA_MAP_RULE_HELP_LENGTH, places[i]);
        entries[places[i]].help = help + 1;
        assert_right();
    }
    free(help);
}

static void test_map_help_characters_that_title_files_lose_are_refused(void **state)
{
    static const wchar_t *const bad[] = {L"a\tb", L"a\nb", L"a\x7F", L" a", L"a ", L"\"a\"", L"a'"};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[DEPTH].help = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_HELP_CHARACTERS, DEPTH);
    }
    entries[DEPTH].help = L"a (b) c\\d #1 * 'x' \"y\" / \u00E4.";
    assert_right();
}

static void test_map_detail_level_is_one_of_four(void **state)
{
    static const uint32_t good[] = {100, 200, 300, 400};
    static const uint32_t bad[] = {0, 1, 99, 101, 150, 500, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        entries[JOBS].detail_level = entries[QUEUES].detail_level = good[i];
        assert_right();
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        sample_map_init(&sample);
        entries[JOBS].detail_level = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_DETAIL_LEVEL, JOBS);
        sample_map_init(&sample);
        entries[QUEUES].detail_level = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_DETAIL_LEVEL, QUEUES);
    }
}

static void test_map_scale_is_between_minus_7_and_7(void **state)
{
    static const int32_t bad[] = {-8, 8, INT32_MIN, INT32_MAX};

    (void)state;
    for (int32_t scale = -7; scale <= 7; scale++) {
        entries[JOBS].default_scale = scale;
        assert_right();
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[JOBS].default_scale = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_SCALE, JOBS);
    }
}

static void test_map_default_counter_is_shown_and_of_the_object(void **state)
{
    static const uint32_t bad[] = {0, 100, 104, 201, 999, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[QUEUES].default_counter = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_DEFAULT_COUNTER, QUEUES);
    }
    entries[QUEUES].default_counter = 103;
    assert_right();
    entries[BUSY].type = PERF_COUNTER_NODATA;
    assert_mistake(PRFDATA_MAP_RULE_DEFAULT_COUNTER, WORKERS);
}

/* ---- Capacity ---- */

static void test_map_capacity_is_1_to_65535_or_none(void **state)
{
    static const int32_t bad[] = {0, -2, -3, INT32_MIN, 65536, INT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[CONSUMERS].max_instances = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_CAPACITY, CONSUMERS);
    }
    entries[CONSUMERS].max_instances = 1;
    assert_right();
    entries[CONSUMERS].max_instances = 65535;
    assert_right();
}

/* Seven counters of 8 bytes need 64 + 7 * 40 bytes of definitions. An instance needs 24 + 2 * 221
 * bytes, padded to 472, and a block of 64. Without any one of these parts, one more instance would
 * fit. */
static void test_map_reply_beyond_32_mib_is_refused(void **state)
{
    static const int32_t most = (32 * 1024 * 1024 - 64 - 7 * 40) / (472 + 64);

    (void)state;
    entries[TAKEN].type = PERF_COUNTER_BULK_COUNT;
    for (uint32_t i = 1; i < 7; i++) {
        prfdata_map_entry counter = sample_map_counter(i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&sample, TAKEN, &counter);
    }
    entries[CONSUMERS].max_name_chars = 220;
    entries[CONSUMERS].max_instances = most;
    assert_right();
    entries[CONSUMERS].max_instances = most + 1;
    assert_mistake(PRFDATA_MAP_RULE_CAPACITY, CONSUMERS);

    /* The total counts as one more instance. */
    entries[CONSUMERS].max_instances = most;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_TOTAL, 0);
    assert_mistake(PRFDATA_MAP_RULE_CAPACITY, CONSUMERS);
    entries[CONSUMERS].max_instances = most - 1;
    assert_right();
}

/* With ten counters, the definitions have 464 bytes. Each of 56,679 instances has 504 bytes
 * (24 + 2 * 237, padded) and a block of 88 bytes. Together these are 32 MiB exactly. */
static void test_map_reply_of_exactly_32_mib_is_allowed(void **state)
{
    (void)state;
    entries[TAKEN].type = PERF_COUNTER_BULK_COUNT;
    for (uint32_t i = 1; i < 10; i++) {
        prfdata_map_entry counter = sample_map_counter(i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&sample, TAKEN, &counter);
    }
    entries[CONSUMERS].max_name_chars = 236;
    entries[CONSUMERS].max_instances = 56679;
    assert_right();
}

/* The name has 244 chars, and the process id adds 11: 255. */
static void test_map_reply_counts_the_process_id(void **state)
{
    static const int32_t most = (32 * 1024 * 1024 - 64 - 40) / (536 + 16);

    (void)state;
    entries[TAKEN].type = PERF_COUNTER_BULK_COUNT;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
    entries[CONSUMERS].max_name_chars = 244;
    entries[CONSUMERS].max_instances = most;
    assert_right();
    entries[CONSUMERS].max_instances = most + 1;
    assert_mistake(PRFDATA_MAP_RULE_CAPACITY, CONSUMERS);
}

static void test_map_instance_name_has_1_to_255_chars(void **state)
{
    static const uint32_t bad[] = {0, 256, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[CONSUMERS].max_name_chars = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_INSTANCE_NAME, CONSUMERS);
    }
    entries[CONSUMERS].max_name_chars = 1;
    assert_right();
    entries[CONSUMERS].max_name_chars = 255;
    assert_right();
    entries[WORKERS].max_name_chars = 999; /* without instances there are no names */
    assert_right();
}

static void test_map_instance_name_with_process_id_has_room_for_it(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
    entries[CONSUMERS].max_name_chars = 244;
    assert_right();
    entries[CONSUMERS].max_name_chars = 245;
    assert_mistake(PRFDATA_MAP_RULE_INSTANCE_NAME, CONSUMERS);
}

/* ---- Types ---- */

/* The needs of each type, taken from winperf.h and not from our table. */
enum { PLAIN, BASED, BASE, INVERSE, NOT_YET };

static const struct {
    uint32_t type;
    uint32_t base;
    int sort;
} all_types[] = {
    {0x00010000, 0, PLAIN},          {0x00010100, 0, PLAIN},
    {0x00000000, 0, PLAIN},          {0x00000100, 0, PLAIN},
    {0x00400400, 0, PLAIN},          {0x00400500, 0, PLAIN},
    {0x10410400, 0, PLAIN},          {0x10410500, 0, PLAIN},
    {0x00410400, 0, PLAIN},          {0x00450400, 0, PLAIN},
    {0x00450500, 0, PLAIN},          {0x00550500, 0, PLAIN},
    {0x00650500, 0, PLAIN},          {0x20410500, 0, PLAIN},
    {0x21410500, 0, INVERSE},        {0x20510500, 0, PLAIN},
    {0x21510500, 0, INVERSE},        {0x20610500, 0, PLAIN},
    {0x22410500, 0x42030500, BASED}, {0x23410500, 0x42030500, BASED},
    {0x22510500, 0x42030500, BASED}, {0x23510500, 0x42030500, BASED},
    {0x42030500, 0, BASE},           {0x20C20400, 0x40030401, BASED},
    {0x40030401, 0, BASE},           {0x20020400, 0x40030403, BASED},
    {0x40030403, 0, BASE},           {0x20020500, 0x40030500, BASED},
    {0x40030500, 0, BASE},           {0x30020400, 0x40030402, BASED},
    {0x40020500, 0x40030402, BASED}, {0x40030402, 0, BASE},
    {0x20470500, 0x40030500, BASED}, {0x20570500, 0x40030500, BASED},
    {0x20670500, 0x40030500, BASED}, {0x30240500, 0, PLAIN},
    {0x00000B00, 0, NOT_YET},        {0x40000200, 0, PLAIN},
    {0x80000000, 0, NOT_YET},
};

static void assert_all_types_are_there(void)
{
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (i >= COUNT(all_types) || all_types[i].type != type->type)
            fail_msg("row %d of all_types is not that of %s, 0x%08X", (int)i, type->name,
                     (unsigned)type->type);
    }
    assert_int_equal(COUNT(all_types), PRFDATA_COUNTER_TYPE_COUNT);
}

/* The counter is the last one of its object and comes after an unrelated one. */
static void test_map_every_type_is_validated(void **state)
{
    (void)state;
    assert_all_types_are_there();
    for (size_t i = 0; i < COUNT(all_types); i++) {
        prfdata_map_entry counter = sample_map_counter(1, all_types[i].type);
        prfdata_map_entry base = sample_map_counter(2, all_types[i].base);

        sample_map_init(&sample);
        sample_map_insert(&sample, CONSUMERS, &counter);
        switch (all_types[i].sort) {
        case PLAIN:
            assert_right();
            break;
        case BASED:
            assert_mistake(PRFDATA_MAP_RULE_BASE_MISSING, CONSUMERS);
            sample_map_insert(&sample, CONSUMERS + 1, &base);
            assert_right();
            break;
        case BASE:
            assert_mistake(PRFDATA_MAP_RULE_BASE_ALONE, CONSUMERS);
            break;
        case INVERSE:
            assert_mistake(PRFDATA_MAP_RULE_SINGLE_INVERSE, CONSUMERS);
            break;
        default:
            assert_mistake(PRFDATA_MAP_RULE_TYPE_NOT_YET, CONSUMERS);
        }
    }
}

static void test_map_unknown_types_are_refused(void **state)
{
    static const uint32_t types[] = {1, 73728, 0x40030503, 0x10410401, 0xFFFFFFFF, 0x40010400};

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        entries[JOBS].type = types[i];
        assert_mistake(PRFDATA_MAP_RULE_UNKNOWN_TYPE, JOBS);
    }
}

/* ---- An invalid type causes no other message ---- */

/* Make a map with options and neighbours that depend on counters. */
static void use_map_around_types(void)
{
    const prfdata_map_entry distribution = {.kind = PRFDATA_ENTRY_OPTION,
                                            .id = 1,
                                            .symbol = "AN_OPTION",
                                            .option = PRFDATA_OPTION_DISTRIBUTION,
                                            .unit = PRFDATA_UNIT_BYTES,
                                            .lowest = 1,
                                            .highest = 1000,
                                            .buckets_per_octave = 4,
                                            .window_s = 60};
    const prfdata_map_entry metric = {.kind = PRFDATA_ENTRY_OPTION,
                                      .symbol = "AN_OPTION",
                                      .name = L"my_jobs",
                                      .help = L"bytes",
                                      .option = PRFDATA_OPTION_METRIC};
    const prfdata_map_entry shown = sample_map_counter(2, PERF_COUNTER_RAWCOUNT);
    prfdata_map_entry object = sample_map_object(3, L"Health", 4, PERF_NO_INSTANCES, 0);

    sample_map_init(&sample);
    sample_map_append(&sample, object);
    sample_map_append(&sample, sample_map_counter(4, PERF_COUNTER_RAWCOUNT));
    sample_map_append_option(&sample, PRFDATA_OPTION_HEALTH, PRFDATA_HEALTH_PUBLISHERS);
    sample_map_insert_option(&sample, WORKERS, PRFDATA_OPTION_PERCENTILE, 1);
    entries[WORKERS].highest = 9900;
    sample_map_insert(&sample, WORKERS, &shown);
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    sample_map_insert(&sample, JOB_TIME, &metric);
    sample_map_insert_option(&sample, JOB_TIME, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&sample, JOBS, PRFDATA_OPTION_TOTAL_MEAN, 0);
    sample_map_insert(&sample, DEPTH, &distribution);
    assert_right();
}

static void test_map_wrong_type_is_one_mistake(void **state)
{
    static const uint32_t types[] = {7, PERF_COUNTER_TEXT, PERF_COUNTER_HISTOGRAM_TYPE};
    uint32_t tried = 0;

    (void)state;
    for (size_t t = 0; t < COUNT(types); t++) {
        for (uint32_t i = 0; i < sample.map.entry_count; i++) {
            use_map_around_types();
            if (entries[i].kind != PRFDATA_ENTRY_COUNTER)
                continue;
            entries[i].type = types[t];
            assert_mistake(
                types[t] == 7 ? PRFDATA_MAP_RULE_UNKNOWN_TYPE : PRFDATA_MAP_RULE_TYPE_NOT_YET, i);
            tried++;
        }
    }
    assert_int_equal(tried, 3 * 8);
}

/* In both maps of this test, a base is the default counter of its object. */
static void test_map_base_in_place_of_a_counter_is_one_mistake(void **state)
{
    (void)state;
    entries[JOBS].type = PERF_RAW_BASE;
    assert_mistake(PRFDATA_MAP_RULE_BASE_ALONE, JOBS);
    sample_map_init(&sample);
    entries[QUEUES].default_counter = entries[JOB_TIME_BASE].id;
    assert_mistake(PRFDATA_MAP_RULE_DEFAULT_COUNTER, QUEUES);
}

/* Mistakes in options that do not depend on the type are still reported. */
static void test_map_wrong_type_hides_no_other_mistake(void **state)
{
    static const struct {
        uint32_t option;
        uint32_t id;
        prfdata_map_rule rule;
    } others[] = {
        {PRFDATA_OPTION_COSTLY, 0, PRFDATA_MAP_RULE_OPTION},
        {0x20000000, 0, PRFDATA_MAP_RULE_OPTION},
        {PRFDATA_OPTION_MERGE_MAX, 0, PRFDATA_MAP_RULE_OPTION},    /* occurs twice */
        {PRFDATA_OPTION_ACCUMULATING, 0, PRFDATA_MAP_RULE_OPTION}, /* contradicts MERGE_MAX */
        {PRFDATA_OPTION_METRIC, 0, PRFDATA_MAP_RULE_METRIC_NAME},
    };
    prfdata_map_mistake mistakes[4];

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        sample_map_init(&sample);
        entries[DEPTH].type = 7;
        sample_map_insert_option(&sample, DEPTH_MAX + 1, others[i].option, others[i].id);
        entries[DEPTH_MAX + 1].help = L"";
        assert_int_equal(prfdata_map_check(&sample.map, mistakes, 4), 2);
        assert_int_equal(mistakes[0].rule, PRFDATA_MAP_RULE_UNKNOWN_TYPE);
        assert_int_equal(mistakes[1].rule, others[i].rule);
        assert_int_equal(mistakes[1].entry_index, DEPTH_MAX + 1);
    }
}

static void test_map_each_fraction_has_its_own_base(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(all_types); i++) {
        for (size_t j = 0; j < COUNT(all_types); j++) {
            prfdata_map_entry counter = sample_map_counter(1, all_types[i].type);
            prfdata_map_entry base = sample_map_counter(2, all_types[j].type);

            if (all_types[i].sort != BASED || all_types[j].sort != BASE)
                continue;
            sample_map_init(&sample);
            sample_map_insert(&sample, CONSUMERS, &base);
            sample_map_insert(&sample, CONSUMERS, &counter);
            if (all_types[i].base == all_types[j].type) {
                assert_right();
                continue;
            }
            assert_mistake(PRFDATA_MAP_RULE_BASE_MISSING, CONSUMERS);
        }
    }
}

static void test_map_base_follows_directly(void **state)
{
    prfdata_map_entry between = sample_map_counter(1, PERF_COUNTER_COUNTER);
    prfdata_map_mistake mistakes[3];

    (void)state;
    sample_map_insert(&sample, JOB_TIME_BASE, &between);
    assert_int_equal(prfdata_map_check(&sample.map, mistakes, 3), 2);
    assert_int_equal(mistakes[0].rule, PRFDATA_MAP_RULE_BASE_MISSING);
    assert_int_equal(mistakes[0].entry_index, JOB_TIME);
    assert_int_equal(mistakes[1].rule, PRFDATA_MAP_RULE_BASE_ALONE);
    assert_int_equal(mistakes[1].entry_index, JOB_TIME_BASE + 1);
}

static void test_map_second_base_is_refused(void **state)
{
    prfdata_map_entry second = sample_map_counter(1, PERF_AVERAGE_BASE);

    (void)state;
    sample_map_insert(&sample, WORKERS, &second);
    assert_mistake(PRFDATA_MAP_RULE_BASE_ALONE, WORKERS);
}

static void test_map_base_is_not_taken_from_the_next_object(void **state)
{
    prfdata_map_entry base = entries[JOB_TIME_BASE];
    prfdata_map_mistake mistakes[3];

    (void)state;
    sample_map_remove(&sample, JOB_TIME_BASE);
    /* Entries after the removed one have moved up, so WORKERS_COSTLY is now the index of BUSY. */
    sample_map_insert(&sample, WORKERS_COSTLY, &base);
    assert_int_equal(prfdata_map_check(&sample.map, mistakes, 3), 2);
    assert_int_equal(mistakes[0].rule, PRFDATA_MAP_RULE_BASE_MISSING);
    assert_int_equal(mistakes[1].rule, PRFDATA_MAP_RULE_BASE_ALONE);
}

/* In a hostile map, the `type` of an object may be the type of a base. */
static void test_map_base_is_no_object(void **state)
{
    (void)state;
    sample_map_remove(&sample, JOB_TIME_BASE);
    entries[WORKERS - 1].type = PERF_AVERAGE_BASE;
    assert_mistake(PRFDATA_MAP_RULE_BASE_MISSING, JOB_TIME);
}

static void test_map_base_after_the_table_is_not_read(void **state)
{
    prfdata_map_entry *exact = malloc((JOB_TIME + 1) * sizeof(*exact));
    prfdata_map_mistake mistake;

    (void)state;
    assert_non_null(exact);
    memcpy(exact, entries, (JOB_TIME + 1) * sizeof(*exact));
    sample.map.entries = exact;
    sample.map.entry_count = JOB_TIME + 1;
    assert_int_equal(prfdata_map_check(&sample.map, &mistake, 1), 1);
    assert_int_equal(mistake.rule, PRFDATA_MAP_RULE_BASE_MISSING);
    free(exact);
}

static void test_map_option_between_fraction_and_base_is_allowed(void **state)
{
    (void)state;
    entries[JOB_TIME].type = PERF_RAW_FRACTION;
    entries[JOB_TIME_BASE].type = PERF_RAW_BASE;
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_ACCUMULATING, 0);
    assert_right();
}

static void test_map_sample_counter_may_have_a_base(void **state)
{
    (void)state;
    entries[JOB_TIME].type = PERF_SAMPLE_COUNTER;
    entries[JOB_TIME_BASE].type = PERF_SAMPLE_BASE;
    assert_right();
    entries[JOB_TIME_BASE].type = PERF_AVERAGE_BASE;
    assert_mistake(PRFDATA_MAP_RULE_BASE_ALONE, JOB_TIME_BASE);
}

static void test_map_single_inverse_needs_an_instance_per_process(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_TIMER_INV, PERF_100NSEC_TIMER_INV};

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        sample_map_init(&sample);
        entries[TAKEN].type = types[i];
        assert_mistake(PRFDATA_MAP_RULE_SINGLE_INVERSE, TAKEN);
        sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
        assert_right();
        sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_TOTAL, 0);
        assert_mistake(PRFDATA_MAP_RULE_SINGLE_INVERSE, TAKEN + 2);
    }
}

/* ---- Options ---- */

static void test_map_option_without_target_is_refused(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, 0, PRFDATA_OPTION_COSTLY, 0);
    assert_mistake(PRFDATA_MAP_RULE_OPTION, 0);
}

static void test_map_unknown_option_is_refused(void **state)
{
    static const uint32_t options[] = {0, 0x20000000, 0x40000000, UINT32_MAX,
                                       PRFDATA_OPTION_TOTAL | PRFDATA_OPTION_COSTLY};

    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        sample_map_init(&sample);
        sample_map_insert_option(&sample, TAKEN, options[i], 0);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, TAKEN);
        sample_map_init(&sample);
        sample_map_insert_option(&sample, CONSUMERS, options[i], 0);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, CONSUMERS);
    }
}

static void test_map_object_option_after_a_counter_is_refused(void **state)
{
    static const uint32_t options[] = {PRFDATA_OPTION_PER_PROCESS, PRFDATA_OPTION_TOTAL,
                                       PRFDATA_OPTION_COSTLY, PRFDATA_OPTION_PARENT};

    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        sample_map_init(&sample);
        sample_map_insert_option(&sample, TAKEN + 1, options[i], 100);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, TAKEN + 1);
    }
}

static void test_map_counter_option_after_an_object_is_refused(void **state)
{
    static const uint32_t options[] = {PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_MERGE_MAX,
                                       PRFDATA_OPTION_TOTAL_MEAN, PRFDATA_OPTION_HOT};

    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        sample_map_init(&sample);
        sample_map_insert_option(&sample, TAKEN, options[i], 0);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, TAKEN);
    }
}

static void test_map_instance_option_without_instances_is_refused(void **state)
{
    static const uint32_t options[] = {PRFDATA_OPTION_PER_PROCESS, PRFDATA_OPTION_TOTAL,
                                       PRFDATA_OPTION_PARENT};

    (void)state;
    for (size_t i = 0; i < COUNT(options); i++) {
        sample_map_init(&sample);
        sample_map_insert_option(&sample, BUSY, options[i], 100);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, BUSY);
    }
}

static void test_map_option_said_twice_is_refused(void **state)
{
    static const uint32_t places[] = {QUEUES_TOTAL, DEPTH_MAX, WORKERS_COSTLY, CONSUMERS_PARENT};

    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        sample_map_init(&sample);
        sample_map_insert(&sample, places[i], &entries[places[i]]);
        assert_mistake(PRFDATA_MAP_RULE_OPTION, places[i] + 1);
    }
}

static void test_map_accumulating_and_maximum_exclude_each_other(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, DEPTH_MAX, PRFDATA_OPTION_ACCUMULATING, 0);
    assert_mistake(PRFDATA_MAP_RULE_OPTION, DEPTH_MAX + 1);
    sample_map_init(&sample);
    sample_map_insert_option(&sample, DEPTH_MAX + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    assert_mistake(PRFDATA_MAP_RULE_OPTION, DEPTH_MAX + 1);
}

static void test_map_all_object_options_go_together(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_TOTAL, 0);
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_COSTLY, 0);
    assert_right();
}

/* MERGE_MAX suits RAWCOUNT and RAWCOUNT_HEX. ACCUMULATING also suits RAW_FRACTION. */
static void test_map_counter_options_suit_their_types_only(void **state)
{
    static const uint32_t levels[] = {0x00010000, 0x00010100, 0x00000000, 0x00000100};
    static const uint32_t fractions[] = {0x20020400, 0x20020500};

    (void)state;
    for (size_t i = 0; i < COUNT(all_types); i++) {
        prfdata_map_entry counter = sample_map_counter(1, all_types[i].type);
        prfdata_map_entry base = sample_map_counter(2, all_types[i].base);
        bool is_level = false, is_fraction = false;

        if (all_types[i].sort != PLAIN && all_types[i].sort != BASED)
            continue;
        for (size_t j = 0; j < COUNT(levels); j++)
            is_level |= levels[j] == all_types[i].type;
        for (size_t j = 0; j < COUNT(fractions); j++)
            is_fraction |= fractions[j] == all_types[i].type;

        sample_map_init(&sample);
        if (all_types[i].sort == BASED)
            sample_map_insert(&sample, CONSUMERS, &base);
        sample_map_insert_option(&sample, CONSUMERS, PRFDATA_OPTION_MERGE_MAX, 0);
        sample_map_insert(&sample, CONSUMERS, &counter);
        if (is_level)
            assert_right();
        else
            assert_mistake(PRFDATA_MAP_RULE_OPTION, CONSUMERS + 1);
        entries[CONSUMERS + 1].option = PRFDATA_OPTION_ACCUMULATING;
        if (is_level || is_fraction)
            assert_right();
        else
            assert_mistake(PRFDATA_MAP_RULE_OPTION, CONSUMERS + 1);
    }
}

/* A block with 16 hot words has 4,224 bytes. 248 blocks fit into 1 MiB, 249 do not. */
static void test_map_lanes_of_all_objects_have_a_limit(void **state)
{
    prfdata_map_mistake mistake;
    char text[512];

    (void)state;
    /* Make BUSY hot. A gauge cannot be hot, so BUSY gets another type. */
    sample_map_insert_option(&sample, CONSUMERS, PRFDATA_OPTION_HOT, 0);
    entries[BUSY].type = PERF_COUNTER_BULK_COUNT;
    sample_map_insert_option(&sample, TAKEN + 2, PRFDATA_OPTION_HOT, 0);
    entries[CONSUMERS + 1].max_instances = 247 * 16;
    assert_right();
    entries[CONSUMERS + 1].max_instances++;
    assert_mistake(PRFDATA_MAP_RULE_LANES, CONSUMERS + 1);
    (void)prfdata_map_check(&sample.map, &mistake, 1);
    prfdata_map_mistake_text(&mistake, text, sizeof text);
    assert_string_equal(text, "CONSUMERS (300, \"My Consumers\"): with this object the map's hot "
                              "counters take more than 1024 KiB in a region, 264 bytes for each "
                              "counter of each instance; lower max_instances, or leave out "
                              "PRFDATA_MAP_HOT where few threads count at once.");
}

/* Only the first object that exceeds the limit is reported. The sum of sizes cannot overflow. */
static void test_map_lanes_are_reported_once(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&sample, TAKEN + 2, PRFDATA_OPTION_HOT, 0);
    entries[QUEUES].max_instances = PRFDATA_MAX_INSTANCES;
    entries[CONSUMERS + 1].max_instances = PRFDATA_MAX_INSTANCES;
    assert_mistake(PRFDATA_MAP_RULE_LANES, QUEUES);
}

/* A hot average takes two hot words, one for its value and one for its base, so a block of 16 words
 * serves 8 instances. */
static void test_map_hot_average_counts_twice(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    entries[QUEUES].max_instances = 248 * 8;
    assert_right();
    entries[QUEUES].max_instances++;
    assert_mistake(PRFDATA_MAP_RULE_LANES, QUEUES);
}

static void test_map_option_on_a_base_is_refused(void **state)
{
    (void)state;
    entries[JOB_TIME].type = PERF_RAW_FRACTION;
    entries[JOB_TIME_BASE].type = PERF_RAW_BASE;
    sample_map_insert_option(&sample, JOB_TIME_BASE + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    assert_mistake(PRFDATA_MAP_RULE_OPTION, JOB_TIME_BASE + 1);
}

static void test_map_parent_is_an_earlier_object_with_instances(void **state)
{
    static const uint32_t bad[] = {200, 300, 101, 999};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        entries[CONSUMERS_PARENT].id = bad[i];
        assert_mistake(PRFDATA_MAP_RULE_PARENT, CONSUMERS_PARENT);
    }
    sample_map_init(&sample);
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PARENT,
                             300); /* object 300 comes later */
    assert_mistake(PRFDATA_MAP_RULE_PARENT, QUEUES_TOTAL);
}

/* The query "Global" would return a costly parent for the sake of a child that is not costly. */
static void test_map_costly_parent_needs_costly_children(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_COSTLY, 0);
    assert_mistake(PRFDATA_MAP_RULE_COSTLY_PARENT, CONSUMERS_PARENT + 1);
    sample_map_insert_option(&sample, CONSUMERS_PARENT + 2, PRFDATA_OPTION_COSTLY, 0);
    assert_right();
    /* Now a costly child has a parent that is not costly. */
    sample_map_remove(&sample, QUEUES_TOTAL);
    assert_right();
}

/* ---- All mistakes, any capacity ---- */

static void test_map_all_mistakes_are_found_in_the_order_of_the_table(void **state)
{
    static const prfdata_map_rule rules[] = {
        PRFDATA_MAP_RULE_DETAIL_LEVEL, PRFDATA_MAP_RULE_NAME_LENGTH,
        PRFDATA_MAP_RULE_SCALE,        PRFDATA_MAP_RULE_PARENT,
        PRFDATA_MAP_RULE_UNKNOWN_TYPE, PRFDATA_MAP_RULE_SERVICE_NAME};
    static const uint32_t places[] = {QUEUES, JOBS, JOBS, CONSUMERS_PARENT, TAKEN, SAMPLE_ENTRIES};

    (void)state;
    entries[QUEUES].detail_level = 1;
    entries[JOBS].name = L"";
    entries[JOBS].default_scale = 9;
    entries[CONSUMERS_PARENT].id = 7;
    entries[TAKEN].type = 7;
    sample.map.service = "";

    /* Each capacity has its own allocation, so that the sanitizer notices one mistake too many. */
    for (size_t capacity = 0; capacity <= COUNT(rules) + 1; capacity++) {
        prfdata_map_mistake *mistakes = malloc(capacity * sizeof(*mistakes) + 1);

        assert_non_null(mistakes);
        assert_int_equal(prfdata_map_check(&sample.map, mistakes, capacity), COUNT(rules));
        for (size_t i = 0; i < capacity && i < COUNT(rules); i++) {
            assert_int_equal(mistakes[i].rule, rules[i]);
            assert_int_equal(mistakes[i].entry_index, places[i]);
        }
        free(mistakes);
    }
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), COUNT(rules));
}

static uint32_t next_random(void)
{
    static uint32_t seed = 1;

    seed = seed * 1664525u + 1013904223u;
    return seed >> 16;
}

/* Whatever the fields contain, the check gives a result without a crash, and each mistake has a
 * message. */
static void test_map_random_tables_are_survived(void **state)
{
    static const uint32_t values[] = {0,   1,   2,   3,   100, 101,        0xFFFFFFFF, 0x40030402,
                                      255, 200, 300, 400, 256, 0x80000000, 0x20C20400, 0x0F00};
    static const wchar_t *const names[] = {NULL, L"", L"a", L"/", L"A", L"\x01", L"b "};
    static const char *const symbols[] = {NULL, "", "a", "A", "9", "\xFF"};
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        prfdata_map_mistake mistakes[8];
        size_t count;

        sample.map.entry_count = next_random() % 9;
        for (uint32_t i = 0; i < sample.map.entry_count; i++) {
            const prfdata_map_entry entry = {next_random() % 5,
                                             values[next_random() % COUNT(values)],
                                             symbols[next_random() % COUNT(symbols)],
                                             names[next_random() % COUNT(names)],
                                             names[next_random() % COUNT(names)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             (int32_t)values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             (int32_t)values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)],
                                             values[next_random() % COUNT(values)]};

            entries[i] = entry;
        }
        count = prfdata_map_check(&sample.map, mistakes, COUNT(mistakes));
        assert_true(count > 0);
        for (size_t i = 0; i < count && i < COUNT(mistakes); i++)
            assert_sentence(&mistakes[i]);
    }
}

/* ---- Texts ---- */

static void assert_text(const char *expected)
{
    prfdata_map_mistake mistake;
    char text[1000];

    assert_int_equal(prfdata_map_check(&sample.map, &mistake, 1), 1);
    prfdata_map_mistake_text(&mistake, text, sizeof(text));
    assert_string_equal(text, expected);
}

/* The mistake names two lines of the map, so each rule can write its text about them. */
static void test_map_mistake_text_every_rule_has_one(void **state)
{
    const prfdata_map_mistake about = {PRFDATA_MAP_RULE_MAP, JOB_TIME,        JOB_TIME_BASE, 103,
                                       "JOB_TIME",           L"Avg. sec/Job", &sample.map};
    char text[1000];

    (void)state;
    for (int rule = PRFDATA_MAP_RULE_NONE; rule <= PRFDATA_MAP_RULE_NO_MEMORY; rule++) {
        prfdata_map_mistake mistake = about;
        const char *said;

        mistake.rule = (prfdata_map_rule)rule;
        assert_in_range(prfdata_map_mistake_text(&mistake, text, sizeof text), 1, sizeof text - 1);
        said = strstr(text, "): ");
        assert_non_null(said);
        assert_true(strlen(said) > strlen("): nothing"));
    }
}

static void test_map_mistake_text_names_the_counter_and_the_fix(void **state)
{
    (void)state;
    sample_map_remove(&sample, JOB_TIME_BASE);
    assert_text("JOB_TIME (103, \"Avg. sec/Job\"): PERF_AVERAGE_TIMER needs a counter of the type "
                "PERF_AVERAGE_BASE directly after it; PRFDATA_MAP_CTR_AND_BASE declares both.");
}

static void test_map_mistake_text_names_both_of_a_conflict(void **state)
{
    (void)state;
    entries[JOBS].name = L"depth";
    assert_text("JOBS (102, \"depth\"): the name, ignoring case, is already that of DEPTH (101, "
                "\"Depth\"); rename one of them.");
}

static void test_map_mistake_text_names_what_an_option_follows(void **state)
{
    (void)state;
    entries[DEPTH].type = PERF_COUNTER_COUNTER;
    assert_text("PRFDATA_MAP_MERGE_MAX after DEPTH (101, \"Depth\"): this belongs after a counter "
                "of a RAWCOUNT or RAWCOUNT_HEX type, once and without PRFDATA_MAP_ACCUMULATING.");
}

static void test_map_mistake_text_lists_whose_base_it_could_be(void **state)
{
    (void)state;
    entries[JOB_TIME].type = PERF_COUNTER_COUNTER;
    assert_text(
        "JOB_TIME_BASE (104, \"Avg. sec/Job\"): a counter of the type PERF_AVERAGE_BASE must "
        "directly follow the counter that it is the base of: PERF_AVERAGE_TIMER "
        "PERF_AVERAGE_BULK; PERF_COUNTER_COUNTER has no base, so PRFDATA_MAP_CTR declares it.");
}

static void test_map_mistake_text_of_the_service_shows_it(void **state)
{
    (void)state;
    sample.map.service = "LPT1";
    assert_text(
        "the map: the service name \"LPT1\" is not allowed; use 1 to 80 of A-Z a-z 0-9 blank "
        ". _ -, begin with a letter or digit, end with neither dot nor blank, and avoid "
        "device names like CON or LPT1, and names that end in .ini or .h.");
}

/* No control character reaches the terminal, and no long text fills the line. */
static void test_map_mistake_text_is_printable(void **state)
{
    wchar_t *name = text_of(L'n', 500);
    prfdata_map_mistake mistake;
    char text[1000], long_symbol[500];

    (void)state;
    memset(long_symbol, 's', sizeof(long_symbol) - 1);
    long_symbol[sizeof(long_symbol) - 1] = 0;
    entries[DEPTH].name = L"a\x1B[31m\u00E4\U00010437";
    entries[DEPTH].symbol = "a\x1B\xFF";
    prfdata_map_check(&sample.map, &mistake, 1);
    prfdata_map_mistake_text(&mistake, text, sizeof(text));
    assert_null(strchr(text, 0x1B));
    assert_ptr_equal(strstr(text, "a?? (101, \"a\xEF\xBF\xBD[31m\xC3\xA4"), text);

    entries[DEPTH].name = name;
    entries[DEPTH].symbol = long_symbol;
    prfdata_map_check(&sample.map, &mistake, 1);
    assert_in_range(prfdata_map_mistake_text(&mistake, text, sizeof(text)), 64, 400);
    free(name);
}

static void test_map_mistake_text_any_capacity_is_cut_at_a_character(void **state)
{
    prfdata_map_mistake mistake;
    char whole[1000];
    size_t length;

    (void)state;
    entries[DEPTH].name = L"\u00E4\u20AC(";
    prfdata_map_check(&sample.map, &mistake, 1);
    length = prfdata_map_mistake_text(&mistake, whole, sizeof(whole));
    assert_int_equal(prfdata_map_mistake_text(&mistake, NULL, 0), length);
    for (size_t capacity = 1; capacity <= length + 2; capacity++) {
        char *text = malloc(capacity);
        wchar_t wide[1000];
        size_t cut;

        assert_non_null(text);
        assert_int_equal(prfdata_map_mistake_text(&mistake, text, capacity), length);
        cut = strlen(text);
        assert_memory_equal(text, whole, cut);
        assert_true(prfdata_names_wide_from_utf8(text, cut, wide) != SIZE_MAX);
        assert_true(cut < capacity && (cut == length || cut + 3 >= capacity));
        free(text);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_map_sample_is_right),
        TEST(test_map_null_is_one_mistake),
        TEST(test_map_of_another_header_is_not_read),
        TEST(test_map_without_table_is_refused),
        TEST(test_map_unknown_kind_is_refused),
        TEST(test_map_missing_text_is_refused),
        TEST(test_map_unknown_kind_is_reported_without_its_options),
        TEST(test_map_service_name_follows_the_installer),
        TEST(test_map_256_objects_are_allowed_257_not),
        TEST(test_map_1024_counters_are_allowed_1025_not),
        TEST(test_map_encoded_beyond_64_kib_is_refused),
        TEST(test_map_absurd_entry_count_is_one_mistake),
        TEST(test_map_counter_before_any_object_is_refused),
        TEST(test_map_object_without_counter_is_refused),
        TEST(test_map_symbol_is_an_identifier),
        TEST(test_map_symbols_equal_ignoring_case_are_refused),
        TEST(test_map_line_said_twice_is_told_once_per_rule),
        TEST(test_map_id_used_twice_is_refused),
        TEST(test_map_name_has_1_to_127_chars),
        TEST(test_map_name_characters_of_paths_are_refused),
        TEST(test_map_name_ends_that_title_files_strip_are_refused),
        TEST(test_map_name_with_lone_surrogate_is_refused),
        TEST(test_map_equal_names_of_siblings_are_refused),
        TEST(test_map_equal_names_elsewhere_are_allowed),
        TEST(test_map_names_equal_for_wmi_are_refused),
        TEST(test_map_names_without_a_wmi_name_are_refused),
        TEST(test_map_names_that_every_wmi_class_has_are_refused),
        TEST(test_map_wmi_names_of_bases_count),
        TEST(test_map_help_has_1_to_900_chars),
        TEST(test_map_help_characters_that_title_files_lose_are_refused),
        TEST(test_map_detail_level_is_one_of_four),
        TEST(test_map_scale_is_between_minus_7_and_7),
        TEST(test_map_default_counter_is_shown_and_of_the_object),
        TEST(test_map_capacity_is_1_to_65535_or_none),
        TEST(test_map_reply_beyond_32_mib_is_refused),
        TEST(test_map_reply_of_exactly_32_mib_is_allowed),
        TEST(test_map_reply_counts_the_process_id),
        TEST(test_map_instance_name_has_1_to_255_chars),
        TEST(test_map_instance_name_with_process_id_has_room_for_it),
        TEST(test_map_every_type_is_validated),
        TEST(test_map_unknown_types_are_refused),
        TEST(test_map_wrong_type_is_one_mistake),
        TEST(test_map_base_in_place_of_a_counter_is_one_mistake),
        TEST(test_map_wrong_type_hides_no_other_mistake),
        TEST(test_map_each_fraction_has_its_own_base),
        TEST(test_map_base_follows_directly),
        TEST(test_map_second_base_is_refused),
        TEST(test_map_base_is_not_taken_from_the_next_object),
        TEST(test_map_base_is_no_object),
        TEST(test_map_base_after_the_table_is_not_read),
        TEST(test_map_option_between_fraction_and_base_is_allowed),
        TEST(test_map_sample_counter_may_have_a_base),
        TEST(test_map_single_inverse_needs_an_instance_per_process),
        TEST(test_map_option_without_target_is_refused),
        TEST(test_map_unknown_option_is_refused),
        TEST(test_map_object_option_after_a_counter_is_refused),
        TEST(test_map_counter_option_after_an_object_is_refused),
        TEST(test_map_instance_option_without_instances_is_refused),
        TEST(test_map_option_said_twice_is_refused),
        TEST(test_map_accumulating_and_maximum_exclude_each_other),
        TEST(test_map_all_object_options_go_together),
        TEST(test_map_counter_options_suit_their_types_only),
        TEST(test_map_lanes_of_all_objects_have_a_limit),
        TEST(test_map_lanes_are_reported_once),
        TEST(test_map_hot_average_counts_twice),
        TEST(test_map_option_on_a_base_is_refused),
        TEST(test_map_parent_is_an_earlier_object_with_instances),
        TEST(test_map_costly_parent_needs_costly_children),
        TEST(test_map_all_mistakes_are_found_in_the_order_of_the_table),
        TEST(test_map_random_tables_are_survived),
        TEST(test_map_mistake_text_every_rule_has_one),
        TEST(test_map_mistake_text_names_the_counter_and_the_fix),
        TEST(test_map_mistake_text_names_both_of_a_conflict),
        TEST(test_map_mistake_text_names_what_an_option_follows),
        TEST(test_map_mistake_text_lists_whose_base_it_could_be),
        TEST(test_map_mistake_text_of_the_service_shows_it),
        TEST(test_map_mistake_text_is_printable),
        TEST(test_map_mistake_text_any_capacity_is_cut_at_a_character),
    };

    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
