/* SPDX-License-Identifier: MIT */
/* Implements a provider without objects that corrects Wine's HKEY_PERFORMANCE_DATA for other
 * providers.
 *
 * Wine gives the first provider a pointer that is sizeof(PERF_DATA_BLOCK) too far after the header.
 * So no reader finds the objects, and providers may write that many bytes beyond the caller's
 * buffer. Wine continues at the pointer that a provider returns, so the first provider can correct
 * the pointer. This provider does so. It is the first, because its name sorts before all others. If
 * Wine does not have the defect, the workaround does nothing. Use it only under Wine, never on
 * Windows. */
#include <windows.h>
#include <winperf.h>

__declspec(dllexport) DWORD APIENTRY PrfDataWineWorkaroundOpen(LPWSTR names);
__declspec(dllexport) DWORD APIENTRY
    PrfDataWineWorkaroundCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes,
                                 LPDWORD object_count);
__declspec(dllexport) DWORD APIENTRY PrfDataWineWorkaroundClose(void);

enum {
    /* The header ends with the computer's name, which has 1 to 15 characters and a NUL, padded to 8
     * bytes. */
    SHORTEST_HEADER = sizeof(PERF_DATA_BLOCK) + 8,
    LONGEST_HEADER = sizeof(PERF_DATA_BLOCK) + 32
};

static BOOL is_header(const unsigned char *address, DWORD header_bytes)
{
    PERF_DATA_BLOCK header;
    SIZE_T read_bytes;

    /* The memory below the pointer may not be ours, or not exist. This call cannot fault. */
    if (!ReadProcessMemory(GetCurrentProcess(), address, &header, sizeof(header), &read_bytes) ||
        read_bytes != sizeof(header))
        return FALSE;
    return header.Signature[0] == L'P' && header.Signature[1] == L'E' &&
           header.Signature[2] == L'R' && header.Signature[3] == L'F' && header.LittleEndian == 1 &&
           header.HeaderLength == header_bytes && header.SystemNameOffset == sizeof(header);
}

static BOOL header_ends_at(const unsigned char *end)
{
    for (DWORD bytes = SHORTEST_HEADER; bytes <= LONGEST_HEADER; bytes += 8)
        if (is_header(end - bytes, bytes))
            return TRUE;
    return FALSE;
}

DWORD APIENTRY PrfDataWineWorkaroundOpen(LPWSTR names)
{
    (void)names;
    return ERROR_SUCCESS;
}

DWORD APIENTRY PrfDataWineWorkaroundCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes,
                                            LPDWORD object_count)
{
    unsigned char *objects = *data;

    (void)query;
    if (!header_ends_at(objects) && header_ends_at(objects - sizeof(PERF_DATA_BLOCK)))
        *data = objects - sizeof(PERF_DATA_BLOCK);
    *data_bytes = 0;
    *object_count = 0;
    return ERROR_SUCCESS;
}

DWORD APIENTRY PrfDataWineWorkaroundClose(void)
{
    return ERROR_SUCCESS;
}
