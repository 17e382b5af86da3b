/* SPDX-License-Identifier: MIT */
/* Writes alerting rules for Prometheus about the health that a map shows (PRFDATA_MAP_HEALTH). */
#ifndef PRFDATA_EMIT_HEALTH_H
#define PRFDATA_EMIT_HEALTH_H

#include "map/model.h"
#include "report/quoted_text.h"

/* Put a rule for each counter of the map's health; put nothing if the map has no such counter. */
void prfdata_emit_health_put(prfdata_quoted_text *text, const prfdata_model *model);

#endif
