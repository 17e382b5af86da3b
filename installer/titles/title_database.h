/* SPDX-License-Identifier: MIT */
/*
 * The titles of a service in the system's title database. loadperf loads and unloads them; what it
 * reports is verified, because it can report success without having done anything. Windows only.
 */
#ifndef PRFDATA_TITLE_DATABASE_H
#define PRFDATA_TITLE_DATABASE_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_languages.h"

/* What loadperf writes into the Performance key. */
typedef struct prfdata_title_range {
    DWORD first_counter;
    DWORD last_counter;
    DWORD first_help;
    DWORD last_help;
} prfdata_title_range;

/* Whether the key has any of the four numbers: titles are loaded, be they right or wrong. */
bool prfdata_title_database_is_loaded(const prfdata_service_key *key);

/* Read the four numbers; false if one is missing. */
bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range);

/* ---- Languages ---- */

/* Find the languages of the title database besides English. */
void prfdata_title_database_languages(prfdata_title_languages *languages);

/* What a language has of a service's titles. */
typedef enum prfdata_title_state {
    PRFDATA_TITLES_THERE,    /* every name and every help text at its index */
    PRFDATA_TITLES_NO_LIST,  /* the language has no list of titles that can be read; under Wine
                                English, whose list is a constant there */
    PRFDATA_TITLES_NO_NAMES, /* names are missing, or others are at their indexes */
    PRFDATA_TITLES_NO_HELP   /* the names are there, help texts are not */
} prfdata_title_state;

/*
 * Compare the titles of one language with the English texts of the model.
 *
 * language  PRFDATA_TITLE_ENGLISH, or one of prfdata_title_database_languages().
 * range     Where the titles are registered.
 * index     With NO_NAMES and NO_HELP the index of the first title that is missing or another; else
 *           untouched.
 */
prfdata_title_state prfdata_title_database_look(const char *language,
                                                const prfdata_title_range *range,
                                                const prfdata_model *model, DWORD *index);

/*
 * Name a language in English, such as "007 (German)". `name` has room for
 * PRFDATA_TITLE_LANGUAGE_CHARS.
 */
#define PRFDATA_TITLE_LANGUAGE_CHARS 96
void prfdata_title_database_name_language(const char *language, wchar_t *name);

/* ---- All of them ---- */

/*
 * Whether these are the indexes of the model's titles: the names of its objects are there. Under
 * Wine, which has no texts, whether a service may have been given them. `model` NULL: not known.
 */
bool prfdata_title_database_has(const prfdata_title_range *range, const prfdata_model *model);

/* Look for the First Counter at which the database has the names of all objects. */
bool prfdata_title_database_find(const prfdata_model *model, DWORD *first);

/*
 * Write what loadperf writes into the Performance key, for titles that are in the database.
 * Returns ERROR_SUCCESS or what the registry answered; then none of the values is there.
 */
uint32_t prfdata_title_database_write(const prfdata_service_key *key, const prfdata_model *model,
                                      DWORD first);

/*
 * Foretell the First Counter of the titles that are loaded next: indexes are given after the last
 * one in use, and unloading the last ones gives theirs back. Another product may come first.
 *
 * registered  What will be unloaded before; NULL: nothing.
 * first       Set on success.
 *
 * Returns ERROR_SUCCESS or what the registry answered.
 */
uint32_t prfdata_title_database_next(const prfdata_title_range *registered, DWORD *first);

/*
 * Compare the loaded titles with the model: the number of indexes, the names of the objects, and
 * the titles of every language. (Under Wine English is not compared.) Waits for up to two seconds
 * for a title database that is just being changed.
 *
 * Returns ERROR_SUCCESS,
 *         ERROR_FILE_NOT_FOUND (none are loaded),
 *         ERROR_INVALID_DATA (others are), or
 *         ERROR_RESOURCE_LANG_NOT_FOUND (they are loaded, but not all in all languages;
 *         prfdata_title_database_look() says what is missing).
 */
uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model);

/*
 * Load the titles and verify them. A language that lacks some of them is no failure.
 *
 * ini_path  The .ini file of the model, with the symbol header in the same folder.
 *
 * Returns ERROR_SUCCESS, what loadperf returned, or ERROR_INVALID_DATA (loadperf returned success,
 *         but the titles are not loaded).
 */
uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path);

/*
 * Unload the titles and verify that. Returns ERROR_SUCCESS, what loadperf returned, or
 * ERROR_INVALID_DATA (they are still loaded).
 */
uint32_t prfdata_title_database_unload(const prfdata_service_key *key);

/* Return the names of the values that belong to the titles; NULL ends the list. */
const wchar_t *const *prfdata_title_database_value_names(void);

#endif
