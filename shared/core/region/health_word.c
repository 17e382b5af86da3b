/* SPDX-License-Identifier: MIT */
/* Holds the words by which map files name the values of a service's health. */
#include "region/health_word.h"

#include <stddef.h>

#include <prfdata/map.h>

static const char *const health_words[PRFDATA_HEALTH_LAST + 1] = {
#define ROW(id, symbol, metric, name, number, word, ...) [number] = word,
    PRFDATA_HEALTH_NUMBERS(ROW, 0, 0, 0)
#undef ROW
};

const char *prfdata_health_word(uint32_t number)
{
    return number <= PRFDATA_HEALTH_LAST ? health_words[number] : NULL;
}
