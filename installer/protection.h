/* SPDX-License-Identifier: MIT */
/*
 * Whether ordinary users can exchange or change a file that privileged programs load. Windows
 * only.
 */
#ifndef PRFDATA_PROTECTION_H
#define PRFDATA_PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/* Which rights are dangerous depends on what is looked at. */
typedef enum prfdata_protection_role {
    PRFDATA_PROTECTED_FILE,   /* writing, deleting */
    PRFDATA_PROTECTED_FOLDER, /* the file's own: adding anything, deleting what is in it */
    PRFDATA_PROTECTED_UPPER   /* above it: deleting what is in it; C:\ lets users add folders */
} prfdata_protection_role;

typedef enum prfdata_weakness_kind {
    PRFDATA_WEAKNESS_NONE,
    PRFDATA_WEAKNESS_OWNER,  /* an owner may always let himself write */
    PRFDATA_WEAKNESS_ACCESS, /* the access list lets `who` write */
    PRFDATA_WEAKNESS_LINK,   /* the path leads through a link or a substituted drive to `who` */
    PRFDATA_WEAKNESS_PLACE   /* not on a disk of this computer */
} prfdata_weakness_kind;

typedef struct prfdata_weakness {
    prfdata_weakness_kind kind;
    wchar_t path[MAX_PATH]; /* of the file or folder */
    wchar_t who[MAX_PATH];  /* the account */
} prfdata_weakness;

/*
 * Judge one owner and access list. Trusted are Administrators, SYSTEM and TrustedInstaller; under
 * Wine the user too, to whom everything belongs there.
 *
 * weakness  Gets kind and who; NONE where only the trusted can change it.
 */
void prfdata_protection_judge(PSECURITY_DESCRIPTOR security, prfdata_protection_role role,
                              prfdata_weakness *weakness);

/*
 * Judge a file or folder and every folder above it.
 *
 * path      A full path.
 * role      Of what it names.
 * weakness  On ERROR_SUCCESS the first that was found, from the file upwards, or NONE.
 *
 * Returns ERROR_SUCCESS or what the system answered.
 */
uint32_t prfdata_protection_check(const wchar_t *path, prfdata_protection_role role,
                                  prfdata_weakness *weakness);

/* "C:\a can be changed by BUILTIN\Users": a weakness in words. */
void prfdata_protection_text(const prfdata_weakness *weakness, wchar_t *text, size_t capacity);

#endif
