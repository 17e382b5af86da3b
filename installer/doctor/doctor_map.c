/* SPDX-License-Identifier: MIT */
/*
 * Examines the registered maps, and compares the map of this program with the current one. Windows
 * only.
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "report/map_report.h"
#include "service/prepared.h"
#include "service/registered.h"
#include "windows/system_text.h"

/*
 * Reads the registered maps. A damaged earlier map is left out, because readers do not show regions
 * of a map that they cannot decode.
 */
static uint32_t read_registered_maps(prfdata_doctor *doctor, prfdata_maps *maps,
                                     prfdata_model **present)
{
    const uint32_t status = prfdata_registered_maps(&doctor->values, maps, present);

    doctor->models[doctor->model_count++] = *present;
    for (uint32_t i = *present ? 1 : 0; i < maps->count; i++)
        if (prfdata_model_from_bytes(maps->entries[i].bytes, maps->entries[i].size,
                                     &doctor->models[doctor->model_count]) == ERROR_SUCCESS)
            doctor->model_count++;
    if (!status)
        doctor->installed = *present;
    return status;
}

static bool is_of_this_service(const prfdata_doctor *doctor, const prfdata_model *model)
{
    return _stricmp(model->map->service, doctor->map->service) == 0;
}

static void report_unreadable_map(prfdata_doctor *doctor, uint32_t status)
{
    wchar_t words[256];

    if (status == ERROR_FILE_NOT_FOUND) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_MAP_MISSING, NULL);
        return;
    }
    if (status == ERROR_REVISION_MISMATCH) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_MAP_LATER, NULL);
        return;
    }
    prfdata_system_text(status, L"the map", words, 256);
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_MAP_DAMAGED, NULL, words);
}

/*
 * Compare the registered map, including its texts, with the map of this program, which -Install
 * would write.
 */
static void compare_maps(prfdata_doctor *doctor, const prfdata_maps *maps, const prfdata_model *own)
{
    const bool same = own->hash == maps->entries[0].hash;
    size_t size = 0;
    void *bytes = NULL;

    if (prfdata_prepared_encode_map(own, &bytes, &size) != ERROR_SUCCESS)
        return;
    if (size != maps->entries[0].size || memcmp(bytes, maps->entries[0].bytes, size) != 0) {
        doctor->map_difference = ERROR_REVISION_MISMATCH;
        prfdata_diagnosis_add_finding(
            &doctor->diagnosis,
            same ? PRFDATA_FINDING_MAP_TEXTS_DIFFER : PRFDATA_FINDING_MAP_DIFFERS, NULL);
    }
    free(bytes);
}

static void add_own_map_line(void *context, bool is_mistake, const wchar_t *line)
{
    prfdata_doctor *doctor = context;

    prfdata_diagnosis_add_finding(
        &doctor->diagnosis,
        is_mistake ? PRFDATA_FINDING_OWN_MAP_WRONG : PRFDATA_FINDING_OWN_MAP_NOTE, NULL, line);
}

static void examine_own_map(prfdata_doctor *doctor, const prfdata_maps *maps)
{
    prfdata_model *own = NULL;

    if (prfdata_map_report_visit(doctor->map, add_own_map_line, doctor) > 0)
        return;
    if (prfdata_model_make(doctor->map, &own) != ERROR_SUCCESS) {
        doctor->diagnosis.has_failed = true;
        return;
    }
    compare_maps(doctor, maps, own);
    prfdata_model_free(own);
}

void prfdata_doctor_map_examine(prfdata_doctor *doctor)
{
    prfdata_model *present;
    prfdata_maps maps;
    uint32_t status = read_registered_maps(doctor, &maps, &present);

    if (status) {
        report_unreadable_map(doctor, status);
        if (present && is_of_this_service(doctor, present))
            examine_own_map(doctor, &maps);
        return;
    }
    if (!is_of_this_service(doctor, present)) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_MAP_FOREIGN, NULL,
                                      doctor->installed->map->service);
        doctor->installed = NULL;
        return;
    }
    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_MAP, L"objects %lu, titles %lu",
                               (unsigned long)doctor->installed->object_count,
                               (unsigned long)doctor->installed->title_count);
    prfdata_diagnosis_add_number(&doctor->diagnosis, PRFDATA_FACT_EARLIER_MAPS,
                                 doctor->model_count - 1, L"%lu",
                                 (unsigned long)doctor->model_count - 1);
    examine_own_map(doctor, &maps);
}
