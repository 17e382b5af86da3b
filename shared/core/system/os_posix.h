/* SPDX-License-Identifier: MIT */
/*
 * Declares what the os_..._posix.c files and replace_file_posix.c share. A file that includes it
 * defines _GNU_SOURCE and _FILE_OFFSET_BITS first.
 */
#ifndef PRFDATA_OS_POSIX_H
#define PRFDATA_OS_POSIX_H

#include <sys/stat.h>

#include "system/os.h"

/*
 * Flags with which open() follows no link and does not wait, for instance for a FIFO that an
 * attacker put there.
 */
#define PRFDATA_OS_OPEN_PLAINLY (O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

struct prfdata_os_directory {
    int file;
};

uint32_t prfdata_os_status_of_errno(int error);

/* Whether open() fails with this error if the file is a link, a directory, a socket or a device. */
bool prfdata_os_is_not_plain_error(int error);

/*
 * Read a text setting, without the line end that editors add.
 *
 * text  Gets the text with NUL; has room for `text_bytes` bytes.
 */
uint32_t prfdata_os_settings_text(const char *service, const char *name, char *text,
                                  size_t text_bytes);

/* Whether the file has a hole. On a full disk a store into the hole would kill the owner. */
bool prfdata_os_region_is_sparse(const struct stat *about);

void prfdata_os_account_of_user(uid_t user, prfdata_os_account *account);

uint32_t prfdata_os_region_map_file(int file, uint64_t size, int protection, uint8_t **bytes);

#endif
