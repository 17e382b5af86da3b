/* SPDX-License-Identifier: MIT */
/*
 * Makes, takes over and deletes region files (os.h) on Windows, for the programs that write them.
 */
#include "system/os_win32.h"

#include <winioctl.h>

/* The owner is the program that has the file open with this access and shares only reading. */
#define OWNER_ACCESS                                                                               \
    (FILE_READ_DATA | FILE_WRITE_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL | DELETE)

static uint32_t mark_deleted(HANDLE file)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};

    return SetFileInformationByHandle(file, FileDispositionInfo, &disposition, sizeof(disposition))
               ? ERROR_SUCCESS
               : GetLastError();
}

/*
 * Ends the compression of a file. A new file in a compressed folder is compressed, and the bytes of
 * a compressed file are allocated only when they are written.
 */
static void uncompress(HANDLE file)
{
    USHORT format = COMPRESSION_FORMAT_NONE;
    DWORD attributes = 0, returned;

    if (prfdata_os_file_attributes(file, &attributes) == ERROR_SUCCESS &&
        (attributes & FILE_ATTRIBUTE_COMPRESSED))
        (void)DeviceIoControl(file, FSCTL_SET_COMPRESSION, &format, sizeof(format), NULL, 0,
                              &returned, NULL);
}

static uint32_t write_zeros(HANDLE file, uint64_t size)
{
    /* Not const, because constants would add 64 KiB to the file of each program. */
    static unsigned char zeros[65536];
    DWORD written;

    while (size > 0) {
        DWORD part = size < sizeof(zeros) ? (DWORD)size : (DWORD)sizeof(zeros);

        if (!WriteFile(file, zeros, part, &written, NULL))
            return GetLastError();
        if (written == 0)
            return ERROR_DISK_FULL;
        size -= written;
    }
    return ERROR_SUCCESS;
}

/* Sets the file's size. NTFS then allocates the bytes. If they are not allocated, writes zeros. */
static uint32_t allocate_file_bytes(HANDLE file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end;
    FILE_STANDARD_INFO about;

    if (size > INT64_MAX)
        return ERROR_DISK_FULL;
    end.EndOfFile.QuadPart = (LONGLONG)size;
    if (!SetFileInformationByHandle(file, FileEndOfFileInfo, &end, sizeof(end)) ||
        !GetFileInformationByHandleEx(file, FileStandardInfo, &about, sizeof(about)))
        return GetLastError();
    return about.AllocationSize.QuadPart < (LONGLONG)size ? write_zeros(file, size) : ERROR_SUCCESS;
}

static uint32_t fill_new(const prfdata_os_directory *directory, const prfdata_os_name *name,
                         HANDLE file, uint64_t size, uint8_t **bytes)
{
    uint64_t present;
    uint32_t status;

    if (!prfdata_os_place_is_inside(directory, file, name))
        return ERROR_ACCESS_DENIED;
    uncompress(file);
    status = prfdata_os_file_check_plain(file, &present);
    if (status != ERROR_SUCCESS)
        return status;
    status = allocate_file_bytes(file, size);
    if (status != ERROR_SUCCESS)
        return status;
    return prfdata_os_region_map_section(file, size, true, bytes);
}

uint32_t prfdata_os_region_create(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t size, prfdata_os_region *region)
{
    static const prfdata_os_opening how = {OWNER_ACCESS, FILE_SHARE_READ, FILE_CREATE,
                                           FILE_NON_DIRECTORY_FILE};
    uint8_t *bytes = NULL;
    HANDLE file;
    uint32_t status;

    if (size == 0)
        return ERROR_INVALID_PARAMETER;
    status = prfdata_os_file_open_region(directory, name, &how, &file);
    if (status != ERROR_SUCCESS)
        return status;
    status = fill_new(directory, name, file, size, &bytes);
    if (status != ERROR_SUCCESS) {
        (void)mark_deleted(file);
        CloseHandle(file);
        return status;
    }
    region->bytes = bytes;
    region->size = size;
    region->owner = (intptr_t)file;
    return ERROR_SUCCESS;
}

/*
 * If a file has a second name, another person linked it here, and writing would change that
 * person's file.
 */
static bool has_other_names(HANDLE file)
{
    FILE_STANDARD_INFO about;

    return !GetFileInformationByHandleEx(file, FileStandardInfo, &about, sizeof(about)) ||
           about.NumberOfLinks > 1;
}

static uint32_t check_takeable(const prfdata_os_directory *directory, const prfdata_os_name *name,
                               HANDLE file, uint64_t *size)
{
    uint32_t status = prfdata_os_file_check_plain(file, size);

    if (status == ERROR_INVALID_DATA)
        return ERROR_ACCESS_DENIED;
    if (status != ERROR_SUCCESS)
        return status;
    return !has_other_names(file) && prfdata_os_place_is_own_account(file) &&
                   prfdata_os_place_is_inside(directory, file, name)
               ? ERROR_SUCCESS
               : ERROR_ACCESS_DENIED;
}

static uint32_t status_of_owning(uint32_t status)
{
    return status == ERROR_INVALID_DATA ? ERROR_ACCESS_DENIED : status; /* not a plain file */
}

uint32_t prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_os_region *region)
{
    static const prfdata_os_opening how = {OWNER_ACCESS, FILE_SHARE_READ, FILE_OPEN,
                                           FILE_NON_DIRECTORY_FILE};
    uint8_t *bytes = NULL;
    uint64_t size = 0;
    HANDLE file;
    uint32_t status = status_of_owning(prfdata_os_file_open_region(directory, name, &how, &file));

    if (status != ERROR_SUCCESS)
        return status;
    status = check_takeable(directory, name, file, &size);
    if (status == ERROR_SUCCESS && size > 0)
        status = prfdata_os_region_map_section(file, size, true, &bytes);
    if (status != ERROR_SUCCESS) {
        CloseHandle(file);
        return status;
    }
    region->bytes = bytes;
    region->size = size;
    region->owner = (intptr_t)file;
    return ERROR_SUCCESS;
}

/*
 * The file's access list decides who may delete it. While the file has an owner, nobody can delete
 * it, because an owner does not share deleting.
 */
uint32_t prfdata_os_region_remove(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    static const prfdata_os_opening how = {DELETE | FILE_READ_ATTRIBUTES, FILE_SHARE_READ,
                                           FILE_OPEN, FILE_NON_DIRECTORY_FILE};
    uint64_t size;
    HANDLE file;
    uint32_t status = status_of_owning(prfdata_os_file_open_region(directory, name, &how, &file));

    if (status != ERROR_SUCCESS)
        return status;
    status = status_of_owning(prfdata_os_file_check_plain(file, &size));
    if (status == ERROR_SUCCESS && mark_deleted(file) != ERROR_SUCCESS)
        status = ERROR_SHARING_VIOLATION; /* a reader has a view */
    CloseHandle(file);
    return status;
}

void prfdata_os_region_delete(prfdata_os_directory *directory, const prfdata_os_name *name,
                              prfdata_os_region *region)
{
    (void)directory;
    (void)name;
    if (region->bytes) { /* first, because a mapped file cannot be deleted */
        UnmapViewOfFile(region->bytes);
        region->bytes = NULL;
    }
    if (region->owner != -1)
        (void)mark_deleted((HANDLE)region->owner);
    prfdata_os_region_close(region);
}
