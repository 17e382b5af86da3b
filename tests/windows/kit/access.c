/* SPDX-License-Identifier: MIT */
/*
 * Checks what the account of this process, or of this thread, may do in a service's folders:
 *
 *     prfdata-kit -Access <file>     checks, publishes, and writes one line to the file
 */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <aclapi.h>

#include "boot.h"
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
        return GetLastError() == ERROR_SHARING_VIOLATION; /* the access list allows it */
    CloseHandle(file);
    return true;
}

static bool is_controllable(const wchar_t *path)
{
    return opens(path, WRITE_DAC) || opens(path, WRITE_OWNER);
}

static bool shows_owner(const wchar_t *path)
{
    HANDLE file =
        CreateFileW(path, READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    BYTE security[1024];
    DWORD bytes;
    bool is_shown;

    if (file == INVALID_HANDLE_VALUE)
        return false;
    is_shown = GetKernelObjectSecurity(file, OWNER_SECURITY_INFORMATION, security, sizeof security,
                                       &bytes) != 0;
    CloseHandle(file);
    return is_shown;
}

DWORD kit_access_try_event(void)
{
    HANDLE log = RegisterEventSourceW(NULL, L"PrfDataKit");
    const wchar_t *text = L"PrfData's self-test tries whether this account may write here.";
    DWORD status = ERROR_SUCCESS;

    if (!log)
        return GetLastError();
    if (!ReportEventW(log, EVENTLOG_INFORMATION_TYPE, 0, 1, NULL, 1, 0, &text, NULL))
        status = GetLastError();
    DeregisterEventSource(log);
    return status;
}

/* Returns whether the account of this process owns the file; false if the owner cannot be read.
 * Some versions of aclapi.h want a path that is not const. */
/* cppcheck-suppress constParameterPointer */
static bool is_own(wchar_t *path)
{
    PSECURITY_DESCRIPTOR security = NULL;
    union {
        TOKEN_USER user;
        BYTE bytes[512];
    } user;
    bool is_same = false;
    PSID owner = NULL;
    HANDLE token;
    DWORD bytes;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return false;
    if (GetTokenInformation(token, TokenUser, &user, sizeof user, &bytes) &&
        GetNamedSecurityInfoW(path, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner, NULL, NULL,
                              NULL, &security) == ERROR_SUCCESS)
        is_same = owner && EqualSid(owner, user.user.User.Sid);
    LocalFree(security);
    CloseHandle(token);
    return is_same;
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
        bool is_writable, is_deletable, is_governed, is_others;

        if (!end || wcscmp(end, L".region") != 0)
            continue;
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
        is_writable = opens(path, FILE_WRITE_DATA);
        is_deletable = opens(path, DELETE);
        is_governed = is_controllable(path);
        is_others = !is_own(path);
        seen->regions++;
        seen->readable += opens(path, GENERIC_READ);
        seen->writable += is_writable;
        seen->deletable += is_deletable;
        seen->controllable += is_governed;
        seen->owners += shows_owner(path);
        seen->others += is_others;
        seen->others_writable += is_others && (is_writable || is_deletable || is_governed);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

/* Checks the folder above the regions folder, which has the title files. */
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

    const kit_boot boot = kit_read_boot();

    memset(seen, 0, sizeof *seen);
    seen->stamp_high = (unsigned)(boot.stamp >> 32);
    seen->stamp_low = (unsigned)boot.stamp;
    seen->boot_id = boot.id;
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

/* Publishes twice. Sets `reopened` if the second time adds no region. */
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
