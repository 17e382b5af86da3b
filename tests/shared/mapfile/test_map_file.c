/* SPDX-License-Identifier: MIT */
/* Tests shared/mapfile: the content of a map file, each mistake with its line, and the text that is
 * written. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/map_file.h>

#include "every_map.h"
#include "map/map_bytes.h"
#include "map/map_options.h"
#include "map/model.h"
#include "region/health_word.h"
#include "support/golden.h"
#include "support/sample_map.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

PRFDATA_DEFINE_OBJECT(HEALTH, 900);

/* The map in written_map.c, which is the output of PRFDATA_MAP_FILE_C for the sample map. */
PRFDATA_DECLARE_MAP(prfdata_default_map);

static const char whole_file[] = "; The counters of my service.\n"
                                 "[info]\n"
                                 "drivername = MyService\n"
                                 "\n"
                                 "[object QUEUES]\n"
                                 "id = 100\n"
                                 "name = My Queues\n"
                                 "help = The queues; of = my service.\n"
                                 "detail = advanced\n"
                                 "default = JOBS\n"
                                 "instances = 0x40\n"
                                 "name_chars = 32\n"
                                 "total = yes\n"
                                 "# A comment.\n"
                                 "[counter DEPTH]\n"
                                 "id = 101\n"
                                 "name = Depth\n"
                                 "help = Jobs that wait.\n"
                                 "type = PERF_COUNTER_RAWCOUNT\n"
                                 "scale = -1\n"
                                 "merge_max = yes\n"
                                 "accumulating = no\n"
                                 "[counter JOBS]\n"
                                 "id = 102\n"
                                 "name = Jobs/sec\n"
                                 "help = Jobs done.\n"
                                 "type = counter_bulk_count\n"
                                 "[object CONSUMERS]\n"
                                 "id = 200\n"
                                 "name = My Consumers\n"
                                 "help = Who takes jobs.\n"
                                 "instances = 8\n"
                                 "parent = QUEUES\n"
                                 "[counter TAKEN]\n"
                                 "id = 201\n"
                                 "name = Taken\n"
                                 "help = Jobs taken.\n"
                                 "type = PERF_COUNTER_DELTA\n"
                                 "[object PORTS]\n"
                                 "id = 300\n"
                                 "name = My Ports\n"
                                 "help = Ports.\n"
                                 "distribution = 301 100ns 10 1000000000\n"
                                 "distribution = 302 bytes 1 4096 16 10\n"
                                 "[counter PORT_P99]\n"
                                 "id = 303\n"
                                 "name = p99\n"
                                 "help = 99 % of the times.\n"
                                 "type = PERF_COUNTER_LARGE_RAWCOUNT\n"
                                 "percentile = 301 9900\n"
                                 "[counter PORT_COUNT]\n"
                                 "id = 304\n"
                                 "name = Count\n"
                                 "help = How many.\n"
                                 "type = PERF_COUNTER_BULK_COUNT\n"
                                 "at_most = 301\n"
                                 "[counter PORT_SMALL]\n"
                                 "id = 305\n"
                                 "name = Small\n"
                                 "help = How many of at most 100 bytes.\n"
                                 "type = PERF_COUNTER_BULK_COUNT\n"
                                 "at_most = 302 100\n"
                                 "[counter PORT_SUM]\n"
                                 "id = 306\n"
                                 "name = Sum\n"
                                 "help = The sum.\n"
                                 "type = PERF_COUNTER_BULK_COUNT\n"
                                 "sum = 302\n";

/* ---- Reading ---- */

typedef struct heard_mistakes {
    uint32_t count;
    uint32_t line;
    char text[512];
} heard_mistakes;

static void hear_mistake(void *context, uint32_t line, const char *text)
{
    heard_mistakes *heard = context;

    if (heard->count++ > 0)
        return;
    heard->line = line;
    snprintf(heard->text, sizeof heard->text, "%s", text);
}

static prfdata_map *read_map(const void *bytes, size_t size)
{
    heard_mistakes heard = {0, 0, ""};
    prfdata_map *map = NULL;
    const uint32_t status = prfdata_map_file_parse(bytes, size, hear_mistake, &heard, &map);

    if (status)
        print_message("line %u: %s\n", (unsigned)heard.line, heard.text);
    assert_int_equal(status, ERROR_SUCCESS);
    assert_int_equal(heard.count, 0);
    return map;
}

