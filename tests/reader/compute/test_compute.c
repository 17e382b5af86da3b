/* SPDX-License-Identifier: MIT */
/* Tests the formulas. Every predefined type is compared with numbers that were worked out by hand
 * from Microsoft's descriptions. Every type is tried with every edge case of its formula. Types
 * that are not predefined are tested, too.
 *
 * The sources of the expected numbers:
 *
 *   winperf.h  the comments on the types in the Windows SDK's header
 *   CCV        "Calculating Counter Values", Win32 documentation
 *   RCD        "Retrieving Counter Data", Win32: which samples, bases and sizes are read
 *   CPI        "Checking Counter Data Status Codes", Win32, and the pages of PDH's functions
 *   WCT        "WMI Performance Counter Types" and its pages by kind of counter
 *   OCD        "Object and Counter Design", Win32 documentation
 *   NET        CounterSampleCalculator.cs of github.com/dotnet/runtime
 *   here       no document says it; compute.h decides */
#include "support/test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "compute/compute.h"
#include "map/counter_types.h"

#ifdef _WIN32
#include <pdh.h>
#include <pdhmsg.h>
#endif

#define TWO32 4294967296u

#define OK          PRFDATA_STATUS_OK
#define NO_INSTANCE PRFDATA_STATUS_NO_INSTANCE
#define NEGATIVE    PRFDATA_STATUS_NEGATIVE_VALUE
#define DENOMINATOR PRFDATA_STATUS_NEGATIVE_DENOMINATOR
#define TIMEBASE    PRFDATA_STATUS_NEGATIVE_TIMEBASE
#define NOTHING     PRFDATA_STATUS_NO_DATA
#define INVALID     PRFDATA_STATUS_INVALID_DATA
#define ONE_SAMPLE  PRFDATA_STATUS_ONE_SAMPLE
#define NO_FORMULA  PRFDATA_STATUS_NO_FORMULA
#define TEXT_STATUS PRFDATA_STATUS_IS_TEXT
#define RANGE       PRFDATA_STATUS_OUT_OF_RANGE
#define ARGUMENT    PRFDATA_STATUS_INVALID_ARGUMENT

/* The clock that the formula of a type uses. The test lets the other clocks run backwards and gives
 * them no frequency. */
typedef enum clock_kind { NO_CLOCK, PERF, NS100, OBJECT } clock_kind;

/* The parts of a type's formula, for the edge cases. N is the value, D the time, F the frequency of
 * the clock and B the base. The digit 0 stands for the older sample, and 1 for the newer one. */
enum {
    ALONE = 0x01,      /* one sample is enough */
    GROWS = 0x02,      /* N1 - N0 */
    TIMED = 0x04,      /* D1 - D0 */
    CLOCKED = 0x08,    /* F */
    BASED = 0x10,      /* B1 */
    BASE_GROWS = 0x20, /* B1 - B0 */
    STARTS = 0x40      /* D1 - N1 */
};

typedef struct compute_sample {
    uint64_t value;
    uint64_t base;
    int64_t time;
} compute_sample;

typedef struct compute_row {
    const char *name;
    uint32_t type;
    uint32_t value_bytes;
    uint32_t base_bytes;
    clock_kind clock;
    int64_t freq;
    compute_sample older;
    compute_sample newer;
    uint32_t status;
    double expected;
    const char *source;
    const char *formula;
    unsigned parts;
} compute_row;

#define TYPE(name) #name, PERF_##name

