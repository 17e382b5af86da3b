/* SPDX-License-Identifier: MIT */
/* Tests the map files that are made from .ini files for lodctr. For each shape of an .ini file,
 * tests/golden/convert_<shape>.txt has the expected messages and map file; `test_convert SHAPE`
 * prints them. The shapes are those of Microsoft's pages, of the SDK's samples, and of programs
 * since Windows NT. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include <prfdata/map_file.h>

#include "convert/convert.h"
#include "convert/title_name.h"
#include "support/golden.h"

typedef enum shape_encoding {
    BYTES,       /* the bytes as written here, which are ASCII, UTF-8 or Windows-1252 */
    UTF16_LE,    /* with a byte order mark and CR LF */
    UTF16_BE,    /* with a byte order mark and CR LF */
    UTF16_NAKED, /* UTF-16LE without a byte order mark */
    CR_LF        /* the bytes as written here, but with CR LF */
} shape_encoding;

typedef struct shape {
    const char *name;
    shape_encoding encoding;
    const char *ini;
    const char *header;
    const char *types; /* types that replace the question marks in order */
    /* Instances that replace the question marks in order; - removes the line. */
    const char *instances;
    /* Whether the check finds mistakes when all question marks are replaced. The golden file has
     * their messages. */
    bool is_wrong;
} shape;

