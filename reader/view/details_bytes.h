/* SPDX-License-Identifier: MIT */
/* The bytes of a counter in its block, field by field. */
#ifndef PRFDATA_READER_DETAILS_BYTES_H
#define PRFDATA_READER_DETAILS_BYTES_H

#include "block/sample.h"
#include "text/output.h"

/* Put the PERF_COUNTER_DEFINITION: a line for each field. */
void prfdata_details_put_definition(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_decode_counter *counter);

/*
 * Put the instance's definition and its counter block, with the counter's bytes in brackets.
 *
 * block_words  What follows the block's size in bytes.
 */
void prfdata_details_put_values(prfdata_output *output, const char *block_words,
                                const prfdata_sample *sample,
                                const prfdata_sample_instance *instance,
                                const prfdata_decode_counter *counter);

#endif
