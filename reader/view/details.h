/* SPDX-License-Identifier: MIT */
/*
 * Everything that is known of a counter of an instance, as text for those who write providers: what
 * it means, how its value was computed with the numbers put in, and its bytes. English, like the
 * names of the structures' fields.
 */
#ifndef PRFDATA_READER_DETAILS_H
#define PRFDATA_READER_DETAILS_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/output.h"
#include "view/chart.h"

/*
 * Put the details of a counter, in lines that end in CR LF.
 *
 * older  The sample before; NULL: there is none.
 */
void prfdata_details_put(prfdata_output *output, const prfdata_series_key *key,
                         const prfdata_titles *titles, const prfdata_sample *older,
                         const prfdata_sample *newer);

/* Put \Object(Label)\Counter in English, or title indexes. */
void prfdata_details_put_path(prfdata_output *output, const prfdata_series_key *key,
                              const prfdata_titles *titles, bool has_instances);

#endif
