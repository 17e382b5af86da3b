/* SPDX-License-Identifier: MIT */
/* Tests a caller that states more bytes than its buffer has. The caller's fault handler jumps out
 * of Collect, and then the thread ends. Later Collects must not access memory that the
 * interrupted Collect used. Each test runs in its own process, because an interrupted Collect leaks
 * memory. */
#define _GNU_SOURCE

#include "support/test.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/provider/collecting.h"
#include "support/provider/sample_service.h"

#define SERVICE "PrfDataTestCallerBuffer"

enum { FIRST_COUNTER = 9900, QUEUE_ID = 100, JOBS_ID = 102, JOBS_AT = 1 };
enum { STACK_BYTES = 4 << 20, CLAIMED_BYTES = 1 << 20 };

const char sample_service_name[] = SERVICE;
const uint32_t sample_service_first_counter = FIRST_COUNTER;
static prfdata_provider *provider;
static sigjmp_buf after_fault;
static volatile bool is_expected; /* whether the thread that collects may fault */
static bool has_faulted;

static void handle_fault(int number)
{
    (void)number;
    if (!is_expected)
        _exit(3);
    is_expected = false;
    siglongjmp(after_fault, 1);
}

static void *collect_into_nothing(void *buffer)
{
    uint16_t *query = collected_query("9900");
    void *data = buffer;
    uint32_t bytes = CLAIMED_BYTES;
    uint32_t objects;

    if (sigsetjmp(after_fault, 1) == 0) {
        is_expected = true;
        (void)prfdata_provider_collect(provider, query, &data, &bytes, &objects);
    }
    has_faulted = !is_expected;
    is_expected = false;
    free(query);
    return NULL;
}

static void *map_pages(size_t bytes, int access)
{
    void *pages = mmap(NULL, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(pages != MAP_FAILED);
    return pages;
}

/* Collects on a thread whose stack cannot be read afterwards. */
static void collect_and_fault(void)
{
    void *buffer = map_pages(CLAIMED_BYTES, PROT_NONE);
    void *stack = map_pages(STACK_BYTES, PROT_READ | PROT_WRITE);
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK_BYTES), 0);
    assert_int_equal(pthread_create(&thread, &attributes, collect_into_nothing, buffer), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(mprotect(stack, STACK_BYTES, PROT_NONE), 0);
    assert_true(has_faulted);
}

static void handle_faults(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle_fault;
    assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
}

/* Runs a test in its own process. Returns the exit code. */
static int run_program(bool uses_plans)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle jobs;
    collected taken;

    /* Installs the test's handler before the provider installs its own, which passes on faults
     * outside of its views. */
    handle_faults();
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &jobs), ERROR_SUCCESS);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_plans(provider, uses_plans);
    for (int i = 0; i < 3; i++) {
        prfdata_increment(jobs);
        collected_take(&taken, provider, "9900");
        collected_free(&taken);
        collect_and_fault();
    }
    collected_take(&taken, provider, "9900");
    return collected_value(&taken, FIRST_COUNTER, "", "mail", JOBS_AT) == 3 ? 0 : 2;
}

static void check_in_process(bool uses_plans)
{
    const pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0)
        _exit(run_program(uses_plans));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_caller_buffer_that_faults_while_merging_leaves_nothing_behind(void **state)
{
    (void)state;
    check_in_process(false);
}

static void test_caller_buffer_that_faults_under_a_plan_leaves_nothing_behind(void **state)
{
    (void)state;
    check_in_process(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, sample_service_begin, sample_service_end)
        TEST(test_caller_buffer_that_faults_while_merging_leaves_nothing_behind),
        TEST(test_caller_buffer_that_faults_under_a_plan_leaves_nothing_behind),
#undef TEST
    };

    return cmocka_run_group_tests_name("caller_buffer", tests, NULL, NULL);
}
