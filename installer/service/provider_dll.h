/* SPDX-License-Identifier: MIT */
/*
 * Finds the provider DLL that is to be registered and checks that it is one. Windows only.
 */
#ifndef PRFDATA_PROVIDER_DLL_H
#define PRFDATA_PROVIDER_DLL_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/install.h>

/* The exports of every provider. */
#define PRFDATA_PROVIDER_OPEN    L"PrfDataOpen"
#define PRFDATA_PROVIDER_COLLECT L"PrfDataCollect"
#define PRFDATA_PROVIDER_CLOSE   L"PrfDataClose"

/* Their names as the file and GetProcAddress() have them. */
enum { PRFDATA_PROVIDER_EXPORTS = 3 };
extern const char *const prfdata_provider_dll_exports[PRFDATA_PROVIDER_EXPORTS];

/* The name of the ready-made provider, of every service that has none of its own; without .dll */
#define PRFDATA_PROVIDER_READY "PrfDataProvider"

/* Return IMAGE_FILE_MACHINE_... of the DLL that `arch` means on this system. */
uint16_t prfdata_provider_dll_machine(prfdata_install_arch arch);

/*
 * Return whether a DLL for `machine` may be registered for `arch`: it is the one that `arch` means,
 * or it is for x64 and the system is ARM64, where x64 readers run under emulation.
 */
bool prfdata_provider_dll_machine_fits(uint16_t machine, prfdata_install_arch arch);

/* Return "x86", "x64", "arm64", or "?". */
const wchar_t *prfdata_provider_dll_machine_text(uint16_t machine);

/*
 * Make the full path of the DLL that the options name; without one, that of the service's own DLL,
 * or of the ready-made one where only that is there. The file need not exist.
 *
 * path  Room for MAX_PATH.
 * Returns ERROR_SUCCESS, ERROR_FILENAME_EXCED_RANGE, or what the system answered.
 */
uint32_t prfdata_provider_dll_path(const prfdata_map *map, const prfdata_install_options *options,
                                   wchar_t *path);

/*
 * Read the file's machine and look for the three exports.
 *
 * machine  Set on ERROR_SUCCESS and ERROR_PROC_NOT_FOUND.
 * missing  On ERROR_PROC_NOT_FOUND the first export that is not there.
 *
 * Returns ERROR_SUCCESS, ERROR_BAD_EXE_FORMAT (not a DLL), ERROR_PROC_NOT_FOUND, or what the
 *         system answered.
 */
uint32_t prfdata_provider_dll_inspect(const wchar_t *path, uint16_t *machine, const char **missing);

/*
 * The same, and keep what the file holds.
 *
 * bytes  On success new memory of `size` bytes; owner: the caller, free(). Untouched on failure.
 */
uint32_t prfdata_provider_dll_read(const wchar_t *path, uint16_t *machine, const char **missing,
                                   void **bytes, size_t *size);

#endif
