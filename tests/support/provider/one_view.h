/* SPDX-License-Identifier: MIT */
/*
 * Linked with --wrap=mmap64 --wrap=munmap, this makes all shared views of a file in this process
 * the same view. Otherwise writers and readers map a file at different addresses, which
 * ThreadSanitizer takes for different memory, so that it would miss races between the two sides.
 */
#ifndef PRFDATA_TESTS_ONE_VIEW_H
#define PRFDATA_TESTS_ONE_VIEW_H

#include <stdint.h>

/* How often a mapping returned a view that existed already. */
uint64_t prfdata_test_one_view_shared(void);

#endif
