/* SPDX-License-Identifier: MIT */
/*
 * Writes the configuration of windows_exporter, and parts of it for programs that contain
 * windows_exporter. Portable.
 */
#ifndef PRFDATA_EMIT_WINDOWS_EXPORTER_H
#define PRFDATA_EMIT_WINDOWS_EXPORTER_H

#include "map/model.h"
#include "report/quoted_text.h"

/*
 * Put the list of objects for the collector performancecounter of windows_exporter. The list is
 * JSON, and therefore also YAML.
 */
void prfdata_emit_windows_exporter_put_objects(prfdata_quoted_text *text,
                                               const prfdata_model *const *models, size_t count);

#endif
