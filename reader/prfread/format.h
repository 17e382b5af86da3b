/* SPDX-License-Identifier: MIT */
/*
 * Declares the output formats of -f. To add a format, write a file that defines the format, and
 * list the file in reader/prfread/CMakeLists.txt. Also add a line to PRFDATA_FORMATS, from which
 * the option, its messages and the help are made.
 *
 * A format writes either rows or expositions. A row has the values that are computed from a sample
 * and the one before. An exposition is a whole text about one sample. A format leaves the functions
 * of the other kind NULL.
 */
#ifndef PRFDATA_READER_FORMAT_H
#define PRFDATA_READER_FORMAT_H

#include "compute/statistics.h"
#include "os/clock.h"
#include "paths/json.h"
#include "prometheus/open_metrics.h"

/*
 * The line X(csv, "CSV") means that the variable prfdata_format_csv defines the format CSV. The
 * help has the formats in this order. The first format is the default of -f.
 */
#define PRFDATA_FORMATS(X)                                                                         \
    X(csv, "CSV")                                                                                  \
    X(tsv, "TSV")                                                                                  \
    X(long, "LONG")                                                                                \
    X(json, "JSON")                                                                                \
    X(om, "OM")                                                                                    \
    X(prom, "PROM")

#define PRFDATA_FORMAT_WITH_BLANK(symbol, name) " " name

/* " CSV TSV ..." */
#define PRFDATA_FORMAT_NAMES PRFDATA_FORMATS(PRFDATA_FORMAT_WITH_BLANK)

typedef struct prfdata_format_rows {
    const struct prfdata_format *format;
    const prfdata_columns *columns;
    prfdata_json_heads *json_heads;
    const prfdata_output_taker *taker; /* takes pieces of rows while they are put */
    bool is_file;                      /* rows go to the file of -o; otherwise to standard output */
    /*
     * The zone of the first row. In a file it applies to all rows, because the heading names it
     * only once.
     */
    prfdata_clock_zone zone;
} prfdata_format_rows;

typedef struct prfdata_format {
    const char *name;
    /* PDH reads files of this format, so without -utf8 they are in the system's ANSI code page. */
    bool is_pdh_log;
    /* The text for the help topic `formats`: lines of at most 69 characters, each with \n. The
     * texts of all formats must fit a screen of 24 lines together. */
    const char *help;

    /*
     * Put the text before the rows, or before further rows with more columns. NULL: there is none.
     *
     * is_first  Whether nothing was written before.
     */
    void (*put_header)(const prfdata_format_rows *rows, bool is_first, prfdata_output *output);

    /*
     * Put a row of the values that prfdata_columns_compute() has found. A long row may be passed to
     * rows->taker in pieces.
     *
     * system_time  SYSTEMTIME's eight numbers in UTC; NULL: there is no sample.
     */
    void (*put_row)(const prfdata_format_rows *rows, const uint16_t *system_time,
                    prfdata_output *output);

    /*
     * Put the fields that a row lacks if the table has `count` more columns than the row. NULL: the
     * format has no fixed number of columns.
     */
    void (*put_missing)(const prfdata_format_rows *rows, size_t count, prfdata_output *output);

    /* Put statistics, one for each column, after the last row. Statistics always go to standard
     * output. */
    void (*put_statistics)(const prfdata_format_rows *rows, const prfdata_statistics *statistics,
                           prfdata_output *output);

    /* Put an exposition of a sample; `moment` is as for prfdata_open_metrics_put(). */
    void (*put_exposition)(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                           const prfdata_titles *titles, const prfdata_open_metrics_moment *moment,
                           prfdata_output *output);
} prfdata_format;

#define PRFDATA_FORMAT_DECLARE(symbol, name) extern const prfdata_format prfdata_format_##symbol;
PRFDATA_FORMATS(PRFDATA_FORMAT_DECLARE)

/* Return the format at a position of the list; NULL after the last. */
const prfdata_format *prfdata_format_at(size_t position);

/* Find the format with this name, in any case; NULL: there is none. */
const prfdata_format *prfdata_format_find(prfdata_text name);

#endif
