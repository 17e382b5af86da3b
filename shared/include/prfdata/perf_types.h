/* SPDX-License-Identifier: MIT */
/*
 * Defines the names of <winperf.h> that a map needs, for systems without that header: the
 * predefined counter types, the detail levels and the special instance counts. On Windows they come
 * from <winperf.h>. tests/shared/core/test_winperf_layout.c compares the values here with those of
 * the Windows SDK.
 */
#ifndef PRFDATA_PERF_TYPES_H
#define PRFDATA_PERF_TYPES_H

#ifdef _WIN32
#include <windows.h>
#include <winperf.h>
#else

#define PERF_DETAIL_NOVICE   100
#define PERF_DETAIL_ADVANCED 200
#define PERF_DETAIL_EXPERT   300
#define PERF_DETAIL_WIZARD   400

#define PERF_NO_INSTANCES (-1)
#define PERF_NO_UNIQUE_ID (-1)

#define PERF_COUNTER_RAWCOUNT               0x00010000
#define PERF_COUNTER_LARGE_RAWCOUNT         0x00010100
#define PERF_COUNTER_RAWCOUNT_HEX           0x00000000
#define PERF_COUNTER_LARGE_RAWCOUNT_HEX     0x00000100
#define PERF_COUNTER_DELTA                  0x00400400
#define PERF_COUNTER_LARGE_DELTA            0x00400500
#define PERF_COUNTER_COUNTER                0x10410400
#define PERF_COUNTER_BULK_COUNT             0x10410500
#define PERF_SAMPLE_COUNTER                 0x00410400
#define PERF_COUNTER_QUEUELEN_TYPE          0x00450400
#define PERF_COUNTER_LARGE_QUEUELEN_TYPE    0x00450500
#define PERF_COUNTER_100NS_QUEUELEN_TYPE    0x00550500
#define PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE 0x00650500
#define PERF_COUNTER_TIMER                  0x20410500
#define PERF_COUNTER_TIMER_INV              0x21410500
#define PERF_100NSEC_TIMER                  0x20510500
#define PERF_100NSEC_TIMER_INV              0x21510500
#define PERF_OBJ_TIME_TIMER                 0x20610500
#define PERF_COUNTER_MULTI_TIMER            0x22410500
#define PERF_COUNTER_MULTI_TIMER_INV        0x23410500
#define PERF_100NSEC_MULTI_TIMER            0x22510500
#define PERF_100NSEC_MULTI_TIMER_INV        0x23510500
#define PERF_COUNTER_MULTI_BASE             0x42030500
#define PERF_SAMPLE_FRACTION                0x20C20400
#define PERF_SAMPLE_BASE                    0x40030401
#define PERF_RAW_FRACTION                   0x20020400
#define PERF_RAW_BASE                       0x40030403
#define PERF_LARGE_RAW_FRACTION             0x20020500
#define PERF_LARGE_RAW_BASE                 0x40030500
#define PERF_AVERAGE_TIMER                  0x30020400
#define PERF_AVERAGE_BULK                   0x40020500
#define PERF_AVERAGE_BASE                   0x40030402
#define PERF_PRECISION_SYSTEM_TIMER         0x20470500
#define PERF_PRECISION_100NS_TIMER          0x20570500
#define PERF_PRECISION_OBJECT_TIMER         0x20670500
#define PERF_ELAPSED_TIME                   0x30240500
#define PERF_COUNTER_TEXT                   0x00000B00
#define PERF_COUNTER_NODATA                 0x40000200
#define PERF_COUNTER_HISTOGRAM_TYPE         0x80000000
#define PERF_PRECISION_TIMESTAMP            PERF_LARGE_RAW_BASE

#endif

/* Answers to metadata queries since Windows 10 20H1; older SDK headers lack both. */
#ifndef PERF_METADATA_MULTIPLE_INSTANCES
#define PERF_METADATA_MULTIPLE_INSTANCES (-2)
#endif
#ifndef PERF_METADATA_NO_INSTANCES
#define PERF_METADATA_NO_INSTANCES (-3)
#endif

#endif
