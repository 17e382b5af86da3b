/* SPDX-License-Identifier: MIT */
/*
 * Registers the service's event source, and writes events to the Application log. Each event
 * inserts the reported message into a text of messages.mc. These texts are compiled into
 * prfread.exe. Windows only.
 */
#include <windows.h>

#include "prfread/service.h"

#include <stdlib.h>
#include <wchar.h>

#include <prfdata/error.h>

#include "names/names.h"
#include "prfread/service_command.h"
#include "system/event_text.h"

#define WIDE_OF(text) L##text
#define WIDE(text)    WIDE_OF(text)
#define SOURCE        WIDE(PRFDATA_SERVICE_NAME)
#define SOURCE_KEY    L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\" SOURCE

enum { MOST_CHARS = 31000 }; /* less than 31,839, the most characters of an event's text */

static const struct {
    WORD type;
    DWORD severity;
} kinds[] = {
    {0, 0},
    {EVENTLOG_INFORMATION_TYPE, 0x40000000u},
    {EVENTLOG_ERROR_TYPE, 0xC0000000u},
    {EVENTLOG_WARNING_TYPE, 0x80000000u},
};

void prfdata_service_log_write(prfdata_service_event event, const char *text, size_t size)
{
    HANDLE source = RegisterEventSourceW(NULL, SOURCE);
    wchar_t *chars = malloc((size + 1) * sizeof *chars);
    const wchar_t *strings[1] = {chars};
    size_t count = chars ? prfdata_names_wide_from_utf8(text, size, chars) : SIZE_MAX;

    if (source && count != SIZE_MAX) {
        chars[count < MOST_CHARS ? count : MOST_CHARS] = 0;
        prfdata_event_text_protect(chars);
        (void)ReportEventW(source, kinds[event].type, 0, kinds[event].severity | (DWORD)event, NULL,
                           1, 0, strings, NULL);
    }
    free(chars);
    if (source)
        (void)DeregisterEventSource(source);
}

uint32_t prfdata_service_log_register(const uint16_t *program)
{
    const wchar_t *file = (const wchar_t *)program;
    const DWORD types = EVENTLOG_ERROR_TYPE | EVENTLOG_WARNING_TYPE | EVENTLOG_INFORMATION_TYPE;
    LSTATUS status;
    HKEY key;

    status = RegCreateKeyExW(HKEY_LOCAL_MACHINE, SOURCE_KEY, 0, NULL, 0, KEY_SET_VALUE, NULL, &key,
                             NULL);
    if (status != ERROR_SUCCESS)
        return (uint32_t)status;
    status = RegSetValueExW(key, L"EventMessageFile", 0, REG_SZ, (const BYTE *)file,
                            (DWORD)((wcslen(file) + 1) * sizeof *file));
    if (status == ERROR_SUCCESS)
        status = RegSetValueExW(key, L"TypesSupported", 0, REG_DWORD, (const BYTE *)&types,
                                sizeof types);
    RegCloseKey(key);
    return (uint32_t)status;
}

uint32_t prfdata_service_log_remove(void)
{
    return (uint32_t)RegDeleteKeyW(HKEY_LOCAL_MACHINE, SOURCE_KEY);
}
