/* SPDX-License-Identifier: MIT */
/* Loads texts of the resource in the user's language, and converts texts to Windows' forms. */

#include "panes/strings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "os/clock.h"
#include "text/words.h"
#include "view/export.h"
#include "view/middle_cut.h"

#define MOST_CHARS     2048 /* length of a resource text, with the NUL */
#define MOST_CUT_CHARS 1024
#define KNOWN_LISTS    64
#define WORD_BYTES     192

/* A text that was loaded. The system's language does not change while the program runs. */
typedef struct known_string {
    uint32_t id;
    wchar_t *text;
    struct known_string *next;
} known_string;

static wchar_t *read_string(uint32_t id)
{
    wchar_t text[MOST_CHARS];

    if (LoadStringW(GetModuleHandleW(NULL), id, text, MOST_CHARS) == 0)
        text[0] = 0;
    return _wcsdup(text);
}

/* Loads each text once and keeps it. Only the window's thread calls this. */
const wchar_t *prfdata_strings_get(uint32_t id)
{
    static known_string *known[KNOWN_LISTS];
    known_string **list = &known[id % KNOWN_LISTS];
    known_string *found = *list;

    while (found && found->id != id)
        found = found->next;
    if (!found) {
        found = calloc(1, sizeof *found);
        if (!found)
            return L"";
        *found = (known_string){id, read_string(id), *list};
        *list = found;
    }
    return found->text ? found->text : L"";
}

const wchar_t *prfdata_strings_format(wchar_t text[PRFDATA_STRINGS_CHARS], uint32_t id,
                                      const wchar_t *first, const wchar_t *second,
                                      const wchar_t *third)
{
    const wchar_t *const parts[] = {first, second, third};
    const wchar_t *format = prfdata_strings_get(id);
    size_t used = 0;

    for (; *format && used + 1 < PRFDATA_STRINGS_CHARS; format++) {
        const wchar_t *part = NULL;

        if (format[0] == '%' && format[1] >= '1' && format[1] <= '3')
            part = parts[*++format - '1'];
        else
            text[used++] = *format;
        for (; part && *part && used + 1 < PRFDATA_STRINGS_CHARS; part++)
            text[used++] = *part;
    }
    text[used] = 0;
    return text;
}

void prfdata_strings_use_words(void)
{
    static char room[PRFDATA_WORDS][WORD_BYTES];
    static const char *words[PRFDATA_WORDS];

    for (uint32_t i = 0; i < PRFDATA_WORDS; i++) {
        if (WideCharToMultiByte(CP_UTF8, 0, prfdata_strings_get(IDS_WORD_VALUE + i), -1, room[i],
                                WORD_BYTES, NULL, NULL) == 0)
            room[i][0] = 0;
        words[i] = room[i];
    }
    prfdata_words_use(words);
}

const wchar_t *prfdata_strings_text(prfdata_text text, wchar_t *chars, size_t capacity)
{
    const size_t count = text.count < capacity ? text.count : capacity - 1;

    for (size_t i = 0; i < count; i++)
        chars[i] = text.chars[i] ? text.chars[i] : ' ';
    chars[count] = 0;
    return chars;
}

void prfdata_strings_copy(wchar_t *to, const wchar_t *from, int capacity)
{
    int at = 0;

    for (; from[at] && at + 1 < capacity; at++)
        to[at] = from[at];
    to[at] = 0;
}

prfdata_text prfdata_strings_borrow(const wchar_t *chars)
{
    return prfdata_text_from_chars((const uint16_t *)chars);
}

prfdata_number_style prfdata_strings_number_style(void)
{
    prfdata_number_style style = {'.', ','};
    wchar_t chars[8];

    if (GetLocaleInfoEx(LOCALE_NAME_USER_DEFAULT, LOCALE_SDECIMAL, chars, 8) > 1)
        style.decimal = chars[0];
    if (GetLocaleInfoEx(LOCALE_NAME_USER_DEFAULT, LOCALE_STHOUSAND, chars, 8) > 0)
        style.group = chars[0]; /* 0: the user wants no separator */
    return style;
}

const wchar_t *prfdata_strings_decimal(prfdata_number_style style, wchar_t *number)
{
    wchar_t *point = wcschr(number, '.');

    if (point)
        *point = style.decimal;
    return number;
}

