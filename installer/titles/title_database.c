/* SPDX-License-Identifier: MIT */
/*
 * Loads, verifies and unloads the titles of a service. Under Wine, where loadperf returns success
 * and does nothing, this file reserves the indexes itself in the Perflib key. It never writes the
 * lists of titles. Windows only.
 */
#include "titles/title_database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "titles/title_list.h"
#include "titles/title_text.h"
#include "windows/registry.h"
#include "windows/wine.h"

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

/* The last index that a new Windows uses. The titles of services come after it. */
#define FRESH_LAST_COUNTER 1846u

/* Readers take indexes of at most seven digits. */
#define HIGHEST_INDEX 9999999u

/* The title database may be changing, so titles that differ are compared again for two seconds. */
#define TRIES    20
#define PAUSE_MS 100

#define MAX_LIST_BYTES (64u * 1024 * 1024)

#define LANGUAGE_KEY_CHARS 96 /* room for PERFLIB, a backslash and a language */

typedef DWORD(WINAPI loadperf_function)(LPWSTR command, BOOL quiet);

static const wchar_t *const value_names[] = {L"First Counter", L"Last Counter", L"First Help",
                                             L"Last Help",     L"Object List",  NULL};

const wchar_t *const *prfdata_title_database_value_names(void)
{
    return value_names;
}

bool prfdata_title_database_is_loaded(const prfdata_service_key *key)
{
    DWORD number;

    for (int i = 0; i < 4; i++) {
        if (prfdata_service_key_number(key, value_names[i], &number))
            return true;
    }
    return false;
}

bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range)
{
    return prfdata_service_key_number(key, L"First Counter", &range->first_counter) &&
           prfdata_service_key_number(key, L"Last Counter", &range->last_counter) &&
           prfdata_service_key_number(key, L"First Help", &range->first_help) &&
           prfdata_service_key_number(key, L"Last Help", &range->last_help);
}

static void make_language_key(const char *language, wchar_t *path)
{
    (void)swprintf(path, LANGUAGE_KEY_CHARS, L"%ls\\%hs", PERFLIB, language);
}

/*
 * Read a list under Wine. English counts as a language without a list, because Wine's English list
 * never changes. The list of another language is a value in the key of that language.
 */
static uint32_t read_list_of_key(const wchar_t *kind, const char *language, BYTE **list,
                                 DWORD *list_bytes)
{
    wchar_t path[LANGUAGE_KEY_CHARS];
    DWORD type = 0;
    HKEY key;
    uint32_t status;

    make_language_key(language, path);
    if (strcmp(language, PRFDATA_TITLE_ENGLISH) == 0)
        return ERROR_FILE_NOT_FOUND;
    status = (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY,
                                     &key);
    if (status)
        return status;
    status = prfdata_registry_value(key, kind, &type, list, list_bytes);
    RegCloseKey(key);
    return status;
}

/*
 * Read the list of names ("Counter") or help texts ("Help") into new memory. Microsoft describes
 * the query under "Retrieving Counter Names and Help Text".
 */
static uint32_t read_title_list(const wchar_t *kind, const char *language, BYTE **list,
                                DWORD *list_bytes)
{
    wchar_t query[16];

    if (prfdata_wine_is_here())
        return read_list_of_key(kind, language, list, list_bytes);
    (void)swprintf(query, sizeof query / sizeof query[0], L"%ls %hs", kind, language);
    for (DWORD capacity = 1024 * 1024; capacity <= MAX_LIST_BYTES; capacity *= 2) {
        BYTE *bytes = malloc(capacity);
        DWORD size = capacity; /* undefined after a failure */
        uint32_t status;

        if (!bytes)
            return ERROR_NOT_ENOUGH_MEMORY;
        status = (uint32_t)RegQueryValueExW(HKEY_PERFORMANCE_DATA, query, NULL, NULL, bytes, &size);
        if (!status) {
            *list = bytes;
            *list_bytes = size;
            return ERROR_SUCCESS;
        }
        free(bytes);
        if (status != ERROR_MORE_DATA)
            return status;
    }
    return ERROR_MORE_DATA;
}