static void test_map_file_every_key_is_in_the_map(void **state)
{
    prfdata_map *map = read_map(whole_file, sizeof whole_file - 1);
    const prfdata_map_entry *entries = map->entries;

    (void)state;
    assert_string_equal(map->service, "MyService");
    assert_int_equal(map->entry_bytes, sizeof(prfdata_map_entry));
    assert_int_equal(map->entry_count, 19);

    assert_int_equal(entries[0].kind, PRFDATA_ENTRY_OBJECT);
    assert_int_equal(entries[0].id, 100);
    assert_string_equal(entries[0].symbol, "QUEUES");
    assert_int_equal(wcscmp(entries[0].name, L"My Queues"), 0);
    assert_int_equal(wcscmp(entries[0].help, L"The queues; of = my service."), 0);
    assert_int_equal(entries[0].detail_level, PERF_DETAIL_ADVANCED);
    assert_int_equal(entries[0].default_counter, 102);
    assert_int_equal(entries[0].max_instances, 64);
    assert_int_equal(entries[0].max_name_chars, 32);
    assert_int_equal(entries[1].option, PRFDATA_OPTION_TOTAL);

    assert_int_equal(entries[2].kind, PRFDATA_ENTRY_COUNTER);
    assert_int_equal(entries[2].type, PERF_COUNTER_RAWCOUNT);
    assert_int_equal(entries[2].default_scale, -1);
    assert_int_equal(entries[2].detail_level, PERF_DETAIL_NOVICE);
    assert_int_equal(entries[3].option, PRFDATA_OPTION_MERGE_MAX);
    assert_int_equal(entries[4].type, PERF_COUNTER_BULK_COUNT);

    /* The first counter is the default if none is named. */
    assert_int_equal(entries[5].default_counter, 201);
    assert_int_equal(entries[5].max_name_chars, 64);
    assert_int_equal(entries[6].option, PRFDATA_OPTION_PARENT);
    assert_int_equal(entries[6].id, 100);
    assert_int_equal(prfdata_map_check(map, NULL, 0), 0);
    prfdata_map_file_free(map);
}

static void assert_maps_equal(const prfdata_map *a, const prfdata_map *b)
{
    static unsigned char a_bytes[PRFDATA_MAX_MAP_BYTES], b_bytes[PRFDATA_MAX_MAP_BYTES];
    size_t a_size, b_size;

    assert_int_equal(prfdata_map_bytes_encode(a, 0, a_bytes, sizeof a_bytes, &a_size), 0);
    assert_int_equal(prfdata_map_bytes_encode(b, 0, b_bytes, sizeof b_bytes, &b_size), 0);
    assert_int_equal(a_size, b_size);
    assert_memory_equal(a_bytes, b_bytes, a_size);
}

static void test_map_file_may_be_utf16_and_have_a_byte_order_mark(void **state)
{
    static const char text[] =
        "[info]\r\ndrivername=M\r\n[object O]\r\nid=1\r\nname=Z\xC3\xA4hler\r\n"
        "help=H.\r\n[counter C]\r\nid=2\r\nname=N\r\nhelp=H.\r\n"
        "type=PERF_COUNTER_RAWCOUNT";
    unsigned char marked[sizeof text + 3] = {0xEF, 0xBB, 0xBF};
    unsigned char low[2 * sizeof text + 2] = {0xFF, 0xFE}, high[2 * sizeof text + 2] = {0xFE, 0xFF};
    size_t size = 2;
    prfdata_map *plain = read_map(text, sizeof text - 1);
    prfdata_map *other;

    (void)state;
    assert_int_equal(wcscmp(plain->entries[0].name, L"Z\u00E4hler"), 0);
    memcpy(marked + 3, text, sizeof text - 1);
    other = read_map(marked, sizeof text + 2);
    assert_maps_equal(plain, other);
    prfdata_map_file_free(other);
    for (size_t i = 0; i < sizeof text - 1; i++) {
        const unsigned char c = (unsigned char)text[i];
        const unsigned char code = c == 0xC3 ? (unsigned char)0xE4 : c;

        if (c == 0xA4)
            continue; /* the second byte of U+00E4 */
        low[size] = high[size + 1] = code;
        size += 2;
    }
    other = read_map(low, size);
    assert_maps_equal(plain, other);
    prfdata_map_file_free(other);
    other = read_map(high, size);
    assert_maps_equal(plain, other);
    prfdata_map_file_free(other);
    prfdata_map_file_free(plain);
}