/* clang-format off */
/* All predefined types, in winperf.h's order. */
static const compute_row types[] = {
    {TYPE(COUNTER_RAWCOUNT), 4, 0, NO_CLOCK, 0, {50, 0, 0}, {42, 0, 0}, OK, 42,
     "winperf.h: display as is", "N1", ALONE},
    {TYPE(COUNTER_LARGE_RAWCOUNT), 8, 0, NO_CLOCK, 0, {9, 0, 0}, {TWO32 * 4ull, 0, 0}, OK,
     17179869184.0, "winperf.h: display as is", "N1", ALONE},
    {TYPE(COUNTER_RAWCOUNT_HEX), 4, 0, NO_CLOCK, 0, {0xFFFF, 0, 0}, {0xABCD, 0, 0}, OK, 43981,
     "winperf.h: hex is a matter of display", "N1", ALONE},
    {TYPE(COUNTER_LARGE_RAWCOUNT_HEX), 8, 0, NO_CLOCK, 0, {0}, {0x1FFFFFFFF, 0, 0}, OK,
     8589934591.0, "winperf.h", "N1", ALONE},
    {TYPE(COUNTER_DELTA), 4, 0, NO_CLOCK, 0, {10, 0, 0}, {17, 0, 0}, OK, 7, "CCV: N1 - N0",
     "(N1 - N0)", GROWS},
    {TYPE(COUNTER_LARGE_DELTA), 8, 0, NO_CLOCK, 0, {TWO32, 0, 0}, {TWO32 * 3ull, 0, 0}, OK,
     8589934592.0, "CCV: N1 - N0", "(N1 - N0)", GROWS},
    {TYPE(COUNTER_COUNTER), 4, 0, PERF, 10, {100, 0, 1000}, {150, 0, 1020}, OK, 25,
     "CCV: (N1 - N0) / ((D1 - D0) / F)", "(N1 - N0) / ((D1 - D0) / F)", GROWS | TIMED | CLOCKED},
    {TYPE(COUNTER_BULK_COUNT), 8, 0, PERF, 1000, {0, 0, 0}, {7, 0, 500}, OK, 14,
     "CCV: (N1 - N0) / ((D1 - D0) / F), parts of seconds count", "(N1 - N0) / ((D1 - D0) / F)",
     GROWS | TIMED | CLOCKED},
    {TYPE(SAMPLE_COUNTER), 4, 4, PERF, 10, {1, 1, 0}, {31, 9, 20}, OK, 15,
     "CCV: by time, whatever its base", "(N1 - N0) / ((D1 - D0) / F)", GROWS | TIMED | CLOCKED},
    {TYPE(COUNTER_QUEUELEN_TYPE), 4, 0, PERF, 0, {100, 0, 1000}, {400, 0, 1100}, OK, 3,
     "CCV: (N1 - N0) / (D1 - D0)", "(N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_LARGE_QUEUELEN_TYPE), 8, 0, PERF, 0, {0, 0, 0}, {250, 0, 100}, OK, 2.5,
     "CCV: (N1 - N0) / (D1 - D0)", "(N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_100NS_QUEUELEN_TYPE), 8, 0, NS100, 0, {0, 0, 0}, {25000000, 0, 10000000}, OK, 2.5,
     "CCV: no factor TB", "(N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_OBJ_TIME_QUEUELEN_TYPE), 8, 0, OBJECT, 0, {1000, 0, 100}, {1750, 0, 600}, OK, 1.5,
     "RCD: the object's time", "(N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_TIMER), 8, 0, PERF, 0, {0, 0, 1000}, {250, 0, 2000}, OK, 25,
     "CCV: 100 * (N1 - N0) / (D1 - D0)", "100 * (N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_TIMER_INV), 8, 0, PERF, 0, {0, 0, 1000}, {250, 0, 2000}, OK, 75,
     "CCV: 100 * (1 - (N1 - N0) / (D1 - D0))", "100 * (1 - (N1 - N0) / (D1 - D0))", GROWS | TIMED},
    {TYPE(100NSEC_TIMER), 8, 0, NS100, 0, {0, 0, 0}, {5000000, 0, 10000000}, OK, 50,
     "CCV: 100 * (N1 - N0) / (D1 - D0)", "100 * (N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(100NSEC_TIMER_INV), 8, 0, NS100, 0, {0, 0, 0}, {7500000, 0, 10000000}, OK, 25,
     "CCV: 100 * (1 - (N1 - N0) / (D1 - D0))", "100 * (1 - (N1 - N0) / (D1 - D0))", GROWS | TIMED},
    {TYPE(OBJ_TIME_TIMER), 8, 0, OBJECT, 0, {10, 0, 0}, {10 + TWO32 * 2ull, 0, TWO32 * 8ll}, OK, 25,
     "CCV, winperf.h: LARGE, not its low DWORD only", "100 * (N1 - N0) / (D1 - D0)", GROWS | TIMED},
    {TYPE(COUNTER_MULTI_TIMER), 8, 4, PERF, 0, {0, 9, 1000}, {600, 4, 1200}, OK, 75,
     "WCT: no F, as N is in ticks", "100 * (N1 - N0) / (D1 - D0) / B1", GROWS | TIMED | BASED},
    {TYPE(COUNTER_MULTI_TIMER_INV), 8, 4, PERF, 0, {0, 9, 1000}, {600, 4, 1200}, OK, 100,
     "winperf.h: 100 * B - ...", "100 * (B1 - (N1 - N0) / (D1 - D0))", GROWS | TIMED | BASED},
    {TYPE(100NSEC_MULTI_TIMER), 8, 4, NS100, 0, {0, 9, 0}, {30000000, 2, 10000000}, OK, 150,
     "CCV: divided by B1", "100 * (N1 - N0) / (D1 - D0) / B1", GROWS | TIMED | BASED},
    {TYPE(100NSEC_MULTI_TIMER_INV), 8, 4, NS100, 0, {0, 9, 0}, {25000000, 4, 10000000}, OK, 150,
     "CCV: 100 * (B1 - ...)", "100 * (B1 - (N1 - N0) / (D1 - D0))", GROWS | TIMED | BASED},
    {TYPE(COUNTER_MULTI_BASE), 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "RCD: bases are read with their counters", "", 0},
    {TYPE(SAMPLE_FRACTION), 4, 4, NO_CLOCK, 0, {10, 100, 0}, {40, 220, 0}, OK, 25,
     "CCV: 100 * (N1 - N0) / (B1 - B0)", "100 * (N1 - N0) / (B1 - B0)", GROWS | BASE_GROWS},
    {TYPE(SAMPLE_BASE), 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "RCD: bases are read with their counters", "", 0},
    {TYPE(RAW_FRACTION), 4, 4, NO_CLOCK, 0, {9, 9, 0}, {50, 200, 0}, OK, 25, "CCV: 100 * N1 / B1",
     "100 * N1 / B1", ALONE | BASED},
    {TYPE(RAW_BASE), 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "RCD: bases are read with their counters", "", 0},
    {TYPE(LARGE_RAW_FRACTION), 8, 8, NO_CLOCK, 0, {9, 9, 0}, {TWO32 * 3ull, TWO32 * 4ull, 0}, OK,
     75, "CCV: 100 * N1 / B1", "100 * N1 / B1", ALONE | BASED},
    {TYPE(LARGE_RAW_BASE), 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "RCD: bases are read with their counters", "", 0},
    {TYPE(AVERAGE_TIMER), 8, 4, PERF, 100, {1000, 10, 9}, {2000, 14, 9}, OK, 2.5,
     "CCV: ((N1 - N0) / F) / (B1 - B0)", "(N1 - N0) / F / (B1 - B0)", GROWS | BASE_GROWS | CLOCKED},
    {TYPE(AVERAGE_BULK), 8, 4, NO_CLOCK, 0, {1000, 10, 0}, {9000, 14, 0}, OK, 2000,
     "CCV: (N1 - N0) / (B1 - B0)", "(N1 - N0) / (B1 - B0)", GROWS | BASE_GROWS},
    {TYPE(AVERAGE_BASE), 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "RCD: bases are read with their counters", "", 0},
    {TYPE(PRECISION_SYSTEM_TIMER), 8, 8, NO_CLOCK, 0, {100, 1000, 0}, {400, 2000, 0}, OK, 30,
     "CCV: the stamp is the base", "100 * (N1 - N0) / (B1 - B0)", GROWS | BASE_GROWS},
    {TYPE(PRECISION_100NS_TIMER), 8, 8, NO_CLOCK, 0, {0, 0, 0}, {2500000, 10000000, 0}, OK, 25,
     "CCV: the stamp is the base", "100 * (N1 - N0) / (B1 - B0)", GROWS | BASE_GROWS},
    {TYPE(PRECISION_OBJECT_TIMER), 8, 8, NO_CLOCK, 0, {5, 50, 0}, {10, 60, 0}, OK, 50,
     "winperf.h: the object's PerfTime is ignored", "100 * (N1 - N0) / (B1 - B0)", GROWS |
     BASE_GROWS},
    {TYPE(ELAPSED_TIME), 8, 0, OBJECT, 100, {1, 0, 2000}, {1000, 0, 1250}, OK, 2.5,
     "CCV: (D1 - N1) / F", "(D1 - N1) / F", ALONE | CLOCKED | STARTS},
    {TYPE(COUNTER_TEXT), 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, TEXT_STATUS, 0,
     "winperf.h: a text", "", 0},
    {TYPE(COUNTER_NODATA), 0, 0, NO_CLOCK, 0, {0}, {0}, NO_FORMULA, 0,
     "winperf.h: a label, no value", "", 0},
    {TYPE(COUNTER_HISTOGRAM_TYPE), 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "winperf.h: begins or ends a histogram", "", 0},
};

