/* SPDX-License-Identifier: MIT */
/* Checks one provider in separate processes until all scenarios have run or the check is given
 * up. */
#ifndef PRFDATA_READER_FOLLOW_H
#define PRFDATA_READER_FOLLOW_H

#include <windows.h>

#include "prfcheck/check_report.h"

/* Run all scenarios that the report's options want. If a process ends early, a new one continues
 * with the next scenario. Returns ERROR_SUCCESS, or the reason why no process could be started. */
DWORD prfdata_follow_provider(prfdata_check_report *report);

#endif
