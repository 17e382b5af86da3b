/* SPDX-License-Identifier: MIT */
/*
 * Makes the two access lists that the installer gives its folders. Reads, writes and compares the
 * access lists of open files and folders. access_text.h describes access lists to people. Windows
 * only.
 */
#ifndef PRFDATA_ACCESS_LIST_H
#define PRFDATA_ACCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

#define PRFDATA_ACCESS_LIST_SDDL_CHARS 2048
#define PRFDATA_WRITER_CHARS           300 /* one account in a list of writers, with the NUL */

#define PRFDATA_SID_SERVICES         L"S-1-5-6"
#define PRFDATA_SID_USERS            L"S-1-5-32-545"
#define PRFDATA_SID_WRITE_RESTRICTED L"S-1-5-33"

/* Return the owner and access list of the data folder, in SDDL. */
const wchar_t *prfdata_access_list_data_sddl(void);

/*
 * Make the owner and access list of a service's regions folder, in SDDL.
 *
 * writers  The words Services and Users, and SIDs, separated by commas (prfdata_writers_resolve()).
 *          NULL: Services.
 * sddl     Room for PRFDATA_ACCESS_LIST_SDDL_CHARS.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_PARAMETER (no such writer, or too many).
 */
uint32_t prfdata_access_list_regions_sddl(const wchar_t *writers, wchar_t *sddl);

/*
 * Take the first name from a list of names that are separated by commas. Blanks around the name are
 * removed.
 *
 * name  Room for PRFDATA_WRITER_CHARS; "" if it is too long.
 *
 * Returns the rest of the list; NULL after the last name.
 */
const wchar_t *prfdata_access_list_take_writer(const wchar_t *list, wchar_t *name);

/*
 * Returns whether this owner of a folder is trusted: Administrators, SYSTEM, or under Wine the
 * user.
 */
bool prfdata_access_list_trusts_owner(PSID owner);

/* Returns whether this is the account that `spelling` (S-1-...) names. */
bool prfdata_access_list_is_account(PSID sid, const wchar_t *spelling);

/*
 * Read parts of the security descriptor of an open file or folder.
 *
 * parts     OWNER_SECURITY_INFORMATION, DACL_SECURITY_INFORMATION or both.
 * security  On success new memory; owner: the caller, free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or what the system answered.
 */
uint32_t prfdata_access_list_read(HANDLE handle, SECURITY_INFORMATION parts,
                                  PSECURITY_DESCRIPTOR *security);

/* Replace the access list of an open folder, not those of the files in it. */
uint32_t prfdata_access_list_write(HANDLE handle, PSECURITY_DESCRIPTOR security);

/* Return the access list of a descriptor. NULL: it has none, so everybody has all rights. */
PACL prfdata_access_list_of(PSECURITY_DESCRIPTOR security);

/*
 * Returns whether two access lists are equal: they have the same entries in the same order, and
 * either both inherit entries or neither does.
 */
bool prfdata_access_list_is_same(PSECURITY_DESCRIPTOR a, PSECURITY_DESCRIPTOR b);

#endif
