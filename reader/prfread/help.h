/* SPDX-License-Identifier: MIT */
/* What prfread -? prints. */
#ifndef PRFDATA_READER_HELP_H
#define PRFDATA_READER_HELP_H

#include "text/text.h"

/* The help on a topic, ignoring case; an empty one is the overview. NULL: there is no such topic.
 */
const char *prfdata_help_text(prfdata_text topic);

/* The topics in their order, "" first; NULL behind the last. */
const char *prfdata_help_topic(size_t index);

#endif