static const shape shapes[] = {
    /* From Microsoft's page: an include guard, comments, and constants that are not numbers. */
    {"page", UTF16_LE,
     "// What my service offers.\n"
     "[info]\ndrivername=ShopService\nsymbolfile=ShopOffsets.h\ntrusted=\n\n"
     "[objects]\nSHOP_OBJECT_009_NAME=\nTILL_OBJECT_009_NAME=\n\n"
     "[languages]\n009=English\n00C=French\n\n"
     "[text]\n// English\n"
     "SHOP_OBJECT_009_NAME=Shop\nSHOP_OBJECT_009_HELP=All of the shop.\n"
     "SHOP_SOLD_009_NAME=Sold/sec\nSHOP_SOLD_009_HELP=Things sold per second.\n"
     "SHOP_STOCK_009_NAME=Stock\nSHOP_STOCK_009_HELP=Things on the shelves.\n"
     "TILL_OBJECT_009_NAME=Till\nTILL_OBJECT_009_HELP=The tills, each by its number.\n"
     "TILL_QUEUE_009_NAME=Queue\nTILL_QUEUE_009_HELP=Who waits there.\n"
     "// French\n"
     "SHOP_OBJECT_00C_NAME=Magasin\nSHOP_OBJECT_00C_HELP=Tout le magasin.\n"
     "SHOP_SOLD_00C_NAME=Vendus/s\nSHOP_SOLD_00C_HELP=Choses vendues par seconde, \xC3\xA0 peu "
     "pr\xC3\xA8s.\n"
     "TILL_QUEUE_00C_NAME=File d'attente\n",
     "#ifndef SHOP_OFFSETS_H\n#define SHOP_OFFSETS_H\n\n"
     "#define SHOP_OBJECT 0 // the first one\n"
     "#define SHOP_SOLD   2\n"
     "#define SHOP_STOCK  4\n"
     "#define LAST_SHOP_OFFSET SHOP_STOCK\n\n"
     "#define TILL_OBJECT 6\n#define TILL_QUEUE  8\n"
     "#define LAST_TILL_OFFSET TILL_QUEUE\n#endif // SHOP_OFFSETS_H\n",
     "PERF_COUNTER_COUNTER PERF_COUNTER_RAWCOUNT COUNTER_RAWCOUNT", "- 12", false},

    /* From the time of Windows NT: no [objects], [text] comes first, and Ctrl-Z ends both files. */
    {"oldest", BYTES,
     "[text]\nFAXOBJ_009_NAME=Fax Lines\nFAXOBJ_009_HELP=Lines of the fax server.\n"
     "FAX_PAGES_009_NAME=Pages\nFAX_PAGES_009_HELP=Pages sent.\n"
     "[languages]\n009=English\n"
     "[info]\ndrivername=FaxServer\nsymbolfile=faxctrs.h\n\x1A"
     "whatever follows\n[text]\nFAXOBJ_009_NAME=Other\n",
     "//\n//  faxctrs.h\n//\n#define FAXOBJ 0\n#define FAX_PAGES 2\n\x1A#define FAX_PAGES 4\n",
     "PERF_COUNTER_BULK_COUNT", "16", false},

    /* Hexadecimal numbers and numbers with types, block comments, gaps, and a continued line. */
    {"hexadecimal", CR_LF,
     "[info]\ndrivername=Meter\nsymbolfile=meter.h\n[objects]\nMETER_009_NAME=x\n"
     "[languages]\n009=English\n[text]\n"
     "METER_009_NAME=Meter\nMETER_009_HELP=The meter.\n"
     "METER_VOLTS_009_NAME=Volts\nMETER_VOLTS_009_HELP=Tension.\n"
     "METER_AMPERES_009_NAME=Amperes\nMETER_AMPERES_009_HELP=Current.\n"
     "METER_WATTS_009_NAME=Watts\nMETER_WATTS_009_HELP=Power.\n",
     "/* The meter.\n   #define METER 40\n*/\n"
     "#define METER 0x0\n#  define METER_VOLTS (0x02)\n#define METER_AMPERES /* skip */ ( 0x0aUL "
     ")\n"
     "#define METER_WATTS \\\n    12L\n#define METER_COUNT 3\n",
     "COUNTER_RAWCOUNT COUNTER_RAWCOUNT COUNTER_RAWCOUNT", "-", false},

    /* Titles in three languages, of which 409 is also English; keys in upper and lower case. */
    {"languages", BYTES,
     "[INFO]\nDriverName=Mill\nSymbolFile=mill.h\n[OBJECTS]\nmill_obj_407_name=\n"
     "[Languages]\n007=German\n409=English (US)\n411=Japanese\n[Text]\n"
     "MILL_OBJ_007_NAME=M\xC3\xBChle\nMILL_OBJ_409_NAME=Mill\nMILL_OBJ_411_NAME="
     "\xE8\xA3\xBD\xE7\xB2\x89\n"
     "Mill_Obj_007_Help=Die M\xC3\xBChle.\nMILL_OBJ_409_HELP=The mill.\n"
     "MILL_SACKS_007_NAME=S\xC3\xA4"
     "cke\nMILL_SACKS_007_HELP=Gemahlene S\xC3\xA4"
     "cke.\n",
     "#define MILL_OBJ 0\n#define MILL_SACKS 2\n", "COUNTER_DELTA", "-", false},

    /* Titles that are not allowed in a map. */
    {"titles", BYTES,
     "[info]\ndrivername=Disk Cache\nsymbolfile=cache.h\n[objects]\nCACHE_OBJECT_009_NAME=\n"
     "[languages]\n009=English\n[text]\n"
     "CACHE_OBJECT_009_NAME=Cache (L1/L2)\nCACHE_OBJECT_009_HELP=\"The cache.\"\n"
     "CACHE_OPS_009_NAME=# operations / sec\nCACHE_OPS_009_HELP=Operations.\n"
     "CACHE_THROWN_009_NAME=# of Exceptions Thrown\nCACHE_THROWN_009_HELP=Exceptions.\n"
     "CACHE_LATENCY_009_NAME=Average Latency (secs)\nCACHE_LATENCY_009_HELP=Latency.\n"
     "CACHE_SHARE_009_NAME=% Used\\Free\nCACHE_SHARE_009_HELP=The share.\n"
     "CACHE_STARS_009_NAME=***\nCACHE_STARS_009_HELP=Stars.\n"
     "CACHE_TAB_009_NAME=A\tTab \nCACHE_TAB_009_HELP=With\ta tab.\n"
     "CACHE_QUOTED_009_NAME='Quoted' \"twice\"\nCACHE_QUOTED_009_HELP=Quoted.\n",
     "#define CACHE_OBJECT 0\n#define CACHE_OPS 2\n#define CACHE_THROWN 4\n"
     "#define CACHE_LATENCY 6\n#define CACHE_SHARE 8\n#define CACHE_STARS 10\n#define CACHE_TAB "
     "12\n#define CACHE_QUOTED 14\n",
     "COUNTER_COUNTER COUNTER_RAWCOUNT COUNTER_RAWCOUNT COUNTER_RAWCOUNT COUNTER_RAWCOUNT "
     "COUNTER_RAWCOUNT COUNTER_RAWCOUNT",
     "32", false},

    /* Averages with their bases, missing help texts, and a key that occurs twice. */
    {"bases", CR_LF,
     "[info]\ndrivername=Lift\nsymbolfile=lift.h\n[objects]\nLIFT_OBJECT_009_NAME=\n"
     "[languages]\n009=English\n[text]\n"
     "LIFT_OBJECT_009_NAME=Lifts\n"
     "LIFT_RIDE_009_NAME=Avg. sec/Ride\nLIFT_RIDE_009_HELP=How long a ride takes.\n"
     "LIFT_RIDE_009_NAME=A second name\n"
     "LIFT_RIDE_BASE_009_NAME=Avg. sec/Ride Base\n"
     "LIFT_FULL_009_NAME=% Full\nLIFT_FULL_009_HELP=How full they are.\n"
     "LIFT_PLACES_009_NAME=Full, base\n",
     "#define LIFT_OBJECT 0\n#define LIFT_RIDE 2\n#define LIFT_RIDE_BASE 4\n"
     "#define LIFT_FULL 6\n#define LIFT_PLACES 8\n",
     "PERF_AVERAGE_TIMER PERF_AVERAGE_BASE PERF_RAW_FRACTION PERF_RAW_BASE", "6", false},

    /* A file in the code page of a computer in Germany. */
    {"code-page", CR_LF,
     "[info]\ndrivername=Lager\nsymbolfile=lager.h\n[objects]\nLAGER_OBJ_009_NAME=\n"
     "[languages]\n009=English\n007=Deutsch\n[text]\n"
     "LAGER_OBJ_009_NAME=Store\nLAGER_OBJ_009_HELP=The store.\n"
     "LAGER_OBJ_007_NAME=Lager f\xFCr \x84Gro\xDF\x93\n"
     "LAGER_EUR_009_NAME=Value\nLAGER_EUR_009_HELP=In \x80.\n",
     "// gr\xFC\xDF\n#define LAGER_OBJ 0\n#define LAGER_EUR 2\n", "COUNTER_LARGE_RAWCOUNT", "-",
     false},

    /* Lines that an .ini file may not have. Each is left out and reported. */
    {"left-out", BYTES,
     "stray=1\n[info]\ndrivername=\"Bakery\"\nsymbolfile='bakery.h'\n[PERF_BAKERY]\nx=1\n"
     "[objects] ; the one\nBAKERY_OBJECT_009_NAME=\nBAKERY\n"
     "[languages]\n009=English\n[text] // titles\n"
     "; a comment\n# another\n"
     "BAKERY_OBJECT_009_NAME=Bakery\nBAKERY_OBJECT_009_HELP=The bakery.\n"
     "BAKERY_BREAD_009_NAME=Bread\nBAKERY_BREAD_009_HELP=Loaves = bread; baked.\n"
     "BAKERY_BREAD_9_NAME=Bread\nBAKERY_BREAD_009_TITLE=Bread\n_009_NAME=Bread\n"
     "BAKERY_ROLLS_009_NAME=Rolls\nBAKERY_CAKES_009_NAME=Cakes\nnonsense\n",
     "#define BAKERY_OBJECT 0\n#define BAKERY_BREAD 2\n#define BAKERY_CAKES FIRST_CAKE + 1\n"
     "#define\n#define NOTHING\n#undef BAKERY_BREAD\n",
     "COUNTER_DELTA", "-", false},

    /* The form that .NET writes: the first line is empty, and there are no comments. */
    {"empty-first-line", UTF16_LE,
     "\n[info]\ndrivername=.NET Kitchen\nsymbolfile=kitchen.h\n\n[languages]\n009=English\n\n"
     "[objects]\nOBJECT_1_009_NAME=\n\n[text]\n"
     "OBJECT_1_009_NAME=Kitchen\nOBJECT_1_009_HELP=The kitchen.\n"
     "DEVICE_COUNTER_1_009_NAME=Meals\nDEVICE_COUNTER_1_009_HELP=Meals cooked.\n",
     "#define OBJECT_1 0\n#define DEVICE_COUNTER_1 2\n", "COUNTER_BULK_COUNT", "-", true},

    /* A big-endian file. The next shape is the same file in little-endian, without a byte order
     * mark. */
    {"big-endian", UTF16_BE,
     "[info]\ndrivername=Harbour\nsymbolfile=harbour.h\n[objects]\nHARBOUR_009_NAME=\n"
     "[languages]\n009=English\n[text]\nHARBOUR_009_NAME=Harbour\nHARBOUR_009_HELP=Ships.\n"
     "SHIPS_009_NAME=Ships\nSHIPS_009_HELP=Ships there: \xE2\x9A\x93\n",
     "#define HARBOUR 0\n#define SHIPS 2\n", "COUNTER_RAWCOUNT", "-", false},
    {"no-mark", UTF16_NAKED,
     "[info]\ndrivername=Harbour\nsymbolfile=harbour.h\n[objects]\nHARBOUR_009_NAME=\n"
     "[languages]\n009=English\n[text]\nHARBOUR_009_NAME=Harbour\nHARBOUR_009_HELP=Ships.\n"
     "SHIPS_009_NAME=Ships\nSHIPS_009_HELP=Ships there: \xE2\x9A\x93\n",
     "#define HARBOUR 0\n#define SHIPS 2\n", "COUNTER_RAWCOUNT", "-", false},

    /* Two objects without [objects], and symbols in another order than the offsets. */
    {"guesses", CR_LF,
     "[info]\napplicationname=Orchard\nsymbolfile=orchard.h\n[languages]\n009=English\n[text]\n"
     "PEARS_009_NAME=Pears\nPEARS_009_HELP=Pears picked.\n"
     "TREE_OBJ_2_009_NAME=Trees\nTREE_OBJ_2_009_HELP=The trees.\n"
     "APPLES_009_NAME=Apples\nAPPLES_009_HELP=Apples picked.\n"
     "ORCHARD_009_NAME=Orchard\nORCHARD_009_HELP=The orchard.\n",
     "#define ORCHARD 0\n#define APPLES 2\n#define TREE_OBJ_2 4\n#define PEARS 6\n",
     "COUNTER_DELTA COUNTER_DELTA", "- 500", false},

    /* [objects] names symbols that have no titles. */
    {"wrong-objects", CR_LF,
     "[info]\ndrivername=Ferry\nsymbolfile=ferry.h\n[languages]\n009=English\n"
     "[objects]\nPERF_OBJECT_1_009_NAME=Ferry\n[text]\n"
     "OBJECT_1_009_NAME=Ferry\nOBJECT_1_009_HELP=The ferry.\n"
     "CARS_009_NAME=Cars\nCARS_009_HELP=Cars on it.\n",
     "#define OBJECT_1 0\n#define CARS 2\n", "COUNTER_RAWCOUNT", "-", false},

    /* A counter before its object, an odd offset, and one offset twice. */
    {"offsets", CR_LF,
     "[info]\ndrivername=Tram\nsymbolfile=tram.h\n[languages]\n009=English\n"
     "[objects]\nTRAM_009_NAME=\n[text]\n"
     "TRAM_009_NAME=Tram\nTRAM_009_HELP=The tram.\n"
     "EARLY_009_NAME=Early\nEARLY_009_HELP=Early ones.\n"
     "ODD_009_NAME=Odd\nODD_009_HELP=Odd ones.\n"
     "LATE_009_NAME=Late\nLATE_009_HELP=Late ones.\n",
     "#define EARLY 0\n#define TRAM 2\n#define ODD 5\n#define LATE 5\n",
     "COUNTER_DELTA COUNTER_DELTA COUNTER_DELTA", "-", true},

    /* Mistakes that only the check of a map finds: names that are equal for WMI, and an invalid
     * service. */
    {"conflicts", CR_LF,
     "[info]\ndrivername=Zoo?\nsymbolfile=zoo.h\n[languages]\n009=English\n"
     "[objects]\nZOO_009_NAME=\n[text]\n"
     "ZOO_009_NAME=Zoo\nZOO_009_HELP=The zoo.\n"
     "VISITORS_009_NAME=Visitors/day\nVISITORS_009_HELP=Who came.\n"
     "VISITORS_2_009_NAME=Visitors (day)\nVISITORS_2_009_HELP=Who came, too.\n"
     "VISITORS_3_009_NAME=Visitors Per day\nVISITORS_3_009_HELP=Again.\n",
     "#define ZOO 0\n#define VISITORS 2\n#define VISITORS_2 4\n#define VISITORS_3 6\n",
     "COUNTER_DELTA COUNTER_DELTA COUNTER_DELTA", "-", true},
};

enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0], MOST_BYTES = 32768 };

/* ---- Making the files ---- */

static size_t encode_char(shape_encoding encoding, unsigned c, unsigned char *out)
{
    if (encoding == BYTES || encoding == CR_LF) {
        out[0] = (unsigned char)c;
        return 1;
    }
    out[encoding == UTF16_BE] = (unsigned char)c;
    out[encoding != UTF16_BE] = (unsigned char)(c >> 8);
    return 2;
}

/* Return the next character of the shape's text, which is UTF-8. For BYTES and CR_LF, return the
 * next byte. */
static unsigned next_char(shape_encoding encoding, const char *text, size_t *at)
{
    const unsigned char *c = (const unsigned char *)text + *at;

    if (encoding == BYTES || encoding == CR_LF || c[0] < 0xC0) {
        *at += 1;
        return c[0];
    }
    *at += c[0] < 0xE0 ? 2 : 3;
    return c[0] < 0xE0 ? (c[0] & 0x1Fu) << 6 | (c[1] & 0x3Fu)
                       : (c[0] & 0x0Fu) << 12 | (c[1] & 0x3Fu) << 6 | (c[2] & 0x3Fu);
}

static size_t encode_text(shape_encoding encoding, const char *text, unsigned char *out)
{
    size_t used = 0;

    if (encoding == UTF16_LE || encoding == UTF16_BE)
        used += encode_char(encoding, 0xFEFF, out);
    for (size_t at = 0; text[at];) {
        const unsigned c = next_char(encoding, text, &at);

        if (c == '\n' && encoding != BYTES)
            used += encode_char(encoding, '\r', out + used);
        used += encode_char(encoding, c, out + used);
        assert_true(used < MOST_BYTES - 4);
    }
    return used;
}

