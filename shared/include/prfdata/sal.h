/* SPDX-License-Identifier: MIT */
/*
 * Defines Microsoft's source code annotations (SAL) under PrfData's own names, because other
 * compilers have no <sal.h>. The annotations tell Visual Studio's code analysis (/analyze) what
 * PrfData's functions expect of their arguments. For other compilers the macros are empty. Programs
 * must not use them.
 *
 * https://learn.microsoft.com/cpp/code-quality/annotating-function-parameters-and-return-values
 */
#ifndef PRFDATA_SAL_H
#define PRFDATA_SAL_H

#if defined(_MSC_VER) || defined(PRFDATA_ANNOTATED)
#include <sal.h>
#define PRFDATA_IN_                     _In_
#define PRFDATA_IN_OPT_                 _In_opt_
#define PRFDATA_IN_Z_                   _In_z_
#define PRFDATA_IN_BYTES_(size)         _In_reads_bytes_(size)
#define PRFDATA_IN_READS_(count)        _In_reads_(count)
#define PRFDATA_IN_READS_OPT_(count)    _In_reads_opt_(count)
#define PRFDATA_OUT_                    _Out_
#define PRFDATA_OUT_WRITES_OPT_(count)  _Out_writes_opt_(count)
#define PRFDATA_OUT_TEXT_OPT_(capacity) _Out_writes_opt_z_(capacity)
#define PRFDATA_INOUT_OPT_              _Inout_opt_
#define PRFDATA_MADE_                   _Outptr_
#define PRFDATA_MADE_OR_NULL_           _Outptr_result_maybenull_
#define PRFDATA_FREED_OPT_              _Pre_maybenull_ _Post_invalid_
#define PRFDATA_SUCCESS_IF_(condition)  _Success_(condition)
#else
#define PRFDATA_IN_
#define PRFDATA_IN_OPT_
#define PRFDATA_IN_Z_
#define PRFDATA_IN_BYTES_(size)
#define PRFDATA_IN_READS_(count)
#define PRFDATA_IN_READS_OPT_(count)
#define PRFDATA_OUT_
#define PRFDATA_OUT_WRITES_OPT_(count)
#define PRFDATA_OUT_TEXT_OPT_(capacity)
#define PRFDATA_INOUT_OPT_
#define PRFDATA_MADE_
#define PRFDATA_MADE_OR_NULL_
#define PRFDATA_FREED_OPT_
#define PRFDATA_SUCCESS_IF_(condition)
#endif

#endif
