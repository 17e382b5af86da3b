/* SPDX-License-Identifier: MIT */
/* Tests that the damage of all open files is counted, whichever of them is damaged. */
#include "support/test.h"

#include "support/reader/ascii_text.h"
#include "viewer/opened_files.h"

static void add_file(prfdata_opened_files *files, const char *path, const char *mistake,
                     const prfdata_timeline_damage *damage)
{
    const prfdata_recording recording = {.mistake = mistake, .mistake_offset = 77};
    uint16_t chars[40];

    prfdata_opened_files_add(files, ascii_text(path, chars), &recording, damage);
}

/* The second file has no damage, so it must not take away what is known about the first one. */
static void test_opened_files_keep_the_damage_of_the_first(void **state)
{
    const prfdata_timeline_damage first = {10, 2, 500, 1, 900};
    const prfdata_timeline_damage second = {20, 0, 0, 0, 0};
    prfdata_opened_files files = {0};

    (void)state;
    add_file(&files, "a.prf", "cut", &first);
    add_file(&files, "b.prf", NULL, &second);
    assert_int_equal(files.count, 2);
    assert_int_equal(files.damage.samples, 30);
    assert_int_equal(files.damage.left_out, 2);
    assert_int_equal(files.damage.first_left_out, 500);
    assert_true(ascii_text_is(files.left_out_file, "a.prf"));
    assert_int_equal(files.damage.in_part, 1);
    assert_int_equal(files.damage.first_in_part, 900);
    assert_true(ascii_text_is(files.in_part_file, "a.prf"));
    assert_string_equal(files.mistake, "cut");
    assert_true(ascii_text_is(files.mistake_file, "a.prf"));
    prfdata_opened_files_free(&files);
    assert_int_equal(files.count, 0);
}

/* If both files are damaged, their counts are added. The place of each kind of damage is in the
 * first file that has this kind. */
static void test_opened_files_count_the_damage_of_both(void **state)
{
    const prfdata_timeline_damage first = {10, 0, 0, 3, 900};
    const prfdata_timeline_damage second = {20, 4, 40, 5, 50};
    prfdata_opened_files files = {0};

    (void)state;
    add_file(&files, "a.prf", NULL, &first);
    add_file(&files, "b.prf", "damaged", &second);
    assert_int_equal(files.damage.left_out, 4);
    assert_int_equal(files.damage.first_left_out, 40);
    assert_true(ascii_text_is(files.left_out_file, "b.prf"));
    assert_int_equal(files.damage.in_part, 8);
    assert_int_equal(files.damage.first_in_part, 900);
    assert_true(ascii_text_is(files.in_part_file, "a.prf"));
    assert_string_equal(files.mistake, "damaged");
    assert_int_equal(files.mistake_offset, 77);
    assert_true(ascii_text_is(files.mistake_file, "b.prf"));
    prfdata_opened_files_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opened_files_keep_the_damage_of_the_first),
        cmocka_unit_test(test_opened_files_count_the_damage_of_both),
    };

    return cmocka_run_group_tests_name("opened_files", tests, NULL, NULL);
}
