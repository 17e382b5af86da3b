/* SPDX-License-Identifier: MIT */
/* Implements the regions folder (os.h) on Windows: opens it, and lists its region files. */
#include "system/os_win32.h"

#include <stdlib.h>
#include <wchar.h>

#include "system/os_listing.h"

/*
 * This call lists a folder by its handle and takes a pattern. No function of the Windows API does
 * both. The call is documented for drivers, but ntdll exports it to all programs. Not every
 * winternl.h declares it.
 */
NTSTATUS NTAPI NtQueryDirectoryFile(HANDLE file, HANDLE event, PIO_APC_ROUTINE apc_routine,
                                    PVOID apc_context, PIO_STATUS_BLOCK result, PVOID bytes,
                                    ULONG size, FILE_INFORMATION_CLASS information,
                                    BOOLEAN is_single, PUNICODE_STRING pattern, BOOLEAN is_restart);

#define FILE_NAMES_INFORMATION_ ((FILE_INFORMATION_CLASS)12)

#define STATUS_NO_MORE_FILES_ ((NTSTATUS)0x80000006L)
#define STATUS_NO_SUCH_FILE_  ((NTSTATUS)0xC000000FL)

static uint32_t check_real_directory(HANDLE file)
{
    DWORD attributes = 0;
    uint32_t status = prfdata_os_file_attributes(file, &attributes);

    if (status != ERROR_SUCCESS)
        return status;
    if (!(attributes & FILE_ATTRIBUTE_DIRECTORY) || (attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

/* Opens a folder by a path of the object manager. */
static uint32_t open_object(wchar_t *path, prfdata_os_directory **directory)
{
    static const prfdata_os_opening how = {FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES,
                                           PRFDATA_OS_SHARE_ALL, FILE_OPEN, FILE_DIRECTORY_FILE};
    prfdata_os_directory *opened = calloc(1, sizeof(*opened));
    uint32_t status;

    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = prfdata_os_file_open(NULL, path, &how, &opened->file);
    if (status != ERROR_SUCCESS)
        goto free_directory;
    status = check_real_directory(opened->file);
    if (status != ERROR_SUCCESS)
        goto close_file;
    *directory = opened;
    return ERROR_SUCCESS;
close_file:
    CloseHandle(opened->file);
free_directory:
    free(opened);
    return status;
}

/*
 * Begins a path of the object manager. If this thread impersonates a client, uses \GLOBAL??\,
 * because \??\ may contain drive letters of the client.
 */
static void begin_path(wchar_t *path)
{
    wcscpy(path, prfdata_os_carries_token() ? L"\\GLOBAL??\\" : L"\\??\\");
}

uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory)
{
    wchar_t path[PRFDATA_OS_REGIONS_CHARS];
    uint32_t status;

    begin_path(path);
    status = prfdata_os_settings_append_regions_path(service, path, PRFDATA_OS_REGIONS_CHARS);
    return status ? status : open_object(path, directory);
}

uint32_t prfdata_os_directory_open_path(const wchar_t *path, prfdata_os_directory **directory)
{
    wchar_t object[PRFDATA_OS_REGIONS_CHARS];

    begin_path(object);
    if (wcslen(path) + wcslen(object) >= PRFDATA_OS_REGIONS_CHARS)
        return ERROR_FILENAME_EXCED_RANGE;
    wcscat(object, path);
    return open_object(object, directory);
}

void prfdata_os_directory_close(prfdata_os_directory *directory)
{
    if (!directory)
        return;
    CloseHandle(directory->file);
    free(directory);
}

/* FILE_NAMES_INFORMATION, which some winternl.h lack. */
typedef struct folder_entry {
    ULONG next_offset;
    ULONG index;
    ULONG name_bytes;
    WCHAR name[1];
} folder_entry;

static void look_at_entry(prfdata_os_listing *listing, const folder_entry *entry, bool *over)
{
    size_t chars = entry->name_bytes / sizeof(wchar_t);
    size_t kept = chars < PRFDATA_OS_NAME_CHARS ? chars : PRFDATA_OS_NAME_CHARS;
    char text[PRFDATA_OS_NAME_BYTES] = "";

    for (size_t i = 0; i < kept; i++)
        text[i] = entry->name[i] < 0x80 ? (char)entry->name[i] : '?';
    if (chars > kept)
        text[kept - 1] = '?'; /* such a name is too long for a region, but must count as examined */
    *over = !prfdata_os_listing_look(listing, text, kept);
}

static uint32_t list_entries(HANDLE file, wchar_t *pattern, prfdata_os_listing *listing)
{
    union {
        folder_entry entry;
        unsigned char bytes[8192];
    } buffer;
    UNICODE_STRING text = {(USHORT)(wcslen(pattern) * sizeof(wchar_t)), 0, pattern};
    bool over = false;

    text.MaximumLength = text.Length;
    while (!over) {
        size_t offset = 0;
        const folder_entry *entry;
        IO_STATUS_BLOCK result;
        NTSTATUS status =
            NtQueryDirectoryFile(file, NULL, NULL, NULL, &result, &buffer, sizeof(buffer),
                                 FILE_NAMES_INFORMATION_, FALSE, &text, FALSE);

        if (status == STATUS_NO_MORE_FILES_ || status == STATUS_NO_SUCH_FILE_)
            return ERROR_SUCCESS;
        if (status < 0)
            return prfdata_os_file_status(status);
        do {
            entry = (const folder_entry *)(const void *)(buffer.bytes + offset);
            look_at_entry(listing, entry, &over);
            offset += entry->next_offset;
        } while (!over && entry->next_offset != 0);
    }
    return ERROR_SUCCESS;
}

static uint32_t list_matching(const prfdata_os_directory *directory, wchar_t *pattern,
                              prfdata_os_listing *listing)
{
    static const prfdata_os_opening how = {FILE_LIST_DIRECTORY, PRFDATA_OS_SHARE_ALL, FILE_OPEN,
                                           FILE_DIRECTORY_FILE};
    wchar_t same[] = L"";
    HANDLE file = NULL;
    uint32_t status;

    /* The folder is opened again, because the position in the listing belongs to the handle. */
    status = prfdata_os_file_open(directory->file, same, &how, &file);
    if (status != ERROR_SUCCESS)
        return status;
    status = list_entries(file, pattern, listing);
    CloseHandle(file);
    return status;
}

/* Replaces the digits from `first` to `end` - 1 by question marks. */
static void mask_digits(wchar_t *pattern, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (pattern[i] != L'-')
            pattern[i] = L'?';
}

/* Writes the hexadecimal digits of a position, without the leading 1, directly before `end`. */
static void put_last_digits(wchar_t *end, uint64_t position)
{
    for (; position > 1; position >>= 4)
        *--end = L"0123456789abcdef"[position & 15];
}

/*
 * Lists the names that a position stands for (see the comment at prfdata_os_directory_list_part()).
 * 0 stands for all names.
 */
static uint32_t list_names_at(const prfdata_os_directory *directory, prfdata_os_listing *listing,
                              uint64_t position, size_t *count, bool *more)
{
    wchar_t pattern[PRFDATA_OS_NAME_BYTES] = L"";
    uint32_t status;

    prfdata_os_append_to_path(pattern, PRFDATA_OS_NAME_BYTES, listing->first.text);
    mask_digits(pattern, listing->is_of_others ? 0 : PRFDATA_OS_NAME_PREFIX_CHARS,
                PRFDATA_OS_NAME_PREFIX_CHARS + 16);
    put_last_digits(pattern + PRFDATA_OS_NAME_PREFIX_CHARS + 16, position);
    status = list_matching(directory, pattern, listing);
    if (status == ERROR_SUCCESS)
        prfdata_os_listing_finish(listing, count, more);
    return status;
}

uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, false, names, capacity);
    return list_names_at(directory, &listing, 0, count, more);
}

uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, true, names, capacity);
    return list_names_at(directory, &listing, 0, count, more);
}

/* A position has 16 hexadecimal digits: the digit 1 and at most 15 more. */
#define MOST_LAST_DIGITS 15

/*
 * Returns the position to list after `position`, or 0 if everything was listed. `more` is set if
 * the names of `position` did not fit into one call.
 */
static uint64_t next_position(uint64_t position, bool more)
{
    uint64_t mark = 1;

    while (position >> 4 >= mark)
        mark <<= 4;
    if (more && mark < (uint64_t)1 << 4 * MOST_LAST_DIGITS)
        return position - mark + (mark << 4); /* one more digit in front, a 0 */
    for (; mark > 1; mark >>= 4) {
        const uint64_t step = mark >> 4;

        if (position + step < 2 * mark)
            return position + step;                /* the first of the digits is not f */
        position = step + (position & (step - 1)); /* without the first digit */
    }
    return 0;
}

/*
 * A position stands for the names whose numbers end in certain hexadecimal digits. The position
 * consists of a 1 and these digits. For example, 0x1 stands for all names, and 0x10a stands for the
 * names whose numbers end in 0a.
 */
uint32_t prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                        uint64_t *position, prfdata_os_name *names, size_t capacity,
                                        size_t *count)
{
    const uint64_t part = *position ? *position : 1;
    prfdata_os_listing listing;
    bool more = false;
    uint32_t status;

    prfdata_os_listing_init_part(&listing, boot, names, capacity);
    status = list_names_at(directory, &listing, part, count, &more);
    if (status == ERROR_SUCCESS)
        *position = next_position(part, more);
    return status;
}
