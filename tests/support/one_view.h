/* SPDX-License-Identifier: MIT */
/*
 * Linked with --wrap=mmap64 --wrap=munmap, all shared views of a file in this process are one view.
 * Writers and readers have views of their own, at different addresses: to ThreadSanitizer those
 * are different memory, and it would see no race between the two sides.
 */
#ifndef PRFDATA_TESTS_ONE_VIEW_H
#define PRFDATA_TESTS_ONE_VIEW_H

#include <stdint.h>

/* How often somebody got a view that somebody else had already. */
uint64_t prfdata_test_one_view_shared(void);

#endif
