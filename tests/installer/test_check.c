/* SPDX-License-Identifier: MIT */
/* Tests the check of an installer's maps: one invalid map for each rule with the message that a
 * developer reads, remarks about valid maps, and services that do not fit together. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "report/check.h"
#include "support/sample_map.h"

static sample_map sample;
static prfdata_map_entry *const entries = sample.entries;

/* The lines of the last check. Each ends with \n; those about mistakes begin with "! ". */
static char lines[65536];

static void collect_line(void *context, bool is_mistake, const char *line)
{
    size_t used = strlen(lines);

    assert_ptr_equal(context, lines);
    assert_null(strchr(line, '\n'));
    assert_in_range(strlen(line), 1, PRFDATA_CHECK_LINE_BYTES - 1);
    if (used + strlen(line) + 4 < sizeof lines)
        sprintf(lines + used, "%s%s\n", is_mistake ? "! " : "", line);
}

static size_t check(const prfdata_map *const *maps, size_t count, const char *providers)
{
    lines[0] = 0;
    return prfdata_check_maps(maps, count, providers, collect_line, lines);
}

static size_t check_sample(const char *providers)
{
    const prfdata_map *const maps[] = {&sample.map};

    return check(maps, 1, providers);
}

static void assert_says_check(const char *text)
{
    if (!strstr(lines, text))
        fail_msg("no \"%s\" in\n%s", text, lines);
}

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    return 0;
}

/* ---- Every rule ---- */

static void use_other_header(void)
{
    sample.map.entry_bytes += 4;
}

static void use_bad_service(void)
{
    sample.map.service = "My\\Service";
}

static void remove_objects(void)
{
    sample.map.entry_count = 0;
}

static void add_counters(void)
{
    for (uint32_t i = 0; i < PRFDATA_MAX_COUNTERS; i++) {
        prfdata_map_entry counter = sample_map_counter(1000 + i, PERF_COUNTER_COUNTER);

        sample_map_insert(&sample, BUSY + 1, &counter);
    }
}

static void put_counter_first(void)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    sample_map_insert(&sample, QUEUES, &counter);
}

static void remove_counter(void)
{
    sample_map_remove(&sample, TAKEN);
}

static void use_no_identifier(void)
{
    entries[JOBS].symbol = "JOBS-DONE";
}

static void use_a_name_of_prfdata(void)
{
    entries[JOBS].symbol = "PRFDATA_NO_LONGER_USED_2";
}

static void use_an_id_twice(void)
{
    entries[BUSY].id = 101;
    entries[WORKERS].default_counter = 101;
}

static void use_a_long_name(void)
{
    static wchar_t name[PRFDATA_MAX_NAME_CHARS + 2];

    wmemset(name, L'n', PRFDATA_MAX_NAME_CHARS + 1);
    entries[JOBS].name = name;
}

static void use_bad_name(void)
{
    entries[JOBS].name = L"Jobs(all)";
}

static void use_a_name_twice(void)
{
    entries[JOBS].name = L"DEPTH";
}

static void use_wmis_name(void)
{
    entries[JOBS].name = L"Caption";
}

static void use_no_help(void)
{
    entries[JOBS].help = L"";
}

static void use_bad_help(void)
{
    entries[JOBS].help = L"Two\nlines.";
}

static void use_bad_detail(void)
{
    entries[JOBS].detail_level = 1;
}

static void use_bad_scale(void)
{
    entries[JOBS].default_scale = 8;
}

static void use_no_default(void)
{
    entries[QUEUES].default_counter = 999;
}

static void use_no_capacity(void)
{
    entries[QUEUES].max_instances = 0;
}

static void use_no_name_chars(void)
{
    entries[QUEUES].max_name_chars = 0;
}

static void use_unknown_type(void)
{
    entries[JOBS].type = 0x12345678;
}

static void use_text_type(void)
{
    entries[JOBS].type = PERF_COUNTER_TEXT;
}

static void remove_base(void)
{
    sample_map_remove(&sample, JOB_TIME_BASE);
}

static void remove_fraction(void)
{
    sample_map_remove(&sample, JOB_TIME);
}

static void use_inverse_timer(void)
{
    entries[JOBS].type = PERF_COUNTER_TIMER_INV;
}

