/* SPDX-License-Identifier: MIT */
/* Tests what an installer program says about the map files that it gets: each mistake with its
 * place. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "emit/emit.h"
#include "report/map_files.h"

#define COUNT(items) (sizeof(items) / sizeof(items)[0])

#define RIGHT(service)                                                                             \
    "[info]\ndrivername=" service "\n[object THINGS]\nid=1\nname=Things\nhelp=Of a test.\n"        \
    "[counter COUNT]\nid=2\nname=Count\nhelp=How many.\ntype=PERF_COUNTER_RAWCOUNT\n"

static char lines[8192]; /* lines of the last call, each ending with \n */

static void collect_file_line(void *context, bool is_mistake, const char *line)
{
    assert_ptr_equal(context, lines);
    assert_true(is_mistake);
    assert_null(strchr(line, '\n'));
    assert_true(strlen(lines) + strlen(line) + 2 < sizeof lines);
    strcat(strcat(lines, line), "\n");
}

static void write_map_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static uint32_t read_files(const wchar_t *const *paths, size_t count, prfdata_map **maps)
{
    lines[0] = 0;
    return prfdata_map_files_read(paths, count, maps, collect_file_line, lines);
}

static int clean_up(void **state)
{
    (void)state;
    remove("map_files_a.prfmap");
    remove("map_files_b.prfmap");
    return 0;
}

static void test_map_files_are_read_in_their_order(void **state)
{
    const wchar_t *const paths[] = {L"map_files_b.prfmap", L"map_files_a.prfmap"};
    prfdata_map *maps[2];

    (void)state;
    write_map_file("map_files_a.prfmap", RIGHT("ServiceA"));
    write_map_file("map_files_b.prfmap", RIGHT("ServiceB"));
    assert_int_equal(read_files(paths, 2, maps), ERROR_SUCCESS);
    assert_string_equal(lines, "");
    assert_string_equal(maps[0]->service, "ServiceB");
    assert_string_equal(maps[1]->service, "ServiceA");
    prfdata_map_files_free(maps, 2);
}

static void test_map_files_every_mistake_of_all_has_its_place(void **state)
{
    const wchar_t *const paths[] = {L"map_files_a.prfmap", L"map_files_missing.prfmap",
                                    L"map_files_b.prfmap"};
    prfdata_map *maps[3] = {NULL, NULL, NULL};

    (void)state;
    write_map_file("map_files_a.prfmap", "nonsense\n" RIGHT("ServiceA") "scale=x\n");
    write_map_file("map_files_b.prfmap", RIGHT("ServiceB") "[counter C]\nid=2\n");
    assert_int_equal(read_files(paths, 3, maps), ERROR_INVALID_DATA);
    assert_non_null(strstr(lines, "map_files_a.prfmap:1: This is neither a section"));
    assert_non_null(strstr(lines, "map_files_a.prfmap:13: scale=\"x\" is invalid; it must be "));
    assert_non_null(strstr(lines, "map_files_missing.prfmap: There is no such file.\n"));
    assert_non_null(strstr(lines, "map_files_b.prfmap:12: This section lacks "));
    for (size_t i = 0; i < COUNT(maps); i++)
        assert_null(maps[i]);
}

