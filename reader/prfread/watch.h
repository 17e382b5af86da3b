/* SPDX-License-Identifier: MIT */
/* Print a row of values per sample: what prfread does with counter paths. */
#ifndef PRFDATA_READER_WATCH_H
#define PRFDATA_READER_WATCH_H

#include "prfread/task.h"

/* Until there are enough samples, or somebody stops the program. */
void prfdata_watch_run(prfdata_task *task);

#endif
