/* SPDX-License-Identifier: MIT */
/*
 * Reads a provider DLL as a file, and never loads it, because its code must not run in an elevated
 * program. Windows only.
 */
#include "service/provider_dll.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "windows/pe_file.h"
#include "windows/plain_file.h"

#define MAX_DLL_BYTES (64u * 1024 * 1024)

typedef BOOL(WINAPI is_wow64_process2)(HANDLE process, USHORT *process_machine,
                                       USHORT *native_machine);

static uint16_t native_machine(void)
{
    union {
        FARPROC untyped;
        is_wow64_process2 *typed;
    } function;
    HMODULE kernel32 = GetModuleHandleW(L"kernel32.dll");
    USHORT process, native;
    SYSTEM_INFO system;

    /*
     * Prefer IsWow64Process2(), because GetNativeSystemInfo() returns x64 to an x64 program on
     * ARM64. Windows before 10 1511 lacks IsWow64Process2().
     */
    function.untyped = kernel32 ? GetProcAddress(kernel32, "IsWow64Process2") : NULL;
    if (function.untyped && function.typed(GetCurrentProcess(), &process, &native))
        return native;
    GetNativeSystemInfo(&system);
    switch (system.wProcessorArchitecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
        return PRFDATA_PE_MACHINE_X64;
    case 12: /* PROCESSOR_ARCHITECTURE_ARM64, which older headers lack */
        return PRFDATA_PE_MACHINE_ARM64;
    default:
        return PRFDATA_PE_MACHINE_X86;
    }
}

static uint16_t program_machine(void)
{
#if defined(_M_ARM64) || defined(__aarch64__)
    return PRFDATA_PE_MACHINE_ARM64;
#elif defined(_WIN64)
    return PRFDATA_PE_MACHINE_X64;
#else
    return PRFDATA_PE_MACHINE_X86;
#endif
}

uint16_t prfdata_provider_dll_machine(prfdata_install_arch arch)
{
    return arch == PRFDATA_ARCH_X86 ? PRFDATA_PE_MACHINE_X86 : native_machine();
}

/*
 * On ARM64 a DLL for x64 fits, too. It serves x64 readers, which run under emulation, but no ARM64
 * reader. An ARM64 DLL serves only ARM64 readers. Only an Arm64X DLL has code for both
 * (learn.microsoft.com/windows/arm/arm64x-pe).
 */
bool prfdata_provider_dll_machine_fits(uint16_t machine, prfdata_install_arch arch)
{
    const uint16_t meant = prfdata_provider_dll_machine(arch);

    return machine == meant ||
           (meant == PRFDATA_PE_MACHINE_ARM64 && machine == PRFDATA_PE_MACHINE_X64);
}

const wchar_t *prfdata_provider_dll_machine_text(uint16_t machine)
{
    switch (machine) {
    case PRFDATA_PE_MACHINE_X86:
        return L"x86";
    case PRFDATA_PE_MACHINE_X64:
        return L"x64";
    case PRFDATA_PE_MACHINE_ARM64:
        return L"arm64";
    default:
        return L"?";
    }
}

/*
 * Make the path of <name>.dll. A DLL for this program's machine is next to the program. A DLL for
 * another machine is in a folder next to the program: x86, x64 or arm64.
 */
