/* SPDX-License-Identifier: MIT */
/* Checks the numbers of a service's titles, and corrects them. Windows only. */
#include "titles/title_range.h"

#include <stdio.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "windows/registry.h"

#define SERVICES L"SYSTEM\\CurrentControlSet\\Services"

static bool read_other_range(HKEY services, const wchar_t *service, prfdata_title_range *range)
{
    wchar_t path[280];
    HKEY key;
    bool read;

    if (prfdata_wide_format(path, 280, L"%ls\\Performance", service) < 0 ||
        RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return false;
    read = prfdata_registry_number(key, L"First Counter", &range->first_counter) == 0 &&
           prfdata_registry_number(key, L"Last Counter", &range->last_counter) == 0;
    RegCloseKey(key);
    return read;
}

static bool do_overlap(const prfdata_title_range *range, const prfdata_title_range *other)
{
    return other->first_counter <= range->last_counter &&
           other->last_counter >= range->first_counter;
}

static prfdata_title_range overlap_of(const prfdata_title_range *range,
                                      const prfdata_title_range *other)
{
    const DWORD first =
        range->first_counter > other->first_counter ? range->first_counter : other->first_counter;
    const DWORD last =
        range->last_counter < other->last_counter ? range->last_counter : other->last_counter;

    return (prfdata_title_range){first, last, first + 1, last + 1};
}

static bool find_sharing_service(HKEY services, const wchar_t *own,
                                 const prfdata_title_range *range, wchar_t *name,
                                 prfdata_title_range *shared)
{
    for (DWORD i = 0;; i++) {
        prfdata_title_range other;
        DWORD chars = PRFDATA_TITLE_RANGE_NAME_CHARS;

        if (RegEnumKeyExW(services, i, name, &chars, NULL, NULL, NULL, NULL) != ERROR_SUCCESS)
            return false;
        if (_wcsicmp(name, own) != 0 && read_other_range(services, name, &other) &&
            do_overlap(range, &other)) {
            if (shared)
                *shared = overlap_of(range, &other);
            return true;
        }
    }
}

bool prfdata_title_range_find_sharing(const wchar_t *service, const prfdata_title_range *range,
                                      wchar_t *name, prfdata_title_range *shared)
{
    HKEY services;
    bool is_shared;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, SERVICES, 0, KEY_ENUMERATE_SUB_KEYS, &services) !=
        ERROR_SUCCESS)
        return false;
    is_shared = find_sharing_service(services, service, range, name, shared);
    RegCloseKey(services);
    return is_shared;
}

static DWORD span_of(const prfdata_model *model)
{
    return 2 * (model->number_count - 1);
}

static bool is_possible(const prfdata_title_range *range, const prfdata_model *model)
{
    return range->first_counter > 0 && range->first_counter % 2 == 0 &&
           range->first_counter <= range->last_counter &&
           range->first_help == range->first_counter + 1 &&
           range->last_help == range->last_counter + 1 &&
           (!model || range->last_counter - range->first_counter == span_of(model));
}

static bool is_ours(const prfdata_service_key *key, const prfdata_title_range *range,
                    const prfdata_model *model)
{
    wchar_t name[PRFDATA_TITLE_RANGE_NAME_CHARS];

    return is_possible(range, model) && prfdata_title_database_has(range, model) &&
           !prfdata_title_range_find_sharing(key->service, range, name, NULL);
}

static prfdata_title_range range_from(DWORD first, DWORD span)
{
    return (prfdata_title_range){first, first + span, first + 1, first + 1 + span};
}

static int count_agreeing(const prfdata_service_key *key, const prfdata_title_range *range)
{
    const DWORD wanted[] = {range->first_counter, range->last_counter, range->first_help,
                            range->last_help};
    DWORD number;
    int count = 0;

    for (int i = 0; i < 4; i++)
        count +=
            prfdata_service_key_number(key, prfdata_title_database_value_names()[i], &number) &&
            number == wanted[i];
    return count;
}

/*
 * Find a range that has the service's titles and agrees with two or more of the service's four
 * numbers. If there are several such ranges, find the one that agrees with the most numbers.
 */
static bool find_most_agreeing(const prfdata_service_key *key, const prfdata_model *model,
                               prfdata_title_range *found)
{
    const DWORD span = span_of(model);
    const DWORD offsets[] = {0, span, 1, 1 + span};
    int most = 1; /* one number by itself proves nothing */
    DWORD number;

    for (int i = 0; i < 4; i++) {
        prfdata_title_range range;

        if (!prfdata_service_key_number(key, prfdata_title_database_value_names()[i], &number) ||
            number < offsets[i])
            continue;
        range = range_from(number - offsets[i], span);
        if (count_agreeing(key, &range) > most && is_ours(key, &range, model)) {
            most = count_agreeing(key, &range);
            *found = range;
        }
    }
    return most > 1;
}

/*
 * Find the titles by their texts in the database. If the texts are not found, use the service's
 * four numbers.
 */
static bool find_range(const prfdata_service_key *key, const prfdata_model *model,
                       prfdata_title_range *found)
{
    DWORD first;

    if (!prfdata_title_database_find(model, &first))
        return find_most_agreeing(key, model, found);
    *found = range_from(first, span_of(model));
    return is_ours(key, found, model);
}

bool prfdata_title_range_look(const prfdata_service_key *key, const prfdata_model *model,
                              prfdata_title_range *range)
{
    if (!key->performance || !prfdata_title_database_is_loaded(key))
        return false;
    return (prfdata_title_database_range(key, range) && is_ours(key, range, model)) ||
           (model && find_range(key, model, range));
}

prfdata_title_range_state prfdata_title_range_correct(const prfdata_service_key *key,
                                                      const prfdata_model *model)
{
    prfdata_title_range range;

    if (!key->performance || !prfdata_title_database_is_loaded(key))
        return PRFDATA_TITLE_RANGE_RIGHT;
    if (prfdata_title_range_look(key, model, &range)) {
        if (count_agreeing(key, &range) == 4)
            return PRFDATA_TITLE_RANGE_RIGHT;
        if (prfdata_title_database_write(key, model, range.first_counter) == ERROR_SUCCESS)
            return PRFDATA_TITLE_RANGE_CORRECTED;
    }
    for (const wchar_t *const *name = prfdata_title_database_value_names(); *name; name++)
        prfdata_service_key_delete(key, *name);
    return PRFDATA_TITLE_RANGE_FORGOTTEN;
}
