/* SPDX-License-Identifier: MIT */
/*
 * Makes all shared views of a file in this process the same view; linked with --wrap=mmap64
 * --wrap=munmap. Otherwise writers and readers would map a file at different addresses.
 * ThreadSanitizer would treat these as different memory and miss races between the two sides.
 */
#ifndef PRFDATA_TESTS_ONE_VIEW_H
#define PRFDATA_TESTS_ONE_VIEW_H

#include <stdint.h>

/* The number of mappings that returned an existing view. */
uint64_t prfdata_test_one_view_shared(void);

#endif
