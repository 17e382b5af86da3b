/* SPDX-License-Identifier: MIT */
/*
 * Writes the configuration of Grafana Alloy's component prometheus.exporter.windows. The component
 * contains windows_exporter: 0.31.1 in Alloy 1.11, 0.31.3 from 1.12 to 1.19 (go.mod). Alloy reads
 * the list of objects as YAML from a string
 * (internal/static/integrations/windows_exporter/config_windows.go). This file writes a raw string,
 * between backquotes, in which nothing escapes a backquote (syntax/scanner). So the list is written
 * in JSON, where \u0060 stands for a backquote. Portable.
 */
#include "emit/emit.h"
#include "emit/emit_windows_exporter.h"

static void put_raw_objects(prfdata_quoted_text *text, const prfdata_model *const *models,
                            size_t count)
{
    prfdata_quoted_text objects = {0};

    prfdata_emit_windows_exporter_put_objects(&objects, models, count);
    prfdata_quoted_text_put_replaced(text, prfdata_quoted_text_get(&objects), "`", "\\u0060");
    text->has_failed |= objects.has_failed;
    prfdata_quoted_text_free(&objects);
}

void prfdata_emit_alloy(prfdata_quoted_text *text, const prfdata_model *const *models, size_t count,
                        const char *program)
{
    prfdata_emit_put_origin(text, "// ", program, "Alloy", "\n");
    prfdata_quoted_text_put(
        text,
        "// For Grafana Alloy 1.11 or later, whose windows_exporter reads bases. It looks for\n"
        "// counters at its start: restart Alloy after -Install. If there is such a component\n"
        "// already, put the collector's name and its block there. Scrape it, for instance by\n"
        "//     prometheus.scrape \"prfdata\" {\n"
        "//       targets    = prometheus.exporter.windows.prfdata.targets\n"
        "//       forward_to = [...]\n"
        "//     }\n");
    prfdata_emit_put_left_out(text, models, count, "// ", prfdata_emit_windows_exporter_obstacle);
    prfdata_quoted_text_put(text, "prometheus.exporter.windows \"prfdata\" {\n"
                                  "  enabled_collectors = [\"performancecounter\"]\n\n"
                                  "  performancecounter {\n    objects = `\n");
    put_raw_objects(text, models, count);
    prfdata_quoted_text_put(text, "    `\n  }\n}\n");
}
