/* SPDX-License-Identifier: MIT */
/*
 * The common part of the os_..._posix.c and replace_file_posix.c, which nobody else includes but
 * their tests. A file that includes it defines _GNU_SOURCE and _FILE_OFFSET_BITS before.
 */
#ifndef PRFDATA_OS_POSIX_H
#define PRFDATA_OS_POSIX_H

#include <sys/stat.h>

#include "system/os.h"

/* For open: without waiting, as a planted FIFO would, and without following links. */
#define PRFDATA_OS_OPEN_PLAINLY (O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

struct prfdata_os_directory {
    int file;
};

uint32_t prfdata_os_status_of_errno(int error);

/* Whether this is an error of open for links, directories and sockets. */
bool prfdata_os_is_not_plain_error(int error);

/*
 * Read a setting of text, without the line end that editors leave.
 *
 * text  Gets it with NUL; it has room for `text_bytes` bytes.
 */
uint32_t prfdata_os_settings_text(const char *service, const char *name, char *text,
                                  size_t text_bytes);

/* Whether the file has a hole. Filling it later could fail: the store would kill the owner. */
bool prfdata_os_region_is_sparse(const struct stat *about);

void prfdata_os_account_of_user(uid_t user, prfdata_os_account *account);

uint32_t prfdata_os_region_map_file(int file, uint64_t size, int protection, uint8_t **bytes);

#endif
