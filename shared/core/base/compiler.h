/* SPDX-License-Identifier: MIT */
/*
 * Attributes that C11 lacks and compilers spell differently. The only other compiler extensions of
 * the project are in guard_win32.c.
 */
#ifndef PRFDATA_COMPILER_H
#define PRFDATA_COMPILER_H

/*
 * After the parameters of a function like printf: the compiler checks the arguments against the
 * format. Both numbers count parameters from 1: that of the format, that of the first argument.
 * MSVC has no such check for functions of one's own.
 */
#if defined(__MINGW32__)
#include <stdio.h> /* says whose printf it is: Microsoft's, or mingw's own for C11 */
#define PRFDATA_PRINTF(format_index, first_index)                                                  \
    __attribute__((format(__MINGW_PRINTF_FORMAT, format_index, first_index)))
#elif defined(__GNUC__)
#define PRFDATA_PRINTF(format_index, first_index)                                                  \
    __attribute__((format(printf, format_index, first_index)))
#else
#define PRFDATA_PRINTF(format_index, first_index)
#endif

/*
 * Before a static function that stays out of its callers: these would save the registers that it
 * needs, and have its stack, also where they do not call it.
 */
#if defined(_MSC_VER)
#define PRFDATA_NOINLINE __declspec(noinline)
#else
#define PRFDATA_NOINLINE __attribute__((noinline))
#endif

/*
 * Before a function that calls _fxsave() or _fxrstor(): compilers for x86 otherwise build for
 * processors without these instructions. Every processor that Windows 7 runs on has them.
 */
#if defined(__GNUC__) && defined(__i386__)
#define PRFDATA_TARGET_FXSR __attribute__((target("fxsr")))
#else
#define PRFDATA_TARGET_FXSR
#endif

#endif
