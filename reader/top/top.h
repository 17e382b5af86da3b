/* SPDX-License-Identifier: MIT */
/* Shows counters live in a terminal: samples, keys and frames until the user quits. */
#ifndef PRFDATA_READER_TOP_H
#define PRFDATA_READER_TOP_H

#include "paths/requests.h"

typedef struct prfdata_top_parameters {
    uint32_t interval_ms;
    uint32_t sample_count; /* number of samples after the first one; 0: until the user quits */
    bool is_capped;        /* percentages above 100 become 100 */
} prfdata_top_parameters;

/*
 * Show what the requests ask for until the user quits, the terminal is closed, or sample_count
 * samples, including failed ones, were taken after the first one. If the source is recorded, show
 * its last sample and ignore sample_count. If there is no first sample, show nothing.
 *
 * session   Its `messages` are not NULL. Problems that occur while the screen is used are added to
 *           them afterwards.
 * requests  Invalid requests are not shown.
 *
 * Returns ERROR_SUCCESS (also without a first sample), ERROR_INVALID_HANDLE (standard input or
 * output is not a terminal), ERROR_GEN_FAILURE (cannot write to the terminal) or another reason why
 * the terminal cannot be used. All failures are reported.
 */
uint32_t prfdata_top_run(prfdata_session *session, prfdata_requests *requests,
                         const prfdata_top_parameters *parameters);

#endif
