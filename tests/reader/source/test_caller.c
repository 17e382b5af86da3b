/* SPDX-License-Identifier: MIT */
/* Tests how threads join the calls of a provider. */
#include <windows.h>

#include "support/test.h"

#include "source/caller.h"

/* Each prfdata_caller_thread takes a place in the list of threads, so one thread can fill the
 * list. */
static void test_caller_thread_that_cannot_join_stays_as_it_was(void **state)
{
    static prfdata_caller_thread joined[PRFDATA_CALLER_MAX_THREADS];
    static prfdata_caller_thread other;
    static prfdata_caller caller;

    (void)state;
    assert_int_equal(prfdata_caller_init(), ERROR_SUCCESS);
    for (size_t i = 0; i < PRFDATA_CALLER_MAX_THREADS; i++)
        assert_int_equal(prfdata_caller_join(&caller, &joined[i]), ERROR_SUCCESS);
    assert_int_equal(prfdata_caller_join(&caller, &other), ERROR_NOT_ENOUGH_MEMORY);
    assert_ptr_equal(prfdata_caller_this_thread(), &joined[PRFDATA_CALLER_MAX_THREADS - 1]);
    for (size_t i = 0; i < PRFDATA_CALLER_MAX_THREADS; i++)
        prfdata_caller_leave(&joined[i]);
    assert_null(prfdata_caller_this_thread());
    assert_int_equal(prfdata_caller_join(&caller, &other), ERROR_SUCCESS);
    assert_ptr_equal(prfdata_caller_this_thread(), &other);
    prfdata_caller_leave(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caller_thread_that_cannot_join_stays_as_it_was),
    };

    return cmocka_run_group_tests_name("caller", tests, NULL, NULL);
}
