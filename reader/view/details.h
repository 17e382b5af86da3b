/* SPDX-License-Identifier: MIT */
/*
 * Describes everything about a counter of an instance as text, for authors of providers: its
 * meaning, how its value was computed with the actual numbers, and its structures with their bytes;
 * or only one structure. The names of fields and notes on types are in English, because prfread and
 * prfcheck print the same.
 */
#ifndef PRFDATA_READER_DETAILS_H
#define PRFDATA_READER_DETAILS_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/output.h"
#include "view/chart.h"

/* The words between names and numbers; prfview.rc.in has them in all languages. */
typedef enum prfdata_details_word {
    PRFDATA_DETAILS_VALUE,
    PRFDATA_DETAILS_NO_VALUE,
    PRFDATA_DETAILS_TYPE,
    PRFDATA_DETAILS_NOT_PREDEFINED,
    PRFDATA_DETAILS_MEANING,
    PRFDATA_DETAILS_FORMULA,
    PRFDATA_DETAILS_NUMBERS,
    PRFDATA_DETAILS_RAW_SAMPLES,
    PRFDATA_DETAILS_THIS_SAMPLE,
    PRFDATA_DETAILS_SAMPLE_BEFORE,
    PRFDATA_DETAILS_RAW_VALUE,
    PRFDATA_DETAILS_RAW_BASE,
    PRFDATA_DETAILS_OBJECT_TIME,
    PRFDATA_DETAILS_OBJECT_FREQUENCY,
    PRFDATA_DETAILS_ALWAYS_ZERO,
    PRFDATA_DETAILS_LEVEL,
    PRFDATA_DETAILS_GROWTH,
    PRFDATA_DETAILS_AGE,
    PRFDATA_DETAILS_IN_SECONDS,
    PRFDATA_DETAILS_BY_TIME,
    PRFDATA_DETAILS_BY_SECONDS,
    PRFDATA_DETAILS_BY_BASE,
    PRFDATA_DETAILS_BY_BASE_GROWTH,
    PRFDATA_DETAILS_OF_SEVERAL,
    PRFDATA_DETAILS_REST_OF_WHOLE,
    PRFDATA_DETAILS_IN_PERCENT,
    PRFDATA_DETAILS_IN_THOUSANDTHS,
    /* Reasons for a missing value, in English as in prfdata_compute_status_text(). */
    PRFDATA_DETAILS_ONE_SAMPLE,
    PRFDATA_DETAILS_NEGATIVE_VALUE,
    PRFDATA_DETAILS_NEGATIVE_DENOMINATOR,
    PRFDATA_DETAILS_NEGATIVE_TIMEBASE,
    PRFDATA_DETAILS_NO_DATA,
    PRFDATA_DETAILS_NO_OBJECT,
    PRFDATA_DETAILS_NO_COUNTER,
    PRFDATA_DETAILS_NO_INSTANCE,
    PRFDATA_DETAILS_INVALID_DATA,
    PRFDATA_DETAILS_NO_FORMULA,
    PRFDATA_DETAILS_TEXT,
    PRFDATA_DETAILS_WORDS
} prfdata_details_word;

extern const char *const prfdata_details_words_english[PRFDATA_DETAILS_WORDS];

/*
 * Put the details of a counter below its path, in lines that end in CR LF.
 *
 * words  PRFDATA_DETAILS_WORDS of them, UTF-8, in the reader's language.
 * style  How to write the value. The inputs of the formula have plain digits, so that they can be
 *        copied.
 * older  The sample before; NULL: there is none.
 */
void prfdata_details_put(prfdata_output *output, const char *const *words,
                         prfdata_number_style style, const prfdata_chart_key *key,
                         const prfdata_titles *titles, const prfdata_sample *older,
                         const prfdata_sample *newer);

/*
 * Put the structure of an object, or that of an instance and its counter block, with the values in
 * it. If the object has no instances, the block belongs to the object.
 *
 * key  The instance, or the object if it has no label. Its counter does not matter.
 */
void prfdata_details_put_structure(prfdata_output *output, const char *const *words,
                                   const prfdata_chart_key *key, const prfdata_titles *titles,
                                   const prfdata_sample *sample);

/* Put \Object(Label)\Counter in English, or title indexes; without a counter: \Object(Label). */
void prfdata_details_put_path(prfdata_output *output, const prfdata_chart_key *key,
                              const prfdata_titles *titles, bool has_instances);

#endif
