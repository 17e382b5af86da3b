/* SPDX-License-Identifier: MIT */
/* The words of details, as prfview has them in English. */
#ifndef PRFDATA_TESTS_DETAILS_WORDS_H
#define PRFDATA_TESTS_DETAILS_WORDS_H

#include "view/details.h"

static const char *const details_words[PRFDATA_DETAILS_WORDS] = {
    [PRFDATA_DETAILS_VALUE] = "Value",
    [PRFDATA_DETAILS_NO_VALUE] = "none",
    [PRFDATA_DETAILS_TYPE] = "Type",
    [PRFDATA_DETAILS_NOT_PREDEFINED] = "not predefined",
    [PRFDATA_DETAILS_MEANING] = "In words",
    [PRFDATA_DETAILS_FORMULA] = "Formula",
    [PRFDATA_DETAILS_NUMBERS] = "Numbers",
    [PRFDATA_DETAILS_RAW_SAMPLES] = "Raw samples",
    [PRFDATA_DETAILS_THIS_SAMPLE] = "this one",
    [PRFDATA_DETAILS_SAMPLE_BEFORE] = "the one before",
    [PRFDATA_DETAILS_RAW_VALUE] = "value",
    [PRFDATA_DETAILS_RAW_BASE] = "base or second value",
    [PRFDATA_DETAILS_OBJECT_TIME] = "the object's PerfTime",
    [PRFDATA_DETAILS_OBJECT_FREQUENCY] = "the object's PerfFreq",
    [PRFDATA_DETAILS_ALWAYS_ZERO] = "always 0",
    [PRFDATA_DETAILS_LEVEL] = "the value as it is",
    [PRFDATA_DETAILS_GROWTH] = "how much the value grew since the sample before",
    [PRFDATA_DETAILS_AGE] = "the time since the start that the value holds",
    [PRFDATA_DETAILS_IN_SECONDS] = ", in seconds",
    [PRFDATA_DETAILS_BY_TIME] = ", divided by the time that passed",
    [PRFDATA_DETAILS_BY_SECONDS] = ", divided by the seconds that passed",
    [PRFDATA_DETAILS_BY_BASE] = ", divided by its base",
    [PRFDATA_DETAILS_BY_BASE_GROWTH] = ", divided by how much its base grew",
    [PRFDATA_DETAILS_OF_SEVERAL] = ", of several components",
    [PRFDATA_DETAILS_REST_OF_WHOLE] = ", and what is left of the whole",
    [PRFDATA_DETAILS_IN_PERCENT] = ", in percent",
    [PRFDATA_DETAILS_IN_THOUSANDTHS] = ", in thousandths",
    [PRFDATA_DETAILS_ONE_SAMPLE] = "the value needs a second sample",
    [PRFDATA_DETAILS_NEGATIVE_VALUE] = "the counter went backwards",
    [PRFDATA_DETAILS_NEGATIVE_DENOMINATOR] =
        "no time passed, or time or the base counter went backwards",
    [PRFDATA_DETAILS_NEGATIVE_TIMEBASE] = "the provider gives no clock, or no frequency of it",
    [PRFDATA_DETAILS_NO_DATA] = "nothing was counted to divide by",
    [PRFDATA_DETAILS_NO_OBJECT] = "the object is not there now",
    [PRFDATA_DETAILS_NO_COUNTER] = "the counter is not there now",
    [PRFDATA_DETAILS_NO_INSTANCE] = "the instance is not there now",
    [PRFDATA_DETAILS_INVALID_DATA] = "the provider's data is not valid",
    [PRFDATA_DETAILS_NO_FORMULA] = "the counter's type gives no number",
    [PRFDATA_DETAILS_TEXT] = "the counter is a text, not a number",
};

#endif
