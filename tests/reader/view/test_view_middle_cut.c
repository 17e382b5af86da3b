/* SPDX-License-Identifier: MIT */
/* Tests how a name that has no room is cut: its beginning and its end stay. */
#include "support/test.h"

#include <string.h>

#include "support/reader/ascii_text.h"
#include "view/middle_cut.h"

/* Returns whether the text has room, in a font whose chars all have the same width. */
static bool has_room(void *context, prfdata_text text)
{
    return text.count <= *(const size_t *)context;
}

/* Returns whether a name is cut to `expected`, in which ~ stands for the ellipsis. */
static bool is_cut(const char *name, size_t room, const char *expected)
{
    uint16_t letters[60];
    uint16_t chars[60];
    const size_t count =
        prfdata_middle_cut_put(ascii_text(name, letters), has_room, &room, chars, 60);

    for (size_t i = 0; i < count; i++)
        chars[i] = chars[i] == 0x2026 ? '~' : chars[i];
    return ascii_text_is((prfdata_text){chars, count}, expected);
}

static void test_view_middle_cut_keeps_beginning_and_end(void **state)
{
    (void)state;
    assert_true(is_cut("worker 000001", 13, "worker 000001"));
    assert_true(is_cut("worker 000001", 9, "work~0001"));
    assert_true(is_cut("worker 000002", 9, "work~0002"));
    assert_true(is_cut("worker 000002", 2, "~2"));
    assert_true(is_cut("worker 000002", 1, "~"));
    assert_true(is_cut("worker 000002", 0, "~"));
    assert_true(is_cut("a", 0, "~"));
    assert_true(is_cut("", 0, ""));
}

static void test_view_middle_cut_separates_no_pair_and_fills_no_more_than_its_room(void **state)
{
    static const uint16_t faces[] = {0xD83D, 0xDE00, 0xD83D, 0xDE01, 0xD83D, 0xDE02};
    const prfdata_text name = {faces, 6};

    (void)state;
    for (size_t capacity = 1; capacity <= 8; capacity++) {
        for (size_t room = 0; room <= 7; room++) {
            uint16_t chars[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
            const size_t count = prfdata_middle_cut_put(name, has_room, &room, chars, capacity);

            assert_true(count >= 1 && count <= capacity && (count <= room || count == 1));
            assert_int_equal(chars[capacity], 0);
            for (size_t i = 0; i < count; i++) {
                if (chars[i] == 0xD83D)
                    assert_true(i + 1 < count && chars[i + 1] >= 0xDE00);
                if (chars[i] >= 0xDE00)
                    assert_true(i > 0 && chars[i - 1] == 0xD83D);
            }
        }
    }
}

/* A program may write any chars as a name, so halves of surrogate pairs may be anywhere in the
 * name. They are cut as letters are. */
static void test_view_middle_cut_takes_single_surrogates_as_letters(void **state)
{
    static const uint16_t halves[] = {0xDE00, 0xDE01, 0xD83D, 'a', 0xDE02, 0xD83D};
    static const uint16_t cut[] = {0xDE00, 0x2026, 0xDE02, 0xD83D};
    const prfdata_text name = {halves, 6};

    (void)state;
    for (size_t room = 0; room <= 6; room++) {
        uint16_t chars[7] = {0, 0, 0, 0, 0, 0, 0};
        const size_t count = prfdata_middle_cut_put(name, has_room, &room, chars, 6);

        assert_int_equal(count, room > 0 ? room : 1);
        assert_int_equal(chars[6], 0);
        if (room == 4)
            assert_memory_equal(chars, cut, sizeof cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_middle_cut_keeps_beginning_and_end),
        cmocka_unit_test(test_view_middle_cut_separates_no_pair_and_fills_no_more_than_its_room),
        cmocka_unit_test(test_view_middle_cut_takes_single_surrogates_as_letters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