static void use_total_without_instances(void)
{
    sample_map_insert_option(&sample, WORKERS + 1, PRFDATA_OPTION_TOTAL, 0);
}

static void use_later_parent(void)
{
    entries[CONSUMERS_PARENT].id = 300;
}

static void use_costly_parent(void)
{
    entries[QUEUES_TOTAL].option = PRFDATA_OPTION_COSTLY;
}

static void use_many_lines(void)
{
    sample.map.entry_count = UINT32_MAX;
}

static void declare_metric(const wchar_t *name, const wchar_t *unit)
{
    sample_map_insert_option(&sample, BUSY + 1, PRFDATA_OPTION_METRIC, 0);
    entries[BUSY + 1].name = name;
    entries[BUSY + 1].help = unit;
}

static void use_bad_metric(void)
{
    declare_metric(L"Workers Busy", L"");
}

static void use_unknown_unit(void)
{
    declare_metric(L"workers_busy", L"gigabytes");
}

static void use_a_metric_twice(void)
{
    declare_metric(L"myservice_depth", L"");
}

static void use_many_lanes(void)
{
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    entries[QUEUES].max_instances = PRFDATA_MAX_INSTANCES;
}

static void declare_distribution(uint32_t buckets_per_octave)
{
    const prfdata_map_entry declared[] = {
        PRFDATA_MAP_DISTRIBUTION_WITH(50, PRFDATA_UNIT_NUMBER, 1, 1000000, buckets_per_octave, 60)};

    sample_map_insert(&sample, QUEUES + 1, &declared[0]);
}

static void use_bad_buckets(void)
{
    declare_distribution(5);
}

static void use_many_buckets(void)
{
    declare_distribution(32);
    entries[QUEUES].max_instances = PRFDATA_MAX_INSTANCES;
}

static void show_health_beside(void)
{
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HEALTH, PRFDATA_HEALTH_TORN);
}

static void show_no_distribution(void)
{
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_SUM, 50);
}

