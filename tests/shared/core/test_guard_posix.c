/* SPDX-License-Identifier: MIT */
/* Tests the guard's signal handler together with other handlers. This file includes the
 * implementation to get the handler. */
#include "system/guard_posix.c"

#include "support/test.h"

#include <sys/mman.h>

static sigjmp_buf out_of_other_handler;
static volatile sig_atomic_t other_handler_calls;

static void other_handler(int number, siginfo_t *info, void *context)
{
    (void)context;
    assert_int_equal(number, SIGSEGV);
    assert_int_equal(info->si_signo, SIGSEGV);
    other_handler_calls++;
    siglongjmp(out_of_other_handler, 1);
}

static void old_style_handler(int number)
{
    (void)number;
    other_handler_calls++;
    siglongjmp(out_of_other_handler, 1);
}

static void set_handler(struct sigaction *action, struct sigaction *before, int flags)
{
    memset(action, 0, sizeof(*action));
    sigemptyset(&action->sa_mask);
    action->sa_flags = flags;
    if (flags & SA_SIGINFO)
        action->sa_sigaction = other_handler;
    else
        action->sa_handler = old_style_handler;
    assert_int_equal(sigaction(SIGSEGV, action, before), 0);
}

static void fault_elsewhere(uint8_t *page)
{
    if (sigsetjmp(out_of_other_handler, 1) == 0) {
        (void)*(volatile uint8_t *)page;
        fail_msg("no fault");
    }
}

static void test_guard_posix_foreign_faults_reach_the_handler_that_was_there(void **state)
{
    static const int flags[] = {SA_SIGINFO, 0};
    uint8_t *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct sigaction action, before, after;

        set_handler(&action, &before, flags[i]);
        other_handler_calls = 0;
        prfdata_guard_open();
        fault_elsewhere(page);
        fault_elsewhere(page);
        assert_int_equal(other_handler_calls, 2);
        prfdata_guard_close();
        assert_int_equal(sigaction(SIGSEGV, &before, &after), 0);
        /* the guard has installed the other handler again */
        assert_true(after.sa_sigaction == action.sa_sigaction);
    }
    munmap(page, 4096);
}

static void test_guard_posix_users_count(void **state)
{
    struct sigaction before, now;

    (void)state;
    assert_int_equal(sigaction(SIGBUS, NULL, &before), 0);
    prfdata_guard_open();
    prfdata_guard_open();
    prfdata_guard_close();
    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    assert_true(is_own_handler(&now));
    prfdata_guard_close();
    assert_int_equal(sigaction(SIGBUS, NULL, &now), 0);
    assert_true(now.sa_sigaction == before.sa_sigaction);
}

/* A handler that was installed later may call the previous one, which is ours. */
static void test_guard_posix_handler_on_top_is_left_alone(void **state)
{
    struct sigaction action, before, after, restored;
    bool was_ours;

    (void)state;
    assert_int_equal(sigaction(SIGSEGV, NULL, &restored), 0);
    prfdata_guard_open();
    set_handler(&action, &before, SA_SIGINFO);
    was_ours = is_own_handler(&before);
    prfdata_guard_close();
    assert_int_equal(sigaction(SIGSEGV, NULL, &after), 0);
    assert_true(was_ours);
    assert_true(after.sa_sigaction == other_handler);
    /* The next open must not install our handler above the other one, because both would then call
     * each other without end. */
    prfdata_guard_open();
    assert_int_equal(sigaction(SIGSEGV, NULL, &after), 0);
    assert_true(after.sa_sigaction == other_handler);
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0); /* removes the other handler */
    prfdata_guard_close();
    assert_int_equal(sigaction(SIGSEGV, NULL, &after), 0);
    assert_true(after.sa_sigaction == restored.sa_sigaction);
}

static void test_guard_posix_signals_that_were_sent_are_not_ours(void **state)
{
    struct sigaction action, before;

    (void)state;
    set_handler(&action, &before, SA_SIGINFO);
    other_handler_calls = 0;
    prfdata_guard_open();
    if (sigsetjmp(out_of_other_handler, 1) == 0)
        raise(SIGSEGV);
    assert_int_equal(other_handler_calls, 1);
    prfdata_guard_close();
    assert_int_equal(sigaction(SIGSEGV, &before, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guard_posix_users_count),
        cmocka_unit_test(test_guard_posix_foreign_faults_reach_the_handler_that_was_there),
        cmocka_unit_test(test_guard_posix_handler_on_top_is_left_alone),
        cmocka_unit_test(test_guard_posix_signals_that_were_sent_are_not_ours),
    };

    return cmocka_run_group_tests_name("guard_posix", tests, NULL, NULL);
}
