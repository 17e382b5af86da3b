/* SPDX-License-Identifier: MIT */
/*
 * Writes configurations for other programs from maps: these programs collect the counters, show
 * them, or alert on them. It needs no installation and reads none. Portable.
 */
#ifndef PRFDATA_EMIT_H
#define PRFDATA_EMIT_H

#include "map/model.h"
#include "report/quoted_text.h"

/*
 * Put the configuration for these maps.
 *
 * models   In the order of the maps.
 * program  The name of the writing program, for the first line.
 */
typedef void prfdata_emit_put(prfdata_quoted_text *text, const prfdata_model *const *models,
                              size_t count, const char *program);

/* The kinds of configuration: the name, the function, and the purpose. */
#define PRFDATA_EMIT_KINDS(X)                                                                      \
    X(OpenTelemetry, prfdata_emit_opentelemetry, "the Collector's receiver windowsperfcounters")   \
    X(Telegraf, prfdata_emit_telegraf, "its input win_perf_counters")                              \
    X(WindowsExporter, prfdata_emit_windows_exporter, "its collector performancecounter")          \
    X(Alloy, prfdata_emit_alloy, "its component prometheus.exporter.windows")                      \
    X(Zabbix, prfdata_emit_zabbix, "a template for hosts with Zabbix agent, 6.0 or later")         \
    X(Grafana, prfdata_emit_grafana, "a dashboard over Prometheus")                                \
    X(Prometheus, prfdata_emit_prometheus, "recording and alerting rules")                         \
    X(Markdown, prfdata_emit_markdown, "a page of all counters")                                   \
    X(MapFile, prfdata_emit_map_file, "the map of one service as a map file")                      \
    X(C, prfdata_emit_c, "the map of one service in C")                                            \
    X(Cpp, prfdata_emit_cpp, "typed handles for the counters of one service in C++")

#define PRFDATA_EMIT_DECLARATION(name, function, help) prfdata_emit_put function;
PRFDATA_EMIT_KINDS(PRFDATA_EMIT_DECLARATION)

/* Put the origin of the text: "# Written by installer -Emit Grafana.\n". */
void prfdata_emit_put_origin(prfdata_quoted_text *text, const char *before, const char *program,
                             const char *kind, const char *after);

/* Whether -Emit wrote these bytes, with this kind: each configuration begins with its origin. */
bool prfdata_emit_wrote(const void *bytes, size_t size, prfdata_emit_put *put);

/*
 * Find the next comment of a configuration that says what it leaves out, and what to do instead.
 *
 * from   The beginning of the search: the text, or the end of an earlier note.
 * bytes  Set: the length of the note, without the mark of the comment.
 *
 * Returns the note, or NULL if there is none.
 */
const char *prfdata_emit_next_note(const char *from, size_t *bytes);

/*
 * The function for a kind of configuration, whose case does not matter. NULL if there is no such
 * kind.
 */
prfdata_emit_put *prfdata_emit_find(const wchar_t *kind);

/*
 * Write the configuration for these maps.
 *
 * text  Set, also on failure; release it with prfdata_quoted_text_free().
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (a map has mistakes: -Check lists them) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_emit(prfdata_emit_put *put, const prfdata_map *const *maps, size_t count,
                      const char *program, prfdata_quoted_text *text);

#endif
