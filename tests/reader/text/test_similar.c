/* SPDX-License-Identifier: MIT */
/* Tests which existing name a misspelt name may mean. */
#include "support/test.h"

#include <string.h>

#include "support/reader/ascii_text.h"
#include "text/similar.h"

static void test_similar_name_with_the_fewest_changes_is_the_best(void **state)
{
    static const char *const names[] = {
        "Jobs", "Jobs/sec", "Jobs failed/sec", "% Busy Time", "Avg. sec/Job", "CPU", ""};
    static const struct {
        const char *written;
        const char *best; /* "": none */
    } cases[] = {
        {"CUP", "CPU"},
        {"Jops", "Jobs"},
        {"jobs", "Jobs"},
        {"Job", "Jobs"},
        {"Jbos", "Jobs"},
        {"Jobs/se", "Jobs/sec"},
        {"Busy Time", "% Busy Time"},
        {"% Buzy Tiem", "% Busy Time"},
        {"Avg sec/Job", "Avg. sec/Job"},
        {"Depth", ""},
        {"J", ""},
        {"", ""},
        {"Jobs failed per second", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t written[40];
        uint16_t chars[sizeof names / sizeof names[0]][40];
        prfdata_similar similar = {.written = ascii_text(cases[i].written, written)};

        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
            prfdata_similar_consider(&similar, ascii_text(names[n], chars[n]));
        if (!ascii_text_is(similar.best, cases[i].best))
            fail_msg("%s: %u changes", cases[i].written, (unsigned)similar.changes);
    }
}

static void test_similar_any_length_is_survived(void **state)
{
    static uint16_t chars[300];
    prfdata_similar similar;

    (void)state;
    for (size_t i = 0; i < 300; i++)
        chars[i] = 'a';
    for (size_t written = 0; written < 300; written++) {
        for (size_t name = 90; name < 100; name++) {
            memset(&similar, 0, sizeof similar);
            similar.written = (prfdata_text){chars, written};
            prfdata_similar_consider(&similar, (prfdata_text){chars, name});
            assert_int_equal(similar.best.count > 0,
                             name <= 96 && (written > name ? written - name : name - written) <=
                                               (name + 2) / 3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_similar_name_with_the_fewest_changes_is_the_best),
        cmocka_unit_test(test_similar_any_length_is_survived),
    };

    return cmocka_run_group_tests_name("similar", tests, NULL, NULL);
}