static const struct {
    prfdata_map_rule rule;
    void (*break_map)(void);
    const char *sentence;
} broken[] = {
    {PRFDATA_MAP_RULE_MAP, use_other_header,
     "! MyService: Map: the map: the table is missing or of another version"},
    {PRFDATA_MAP_RULE_SERVICE_NAME, use_bad_service,
     "! My\\Service: Map: the map: the service name \"My\\Service\" is not allowed; use 1 to 80"},
    {PRFDATA_MAP_RULE_NO_OBJECT, remove_objects, "! MyService: Map: the map: it has no object"},
    {PRFDATA_MAP_RULE_TOO_MANY, add_counters,
     "! MyService: Map: WORKERS (200, \"My Workers\"): it has more than 1024 counters"},
    {PRFDATA_MAP_RULE_COUNTER_FIRST, put_counter_first, "the counter belongs to no object"},
    {PRFDATA_MAP_RULE_NO_COUNTER, remove_counter,
     "! MyService: Map: CONSUMERS (300, \"My Consumers\"): the object has no counter"},
    {PRFDATA_MAP_RULE_SYMBOL, use_no_identifier,
     "! MyService: Map: JOBS-DONE (102, \"Jobs/sec\"): the symbol is not a C identifier"},
    {PRFDATA_MAP_RULE_SYMBOL, use_a_name_of_prfdata, "names that begin with PRFDATA_ belong to"},
    {PRFDATA_MAP_RULE_DUPLICATE_ID, use_an_id_twice,
     "! MyService: Map: BUSY (101, \"Busy\"): the id is already that of DEPTH (101, \"Depth\")"},
    {PRFDATA_MAP_RULE_NAME_LENGTH, use_a_long_name, "the name must have 1 to 127 characters"},
    {PRFDATA_MAP_RULE_NAME_CHARACTERS, use_bad_name,
     "! MyService: Map: JOBS (102, \"Jobs(all)\"): the name must not contain \\ ( ) # *"},
    {PRFDATA_MAP_RULE_DUPLICATE_NAME, use_a_name_twice,
     "the name, ignoring case, is already that of DEPTH (101, \"Depth\")"},
    {PRFDATA_MAP_RULE_WMI_NAME, use_wmis_name,
     "! MyService: Map: JOBS (102, \"Caption\"): for WMI, which keeps"},
    {PRFDATA_MAP_RULE_HELP_LENGTH, use_no_help, "the help must have 1 to 900 characters"},
    {PRFDATA_MAP_RULE_HELP_CHARACTERS, use_bad_help, "the help must not contain control"},
    {PRFDATA_MAP_RULE_DETAIL_LEVEL, use_bad_detail, "the detail level must be PERF_DETAIL_NOVICE"},
    {PRFDATA_MAP_RULE_SCALE, use_bad_scale, "must be -7 to 7"},
    {PRFDATA_MAP_RULE_DEFAULT_COUNTER, use_no_default,
     "! MyService: Map: QUEUES (100, \"My Queues\"): its default counter 999 is not"},
    {PRFDATA_MAP_RULE_CAPACITY, use_no_capacity, "max_instances is 0; it must be 1 to 65535"},
    {PRFDATA_MAP_RULE_INSTANCE_NAME, use_no_name_chars, "max_name_chars must be 1 to 255"},
    {PRFDATA_MAP_RULE_UNKNOWN_TYPE, use_unknown_type,
     "the type 0x12345678 is not one of winperf.h's"},
    {PRFDATA_MAP_RULE_TYPE_NOT_YET, use_text_type, "the type PERF_COUNTER_TEXT is not supported"},
    {PRFDATA_MAP_RULE_BASE_MISSING, remove_base,
     "! MyService: Map: JOB_TIME (103, \"Avg. sec/Job\"): PERF_AVERAGE_TIMER needs a counter"},
    {PRFDATA_MAP_RULE_BASE_ALONE, remove_fraction, "must directly follow the counter"},
    {PRFDATA_MAP_RULE_SINGLE_INVERSE, use_inverse_timer, "of several processes cannot be merged"},
    {PRFDATA_MAP_RULE_OPTION, use_total_without_instances, "AN_OPTION after WORKERS (200, "},
    {PRFDATA_MAP_RULE_METRIC_NAME, use_bad_metric, "the metric's name \"Workers Busy\" is not"},
    {PRFDATA_MAP_RULE_METRIC_UNIT, use_unknown_unit, "the unit \"gigabytes\" is unknown"},
    {PRFDATA_MAP_RULE_METRIC_TAKEN, use_a_metric_twice, "is already that of DEPTH (101, "},
    {PRFDATA_MAP_RULE_LANES, use_many_lanes, "hot counters take more than 1024 KiB in a region"},
    {PRFDATA_MAP_RULE_DISTRIBUTION, use_bad_buckets,
     "the buckets per octave must be 4, 8, 16 or 32"},
    {PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, use_many_buckets, "take more than 16 MiB in a region"},
    {PRFDATA_MAP_RULE_SHOWN, show_no_distribution, "the distribution 50 must be declared"},
    {PRFDATA_MAP_RULE_HEALTH, show_health_beside, "a map may have one health object"},
    {PRFDATA_MAP_RULE_PARENT, use_later_parent,
     "the parent CONSUMERS (300, \"My Consumers\") is not an object with instances"},
    {PRFDATA_MAP_RULE_COSTLY_PARENT, use_costly_parent,
     "the parent QUEUES (100, \"My Queues\") is costly"},
    {PRFDATA_MAP_RULE_TOO_LARGE, use_many_lines, "! MyService: Map: the map: encoded it exceeds"},
};

static bool finds_rule(prfdata_map_rule rule)
{
    prfdata_map_mistake mistakes[8];
    size_t count = prfdata_map_check(&sample.map, mistakes, 8);

    for (size_t i = 0; i < count && i < 8; i++) {
        if (mistakes[i].rule == rule)
            return true;
    }
    return false;
}

static void test_check_has_a_sentence_for_every_rule(void **state)
{
    bool seen[PRFDATA_MAP_RULE_NO_MEMORY + 1] = {false};

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {

        sample_map_init(&sample);
        broken[i].break_map();
        assert_true(check_sample(NULL) > 0);
        assert_says_check(broken[i].sentence);
        seen[broken[i].rule] = finds_rule(broken[i].rule);
    }
    for (int rule = PRFDATA_MAP_RULE_NONE + 1; rule < PRFDATA_MAP_RULE_NO_MEMORY; rule++) {
        if (!seen[rule])
            fail_msg("no broken map for rule %d", rule);
    }
}

