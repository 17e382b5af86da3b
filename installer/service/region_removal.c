/* SPDX-License-Identifier: MIT */
/*
 * Removes one region file. The file belongs to an account that may be hostile. The file may be a
 * link or a second name of a file elsewhere, and a program may hold an oplock on it. The file may
 * have any size, so only its header is mapped. Windows only.
 */
#include "service/region_removal.h"

#include <string.h>
#include <wchar.h>

#include <prfdata/atomic.h>

#include "region/region.h"
#include "system/os.h"
#include "windows/file_handle.h"
#include "windows/file_users.h"

typedef wchar_t region_path[2 * MAX_PATH];

static void make_region_path(const prfdata_directory *directory, const wchar_t *name, wchar_t *path)
{
    wcscpy(path, directory->path);
    wcscat(path, L"\\");
    wcscat(path, name);
}

/* Returns whether an open that does not share writing is refused. */
static bool is_strict_open_refused(const wchar_t *path)
{
    HANDLE file;
    uint32_t status =
        prfdata_file_handle_try(path, FILE_READ_DATA, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                FILE_FLAG_OPEN_REPARSE_POINT, &file);

    if (!status)
        CloseHandle(file);
    return status == ERROR_SHARING_VIOLATION;
}

/*
 * Returns whether a writer has the file open. The function opens the file three times: without
 * sharing writing, sharing everything, and again without sharing writing. If a writer has the file
 * open, the first and the third call are refused, and the second one succeeds. While a scanner
 * scans the file, all three are refused (region-format.md, "Names and lifetime").
 */
static bool has_region_writer(const wchar_t *path)
{
    bool has_writer;
    HANDLE file;

    if (!is_strict_open_refused(path) ||
        prfdata_file_handle_try(path, FILE_READ_DATA,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                FILE_FLAG_OPEN_REPARSE_POINT, &file))
        return false;
    has_writer = is_strict_open_refused(path);
    CloseHandle(file);
    return has_writer;
}

/*
 * Returns whether the file has a second name (a hard link), or may have one. Nothing is written to
 * such a file, because an account may have linked a file that the account must not change.
 */
static bool has_other_names(HANDLE file)
{
    FILE_STANDARD_INFO about;

    return !GetFileInformationByHandleEx(file, FileStandardInfo, &about, sizeof about) ||
           about.NumberOfLinks != 1;
}

/*
 * Clears the attribute read-only. An account may set it on its files, so that they can be neither
 * written nor deleted.
 */
