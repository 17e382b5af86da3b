/* SPDX-License-Identifier: MIT */
/*
 * Uses a timer of the system's thread pool to report that a call takes long. If the report is being
 * made when the call ends, prfdata_slow_call_end() waits for the report.
 */
#include "source/slow_call.h"

uint32_t prfdata_slow_call_limit_ms = 5000;

static void CALLBACK report_slow_call(void *context, BOOLEAN is_timer)
{
    prfdata_slow_call *call = context;
    prfdata_output text = {0};

    (void)is_timer;
    prfdata_output_put_string(&text, "Waiting: ");
    prfdata_output_put_text(&text, call->subject);
    prfdata_output_format(&text, " has not answered for %u seconds",
                          (unsigned)(prfdata_slow_call_limit_ms / 1000));
    prfdata_output_put(&text, "", 1);
    if (!text.failed)
        prfdata_messages_put(call->messages, &(prfdata_message){.severity = PRFDATA_SEVERITY_HINT,
                                                                .problem = "Waiting",
                                                                .text = text.bytes});
    prfdata_output_free(&text);
    call->is_reported = true;
}

void prfdata_slow_call_begin(prfdata_slow_call *call)
{
    call->timer = NULL;
    if (call->messages && !call->is_reported &&
        !CreateTimerQueueTimer(&call->timer, NULL, report_slow_call, call,
                               prfdata_slow_call_limit_ms, 0, WT_EXECUTEONLYONCE))
        /* Continue without a timer, because the call itself is more important. */
        call->timer = NULL;
}

void prfdata_slow_call_end(prfdata_slow_call *call)
{
    if (call->timer)
        (void)DeleteTimerQueueTimer(NULL, call->timer, INVALID_HANDLE_VALUE);
    call->timer = NULL;
}
