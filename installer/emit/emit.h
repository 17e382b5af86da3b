/* SPDX-License-Identifier: MIT */
/*
 * Writes texts from maps: configurations for programs that collect, show or watch the counters,
 * pages for people, and the map in other forms. No installation is needed or read. Portable.
 */
#ifndef PRFDATA_EMIT_H
#define PRFDATA_EMIT_H

#include "map/model.h"
#include "report/quoted_text.h"

/*
 * Put the configuration for some maps.
 *
 * models   The maps, in the order in which the configuration lists them.
 * program  The name of the writing program, for the first line.
 */
typedef void prfdata_emit_put(prfdata_quoted_text *text, const prfdata_model *const *models,
                              size_t count, const char *program);

/*
 * Put why a kind of configuration leaves the counter out, and what to do instead. Put nothing if
 * the kind has the counter, or if the counter is the base of another counter.
 */
typedef void prfdata_emit_put_obstacle(prfdata_quoted_text *reason, const prfdata_model *model,
                                       const prfdata_model_object *object,
                                       const prfdata_model_counter *counter);

/* The kinds of configuration: the name, the functions, and the purpose. */
#define PRFDATA_EMIT_KINDS(X)                                                                      \
    X(OpenTelemetry, prfdata_emit_opentelemetry, prfdata_emit_item_obstacle,                       \
      "the Collector's receiver windowsperfcounters")                                              \
    X(Telegraf, prfdata_emit_telegraf, prfdata_emit_item_obstacle, "its input win_perf_counters")  \
    X(WindowsExporter, prfdata_emit_windows_exporter, prfdata_emit_windows_exporter_obstacle,      \
      "its collector performancecounter")                                                          \
    X(Alloy, prfdata_emit_alloy, prfdata_emit_windows_exporter_obstacle,                           \
      "its component prometheus.exporter.windows")                                                 \
    X(Zabbix, prfdata_emit_zabbix, prfdata_emit_zabbix_obstacle,                                   \
      "a template for hosts with Zabbix agent, 6.0 or later")                                      \
    X(Grafana, prfdata_emit_grafana, prfdata_emit_item_obstacle, "a dashboard over Prometheus")    \
    X(Prometheus, prfdata_emit_prometheus, prfdata_emit_item_obstacle,                             \
      "recording and alerting rules")                                                              \
    X(Markdown, prfdata_emit_markdown, prfdata_emit_none_obstacle, "a page of all counters")       \
    X(MapFile, prfdata_emit_map_file, prfdata_emit_none_obstacle,                                  \
      "the map of one service as a map file")                                                      \
    X(C, prfdata_emit_c, prfdata_emit_none_obstacle, "the map of one service in C")                \
    X(Cpp, prfdata_emit_cpp, prfdata_emit_cpp_obstacle,                                            \
      "typed handles for the counters of one service in C++")

#define PRFDATA_EMIT_DECLARATION(name, function, obstacle, help) prfdata_emit_put function;
PRFDATA_EMIT_KINDS(PRFDATA_EMIT_DECLARATION)

prfdata_emit_put_obstacle prfdata_emit_none_obstacle, prfdata_emit_item_obstacle,
    prfdata_emit_windows_exporter_obstacle, prfdata_emit_zabbix_obstacle, prfdata_emit_cpp_obstacle;

/* Put a line for each counter that is left out, as a comment that begins with `before`. */
void prfdata_emit_put_left_out(prfdata_quoted_text *text, const prfdata_model *const *models,
                               size_t count, const char *before,
                               prfdata_emit_put_obstacle *obstacle);

/* Put the origin of the text: "# Written by installer -Emit Grafana.\n". */
void prfdata_emit_put_origin(prfdata_quoted_text *text, const char *before, const char *program,
                             const char *kind, const char *after);

/*
 * Returns whether the origin near the beginning of these bytes says that -Emit wrote them as this
 * kind of configuration.
 */
bool prfdata_emit_wrote(const void *bytes, size_t size, prfdata_emit_put *put);

/*
 * Return the function for a kind of configuration, ignoring case. NULL if there is no such kind.
 */
prfdata_emit_put *prfdata_emit_find(const wchar_t *kind);

/*
 * Write the configuration for these maps.
 *
 * text   Set, even on failure; release it with prfdata_quoted_text_free().
 * notes  NULL, or gets a line for each counter that is left out; set and released like `text`.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (a map has mistakes: -Check lists them) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_emit(prfdata_emit_put *put, const prfdata_map *const *maps, size_t count,
                      const char *program, prfdata_quoted_text *text, prfdata_quoted_text *notes);

#endif
