/* SPDX-License-Identifier: MIT */
/* Tests which keys the bytes of a terminal mean. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "os/terminal_keys.h"

/* Take a key from bytes in an allocation of their own, for the sanitizer. */
static size_t take(const char *bytes, size_t size, bool is_all, uint32_t *key)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    size_t taken;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    taken = prfdata_terminal_keys_take(copy, size, is_all, key);
    free(copy);
    return taken;
}

static const struct {
    const char *bytes;
    uint32_t key;
} known[] = {
    {"q", 'q'},
    {"\x03", PRFDATA_KEY_CTRL_C},
    {"\r", PRFDATA_KEY_ENTER},
    {"\n", PRFDATA_KEY_ENTER},
    {"\x7F", PRFDATA_KEY_BACKSPACE},
    {"\b", PRFDATA_KEY_BACKSPACE},
    {"\033[A", PRFDATA_KEY_UP},
    {"\033[B", PRFDATA_KEY_DOWN},
    {"\033OA", PRFDATA_KEY_UP},
    {"\033OB", PRFDATA_KEY_DOWN},
    {"\033[1;5A", PRFDATA_KEY_UP},
    {"\033[5~", PRFDATA_KEY_PAGE_UP},
    {"\033[6~", PRFDATA_KEY_PAGE_DOWN},
    {"\033[H", PRFDATA_KEY_HOME},
    {"\033[F", PRFDATA_KEY_END},
    {"\033OH", PRFDATA_KEY_HOME},
    {"\033[1~", PRFDATA_KEY_HOME},
    {"\033[4~", PRFDATA_KEY_END},
    {"\033[C", PRFDATA_KEY_RIGHT},
    {"\033[D", PRFDATA_KEY_LEFT},
    {"\033OC", PRFDATA_KEY_RIGHT},
    {"\033[E", PRFDATA_KEY_OTHER},
    {"\033[3~", PRFDATA_KEY_OTHER},
    {"\033[15~", PRFDATA_KEY_OTHER},
    {"\xC3\xA9", 0xE9},
    {"\xE2\x82\xAC", 0x20AC},
    {"\xF0\x9F\x98\x80", 0x1F600},
    {"\x80", PRFDATA_KEY_OTHER},
    {"\xFF", PRFDATA_KEY_OTHER},
};

static void test_terminal_keys_every_spelling_is_one_key(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char more[16] = {0};
        size_t size = strlen(known[i].bytes);
        uint32_t key = 77;

        assert_int_equal(take(known[i].bytes, size, false, &key), size);
        assert_int_equal(key, known[i].key);
        memcpy(more, known[i].bytes, size);
        more[size] = 'x'; /* belongs to the next key */
        key = 77;
        assert_int_equal(take(more, size + 1, false, &key), size);
        assert_int_equal(key, known[i].key);
    }
}

static void test_terminal_keys_half_a_sequence_waits_for_the_rest(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (size_t size = 0; size < strlen(known[i].bytes); size++) {
            uint32_t key = 77;

            assert_int_equal(take(known[i].bytes, size, false, &key), 0);
            assert_int_equal(key, 77);
        }
    }
}

static void test_terminal_keys_an_escape_alone_is_the_key(void **state)
{
    uint32_t key = 77;

    (void)state;
    assert_int_equal(take("\033", 1, true, &key), 1);
    assert_int_equal(key, PRFDATA_KEY_ESCAPE);
    key = 77;
    assert_int_equal(take("\033q", 2, false, &key), 1);
    assert_int_equal(key, PRFDATA_KEY_ESCAPE);
    key = 77;
    assert_int_equal(take("\033\033[A", 4, false, &key), 1);
    assert_int_equal(key, PRFDATA_KEY_ESCAPE);
    key = 77;
    assert_int_equal(take("\033[", 2, true, &key), 2);
    assert_int_equal(key, PRFDATA_KEY_OTHER);
}

static void test_terminal_keys_whatever_comes_is_taken_in_the_end(void **state)
{
    uint32_t random = 1;

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        char bytes[40];
        size_t size = 1 + round % sizeof bytes;
        uint32_t key = UINT32_MAX;
        size_t taken;

        for (size_t i = 0; i < size; i++) {
            random = random * 1664525u + 1013904223u;
            bytes[i] = (char)(random >> 24);
        }
        bytes[0] = (round & 1) != 0 ? '\033' : bytes[0];
        if ((round & 3) == 3 && size > 1)
            bytes[1] = '[';
        taken = take(bytes, size, true, &key);
        assert_true(taken >= 1 && taken <= size);
        assert_int_not_equal(key, UINT32_MAX);
    }
}

static void test_terminal_keys_an_endless_sequence_is_given_up(void **state)
{
    char bytes[64];
    uint32_t key = 77;

    (void)state;
    memset(bytes, ';', sizeof bytes);
    memcpy(bytes, "\033[", 2);
    assert_int_equal(take(bytes, sizeof bytes, false, &key), 32);
    assert_int_equal(key, PRFDATA_KEY_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal_keys_every_spelling_is_one_key),
        cmocka_unit_test(test_terminal_keys_half_a_sequence_waits_for_the_rest),
        cmocka_unit_test(test_terminal_keys_an_escape_alone_is_the_key),
        cmocka_unit_test(test_terminal_keys_whatever_comes_is_taken_in_the_end),
        cmocka_unit_test(test_terminal_keys_an_endless_sequence_is_given_up),
    };

    return cmocka_run_group_tests_name("terminal_keys", tests, NULL, NULL);
}
