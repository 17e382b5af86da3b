/* SPDX-License-Identifier: MIT */
/*
 * Tests which accounts a list of -Writers means. Accounts of domains are not tested, because the
 * test machine need not belong to a domain. Windows only.
 */
#include "support/test.h"

#include <wchar.h>

#include <windows.h>

#include "windows/account.h"
#include "windows/writers.h"

static wchar_t sids[PRFDATA_ACCESS_LIST_SDDL_CHARS];
static wchar_t unknown[PRFDATA_WRITER_CHARS];
static wchar_t said[1024];

static void record_writer(void *context, const wchar_t *given, const wchar_t *sid,
                          const wchar_t *name)
{
    (void)context;
    wcscat(said, given);
    wcscat(said, L"=");
    wcscat(said, sid);
    wcscat(said, L"=");
    wcscat(said, name);
    wcscat(said, L"\n");
}

static uint32_t resolve(const wchar_t *list)
{
    said[0] = 0;
    return prfdata_writers_resolve(list, sids, unknown, record_writer, NULL);
}

static void assert_resolved(const wchar_t *list, const wchar_t *wanted)
{
    if (resolve(list) != ERROR_SUCCESS || wcscmp(sids, wanted) != 0)
        fail_msg("%ls is %ls, not %ls", list, sids, wanted);
}

static void test_writers_keep_the_two_words_and_sids(void **state)
{
    (void)state;
    assert_resolved(L"Services", L"Services");
    assert_resolved(L" users ,Services", L"users,Services");
    assert_resolved(L"S-1-5-21-1-2-3-1001", L"S-1-5-21-1-2-3-1001");
    assert_true(wcscmp(said, L"S-1-5-21-1-2-3-1001=S-1-5-21-1-2-3-1001=\n") == 0);
}

static void test_writers_take_names_of_accounts(void **state)
{
    wchar_t own[PRFDATA_ACCOUNT_CHARS], list[PRFDATA_ACCOUNT_CHARS + 16];

    (void)state;
    assert_resolved(L"LOCAL SERVICE", L"S-1-5-19");
    assert_true(wcscmp(said, L"LOCAL SERVICE=S-1-5-19=LOCAL SERVICE\n") == 0);
    assert_resolved(L"Services, BUILTIN\\Users,NT AUTHORITY\\SYSTEM",
                    L"Services,S-1-5-32-545,S-1-5-18");
    prfdata_account_own_name(own);
    wcscpy(list, own);
    assert_int_equal(resolve(list), ERROR_SUCCESS);
    assert_int_equal(wcsncmp(sids, L"S-1-5-21-", 9), 0);
    assert_non_null(wcsstr(said, own));
    wcscpy(list, L".");
    wcscat(list, wcschr(own, L'\\'));
    assert_int_equal(resolve(list), ERROR_SUCCESS);
    assert_int_equal(wcsncmp(sids, L"S-1-5-21-", 9), 0);
}

/* The SIDs of two well-known accounts, as `sc showsid` and `icacls` print them. */
static void test_writers_compute_sids_as_windows_does(void **state)
{
    (void)state;
    assert_resolved(L"NT SERVICE\\TrustedInstaller",
                    L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464");
    assert_resolved(L"nt service\\TRUSTEDinstaller",
                    L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464");
    assert_resolved(L"IIS AppPool\\DefaultAppPool",
                    L"S-1-5-82-3006700770-424185619-1745488364-794895919-4004696415");
}

static void test_writers_compute_sids_of_services_that_do_not_exist_yet(void **state)
{
    (void)state;
    assert_int_equal(resolve(L"NT SERVICE\\No such service, at all"), ERROR_NONE_MAPPED);
    assert_true(wcscmp(unknown, L"at all") == 0);
    assert_int_equal(resolve(L"NT SERVICE\\PrfData Test None"), ERROR_SUCCESS);
    assert_int_equal(wcsncmp(sids, L"S-1-5-80-", 9), 0);
    assert_true(said[wcslen(said) - 2] == L'='); /* the name is empty */
}

static void test_writers_refuse_what_windows_does_not_know(void **state)
{
    static const struct {
        const wchar_t *list;
        uint32_t status;
        const wchar_t *unknown;
    } rows[] = {
        {L"Users,Prf Nobody", ERROR_NONE_MAPPED, L"Prf Nobody"},
        {L"NODOMAIN\\Prf Nobody", ERROR_NONE_MAPPED, L"NODOMAIN\\Prf Nobody"},
        {L"NT SERVICE\\", ERROR_NONE_MAPPED, L"NT SERVICE\\"},
        {L"IIS AppPool", ERROR_NONE_MAPPED, L"IIS AppPool"},
        {L"S-1-5-6)(A;;FA;;;WD", ERROR_NONE_MAPPED, L"S-1-5-6)(A;;FA;;;WD"},
        {L"", ERROR_INVALID_PARAMETER, L""},
        {L"Users,", ERROR_INVALID_PARAMETER, L""},
    };
    wchar_t many[17 * 9 + 1] = L"";

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(resolve(rows[i].list), rows[i].status);
        assert_true(wcscmp(unknown, rows[i].unknown) == 0);
    }
    for (int i = 0; i < 17; i++)
        wcscat(many, i > 0 ? L",S-1-5-19" : L"S-1-5-19");
    assert_int_equal(resolve(many), ERROR_INVALID_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writers_keep_the_two_words_and_sids),
        cmocka_unit_test(test_writers_take_names_of_accounts),
        cmocka_unit_test(test_writers_compute_sids_as_windows_does),
        cmocka_unit_test(test_writers_compute_sids_of_services_that_do_not_exist_yet),
        cmocka_unit_test(test_writers_refuse_what_windows_does_not_know),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
