/* SPDX-License-Identifier: MIT */
/* Runs the parts of the examination in their order, and decides its result. Windows only. */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "doctor/helper.h"
#include "report/map_report.h"
#include "report/report.h"
#include "service/registered.h"
#include "service/site.h"
#include "system/os.h"

static const prfdata_install_options no_options = {0};

/*
 * If this program has another map than the installed one, installing is an upgrade. -Repair must
 * not upgrade, so commands that install become unsafe.
 */
static void validate_safety(prfdata_doctor *doctor)
{
    if (!doctor->map_difference)
        return;
    for (size_t i = 0; i < doctor->diagnosis.findings.count; i++) {
        prfdata_finding *finding = &doctor->diagnosis.findings.items[i];

        if (finding->fix == PRFDATA_FIX_INSTALL || finding->fix == PRFDATA_FIX_RELOAD_TITLES)
            finding->is_safe = false;
    }
}

/*
 * Runs with the account of the process, as the client library does, even if this thread
 * impersonates another account.
 */
static void examine_files(void *context)
{
    prfdata_doctor *doctor = context;

    if (doctor->folder_is_right)
        prfdata_doctor_regions_examine(doctor);
    prfdata_doctor_publish_examine(doctor);
}

/* Reports an error after which nothing more is examined. */
static uint32_t report_end(const prfdata_doctor *doctor, uint32_t status, const wchar_t *what)
{
    const prfdata_report report = {doctor->options->step, doctor->options->context};

    return prfdata_report_error(&report, status, L"%ls", what);
}

static uint32_t examine_installed(prfdata_doctor *doctor)
{
    uint32_t status;

    doctor->diagnosis.state = PRFDATA_DIAGNOSIS_INSTALLED;
    prfdata_doctor_map_examine(doctor);
    if (doctor->installed)
        prfdata_doctor_titles_examine(doctor);
    prfdata_doctor_dll_examine(doctor);
    prfdata_doctor_folder_examine(doctor);
    status = prfdata_os_call_as_process(examine_files, doctor);
    if (status)
        return report_end(doctor, status,
                          L"The files cannot be examined as the account of the process");
    prfdata_doctor_events_examine(doctor);
    prfdata_doctor_system_examine(doctor);
    prfdata_doctor_reader_examine(doctor);
    validate_safety(doctor);
    return ERROR_SUCCESS;
}

/*
 * Names the program in the commands that -Status suggests: `helper_path` of the options, otherwise
 * the program that installed the service, otherwise "installer".
 */
static void name_installer(prfdata_doctor *doctor)
{
    const wchar_t *path = doctor->options->helper_path;
    wchar_t registered[MAX_PATH];

    if (!path && doctor->key.performance &&
        prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_INSTALLER, registered, MAX_PATH))
        path = registered;
    prfdata_helper_name(path, doctor->diagnosis.program);
}

uint32_t prfdata_doctor_examine(prfdata_doctor *doctor, const prfdata_map *map,
                                const prfdata_install_options *options)
{
    uint32_t status;

    memset(doctor, 0, sizeof *doctor);
    doctor->map = map;
    doctor->options = options ? options : &no_options;
    doctor->helper_timeout_ms = doctor->options->helper_timeout_ms;
    if (doctor->helper_timeout_ms == 0)
        doctor->helper_timeout_ms = PRFDATA_HELPER_TIMEOUT_MS;
    status = prfdata_service_key_open(&doctor->key, map->service, false);
    if (status)
        return report_end(doctor, status, L"Service key");
    wcscpy(doctor->diagnosis.service, doctor->key.service);
    name_installer(doctor);
    if (!doctor->key.performance) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_NOT_INSTALLED, NULL);
        return doctor->diagnosis.has_failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
    }
    status = prfdata_service_key_save(&doctor->key, &doctor->values);
    if (status)
        return report_end(doctor, status, L"The Performance key cannot be read");
    prfdata_doctor_key_examine(doctor);
    if (doctor->key.ours) {
        status = examine_installed(doctor);
        if (status)
            return status;
    } else {
        doctor->diagnosis.state = PRFDATA_DIAGNOSIS_FOREIGN;
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOREIGN, NULL);
    }
    return doctor->diagnosis.has_failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

void prfdata_doctor_done(prfdata_doctor *doctor)
{
    prfdata_service_key_close(&doctor->key);
    for (uint32_t i = 0; i < doctor->model_count; i++)
        prfdata_model_free(doctor->models[i]);
    prfdata_service_key_free_values(&doctor->values);
    prfdata_diagnosis_free(&doctor->diagnosis);
}

/*
 * Returns ERROR_REVISION_MISMATCH only if the difference between the maps is the only problem
 * found.
 */
uint32_t prfdata_doctor_verdict(const prfdata_doctor *doctor)
{
    size_t wrong = prfdata_diagnosis_wrong_count(&doctor->diagnosis);

    switch (doctor->diagnosis.state) {
    case PRFDATA_DIAGNOSIS_NOT_INSTALLED:
        return ERROR_FILE_NOT_FOUND;
    case PRFDATA_DIAGNOSIS_FOREIGN:
        return ERROR_ALREADY_EXISTS;
    default:
        break;
    }
    if (wrong == 0)
        return ERROR_SUCCESS;
    return wrong == 1 && doctor->map_difference ? ERROR_REVISION_MISMATCH : ERROR_INVALID_DATA;
}

uint32_t prfdata_install_status(const prfdata_map *map, const prfdata_install_options *options)
{
    prfdata_doctor doctor;
    uint32_t status;

    if (!prfdata_site_has_service(map)) {
        const prfdata_report report = {options ? options->step : NULL,
                                       options ? options->context : NULL};

        prfdata_map_report_mistakes(&report, map, L"");
        return ERROR_INVALID_PARAMETER;
    }
    status = prfdata_doctor_examine(&doctor, map, options);
    if (!status && doctor.options->status_format == PRFDATA_STATUS_JSON)
        status = prfdata_diagnosis_json(&doctor.diagnosis, doctor.options->step,
                                        doctor.options->context);
    else if (!status)
        prfdata_diagnosis_text(&doctor.diagnosis, doctor.options->step, doctor.options->context);
    if (!status)
        status = prfdata_doctor_verdict(&doctor);
    prfdata_doctor_done(&doctor);
    return status;
}
