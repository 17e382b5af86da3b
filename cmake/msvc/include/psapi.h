/* SPDX-License-Identifier: MIT */
/* Completes Wine's psapi.h with the structure that it lacks. Source: "PROCESS_MEMORY_COUNTERS_EX
 * structure (psapi.h)" on learn.microsoft.com. */
#ifndef PRFDATA_OVERLAY_PSAPI_H
#define PRFDATA_OVERLAY_PSAPI_H

#include_next <psapi.h>

typedef struct _PROCESS_MEMORY_COUNTERS_EX {
    DWORD cb;
    DWORD PageFaultCount;
    SIZE_T PeakWorkingSetSize;
    SIZE_T WorkingSetSize;
    SIZE_T QuotaPeakPagedPoolUsage;
    SIZE_T QuotaPagedPoolUsage;
    SIZE_T QuotaPeakNonPagedPoolUsage;
    SIZE_T QuotaNonPagedPoolUsage;
    SIZE_T PagefileUsage;
    SIZE_T PeakPagefileUsage;
    SIZE_T PrivateUsage;
} PROCESS_MEMORY_COUNTERS_EX, *PPROCESS_MEMORY_COUNTERS_EX;

#endif
