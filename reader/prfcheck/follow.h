/* SPDX-License-Identifier: MIT */
/* Checks one provider in processes of its own until all scenarios have run or none can succeed. */
#ifndef PRFDATA_READER_FOLLOW_H
#define PRFDATA_READER_FOLLOW_H

#include <windows.h>

#include "prfcheck/check_report.h"

/*
 * Run all scenarios that the report's options ask for: in another process after each that ended.
 * Returns ERROR_SUCCESS, or why no process could be started.
 */
DWORD prfdata_follow_provider(prfdata_check_report *report);

#endif
