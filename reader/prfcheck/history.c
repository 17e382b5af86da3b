/* SPDX-License-Identifier: MIT */
/* Keeps a copy of a reply. Does not judge it. */
#include "prfcheck/history.h"

#include <stdlib.h>
#include <string.h>

void prfdata_history_forget(prfdata_history *history)
{
    free(history->bytes);
    memset(history, 0, sizeof *history);
}

void prfdata_history_remember(prfdata_history *history, const prfdata_judge_reply *reply)
{
    prfdata_history_forget(history);
    history->bytes = malloc(reply->size + 1);
    if (!history->bytes)
        return;
    memcpy(history->bytes, reply->bytes, reply->size);
    history->reply = *reply;
    history->reply.bytes = history->bytes;
}
