/* SPDX-License-Identifier: MIT */
/* Defines attributes that C11 lacks and that compilers spell differently. */
#ifndef PRFDATA_COMPILER_H
#define PRFDATA_COMPILER_H

/*
 * Stands after the parameters of a function like printf, so that the compiler checks the arguments
 * against the format. The first parameter of the function has the index 1.
 */
#if defined(__MINGW32__)
#include <stdio.h> /* __MINGW_PRINTF_FORMAT */
#define PRFDATA_PRINTF(format_index, first_index)                                                  \
    __attribute__((format(__MINGW_PRINTF_FORMAT, format_index, first_index)))
#elif defined(__GNUC__)
#define PRFDATA_PRINTF(format_index, first_index)                                                  \
    __attribute__((format(printf, format_index, first_index)))
#else
#define PRFDATA_PRINTF(format_index, first_index)
#endif

/*
 * Stands before a static function that is rarely called, and prevents its inlining. Inlined, it
 * would make its caller save registers and reserve stack in every call.
 */
#if defined(_MSC_VER)
#define PRFDATA_NOINLINE __declspec(noinline)
#else
#define PRFDATA_NOINLINE __attribute__((noinline))
#endif

/*
 * Stands before a function that calls _fxsave() or _fxrstor(), because compilers for 32-bit x86
 * otherwise refuse these calls. Every processor that runs Windows 7 has these instructions.
 */
#if defined(__GNUC__) && defined(__i386__)
#define PRFDATA_TARGET_FXSR __attribute__((target("fxsr")))
#else
#define PRFDATA_TARGET_FXSR
#endif

#endif
