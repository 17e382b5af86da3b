/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether a reader gets the service's first object. A child process asks as readers do,
 * except if why_not_read() returns a reason not to ask. Windows only.
 */
#include <stdio.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "doctor/helper.h"
#include "windows/pe_file.h"
#include "windows/system_text.h"
#include "windows/wine.h"

enum { WORDS_CHARS = 512 };

/*
 * Returns whether the DLL serves readers with the bitness of this program. 64-bit readers reach a
 * 32-bit DLL through perfhost.exe, which Wine lacks.
 */
static bool is_for_this_bitness(const prfdata_doctor *doctor)
{
    bool is_x86 = doctor->dll_machine == PRFDATA_PE_MACHINE_X86;

    return sizeof(void *) == 4 ? is_x86 : !is_x86 || !prfdata_wine_is_here();
}

static const wchar_t *why_not_read(const prfdata_doctor *doctor)
{
    if (!doctor->options->helper_path)
        return L"not tried: no installer program was named";
    if (!doctor->dll_is_safe)
        return L"not tried: ordinary users can replace the DLL, and this prompt is elevated";
    if (doctor->diagnosis.is_disabled ||
        prfdata_diagnosis_has(&doctor->diagnosis, PRFDATA_FINDING_ALL_DISABLED))
        return L"not tried: the provider is disabled";
    if (!doctor->installed || !doctor->dll_is_right)
        return L"not tried: the map or the DLL has a problem";
    if (!is_for_this_bitness(doctor))
        return L"not tried: the DLL is for readers of the other bitness";
    if (prfdata_diagnosis_has(&doctor->diagnosis, PRFDATA_FINDING_PROCEDURE_WRONG))
        return L"not tried: the names of the procedures are incorrect";
    return NULL;
}

static void report_read_answer(prfdata_doctor *doctor, uint32_t status, uint32_t code)
{
    const wchar_t *object = doctor->installed->objects[0].entry->name;
    wchar_t words[WORDS_CHARS];

    prfdata_system_text(status ? status : code, L"a program", words, WORDS_CHARS);
    if (status == ERROR_TIMEOUT)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_READER_HUNG, NULL,
                                      (unsigned long)((doctor->helper_timeout_ms + 999) / 1000));
    else if (status)
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_READER, L"not tried: %ls",
                                   words);
    else if (code == ERROR_INVALID_DATA && prfdata_wine_is_here())
        prfdata_diagnosis_add_fact(
            &doctor->diagnosis, PRFDATA_FACT_READER,
            L"not checked: Wine puts the objects where no reader finds them; "
            L"prfread -dll %ls reads them",
            doctor->diagnosis.service);
    else if (code == ERROR_NOT_FOUND)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_READER_NOTHING, NULL,
                                      object);
    else if (code)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_READER_FAILED, NULL,
                                      words);
    else
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_READER,
                                   L"a reader of %d bits gets the object \"%ls\"",
                                   (int)(8 * sizeof(void *)), object);
}

void prfdata_doctor_reader_examine(prfdata_doctor *doctor)
{
    const wchar_t *why_not = why_not_read(doctor);
    uint32_t code = ERROR_SUCCESS;
    DWORD first = 0;
    wchar_t index[16];
    uint32_t status;

    if (!why_not && !prfdata_service_key_number(&doctor->key, L"First Counter", &first))
        why_not = L"not tried: the titles are not loaded";
    if (why_not) {
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_READER, L"%ls", why_not);
        return;
    }
    (void)swprintf(index, 16, L"%lu",
                   (unsigned long)(first + doctor->installed->objects[0].title_offset));
    status = prfdata_helper_ask(doctor->options->helper_path, L"-TryRead", index,
                                doctor->helper_timeout_ms, &code);
    report_read_answer(doctor, status, code);
}
