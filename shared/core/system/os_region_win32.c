/* SPDX-License-Identifier: MIT */
/*
 * Implements region files and their views (os.h) on Windows, as far as readers need them.
 * os_region_write_win32.c makes, takes over and deletes the files.
 */
#include "system/os_win32.h"

#include <assert.h>
#include <string.h>

uint32_t prfdata_os_region_map_section(HANDLE file, uint64_t size, bool writable, uint8_t **bytes)
{
    HANDLE section;
    uint8_t *view;
    uint32_t status = ERROR_SUCCESS;

    if (size > SIZE_MAX)
        return ERROR_NOT_ENOUGH_MEMORY;
    section = CreateFileMappingW(file, NULL, writable ? PAGE_READWRITE : PAGE_READONLY,
                                 (DWORD)(size >> 32), (DWORD)size, NULL);
    if (!section)
        return GetLastError();
    view = MapViewOfFile(section, writable ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ, 0, 0,
                         (SIZE_T)size);
    if (view)
        *bytes = view;
    else
        status = GetLastError();
    CloseHandle(section); /* the view, if there is one, keeps the section open */
    return status;
}

void prfdata_os_region_close(prfdata_os_region *region)
{
    static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    if (region->bytes)
        UnmapViewOfFile(region->bytes);
    if (region->owner != -1)
        CloseHandle((HANDLE)region->owner);
    *region = none;
}

/*
 * The id is zero if the system does not provide one. All files whose id is zero count as the same
 * file. Asks for FileIdInfo first, because ReFS needs 128 bits. Windows 7 provides only 64 bits.
 */
static prfdata_os_file_id read_file_id(HANDLE file)
{
    const FILE_INFO_BY_HANDLE_CLASS id_info = (FILE_INFO_BY_HANDLE_CLASS)18; /* FileIdInfo */
    BY_HANDLE_FILE_INFORMATION about;
    prfdata_os_file_id id;

    static_assert(sizeof(id) == 24, "FILE_ID_INFO: volume and 128 bits");
    memset(&id, 0, sizeof(id));
    if (!GetFileInformationByHandleEx(file, id_info, &id, sizeof(id)) &&
        GetFileInformationByHandle(file, &about)) {
        id.volume = about.dwVolumeSerialNumber;
        id.file[0] = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
    }
    return id;
}

static bool is_file_of(HANDLE file, const prfdata_os_region *view)
{
    prfdata_os_file_id id = read_file_id(file);

    return memcmp(&id, &view->file_id, sizeof(id)) == 0;
}

/* Opens a file for reading, if possible with the right to see who owns it (READ_CONTROL). */
static uint32_t open_to_read(prfdata_os_directory *directory, const prfdata_os_name *name,
                             HANDLE *file)
{
    static const prfdata_os_opening with_owner = {
        FILE_READ_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL, PRFDATA_OS_SHARE_ALL, FILE_OPEN,
        FILE_NON_DIRECTORY_FILE};
    static const prfdata_os_opening without = {FILE_READ_DATA | FILE_READ_ATTRIBUTES,
                                               PRFDATA_OS_SHARE_ALL, FILE_OPEN,
                                               FILE_NON_DIRECTORY_FILE};
    uint32_t status = prfdata_os_file_open_region(directory, name, &with_owner, file);

    if (status == ERROR_ACCESS_DENIED)
        status = prfdata_os_file_open_region(directory, name, &without, file);
    return status;
}

uint32_t prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                void *head, size_t head_bytes, prfdata_os_account *account)
{
    DWORD got;
    uint64_t size;
    HANDLE file;
    uint32_t status = open_to_read(directory, name, &file);

    if (status != ERROR_SUCCESS)
        return status;
    memset(head, 0, head_bytes);
    status = prfdata_os_file_check_plain(file, &size);
    if (status == ERROR_SUCCESS && !ReadFile(file, head, (DWORD)head_bytes, &got, NULL))
        status = GetLastError();
    prfdata_os_file_account(file, account);
    CloseHandle(file);
    return status;
}

/* Writes a number in decimal digits. Returns the place after them. */
static char *write_digits(char *text, uint64_t number)
{
    char digits[20];
    size_t count = 0;

    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0)
        *text++ = digits[--count];
    return text;
}

/* Does not call ConvertSidToStringSid, because that allocates memory from the system. */
void prfdata_os_account_write(const prfdata_os_account *account, char *text)
{
    /* A SID has a revision, a count, 6 bytes of authority, and subauthorities. */
    const uint8_t *bytes = account->bytes;
    uint64_t authority = 0;

    if (!IsValidSid((PSID)(uintptr_t)bytes)) {
        memcpy(text, "?", sizeof "?");
        return;
    }
    for (size_t i = 0; i < 6; i++)
        authority = authority << 8 | bytes[2 + i];
    memcpy(text, "S-1-", sizeof "S-1-");
    text = write_digits(text + 4, authority);
    for (size_t i = 0; i < bytes[1]; i++) {
        uint32_t part;

        memcpy(&part, bytes + 8 + 4 * i, sizeof part);
        *text++ = '-';
        text = write_digits(text, part);
    }
    *text = 0;
}