const wchar_t *prfdata_strings_count(prfdata_number_style style, uint64_t count,
                                     wchar_t text[PRFDATA_STRINGS_COUNT])
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const prfdata_text number = {chars, prfdata_number_whole(count, style, chars)};

    return prfdata_strings_text(number, text, PRFDATA_STRINGS_COUNT);
}

SYSTEMTIME prfdata_strings_local_time(int64_t time_ms)
{
    uint16_t utc[8];
    uint16_t local[8];

    prfdata_export_system_time(time_ms, utc);
    prfdata_clock_local_time(utc, local);
    return (SYSTEMTIME){local[0], local[1], local[2], local[3],
                        local[4], local[5], local[6], local[7]};
}

bool prfdata_strings_is_same_day(int64_t a_ms, int64_t b_ms)
{
    const SYSTEMTIME a = prfdata_strings_local_time(a_ms);
    const SYSTEMTIME b = prfdata_strings_local_time(b_ms);

    return a.wDay == b.wDay && a.wMonth == b.wMonth && a.wYear == b.wYear;
}

const wchar_t *prfdata_strings_time(int64_t time_ms, bool has_seconds,
                                    wchar_t text[PRFDATA_MOMENT_CHARS])
{
    const SYSTEMTIME local = prfdata_strings_local_time(time_ms);

    if (GetTimeFormatEx(LOCALE_NAME_USER_DEFAULT, has_seconds ? 0 : TIME_NOSECONDS, &local, NULL,
                        text, PRFDATA_MOMENT_CHARS) == 0)
        text[0] = 0;
    return text;
}

const wchar_t *prfdata_strings_moment(int64_t time_ms, wchar_t text[PRFDATA_MOMENT_CHARS])
{
    const SYSTEMTIME local = prfdata_strings_local_time(time_ms);
    int count = GetDateFormatEx(LOCALE_NAME_USER_DEFAULT, DATE_SHORTDATE, &local, NULL, text,
                                PRFDATA_MOMENT_CHARS / 2, NULL);

    if (count > 0)
        text[count - 1] = ' ';
    if (GetTimeFormatEx(LOCALE_NAME_USER_DEFAULT, 0, &local, NULL, text + count,
                        PRFDATA_MOMENT_CHARS / 2) == 0)
        text[count] = 0;
    return text;
}

const wchar_t *prfdata_strings_system(uint32_t status, wchar_t *words, size_t capacity)
{
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 status, 0, words, (DWORD)capacity, NULL);

    while (count > 0 && (words[count - 1] == '\r' || words[count - 1] == '\n'))
        words[--count] = 0;
    if (count == 0)
        swprintf(words, capacity, L"%lu", (unsigned long)status);
    return words;
}

wchar_t *prfdata_strings_wide(const char *bytes, size_t size)
{
    const int count = size > 0 ? MultiByteToWideChar(CP_UTF8, 0, bytes, (int)size, NULL, 0) : 0;
    wchar_t *chars = malloc(((size_t)count + 1) * sizeof *chars);

    if (!chars)
        return NULL;
    if (count > 0)
        (void)MultiByteToWideChar(CP_UTF8, 0, bytes, (int)size, chars, count);
    chars[count] = 0;
    return chars;
}

typedef struct text_room {
    HDC dc;
    int32_t width;
} text_room;

static bool has_room(void *context, prfdata_text text)
{
    const text_room *room = context;
    SIZE size = {0, 0};

    GetTextExtentPoint32W(room->dc, (const wchar_t *)text.chars, (int)text.count, &size);
    return size.cx <= room->width;
}

void prfdata_strings_cut(HDC dc, int32_t width, wchar_t *text, size_t capacity)
{
    text_room room = {dc, width};
    uint16_t chars[MOST_CUT_CHARS];
    const size_t most = capacity - 1 < MOST_CUT_CHARS ? capacity - 1 : MOST_CUT_CHARS;
    const size_t count =
        prfdata_middle_cut_put(prfdata_strings_borrow(text), has_room, &room, chars, most);

    prfdata_strings_text((prfdata_text){chars, count}, text, capacity);
}
