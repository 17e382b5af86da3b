/* SPDX-License-Identifier: MIT */
/* Maps a file into memory, so that a file of several GiB needs no memory for parts that are not
 * shown. */
#include "channels/recording_file.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "base/array.h"

static uint32_t map_file(prfdata_recording_file *file, HANDLE handle)
{
    LARGE_INTEGER size;
    HANDLE section;

    if (!GetFileSizeEx(handle, &size))
        return GetLastError();
    if ((uint64_t)size.QuadPart > SIZE_MAX / 2)
        return ERROR_NOT_ENOUGH_MEMORY;
    file->size = (size_t)size.QuadPart;
    if (file->size == 0)
        return ERROR_SUCCESS;
    section = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return GetLastError();
    file->mapping = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(section); /* the view keeps the section open */
    return file->mapping ? ERROR_SUCCESS : GetLastError();
}

uint32_t prfdata_recording_file_open(prfdata_recording_file *file, const wchar_t *path,
                                     prfdata_decode_error *error)
{
    HANDLE handle =
        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    uint32_t status;

    memset(file, 0, sizeof *file);
    if (handle == INVALID_HANDLE_VALUE)
        return GetLastError();
    file->handle = handle;
    status = map_file(file, handle);
    if (status == ERROR_SUCCESS)
        status = prfdata_recording_read(file->mapping ? file->mapping : "", file->size,
                                        &file->recording, error);
    if (status != ERROR_SUCCESS)
        prfdata_recording_file_close(file);
    return status;
}

void prfdata_recording_file_close(prfdata_recording_file *file)
{
    prfdata_recording_free(&file->recording);
    if (file->mapping)
        UnmapViewOfFile(file->mapping);
    if (file->handle)
        CloseHandle(file->handle);
    memset(file, 0, sizeof *file);
}

/* ---- The files of a timeline ---- */

typedef struct open_files {
    /* One handle for each recording of the timeline; NULL: the recording cannot be read again. */
    HANDLE *handles;
    size_t count;
    size_t capacity;
} open_files;

static bool read_open_file(void *context, uint32_t recording, size_t offset, void *bytes,
                           size_t size)
{
    const open_files *files = context;
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
    DWORD read = 0;

    return recording < files->count && files->handles[recording] && size <= MAXDWORD &&
           ReadFile(files->handles[recording], bytes, (DWORD)size, &read, &place) && read == size;
}

static void close_open_files(void *context)
{
    open_files *files = context;

    for (size_t i = 0; i < files->count; i++) {
        if (files->handles[i])
            CloseHandle(files->handles[i]);
    }
    free((void *)files->handles);
    free(files);
}

prfdata_timeline_store prfdata_recording_file_store(void)
{
    open_files *files = calloc(1, sizeof *files);

    return files ? (prfdata_timeline_store){files, read_open_file, close_open_files}
                 : (prfdata_timeline_store){0};
}

/* Keep a file open as the next recording of the timeline. Returns false without memory. */
static bool keep_open(prfdata_timeline *timeline, const prfdata_recording_file *file)
{
    open_files *files = timeline->store.context;
    HANDLE *handles = prfdata_array_reserve((void *)files->handles, &files->capacity,
                                            files->count + 1, sizeof *handles);
    HANDLE process = GetCurrentProcess();

    if (!handles)
        return false;
    files->handles = handles;
    handles[files->count] = NULL;
    (void)DuplicateHandle(process, file->handle, process, &handles[files->count], 0, FALSE,
                          DUPLICATE_SAME_ACCESS);
    files->count++;
    return true;
}

uint32_t prfdata_recording_file_add(prfdata_timeline *timeline, const prfdata_recording_file *file,
                                    prfdata_timeline_damage *damage)
{
    if (timeline->store.context && !keep_open(timeline, file))
        return ERROR_NOT_ENOUGH_MEMORY;
    return prfdata_timeline_add_recording(timeline, file->mapping, &file->recording, damage);
}
