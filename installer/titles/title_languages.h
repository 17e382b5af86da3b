/* SPDX-License-Identifier: MIT */
/*
 * The languages of a title database besides English, as its keys spell them. The titles of a map
 * are English; they are stored in every language, because a reader of a language without them shows
 * numbers. Portable.
 */
#ifndef PRFDATA_TITLE_LANGUAGES_H
#define PRFDATA_TITLE_LANGUAGES_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define PRFDATA_TITLE_ENGLISH       "009"
#define PRFDATA_MAX_TITLE_LANGUAGES 64 /* Windows has about forty */

/* {0}: English only. */
typedef struct prfdata_title_languages {
    size_t count;
    char ids[PRFDATA_MAX_TITLE_LANGUAGES][4]; /* "007", "00C", "804", in ascending order */
} prfdata_title_languages;

/*
 * Add the language of a key of Perflib by the key's name, three hexadecimal digits. Other names,
 * English and what is there already are ignored; and so are languages beyond the maximum.
 */
void prfdata_title_languages_add(prfdata_title_languages *languages, const wchar_t *name);

#endif
