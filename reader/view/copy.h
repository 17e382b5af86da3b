/* SPDX-License-Identifier: MIT */
/*
 * Writes the table, or the lines of the chart, for the clipboard: as fields with tabs between them,
 * with the numbers that the user sees.
 */
#ifndef PRFDATA_READER_COPY_H
#define PRFDATA_READER_COPY_H

#include "text/output.h"
#include "view/chart.h"
#include "view/table.h"

/* Headings, in the user's language. */
typedef struct prfdata_copy_words {
    prfdata_text instance;
    prfdata_text counter;
    prfdata_text value;
    prfdata_text help;
    prfdata_text line;
    prfdata_text last;
    prfdata_text least;
    prfdata_text mean;
    prfdata_text most;
} prfdata_copy_words;

/*
 * Put the shown rows whose instances still exist, with the visible columns. If the object has no
 * instances, also put the help of its counters. A cell without a value contains the reason. Lines
 * end in CR LF; a control character in a text becomes a blank, and a text that looks like a formula
 * gets an apostrophe. A text that begins with a quotation mark is quoted.
 *
 * selected_only  Put only the selected rows.
 */
void prfdata_copy_table(prfdata_output *output, const prfdata_table *table,
                        const prfdata_copy_words *words, prfdata_number_style style,
                        bool selected_only);

/* Put the lines that are not hidden, in the form of prfdata_copy_table(): path, and the last,
 * lowest, mean and highest value of the visible part. */
void prfdata_copy_lines(prfdata_output *output, const prfdata_chart *chart,
                        const prfdata_copy_words *words, prfdata_number_style style);

#endif
