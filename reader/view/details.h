/* SPDX-License-Identifier: MIT */
/*
 * Describes everything about a counter of an instance as text, for authors of providers: its
 * meaning, the formula of its value with the actual numbers, and the bytes of its structures. The
 * names of fields are those of winperf.h; all other words come from text/words.h.
 */
#ifndef PRFDATA_READER_DETAILS_H
#define PRFDATA_READER_DETAILS_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/output.h"
#include "view/chart.h"

/*
 * Put the details of a counter, without its path, in lines that end in CR LF.
 *
 * style  How to write the value. The inputs of the formula have plain digits, so that they can be
 *        copied.
 * older  The sample before; NULL: there is none.
 */
void prfdata_details_put(prfdata_output *output, prfdata_number_style style,
                         const prfdata_chart_key *key, const prfdata_titles *titles,
                         const prfdata_sample *older, const prfdata_sample *newer);

/*
 * Put the path and the structure of an object or an instance. After an instance, put its counter
 * block with the values. An object without instances has a counter block itself. If the sample
 * lacks the object or instance, say so.
 *
 * key  Names the instance or, without a label, the object. key->counter_title is 0.
 */
void prfdata_details_put_structure(prfdata_output *output, const prfdata_chart_key *key,
                                   const prfdata_titles *titles, const prfdata_sample *sample);

/* Put \Object(Label)\Counter. Leave out (Label) if `has_instances` is false. Leave out \Counter if
 * the key has no counter. The names of titles are English. A title without a name is a number. */
void prfdata_details_put_path(prfdata_output *output, const prfdata_chart_key *key,
                              const prfdata_titles *titles, bool has_instances);

#endif
