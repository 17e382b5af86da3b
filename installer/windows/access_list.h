/* SPDX-License-Identifier: MIT */
/*
 * Access lists: the two that the installer gives its folders, and those that files and folders
 * have. It knows accounts and open handles, no paths. Windows only.
 */
#ifndef PRFDATA_ACCESS_LIST_H
#define PRFDATA_ACCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

#define PRFDATA_ACCESS_LIST_SDDL_CHARS 2048

/* Return the owner and access list of the data folder, in SDDL. */
const wchar_t *prfdata_access_list_data_sddl(void);

/*
 * Make the owner and access list of a service's regions folder, in SDDL.
 *
 * writers  As in prfdata_install_options, or NULL.
 * sddl     Room for PRFDATA_ACCESS_LIST_SDDL_CHARS.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_PARAMETER (no such writer, or too many).
 */
uint32_t prfdata_access_list_regions_sddl(const wchar_t *writers, wchar_t *sddl);

/* Whether a folder of this owner is trusted: Administrators or SYSTEM; under Wine also the user. */
bool prfdata_access_list_trusts_owner(PSID owner);

/* Whether this is the account that `spelling` (S-1-...) names. */
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

/* Whether both have the same entries in the same order and both inherit, or neither. */
bool prfdata_access_list_is_same(PSECURITY_DESCRIPTOR a, PSECURITY_DESCRIPTOR b);

/*
 * List who may make files in an open folder, such as "SYSTEM, Administrators, Services".
 *
 * text  Room for `capacity` chars; accounts that do not fit are left out.
 */
void prfdata_access_list_writers(HANDLE handle, wchar_t *text, size_t capacity);

#endif