/* ---- Mistakes ---- */

/* Return the mistakes of the file after one line was replaced. `line` counts from 1. If `line` is
 * 0, `replacement` is the whole file. */
static heard_mistakes mistakes_with(uint32_t line, const char *replacement)
{
    heard_mistakes heard = {0, 0, ""};
    prfdata_map *const none = (prfdata_map *)(void *)&heard;
    prfdata_map *map = none;
    char text[sizeof whole_file + 1024];
    const char *rest = whole_file;
    size_t used = 0;
    uint32_t status;

    for (uint32_t i = 1; line > 0 && i < line; i++)
        rest = strchr(rest, '\n') + 1;
    memcpy(text, whole_file, (size_t)(rest - whole_file));
    used = (size_t)(rest - whole_file);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", replacement);
    if (line > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", strchr(rest, '\n') + 1);
    status = prfdata_map_file_parse(text, used, hear_mistake, &heard, &map);
    assert_int_equal(status, heard.count > 0 ? ERROR_INVALID_DATA : ERROR_SUCCESS);
    if (status)
        assert_ptr_equal(map, none);
    else
        prfdata_map_file_free(map);
    assert_int_equal(prfdata_map_file_parse(text, used, NULL, NULL, &map), status);
    if (!status)
        prfdata_map_file_free(map);
    return heard;
}

typedef struct wrong_line {
    uint32_t line; /* the line that is replaced */
    const char *text;
    uint32_t mistake_line;
    const char *mistake; /* the beginning of the first message */
} wrong_line;

static void test_map_file_each_mistake_has_its_line_and_says_what_to_do(void **state)
{
    static const wrong_line wrong[] = {
        {6, "just words", 6, "This is neither a section nor key=value nor a comment"},
        {2, "[informations]", 2, "There is no section \"informations\"; there are [info],"},
        {2, "[info", 2, "A section such as [info] ends with ], and nothing may follow"},
        {5, "[object QUEUES] ; them", 5, "A section such as [info] ends with ]"},
        {5, "[", 5, "A section such as [info] ends with ]"},
        {1, "id=3", 1, "A section such as [info] has to come first."},
        {5, "[info]", 5, "[info] occurs twice."},
        {3, "", 2, "This section lacks drivername=."},
        {6, "", 5, "This section lacks id=."},
        {7, "", 5, "This section lacks name=."},
        {8, "", 5, "This section lacks help=."},
        {19, "", 15, "This section lacks type=."},
        {7, "id=100", 7, "id= occurs twice in this section."},
        {6, "id=4294967296", 6,
         "id=\"4294967296\" is invalid; it must be a number from 0 to 4294967295."},
        {6, "id=-1", 6, "id=\"-1\" is invalid;"},
        {6, "id=0x", 6, "id=\"0x\" is invalid;"},
        {6, "id=", 6, "id=\"\" is invalid;"},
        {6, "id=99999999999999999999999", 6, "id=\"99999999999999999999999\" is invalid;"},
        {9, "detail=dunce", 9,
         "detail=\"dunce\" is invalid; it must be novice, advanced, expert or wizard."},
        {10, "default=NOTHING", 10, "This object has no counter \"NOTHING\"."},
        {10, "default=TAKEN", 10, "This object has no counter \"TAKEN\"."},
        {11, "instances=0", 11, "instances=\"0\" is invalid; it must be a number from 1 to 65535;"},
        {11, "", 5, "This object has name_chars=, but no instances=."},
        {12, "name_chars=256", 12,
         "name_chars=\"256\" is invalid; it must be a number from 1 to 255."},
        {13, "total=maybe", 13, "\"total\"=\"maybe\" is invalid; it must be yes or no."},
        {13, "accumulating=yes", 13, "The key \"accumulating\" does not belong in this section."},
        {13, "drivername=X", 13, "The key \"drivername\" does not belong in this section."},
        {19, "type=PERF_COUNTER", 19,
         "type=\"PERF_COUNTER\" is invalid; it must be the name of one of"},
        {19, "type=PERF_", 19, "type=\"PERF_\" is invalid;"},
        {20, "scale=8", 20, "scale=\"8\" is invalid; it must be a power of ten, from -7 to 7."},
        {13, "distribution=301 us 10 1000", 13,
         "distribution= is invalid; it must be an id, "
         "the unit"},
        {13, "distribution=4294967597 bytes 1 9", 13, "distribution= is invalid;"},
        {13, "distribution=301 bytes 1 18446744073709551616", 13, "distribution= is invalid;"},
        {13, "distribution=301 bytes 1 9 4294967304", 13, "distribution= is invalid;"},
        {33, "parent=NOBODY", 33, "There is no object \"NOBODY\"."},
        {7, "name=\xFF", 7, "name="},
        {4, "id=\x01", 4, "The key \"id\" does not belong"},
        {20, "metric=\xFF", 20, "metric= is invalid; it must be a name"},
        {20, "metric=Depth bytes", 20, "PRFDATA_MAP_METRIC after DEPTH (101, \"Depth\")"},
        /* A mistake that prfdata_map_check() finds has the line of its entry. */
        {24, "id=101", 23, "JOBS (101, \"Jobs/sec\"): the id"},
        {33, "parent=CONSUMERS", 33, "PRFDATA_MAP_PARENT after CONSUMERS"},
        {3, "drivername=CON", 0, "the map: the service name \"CON\" is not allowed;"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const heard_mistakes heard = mistakes_with(wrong[i].line, wrong[i].text);

        if (heard.count == 0 || heard.line != wrong[i].mistake_line ||
            strncmp(heard.text, wrong[i].mistake, strlen(wrong[i].mistake)))
            fail_msg("line %u \"%s\": %u mistakes, line %u: %s", (unsigned)wrong[i].line,
                     wrong[i].text, (unsigned)heard.count, (unsigned)heard.line, heard.text);
        assert_int_equal(heard.text[strlen(heard.text) - 1], '.');
    }
}

static void test_map_file_every_mistake_is_reported(void **state)
{
    (void)state;
    assert_int_equal(mistakes_with(6, "id=x\ndetail=x\nscale=1").count,
                     4); /* one of the four mistakes is the second `detail` */
}

static void test_map_file_a_wrong_section_is_one_mistake(void **state)
{
    (void)state;
    assert_int_equal(mistakes_with(2, "[info] ; it").count, 1);
    assert_int_equal(mistakes_with(5, "[object QUEUES] ; them").count, 1);
    assert_int_equal(mistakes_with(5, "[objects QUEUES]").count, 1);
}

static void test_map_file_a_section_may_have_tabs(void **state)
{
    (void)state;
    assert_int_equal(mistakes_with(5, "[object\tQUEUES]").count, 0);
    assert_int_equal(mistakes_with(5, "\t[ object \t QUEUES\t]").count, 0);
}

static void test_map_file_a_long_or_odd_value_is_shown_short_and_clean(void **state)
{
    char text[400] = "detail=\t\x01";
    heard_mistakes heard;

    (void)state;
    memset(text + strlen(text), 'x', 300);
    heard = mistakes_with(9, text);
    assert_non_null(strstr(heard.text, "detail=\"?xxx"));
    assert_non_null(strstr(heard.text, "x...\" is invalid; it must be novice"));
    assert_true(strlen(heard.text) < 200);
}

static void test_map_file_that_is_none_is_refused(void **state)
{
    static const char zero[] = "[info]\0drivername=M";
    heard_mistakes heard = {0, 0, ""};
    prfdata_map *map;

    (void)state;
    assert_int_equal(prfdata_map_file_parse("", 0, hear_mistake, &heard, &map), ERROR_INVALID_DATA);
    assert_string_equal(heard.text, "The file lacks the section [info] with drivername=.");
    heard.count = 0;
    assert_int_equal(prfdata_map_file_parse(zero, sizeof zero - 1, hear_mistake, &heard, &map),
                     ERROR_INVALID_DATA);
    assert_string_equal(heard.text, "The file has a byte 0. If it is text, save it as UTF-8, or as "
                                    "UTF-16 with a byte order mark.");
    assert_int_equal(heard.line, 0);
}

static size_t put_utf16(const uint16_t *chars, size_t count, bool is_low_first,
                        unsigned char *bytes)
{
    size_t size = 0;

    bytes[size++] = is_low_first ? 0xFF : 0xFE;
    bytes[size++] = is_low_first ? 0xFE : 0xFF;
    for (size_t i = 0; i < count; i++) {
        bytes[size++] = (unsigned char)(is_low_first ? chars[i] : chars[i] >> 8);
        bytes[size++] = (unsigned char)(is_low_first ? chars[i] >> 8 : chars[i]);
    }
    return size;
}

static void assert_refused(const unsigned char *bytes, size_t size, uint32_t line,
                           const char *beginning)
{
    heard_mistakes heard = {0, 0, ""};
    prfdata_map *map;

    assert_int_equal(prfdata_map_file_parse(bytes, size, hear_mistake, &heard, &map),
                     ERROR_INVALID_DATA);
    assert_int_equal(prfdata_map_file_parse(bytes, size, NULL, NULL, &map), ERROR_INVALID_DATA);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.line, line);
    assert_ptr_equal(strstr(heard.text, beginning), heard.text);
}

static void test_map_file_in_utf16_with_half_a_character_is_refused(void **state)
{
    static const uint16_t wrong[][3] = {
        {0xD83D, 'x', 'y'}, {'x', 0xDE00, 'y'}, {0xD83D, 0xD83D, 0xDE00}, {0xDE00, 0xD83D, 'y'}};
    static const char half_pair[] = "This line has half a surrogate pair";
    uint16_t chars[sizeof whole_file];
    unsigned char bytes[2 * sizeof whole_file + 2];
    const size_t count = sizeof whole_file - 1;
    const size_t at = (size_t)(strstr(whole_file, "My Queues") - whole_file); /* in line 7 */
    uint32_t lines = 1;
    size_t size;

    (void)state;
    for (size_t i = 0; i < count; i++)
        lines += whole_file[i] == '\n';
    for (int is_low_first = 0; is_low_first < 2; is_low_first++) {
        for (size_t i = 0; i < COUNT(wrong); i++) {
            for (size_t j = 0; j < count; j++)
                chars[j] = (unsigned char)whole_file[j];
            memcpy(chars + at, wrong[i], sizeof wrong[i]);
            size = put_utf16(chars, count, is_low_first, bytes);
            assert_refused(bytes, size, 7, half_pair);
        }
        /* A surrogate pair is one character. */
        chars[at] = 0xD83D;
        chars[at + 1] = 0xDE00;
        chars[at + 2] = 'y';
        size = put_utf16(chars, count, is_low_first, bytes);
        prfdata_map_file_free(read_map(bytes, size));
        bytes[size] = 0;
        assert_refused(bytes, size + 1, lines,
                       "The file ends in the middle of a character of UTF-16");
        chars[0] = 0xD83D;
        assert_refused(bytes, put_utf16(chars, 1, is_low_first, bytes), 1, half_pair);
    }
}

/* ---- Writing ---- */

static void describe_sample(sample_map *sample)
{
    prfdata_map_entry metric = {PRFDATA_ENTRY_OPTION,
                                0,
                                "PRFDATA_MAP_METRIC",
                                L"queue_jobs_finished",
                                L"",
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                PRFDATA_OPTION_METRIC,
                                0,
                                0,
                                0,
                                0,
                                0};

    sample_map_init(sample);
    sample->entries[DEPTH].help = L"Gr\u00F6\u00DFe \"\\?\?/ \U0001F600; # = ]";
    sample_map_insert(sample, TAKEN + 1, &metric);
    metric.name = L"consumer_jobs";
    metric.help = L"bytes";
    sample_map_insert(sample, JOBS + 1, &metric);
}

static char *write_map(const prfdata_map *map, prfdata_map_file_form form)
{
    const size_t size = prfdata_map_file_write(map, form, NULL, 0);
    char *text = malloc(size + 1);

    assert_non_null(text);
    assert_int_equal(prfdata_map_file_write(map, form, text, size + 1), size);
    assert_int_equal(strlen(text), size);
    return text;
}

static void expect_reads_back(const prfdata_map *map)
{
    char *text = write_map(map, PRFDATA_MAP_FILE_TEXT);
    prfdata_map *back = read_map(text, strlen(text));

    assert_maps_equal(map, back);
    prfdata_map_file_free(back);
    free(text);
}

static void test_map_file_written_says_the_same_when_read_back(void **state)
{
    static sample_map sample;
    prfdata_map *map = read_map(whole_file, sizeof whole_file - 1);

    (void)state;
    expect_reads_back(map);
    prfdata_map_file_free(map);
    describe_sample(&sample);
    sample.entries[DEPTH].detail_level = PERF_DETAIL_WIZARD;
    sample.entries[DEPTH].default_scale = -7;
    expect_reads_back(&sample.map);
}

/* The written text is in tests/shared/mapfile/written_map.c, which is compiled into this
 * program. */
static void test_map_file_written_as_c_is_the_same_map(void **state)
{
    static sample_map sample;
    char *golden = golden_text("tests/shared/mapfile/written_map.c");
    char *text;

    (void)state;
    describe_sample(&sample);
    text = write_map(&sample.map, PRFDATA_MAP_FILE_C);
    assert_string_equal(text, golden);
    assert_maps_equal(&sample.map, &prfdata_default_map);
    free(text);
    free(golden);
}

/* The maps that use every macro. The C text that is written for each is at `path`. It is compiled
 * into this program, where it defines the map `written`. */
static const struct {
    const prfdata_map *map;
    const prfdata_map *written;
    const char *path;
} every[] = {
    {&every_map, &written_every_map, "tests/shared/mapfile/written_every_map.c"},
    {&chosen_map, &written_chosen_map, "tests/shared/mapfile/written_chosen_map.c"},
};

static uint64_t hash_of(const prfdata_map *map)
{
    prfdata_model *model;
    uint64_t hash;

    assert_int_equal(prfdata_model_make(map, &model), ERROR_SUCCESS);
    hash = model->hash;
    prfdata_model_free(model);
    return hash;
}

static void expect_right(const prfdata_map *map)
{
    prfdata_map_mistake mistake;
    char text[512];

    if (prfdata_map_check(map, &mistake, 1) > 0) {
        (void)prfdata_map_mistake_text(&mistake, text, sizeof text);
        fail_msg("%s", text);
    }
}

static void test_map_file_every_macro_is_read_back_from_a_map_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(every); i++) {
        char *text = write_map(every[i].map, PRFDATA_MAP_FILE_TEXT);
        prfdata_map *back;

        expect_right(every[i].map);
        back = read_map(text, strlen(text));
        assert_maps_equal(every[i].map, back);
        assert_true(hash_of(every[i].map) == hash_of(back));
        prfdata_map_file_free(back);
        free(text);
    }
}