/* ---- Converting ---- */

typedef struct heard_lines {
    char text[8192];
    size_t used;
} heard_lines;

static void hear_line(void *context, bool is_mistake, const char *line)
{
    heard_lines *lines = context;

    assert_true(is_mistake);
    lines->used +=
        (size_t)snprintf(lines->text + lines->used, sizeof lines->text - lines->used, "%s\n", line);
    assert_true(lines->used < sizeof lines->text);
}

/* Copy the bytes to memory of exactly their size, so that the sanitizer notices a read after their
 * end. */
static void *exactly(const unsigned char *bytes, size_t size)
{
    void *copy = malloc(size + (size == 0));

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static uint32_t convert_files(shape_encoding encoding, const char *ini, const char *header,
                              heard_lines *lines, prfdata_quoted_text *text)
{
    static unsigned char bytes[MOST_BYTES];
    prfdata_convert_source source = {"prfinstall", "my.ini", NULL, 0, "my.h", NULL, 0, "my.prfmap"};
    void *files[2];
    uint32_t status;

    source.ini_size = encode_text(encoding, ini, bytes);
    source.ini = files[0] = exactly(bytes, source.ini_size);
    /* In this test only a big-endian .ini has a symbol file in UTF-16, because most symbol files
     * are ASCII. */
    source.header_size = encode_text(encoding == UTF16_BE ? UTF16_BE
                                     : encoding == BYTES  ? BYTES
                                                          : CR_LF,
                                     header, bytes);
    source.header = files[1] = exactly(bytes, source.header_size);
    status = prfdata_convert(&source, hear_line, lines, text);
    free(files[0]);
    free(files[1]);
    return status;
}

static uint32_t convert_shape(const shape *tried, heard_lines *lines, prfdata_quoted_text *text)
{
    return convert_files(tried->encoding, tried->ini, tried->header, lines, text);
}

static void test_convert_each_shape_as_its_golden_file_says(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; i++) {
        heard_lines *lines = calloc(1, sizeof *lines);
        prfdata_quoted_text text = {0};
        char path[128];
        char *wanted;

        assert_non_null(lines);
        snprintf(path, sizeof path, "tests/golden/convert_%s.txt", shapes[i].name);
        assert_int_equal(convert_shape(&shapes[i], lines, &text), ERROR_SUCCESS);
        wanted = golden_text(path);
        if (strncmp(wanted, lines->text, lines->used) != 0 ||
            strcmp(wanted + lines->used, prfdata_quoted_text_get(&text)) != 0)
            fail_msg("%s is not:\n%s%s", path, lines->text, prfdata_quoted_text_get(&text));
        free(wanted);
        free(lines);
        prfdata_quoted_text_free(&text);
    }
}

