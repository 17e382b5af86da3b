/* SPDX-License-Identifier: MIT */
/* Reads a reply into its objects, counters and instances. */
#ifndef PRFDATA_READER_VALIDATE_REPLY_H
#define PRFDATA_READER_VALIDATE_REPLY_H

#include "validate/validated.h"

/*
 * Begin with a reply, and read it as far as its lengths are valid. Checks the lengths, and
 * everything else that determines where the parts are.
 *
 * titles    NULL: not known, so not checked.
 * findings  NULL: the reply is only read.
 *
 * Owner: the caller; release with prfdata_validated_free().
 */
void prfdata_validate_reply_read(prfdata_validated *j, const prfdata_validate_reply *reply,
                                 const prfdata_validate_titles *titles, bool is_metadata,
                                 prfdata_findings *findings);

void prfdata_validate_reply_check(prfdata_validated *j);

#endif
