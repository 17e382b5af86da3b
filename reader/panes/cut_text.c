/* SPDX-License-Identifier: MIT */
/* Measures texts with GDI for view/middle_cut.h. */
#include "panes/cut_text.h"

#include "panes/strings.h"
#include "view/middle_cut.h"

#define MOST_CHARS 1024

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

void prfdata_cut_text(HDC dc, int32_t width, wchar_t *text, size_t capacity)
{
    text_room room = {dc, width};
    uint16_t chars[MOST_CHARS];
    const size_t most = capacity - 1 < MOST_CHARS ? capacity - 1 : MOST_CHARS;
    const size_t count =
        prfdata_middle_cut_put(prfdata_strings_borrow(text), has_room, &room, chars, most);

    prfdata_strings_text((prfdata_text){chars, count}, text, capacity);
}
