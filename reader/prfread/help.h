/* SPDX-License-Identifier: MIT */
/* Prints the help of prfread -?. */
#ifndef PRFDATA_READER_HELP_H
#define PRFDATA_READER_HELP_H

#include "text/output.h"

/*
 * Put the help on a topic, at most 24 lines of 79 characters.
 *
 * topic  In any case; empty: the overview.
 *
 * Returns false, and puts nothing, if there is no such topic.
 */
bool prfdata_help_put(prfdata_output *output, prfdata_text topic);

/* Return the topics in their order, "" first; NULL after the last. */
const char *prfdata_help_topic(size_t index);

#endif