/* Numbers at their limits, and types that are not predefined. */
static const compute_row limits[] = {
    {"largest DWORD", PERF_COUNTER_RAWCOUNT, 4, 0, NO_CLOCK, 0, {0}, {0xFFFFFFFF, 0, 0}, OK,
     4294967295.0, "winperf.h: DWORD", NULL, 0},
    {"LARGE below zero", PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, NO_CLOCK, 0, {0}, {(uint64_t)-3, 0, 0},
     OK, -3, "CPI: PDH_RAW_COUNTER.FirstValue is a LONGLONG", NULL, 0},
    {"delta of nothing", PERF_COUNTER_DELTA, 4, 0, NO_CLOCK, 0, {10, 0, 0}, {10, 0, 0}, OK, 0,
     "CCV", NULL, 0},
    {"delta across zero", PERF_COUNTER_LARGE_DELTA, 8, 0, NO_CLOCK, 0, {(uint64_t)-5, 0, 0}, {3, 0,
     0}, OK, 8, "CPI: LONGLONG", NULL, 0},
    {"delta over the whole range", PERF_COUNTER_LARGE_DELTA, 8, 0, NO_CLOCK, 0, {0x8000000000000000,
     0, 0}, {0x7FFFFFFFFFFFFFFF, 0, 0}, OK, 18446744073709551615.0, "CCV: differences are unsigned",
     NULL, 0},
    {"rate of nothing", PERF_COUNTER_BULK_COUNT, 8, 0, PERF, 10, {7, 0, 0}, {7, 0, 10}, OK, 0,
     "CCV", NULL, 0},
    {"rate beyond 32 bits", PERF_COUNTER_BULK_COUNT, 8, 0, PERF, 1, {0, 0, 0}, {TWO32 * 8ull, 0, 1},
     OK, 34359738368.0, "CCV", NULL, 0},
    {"32-bit rate starts again", PERF_COUNTER_COUNTER, 4, 0, PERF, 10, {3000000000u, 0, 0}, {10, 0,
     10}, NEGATIVE, 0, "CPI: a reset is no rate", NULL, 0},
    {"100 * N exceeds 64 bits", PERF_COUNTER_TIMER, 8, 0, PERF, 0, {0, 0, 0}, {0x2000000000000000,
     0, 0x4000000000000000}, OK, 50, "CCV: the formula, not its sample", NULL, 0},
    {"100 * N exceeds a DWORD", PERF_RAW_FRACTION, 4, 4, NO_CLOCK, 0, {0}, {0x80000000, 0xFFFFFFFE,
     0}, OK, 100.0 * 2147483648.0 / 4294967294.0, "CCV", NULL, 0},
    {"29 of 100 are 29", PERF_COUNTER_TIMER, 8, 0, PERF, 0, {0, 0, 0}, {29, 0, 100}, OK, 29,
     "CCV: whole numbers in, a whole number out", NULL, 0},
    {"timer above 100 %", PERF_COUNTER_TIMER, 8, 0, PERF, 0, {0, 0, 0}, {30, 0, 10}, OK, 300,
     "CPI: PDH_FMT_NOCAP100", NULL, 0},
    {"fraction above 100 %", PERF_RAW_FRACTION, 4, 4, NO_CLOCK, 0, {0}, {300, 200, 0}, OK, 150,
     "CPI: PDH_FMT_NOCAP100", NULL, 0},
    {"idle for longer than time passed", PERF_COUNTER_TIMER_INV, 8, 0, PERF, 0, {0, 0, 0}, {12, 0,
     10}, OK, -20, "here: not capped", NULL, 0},
    {"nothing of nothing", PERF_RAW_FRACTION, 4, 4, NO_CLOCK, 0, {0}, {0, 0, 0}, NOTHING, 0,
     "here: no division by zero", NULL, 0},
    {"average of nothing done", PERF_AVERAGE_BULK, 8, 4, NO_CLOCK, 0, {1000, 10, 0}, {1000, 10, 0},
     NOTHING, 0, "NET: PDH_NO_DATA", NULL, 0},
    {"average timer of 4 bytes", PERF_AVERAGE_TIMER, 4, 4, PERF, 100, {1000, 10, 0}, {2000, 14, 0},
     OK, 2.5, "winperf.h: DWORD; RCD: LARGE", NULL, 0},
    {"multi timer with a base of 8 bytes", PERF_COUNTER_MULTI_TIMER, 8, 8, PERF, 0, {0, 0, 0}, {100,
     2, 100}, OK, 50, "winperf.h: PERF_COUNTER_MULTI_BASE is LARGE", NULL, 0},
    {"multi base below zero", PERF_COUNTER_MULTI_TIMER, 8, 8, PERF, 0, {0, 0, 0}, {100,
     (uint64_t)-2, 100}, DENOMINATOR, 0, "CPI", NULL, 0},
    {"raw base below zero", PERF_LARGE_RAW_FRACTION, 8, 8, NO_CLOCK, 0, {0}, {1, (uint64_t)-4, 0},
     DENOMINATOR, 0, "CPI", NULL, 0},
    {"timer needs no frequency", PERF_COUNTER_TIMER, 8, 0, PERF, 0, {0, 0, 0}, {5, 0, 10}, OK, 50,
     "CCV: no F", NULL, 0},
    {"not started", PERF_ELAPSED_TIME, 8, 0, OBJECT, 100, {0}, {0, 0, 1250}, OK, 0,
     "NET: 0", NULL, 0},

    {"not started, clock below zero", PERF_ELAPSED_TIME, 8, 0, OBJECT, 100, {0}, {0, 0, -5}, OK, 0,
     "NET: 0", NULL, 0},
    {"upper half of a DWORD", PERF_COUNTER_DELTA, 4, 0, NO_CLOCK, 0, {0x100000005, 0, 0},
     {0x900000008, 0, 0}, OK, 3, "here: value_bytes", NULL, 0},
    {"upper half of a smaller DWORD", PERF_COUNTER_DELTA, 4, 0, NO_CLOCK, 0, {0x100000005, 0, 0},
     {0x900000004, 0, 0}, NEGATIVE, 0, "here: value_bytes", NULL, 0},

    {"rate by 100 ns", 0x10510500, 8, 0, NS100, 0, {0, 0, 0}, {7, 0, 5000000}, OK, 14,
     "winperf.h: PERF_TIMER_100NS", "(N1 - N0) / ((D1 - D0) / F)", 0},
    {"rate by the object's time", 0x10610400, 4, 0, OBJECT, 100, {0, 0, 0}, {8, 0, 200}, OK, 4,
     "winperf.h: PERF_OBJECT_TIMER", "(N1 - N0) / ((D1 - D0) / F)", 0},
    {"value by time", 0x10010400, 4, 0, PERF, 10, {100, 0, 0}, {8, 0, 20}, OK, 4,
     "winperf.h: PERF_COUNTER_RATE without PERF_DELTA_COUNTER", "N1 / ((D1 - D0) / F)", 0},
    {"value in percent of time", 0x20010500, 8, 0, PERF, 0, {9, 0, 0}, {1, 0, 4}, OK, 25,
     "winperf.h: PERF_COUNTER_RATE without PERF_DELTA_COUNTER", "100 * N1 / (D1 - D0)", 0},
    {"timer of 4 bytes", 0x20410400, 4, 0, PERF, 0, {0, 0, 0}, {1, 0, 4}, OK, 25, "winperf.h",
     "100 * (N1 - N0) / (D1 - D0)", 0},
    {"multi timer by the object's time", 0x22610500, 8, 4, OBJECT, 0, {0, 0, 0}, {6, 3, 4}, OK, 50,
     "winperf.h: PERF_MULTI_COUNTER", "100 * (N1 - N0) / (D1 - D0) / B1", 0},
    {"the same inverse", 0x23610500, 8, 4, OBJECT, 0, {0, 0, 0}, {6, 3, 4}, OK, 150, "winperf.h",
     "100 * (B1 - (N1 - N0) / (D1 - D0))", 0},
    {"sample fraction of 8 bytes", 0x20C20500, 8, 8, NO_CLOCK, 0, {0, 0, 0}, {1, 4, 0}, OK, 25,
     "winperf.h", "100 * (N1 - N0) / (B1 - B0)", 0},
    {"sample fraction inverse", 0x21C20400, 4, 4, NO_CLOCK, 0, {0, 0, 0}, {1, 4, 0}, OK, 75,
     "winperf.h: PERF_INVERSE_COUNTER", "100 * (1 - (N1 - N0) / (B1 - B0))", 0},
    {"raw fraction inverse", 0x21020400, 4, 4, NO_CLOCK, 0, {0, 0, 0}, {1, 4, 0}, OK, 75,
     "winperf.h", "100 * (1 - N1 / B1)", 0},
    {"fraction of a difference", 0x20420400, 4, 4, NO_CLOCK, 0, {1, 9, 0}, {3, 8, 0}, OK, 25,
     "winperf.h: PERF_DELTA_COUNTER without PERF_DELTA_BASE", "100 * (N1 - N0) / B1", 0},
    {"average of 4 bytes", 0x40020400, 4, 4, NO_CLOCK, 0, {0, 0, 0}, {6, 4, 0}, OK, 1.5,
     "winperf.h: like PERF_AVERAGE_BULK", "(N1 - N0) / (B1 - B0)", 0},
    {"average timer by 100 ns", 0x30120500, 8, 4, NS100, 0, {0, 0, 0}, {30000000, 2, 0}, OK, 1.5,
     "winperf.h: like PERF_AVERAGE_TIMER", "(N1 - N0) / F / (B1 - B0)", 0},
    {"precision timer inverse", 0x21470500, 8, 8, NO_CLOCK, 0, {0, 0, 0}, {1, 4, 0}, OK, 75,
     "winperf.h", "100 * (1 - (N1 - N0) / (B1 - B0))", 0},
    {"elapsed by PerfTime", 0x30040500, 8, 0, PERF, 100, {0}, {1000, 0, 1250}, OK, 2.5,
     "winperf.h: PERF_TIMER_TICK", "(D1 - N1) / F", 0},
    {"a value that is no number", 0x00000400, 4, 0, NO_CLOCK, 0, {9, 0, 0}, {5, 0, 0}, OK, 5,
     "winperf.h: PERF_COUNTER_VALUE", "N1", 0},
    {"the same in percent", 0x20000400, 4, 0, NO_CLOCK, 0, {9, 0, 0}, {5, 0, 0}, OK, 5,
     "winperf.h: PERF_COUNTER_VALUE", "N1", 0},
    {"thousandths", 0x00020000, 4, 0, NO_CLOCK, 0, {0}, {1500, 0, 0}, OK, 1.5,
     "winperf.h: PERF_NUMBER_DEC_1000", "N1 / 1000", 0},
    {"difference of a number", 0x00410000, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, OK, 3,
     "winperf.h", "(N1 - N0)", 0},
    {"always zero", 0x00000C00, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, OK, 0,
     "winperf.h: PERF_TYPE_ZERO", "0", 0},
    {"reserved bits that tell bases apart", 0x000100FF, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, OK,
     8, "winperf.h: bits 0 to 7", "N1", 0},

    {"WMI's LARGE_RAW_BASE", 0x40030503, 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "WCT", "", 0},
    {"WMI's DOUBLE_RAW", 0x00012000, 8, 0, NO_CLOCK, 0, {1, 0, 0}, {0xC004000000000000, 0, 0}, OK,
     -2.5, "WCT: PERF_DOUBLE_RAW", "N1", 0},
    {"DOUBLE_RAW of 4 bytes", 0x00012000, 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, INVALID, 0,
     "WCT", NULL, 0},
    {"DOUBLE_RAW that is infinite", 0x00012000, 8, 0, NO_CLOCK, 0, {1, 0, 0},
     {0x7FF0000000000000, 0, 0}, INVALID, 0, "here: never infinity", NULL, 0},
    {"DOUBLE_RAW that is no number", 0x00012000, 8, 0, NO_CLOCK, 0, {1, 0, 0},
     {0x7FF8000000000000, 0, 0}, INVALID, 0, "here: never NaN", NULL, 0},
    {"elapsed without a clock", PERF_ELAPSED_TIME, 8, 0, OBJECT, 0, {0}, {1000, 0, 0}, TIMEBASE, 0,
     "here: not backwards", NULL, 0},
    {"elapsed without a frequency", PERF_ELAPSED_TIME, 8, 0, OBJECT, 0, {0}, {1000, 0, 900},
     TIMEBASE, 0, "here: not backwards", NULL, 0},
    {"elapsed without a time", PERF_ELAPSED_TIME, 8, 0, OBJECT, 100, {0}, {1000, 0, 0}, TIMEBASE,
     0, "here: not backwards", NULL, 0},
    {"elapsed from a later start", PERF_ELAPSED_TIME, 8, 0, OBJECT, 100, {0}, {1000, 0, 900},
     NEGATIVE, 0, "here", NULL, 0},
    {"text in a code page", 0x00010B00, 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, TEXT_STATUS, 0,
     "winperf.h: PERF_TEXT_ASCII", "", 0},
    {"text of no kind", 0x00020B00, 8, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "winperf.h", "", 0},
    {"histogram by subtype", 0x00060400, 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA, 0,
     "winperf.h: PERF_COUNTER_HISTOGRAM", "", 0},
    {"zero length", 0x10410600, 0, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0,
     "winperf.h: PERF_SIZE_ZERO", "", 0},
    {"number of variable length", 0x00010300, 4, 0, NO_CLOCK, 0, {1, 0, 0}, {2, 0, 0}, NO_FORMULA,
     0, "here", "", 0},
    {"bit 13", 0x10412400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"bit 26", 0x14410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"number with display 5", 0x50010000, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"bit 27", 0x18410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"display 5", 0x50410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"display 9", 0x90410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"rate in seconds", 0x30410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "",
     0},
    {"rate with a base's difference", 0x10C10400, 4, 4, PERF, 1, {1, 0, 0}, {2, 1, 1}, NO_FORMULA,
     0, "here", "", 0},
    {"rate of components", 0x12410400, 4, 4, PERF, 1, {1, 0, 0}, {2, 1, 1}, NO_FORMULA, 0, "here",
     "", 0},
    {"inverse rate", 0x11410400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "", 0},
    {"inverse average", 0x41020500, 8, 4, NO_CLOCK, 0, {0, 0, 0}, {6, 4, 0}, NO_FORMULA, 0, "here",
     "", 0},
    {"fraction of components", 0x22020400, 4, 4, NO_CLOCK, 0, {0, 0, 0}, {6, 4, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"fraction per second", 0x10020400, 4, 4, NO_CLOCK, 0, {0, 0, 0}, {6, 4, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"queue length in percent", 0x20450400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0,
     "here", "", 0},
    {"elapsed in percent", 0x20240500, 8, 0, OBJECT, 1, {0}, {1, 0, 2}, NO_FORMULA, 0, "here", "",
     0},
    {"precision in seconds", 0x30470500, 8, 8, NO_CLOCK, 0, {0, 0, 0}, {1, 4, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"inverse number", 0x01010000, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, NO_FORMULA, 0, "here",
     "", 0},
    {"number of no kind", 0x00030000, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"counter of no kind", 0x00080400, 4, 0, NO_CLOCK, 0, {5, 0, 0}, {8, 0, 0}, NO_FORMULA, 0,
     "here", "", 0},
    {"clock of no kind", 0x10710400, 4, 0, PERF, 1, {1, 0, 0}, {2, 0, 1}, NO_FORMULA, 0, "here", "",
     0},
};
/* clang-format on */

static prfdata_compute_raw raw_of(const compute_row *r, const compute_sample *s)
{
    prfdata_compute_raw raw = {
        .type = r->type, .value_bytes = r->value_bytes, .base_bytes = r->base_bytes};
    const int64_t backwards = s == &r->older ? 5000000000 : 1;

    raw.value = s->value;
    raw.base = s->base;
    raw.perf_time = r->clock == PERF ? s->time : backwards;
    raw.time_100ns = r->clock == NS100 ? s->time : backwards;
    raw.object_time = r->clock == OBJECT ? s->time : backwards;
    raw.perf_freq = r->clock == PERF ? r->freq : 0;
    raw.object_freq = r->clock == OBJECT ? r->freq : 0;
    return raw;
}

static int64_t *time_of(prfdata_compute_raw *raw, clock_kind clock)
{
    return clock == PERF ? &raw->perf_time : clock == NS100 ? &raw->time_100ns : &raw->object_time;
}

static int64_t *freq_of(prfdata_compute_raw *raw, clock_kind clock)
{
    return clock == PERF ? &raw->perf_freq : &raw->object_freq;
}

/* Compute a value and compare it. If the computation fails, it must not change the value. */
static void expect(const char *name, const char *edge, const prfdata_compute_raw *older,
                   const prfdata_compute_raw *newer, uint32_t status, double number,
                   const char *source)
{
    const double untouched = -77;
    double expected = status == OK ? number : untouched;
    prfdata_compute_value value = {.number = untouched};
    uint32_t got = prfdata_compute(older, newer, &value);

    if (got != status || value.number != expected)
        fail_msg("%s, %s: %s, %.17g; expected %s, %.17g (%s)", name, edge,
                 prfdata_compute_status_name(got), value.number,
                 prfdata_compute_status_name(status), expected, source);
}

static void check_row(const compute_row *r)
{
    prfdata_compute_raw older = raw_of(r, &r->older);
    prfdata_compute_raw newer = raw_of(r, &r->newer);
    const prfdata_counter_formula formula = prfdata_counter_formula_of(r->type);
    char text[80];

    expect(r->name, "as documented", &older, &newer, r->status, r->expected, r->source);
    prfdata_counter_formula_text(&formula, text, sizeof text);
    if (r->formula && strcmp(text, r->formula) != 0)
        fail_msg("%s: %s; expected %s", r->name, text, r->formula);
}

static void test_compute_every_predefined_type_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (i >= sizeof types / sizeof types[0] || strcmp(types[i].name, type->name) != 0)
            fail_msg("row %d of types is not that of %s", (int)i, type->name);
        assert_int_equal(types[i].type, type->type);
        check_row(&types[i]);
    }
    assert_int_equal(sizeof types / sizeof types[0], PRFDATA_COUNTER_TYPE_COUNT);
}

static void test_compute_limits_and_types_that_are_not_predefined(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        check_row(&limits[i]);
}

/* ---- Intervals without operations ---- */

/* A value that is divided by the growth of its base is 0 if the base did not grow. A value that is
 * missing for another reason stays missing. */
static void test_compute_idle_is_zero_where_a_base_did_not_grow(void **state)
{
    static const struct {
        uint32_t type;
        uint32_t status;
        bool is_idle;
    } cases[] = {
        {PERF_AVERAGE_BULK, NOTHING, true},      {PERF_AVERAGE_TIMER, NOTHING, true},
        {PERF_SAMPLE_FRACTION, NOTHING, true},   {PERF_PRECISION_100NS_TIMER, NOTHING, true},
        {PERF_RAW_FRACTION, NOTHING, false},     {PERF_COUNTER_MULTI_TIMER, NOTHING, false},
        {PERF_AVERAGE_BULK, NEGATIVE, false},    {PERF_AVERAGE_BULK, ONE_SAMPLE, false},
        {PERF_AVERAGE_BULK, OK, false},          {PERF_AVERAGE_BULK, NO_INSTANCE, false},
        {PERF_COUNTER_RAWCOUNT, NOTHING, false}, {PERF_AVERAGE_BASE, NOTHING, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_compute_value value = {.number = 7, .divisor = 7};

        assert_int_equal(prfdata_compute_idle(cases[i].type, cases[i].status, &value),
                         cases[i].is_idle);
        assert_true(value.number == (cases[i].is_idle ? 0 : 7));
        assert_true(value.divisor == (cases[i].is_idle ? 0 : 7));
    }
}

/* ---- Every type through every edge ---- */

typedef struct compute_pair {
    prfdata_compute_raw older;
    prfdata_compute_raw newer;
    clock_kind clock;
} compute_pair;

static void count_back(compute_pair *p)
{
    p->older.value = p->newer.value + 1;
}

static void count_wraps(compute_pair *p)
{
    p->older.value = p->newer.value_bytes == 4 ? 0xFFFFFFFF : 0x7FFFFFFFFFFFFFFF;
    p->newer.value = p->newer.value_bytes == 4 ? 1 : 0x8000000000000001;
}

static void no_time(compute_pair *p)
{
    *time_of(&p->older, p->clock) = *time_of(&p->newer, p->clock);
}

static void time_back(compute_pair *p)
{
    *time_of(&p->older, p->clock) = *time_of(&p->newer, p->clock) + 1;
}

static void no_frequency(compute_pair *p)
{
    *freq_of(&p->newer, p->clock) = 0;
}

static void frequency_below_zero(compute_pair *p)
{
    *freq_of(&p->newer, p->clock) = -10;
}

static void base_zero(compute_pair *p)
{
    p->newer.base = 0;
}

static void base_stands(compute_pair *p)
{
    p->older.base = p->newer.base;
}

static void base_back(compute_pair *p)
{
    p->older.base = p->newer.base + 1;
}

static void base_wraps(compute_pair *p)
{
    p->older.base = p->newer.base_bytes == 4 ? 0xFFFFFFFF : 0x7FFFFFFFFFFFFFFF;
    p->newer.base = p->newer.base_bytes == 4 ? 1 : 0x8000000000000001;
}

static void base_missing(compute_pair *p)
{
    p->older.base_bytes = 0;
    p->newer.base_bytes = 0;
}

static void base_came_later(compute_pair *p)
{
    p->older.base_bytes = 0;
}

static void base_of_2_bytes(compute_pair *p)
{
    p->older.base_bytes = 2;
    p->newer.base_bytes = 2;
}

static void other_type(compute_pair *p)
{
    p->older.type ^= 1;
}

static void other_size(compute_pair *p)
{
    p->older.value_bytes ^= 4 ^ 8;
}

static void size_2(compute_pair *p)
{
    p->older.value_bytes = 2;
    p->newer.value_bytes = 2;
}

static void newer_failed(compute_pair *p)
{
    p->newer.status = NO_INSTANCE;
}

static void older_failed(compute_pair *p)
{
    p->older.status = NO_INSTANCE;
}

static void starts_later(compute_pair *p)
{
    p->newer.value = (uint64_t)*time_of(&p->newer, p->clock) + 1;
}

static void starts_far_later(compute_pair *p)
{
    p->newer.value = 0xFFFFFFFFFFFFFFFF;
}

#define TWO_SAMPLES (GROWS | TIMED | BASE_GROWS)
#define NUMBERS     (ALONE | TWO_SAMPLES)

static const struct {
    const char *name;
    unsigned parts; /* the edge is for all types that have one of these parts */
    void (*happen)(compute_pair *p);
    uint32_t status;
    const char *source;
} edges[] = {
    {"counter went back", GROWS, count_back, NEGATIVE, "CPI: PDH_CALC_NEGATIVE_VALUE"},
    {"counter wrapped", GROWS, count_wraps, NEGATIVE, "CPI; a wrap looks like a reset"},
    {"no time passed", TIMED, no_time, DENOMINATOR, "here: no division by zero"},
    {"time went back", TIMED, time_back, DENOMINATOR, "CPI: PDH_CALC_NEGATIVE_DENOMINATOR"},
    {"no frequency", CLOCKED, no_frequency, TIMEBASE, "here: no division by zero"},
    {"frequency below zero", CLOCKED, frequency_below_zero, TIMEBASE,
     "CPI: PDH_CALC_NEGATIVE_TIMEBASE"},
    {"base of zero", BASED, base_zero, NOTHING, "winperf.h: check the base"},
    {"base did not grow", BASE_GROWS, base_stands, NOTHING, "NET: PDH_NO_DATA"},
    {"base went back", BASE_GROWS, base_back, DENOMINATOR, "CPI: PDH_CALC_NEGATIVE_DENOMINATOR"},
    {"base wrapped", BASE_GROWS, base_wraps, DENOMINATOR, "CPI, as for counters"},
    {"base missing", BASED | BASE_GROWS, base_missing, INVALID, "RCD: the base comes next"},
    {"base of 2 bytes", BASED | BASE_GROWS, base_of_2_bytes, INVALID, "RCD: 4 or 8"},
    {"base came later", BASE_GROWS, base_came_later, INVALID, "here: the provider changed"},
    {"other type", TWO_SAMPLES, other_type, INVALID, "here: the provider changed"},
    {"other size", TWO_SAMPLES, other_size, INVALID, "here: the provider changed"},
    {"size of 2", NUMBERS, size_2, INVALID, "RCD: 4 or 8"},
    {"newer sample failed", NUMBERS, newer_failed, NO_INSTANCE, "CPI: the raw value's CStatus"},
    {"older sample failed", TWO_SAMPLES, older_failed, ONE_SAMPLE, "CPI"},
    {"starts in the future", STARTS, starts_later, NEGATIVE, "CPI; never the clock"},
    {"starts far in the future", STARTS, starts_far_later, NEGATIVE, "CPI; never the clock"},
};

static void test_compute_every_type_through_every_edge(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const compute_row *r = &types[t];

        for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
            compute_pair p = {raw_of(r, &r->older), raw_of(r, &r->newer), r->clock};

            if (!(r->parts & edges[e].parts))
                continue;
            edges[e].happen(&p);
            expect(r->name, edges[e].name, &p.older, &p.newer, edges[e].status, 0, edges[e].source);
        }
    }
}