/* ---- Filling in ---- */

static void take_word(const char **list, char *word, size_t capacity)
{
    const size_t chars = strcspn(*list, " ");

    assert_true(chars > 0 && chars < capacity);
    memcpy(word, *list, chars);
    word[chars] = 0;
    *list += chars;
    *list += strspn(*list, " ");
}

/* Replace the question marks, as a person does. */
static char *fill_in(const shape *filled, const char *text)
{
    const char *types = filled->types, *instances = filled->instances;
    char *made = calloc(1, strlen(text) * 2 + 1);
    const char *line = text;

    assert_non_null(made);
    while (*line) {
        const size_t chars = strcspn(line, "\n") + 1;
        char word[64];

        if (strncmp(line, "type=?\n", 7) == 0) {
            take_word(&types, word, sizeof word);
            sprintf(made + strlen(made), "type=%s\n", word);
        } else if (strncmp(line, "instances=?\n", 12) == 0) {
            take_word(&instances, word, sizeof word);
            if (strcmp(word, "-") != 0)
                sprintf(made + strlen(made), "instances=%s\n", word);
        } else {
            strncat(made, line, chars);
        }
        line += chars;
    }
    assert_int_equal(*types, 0);
    assert_int_equal(*instances, 0);
    return made;
}

typedef struct counted {
    uint32_t count;
    char last[512];
} counted;

