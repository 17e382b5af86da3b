/* SPDX-License-Identifier: MIT */
/* Tests who can replace a DLL: first owners and access lists as text, then real files and folders.
 * Windows only. Under Wine the rights of files follow from the modes of the Linux files. */
#include "support/test.h"

#include <stdio.h>
#include <wchar.h>

#include <windows.h>
#include <sddl.h>

#include "support/installer/rights.h"
#include "windows/access_list.h"
#include "windows/directory.h"
#include "windows/protection.h"
#include "windows/wine.h"

/* ---- Owners and access lists ---- */

#define TRUSTED_INSTALLER L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"
#define HEAD              L"O:BAG:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)"

enum { FILES = 1, FOLDERS = 2, UPPERS = 4, ALL = 7 };

static const struct {
    const wchar_t *sddl;
    int weak_as;
    prfdata_weakness_kind kind;
} cases[] = {
    {HEAD, 0, PRFDATA_WEAKNESS_NONE},
    {L"O:SYG:SYD:(A;;FA;;;SY)", 0, PRFDATA_WEAKNESS_NONE},
    /* Program Files: CREATOR OWNER is for files that are created there */
    {L"O:" TRUSTED_INSTALLER L"D:P(A;;FA;;;" TRUSTED_INSTALLER L")(A;;0x1301bf;;;SY)"
     L"(A;;0x1301bf;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GA;;;CO)(A;;0x1200a9;;;S-1-15-2-1)",
     0, PRFDATA_WEAKNESS_NONE},
    /* C:\ lets users create folders and change the content of these */
    {HEAD L"(A;OICI;0x1200a9;;;BU)(A;OICIIO;0x1301bf;;;AU)(A;;0x4;;;AU)", FILES | FOLDERS,
     PRFDATA_WEAKNESS_ACCESS},
    /* ProgramData */
    {HEAD L"(A;OICI;0x1200a9;;;BU)(A;CI;0x116;;;BU)", FILES | FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;FA;;;WD)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x1301bf;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x1301bf;;;AU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x1301bf;;;IU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;FA;;;S-1-5-21-1-2-3-1001)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;GA;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;GW;;;BU)", FILES | FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;GR;;;WD)(A;;GX;;;WD)", 0, PRFDATA_WEAKNESS_NONE},
    /* each right by itself */
    {HEAD L"(A;;0x1;;;BU)", 0, PRFDATA_WEAKNESS_NONE},
    {HEAD L"(A;;0x2;;;BU)", FILES | FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x4;;;BU)", FILES | FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x40;;;BU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;0x100;;;BU)", 0, PRFDATA_WEAKNESS_NONE}, /* the attributes */
    {HEAD L"(A;;SD;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;WD;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;WO;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    /* entries that do not apply to the file itself, entries that give no right, and an entry that
     * allows what an earlier entry denies */
    {HEAD L"(A;OICIIO;FA;;;BU)", 0, PRFDATA_WEAKNESS_NONE},
    {HEAD L"(D;;FA;;;BU)", 0, PRFDATA_WEAKNESS_NONE},
    {L"O:BAD:P(D;;FA;;;BU)(A;;FA;;;BU)", ALL, PRFDATA_WEAKNESS_ACCESS},
    {HEAD L"(A;;FA;;;CO)(A;;FA;;;S-1-3-4)", 0, PRFDATA_WEAKNESS_NONE},
    /* owners */
    {L"O:BUD:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    {L"O:S-1-5-21-1-2-3-1001D:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    {L"O:S-1-5-21-1-2-3-500D:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    {L"O:LSD:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    {L"O:S-1-3-4D:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    {L"D:P(A;;FA;;;BA)", ALL, PRFDATA_WEAKNESS_OWNER},
    /* no list at all, and a list without entries */
    {L"O:BA", ALL, PRFDATA_WEAKNESS_ACCESS},
    {L"O:BAD:P", 0, PRFDATA_WEAKNESS_NONE},
};

static void test_protection_rights_of_others_are_weak_where_they_are_dangerous(void **state)
{
    static const prfdata_protection_role roles[] = {
        PRFDATA_PROTECTED_FILE, PRFDATA_PROTECTED_FOLDER, PRFDATA_PROTECTED_UPPER};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PSECURITY_DESCRIPTOR security;

        assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(
            cases[i].sddl, SDDL_REVISION_1, &security, NULL));
        for (int k = 0; k < 3; k++) {
            prfdata_weakness weakness = {PRFDATA_WEAKNESS_PLACE, L"", L""};
            prfdata_weakness_kind wanted =
                cases[i].weak_as & 1 << k ? cases[i].kind : PRFDATA_WEAKNESS_NONE;

            prfdata_protection_examine(security, roles[k], false, &weakness);
            if (weakness.kind != wanted)
                fail_msg("%ls as %d: %d instead of %d", cases[i].sddl, k, (int)weakness.kind,
                         (int)wanted);
        }
        LocalFree(security);
    }
}

/* ---- The root of a volume ---- */

#define ROOT L"O:SYG:SYD:P(A;;FA;;;SY)(A;;FA;;;BA)"

/* `weak_as` has FOLDERS if a file in the root is not safe, and UPPERS if a file in a folder below
 * the root is not safe. */
static const struct {
    const wchar_t *sddl;
    int weak_as;
    prfdata_weakness_kind kind;
} roots[] = {
    /* a data volume formatted by a client Windows: users may add files, and change what is added */
    {L"O:SYG:SYD:(A;;FA;;;BA)(A;OICIIO;GA;;;BA)(A;;FA;;;SY)(A;OICIIO;GA;;;SY)"
     L"(A;;0x1301bf;;;AU)(A;OICIIO;SDGXGWGR;;;AU)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)",
     FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    /* a data volume formatted by a server */
    {L"O:BAG:SYD:(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICIIO;GA;;;CO)(A;OICI;0x1200a9;;;BU)"
     L"(A;CI;LC;;;BU)(A;CIIO;DC;;;BU)(A;;0x1200a9;;;WD)",
     FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    /* the volume of the system */
    {L"O:" TRUSTED_INSTALLER L"D:PAI(A;;LC;;;AU)(A;OICIIO;SDGXGWGR;;;AU)(A;OICI;FA;;;SY)"
     L"(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)",
     FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT, 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;OICI;0x1200a9;;;WD)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;;0x1301bf;;;WD)", FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    /* a volume without access lists, such as FAT, where everyone has every right */
    {L"O:SYD:(A;;FA;;;WD)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {L"O:SY", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    /* each right by itself: listing, adding files, adding folders, attributes, traversing */
    {ROOT L"(A;;0x1;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;;0x2;;;AU)", FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;0x4;;;AU)", FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;0x8;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;;0x10;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;;0x20;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    /* the right to delete folders in the root, and rights that include this right */
    {ROOT L"(A;;0x40;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;0x1301ff;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;WD;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;WO;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;GA;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;OICI;FA;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    /* the root itself cannot be deleted, so this right is harmless */
    {ROOT L"(A;;SD;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;;GW;;;AU)", FOLDERS, PRFDATA_WEAKNESS_ACCESS},
    {ROOT L"(A;;GR;;;AU)(A;;GX;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    /* only files and folders in the root inherit these entries, and the check of those files and
     * folders sees them */
    {ROOT L"(A;OICIIO;FA;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(A;CIIO;0x40;;;AU)", 0, PRFDATA_WEAKNESS_NONE},
    {ROOT L"(D;;0x40;;;AU)(A;;FA;;;AU)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_ACCESS},
    {L"O:AUD:P(A;;FA;;;BA)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_OWNER},
    {L"O:S-1-5-21-1-2-3-1001D:P(A;;FA;;;BA)", FOLDERS | UPPERS, PRFDATA_WEAKNESS_OWNER},
};

static prfdata_weakness_kind validate_text(const wchar_t *sddl, prfdata_protection_role role,
                                           bool is_root)
{
    prfdata_weakness weakness = {PRFDATA_WEAKNESS_PLACE, L"", L""};
    PSECURITY_DESCRIPTOR security;

    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &security,
                                                              NULL))
        fail_msg("%ls: %lu", sddl, (unsigned long)GetLastError());
    prfdata_protection_examine(security, role, is_root, &weakness);
    LocalFree(security);
    return weakness.kind;
}

static void test_protection_root_of_a_volume_cannot_be_renamed(void **state)
{
    static const struct {
        prfdata_protection_role role;
        int bit;
    } roles[] = {{PRFDATA_PROTECTED_UPPER, UPPERS}, {PRFDATA_PROTECTED_FOLDER, FOLDERS}};

    (void)state;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        for (int k = 0; k < 2; k++) {
            prfdata_weakness_kind wanted =
                roots[i].weak_as & roles[k].bit ? roots[i].kind : PRFDATA_WEAKNESS_NONE;
            prfdata_weakness_kind found = validate_text(roots[i].sddl, roles[k].role, true);

            if (found != wanted)
                fail_msg("%ls as %d: %d instead of %d", roots[i].sddl, k, (int)found, (int)wanted);
        }
    }
}

/* A folder that inherits from the root of a data volume can be renamed by users. A folder with its
 * own list cannot. */
static void test_protection_folder_that_inherits_from_a_root_is_weak(void **state)
{
    static const wchar_t inherited[] = L"O:BAD:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)"
                                       L"(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)";

    (void)state;
    assert_int_equal(validate_text(inherited, PRFDATA_PROTECTED_UPPER, false),
                     PRFDATA_WEAKNESS_ACCESS);
    assert_int_equal(validate_text(ROOT L"(A;OICI;0x1200a9;;;BU)", PRFDATA_PROTECTED_UPPER, false),
                     PRFDATA_WEAKNESS_NONE);
}

static void test_protection_names_the_account(void **state)
{
    prfdata_weakness weakness = {PRFDATA_WEAKNESS_NONE, L"C:\\a.dll", L""};
    PSECURITY_DESCRIPTOR security;
    wchar_t text[1024];

    (void)state;
    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(
        HEAD L"(A;;FA;;;S-1-5-21-1-2-3-1001)", SDDL_REVISION_1, &security, NULL));
    prfdata_protection_examine(security, PRFDATA_PROTECTED_FILE, false, &weakness);
    LocalFree(security);
    prfdata_protection_text(&weakness, text, 1024);
    assert_int_equal(wcscmp(text, L"C:\\a.dll can be changed by S-1-5-21-1-2-3-1001"), 0);
}

/* ---- Files and folders ---- */

/* <ProgramData>\PrfData protection test\below\file.dll */
static wchar_t upper[MAX_PATH], folder[MAX_PATH], file[MAX_PATH];

static void protect_all(void)
{
    rights_set_access(file, prfdata_access_list_data_sddl());
    rights_set_access(folder, prfdata_access_list_data_sddl());
    rights_set_access(upper, prfdata_access_list_data_sddl());
}

static int set_up(void **state)
{
    HANDLE handle;

    (void)state;
    assert_int_equal(prfdata_directory_program_data(upper), ERROR_SUCCESS);
    wcscat(upper, L"\\PrfData protection test");
    assert_true(swprintf(folder, MAX_PATH, L"%ls\\below", upper) > 0);
    assert_true(swprintf(file, MAX_PATH, L"%ls\\file.dll", folder) > 0);
    CreateDirectoryW(upper, NULL);
    CreateDirectoryW(folder, NULL);
    handle = CreateFileW(file, GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, 0, NULL);
    assert_true(handle != INVALID_HANDLE_VALUE);
    CloseHandle(handle);
    protect_all();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    DeleteFileW(file);
    RemoveDirectoryW(folder);
    RemoveDirectoryW(upper);
    return 0;
}

static void expect_weakness(const wchar_t *path, prfdata_weakness_kind kind, const wchar_t *at)
{
    prfdata_weakness weakness;

    assert_int_equal(prfdata_protection_check(path, PRFDATA_PROTECTED_FILE, &weakness),
                     ERROR_SUCCESS);
    if (weakness.kind != kind || (at && _wcsicmp(weakness.path, at) != 0)) {
        wchar_t text[1024];

        prfdata_protection_text(&weakness, text, 1024);
        fail_msg("%ls", text);
    }
}

static void test_protection_a_file_among_administrators_is_protected(void **state)
{
    (void)state;
    expect_weakness(file, PRFDATA_WEAKNESS_NONE, NULL);
}

static void test_protection_what_everybody_may_change_is_found_on_every_level(void **state)
{
    const wchar_t *const paths[] = {file, folder, upper};

    (void)state;
    for (int i = 0; i < 3; i++) {
        rights_set_access(paths[i], L"O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;WD)");
        expect_weakness(file, PRFDATA_WEAKNESS_ACCESS, paths[i]);
        protect_all();
        expect_weakness(file, PRFDATA_WEAKNESS_NONE, NULL);
    }
}

/* An account that may add files to the folder of a DLL can add a second DLL, which the first DLL
 * loads. In the folders above that folder, added files do no harm. The test uses no real folders,
 * because Wine has no separate right to add files. */
static void test_protection_a_folder_where_others_may_add_files_is_weak(void **state)
{
    static const wchar_t others_add[] = L"O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200ab;;;WD)";
    const prfdata_protection_role of_folder = prfdata_protection_role_above(PRFDATA_PROTECTED_FILE);
    const prfdata_protection_role above = prfdata_protection_role_above(of_folder);

    (void)state;
    assert_int_equal(validate_text(others_add, of_folder, false), PRFDATA_WEAKNESS_ACCESS);
    assert_int_equal(validate_text(others_add, above, false), PRFDATA_WEAKNESS_NONE);
    assert_int_equal(prfdata_protection_role_above(above), above);
}

static void test_protection_reading_for_everybody_is_no_weakness(void **state)
{
    const wchar_t *const paths[] = {file, folder, upper};

    (void)state;
    for (int i = 0; i < 3; i++)
        rights_set_access(paths[i], L"O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200a9;;;WD)");
    expect_weakness(file, PRFDATA_WEAKNESS_NONE, NULL);
}

/* test_install.c tests other links, because it can make them under Wine. */
static void test_protection_a_substituted_drive_is_a_link(void **state)
{
    wchar_t path[MAX_PATH];
    bool is_there;

    (void)state;
    if (!DefineDosDeviceW(0, L"Q:", upper))
        skip();
    assert_true(swprintf(path, MAX_PATH, L"Q:\\below\\file.dll") > 0);
    is_there = GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
    if (is_there)
        expect_weakness(path, PRFDATA_WEAKNESS_LINK, path);
    DefineDosDeviceW(DDD_REMOVE_DEFINITION, L"Q:", NULL);
    if (!is_there)
        skip(); /* under Wine, the file is not found by this path */
}

static void test_protection_short_and_long_names_are_one_place(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_true(GetShortPathNameW(file, path, MAX_PATH) > 0);
    expect_weakness(path, PRFDATA_WEAKNESS_NONE, NULL);
}

static void test_protection_missing_files_are_an_error(void **state)
{
    prfdata_weakness weakness;

    (void)state;
    assert_true(DeleteFileW(file));
    assert_int_equal(prfdata_protection_check(file, PRFDATA_PROTECTED_FILE, &weakness),
                     ERROR_FILE_NOT_FOUND);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protection_rights_of_others_are_weak_where_they_are_dangerous),
        cmocka_unit_test(test_protection_root_of_a_volume_cannot_be_renamed),
        cmocka_unit_test(test_protection_folder_that_inherits_from_a_root_is_weak),
        cmocka_unit_test(test_protection_names_the_account),
        TEST(test_protection_a_file_among_administrators_is_protected),
        TEST(test_protection_what_everybody_may_change_is_found_on_every_level),
        TEST(test_protection_a_folder_where_others_may_add_files_is_weak),
        TEST(test_protection_reading_for_everybody_is_no_weakness),
        TEST(test_protection_a_substituted_drive_is_a_link),
        TEST(test_protection_short_and_long_names_are_one_place),
        TEST(test_protection_missing_files_are_an_error),
    };

    return cmocka_run_group_tests_name("protection", tests, NULL, NULL);
}
