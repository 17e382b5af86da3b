/* SPDX-License-Identifier: MIT */
/* Tests that a text is never cut inside a character. Each text is in memory of exactly its
 * size. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static size_t fit(const char *text, size_t room)
{
    const size_t size = strlen(text);
    char *bytes = malloc(size ? size : 1);
    size_t fitting;

    assert_non_null(bytes);
    memcpy(bytes, text, size);
    fitting = prfdata_utf8_fit(bytes, size, room);
    free(bytes);
    return fitting;
}

static void a_text_that_fits_is_not_cut(void **state)
{
    (void)state;
    assert_int_equal(fit("", 0), 0);
    assert_int_equal(fit("abc", 3), 3);
    assert_int_equal(fit("ab\xC3\xA9", 4), 4);
    assert_int_equal(fit("ab\xC3\xA9", 5), 4);
}

static void a_character_that_does_not_fit_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(fit("abc", 2), 2);
    assert_int_equal(fit("abc", 0), 0);
    assert_int_equal(fit("ab\xC3\xA9z", 3), 2);      /* U+00E9 */
    assert_int_equal(fit("a\xE2\x82\xACz", 3), 1);   /* U+20AC */
    assert_int_equal(fit("\xF0\x9F\x98\x80", 3), 0); /* U+1F600 */
    assert_int_equal(fit("\xF0\x9F\x98\x80"
                         "a",
                         4),
                     4);
}

static void stray_bytes_go_with_the_character_before_them(void **state)
{
    (void)state;
    assert_int_equal(fit("ba\x80\x80\x80", 3), 1);
    assert_int_equal(fit("\x80\x80\x80", 2), 0);
}

static void a_character_counts_once(void **state)
{
    (void)state;
    assert_int_equal(prfdata_utf8_count(""), 0);
    assert_int_equal(prfdata_utf8_count("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_that_fits_is_not_cut),
        cmocka_unit_test(a_character_that_does_not_fit_is_left_out),
        cmocka_unit_test(stray_bytes_go_with_the_character_before_them),
        cmocka_unit_test(a_character_counts_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
