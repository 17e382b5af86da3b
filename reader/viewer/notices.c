/* SPDX-License-Identifier: MIT */
/* Keeps a notice and the states; the caller gives the time. */
#include "viewer/notices.h"

#define DASH " \xE2\x80\x93 "

void prfdata_notices_say(prfdata_notices *notices, prfdata_text text, uint64_t now_ms)
{
    if (!prfdata_text_copy(text, &notices->said))
        prfdata_text_free(&notices->said);
    notices->said_ms = now_ms;
}

void prfdata_notices_set(prfdata_notices *notices, prfdata_notices_state state, prfdata_text text)
{
    if (!prfdata_text_copy(text, &notices->states[state]))
        prfdata_text_free(&notices->states[state]);
}

void prfdata_notices_put(const prfdata_notices *notices, uint64_t now_ms, prfdata_output *output)
{
    const size_t before = output->used;

    if (notices->said.count > 0 && now_ms - notices->said_ms < PRFDATA_NOTICES_MS) {
        prfdata_output_put_text(output, notices->said);
        return;
    }
    for (unsigned i = 0; i < PRFDATA_NOTICES_STATES; i++) {
        if (notices->states[i].count == 0)
            continue;
        if (output->used > before)
            prfdata_output_put_string(output, DASH);
        prfdata_output_put_text(output, notices->states[i]);
    }
}

void prfdata_notices_free(prfdata_notices *notices)
{
    prfdata_text_free(&notices->said);
    for (unsigned i = 0; i < PRFDATA_NOTICES_STATES; i++)
        prfdata_text_free(&notices->states[i]);
}
