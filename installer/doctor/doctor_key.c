/* SPDX-License-Identifier: MIT */
/*
 * Examines the values of the Performance key, and the key Linkage next to it. The other parts
 * examine what the values name. Windows only.
 */
#include <wchar.h>

#include "doctor/doctor.h"
#include "service/event_source.h"
#include "service/provider_dll.h"
#include "service/registered.h"

static void add_text_value(prfdata_doctor *doctor, prfdata_fact_id id, const wchar_t *name)
{
    wchar_t text[MAX_PATH];

    if (prfdata_service_key_text(&doctor->key, name, text, MAX_PATH))
        prfdata_diagnosis_add_fact(&doctor->diagnosis, id, L"%ls", text);
}

static void add_index_value(prfdata_doctor *doctor, prfdata_fact_id id, const wchar_t *name)
{
    DWORD number;

    if (prfdata_service_key_number(&doctor->key, name, &number))
        prfdata_diagnosis_add_number(&doctor->diagnosis, id, number, L"0x%08lX (%lu)",
                                     (unsigned long)number, (unsigned long)number);
}

static void add_lodctr_facts(prfdata_doctor *doctor)
{
    add_text_value(doctor, PRFDATA_FACT_DLL, L"Library");
    add_text_value(doctor, PRFDATA_FACT_OPEN, L"Open");
    add_text_value(doctor, PRFDATA_FACT_COLLECT, L"Collect");
    add_text_value(doctor, PRFDATA_FACT_CLOSE, L"Close");
    add_index_value(doctor, PRFDATA_FACT_FIRST_COUNTER, L"First Counter");
    add_index_value(doctor, PRFDATA_FACT_LAST_COUNTER, L"Last Counter");
    add_index_value(doctor, PRFDATA_FACT_FIRST_HELP, L"First Help");
    add_index_value(doctor, PRFDATA_FACT_LAST_HELP, L"Last Help");
}

static void examine_switch(prfdata_doctor *doctor)
{
    DWORD number = 0;

    if (!prfdata_service_key_number(&doctor->key, L"Disable Performance Counters", &number) ||
        number == 0)
        return;
    doctor->diagnosis.is_disabled = true;
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DISABLED, NULL,
                                  (unsigned long)number,
                                  number == 2   ? L"32-bit readers"
                                  : number == 4 ? L"64-bit readers"
                                                : L"all readers");
}

static void examine_procedures(prfdata_doctor *doctor)
{
    static const wchar_t *const values[][2] = {{L"Open", PRFDATA_PROVIDER_OPEN},
                                               {L"Collect", PRFDATA_PROVIDER_COLLECT},
                                               {L"Close", PRFDATA_PROVIDER_CLOSE}};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        wchar_t text[64];

        prfdata_service_key_text(&doctor->key, values[i][0], text, 64);
        if (wcscmp(text, values[i][1]) != 0)
            prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PROCEDURE_WRONG, NULL,
                                          values[i][0], text, values[i][1]);
    }
}

static void examine_metadata(prfdata_doctor *doctor)
{
    DWORD number = 0;

    if (!prfdata_service_key_number(&doctor->key, L"Collect Supports Metadata", &number) ||
        number != 1)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_METADATA_WRONG, NULL);
}

/*
 * Only a program that sets helper_path writes the value Installer. So only such a program reports
 * that the value is missing.
 */
static void examine_installer(prfdata_doctor *doctor)
{
    wchar_t path[MAX_PATH];

    if (doctor->options->helper_path &&
        !prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_INSTALLER, path, MAX_PATH))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_INSTALLER_UNNAMED, NULL);
}

static void examine_writers(prfdata_doctor *doctor)
{
    if (!prfdata_service_key_find(&doctor->values, PRFDATA_VALUE_WRITERS))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_WRITERS_MISSING, NULL);
}

static void examine_validation_code(prfdata_doctor *doctor)
{
    if (prfdata_service_key_find(&doctor->values, L"Library Validation Code"))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_VALIDATION_CODE, NULL);
}

static void examine_linkage(prfdata_doctor *doctor)
{
    switch (prfdata_service_key_linkage(&doctor->key)) {
    case PRFDATA_LINKAGE_OURS:
        break;
    case PRFDATA_LINKAGE_FOREIGN:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_LINKAGE_FOREIGN, NULL);
        break;
    default:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_LINKAGE_WRONG, NULL);
        break;
    }
}

void prfdata_doctor_key_examine(prfdata_doctor *doctor)
{
    add_lodctr_facts(doctor);
    examine_switch(doctor);
    if (!doctor->key.ours)
        return;
    examine_procedures(doctor);
    examine_metadata(doctor);
    examine_installer(doctor);
    examine_writers(doctor);
    examine_validation_code(doctor);
    examine_linkage(doctor);
}
