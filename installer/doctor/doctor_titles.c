/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether the numbers of the titles belong only to this service and fit together, and
 * whether the system's title database has the titles. Windows only.
 */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "service/registered.h"
#include "titles/title_database.h"
#include "titles/title_range.h"
#include "windows/registry.h"
#include "windows/wine.h"

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

static void examine_loaded(prfdata_doctor *doctor)
{
    switch (prfdata_title_database_verify(&doctor->key, doctor->installed)) {
    case ERROR_SUCCESS:
    case ERROR_RESOURCE_LANG_NOT_FOUND: /* examine_languages() reports the languages */
        if (prfdata_wine_is_here())
            prfdata_diagnosis_add_fact(
                &doctor->diagnosis, PRFDATA_FACT_TITLES,
                L"only numbers, because under Wine loadperf stores no texts");
        else
            prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_TITLES,
                                       L"loaded, the first is \"%ls\"",
                                       doctor->installed->objects[0].entry->name);
        break;
    case ERROR_FILE_NOT_FOUND:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_MISSING, NULL);
        break;
    default:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_WRONG, NULL);
        break;
    }
}

/*
 * Check that First Help follows First Counter. Names have even numbers, and the explanation of each
 * name has the next odd number (Microsoft's "Adding Counter Names and Descriptions to the
 * Registry").
 */
static void examine_pairs(prfdata_doctor *doctor, const prfdata_title_range *range)
{
    if (range->first_help != range->first_counter + 1)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_UNPAIRED, NULL,
                                      (unsigned long)range->first_help,
                                      (unsigned long)range->first_counter,
                                      (unsigned long)range->first_counter + 1);
}

static void examine_end(prfdata_doctor *doctor, const prfdata_title_range *range)
{
    DWORD last = 0;
    HKEY perflib;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY,
                      &perflib) != ERROR_SUCCESS)
        return;
    if (prfdata_registry_number(perflib, L"Last Counter", &last) == ERROR_SUCCESS &&
        last < range->last_counter)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_BEYOND_END, NULL,
                                      (unsigned long)range->last_counter, (unsigned long)last);
    RegCloseKey(perflib);
}

static void examine_other_services(prfdata_doctor *doctor, const prfdata_title_range *range)
{
    wchar_t name[PRFDATA_TITLE_RANGE_NAME_CHARS];
    prfdata_title_range shared;

    if (prfdata_title_range_find_sharing(doctor->key.service, range, name, &shared))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_SHARED, NULL,
                                      (unsigned long)shared.first_counter,
                                      (unsigned long)shared.last_counter, name);
}

static bool is_same_title(const wchar_t *a, const wchar_t *b)
{
    return CompareStringOrdinal(a, -1, b, -1, TRUE) == CSTR_EQUAL; /* as readers compare */
}

/* Report the first object that has the same title in both services. */
static void compare_objects(prfdata_doctor *doctor, const wchar_t *service,
                            const prfdata_model *other)
{
    const prfdata_model *own = doctor->installed;

    for (uint32_t i = 0; i < own->object_count; i++) {
        for (uint32_t j = 0; j < other->object_count; j++) {
            const wchar_t *title = own->objects[i].entry->name;

            if (!is_same_title(title, other->objects[j].entry->name))
                continue;
            prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_OBJECT_TWICE, NULL,
                                          service, title);
            return;
        }
    }
}

/*
 * Only services with a map of PrfData are compared, because the map says which titles are objects.
 */
static void examine_same_objects(prfdata_doctor *doctor)
{
    wchar_t name[PRFDATA_TITLE_RANGE_NAME_CHARS];
    DWORD chars = PRFDATA_TITLE_RANGE_NAME_CHARS;

    for (DWORD i = 0; RegEnumKeyExW(doctor->key.services, i, name, &chars, NULL, NULL, NULL,
                                    NULL) == ERROR_SUCCESS;
         i++, chars = PRFDATA_TITLE_RANGE_NAME_CHARS) {
        prfdata_model *model = NULL;

        if (_wcsicmp(name, doctor->key.service) != 0 &&
            prfdata_registered_find_model(name, &model) == ERROR_SUCCESS)
            compare_objects(doctor, name, model);
        prfdata_model_free(model);
    }
}

static void examine_language(prfdata_doctor *doctor, const prfdata_title_range *range,
                             const char *language)
{
    wchar_t name[PRFDATA_TITLE_LANGUAGE_CHARS];
    DWORD index = 0;
    prfdata_title_state state =
        prfdata_title_database_look(language, range, doctor->installed, &index);

    if (state == PRFDATA_TITLES_NO_LIST)
        return; /* the language names no counter at all, so no reader uses it */
    prfdata_title_database_name_language(language, name);
    prfdata_diagnosis_add_language(&doctor->diagnosis, name, state == PRFDATA_TITLES_THERE);
    if (state != PRFDATA_TITLES_THERE && strcmp(language, PRFDATA_TITLE_ENGLISH) == 0)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_WRONG, NULL);
    else if (state != PRFDATA_TITLES_THERE)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLES_LANGUAGE, NULL,
                                      name, (unsigned long)index);
}

static void examine_languages(prfdata_doctor *doctor, const prfdata_title_range *range)
{
    prfdata_title_languages languages;

    examine_language(doctor, range, PRFDATA_TITLE_ENGLISH);
    prfdata_title_database_languages(&languages);
    for (size_t i = 0; i < languages.count; i++)
        examine_language(doctor, range, languages.ids[i]);
}

/* Checks the value Object List. Without it, the system asks the provider for every object. */
static void examine_object_list(prfdata_doctor *doctor, const prfdata_title_range *range)
{
    wchar_t list[PRFDATA_MAX_OBJECTS * 11 + 1];

    if (!prfdata_service_key_text(&doctor->key, L"Object List", list, sizeof list / sizeof list[0]))
        return;
    for (uint32_t i = 0; i < doctor->installed->object_count; i++) {
        const prfdata_model_object *object = &doctor->installed->objects[i];
        DWORD index = range->first_counter + object->title_offset;

        if (prfdata_title_database_lists(list, index))
            continue;
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_OBJECT_LIST_WRONG, NULL,
                                      (unsigned long)index, object->entry->name);
        return;
    }
}

void prfdata_doctor_titles_examine(prfdata_doctor *doctor)
{
    prfdata_title_range range;

    examine_loaded(doctor);
    examine_same_objects(doctor);
    if (!prfdata_title_database_range(&doctor->key, &range))
        return;
    examine_pairs(doctor, &range);
    examine_end(doctor, &range);
    examine_other_services(doctor, &range);
    if (prfdata_diagnosis_has(&doctor->diagnosis, PRFDATA_FINDING_TITLES_WRONG))
        return;
    examine_object_list(doctor, &range);
    examine_languages(doctor, &range);
}
