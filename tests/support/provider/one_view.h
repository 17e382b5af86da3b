/* SPDX-License-Identifier: MIT */
/* Makes all shared views of a file in this process the same view, if they begin at the file's start
 * and have the same size. Otherwise writers and readers would map a file at different addresses.
 * ThreadSanitizer would treat these as different memory and miss races between the two sides.
 * Programs are linked with --wrap=mmap64 --wrap=munmap. */
#ifndef PRFDATA_TESTS_ONE_VIEW_H
#define PRFDATA_TESTS_ONE_VIEW_H

#include <stdint.h>

/* Return how many mappings returned a view that existed already. */
uint64_t prfdata_test_one_view_shared(void);

#endif
