/* SPDX-License-Identifier: MIT */
/*
 * Collects the languages of a title database from the names of registry keys. Perflib also has
 * other keys, so a name may be anything. title_database.c lists the keys.
 */
#include "titles/title_languages.h"

#include <stdbool.h>
#include <string.h>

/*
 * Make the id of a language from `name`. Returns false if `name` is not the name of a language. An
 * .ini spells the digits of an id in upper case.
 */
static bool read_language(const wchar_t *name, char *id)
{
    for (int i = 0; i < 3; i++) {
        wchar_t c = name[i];

        if (c >= L'a' && c <= L'f')
            c = (wchar_t)(c - L'a' + L'A');
        if (!((c >= L'0' && c <= L'9') || (c >= L'A' && c <= L'F')))
            return false;
        id[i] = (char)c;
    }
    id[3] = 0;
    return name[3] == 0;
}

void prfdata_title_languages_add(prfdata_title_languages *languages, const wchar_t *name)
{
    size_t at = 0;
    char id[4];

    if (!read_language(name, id) || strcmp(id, PRFDATA_TITLE_ENGLISH) == 0 ||
        languages->count == PRFDATA_MAX_TITLE_LANGUAGES)
        return;
    while (at < languages->count && strcmp(languages->ids[at], id) < 0)
        at++;
    if (at < languages->count && strcmp(languages->ids[at], id) == 0)
        return;
    memmove(languages->ids[at + 1], languages->ids[at], (languages->count - at) * sizeof id);
    memcpy(languages->ids[at], id, sizeof id);
    languages->count++;
}
