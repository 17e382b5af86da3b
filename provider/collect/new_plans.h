/* SPDX-License-Identifier: MIT */
/* Declares how plans are made from a merge, so that the next answer is faster. */
#ifndef PRFDATA_NEW_PLANS_H
#define PRFDATA_NEW_PLANS_H

#include "collect/request.h"

/*
 * Makes plans for all wanted objects and gives them to a new basis, if plans may answer the next
 * Collects. They may not, for instance, if the request's merge has not read all regions, because a
 * plan cannot detect that an unreadable region has become readable.
 *
 * bytes  The bytes written, or NULL if the buffer was too small. Readers retry with slightly larger
 *        buffers many times; plans make these retries cheap.
 */
void prfdata_new_plans_make(const prfdata_collect_request *request, const uint8_t *bytes);

#endif