/* The map has more mistakes than -Install shows. */
static void test_check_shows_every_mistake(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        prfdata_map_entry counter = sample_map_counter(1000 + i, PERF_COUNTER_COUNTER);

        counter.default_scale = 100;
        sample_map_insert(&sample, BUSY + 1, &counter);
    }
    assert_int_equal(check_sample(NULL), 100);
    assert_says_check("! MyService: Map: c1000 (1000, ");
    assert_says_check("! MyService: Map: c1099 (1099, ");
}

/* ---- Valid maps ---- */

static void test_check_counts_what_a_right_map_has(void **state)
{
    (void)state;
    assert_int_equal(check_sample(NULL), 0);
    assert_string_equal(lines, "MyService: Map: valid (objects: 3, counters: 6)\n");
}

static void test_check_names_a_parent_that_is_none(void **state)
{
    (void)state;
    entries[CONSUMERS_PARENT].id = 4711;
    assert_true(check_sample(NULL) > 0);
    assert_says_check("the parent 4711 is not an object with instances");
}

/* Let BUSY show the percentile `share`, in hundredths of a percent. */
static void show_percentile(uint64_t share)
{
    prfdata_map_entry declared[] = {
        PRFDATA_MAP_DISTRIBUTION_WITH(50, PRFDATA_UNIT_NUMBER, 1, 1000000, 8, 60)};
    prfdata_map_entry shown[] = {PRFDATA_MAP_PERCENTILE(50, share)};

    sample_map_insert(&sample, BUSY + 1, &shown[0]);
    sample_map_insert(&sample, WORKERS + 1, &declared[0]);
}

static void test_check_warns_of_a_percentile_that_can_hardly_be_meant(void **state)
{
    (void)state;
    show_percentile(99);
    assert_int_equal(check_sample(NULL), 0);
    assert_string_equal(lines, "MyService: Map: PRFDATA_MAP_PERCENTILE after BUSY (201): the share "
                               "is of 10,000, so 99 is the value that 0.99 % do not exceed; p99 is "
                               "9900.\nMyService: Map: valid (objects: 3, counters: 6)\n");
    sample_map_init(&sample);
    show_percentile(100);
    assert_int_equal(check_sample(NULL), 0);
    assert_string_equal(lines, "MyService: Map: valid (objects: 3, counters: 6)\n");
}

/* Let BUSY show how many values are at most `bound`. The buckets that the test uses end at 959 and
 * 1023, and the range at 1023. */
static void show_at_most(uint64_t bound)
{
    prfdata_map_entry declared[] = {
        PRFDATA_MAP_DISTRIBUTION_WITH(50, PRFDATA_UNIT_NUMBER, 1, 1023, 8, 60)};
    prfdata_map_entry shown[] = {PRFDATA_MAP_AT_MOST(50, bound)};

    sample_map_init(&sample);
    sample_map_insert(&sample, BUSY + 1, &shown[0]);
    sample_map_insert(&sample, WORKERS + 1, &declared[0]);
    assert_int_equal(check_sample(NULL), 0);
}

static void test_check_names_a_bound_that_is_no_end_of_a_bucket(void **state)
{
    (void)state;
    show_at_most(900);
    assert_string_equal(lines,
                        "MyService: Map: PRFDATA_MAP_AT_MOST after BUSY (201): the bound "
                        "900 is not the end of a bucket, so values up to 959 count; the next lower "
                        "end is 895.\nMyService: Map: valid (objects: 3, counters: 6)\n");
    show_at_most(1000);
    assert_says_check(
        "values up to 1023 count, and so do all higher ones; the next lower end is 959.");
    show_at_most(959);
    assert_string_equal(lines, "MyService: Map: valid (objects: 3, counters: 6)\n");
    show_at_most(UINT64_MAX); /* BUSY then shows the number of all values */
    assert_string_equal(lines, "MyService: Map: valid (objects: 3, counters: 6)\n");
}

