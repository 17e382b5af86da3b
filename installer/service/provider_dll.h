/* SPDX-License-Identifier: MIT */
/* Finds the provider DLL to register, and checks its machine and exports. Windows only. */
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

/* The same names as strings of char. */
enum { PRFDATA_PROVIDER_EXPORTS = 3 };
extern const char *const prfdata_provider_dll_exports[PRFDATA_PROVIDER_EXPORTS];

/* The name, without .dll, of the provider for services that have no provider of their own. */
#define PRFDATA_PROVIDER_READY "PrfDataProvider"

/* Return IMAGE_FILE_MACHINE_... of the DLL that `arch` means on this system. */
uint16_t prfdata_provider_dll_machine(prfdata_install_arch arch);

/*
 * Return whether a DLL for `machine` may be registered for `arch`: either `arch` means this
 * machine, or the DLL is for x64 and `arch` means ARM64.
 */
bool prfdata_provider_dll_machine_fits(uint16_t machine, prfdata_install_arch arch);

/* Return "x86", "x64", "arm64", or "?". */
const wchar_t *prfdata_provider_dll_machine_text(uint16_t machine);

/*
 * Make the full path of the DLL that the options name. If they name none, the first of these that
 * exists is chosen: the service's own DLL, the ready-made one, and on ARM64 the same two for x64.
 * If none exists, the path is that of the service's own DLL.
 *
 * path  Room for MAX_PATH.
 * Returns ERROR_SUCCESS, ERROR_FILENAME_EXCED_RANGE, or the system's error.
 */
uint32_t prfdata_provider_dll_path(const prfdata_map *map, const prfdata_install_options *options,
                                   wchar_t *path);

/*
 * Read the machine of the file and look for the three exports.
 *
 * machine  Set on ERROR_SUCCESS and ERROR_PROC_NOT_FOUND.
 * missing  On ERROR_PROC_NOT_FOUND the first export that is missing.
 *
 * Returns ERROR_SUCCESS, ERROR_BAD_EXE_FORMAT (not a DLL, or larger than 64 MiB),
 *         ERROR_PROC_NOT_FOUND, or the system's error.
 */
uint32_t prfdata_provider_dll_inspect(const wchar_t *path, uint16_t *machine, const char **missing);

/*
 * Inspect a file like prfdata_provider_dll_inspect(), and keep its content.
 *
 * bytes  On success new memory of `size` bytes; owner: the caller, free(). Untouched on failure.
 */
uint32_t prfdata_provider_dll_read(const wchar_t *path, uint16_t *machine, const char **missing,
                                   void **bytes, size_t *size);

#endif
