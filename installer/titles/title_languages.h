/* SPDX-License-Identifier: MIT */
/*
 * Lists the ids of the languages of a title database, except English. An id is the name of the
 * language's registry key, in upper case. The installer stores the English titles of a map in every
 * language, because a reader shows numbers if its language has no titles. Portable.
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
 * Add the language of a key of Perflib. The key's name is three hexadecimal digits. This function
 * ignores other names, English, languages that were added already, and languages beyond the
 * maximum.
 */
void prfdata_title_languages_add(prfdata_title_languages *languages, const wchar_t *name);

#endif