/* A type that needs two samples has the status ONE_SAMPLE. Other types have a value from one
 * sample. */
static void test_compute_first_sample_alone(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const compute_row *r = &types[t];
        prfdata_compute_raw newer = raw_of(r, &r->newer);
        bool is_pair = r->status == OK && !(r->parts & ALONE);

        expect(r->name, "first sample", NULL, &newer, is_pair ? ONE_SAMPLE : r->status, r->expected,
               "CCV, RCD: which types take two");
    }
    for (size_t t = 0; t < sizeof limits / sizeof limits[0]; t++) {
        const compute_row *r = &limits[t];
        prfdata_compute_raw newer = raw_of(r, &r->newer);
        bool is_pair = r->formula && (strstr(r->formula, "N0") || strstr(r->formula, "D0") ||
                                      strstr(r->formula, "B0"));

        if (r->formula)
            expect(r->name, "first sample", NULL, &newer, is_pair ? ONE_SAMPLE : r->status,
                   r->expected, "the formula has an older sample");
    }
}

static void test_compute_types_ignore_what_is_not_in_their_formula(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        const compute_row *r = &types[t];
        compute_pair p = {raw_of(r, &r->older), raw_of(r, &r->newer), r->clock};

        if (r->status != OK)
            continue;
        if (!(r->parts & CLOCKED)) {
            p.newer.perf_freq = -1;
            p.newer.object_freq = -1;
        }
        if (!(r->parts & (BASED | BASE_GROWS))) {
            p.older.base_bytes = 8;
            p.newer.base_bytes = 4;
            p.older.base = 9;
            p.newer.base = 0;
        }
        if (r->parts & ALONE)
            p.older.type = 0x12345678;
        expect(r->name, "other fields", &p.older, &p.newer, OK, r->expected, r->source);
    }
}

