/* SPDX-License-Identifier: MIT */
/*
 * Loads and unloads the titles of a service in the system's title database, by loadperf. The result
 * is verified, because loadperf can report success without having done anything. Windows only.
 */
#ifndef PRFDATA_TITLE_DATABASE_H
#define PRFDATA_TITLE_DATABASE_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_languages.h"

/* The numbers that loadperf writes into the Performance key. */
typedef struct prfdata_title_range {
    DWORD first_counter;
    DWORD last_counter;
    DWORD first_help;
    DWORD last_help;
} prfdata_title_range;

/* Returns whether the key has any of the four numbers, even incorrect ones. */
bool prfdata_title_database_is_loaded(const prfdata_service_key *key);

/* Read the four numbers; false if one is missing. */
bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range);

/* Find the languages of the title database, except English. */
void prfdata_title_database_languages(prfdata_title_languages *languages);

/* Says which titles of a service a language has. */
typedef enum prfdata_title_state {
    PRFDATA_TITLES_THERE, /* every name and every help text is at its index */
    /*
     * The language has no readable list of titles. Under Wine, this is always the state of English,
     * because Wine's English list never changes.
     */
    PRFDATA_TITLES_NO_LIST,
    PRFDATA_TITLES_NO_NAMES, /* names are missing, or other names are at their indexes */
    PRFDATA_TITLES_NO_HELP   /* the names are there, but not all help texts */
} prfdata_title_state;

/*
 * Compare the titles of one language with the English texts of the model.
 *
 * language  PRFDATA_TITLE_ENGLISH, or one of prfdata_title_database_languages().
 * range     The registered indexes.
 * index     Set to the index of the first missing or different name. If all names are right, set to
 *           the index of the first missing or different help text. Untouched if all titles are
 *           right, or if a list cannot be read.
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

/*
 * Returns whether the names of the model's objects are at these indexes. Under Wine, which has no
 * texts, returns whether the indexes may have been given to a service.
 *
 * model  NULL if it is not known. Then the result is false, except under Wine.
 */
bool prfdata_title_database_has(const prfdata_title_range *range, const prfdata_model *model);

/* Search for the First Counter at which the database has the names of all objects. */
bool prfdata_title_database_find(const prfdata_model *model, DWORD *first);

/*
 * Write the values that loadperf writes into the Performance key: the four numbers and Object List.
 * Returns ERROR_SUCCESS or the error of the registry; after an error none of the values exists.
 */
uint32_t prfdata_title_database_write(const prfdata_service_key *key, const prfdata_model *model,
                                      DWORD first);

/* Returns whether `list`, the value Object List, contains the number `index`. */
bool prfdata_title_database_lists(const wchar_t *list, DWORD index);

/*
 * Write the value Object List, unless it lists exactly the objects of the loaded titles. If one of
 * the four numbers is missing, nothing is written.
 *
 * model       The model of the loaded titles.
 * is_changed  Receives whether the function wrote the value, or tried to write it.
 *
 * Returns ERROR_SUCCESS or the error of the registry.
 */
uint32_t prfdata_title_database_correct_list(const prfdata_service_key *key,
                                             const prfdata_model *model, bool *is_changed);

/*
 * Predict the First Counter of the titles that are loaded next. The prediction is wrong if another
 * product loads titles first.
 *
 * registered  The titles that will be unloaded first; NULL if there are none.
 * first       Set on success.
 *
 * Returns ERROR_SUCCESS or the error of the registry.
 */
uint32_t prfdata_title_database_next(const prfdata_title_range *registered, DWORD *first);

/*
 * Compare the loaded titles with the model: the number of indexes, the names of the objects, and
 * the titles of every language. If names or titles differ, the function compares them again for up
 * to two seconds, because another program may be changing the title database. Under Wine the
 * function compares only once, and not the titles of English.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (no titles are loaded), ERROR_INVALID_DATA (other
 *         titles are loaded, or the four numbers are incomplete), or ERROR_RESOURCE_LANG_NOT_FOUND
 *         (the titles are loaded, but a language lacks some of them; see
 *         prfdata_title_database_look()).
 */
uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model);

/*
 * Load the titles and verify them. A language that lacks some titles is not a failure.
 *
 * ini_path  The .ini file of the model, with the symbol header in the same folder.
 *
 * Returns ERROR_SUCCESS, the error of loadperf, or ERROR_INVALID_DATA (loadperf returned success,
 *         but the titles are not loaded).
 */
uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path);

/*
 * Unload the titles, and verify the result. Returns ERROR_SUCCESS, the error of loadperf, or
 * ERROR_INVALID_DATA (the titles are still loaded).
 */
uint32_t prfdata_title_database_unload(const prfdata_service_key *key);

/* Return the names of the values that belong to the titles; NULL ends the list. */
const wchar_t *const *prfdata_title_database_value_names(void);

#endif
