/* SPDX-License-Identifier: MIT */
/* Defines the formats OM and PROM. prometheus/open_metrics.c writes them. */
#include "prfread/format.h"

static void write_open_metrics(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                               const prfdata_titles *titles,
                               const prfdata_open_metrics_moment *moment, prfdata_output *output)
{
    prfdata_open_metrics_put(metrics, sample, titles, moment, PRFDATA_DIALECT_OPEN_METRICS, output);
}

static void write_prometheus(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                             const prfdata_titles *titles,
                             const prfdata_open_metrics_moment *moment, prfdata_output *output)
{
    prfdata_open_metrics_put(metrics, sample, titles, moment, PRFDATA_DIALECT_PROMETHEUS, output);
}

const prfdata_format prfdata_format_om = {
    .name = "OM",
    .help = "OpenMetrics 1.0, as prfread -? prometheus explains.\n",
    .put_exposition = write_open_metrics,
};

const prfdata_format prfdata_format_prom = {
    .name = "PROM",
    .help = "Prometheus's text format 0.0.4.\n",
    .put_exposition = write_prometheus,
};