static void count_mistake(void *context, uint32_t line, const char *text)
{
    counted *mistakes = context;

    mistakes->count++;
    snprintf(mistakes->last, sizeof mistakes->last, "%u: %s", (unsigned)line, text);
}

static void test_convert_what_is_filled_in_is_a_right_map(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPE_COUNT; i++) {
        heard_lines *lines = calloc(1, sizeof *lines);
        prfdata_quoted_text text = {0};
        counted mistakes = {0, ""};
        prfdata_map *map = NULL;
        char *filled;
        uint32_t status;

        assert_non_null(lines);
        assert_int_equal(convert_shape(&shapes[i], lines, &text), ERROR_SUCCESS);
        filled = fill_in(&shapes[i], prfdata_quoted_text_get(&text));
        status = prfdata_map_file_parse(filled, strlen(filled), count_mistake, &mistakes, &map);
        if ((status == ERROR_SUCCESS) == shapes[i].is_wrong)
            fail_msg("%s: %s", shapes[i].name, mistakes.last);
        if (status == ERROR_SUCCESS)
            prfdata_map_file_free(map);
        free(filled);
        free(lines);
        prfdata_quoted_text_free(&text);
    }
}

static void test_convert_question_marks_are_mistakes_of_the_map_file(void **state)
{
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};
    counted mistakes = {0, ""};
    prfdata_map *map = NULL;

    (void)state;
    assert_non_null(lines);
    assert_int_equal(convert_shape(&shapes[0], lines, &text), ERROR_SUCCESS);
    assert_int_equal(prfdata_map_file_parse(text.bytes, text.used, count_mistake, &mistakes, &map),
                     ERROR_INVALID_DATA);
    assert_int_equal(mistakes.count, 5);
    assert_non_null(
        strstr(mistakes.last, "type=\"?\" is invalid; it must be the name of one of Windows'"));
    free(lines);
    prfdata_quoted_text_free(&text);
}

/* ---- What cannot be converted ---- */

static void assert_refused_conversion(const char *ini, const char *header, const char *why)
{
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};

    assert_non_null(lines);
    assert_int_equal(convert_files(BYTES, ini, header, lines, &text), ERROR_INVALID_DATA);
    if (!strstr(lines->text, why))
        fail_msg("not \"%s\" but:\n%s", why, lines->text);
    assert_int_equal(text.used, 0);
    free(lines);
    prfdata_quoted_text_free(&text);
}