/* Write the maps as C into the folder of the test, so that a person can copy them over the compiled
 * files. */
static int keep_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(every); i++) {
        char *text = write_map(every[i].map, PRFDATA_MAP_FILE_C);
        FILE *file = fopen(strrchr(every[i].path, '/') + 1, "wb");

        assert_non_null(file);
        fputs(text, file);
        fclose(file);
        free(text);
    }
    return 0;
}

static void test_map_file_every_macro_is_the_same_map_after_a_compiler(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(every); i++) {
        char *text = write_map(every[i].map, PRFDATA_MAP_FILE_C);

        golden_expect(text, every[i].path);
        assert_maps_equal(every[i].map, every[i].written);
        assert_true(hash_of(every[i].map) == hash_of(every[i].written));
        free(text);
    }
}

static bool is_in_every_map(uint32_t option)
{
    for (size_t i = 0; i < COUNT(every); i++)
        for (uint32_t line = 0; line < every[i].map->entry_count; line++)
            if (every[i].map->entries[line].option == option)
                return true;
    return false;
}

/* A function-like macro of map.h is for users, unless its name ends with an underscore. every_map.c
 * must use each of these macros, except PRFDATA_MAP_BEGIN and PRFDATA_MAP_END, and each option. */
static void test_map_file_every_map_has_every_macro_and_option(void **state)
{
    static const char define[] = "#define PRFDATA_MAP_";
    char *header = golden_text("shared/include/prfdata/map.h");
    char *used = golden_text("tests/shared/mapfile/every_map.c");
    char call[80];
    size_t macro_count = 0;

    (void)state;
    for (const char *at = strstr(header, define); at; at = strstr(at + 1, define)) {
        const char *name = at + sizeof "#define " - 1;
        const size_t size = strcspn(name, "( ");

        if (name[size] != '(' || name[size - 1] == '_')
            continue;
        snprintf(call, sizeof call, "%.*s(", (int)size, name);
        macro_count++;
        if (strcmp(call, "PRFDATA_MAP_BEGIN(") != 0 && strcmp(call, "PRFDATA_MAP_END(") != 0 &&
            !strstr(used, call))
            fail_msg("every_map.c has no %s", call);
    }
    assert_true(macro_count > 20);
    for (size_t i = 0; i < prfdata_map_options_count(); i++)
        if (!is_in_every_map(prfdata_map_options_at(i)->bit))
            fail_msg("every_map.c has no %s", prfdata_map_options_at(i)->symbol);
    free(used);
    free(header);
}

