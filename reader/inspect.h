/* SPDX-License-Identifier: MIT */
/* -q, -qx and -dump: what there is, once. */
#ifndef PRFDATA_READER_INSPECT_H
#define PRFDATA_READER_INSPECT_H

#include "session.h"

/* Add the objects that the options name. Unknown ones are told. */
void prfdata_inspect_add_objects(prfdata_session *session, prfdata_index_set *set);

/* Tell which of them are not there: an object may have a title and no provider that answers. */
void prfdata_inspect_tell_absent(prfdata_session *session, const prfdata_sample *sample);

/* List the counters of the objects that the options name, or of all. */
void prfdata_inspect_list(prfdata_session *session);

/* Print every field of a sample of the objects that the options name, or of all. */
void prfdata_inspect_dump(prfdata_session *session);

#endif