static void test_convert_other_files_are_refused_with_the_reason(void **state)
{
    (void)state;
    assert_refused_conversion("", "", "my.ini: It lacks drivername= in the section [info]");
    assert_refused_conversion("[info]\nsymbolfile=x.h\n[text]\nA_009_NAME=A\n", "#define A 0\n",
                              "my.ini: It lacks drivername=");
    assert_refused_conversion("[info]\ndrivername=X\nsymbolfile=x.h\n", "#define A 0\n",
                              "my.ini: It has no titles in a section [text].");
    assert_refused_conversion("[info]\ndrivername=X\n[text]\nA_009_NAME=A\n", "#define B 0\n",
                              "my.h: The header defines none of the symbols of the .ini file");
    assert_refused_conversion("[info]\ndrivername=X\n[text]\nA_009_NAME=A\n", "",
                              "my.ini:4: \"A\" is not in the symbol file, and is left out.");
}

/* A line without a line end is trimmed, too. */
static void test_convert_reads_a_header_of_one_line_without_its_end(void **state)
{
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};

    (void)state;
    assert_non_null(lines);
    (void)convert_files(BYTES, "[info]\ndrivername=X\n[text]\nA_009_NAME=A\n", "  #define A 0\t",
                        lines, &text);
    assert_null(strstr(lines->text, "is not in the symbol file"));
    free(lines);
    prfdata_quoted_text_free(&text);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Converts an .ini whose symbolfile= is `named`. If `is_opened`, expects that this file is opened.
 * Otherwise expects that it is refused, because it is in another folder. */
static void convert_with_symbol_file(const char *named, bool is_opened)
{
    static const wchar_t ini_path[] = L"prfdata-test-convert.ini";
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};
    char ini[256];

    assert_non_null(lines);
    snprintf(ini, sizeof ini, "[info]\ndrivername=X\nsymbolfile=%s\n[text]\nA_009_NAME=A\n", named);
    write_text("prfdata-test-convert.ini", ini);
    (void)prfdata_convert_file(ini_path, "prog", NULL, hear_line, lines, &text);
    if ((strstr(lines->text, "names a file in another folder") == NULL) != is_opened)
        fail_msg("%s: %s", named, lines->text);
    if (is_opened && strstr(lines->text, "There is no such file"))
        fail_msg("%s: %s", named, lines->text);
    free(lines);
    prfdata_quoted_text_free(&text);
}

/* If somebody else's .ini names a file on another computer, converting the .ini must not open that
 * file. */
static void test_convert_opens_no_symbol_file_of_another_folder(void **state)
{
    static const char *const elsewhere[] = {
        "\\\\server\\share\\x.h",
        "//server/share/x.h",
        "C:\\x.h",
        "C:x.h",
        "..\\x.h",
        "../x.h",
        "/etc/passwd",
        "sub\\x.h",
        "./prfdata-test-convert.h",
        "x.h:stream",
        "\\\\.\\pipe\\x",
        "\\??\\C:\\x",
    };

    (void)state;
    write_text("prfdata-test-convert.h", "#define A 0\n");
    convert_with_symbol_file("prfdata-test-convert.h", true);
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        convert_with_symbol_file(elsewhere[i], false);
    (void)remove("prfdata-test-convert.h");
    (void)remove("prfdata-test-convert.ini");
}

static void test_convert_bytes_that_are_no_text_are_refused(void **state)
{
    static const char bytes[] = "[info]\ndrivername=X\0Y\n";
    const prfdata_convert_source source = {"p", "my.ini", bytes, sizeof bytes - 1, "h", "", 0, "m"};
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};

    (void)state;
    assert_non_null(lines);
    assert_int_equal(prfdata_convert(&source, hear_line, lines, &text), ERROR_INVALID_DATA);
    assert_string_equal(lines->text, "my.ini: The file is not a text file: it has a byte 0.\n");
    free(lines);
    prfdata_quoted_text_free(&text);
}