static void test_check_names_a_distribution_that_no_counter_shows(void **state)
{
    prfdata_map_entry declared[] = {PRFDATA_MAP_DISTRIBUTION(50, PRFDATA_UNIT_NUMBER, 1, 1000000)};

    (void)state;
    sample_map_insert(&sample, WORKERS + 1, &declared[0]);
    assert_int_equal(check_sample(NULL), 0);
    assert_says_check("PRFDATA_MAP_DISTRIBUTION after WORKERS (200): no counter shows the "
                      "distribution 50, so readers see nothing of it; ");
    sample_map_init(&sample);
    show_percentile(100);
    assert_int_equal(check_sample(NULL), 0);
    assert_null(strstr(lines, "no counter shows"));
}

/* Here the option comes after the base, because the map has PRFDATA_MAP_CTR_AND_BASE(...) and then
 * PRFDATA_MAP_HOT(). */
static void test_check_says_where_the_option_of_a_counter_with_a_base_belongs(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, JOB_TIME_BASE + 1, PRFDATA_OPTION_HOT, 0);
    assert_int_equal(check_sample(NULL), 1);
    assert_says_check("; an option of the counter stands before its base, as "
                      "PRFDATA_MAP_CTR_AND_BASE_WITH writes it.");
    sample_map_init(&sample);
    sample_map_insert_option(&sample, TAKEN + 1, PRFDATA_OPTION_TOTAL_MEAN, 0);
    assert_int_equal(check_sample(NULL), 1);
    assert_null(strstr(lines, "before its base"));
}

enum { SAMPLE_HEALTH = 500 };

static void append_health_and_counter(uint32_t counter_id)
{
    static const prfdata_map_entry health[] = {
        PRFDATA_MAP_HEALTH(SAMPLE_HEALTH, L"Sample", "sample")};

    sample_map_init(&sample);
    for (size_t i = 0; i < sizeof health / sizeof health[0]; i++)
        sample_map_append(&sample, health[i]);
    sample_map_append(&sample, sample_map_object(600, L"Others", counter_id, PERF_NO_INSTANCES, 0));
    sample_map_append(&sample, sample_map_counter(counter_id, PERF_COUNTER_RAWCOUNT));
    assert_int_equal(check_sample(NULL), 0);
}

static void test_check_names_an_id_that_health_reserves(void **state)
{
    (void)state;
    append_health_and_counter(SAMPLE_HEALTH + PRFDATA_HEALTH_RESERVED);
    assert_says_check("(515): PRFDATA_MAP_HEALTH reserves the ids 501 to 515 for numbers of later "
                      "versions (SAMPLE_HEALTH); choose another id.\n");
    append_health_and_counter(SAMPLE_HEALTH + PRFDATA_HEALTH_RESERVED + 1);
    assert_null(strstr(lines, "reserves"));
    append_health_and_counter(SAMPLE_HEALTH - 1);
    assert_null(strstr(lines, "reserves"));
}

static void test_check_calls_options_as_they_are_written(void **state)
{
    static const prfdata_map_entry count[] = {PRFDATA_MAP_COUNT(50)};
    static const prfdata_map_entry maximum[] = {PRFDATA_MAP_MAXIMUM(50)};

    (void)state;
    sample_map_insert(&sample, DEPTH + 1, count);
    assert_true(check_sample(NULL) > 0);
    assert_says_check("Map: PRFDATA_MAP_COUNT after DEPTH (101, \"Depth\"): ");
    sample_map_init(&sample);
    sample_map_insert(&sample, DEPTH + 1, maximum);
    assert_true(check_sample(NULL) > 0);
    assert_says_check("Map: PRFDATA_MAP_MAXIMUM after DEPTH (101, \"Depth\"): ");
}

/* ---- Services ---- */