uint32_t prfdata_os_region_attach(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t limit, prfdata_os_region *region)
{
    uint8_t *bytes = NULL;
    uint64_t size = 0;
    HANDLE file;
    uint32_t status = open_to_read(directory, name, &file);

    if (status != ERROR_SUCCESS)
        return status;
    status = prfdata_os_file_check_plain(file, &size);
    if (status == ERROR_SUCCESS && (size == 0 || size > limit))
        status = ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS)
        status = prfdata_os_region_map_section(file, size, false, &bytes);
    if (status == ERROR_SUCCESS) {
        region->bytes = bytes;
        region->size = size;
        region->owner = -1;
        region->file_id = read_file_id(file);
        prfdata_os_file_account(file, &region->account);
    }
    CloseHandle(file);
    return status;
}

/* Whether another file has the name now. False if this thread may not open that file. */
static bool is_name_replaced(prfdata_os_directory *directory, const prfdata_os_name *name,
                             const prfdata_os_region *view)
{
    static const prfdata_os_opening how = {FILE_READ_ATTRIBUTES, PRFDATA_OS_SHARE_ALL, FILE_OPEN,
                                           0};
    bool replaced;
    HANDLE file;

    if (prfdata_os_file_open_region(directory, name, &how, &file) != ERROR_SUCCESS)
        return false;
    replaced = !is_file_of(file, view);
    CloseHandle(file);
    return replaced;
}

/*
 * Opens a region file for reading. If the file has an owner, this succeeds only if `share` contains
 * FILE_SHARE_WRITE.
 */
static uint32_t open_for_probing(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 ULONG share, HANDLE *file)
{
    const prfdata_os_opening how = {FILE_READ_DATA | FILE_READ_ATTRIBUTES, share, FILE_OPEN,
                                    FILE_NON_DIRECTORY_FILE};

    return prfdata_os_file_open_region(directory, name, &how, file);
}

/* Tries an open that does not share writing. If the system allows it, the file has no owner. */
static uint32_t probe_unshared(prfdata_os_directory *directory, const prfdata_os_name *name,
                               const prfdata_os_region *view)
{
    uint64_t size;
    HANDLE file;
    uint32_t status = open_for_probing(directory, name, FILE_SHARE_READ | FILE_SHARE_DELETE, &file);

    if (status == ERROR_SUCCESS) {
        status = prfdata_os_file_check_plain(file, &size);
        if (view && !is_file_of(file, view))
            status = ERROR_FILE_NOT_FOUND;
        CloseHandle(file);
    }
    return status == ERROR_INVALID_DATA ? ERROR_ACCESS_DENIED : status;
}

/*
 * Finds out why the open in probe_unshared() was refused. First opens the file and shares
 * everything, then calls probe_unshared() again.
 * - If the file has an owner, the first open succeeds. The second open is refused, because it does
 *   not share writing.
 * - If a scanner or another program has the file open and shares nothing, the first open is
 *   refused.
 * - If the program that caused the refusal has closed the file, both opens succeed.
 */
static uint32_t probe_refused(prfdata_os_directory *directory, const prfdata_os_name *name,
                              const prfdata_os_region *view, bool *alive)
{
    HANDLE file;
    uint32_t status = open_for_probing(directory, name, PRFDATA_OS_SHARE_ALL, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (view && !is_file_of(file, view))
        status = ERROR_FILE_NOT_FOUND;
    else
        status = probe_unshared(directory, name, view);
    CloseHandle(file);
    if (status != ERROR_SUCCESS && status != ERROR_SHARING_VIOLATION)
        return status;
    *alive = status == ERROR_SHARING_VIOLATION;
    return ERROR_SUCCESS;
}

/* `status` is the result of probe_unshared(). */
static uint32_t end_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                          const prfdata_os_region *view, uint32_t status, bool *alive)
{
    if (status == ERROR_SUCCESS)
        *alive = false;
    else if (status == ERROR_SHARING_VIOLATION)
        status = probe_refused(directory, name, view, alive);
    if (status != ERROR_SUCCESS && view && is_name_replaced(directory, name, view))
        return ERROR_FILE_NOT_FOUND;
    return status;
}

uint32_t prfdata_os_region_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const prfdata_os_region *view, bool *alive)
{
    return end_probe(directory, name, view, probe_unshared(directory, name, view), alive);
}

uint32_t prfdata_os_region_probe_owned(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       const prfdata_os_region *view, bool *alive)
{
    const uint32_t status = probe_unshared(directory, name, view);

    if (status != ERROR_SHARING_VIOLATION)
        return end_probe(directory, name, view, status, alive);
    *alive = true;
    return ERROR_SUCCESS;
}
