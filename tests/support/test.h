/* SPDX-License-Identifier: MIT */
/* Includes cmocka and the headers that must precede it, and nothing else. */
#ifndef PRFDATA_TESTS_TEST_H
#define PRFDATA_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