static void use_largest(prfdata_map *map)
{
    for (size_t i = 0; i < map->entry_count; i++) {
        prfdata_map_entry *entry = (prfdata_map_entry *)(uintptr_t)&map->entries[i];

        if (entry->option == PRFDATA_OPTION_DISTRIBUTION && entry->id == 302)
            entry->highest = INT64_MAX; /* the largest value that readers accept */
        if (entry->option == PRFDATA_OPTION_AT_MOST && entry->id == 302)
            entry->highest = INT64_MAX - 1;
    }
}

static void test_map_file_numbers_have_64_bits(void **state)
{
    prfdata_map *map = read_map(whole_file, sizeof whole_file - 1);
    char *c;

    (void)state;
    use_largest(map);
    assert_int_equal(prfdata_map_check(map, NULL, 0), 0);
    expect_reads_back(map);
    c = write_map(map, PRFDATA_MAP_FILE_C);
    assert_non_null(strstr(c, "(302, PRFDATA_UNIT_BYTES, 1, 9223372036854775807, 16, 10)"));
    assert_non_null(strstr(c, "PRFDATA_MAP_AT_MOST(302, 9223372036854775806)"));
    free(c);
    prfdata_map_file_free(map);
}

static void test_map_file_distributions_are_read_and_written(void **state)
{
    static const char *const c_lines[] = {
        "    PRFDATA_MAP_DISTRIBUTION_WITH(301, PRFDATA_UNIT_100NS, 10, 1000000000, 8, 60)\n",
        "    PRFDATA_MAP_DISTRIBUTION_WITH(302, PRFDATA_UNIT_BYTES, 1, 4096, 16, 10)\n",
        "    PRFDATA_MAP_PERCENTILE(301, 9900)\n",
        "    PRFDATA_MAP_COUNT(301)\n",
        "    PRFDATA_MAP_AT_MOST(302, 100)\n",
        "    PRFDATA_MAP_SUM(302)\n",
    };
    static const char *const wrong[] = {
        "percentile = 301",
        "percentile = 301 9900 1",
        "percentile = p99",
        "at_most = 301 x",
        "sum = 302 1",
        "sum = yes",
        "mean = no",
        "sum = 4294967597",
        "percentile = 4294967597 9900",
    };
    static char text[sizeof whole_file + 100];
    prfdata_map *map = read_map(whole_file, sizeof whole_file - 1);
    char *c = write_map(map, PRFDATA_MAP_FILE_C);

    (void)state;
    expect_reads_back(map);
    for (size_t i = 0; i < COUNT(c_lines); i++)
        if (!strstr(c, c_lines[i]))
            fail_msg("%s", c_lines[i]);
    for (size_t i = 0; i < map->entry_count; i++)
        if (map->entries[i].option == PRFDATA_OPTION_AT_MOST && map->entries[i].id == 301)
            assert_true(map->entries[i].highest == UINT64_MAX);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        heard_mistakes heard = {0};
        prfdata_map *none = NULL;

        snprintf(text, sizeof text, "%s%s\n", whole_file, wrong[i]);
        assert_int_equal(prfdata_map_file_parse(text, strlen(text), hear_mistake, &heard, &none),
                         ERROR_INVALID_DATA);
    }
    free(c);
    prfdata_map_file_free(map);
}

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(health_map)
    PRFDATA_MAP_HEALTH(HEALTH, L"My", "my")
