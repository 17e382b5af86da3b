/* SPDX-License-Identifier: MIT */
/* Declares what the kit and its provider share: the names of registry values and of answers. */
#ifndef PRFDATA_KIT_PROBE_H
#define PRFDATA_KIT_PROBE_H

#define PROBE_SERVICE      L"PrfDataKitProbe"
#define PROBE_KEY          L"SYSTEM\\CurrentControlSet\\Services\\" PROBE_SERVICE
#define PROBE_PERFORMANCE  PROBE_KEY L"\\Performance"
#define PROBE_FIRST        7780000u      /* the object's title index if loadperf gave none */
#define PROBE_VALUE_ANSWER L"Kit Answer" /* REG_SZ: the name of an answer below */
#define PROBE_VALUE_TRAIL  L"Kit Trail"  /* REG_SZ: the file that calls are written to */
/* REG_DWORD: milliseconds for slow, bytes for large, increments for wrap */
#define PROBE_VALUE_NUMBER L"Kit Number"

/* The answers that the provider can give. Any other word means `right`. */
#define PROBE_ANSWERS(ANSWER)                                                                      \
    ANSWER(right)      /* no instances; levels 42, 500, and 500 with a DefaultScale of 2 */        \
    ANSWER(slow)       /* the reply of `right`, after Kit Number milliseconds */                   \
    ANSWER(open_fails) /* Open returns 5 */                                                        \
    ANSWER(pointer)    /* the returned pointer is 8 bytes beyond what the length says */           \
    ANSWER(lengths)    /* the object's TotalByteLength is 64 bytes too long */                     \
    ANSWER(zero_block) /* 0 instances, and a zero counter block where the first one would be */    \
    ANSWER(unaligned)  /* the reply has 4 bytes more than a multiple of 8 */                       \
    ANSWER(large)      /* so many instances that the reply has about Kit Number bytes */           \
    ANSWER(odd_names)  /* instances named with every character that paths use */                   \
    ANSWER(unique_ids) /* instances 7 and 8, without names */                                      \
    ANSWER(numbered)   /* instances 7 and 8 with empty names, as our provider writes them */       \
    ANSWER(fraction)   /* a fraction whose base has the title index 0 */                           \
    ANSWER(total)      /* instances _Total, b, a */                                                \
    ANSWER(wrap)       /* a DWORD rate, 0xFFFFFF00 plus Kit Number: it wraps at 0x100 */           \
    ANSWER(average)    /* an AVERAGE_TIMER: a reading adds an operation of 1 s and 2^32 ticks */

#endif