/* ---- Results are always valid ---- */

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

/* A result is finite whatever a provider writes, and formatting it gives a number or says that it
 * is out of range. */
static void test_compute_extremes_never_give_infinity_or_nan(void **state)
{
    static const uint64_t values[] = {0,
                                      1,
                                      0x7FFFFFFF,
                                      0x80000000,
                                      0xFFFFFFFF,
                                      0x7FFFFFFFFFFFFFFF,
                                      0x8000000000000000,
                                      0xFFFFFFFFFFFFFFFF};
    const size_t n = sizeof values / sizeof values[0];
    uint64_t seed = 1;
    unsigned results = 0;

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (unsigned i = 0; i < 20000; i++) {
            uint64_t at[12];
            prfdata_compute_raw raws[2];
            prfdata_compute_value value;
            prfdata_compute_formatted formatted;

            for (size_t k = 0; k < 12; k++)
                at[k] = values[next_random(&seed) % n];
            for (size_t k = 0; k < 2; k++) {
                prfdata_compute_raw raw = {.type = types[t].type};
                const uint64_t *from = &at[6 * k];

                raw.value_bytes = at[0] & 1 ? 4 : 8;
                raw.base_bytes = at[1] & 1 ? 4 : 8;
                raw.value = from[0];
                raw.base = from[1];
                raw.perf_time = raw.time_100ns = (int64_t)from[2];
                raw.object_time = (int64_t)from[3];
                raw.perf_freq = (int64_t)from[4];
                raw.object_freq = (int64_t)from[5];
                raws[k] = raw;
            }
            if (prfdata_compute(&raws[0], &raws[1], &value) != OK)
                continue;
            results++;
            assert_true(value.number >= -DBL_MAX && value.number <= DBL_MAX);
            assert_true(value.divisor >= 1);
            for (uint32_t flag = PRFDATA_VALUE_LONG; flag <= PRFDATA_VALUE_LARGE; flag *= 2) {
                uint32_t status = prfdata_compute_format(value, types[t].type, flag, 7, &formatted);

                assert_true(status == OK || status == RANGE);
            }
        }
    }
    assert_true(results > 10000);
}