/* Forget the lists that this process has cached, which may be older than the titles. */
static void forget_title_lists(void)
{
    RegCloseKey(HKEY_PERFORMANCE_DATA);
}

void prfdata_title_database_languages(prfdata_title_languages *languages)
{
    wchar_t name[MAX_PATH];
    DWORD chars = MAX_PATH;
    HKEY perflib;

    memset(languages, 0, sizeof *languages);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, KEY_ENUMERATE_SUB_KEYS | KEY_WOW64_64KEY,
                      &perflib) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0; RegEnumKeyExW(perflib, i, name, &chars, NULL, NULL, NULL, NULL) == 0; i++) {
        prfdata_title_languages_add(languages, name);
        chars = MAX_PATH;
    }
    RegCloseKey(perflib);
}

void prfdata_title_database_name_language(const char *language, wchar_t *name)
{
    wchar_t words[64] = L"";
    /* `language` is a primary language, with or without a sublanguage. Both forms are locales. */
    LCID locale = (LCID)strtoul(language, NULL, 16);

    if (GetLocaleInfoW(locale, LOCALE_SENGLANGUAGE, words, sizeof words / sizeof words[0]) > 0)
        (void)swprintf(name, PRFDATA_TITLE_LANGUAGE_CHARS, L"%hs (%ls)", language, words);
    else
        (void)swprintf(name, PRFDATA_TITLE_LANGUAGE_CHARS, L"%hs", language);
}

/* Collect the names or the help texts of the model, by the numbers of their titles. */
static void collect_title_texts(const prfdata_model *model, bool is_help, const wchar_t **texts)
{
    prfdata_model_title title = {0};

    for (uint32_t i = 0; i < model->number_count; i++)
        texts[i] = PRFDATA_TITLE_UNUSED_WIDE;
    while (prfdata_model_next_title(model, &title)) {
        const prfdata_map_entry *entry = title.counter ? title.counter->entry : title.object->entry;

        texts[prfdata_model_title_offset(&title) / 2] = is_help ? entry->help : entry->name;
    }
}

/*
 * Compare all names or help texts of a map with the system's texts of a language. `missing` gets
 * the index of the first text that is missing or different.
 */
static uint32_t compare_titles(const char *language, bool is_help, DWORD first,
                               const prfdata_model *model, DWORD *missing)
{
    const wchar_t **texts = calloc(model->number_count, sizeof *texts);
    BYTE *list = NULL;
    DWORD list_bytes = 0;
    uint32_t number = 0;
    uint32_t status;

    if (!texts)
        return ERROR_NOT_ENOUGH_MEMORY;
    collect_title_texts(model, is_help, texts);
    status = read_title_list(is_help ? L"Help" : L"Counter", language, &list, &list_bytes);
    if (!status && prfdata_title_list_match((const uint16_t *)(const void *)list,
                                            list_bytes / sizeof(uint16_t), first, texts,
                                            model->number_count) > 0) {
        while (!texts[number])
            number++;
        *missing = first + 2 * number;
        status = ERROR_NOT_FOUND;
    }
    free(list);
    free((void *)texts);
    return status;
}

prfdata_title_state prfdata_title_database_look(const char *language,
                                                const prfdata_title_range *range,
                                                const prfdata_model *model, DWORD *index)
{
    switch (compare_titles(language, false, range->first_counter, model, index)) {
    case ERROR_SUCCESS:
        break;
    case ERROR_NOT_FOUND:
        return PRFDATA_TITLES_NO_NAMES;
    default:
        return PRFDATA_TITLES_NO_LIST;
    }
    return compare_titles(language, true, range->first_help, model, index) == ERROR_SUCCESS
               ? PRFDATA_TITLES_THERE
               : PRFDATA_TITLES_NO_HELP;
}

/*
 * Returns whether the language has all titles. A language that has no list of titles also counts as
 * right, except English on Windows.
 */
static bool is_language_right(const char *language, const prfdata_title_range *range,
                              const prfdata_model *model)
{
    DWORD index;

    switch (prfdata_title_database_look(language, range, model, &index)) {
    case PRFDATA_TITLES_THERE:
        return true;
    case PRFDATA_TITLES_NO_LIST:
        return prfdata_wine_is_here() || strcmp(language, PRFDATA_TITLE_ENGLISH) != 0;
    default:
        return false;
    }
}

