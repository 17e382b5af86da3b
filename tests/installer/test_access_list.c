/* SPDX-License-Identifier: MIT */
/* Tests which access lists count as equal to the list that the installer gives a folder. */
#include <windows.h>

#include "support/test.h"

#include <sddl.h>

#include "windows/access_list.h"

#define TWO   L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"
#define THREE TWO L"(A;OICI;0x1200a9;;;AU)"

static const struct {
    const wchar_t *wanted;
    const wchar_t *found;
    bool is_same;
} pairs[] = {
    {TWO, TWO, true},
    {THREE, THREE, true},
    {L"O:BAG:BA" TWO, L"O:SYG:SY" TWO, true}, /* the owner makes no difference */
    {TWO, TWO L"(A;OICI;FA;;;WD)", false},    /* the second list has one more entry */
    {TWO, L"D:P(A;OICI;FA;;;WD)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", false},
    {THREE, TWO, false},                                  /* the second list has one entry less */
    {TWO, L"D:P(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)", false}, /* another order */
    {TWO, L"D:P(A;OICI;FA;;;SY)(A;OICI;FR;;;BA)", false}, /* another mask */
    {TWO, L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;WD)", false}, /* another account */
    {TWO, L"D:P(A;OICI;FA;;;SY)(A;;FA;;;BA)", false},     /* other inheritance */
    {TWO, L"D:P(A;OICI;FA;;;SY)(D;OICI;FA;;;BA)", false}, /* denied */
    {TWO, L"D:(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", false},  /* inherits */
    {TWO, L"D:P", false},                                 /* an empty list: nobody has a right */
    {TWO, L"O:BA", false},                                /* no list: everybody has every right */
};

static PSECURITY_DESCRIPTOR make_descriptor(const wchar_t *sddl)
{
    PSECURITY_DESCRIPTOR made;

    assert_true(
        ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &made, NULL));
    return made;
}

static void test_access_list_is_same_if_its_entries_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        PSECURITY_DESCRIPTOR wanted = make_descriptor(pairs[i].wanted);
        PSECURITY_DESCRIPTOR found = make_descriptor(pairs[i].found);

        if (prfdata_access_list_is_same(wanted, found) != pairs[i].is_same ||
            prfdata_access_list_is_same(found, wanted) != pairs[i].is_same)
            fail_msg("pair %u: %ls and %ls", (unsigned)i, pairs[i].wanted, pairs[i].found);
        LocalFree(wanted);
        LocalFree(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_access_list_is_same_if_its_entries_are),
    };

    return cmocka_run_group_tests_name("access_list", tests, NULL, NULL);
}