static void test_convert_long_texts_are_cut_between_characters(void **state)
{
    char *ini = calloc(1, 8192);
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};
    prfdata_map *map = NULL;
    shape filled = {.types = "COUNTER_RAWCOUNT", .instances = "-"};
    counted mistakes = {0, ""};
    char *made;

    (void)state;
    assert_non_null(ini);
    assert_non_null(lines);
    strcpy(ini, "[info]\ndrivername=X\n[objects]\nO_009_NAME=\n[text]\nO_009_NAME=O\nC_009_NAME=A");
    for (int i = 0; i < 130; i++)
        strcat(ini, "\xC3\xA4");
    strcat(ini, "\nC_009_HELP=");
    for (int i = 0; i < 460; i++) /* each has two UTF-16 units */
        strcat(ini, "\xF0\x9F\x8D\x8E");
    assert_int_equal(convert_files(BYTES, ini, "#define O 0\n#define C 2\n", lines, &text),
                     ERROR_SUCCESS);
    made = fill_in(&filled, prfdata_quoted_text_get(&text));
    if (prfdata_map_file_parse(made, strlen(made), count_mistake, &mistakes, &map))
        fail_msg("%s", mistakes.last);
    prfdata_map_file_free(map);
    free(made);
    free(lines);
    free(ini);
    prfdata_quoted_text_free(&text);
}

/* ---- Proposals ---- */

static void assert_proposed(const char *title, bool is_object, const char *wanted)
{
    const size_t size = strlen(title);
    char *name = malloc(prfdata_title_name_room(size) + 1);
    char *copy = malloc(size + (size == 0));

    assert_non_null(name);
    assert_non_null(copy);
    memcpy(copy, title, size);
    name[prfdata_title_name_propose((prfdata_map_text){copy, size}, is_object, name)] = 0;
    assert_string_equal(name, wanted);
    free(name);
    free(copy);
}

static void test_convert_proposes_names_that_say_the_same(void **state)
{
    (void)state;
    assert_proposed("Jobs/sec", false, "Jobs/sec");
    assert_proposed("Jobs/sec", true, "Jobs-sec");
    assert_proposed("# operations / sec", false, "operations / sec");
    assert_proposed("# of Exceps Thrown", false, "Number of Exceps Thrown");
    assert_proposed("Objects # of Exceps", false, "Objects Number of Exceps");
    assert_proposed("DC Locator (DC)", true, "DC Locator, DC");
    assert_proposed("Read (KB) / sec", false, "Read, KB / sec");
    assert_proposed("(all)", false, "all");
    assert_proposed("((a))", false, "a");
    assert_proposed("a\\b", false, "a/b");
    assert_proposed("a\\b", true, "a-b");
    assert_proposed("\"quoted\" it", false, "quoted\" it");
    assert_proposed("#", false, "");
    assert_proposed("()#* \"'", true, "");
    assert_proposed("", false, "");
}

/* ---- Whole files ---- */

static const shape *find_shape(const char *name)
{
    for (int i = 0; i < SHAPE_COUNT; i++)
        if (strcmp(shapes[i].name, name) == 0)
            return &shapes[i];
    return NULL;
}

static int print_shape(const char *name)
{
    const shape *printed = find_shape(name);
    heard_lines *lines = calloc(1, sizeof *lines);
    prfdata_quoted_text text = {0};

    if (!printed || !lines)
        return 1;
#ifdef _WIN32
    (void)_setmode(_fileno(stdout), _O_BINARY);
#endif
    (void)convert_shape(printed, lines, &text);
    fputs(lines->text, stdout);
    fputs(prfdata_quoted_text_get(&text), stdout);
    free(lines);
    prfdata_quoted_text_free(&text);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convert_each_shape_as_its_golden_file_says),
        cmocka_unit_test(test_convert_what_is_filled_in_is_a_right_map),
        cmocka_unit_test(test_convert_question_marks_are_mistakes_of_the_map_file),
        cmocka_unit_test(test_convert_other_files_are_refused_with_the_reason),
        cmocka_unit_test(test_convert_reads_a_header_of_one_line_without_its_end),
        cmocka_unit_test(test_convert_opens_no_symbol_file_of_another_folder),
        cmocka_unit_test(test_convert_bytes_that_are_no_text_are_refused),
        cmocka_unit_test(test_convert_long_texts_are_cut_between_characters),
        cmocka_unit_test(test_convert_proposes_names_that_say_the_same),
    };

    if (argc == 2)
        return print_shape(argv[1]);
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