PRFDATA_MAP_END_AS(health_map, "MyService")
/* clang-format on */

/* In a map file, a health number is a word. In C text, it is the name of a constant. */
static void test_map_file_health_is_read_and_written(void **state)
{
    static const char wrong[] = "[info]\ndrivername=S\n[object O]\nid=1\nname=O\nhelp=H\n"
                                "[counter C]\nid=2\nname=C\nhelp=H\ntype=COUNTER_RAWCOUNT\n"
                                "health_of=good\n";
    char *text = write_map(&health_map, PRFDATA_MAP_FILE_TEXT);
    char *c = write_map(&health_map, PRFDATA_MAP_FILE_C);
    heard_mistakes heard = {0};
    prfdata_map *none = NULL;
    char line[80];

    (void)state;
    expect_reads_back(&health_map);
    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++) {
        snprintf(line, sizeof line, "\nhealth_of=%s\n", prfdata_health_word(i));
        assert_non_null(strstr(text, line));
    }
    assert_non_null(strstr(c, "    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_PUBLISHERS)\n"));
    assert_non_null(strstr(c, "    PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_COLLECT_US)\n"));
    assert_int_equal(prfdata_map_file_parse(wrong, sizeof wrong - 1, hear_mistake, &heard, &none),
                     ERROR_INVALID_DATA);
    assert_non_null(strstr(heard.text, "it must be one of: publishers, ended, "));
    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++)
        assert_non_null(strstr(heard.text, prfdata_health_word(i)));
    free(text);
    free(c);
}

