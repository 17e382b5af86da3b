/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether ordinary users can replace or change a file that privileged programs load.
 * Windows only.
 */
#ifndef PRFDATA_PROTECTION_H
#define PRFDATA_PROTECTION_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/*
 * The file or folder that is checked. Each comment names the dangerous rights. The rights to change
 * the owner or the access list are always dangerous.
 */
typedef enum prfdata_protection_role {
    PRFDATA_PROTECTED_FILE,   /* the file: writing, deleting */
    PRFDATA_PROTECTED_FOLDER, /* its folder: adding or deleting content, deleting the folder */
    /* a folder above: deleting content or the folder; adding content is harmless */
    PRFDATA_PROTECTED_UPPER
} prfdata_protection_role;

typedef enum prfdata_weakness_kind {
    PRFDATA_WEAKNESS_NONE,
    PRFDATA_WEAKNESS_OWNER,  /* the owner can always give itself the right to write */
    PRFDATA_WEAKNESS_ACCESS, /* the access list lets `who` write */
    /* the path leads through a link or a substituted drive; `who` is its target */
    PRFDATA_WEAKNESS_LINK,
    PRFDATA_WEAKNESS_PLACE /* the file is not on a disk of this computer */
} prfdata_weakness_kind;

typedef struct prfdata_weakness {
    prfdata_weakness_kind kind;
    wchar_t path[MAX_PATH];
    wchar_t who[MAX_PATH]; /* the account, or the target of the path */
} prfdata_weakness;

/*
 * Check one owner and access list. Administrators, SYSTEM and TrustedInstaller are trusted. Under
 * Wine the user is also trusted, because the user owns everything.
 *
 * is_root   Whether this is the root of a volume. A root cannot be deleted or renamed, so the right
 *           DELETE is harmless there. Client Windows gives Authenticated Users this right on the
 *           root of a data volume.
 * weakness  Receives `kind` and `who`. `kind` is PRFDATA_WEAKNESS_NONE if only trusted accounts can
 *           change the file or folder. `path` is untouched.
 */
void prfdata_protection_examine(PSECURITY_DESCRIPTOR security, prfdata_protection_role role,
                                bool is_root, prfdata_weakness *weakness);

/* Returns the role of the folder above a file or folder that has the role `role`. */
prfdata_protection_role prfdata_protection_role_above(prfdata_protection_role role);

/*
 * Check a file or folder and every folder above it.
 *
 * path      A full path.
 * role      What the path names.
 * weakness  On ERROR_SUCCESS the first weakness that was found, or PRFDATA_WEAKNESS_NONE.
 *
 * Returns ERROR_SUCCESS or what the system answered.
 */
uint32_t prfdata_protection_check(const wchar_t *path, prfdata_protection_role role,
                                  prfdata_weakness *weakness);

/* Describe a weakness, such as "C:\a can be changed by BUILTIN\Users". */
void prfdata_protection_text(const prfdata_weakness *weakness, wchar_t *text, size_t capacity);

#endif
