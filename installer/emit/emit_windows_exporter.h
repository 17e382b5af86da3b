/* SPDX-License-Identifier: MIT */
/* The configuration that windows_exporter reads, for every program that contains it. Portable. */
#ifndef PRFDATA_EMIT_WINDOWS_EXPORTER_H
#define PRFDATA_EMIT_WINDOWS_EXPORTER_H

#include "map/model.h"
#include "report/quoted_text.h"

/* Put the list of objects of its collector performancecounter: JSON, which is YAML, too. */
void prfdata_emit_windows_exporter_put_objects(prfdata_quoted_text *text,
                                               const prfdata_model *const *models, size_t count);

/* Put a comment, which begins with `before`, for each counter that is not in the list. */
void prfdata_emit_windows_exporter_put_left_out(prfdata_quoted_text *text,
                                                const prfdata_model *const *models, size_t count,
                                                const char *before);

#endif
