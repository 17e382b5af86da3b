/* SPDX-License-Identifier: MIT */
/* Loads and unloads titles with loadperf (loadperf.h). kit_unload_all_titles() skips a service
 * whose title indexes are not from loadperf, because loadperf would remove the titles of other
 * services. */
#include "loadperf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "probe.h"

typedef DWORD(WINAPI loadperf_function)(LPWSTR command, BOOL quiet);

static DWORD call_loadperf(const char *name, const wchar_t *argument)
{
    HMODULE library = LoadLibraryExW(L"loadperf.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
    union {
        FARPROC untyped;
        loadperf_function *typed;
    } function;
    DWORD status = LOADPERF_ABSENT;
    wchar_t command[1024];

    if (!library)
        return status;
    function.untyped = GetProcAddress(library, name);
    if (function.untyped && wcslen(argument) < 1024) {
        wcscpy(command, argument); /* loadperf may write to it */
        status = function.typed(command, TRUE);
    }
    FreeLibrary(library);
    return status;
}

DWORD kit_load_titles(const wchar_t *command)
{
    return call_loadperf("LoadPerfCounterTextStringsW", command);
}

DWORD kit_unload_titles(const wchar_t *service)
{
    wchar_t command[300];

    swprintf(command, 300, L"kit %ls", service);
    return call_loadperf("UnloadPerfCounterTextStringsW", command);
}

DWORD kit_service_number(const wchar_t *service, const wchar_t *name)
{
    DWORD value = 0, bytes = sizeof value;
    wchar_t path[200];

    swprintf(path, 200, KIT_SERVICES L"\\%.80ls\\Performance", service);
    if (RegGetValueW(HKEY_LOCAL_MACHINE, path, name, RRF_RT_REG_DWORD, NULL, &value, &bytes) !=
        ERROR_SUCCESS)
        return 0;
    return value;
}

static wchar_t *read_list(const wchar_t *list)
{
    DWORD capacity = 1 << 20, bytes, type;
    LONG status = ERROR_MORE_DATA;
    wchar_t *texts = NULL;

    for (; status == ERROR_MORE_DATA && capacity <= (16u << 20); capacity *= 2) {
        free(texts);
        texts = calloc(1, capacity + 4); /* ends with two NULs, whatever is read */
        if (!texts)
            return NULL;
        bytes = capacity;
        status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, list, NULL, &type, (BYTE *)texts, &bytes);
    }
    if (status != ERROR_SUCCESS) {
        free(texts);
        texts = NULL;
    }
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    return texts;
}

bool kit_find_title(const wchar_t *list, DWORD index, char *text, size_t capacity)
{
    wchar_t *texts = read_list(list);
    bool is_found = false;

    /* The list has pairs of strings: an index and its title. */
    for (wchar_t *at = texts; at && *at && !is_found;) {
        const wchar_t *title = at + wcslen(at) + 1;

        if (wcstoul(at, NULL, 10) == index)
            is_found =
                WideCharToMultiByte(CP_UTF8, 0, title, -1, text, (int)capacity, NULL, NULL) != 0;
        if (!*title)
            break;
        at += wcslen(at) + 1;
        at += wcslen(at) + 1;
    }
    free(texts);
    return is_found;
}

DWORD kit_find_index(const wchar_t *list, const wchar_t *title)
{
    wchar_t *texts = read_list(list);
    DWORD found = 0;

    for (wchar_t *at = texts; at && *at;) {
        const wchar_t *name = at + wcslen(at) + 1;
        DWORD index = wcstoul(at, NULL, 10);

        if (_wcsicmp(name, title) == 0 && (found == 0 || index < found))
            found = index;
        if (!*name)
            break;
        at += wcslen(at) + 1;
        at += wcslen(at) + 1;
    }
    free(texts);
    return found;
}

static bool write_text_file(const wchar_t *folder, const wchar_t *name, const char *text)
{
    wchar_t path[2 * MAX_PATH];
    FILE *file;
    bool is_written;

    swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, name);
    file = _wfopen(path, L"wb");
    if (!file)
        return false;
    is_written = fwrite(text, 1, strlen(text), file) == strlen(text);
    return fclose(file) == 0 && is_written;
}

static void append_text(char *text, size_t capacity, const char *format, const char *language)
{
    size_t used = strlen(text);

    snprintf(text + used, capacity - used, format, language, language, language, language, language,
             language, language, language);
}

/* Appends the format once for English, and once for each other language of this Windows. */
static void append_languages(char *text, size_t capacity, const char *format)
{
    wchar_t name[16];
    DWORD chars = 16;
    char language[8];
    HKEY key;

    append_text(text, capacity, format, "009");
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0;
         RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) != ERROR_NO_MORE_ITEMS;
         i++, chars = 16) {
        if (wcslen(name) != 3 || wcsspn(name, L"0123456789abcdefABCDEF") != 3 ||
            wcscmp(name, L"009") == 0)
            continue;
        snprintf(language, sizeof language, "%ls", name);
        append_text(text, capacity, format, language);
    }
    RegCloseKey(key);
}

bool kit_load_probe_titles(kit *k)
{
    static char ini[16384];
    static const char symbols[] = "#define KIT_PROBE 0\r\n#define KIT_LEVEL 2\r\n"
                                  "#define KIT_OTHER 4\r\n#define KIT_SCALED 6\r\n";
    wchar_t command[2 * MAX_PATH];

    kit_delete_value(L"First Counter");
    kit_delete_value(L"First Help");
    kit_delete_value(L"Last Counter");
    kit_delete_value(L"Last Help");
    strcpy(ini, "[info]\r\ndrivername=PrfDataKitProbe\r\nsymbolfile=probe.h\r\n[languages]\r\n");
    append_languages(ini, sizeof ini, "%s=Kit\r\n");
    strcat(ini, "[objects]\r\nKIT_PROBE_009_NAME=\r\n[text]\r\n");
    append_languages(ini, sizeof ini,
                     "KIT_PROBE_%s_NAME=PrfData Kit Probe\r\nKIT_PROBE_%s_HELP=A test.\r\n"
                     "KIT_LEVEL_%s_NAME=Level\r\nKIT_LEVEL_%s_HELP=A test.\r\n"
                     "KIT_OTHER_%s_NAME=Other\r\nKIT_OTHER_%s_HELP=A test.\r\n"
                     "KIT_SCALED_%s_NAME=Scaled\r\nKIT_SCALED_%s_HELP=A test.\r\n");
    if (!write_text_file(k->data, L"probe.ini", ini) ||
        !write_text_file(k->data, L"probe.h", symbols))
        return false;
    swprintf(command, 2 * MAX_PATH, L"kit \"%ls\\probe.ini\"", k->data);
    return kit_load_titles(command) == ERROR_SUCCESS &&
           kit_service_number(PROBE_SERVICE, L"First Counter") != 0;
}

bool kit_has_probe_titles(void)
{
    DWORD first = kit_service_number(PROBE_SERVICE, L"First Counter");

    return first != 0 && first != PROBE_FIRST;
}

DWORD kit_unload_all_titles(void)
{
    static const wchar_t *const services[] = {PROBE_SERVICE, LOAD_SERVICE};
    DWORD result = ERROR_SUCCESS, status;

    for (int i = 0; i < 2; i++) {
        DWORD first = kit_service_number(services[i], L"First Counter");

        if (first == 0 || first == PROBE_FIRST)
            continue;
        status = kit_unload_titles(services[i]);
        if (status != ERROR_SUCCESS)
            result = status;
    }
    return result;
}