static bool are_languages_right(const prfdata_title_range *range, const prfdata_model *model)
{
    prfdata_title_languages languages;
    bool right = is_language_right(PRFDATA_TITLE_ENGLISH, range, model);

    prfdata_title_database_languages(&languages);
    for (size_t i = 0; i < languages.count && right; i++)
        right = is_language_right(languages.ids[i], range, model);
    return right;
}

/* Returns whether the list has the names of all objects if First Counter is `first`. */
static bool has_objects(const BYTE *list, DWORD list_bytes, DWORD first, const prfdata_model *model)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const wchar_t *name = model->objects[i].entry->name;

        if (prfdata_title_list_match((const uint16_t *)(const void *)list,
                                     list_bytes / sizeof(uint16_t),
                                     first + model->objects[i].title_offset, &name, 1) > 0)
            return false;
    }
    return true;
}

/*
 * Returns whether the English names of all objects are those of the model. Under Wine, which has no
 * texts, the result is always true.
 */
static bool are_objects_titled(DWORD first, const prfdata_model *model)
{
    BYTE *list;
    DWORD list_bytes;
    bool same;

    if (prfdata_wine_is_here())
        return true;
    if (read_title_list(L"Counter", PRFDATA_TITLE_ENGLISH, &list, &list_bytes) != 0)
        return false;
    same = has_objects(list, list_bytes, first, model);
    free(list);
    return same;
}

static uint32_t verify_lists(const prfdata_title_range *range, const prfdata_model *model)
{
    uint32_t status = ERROR_SUCCESS;

    if (!are_objects_titled(range->first_counter, model))
        status = ERROR_INVALID_DATA;
    else if (!are_languages_right(range, model))
        status = ERROR_RESOURCE_LANG_NOT_FOUND;
    forget_title_lists();
    return status;
}

uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model)
{
    DWORD span = 2 * (model->number_count - 1);
    prfdata_title_range range;
    uint32_t status;

    if (!prfdata_title_database_is_loaded(key))
        return ERROR_FILE_NOT_FOUND;
    if (!prfdata_title_database_range(key, &range) ||
        range.last_counter - range.first_counter != span ||
        range.last_help - range.first_help != span)
        return ERROR_INVALID_DATA;
    status = verify_lists(&range, model);
    for (int i = 1; i < TRIES && status && !prfdata_wine_is_here(); i++) {
        Sleep(PAUSE_MS);
        status = verify_lists(&range, model);
    }
    return status;
}

/* Reads the next decimal number of the list. Returns false if there is none. */
static bool read_next_index(const wchar_t **list, DWORD *index)
{
    for (; **list; (*list)++) {
        wchar_t *end;

        *index = wcstoul(*list, &end, 10);
        if (end != *list) {
            *list = end;
            return true;
        }
    }
    return false;
}

bool prfdata_title_database_lists(const wchar_t *list, DWORD index)
{
    DWORD listed;

    while (read_next_index(&list, &listed))
        if (listed == index)
            return true;
    return false;
}

static bool lists_all_objects(const wchar_t *list, const prfdata_model *model, DWORD first)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        if (!prfdata_title_database_lists(list, first + model->objects[i].title_offset))
            return false;
    return true;
}

/*
 * Returns whether the value lists the objects and nothing else. The order does not matter, because
 * loadperf may write the value in another form than set_object_list() does.
 */
static bool is_object_list_right(const prfdata_service_key *key, const prfdata_model *model,
                                 DWORD first)
{
    wchar_t list[PRFDATA_MAX_OBJECTS * 11 + 1];
    const wchar_t *rest = list;
    uint32_t count = 0;
    DWORD index;

    if (!prfdata_service_key_text(key, L"Object List", list, sizeof list / sizeof list[0]) ||
        list[wcsspn(list, L"0123456789 ")])
        return false;
    while (read_next_index(&rest, &index))
        count++;
    return count == model->object_count && lists_all_objects(list, model, first);
}

