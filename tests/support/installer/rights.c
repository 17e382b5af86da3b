/* SPDX-License-Identifier: MIT */
#include "support/installer/rights.h"

#include "support/test.h"

#include <sddl.h>

#include "windows/wine.h"

void rights_set_access(const wchar_t *path, const wchar_t *sddl)
{
    PSECURITY_DESCRIPTOR security;

    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1,
                                                                     &security, NULL));
    assert_true(SetFileSecurityW(path, DACL_SECURITY_INFORMATION, security));
    if (!prfdata_wine_is_here())
        assert_true(SetFileSecurityW(path, OWNER_SECURITY_INFORMATION, security));
    LocalFree(security);
}

HANDLE rights_token_without_administrators(TOKEN_TYPE type)
{
    union {
        SID sid;
        BYTE bytes[SECURITY_MAX_SID_SIZE];
    } administrators;
    DWORD size = sizeof administrators;
    SID_AND_ATTRIBUTES disabled = {&administrators, 0};
    HANDLE token, restricted, result;

    assert_true(CreateWellKnownSid(WinBuiltinAdministratorsSid, NULL, &administrators, &size));
    assert_true(OpenProcessToken(GetCurrentProcess(), TOKEN_ALL_ACCESS, &token));
    assert_true(CreateRestrictedToken(token, 0, 1, &disabled, 0, NULL, 0, NULL, &restricted));
    assert_true(
        DuplicateTokenEx(restricted, TOKEN_ALL_ACCESS, NULL, SecurityImpersonation, type, &result));
    CloseHandle(restricted);
    CloseHandle(token);
    return result;
}
