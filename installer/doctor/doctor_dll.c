/* SPDX-License-Identifier: MIT */
/*
 * Examines the registered DLL: its file, who can replace it, and whether it can be loaded. A child
 * process tries to load it, so no code of the DLL runs in this process. Windows only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "doctor/helper.h"
#include "service/dll_copy.h"
#include "service/event_source.h"
#include "service/provider_dll.h"
#include "service/registered.h"
#include "service/site.h"
#include "windows/pe_file.h"
#include "windows/plain_file.h"
#include "windows/protection.h"
#include "windows/registry.h"
#include "windows/system_text.h"
#include "windows/wine.h"

#define MAX_COPY_BYTES (64u * 1024 * 1024)

enum { WORDS_CHARS = 512 };

static const wchar_t *who_sees_counters_on_arm64(uint16_t machine)
{
    switch (machine) {
    case PRFDATA_PE_MACHINE_ARM64:
        return L"arm64 readers see the counters; x64 and 32-bit readers, which run under "
               L"emulation, do not";
    case PRFDATA_PE_MACHINE_X64:
        return L"x64 readers, which run under emulation, see the counters; arm64 readers, such as "
               L"PerfMon and WMI, and 32-bit readers do not";
    default:
        return NULL;
    }
}

static const wchar_t *who_sees_counters(uint16_t machine)
{
    if (prfdata_provider_dll_machine(PRFDATA_ARCH_NATIVE) == PRFDATA_PE_MACHINE_ARM64 &&
        machine != PRFDATA_PE_MACHINE_X86)
        return who_sees_counters_on_arm64(machine);
    if (machine == prfdata_provider_dll_machine(PRFDATA_ARCH_NATIVE))
        return machine == PRFDATA_PE_MACHINE_X86
                   ? L"all readers see the counters"
                   : L"64-bit readers see the counters, 32-bit readers do not";
    if (machine == PRFDATA_PE_MACHINE_X86)
        return L"32-bit readers see the counters, and 64-bit readers through perfhost.exe";
    return NULL;
}

static void report_unusable_dll(prfdata_doctor *doctor, uint32_t status, const char *missing)
{
    wchar_t words[WORDS_CHARS];

    prfdata_system_text(status, doctor->dll, words, WORDS_CHARS);
    switch (status) {
    case ERROR_PROC_NOT_FOUND:
        (void)swprintf(words, WORDS_CHARS, L"%hs", missing);
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_EXPORT_MISSING,
                                      doctor->dll, words);
        break;
    case ERROR_BAD_EXE_FORMAT:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_DAMAGED, doctor->dll,
                                      doctor->dll);
        break;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_MISSING, doctor->dll,
                                      doctor->dll);
        break;
    default:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_UNREADABLE,
                                      doctor->dll, words);
        break;
    }
}

/* Report if the machine of the DLL does not fit the value Arch, which stores the option -Arch. */
static void examine_arch(prfdata_doctor *doctor, const wchar_t *machine_name)
{
    wchar_t arch[16];

    if (!prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_ARCH, arch, 16))
        return;
    if (!prfdata_provider_dll_machine_fits(doctor->dll_machine, wcscmp(arch, L"x86") == 0
                                                                    ? PRFDATA_ARCH_X86
                                                                    : PRFDATA_ARCH_NATIVE))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_ARCH, doctor->dll,
                                      machine_name, arch);
}

static bool examine_machine(prfdata_doctor *doctor)
{
    const wchar_t *name = prfdata_provider_dll_machine_text(doctor->dll_machine);
    const wchar_t *who = who_sees_counters(doctor->dll_machine);

    if (!who) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_MACHINE, doctor->dll,
                                      name);
        return false;
    }
    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_ARCHITECTURE, L"%ls: %ls", name,
                               who);
    examine_arch(doctor, name);
    return true;
}

/*
 * Returns whether the content of the DLL matches its name. The name of a copy ends with a hash of
 * its content (dll_copy.h).
 */
static bool has_content_of_its_name(const prfdata_doctor *doctor)
{
    const wchar_t *name = wcsrchr(doctor->dll, L'\\');
    size_t chars = wcslen(doctor->key.service);
    wchar_t right[MAX_PATH];
    void *bytes = NULL;
    size_t size = 0;
    bool is_same = true;

    name = name ? name + 1 : doctor->dll;
    if (_wcsnicmp(name, doctor->key.service, chars) != 0 ||
        _wcsnicmp(name + chars, L"Prf-", 4) != 0)
        return true; /* the name has no hash, so the content is not checked */
    if (prfdata_plain_file_read(doctor->dll, 0, MAX_COPY_BYTES, &bytes, &size) != ERROR_SUCCESS)
        return true; /* it was readable a moment ago, so this is no finding */
    if (prfdata_dll_copy_path(doctor->key.service, doctor->dll, bytes, size, right) ==
        ERROR_SUCCESS)
        is_same = _wcsicmp(right, doctor->dll) == 0;
    free(bytes);
    return is_same;
}

