/* SPDX-License-Identifier: MIT */
/*
 * What the account of this process, or of this thread, may do in a service's folders:
 *
 *     prfdata-kit -Access <file>     look, publish, and write one line to the file
 */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "kit.h"
#include "product.h"

typedef struct access_field {
    const char *name;
    size_t offset;
} access_field;

static const access_field fields[] = {
#define ACCESS_ROW(name) {#name, offsetof(access_seen, name)},
    ACCESS_FIELDS(ACCESS_ROW)
#undef ACCESS_ROW
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

void kit_access_text(const access_seen *seen, char text[ACCESS_TEXT_CHARS])
{
    size_t used = 0;
    unsigned number;

    text[0] = 0;
    for (int i = 0; i < FIELDS && used + 40 < ACCESS_TEXT_CHARS; i++) {
        memcpy(&number, (const char *)seen + fields[i].offset, sizeof number);
        used += (size_t)snprintf(text + used, ACCESS_TEXT_CHARS - used, "%s%u %s",
                                 i > 0 ? ", " : "", number, fields[i].name);
    }
}

bool kit_access_parse(const char *line, access_seen *seen)
{
    for (int i = 0; i < FIELDS; i++) {
        size_t length = strlen(fields[i].name);
        char *end;
        unsigned number = (unsigned)strtoul(line, &end, 10);

        if (end == line || *end != ' ' || strncmp(end + 1, fields[i].name, length) != 0)
            return false;
        memcpy((char *)seen + fields[i].offset, &number, sizeof number);
        line = end + 1 + length;
        line += *line == ',';
    }
    return *line == '.';
}

static bool opens(const wchar_t *path, DWORD access)
{
    HANDLE file =
        CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_SHARING_VIOLATION; /* the access list let it pass */
    CloseHandle(file);
    return true;
}

static bool is_controllable(const wchar_t *path)
{
    return opens(path, WRITE_DAC) || opens(path, WRITE_OWNER);
}

static void look_at_regions(const wchar_t *folder, access_seen *seen)
{
    wchar_t path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    swprintf(path, 2 * MAX_PATH, L"%ls\\*", folder);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    seen->listed = 1;
    do {
        const wchar_t *end = wcsrchr(found.cFileName, L'.');

        if (!end || wcscmp(end, L".region") != 0)
            continue;
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
        seen->regions++;
        seen->readable += opens(path, GENERIC_READ);
        seen->writable += opens(path, FILE_WRITE_DATA);
        seen->deletable += opens(path, DELETE);
        seen->controllable += is_controllable(path);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

/* The folder above, which has the title files. */
static void look_at_data(const wchar_t *regions, access_seen *seen)
{
    wchar_t path[MAX_PATH + 8], *end;
    WIN32_FIND_DATAW found;
    HANDLE search;

    swprintf(path, MAX_PATH, L"%ls", regions);
    end = wcsrchr(path, L'\\');
    if (!end)
        return;
    *end = 0;
    seen->data_written = opens(path, FILE_ADD_FILE);
    wcscpy(end, L"\\*");
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    seen->data_read = 1;
    do {
        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            continue;
        swprintf(end, (size_t)(path + MAX_PATH + 8 - end), L"\\%ls", found.cFileName);
        seen->data_read = seen->data_read && opens(path, GENERIC_READ);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

void kit_access_look(access_seen *seen)
{
    wchar_t folder[MAX_PATH];
    HKEY key;

    memset(seen, 0, sizeof *seen);
    if (!kit_regions_folder(folder))
        return;
    look_at_regions(folder, seen);
    look_at_data(folder, seen);
    seen->adds_folders = opens(folder, FILE_ADD_SUBDIRECTORY);
    seen->deletes = opens(folder, FILE_DELETE_CHILD);
    seen->controls = is_controllable(folder);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\" PRODUCT_SERVICE L"\\Performance", 0,
                      KEY_SET_VALUE, &key) == ERROR_SUCCESS) {
        seen->key_written = 1;
        RegCloseKey(key);
    }
}

/* Publish twice: the second time the same file is written to again. */
static void look_and_publish(access_seen *seen)
{
    prfdata_publisher *publisher;
    access_seen with, again;

    kit_access_look(seen);
    seen->published = prfdata_open(&kit_map_1, &publisher);
    if (seen->published != ERROR_SUCCESS)
        return;
    kit_access_look(&with);
    seen->own_writable = with.writable - seen->writable;
    seen->own_deletable = with.deletable - seen->deletable;
    seen->own_controllable = with.controllable - seen->controllable;
    prfdata_close_and_unmap(publisher);
    if (prfdata_open(&kit_map_1, &publisher) != ERROR_SUCCESS)
        return;
    kit_access_look(&again);
    seen->reopened = again.regions == with.regions;
    prfdata_close_and_unmap(publisher);
}

int kit_access_main(int count, wchar_t **arguments)
{
    char text[ACCESS_TEXT_CHARS];
    access_seen seen;
    FILE *file;

    if (count != 1)
        return 2;
    look_and_publish(&seen);
    kit_access_text(&seen, text);
    file = _wfopen(arguments[0], L"r+");
    if (!file)
        return 1;
    fprintf(file, "%s.\n", text);
    return fclose(file) == 0 ? 0 : 1;
}