static void clear_read_only(const wchar_t *path)
{
    FILE_BASIC_INFO info;
    HANDLE file;

    if (prfdata_file_handle_open(path, FILE_WRITE_ATTRIBUTES,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 FILE_FLAG_OPEN_REPARSE_POINT, &file))
        return;
    if (GetFileInformationByHandleEx(file, FileBasicInfo, &info, sizeof info) &&
        (info.FileAttributes & FILE_ATTRIBUTE_READONLY) &&
        !(info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && !has_other_names(file)) {
        memset(&info, 0, sizeof info); /* a time of 0 stays unchanged */
        info.FileAttributes = FILE_ATTRIBUTE_NORMAL;
        (void)SetFileInformationByHandle(file, FileBasicInfo, &info, sizeof info);
    }
    CloseHandle(file);
}

/*
 * Open the file so that no other program can write to it. If a program publishes in the file,
 * `has_writer` becomes true, and the file stays closed. If a reader or a scanner has the file open,
 * the function waits, because they close it soon.
 */
static uint32_t own_region_file(const wchar_t *path, HANDLE *file, bool *has_writer)
{
    uint32_t status;

    do {
        status = prfdata_file_handle_try(path, FILE_READ_DATA | FILE_WRITE_DATA | DELETE,
                                         FILE_SHARE_READ, FILE_FLAG_OPEN_REPARSE_POINT, file);
        *has_writer = status == ERROR_SHARING_VIOLATION && has_region_writer(path);
    } while (status == ERROR_SHARING_VIOLATION && !*has_writer && prfdata_file_handle_wait());
    return status;
}

/* Map the header. `view->bytes` stays NULL if the file has no header or cannot be mapped. */
static void map_region_header(HANDLE file, bool is_writable, prfdata_os_region *view)
{
    const DWORD bytes = sizeof(prfdata_region_header);
    FILE_ATTRIBUTE_TAG_INFO kind;
    LARGE_INTEGER size;
    HANDLE section;

    if (!GetFileInformationByHandleEx(file, FileAttributeTagInfo, &kind, sizeof kind) ||
        (kind.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) || !GetFileSizeEx(file, &size) ||
        size.QuadPart < (LONGLONG)bytes)
        return;
    section =
        CreateFileMappingW(file, NULL, is_writable ? PAGE_READWRITE : PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return;
    view->bytes = MapViewOfFile(
        section, is_writable ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, bytes);
    view->size = bytes;
    CloseHandle(section); /* the view, if there is one, keeps the section alive */
}

static void void_header(void *context)
{
    prfdata_region_header *header = context;
    uint64_t structure = prfdata_load64_relaxed(&header->structure) | 1;

    /* Readers that have the file mapped check the state again when this word changes. */
    prfdata_store64_relaxed(&header->structure, structure);
    prfdata_fence_release();
    prfdata_store32_relaxed(&header->state, PRFDATA_REGION_BUILDING);
    prfdata_store64_release(&header->structure, structure + 1);
}

/* Make readers ignore the region. */
static void void_region(HANDLE file)
{
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;

    map_region_header(file, true, &view);
    if (!view.bytes)
        return;
    (void)prfdata_os_guarded(&view, void_header, view.bytes);
    prfdata_os_region_close(&view);
}

/* The name of a region is never used again, so Windows cannot delete another file by mistake. */
static prfdata_region_fate delete_at_restart(const wchar_t *path)
{
    return MoveFileExW(path, NULL, MOVEFILE_DELAY_UNTIL_REBOOT) ? PRFDATA_REGION_AT_RESTART
                                                                : PRFDATA_REGION_UNDELETED;
}

/*
 * Delete a file whose owner gave it an access list that denies reading and writing. Such a file
 * cannot be made void, but it can be deleted. A file that a program publishes in cannot be opened
 * here, because a writer shares only reading.
 */
static uint32_t remove_denied_region(const wchar_t *path, prfdata_region_fate *fate)
{
    HANDLE file;
    uint32_t status;

    do {
        status = prfdata_file_handle_try_delete(path, &file);
    } while (status == ERROR_SHARING_VIOLATION && prfdata_file_handle_wait());
    if (status == ERROR_SHARING_VIOLATION) {
        *fate = PRFDATA_REGION_IN_USE;
        return ERROR_SUCCESS;
    }
    if (status)
        return status;
    status = prfdata_file_handle_remove_read_only(file);
    CloseHandle(file);
    if (!status)
        *fate = PRFDATA_REGION_REMOVED;
    return status;
}

uint32_t prfdata_region_removal_run(const prfdata_directory *directory, const wchar_t *name,
                                    prfdata_region_fate *fate)
{
    region_path path;
    bool has_writer, is_voided;
    HANDLE file;
    uint32_t status;

    make_region_path(directory, name, path);
    clear_read_only(path);
    status = own_region_file(path, &file, &has_writer);
    if (has_writer) {
        *fate = PRFDATA_REGION_IN_USE;
        return ERROR_SUCCESS;
    }
    if (status == ERROR_ACCESS_DENIED)
        return remove_denied_region(path, fate);
    if (status)
        return status;
    is_voided = !has_other_names(file);
    if (is_voided)
        void_region(file);
    status = prfdata_file_handle_remove(file);
    CloseHandle(file);
    if (status && !is_voided)
        return status;
    *fate = status ? delete_at_restart(path) : PRFDATA_REGION_REMOVED;
    return ERROR_SUCCESS;
}

struct writer_reading {
    const prfdata_region_header *header;
    uint32_t process_id;
};

static void read_writer(void *context)
{
    struct writer_reading *reading = context;

    reading->process_id = prfdata_load32_relaxed(&reading->header->process_id);
}

static void name_process(uint32_t process_id, wchar_t *program)
{
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process_id);
    DWORD chars = MAX_PATH;

    program[0] = 0;
    if (!process)
        return;
    if (!QueryFullProcessImageNameW(process, 0, program, &chars))
        program[0] = 0;
    CloseHandle(process);
}

uint32_t prfdata_region_removal_writer(const prfdata_directory *directory, const wchar_t *name,
                                       wchar_t *program, bool *is_said)
{
    struct writer_reading reading = {NULL, 0};
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;
    region_path path;
    HANDLE file;

    program[0] = 0;
    *is_said = true;
    make_region_path(directory, name, path);
    if (prfdata_file_handle_open(path, FILE_READ_DATA,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 FILE_FLAG_OPEN_REPARSE_POINT, &file))
        return 0;
    map_region_header(file, false, &view);
    CloseHandle(file);
    if (!view.bytes)
        return 0;
    reading.header = (const void *)view.bytes;
    if (!prfdata_os_guarded(&view, read_writer, &reading))
        reading.process_id = 0;
    prfdata_os_region_close(&view);
    *is_said = !prfdata_file_users_check(path, &reading.process_id);
    if (reading.process_id)
        name_process(reading.process_id, program);
    return reading.process_id;
}