/* ---- Formats ---- */

static void test_compute_format_caps_scales_and_converts(void **state)
{
    enum {
        LONG_ = PRFDATA_VALUE_LONG,
        LARGE_ = PRFDATA_VALUE_LARGE,
        DOUBLE_ = PRFDATA_VALUE_DOUBLE,
        NOSCALE = PRFDATA_VALUE_NOSCALE,
        TIMES_1000 = PRFDATA_VALUE_1000,
        NOCAP = PRFDATA_VALUE_NOCAP100,
        PERCENT = PERF_COUNTER_TIMER,
        PLAIN = PERF_COUNTER_BULK_COUNT
    };
    static const struct {
        double number;
        uint32_t type;
        uint32_t flags;
        int32_t scale;
        uint32_t status;
        double expected;
    } cases[] = {
        {12.75, PLAIN, DOUBLE_, 0, OK, 12.75},
        {12.75, PLAIN, LONG_, 0, OK, 12},
        {-12.75, PLAIN, LONG_, 0, OK, -12},
        {12.75, PLAIN, LARGE_, 0, OK, 12},
        {-12.75, PLAIN, LARGE_, 0, OK, -12},
        {-0.75, PERF_100NSEC_TIMER_INV, DOUBLE_, 0, OK, 0},
        {-0.75, PERF_100NSEC_TIMER_INV, DOUBLE_ | NOCAP, 0, OK, -0.75},
        {-0.75, PERF_RAW_FRACTION, DOUBLE_, 0, OK, -0.75},

        {150, PERCENT, DOUBLE_, 0, OK, 100},
        {150, PERCENT, LONG_, 0, OK, 100},
        {150, PERCENT, LARGE_, 0, OK, 100},
        {150, PERCENT, DOUBLE_ | NOCAP, 0, OK, 150},
        {150, PLAIN, DOUBLE_, 0, OK, 150}, /* only percentages are capped */
        {150, PERF_AVERAGE_BULK, DOUBLE_, 0, OK, 150},
        {100, PERCENT, DOUBLE_, 0, OK, 100},
        {-20, PERCENT, DOUBLE_, 0, OK, -20},

        {12.75, PLAIN, DOUBLE_, 2, OK, 1275},
        {1275, PLAIN, DOUBLE_, -2, OK, 12.75},
        {12.75, PLAIN, LONG_, 1, OK, 127}, /* scaled before the digits are cut */
        {12.75, PLAIN, DOUBLE_ | NOSCALE, 2, OK, 12.75},
        {12.75, PLAIN, DOUBLE_ | TIMES_1000, 0, OK, 12750},
        {12.75, PLAIN, LONG_ | TIMES_1000 | NOSCALE, -7, OK, 12750},
        {150, PERCENT, DOUBLE_ | TIMES_1000, 0, OK, 100000}, /* capped before it is scaled */
        {150, PERCENT, DOUBLE_, 1, OK, 1000},
        {3, PLAIN, DOUBLE_, 7, OK, 30000000},
        {3, PLAIN, DOUBLE_, -7, OK, 0.0000003},

        {2147483647.5, PLAIN, LONG_, 0, OK, 2147483647},
        {2147483648.0, PLAIN, LONG_, 0, RANGE, 0},
        {-2147483648.5, PLAIN, LONG_, 0, OK, -2147483648.0},
        {-2147483649.0, PLAIN, LONG_, 0, RANGE, 0},
        {3000000, PLAIN, LONG_, 3, RANGE, 0},
        {9223372036854774784.0, PLAIN, LARGE_, 0, OK, 9223372036854774784.0},
        {9223372036854775808.0, PLAIN, LARGE_, 0, RANGE, 0},
        {-9223372036854775808.0, PLAIN, LARGE_, 0, OK, -9223372036854775808.0},
        {-9223372036854777856.0, PLAIN, LARGE_, 0, RANGE, 0},
        {DBL_MAX, PLAIN, DOUBLE_, 1, RANGE, 0},

        {1, PLAIN, 0, 0, ARGUMENT, 0},
        {1, PLAIN, LONG_ | LARGE_, 0, ARGUMENT, 0},
        {1, PLAIN, LONG_ | DOUBLE_, 0, ARGUMENT, 0},
        {1, PLAIN, LONG_ | 0x10, 0, ARGUMENT, 0}, /* PDH_FMT_RAW */
        {1, PLAIN, DOUBLE_, 8, ARGUMENT, 0},
        {1, PLAIN, DOUBLE_, -8, ARGUMENT, 0},
        {INFINITY, PLAIN, DOUBLE_, 0, ARGUMENT, 0},
    };
    /* This is not in the table, because the Windows SDK's NAN is not a constant. */
    const prfdata_compute_value not_a_number = {.number = NAN};
    prfdata_compute_formatted unused;

    (void)state;
    assert_int_equal(prfdata_compute_format(not_a_number, PLAIN, LONG_, 0, &unused), ARGUMENT);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_compute_formatted formatted;
        prfdata_compute_value value = {.number = cases[i].number};
        uint32_t status = prfdata_compute_format(value, cases[i].type, cases[i].flags,
                                                 cases[i].scale, &formatted);
        double got = cases[i].flags & LONG_    ? (double)formatted.as_long
                     : cases[i].flags & LARGE_ ? (double)formatted.as_large
                                               : formatted.as_double;

        if (status != cases[i].status || formatted.status != status || got != cases[i].expected)
            fail_msg("%g, flags %x, scale %d: %s, %.17g; expected %s, %.17g", cases[i].number,
                     (unsigned)cases[i].flags, (int)cases[i].scale,
                     prfdata_compute_status_name(status), got,
                     prfdata_compute_status_name(cases[i].status), cases[i].expected);
    }
}