static uint32_t set_object_list(const prfdata_service_key *key, const prfdata_model *model,
                                DWORD first)
{
    wchar_t list[PRFDATA_MAX_OBJECTS * 11 + 1] = L"";
    size_t used = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        used += (size_t)prfdata_wide_format(
            list + used, sizeof list / sizeof list[0] - used, i > 0 ? L" %lu" : L"%lu",
            (unsigned long)(first + model->objects[i].title_offset));
    return prfdata_service_key_set(key, L"Object List", REG_SZ, list, (used + 1) * sizeof list[0]);
}

uint32_t prfdata_title_database_correct_list(const prfdata_service_key *key,
                                             const prfdata_model *model, bool *is_changed)
{
    prfdata_title_range range;

    *is_changed = prfdata_title_database_range(key, &range) &&
                  !is_object_list_right(key, model, range.first_counter);
    return *is_changed ? set_object_list(key, model, range.first_counter) : ERROR_SUCCESS;
}

static uint32_t call_loadperf(const char *function_name, const wchar_t *argument)
{
    wchar_t command[2 * MAX_PATH];
    union {
        FARPROC untyped;
        loadperf_function *typed;
    } function;
    uint32_t status;
    HMODULE loadperf = LoadLibraryExW(L"loadperf.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    if (!loadperf)
        return GetLastError();
    function.untyped = GetProcAddress(loadperf, function_name);
    /* loadperf skips the first word of the command line. lodctr also passes the path in quotes. */
    if (!function.untyped)
        status = GetLastError();
    else if (prfdata_wide_format(command, sizeof command / sizeof command[0], L"prfdata \"%ls\"",
                                 argument) < 0)
        status = ERROR_FILENAME_EXCED_RANGE;
    else
        status = function.typed(command, TRUE);
    FreeLibrary(loadperf);
    return status;
}

static uint32_t open_perflib(REGSAM access, HKEY *perflib)
{
    return (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0,
                                   KEY_QUERY_VALUE | KEY_WOW64_64KEY | access, perflib);
}

/* Read the index of the last name; FRESH_LAST_COUNTER if none is registered. */
static uint32_t read_last_index(HKEY perflib, DWORD *last)
{
    const uint32_t status = prfdata_registry_number(perflib, L"Last Counter", last);

    if (status != ERROR_FILE_NOT_FOUND)
        return status;
    *last = FRESH_LAST_COUNTER;
    return ERROR_SUCCESS;
}

/* Read the index of the last name, which must be even, because help texts have odd indexes. */
static uint32_t last_title_index(HKEY perflib, DWORD *last)
{
    const uint32_t status = read_last_index(perflib, last);

    return !status && *last % 2 != 0 ? ERROR_INVALID_DATA : status;
}

static uint32_t set_last_title_index(HKEY perflib, DWORD last)
{
    uint32_t status = prfdata_registry_set_number(perflib, L"Last Counter", last);

    return status ? status : prfdata_registry_set_number(perflib, L"Last Help", last + 1);
}

static void forget_title_range(const prfdata_service_key *key)
{
    for (const wchar_t *const *name = value_names; *name; name++)
        prfdata_service_key_delete(key, *name);
}

uint32_t prfdata_title_database_write(const prfdata_service_key *key, const prfdata_model *model,
                                      DWORD first)
{
    const DWORD span = 2 * (model->number_count - 1);
    const DWORD numbers[] = {first, first + span, first + 1, first + 1 + span};
    uint32_t status = ERROR_SUCCESS;

    for (int i = 0; i < 4 && !status; i++)
        status = prfdata_registry_set_number(key->performance, value_names[i], numbers[i]);
    if (!status)
        status = set_object_list(key, model, first);
    if (status)
        forget_title_range(key);
    return status;
}

static uint32_t take_title_range(const prfdata_service_key *key, const prfdata_model *model)
{
    DWORD span = 2 * (model->number_count - 1);
    DWORD last, first = 0;
    HKEY perflib;
    uint32_t status = open_perflib(KEY_SET_VALUE, &perflib);

    if (status)
        return status;
    status = last_title_index(perflib, &last);
    if (!status && (last > HIGHEST_INDEX || span + 3 > HIGHEST_INDEX - last))
        status = ERROR_NO_SYSTEM_RESOURCES;
    if (!status) {
        first = last + 2;
        status = set_last_title_index(perflib, first + span);
    }
    RegCloseKey(perflib);
    if (status)
        return status;

    return prfdata_title_database_write(key, model, first);
}

static uint32_t release_title_range(const prfdata_service_key *key)
{
    prfdata_title_range range;
    DWORD last;
    HKEY perflib;
    uint32_t status;

    if (prfdata_title_database_range(key, &range)) {
        status = open_perflib(KEY_SET_VALUE, &perflib);
        if (status)
            return status;
        /* As with unlodctr, only the last range can be released. */
        if (last_title_index(perflib, &last) == 0 && last == range.last_counter &&
            range.first_counter >= 2)
            status = set_last_title_index(perflib, range.first_counter - 2);
        RegCloseKey(perflib);
        if (status)
            return status;
    }
    forget_title_range(key);
    return ERROR_SUCCESS;
}

/* Returns whether the indexes may have been given to a service. */
static bool is_given_range(const prfdata_title_range *range)
{
    DWORD last = 0;
    HKEY perflib;
    bool is_given;

    if (open_perflib(0, &perflib) != ERROR_SUCCESS)
        return false;
    is_given = last_title_index(perflib, &last) == ERROR_SUCCESS &&
               range->first_counter > FRESH_LAST_COUNTER && range->last_counter <= last;
    RegCloseKey(perflib);
    return is_given;
}

bool prfdata_title_database_has(const prfdata_title_range *range, const prfdata_model *model)
{
    bool has_them;

    if (prfdata_wine_is_here())
        return is_given_range(range);
    has_them = model && are_objects_titled(range->first_counter, model);
    forget_title_lists();
    return has_them;
}

/*
 * Find the first index at which the list has the names of all objects. Only indexes at which the
 * list has the name of the first object are tried.
 */
static bool find_objects(const BYTE *list, DWORD list_bytes, const prfdata_model *model,
                         DWORD *first)
{
    const prfdata_model_object *object = &model->objects[0];
    const uint16_t *chars = (const uint16_t *)(const void *)list;
    size_t at = 0;
    uint32_t index;

    while (prfdata_title_list_find(chars, list_bytes / sizeof(uint16_t), object->entry->name, &at,
                                   &index))
        if (index > object->title_offset && (index - object->title_offset) % 2 == 0 &&
            has_objects(list, list_bytes, index - object->title_offset, model)) {
            *first = index - object->title_offset;
            return true;
        }
    return false;
}

bool prfdata_title_database_find(const prfdata_model *model, DWORD *first)
{
    BYTE *list;
    DWORD list_bytes;
    bool is_found;

    if (prfdata_wine_is_here() ||
        read_title_list(L"Counter", PRFDATA_TITLE_ENGLISH, &list, &list_bytes) != 0)
        return false;
    is_found = find_objects(list, list_bytes, model, first);
    free(list);
    forget_title_lists();
    return is_found;
}

uint32_t prfdata_title_database_next(const prfdata_title_range *registered, DWORD *first)
{
    DWORD last;
    HKEY perflib;
    uint32_t status = open_perflib(0, &perflib);

    if (status)
        return status;
    status = read_last_index(perflib, &last);
    RegCloseKey(perflib);
    if (!status)
        *first =
            registered && last == registered->last_counter ? registered->first_counter : last + 2;
    return status;
}

uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path)
{
    uint32_t status, verified;

    if (prfdata_wine_is_here()) {
        status = take_title_range(key, model);
        if (status)
            return status;
    } else {
        status = call_loadperf("LoadPerfCounterTextStringsW", ini_path);
    }
    verified = prfdata_title_database_verify(key, model);
    if (!verified || verified == ERROR_RESOURCE_LANG_NOT_FOUND)
        return ERROR_SUCCESS;
    return status ? status : ERROR_INVALID_DATA;
}

uint32_t prfdata_title_database_unload(const prfdata_service_key *key)
{
    uint32_t status;

    if (prfdata_wine_is_here())
        return release_title_range(key);
    status = call_loadperf("UnloadPerfCounterTextStringsW", key->service);
    if (!prfdata_title_database_is_loaded(key))
        return ERROR_SUCCESS;
    return status ? status : ERROR_INVALID_DATA;
}
