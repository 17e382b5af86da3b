/* SPDX-License-Identifier: MIT */
/* Holds the English words, and remembers the words that a program uses instead. */
#include "text/words.h"

#include <stddef.h>

#define ENGLISH(name, english) (english),

static const char *const english_words[PRFDATA_WORDS] = {PRFDATA_WORDS_LIST(ENGLISH)};

static const char *const *used_words = english_words;

void prfdata_words_use(const char *const *words)
{
    used_words = words ? words : english_words;
}

const char *prfdata_words_get(prfdata_word word)
{
    return used_words[word];
}