static void test_map_file_written_is_cut_where_room_ends(void **state)
{
    char *text = write_map(&prfdata_default_map, PRFDATA_MAP_FILE_TEXT);
    const size_t size = strlen(text);
    char cut[32];

    (void)state;
    memset(cut, 'x', sizeof cut);
    assert_int_equal(prfdata_map_file_write(&prfdata_default_map, PRFDATA_MAP_FILE_TEXT, cut, 16),
                     size);
    assert_int_equal(cut[15], 0);
    assert_memory_equal(cut, text, 15);
    assert_int_equal(cut[16], 'x');
    free(text);
}

/* ---- Files ---- */

static void test_map_file_is_read_from_a_path(void **state)
{
    prfdata_map *map;
    FILE *file = fopen("map_file_test.prfmap", "wb");

    (void)state;
    assert_non_null(file);
    fputs(whole_file, file);
    fclose(file);
    assert_int_equal(prfdata_map_file_read(L"map_file_test.prfmap", NULL, NULL, &map), 0);
    assert_string_equal(map->service, "MyService");
    prfdata_map_file_free(map);
    file = fopen("map_file_test.prfmap", "ab");
    assert_non_null(file);
    for (size_t i = 0; i < PRFDATA_MAX_MAP_FILE_BYTES; i++)
        fputc('\n', file);
    fclose(file);
    assert_int_equal(prfdata_map_file_read(L"map_file_test.prfmap", NULL, NULL, &map),
                     ERROR_FILE_TOO_LARGE);
    assert_int_equal(remove("map_file_test.prfmap"), 0);
    assert_int_equal(prfdata_map_file_read(L"map_file_test.prfmap", NULL, NULL, &map),
                     ERROR_FILE_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_file_every_key_is_in_the_map),
        cmocka_unit_test(test_map_file_may_be_utf16_and_have_a_byte_order_mark),
        cmocka_unit_test(test_map_file_each_mistake_has_its_line_and_says_what_to_do),
        cmocka_unit_test(test_map_file_every_mistake_is_reported),
        cmocka_unit_test(test_map_file_a_wrong_section_is_one_mistake),
        cmocka_unit_test(test_map_file_a_section_may_have_tabs),
        cmocka_unit_test(test_map_file_a_long_or_odd_value_is_shown_short_and_clean),
        cmocka_unit_test(test_map_file_that_is_none_is_refused),
        cmocka_unit_test(test_map_file_in_utf16_with_half_a_character_is_refused),
        cmocka_unit_test(test_map_file_written_says_the_same_when_read_back),
        cmocka_unit_test(test_map_file_written_as_c_is_the_same_map),
        cmocka_unit_test(test_map_file_every_macro_is_read_back_from_a_map_file),
        cmocka_unit_test_setup(test_map_file_every_macro_is_the_same_map_after_a_compiler,
                               keep_written),
        cmocka_unit_test(test_map_file_every_map_has_every_macro_and_option),
        cmocka_unit_test(test_map_file_numbers_have_64_bits),
        cmocka_unit_test(test_map_file_distributions_are_read_and_written),
        cmocka_unit_test(test_map_file_health_is_read_and_written),
        cmocka_unit_test(test_map_file_written_is_cut_where_room_ends),
        cmocka_unit_test(test_map_file_is_read_from_a_path),
    };

    return cmocka_run_group_tests_name("map_file", tests, NULL, NULL);
}