static void test_map_files_that_cannot_be_read_say_why(void **state)
{
    const wchar_t *const paths[] = {L"map_files_missing.prfmap"};
    const wchar_t *const large[] = {L"map_files_a.prfmap"};
    prfdata_map *map = NULL;
    FILE *file = fopen("map_files_a.prfmap", "wb");

    (void)state;
    assert_int_equal(read_files(paths, 1, &map), ERROR_FILE_NOT_FOUND);
    assert_string_equal(lines, "map_files_missing.prfmap: There is no such file.\n");
    assert_non_null(file);
    for (size_t i = 0; i <= PRFDATA_MAX_MAP_FILE_BYTES; i++)
        fputc('\n', file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(read_files(large, 1, &map), ERROR_FILE_TOO_LARGE);
    assert_string_equal(
        lines, "map_files_a.prfmap: The file has more than 256 KiB, so it is not a map file.\n");
    assert_null(map);
}

#ifdef _WIN32
static void test_map_files_device_is_reported(void **state)
{
    const wchar_t *const paths[] = {L"NUL"};
    prfdata_map *map = NULL;

    (void)state;
    assert_int_equal(read_files(paths, 1, &map), ERROR_INVALID_DATA);
    assert_string_equal(lines, "NUL: This is a device, not a file.\n");
    assert_null(map);
}
#endif

#ifdef WRAPS_CALLOC
static bool fails_calloc;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_calloc ? NULL : __real_calloc(count, size);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void test_map_files_without_memory_say_so(void **state)
{
    const wchar_t *const paths[] = {L"map_files_a.prfmap", L"map_files_b.prfmap"};
    prfdata_map *maps[2] = {NULL, NULL};
    uint32_t status;

    (void)state;
    fails_calloc = true;
    status = read_files(paths, 2, maps);
    fails_calloc = false;
    assert_int_equal(status, ERROR_NOT_ENOUGH_MEMORY);
    assert_string_equal(lines, "map_files_a.prfmap: The file cannot be read (error 8).\n");
    assert_null(maps[0]);
}
#endif

static void test_map_files_of_one_service_are_refused(void **state)
{
    const wchar_t *const paths[] = {L"map_files_a.prfmap", L"map_files_b.prfmap"};
    prfdata_map *maps[2] = {NULL, NULL};

    (void)state;
    write_map_file("map_files_a.prfmap", RIGHT("My Service"));
    write_map_file("map_files_b.prfmap", RIGHT("MY service"));
    assert_int_equal(read_files(paths, 2, maps), ERROR_INVALID_DATA);
    assert_string_equal(lines, "map_files_b.prfmap: An earlier map file has the same service, and "
                               "a service has only one map.\n");
    assert_null(maps[0]);
}

/* The map file that -Emit writes gives the same map when it is read. */
static void test_map_files_are_emitted_again(void **state)
{
    const wchar_t *const paths[] = {L"map_files_a.prfmap"};
    const wchar_t *const emitted_paths[] = {L"map_files_b.prfmap"};
    prfdata_map *maps[2];
    prfdata_quoted_text text, c;

    (void)state;
    write_map_file("map_files_a.prfmap", RIGHT("ServiceA") "scale=-2\n");
    assert_int_equal(read_files(paths, 1, maps), ERROR_SUCCESS);
    assert_int_equal(prfdata_emit(prfdata_emit_find(L"mapfile"), (const prfdata_map *const *)maps,
                                  1, "x", &text, NULL),
                     ERROR_SUCCESS);
    write_map_file("map_files_b.prfmap", prfdata_quoted_text_get(&text));
    prfdata_quoted_text_free(&text);
    assert_int_equal(read_files(emitted_paths, 1, maps + 1), ERROR_SUCCESS);
    assert_int_equal(maps[1]->entry_count, maps[0]->entry_count);
    assert_string_equal(maps[1]->service, "ServiceA");
    assert_int_equal(maps[1]->entries[1].default_scale, -2);
    assert_int_equal(
        prfdata_emit(prfdata_emit_find(L"c"), (const prfdata_map *const *)maps, 1, "x", &c, NULL),
        ERROR_SUCCESS);
    assert_non_null(strstr(prfdata_quoted_text_get(&c), "PRFDATA_MAP_END(\"ServiceA\")"));
    prfdata_quoted_text_free(&c);
    prfdata_map_files_free(maps, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_map_files_are_read_in_their_order, clean_up),
        cmocka_unit_test_teardown(test_map_files_every_mistake_of_all_has_its_place, clean_up),
        cmocka_unit_test_teardown(test_map_files_that_cannot_be_read_say_why, clean_up),
#ifdef _WIN32
        cmocka_unit_test(test_map_files_device_is_reported),
#endif
#ifdef WRAPS_CALLOC
        cmocka_unit_test_teardown(test_map_files_without_memory_say_so, clean_up),
#endif
        cmocka_unit_test_teardown(test_map_files_of_one_service_are_refused, clean_up),
        cmocka_unit_test_teardown(test_map_files_are_emitted_again, clean_up),
    };

    return cmocka_run_group_tests_name("map_files", tests, NULL, NULL);
}