/* Returns whether the content of the DLL matches its name. If it does not, reports that. */
static bool examine_content(prfdata_doctor *doctor)
{
    if (has_content_of_its_name(doctor))
        return true;
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_CHANGED, doctor->dll,
                                  doctor->dll);
    return false;
}

/*
 * Reports whether ordinary users can replace the DLL. The finding is only a note, because a
 * developer may have allowed this.
 */
static void examine_protection(prfdata_doctor *doctor)
{
    wchar_t text[2 * MAX_PATH + 64];
    prfdata_weakness weakness;

    if (prfdata_protection_check(doctor->dll, PRFDATA_PROTECTED_FILE, &weakness) != ERROR_SUCCESS)
        return;
    if (weakness.kind == PRFDATA_WEAKNESS_NONE) {
        doctor->dll_is_safe = true;
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_PROTECTION,
                                   L"administrators only");
        return;
    }
    prfdata_protection_text(&weakness, text, sizeof text / sizeof text[0]);
    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_PROTECTION, L"%ls", text);
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_UNPROTECTED, doctor->dll,
                                  text);
    /* An elevated process must not run the code of a DLL that ordinary users can replace. */
    doctor->dll_is_safe = !prfdata_site_is_elevated() || prfdata_wine_is_here();
}

static const wchar_t *why_not_loaded(const prfdata_doctor *doctor)
{
    uint16_t own = sizeof(void *) == 4 ? PRFDATA_PE_MACHINE_X86 : 0;

    if (!doctor->options->helper_path)
        return L"not tried: no installer program was named";
    if (!doctor->dll_is_safe)
        return L"not tried: ordinary users can replace the DLL, and this prompt is elevated";
    if ((doctor->dll_machine == PRFDATA_PE_MACHINE_X86) != (own == PRFDATA_PE_MACHINE_X86))
        return L"not tried: the DLL has another bitness than this program";
    return NULL;
}

/*
 * Returns whether this error code of LoadLibrary means that a policy of code integrity refused the
 * file (win32, Debug/system-error-codes; windows-itpro-docs, event-id-explanations.md of App
 * Control).
 */
static bool is_refused_by_policy(uint32_t code)
{
    /* Some versions of winerror.h lack these codes. */
    enum { INVALID_IMAGE_HASH = 577, SYSTEM_INTEGRITY_POLICY_VIOLATION = 4551 };

    return code == INVALID_IMAGE_HASH || code == SYSTEM_INTEGRITY_POLICY_VIOLATION;
}

static void report_load_answer(prfdata_doctor *doctor, uint32_t status, uint32_t code)
{
    wchar_t words[WORDS_CHARS];

    prfdata_system_text(status ? status : code, doctor->dll, words, WORDS_CHARS);
    if (status == ERROR_TIMEOUT) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_DLL_LOAD_HUNG,
                                      doctor->dll,
                                      (unsigned long)((doctor->helper_timeout_ms + 999) / 1000));
    } else if (status) {
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_LOAD, L"not tried: %ls",
                                   words);
    } else if (code) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis,
                                      is_refused_by_policy(code) ? PRFDATA_FINDING_DLL_REFUSED
                                                                 : PRFDATA_FINDING_DLL_LOAD_FAILED,
                                      doctor->dll, words);
    } else {
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_LOAD, L"succeeds");
    }
    doctor->dll_is_right = status != ERROR_TIMEOUT && (status || !code);
}

static void examine_loading(prfdata_doctor *doctor)
{
    const wchar_t *why_not = why_not_loaded(doctor);
    uint32_t code = ERROR_SUCCESS;
    uint32_t status;

    doctor->dll_is_right = true;
    if (why_not) {
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_DLL_LOAD, L"%ls", why_not);
        return;
    }
    status = prfdata_helper_ask(doctor->options->helper_path, L"-TryLoad", doctor->dll,
                                doctor->helper_timeout_ms, &code);
    report_load_answer(doctor, status, code);
}

static void examine_event_source(prfdata_doctor *doctor)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];

    prfdata_event_source_name(doctor->key.service, name);
    switch (prfdata_event_source_look(doctor->key.service, doctor->dll)) {
    case PRFDATA_EVENT_SOURCE_OURS:
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_EVENT_SOURCE, L"%ls", name);
        break;
    case PRFDATA_EVENT_SOURCE_FOREIGN:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_SOURCE_FOREIGN, NULL,
                                      name);
        break;
    default:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_SOURCE_WRONG, NULL, name);
        break;
    }
}

void prfdata_doctor_dll_examine(prfdata_doctor *doctor)
{
    const char *missing = "";
    uint32_t status = prfdata_registry_path(doctor->key.performance, L"Library", doctor->dll);

    if (status == ERROR_FILE_NOT_FOUND) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_LIBRARY_MISSING, NULL);
        return;
    }
    if (!status)
        status = prfdata_provider_dll_inspect(doctor->dll, &doctor->dll_machine, &missing);
    if (status) {
        report_unusable_dll(doctor, status, missing);
        return;
    }
    if (examine_machine(doctor)) {
        examine_protection(doctor);
        if (examine_content(doctor))
            examine_loading(doctor);
    }
    examine_event_source(doctor);
}