/* A double keeps only 53 bits of a whole number. */
static void test_compute_format_large_keeps_whole_numbers_of_64_bits(void **state)
{
    prfdata_compute_raw older = {.type = PERF_COUNTER_LARGE_DELTA, .value_bytes = 8, .value = 1};
    prfdata_compute_raw newer = older;
    prfdata_compute_value value;
    prfdata_compute_formatted formatted;

    (void)state;
    newer.value = 0x7FFFFFFFFFFFFFFF;
    assert_int_equal(prfdata_compute(&older, &newer, &value), OK);
    prfdata_compute_format(value, newer.type, PRFDATA_VALUE_LARGE, 0, &formatted);
    assert_int_equal(formatted.as_large, 0x7FFFFFFFFFFFFFFE);

    newer.type = PERF_COUNTER_LARGE_RAWCOUNT;
    assert_int_equal(prfdata_compute(NULL, &newer, &value), OK);
    prfdata_compute_format(value, newer.type, PRFDATA_VALUE_LARGE, 0, &formatted);
    assert_int_equal(formatted.as_large, INT64_MAX);
    assert_int_equal(prfdata_compute_format(value, newer.type, PRFDATA_VALUE_LARGE, 1, &formatted),
                     RANGE);
    prfdata_compute_format(value, newer.type, PRFDATA_VALUE_LARGE, -7, &formatted);
    assert_int_equal(formatted.as_large, 922337203685);

    newer.type = PERF_COUNTER_LARGE_DELTA; /* the difference needs 64 bits without a sign */
    older.value = 0x8000000000000000;
    assert_int_equal(prfdata_compute(&older, &newer, &value), OK);
    assert_int_equal(prfdata_compute_format(value, newer.type, PRFDATA_VALUE_LARGE, 0, &formatted),
                     RANGE);
}

static void test_compute_format_large_takes_the_result_not_its_numerator(void **state)
{
    prfdata_compute_raw raw = {.type = PERF_ELAPSED_TIME,
                               .value_bytes = 8,
                               .value = 1000,
                               .object_time = 1250,
                               .object_freq = 100};
    prfdata_compute_value value;
    prfdata_compute_formatted formatted;

    (void)state;
    assert_int_equal(prfdata_compute(NULL, &raw, &value), OK);
    prfdata_compute_format(value, raw.type, PRFDATA_VALUE_LARGE, 0, &formatted);
    assert_int_equal(formatted.as_large, 2);

    raw.type = 0x20010100; /* an unknown type: a level in percent */
    raw.value = 150;
    assert_int_equal(prfdata_compute(NULL, &raw, &value), OK);
    prfdata_compute_format(value, raw.type, PRFDATA_VALUE_LARGE, 0, &formatted);
    assert_int_equal(formatted.as_large, 100);
    prfdata_compute_cap(raw.type, &value);
    assert_false(value.is_whole);
    assert_true(value.number == 100);
}

