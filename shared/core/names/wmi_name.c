/* SPDX-License-Identifier: MIT */
/* Makes the names that WMI derives from the names of objects and counters. */
#include "names/wmi_name.h"

#include <stdint.h>

#include "names/ascii.h"

typedef struct wmi_name {
    const wchar_t *text;
    const char *word; /* what is left of Percent, Per or Number after take_wmi() took a part */
    const char *end;  /* ASCII text that follows `text`: "_Base" for the base of a fraction */
} wmi_name;

static unsigned char take_wmi(wmi_name *name)
{
    for (;;) {
        uint32_t c;

        if (*name->word != 0)
            return (unsigned char)*name->word++;
        c = (uint32_t)*name->text;
        if (c == 0)
            return *name->end != 0 ? (unsigned char)*name->end++ : 0;
        name->text++;
        if (c == '%')
            name->word = "Percent";
        else if (c == '/')
            name->word = "Per";
        else if (c == '#')
            name->word = "Number";
        else if (c < 0x80 && (prfdata_ascii_is_letter((unsigned char)c) ||
                              prfdata_ascii_is_digit((unsigned char)c) || c == '_'))
            return (unsigned char)c;
    }
}

bool prfdata_wmi_name_equal(const wchar_t *a_text, const char *a_end, const wchar_t *b_text,
                            const char *b_end)
{
    wmi_name a = {a_text, "", a_end};
    wmi_name b = {b_text, "", b_end};
    unsigned char c;

    do {
        c = take_wmi(&a);
        if (prfdata_ascii_lower(c) != prfdata_ascii_lower(take_wmi(&b)))
            return false;
    } while (c != 0);
    return true;
}

void prfdata_wmi_name_write(const wchar_t *text, char name[PRFDATA_WMI_NAME_BYTES])
{
    wmi_name from = {text, "", ""};
    size_t used = 0;
    unsigned char c;

    while (used + 1 < PRFDATA_WMI_NAME_BYTES && (c = take_wmi(&from)) != 0)
        name[used++] = (char)c;
    name[used] = 0;
}

bool prfdata_wmi_name_is_empty(const wchar_t *text)
{
    return prfdata_wmi_name_equal(text, "", L"", "");
}

bool prfdata_wmi_name_is_inherited(const wchar_t *text)
{
    static const wchar_t *const properties[] = {
        L"Caption",          L"Description",        L"Name",
        L"Frequency_Object", L"Frequency_PerfTime", L"Frequency_Sys100NS",
        L"Timestamp_Object", L"Timestamp_PerfTime", L"Timestamp_Sys100NS",
    };

    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        if (prfdata_wmi_name_equal(text, "", properties[i], ""))
            return true;
    }
    return false;
}
