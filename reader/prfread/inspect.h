/* SPDX-License-Identifier: MIT */
/* Implements -q, -qx and -dump, which show the content of a sample, and takes samples for -save. */
#ifndef PRFDATA_READER_INSPECT_H
#define PRFDATA_READER_INSPECT_H

#include "prfread/task.h"

/*
 * Take a sample of the objects that the options name, or of all objects. Names that are unknown, or
 * whose provider does not answer, are reported.
 *
 * Returns NULL if there is nothing to take, or after a failure, which is reported. Owner: the
 * caller; release with prfdata_sample_free().
 */
prfdata_sample *prfdata_inspect_take(prfdata_task *task);

/*
 * Take a further sample of the objects, with the titles that the names have now. Unknown names are
 * not reported again.
 *
 * set, query  {0} and NULL at first, and after titles have changed; kept between calls. Release
 *             with prfdata_title_set_free() and free().
 *
 * Result and owner as for prfdata_inspect_take().
 */
prfdata_sample *prfdata_inspect_take_again(prfdata_task *task, prfdata_title_set *set,
                                           uint16_t **query);

/*
 * List the counters of the objects that the options name, or of all objects. All problems are
 * reported.
 *
 * Returns prfdata_task_status().
 */
uint32_t prfdata_inspect_list(prfdata_task *task);

/*
 * Write every field of the objects that the options name. If the options name no object, or a name
 * is unknown, write all objects. All problems are reported. Returns prfdata_task_status().
 */
uint32_t prfdata_inspect_dump(prfdata_task *task);

#endif
