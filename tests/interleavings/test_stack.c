/* SPDX-License-Identifier: MIT */
/* Measures how much of its caller's stack a Collect uses. The test fills a stack with a pattern,
 * and examines the stack afterwards. The test is in this folder because the code here is optimized
 * and no sanitizer enlarges frames. */
#define _GNU_SOURCE /* pthread_attr_setstack() */

#include "support/test.h"

#include <pthread.h>
#include <string.h>

#include "interleavings/world.h"

/* The limits that docs/security-and-limits.md states. */
enum { MOST_BYTES = 16 * 1024, MOST_BYTES_OF_A_NEW_MAP = 20 * 1024 };
enum { STACK_BYTES = 256 * 1024, PAINT = 0xA5, ROOM = 64 * 1024 };

static _Alignas(64) unsigned char stack[STACK_BYTES];
static prfdata_provider *provider; /* NULL: the thread does nothing */

static void *collect_once(void *unused)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    static unsigned char room[ROOM];
    uint32_t size = sizeof room;
    uint32_t objects;
    void *data = room;

    (void)unused;
    if (provider)
        (void)prfdata_provider_collect(provider, query, &data, &size, &objects);
    return NULL;
}

/* Runs collect_once() on a thread with a painted stack. Returns how many bytes of it were used. */
static size_t used_bytes(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    size_t untouched = 0;

    memset(stack, PAINT, sizeof stack);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack, sizeof stack), 0);
    assert_int_equal(pthread_create(&thread, &attributes, collect_once, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    while (untouched < sizeof stack && stack[untouched] == PAINT)
        untouched++;
    return sizeof stack - untouched;
}

static void expect_at_most(size_t most, const char *what)
{
    prfdata_provider *const asked = provider;
    size_t without;
    size_t with;

    with = used_bytes();
    provider = NULL;
    without = used_bytes();
    provider = asked;
    if (with - without > most)
        fail_msg("%s: %u bytes", what, (unsigned)(with - without));
}

static void do_nothing(world *in)
{
    (void)in;
}

static void test_stack_of_a_collect_is_bounded(void **state)
{
    world in;

    (void)state;
    world_begin(&in);
    in.b = world_open(2, 2);
    world_add(in.b, L"y", NULL, 3, &in.y);
    world_open_a(&in, 2, 2);
    world_add(in.a, L"x", NULL, 100, &in.x);
    world_add(in.a, L"c", &in.x, 50, &in.xc);
    provider = world_open_provider(true);
    expect_at_most(MOST_BYTES, "merged");
    expect_at_most(MOST_BYTES, "merged, and planned");
    expect_at_most(MOST_BYTES, "planned");
    assert_true(prfdata_provider_number(provider, PRFDATA_HEALTH_PLANS_USED) > 0);
    world_upgrade(true);
    expect_at_most(MOST_BYTES_OF_A_NEW_MAP, "upgraded");
    expect_at_most(MOST_BYTES, "merged, of an earlier map");
    world_record(&in, do_nothing);
    world_kill(&in, 0);
    expect_at_most(MOST_BYTES, "summarised");
    prfdata_provider_close(provider);
    world_upgrade(false);
    world_end(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack_of_a_collect_is_bounded)};

    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