static uint32_t path_of_dll(const char *name, uint16_t machine, wchar_t *path)
{
    wchar_t program[MAX_PATH];
    DWORD length = GetModuleFileNameW(NULL, program, MAX_PATH);
    const wchar_t *folder = L"";
    const wchar_t *separator = L"";

    if (length == 0 || length == MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    while (length > 0 && program[length - 1] != L'\\')
        program[--length] = 0;
    if (machine != program_machine()) {
        folder = prfdata_provider_dll_machine_text(machine);
        separator = L"\\";
    }
    if (prfdata_wide_format(path, MAX_PATH, L"%ls%ls%ls%hs.dll", program, folder, separator, name) <
        0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

/*
 * Make the path of <service>Prf.dll. If that file is missing, and the ready-made provider exists,
 * make the path of the ready-made provider.
 */
static uint32_t dll_path_for(const prfdata_map *map, uint16_t machine, wchar_t *path)
{
    char own[PRFDATA_MAX_SERVICE_CHARS + sizeof "Prf"];
    wchar_t ready[MAX_PATH];
    uint32_t status;

    (void)snprintf(own, sizeof own, "%sPrf", map->service);
    status = path_of_dll(own, machine, path);
    if (!status && GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES &&
        path_of_dll(PRFDATA_PROVIDER_READY, machine, ready) == ERROR_SUCCESS &&
        GetFileAttributesW(ready) != INVALID_FILE_ATTRIBUTES)
        wcscpy(path, ready);
    return status;
}

/*
 * Make the path of the DLL if the options name none. A product that has no ARM64 DLL registers its
 * x64 DLL on ARM64.
 */
static uint32_t default_dll_path(const prfdata_map *map, prfdata_install_arch arch, wchar_t *path)
{
    const uint16_t machine = prfdata_provider_dll_machine(arch);
    wchar_t emulated[MAX_PATH];
    const uint32_t status = dll_path_for(map, machine, path);

    if (!status && machine == PRFDATA_PE_MACHINE_ARM64 &&
        GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES &&
        dll_path_for(map, PRFDATA_PE_MACHINE_X64, emulated) == ERROR_SUCCESS &&
        GetFileAttributesW(emulated) != INVALID_FILE_ATTRIBUTES)
        wcscpy(path, emulated);
    return status;
}

uint32_t prfdata_provider_dll_path(const prfdata_map *map, const prfdata_install_options *options,
                                   wchar_t *path)
{
    DWORD length;

    if (!options->provider_path)
        return default_dll_path(map, options->arch, path);
    length = GetFullPathNameW(options->provider_path, MAX_PATH, path, NULL);
    if (length == 0)
        return GetLastError();
    return length < MAX_PATH ? ERROR_SUCCESS : ERROR_FILENAME_EXCED_RANGE;
}

const char *const prfdata_provider_dll_exports[PRFDATA_PROVIDER_EXPORTS] = {
    "PrfDataOpen", "PrfDataCollect", "PrfDataClose"};

static uint32_t inspect_dll_bytes(const void *bytes, size_t size, uint16_t *machine,
                                  const char **missing)
{
    prfdata_pe_file file;

    if (prfdata_pe_file_open(&file, bytes, size) != 0 || !file.is_dll)
        return ERROR_BAD_EXE_FORMAT;
    *machine = file.machine;
    for (size_t i = 0; i < PRFDATA_PROVIDER_EXPORTS; i++) {
        if (!prfdata_pe_file_exports(&file, prfdata_provider_dll_exports[i])) {
            *missing = prfdata_provider_dll_exports[i];
            return ERROR_PROC_NOT_FOUND;
        }
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_provider_dll_read(const wchar_t *path, uint16_t *machine, const char **missing,
                                   void **bytes, size_t *size)
{
    void *read = NULL;
    size_t read_bytes = 0;
    uint32_t status = prfdata_plain_file_read(path, 0, MAX_DLL_BYTES, &read, &read_bytes);

    if (status)
        return status == ERROR_FILE_TOO_LARGE ? ERROR_BAD_EXE_FORMAT : status;
    status = inspect_dll_bytes(read, read_bytes, machine, missing);
    if (status) {
        free(read);
        return status;
    }
    *bytes = read;
    *size = read_bytes;
    return ERROR_SUCCESS;
}

uint32_t prfdata_provider_dll_inspect(const wchar_t *path, uint16_t *machine, const char **missing)
{
    void *bytes = NULL;
    size_t size;
    uint32_t status = prfdata_provider_dll_read(path, machine, missing, &bytes, &size);

    free(bytes);
    return status;
}
