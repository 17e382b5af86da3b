/* SPDX-License-Identifier: MIT */
/* Puts files, folders, links and other things in the place of a region. A function returns false if
 * the system cannot do what the function is for. */
#ifndef PRFDATA_TESTS_HOSTILE_FILES_H
#define PRFDATA_TESTS_HOSTILE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "support/service.h"

bool hostile_make_folder(const prfdata_test_service *service, const char *name);
bool hostile_make_link(const prfdata_test_service *service, const char *target, const char *name);
bool hostile_make_hard_link(const prfdata_test_service *service, const char *target,
                            const char *name);
bool hostile_make_fifo(const prfdata_test_service *service, const char *name);
bool hostile_make_socket(const prfdata_test_service *service, const char *name);

/* Make a file of `size` bytes that has a hole for most or all of them. */
bool hostile_make_sparse(const prfdata_test_service *service, const char *name, uint64_t size);

/* Rename a file, and replace the file that has the new name. */
bool hostile_rename(const prfdata_test_service *service, const char *from, const char *to);

/* Prevent this process from reading a file, until hostile_refuse_no_more(). On Windows, no process
 * may have the file open. */
bool hostile_refuse(const prfdata_test_service *service, const char *name);
void hostile_refuse_no_more(const prfdata_test_service *service, const char *name);

/* Cut and lengthen a file alternately for some time, even while it is mapped. Call it in a separate
 * thread. On Windows it returns false at once unless this is Wine. */
bool hostile_shake_size(const prfdata_test_service *service, const char *name);

#endif