/* If a service's name is not allowed but valid UTF-8, the line shows the name unchanged. */
static void test_check_shows_a_service_in_any_language(void **state)
{
    (void)state;
    sample.map.service = "Gr\xC3\xB6\xC3\x9F"
                         "e \xE6\x97\xA5";
    assert_int_equal(check_sample(NULL), 1);
    assert_says_check("! Gr\xC3\xB6\xC3\x9F"
                      "e \xE6\x97\xA5: Map: the map: the service name "
                      "\"Gr\xC3\xB6\xC3\x9F"
                      "e \xE6\x97\xA5\" is not allowed");
    sample.map.service = "Gr\xF6\x1B\xC2\x9B.";
    assert_int_equal(check_sample(NULL), 1);
    assert_says_check("! Gr???.: Map: the map: the service name \"Gr???.\" is not allowed");
}

static void test_check_service_must_have_a_provider_if_they_are_known(void **state)
{
    static const char *const with[] = {"MyService", "myservice", "Other,MYSERVICE", "MyService,A B",
                                       "a,MyService,b"};
    static const char *const without[] = {"",           "MyServic",    "MyServices", "My Service",
                                          "a,b,MyServ", "MyService2,", ",",          "yService"};

    (void)state;
    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        if (check_sample(with[i]) != 0)
            fail_msg("%s: %s", with[i], lines);
    }
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        assert_int_equal(check_sample(without[i]), 1);
        assert_says_check("! MyService: Service: no provider is built for the service of this map. "
                          "Providers are built for: ");
        assert_says_check(
            "prfdata_add_provider(... SERVICE ...) and PRFDATA_MAP_END must name the same");
    }
    sample.map.service =
        "AZ az @[`{"; /* the first and last letters, and the characters before and after them */
    check_sample("az AZ @[`{");
    assert_null(strstr(lines, "Service: no provider"));
    check_sample("az AZ `{@[");
    assert_says_check("Service: no provider");
}

static void test_check_services_of_a_program_differ(void **state)
{
    prfdata_map other = sample.map;
    const prfdata_map *const maps[] = {&sample.map, &other};

    (void)state;
    other.service = "MYSERVICE";
    assert_int_equal(check(maps, 2, NULL), 1);
    assert_string_equal(lines, "MyService: Map: valid (objects: 3, counters: 6)\n"
                               "! MYSERVICE: Service: another map of this check has the same "
                               "service name; give each map its own.\n");
    other.service = "MyService2";
    assert_int_equal(check(maps, 2, NULL), 0);
    assert_int_equal(check(maps, 2, "MyService"), 1);
    assert_says_check("! MyService2: Service: no provider");
}

/* One line is shown for a map that is NULL, and for a service that has no name, a long name or a
 * name with control characters. */
static void test_check_maps_without_a_name_are_shown(void **state)
{
    char longest[400];
    const prfdata_map *const maps[] = {NULL, &sample.map};

    (void)state;
    assert_int_equal(check(maps, 1, "MyService"), 1);
    assert_says_check("! (no service): Map: the map: the table is missing");
    sample.map.service = NULL;
    assert_int_equal(check(maps, 2, "MyService"), 2);
    assert_says_check("! (no service): Map: the map: the service name \"\" is not allowed");
    sample.map.service = "bell\a\x1B[31m";
    assert_int_equal(check_sample(NULL), 1);
    assert_says_check("! bell??[31m: Map: the map: the service name \"");
    memset(longest, 's', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    sample.map.service = longest;
    assert_int_equal(check_sample(NULL), 1);
    assert_int_equal(strspn(lines, "! s"), 2 + PRFDATA_MAX_SERVICE_CHARS);
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_check_has_a_sentence_for_every_rule),
        TEST(test_check_shows_every_mistake),
        TEST(test_check_counts_what_a_right_map_has),
        TEST(test_check_names_a_parent_that_is_none),

        TEST(test_check_warns_of_a_percentile_that_can_hardly_be_meant),
        TEST(test_check_names_a_bound_that_is_no_end_of_a_bucket),
        TEST(test_check_names_a_distribution_that_no_counter_shows),
        TEST(test_check_says_where_the_option_of_a_counter_with_a_base_belongs),
        TEST(test_check_names_an_id_that_health_reserves),

        TEST(test_check_calls_options_as_they_are_written),

        TEST(test_check_shows_a_service_in_any_language),
        TEST(test_check_service_must_have_a_provider_if_they_are_known),
        TEST(test_check_services_of_a_program_differ),
        TEST(test_check_maps_without_a_name_are_shown),
    };

    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
