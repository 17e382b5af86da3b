/* SPDX-License-Identifier: MIT */
/*
 * From a sample to the readings of the live view: what a path means becomes rows, with names in the
 * language in which the path has them.
 */
#ifndef PRFDATA_READER_TOP_SAMPLE_H
#define PRFDATA_READER_TOP_SAMPLE_H

#include "paths/resolver.h"
#include "top/top_view.h"

/*
 * Add to the view what a path means in the sample. If that is nothing, add a row that says why.
 *
 * view    Between prfdata_top_view_begin() and prfdata_top_view_end().
 * titles  Its help texts must live as long as the view.
 */
void prfdata_top_sample_add(prfdata_top_view *view, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample);

#endif
