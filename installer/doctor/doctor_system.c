/* SPDX-License-Identifier: MIT */
/*
 * Examines the settings that concern the providers of all services: the switches of Perflib, and
 * PerfHost. Windows only.
 */
#include <wchar.h>

#include "doctor/doctor.h"
#include "service/provider_dll.h"
#include "windows/pe_file.h"
#include "windows/registry.h"

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

static void examine_perflib_values(prfdata_doctor *doctor, HKEY perflib)
{
    DWORD disabled = 0, level = 0;

    if (prfdata_registry_number(perflib, L"Disable Performance Counters", &disabled) ==
            ERROR_SUCCESS &&
        disabled != 0)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_ALL_DISABLED, NULL);
    (void)prfdata_registry_number(perflib, L"EventLogLevel", &level);
    prfdata_diagnosis_add_number(&doctor->diagnosis, PRFDATA_FACT_EVENT_LEVEL, level,
                                 level ? L"%lu" : L"%lu: the provider writes no events",
                                 (unsigned long)level);
}

static void examine_perflib(prfdata_doctor *doctor)
{
    HKEY perflib;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY,
                      &perflib) != ERROR_SUCCESS)
        return;
    examine_perflib_values(doctor, perflib);
    RegCloseKey(perflib);
}

typedef union service_settings {
    QUERY_SERVICE_CONFIGW settings;
    BYTE bytes[8192]; /* the most that QueryServiceConfigW() writes, according to its page */
} service_settings;

static uint32_t read_service_start(DWORD *start)
{
    service_settings read;
    DWORD needed;
    uint32_t status = ERROR_SUCCESS;
    SC_HANDLE service;
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);

    if (!manager)
        return GetLastError();
    service = OpenServiceW(manager, L"PerfHost", SERVICE_QUERY_CONFIG);
    if (!service) {
        status = GetLastError();
    } else {
        if (QueryServiceConfigW(service, &read.settings, sizeof read, &needed))
            *start = read.settings.dwStartType;
        else
            status = GetLastError();
        CloseServiceHandle(service);
    }
    CloseServiceHandle(manager);
    return status;
}

/*
 * Returns whether readers need PerfHost. In a 64-bit reader, Perflib uses this service to load the
 * 32-bit providers (Microsoft's page "64-bit Support" of the performance counters).
 */
static bool needs_perfhost(const prfdata_doctor *doctor)
{
    return doctor->dll_machine == PRFDATA_PE_MACHINE_X86 &&
           prfdata_provider_dll_machine(PRFDATA_ARCH_NATIVE) != PRFDATA_PE_MACHINE_X86;
}

static void examine_perfhost(prfdata_doctor *doctor)
{
    DWORD start = SERVICE_DEMAND_START;
    uint32_t status;

    if (!needs_perfhost(doctor))
        return;
    status = read_service_start(&start);
    if (!status && start == SERVICE_DISABLED)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_PERFHOST_DISABLED, NULL);
    else
        prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_PERFHOST,
                                   status ? L"not known" : L"can start");
}

void prfdata_doctor_system_examine(prfdata_doctor *doctor)
{
    examine_perflib(doctor);
    examine_perfhost(doctor);
}
