/* SPDX-License-Identifier: MIT */
/* Declares the accounts that the kit makes, and checks of their access. Windows only. A DWORD that
 * a function returns is a status. */
#ifndef PRFDATA_KIT_ACCOUNTS_H
#define PRFDATA_KIT_ACCOUNTS_H

#include "access.h"
#include "kit.h"

#define KIT_PASSWORD_CHARS 24

/* Some versions of winnt.h lack these (learn.microsoft.com, "Well-known SIDs"). */
#ifndef DOMAIN_ALIAS_RID_MONITORING_USERS
#define DOMAIN_ALIAS_RID_MONITORING_USERS 0x22EL
#endif
#ifndef DOMAIN_ALIAS_RID_LOGGING_USERS
#define DOMAIN_ALIAS_RID_LOGGING_USERS 0x22FL
#endif

/* With WIN32_LEAN_AND_MEAN, some versions of winbase.h lack these (learn.microsoft.com, "LogonUserW
 * function"). */
#ifndef LOGON32_LOGON_NETWORK
#define LOGON32_LOGON_NETWORK 3
#define LOGON32_LOGON_BATCH   4
#endif

/* Returns whether this is a domain controller. Accounts made there belong to the domain and exist
 * on all its computers. */
bool kit_is_domain_controller(void);

/* Makes an ordinary user with a random password. kit_remove_accounts() removes the user. */
DWORD kit_make_user(wchar_t password[KIT_PASSWORD_CHARS + 1]);

/* Add the user to one of Windows' groups, or remove the user from it. */
DWORD kit_join_group(DWORD alias);
DWORD kit_leave_group(DWORD alias);

/* Checks access and publishes in a process of the user, as if the user had logged on at the
 * computer. */
DWORD kit_run_as_user(const kit *k, const wchar_t *password, access_seen *seen);

/* Checks access, and tries to write an event, in this thread as the kit's user. `logon` is
 * LOGON32_LOGON_NETWORK or _BATCH. */
DWORD kit_look_as_user(const wchar_t *password, DWORD logon, access_seen *seen);

/* Checks access and publishes as a service. If `account` is NULL, the service runs as LocalSystem.
 * If `is_restricted`, the token of the service is write-restricted. */
DWORD kit_run_as_service(const kit *k, const wchar_t *account, bool is_restricted,
                         access_seen *seen);

#endif