/* ---- Notes for people ---- */

static void test_compute_note_tells_what_documents_do_not_agree_on(void **state)
{
    static const struct {
        uint32_t type;
        const char *note;
    } cases[] = {
        {PERF_COUNTER_BULK_COUNT, ""},
        {PERF_COUNTER_MULTI_TIMER,
         "PERF_COUNTER_MULTI_TIMER: 100 * (N1 - N0) / (D1 - D0) / B1; N is in ticks of D, so that "
         "F is left out; some documents have (D1 - D0) / F"},
        {PERF_COUNTER_MULTI_TIMER_INV,
         "PERF_COUNTER_MULTI_TIMER_INV: 100 * (B1 - (N1 - N0) / (D1 - D0)); in percent of one "
         "component; older documents divide by B1"},
        {PERF_COUNTER_TEXT, "PERF_COUNTER_TEXT: a text, no number"},
        {PERF_COUNTER_NODATA, "PERF_COUNTER_NODATA: a label without a value"},
        {PERF_COUNTER_HISTOGRAM_TYPE,
         "PERF_COUNTER_HISTOGRAM_TYPE: the beginning or the end of a histogram, not a number"},
        {0x00060400, "counter type 0x00060400 is not predefined: the beginning or the end of a "
                     "histogram, not a number"},
        {PERF_RAW_BASE, "PERF_RAW_BASE: divides the counter before it, and has no value of its "
                        "own"},
        {0x10510500, "counter type 0x10510500 is not predefined: (N1 - N0) / ((D1 - D0) / F) by "
                     "its bits, D is PerfTime100nSec"},
        {0x00020000, "counter type 0x00020000 is not predefined: N1 / 1000 by its bits"},
        {0x12345678, "counter type 0x12345678 is not predefined: its bits are not "
                     "documented, so it has no value"},
        {0x00012000, "counter type 0x00012000 is not predefined: N1 by its bits; called "
                     "PERF_DOUBLE_RAW by WMI; read as a floating-point number of 8 bytes"},
        {0x40030503, "counter type 0x40030503 is not predefined: WMI's list calls it "
                     "PERF_LARGE_RAW_BASE, which is 0x40030500 in winperf.h; both divide the "
                     "counter before them"},
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool has_note = prfdata_counter_formula_note(cases[i].type, text, sizeof text);

        assert_string_equal(text, cases[i].note);
        assert_int_equal(has_note, *cases[i].note != '\0');
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        (void)prfdata_counter_formula_note(types[i].type, text, sizeof text);
        assert_true(strlen(text) < sizeof text - 1);
        (void)prfdata_counter_formula_note(types[i].type, text, 10);
        assert_true(strlen(text) < 10);
    }
}

static void test_compute_status_named_in_pdh_spelling(void **state)
{
    (void)state;
    assert_string_equal(prfdata_compute_status_name(0x800007D8), "PDH_CALC_NEGATIVE_VALUE");
    assert_string_equal(prfdata_compute_status_name(0xC0000BC6), "PDH_INVALID_DATA");
    assert_string_equal(prfdata_compute_status_name(0xC0000BBD), "PDH_INVALID_ARGUMENT");
    assert_string_equal(prfdata_compute_status_text(PRFDATA_STATUS_IS_TEXT),
                        "the counter is a text, not a number");
    assert_string_equal(prfdata_compute_status_text(1234), "unknown status");
    assert_string_equal(prfdata_compute_status_name(1234), "unknown status");
}

#ifdef _WIN32
static void test_compute_codes_and_names_are_those_of_pdh(void **state)
{
#define SAME(ours, theirs)                                                                         \
    assert_int_equal(PRFDATA_STATUS_##ours, theirs);                                               \
    assert_string_equal(prfdata_compute_status_name(theirs), #theirs)

    (void)state;
    SAME(OK, PDH_CSTATUS_VALID_DATA);
    SAME(NO_INSTANCE, PDH_CSTATUS_NO_INSTANCE);
    SAME(NO_DATA, PDH_NO_DATA);
    SAME(NEGATIVE_DENOMINATOR, PDH_CALC_NEGATIVE_DENOMINATOR);
    SAME(NEGATIVE_TIMEBASE, PDH_CALC_NEGATIVE_TIMEBASE);
    SAME(NEGATIVE_VALUE, PDH_CALC_NEGATIVE_VALUE);
    SAME(NO_OBJECT, PDH_CSTATUS_NO_OBJECT);
    SAME(NO_COUNTER, PDH_CSTATUS_NO_COUNTER);
    SAME(INVALID_DATA, PDH_CSTATUS_INVALID_DATA);
    SAME(INVALID_ARGUMENT, PDH_INVALID_ARGUMENT);
    SAME(NO_FORMULA, PDH_FUNCTION_NOT_FOUND);
    SAME(OUT_OF_RANGE, PDH_INSUFFICIENT_BUFFER);
    SAME(ONE_SAMPLE, PDH_INVALID_DATA);
    SAME(IS_TEXT, PDH_NOT_IMPLEMENTED);
#undef SAME
    assert_int_equal(PRFDATA_VALUE_LONG, PDH_FMT_LONG);
    assert_int_equal(PRFDATA_VALUE_DOUBLE, PDH_FMT_DOUBLE);
    assert_int_equal(PRFDATA_VALUE_LARGE, PDH_FMT_LARGE);
    assert_int_equal(PRFDATA_VALUE_NOSCALE, PDH_FMT_NOSCALE);
    assert_int_equal(PRFDATA_VALUE_1000, PDH_FMT_1000);
    assert_int_equal(PRFDATA_VALUE_NOCAP100, PDH_FMT_NOCAP100);
    assert_int_equal(sizeof(prfdata_compute_formatted), sizeof(PDH_FMT_COUNTERVALUE));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute_every_predefined_type_as_documented),
        cmocka_unit_test(test_compute_limits_and_types_that_are_not_predefined),
        cmocka_unit_test(test_compute_idle_is_zero_where_a_base_did_not_grow),
        cmocka_unit_test(test_compute_every_type_through_every_edge),
        cmocka_unit_test(test_compute_first_sample_alone),
        cmocka_unit_test(test_compute_types_ignore_what_is_not_in_their_formula),
        cmocka_unit_test(test_compute_extremes_never_give_infinity_or_nan),
        cmocka_unit_test(test_compute_format_caps_scales_and_converts),
        cmocka_unit_test(test_compute_format_large_keeps_whole_numbers_of_64_bits),
        cmocka_unit_test(test_compute_format_large_takes_the_result_not_its_numerator),
        cmocka_unit_test(test_compute_note_tells_what_documents_do_not_agree_on),
        cmocka_unit_test(test_compute_status_named_in_pdh_spelling),
#ifdef _WIN32
        cmocka_unit_test(test_compute_codes_and_names_are_those_of_pdh),
#endif
    };

    return cmocka_run_group_tests_name("compute", tests, NULL, NULL);
}
