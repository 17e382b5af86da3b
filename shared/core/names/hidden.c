/* SPDX-License-Identifier: MIT */
/* Knows the invisible characters, and writes them in ASCII. */
#include "names/hidden.h"

#include <stdio.h>
#include <string.h>

#include "names/code_points.h"

/*
 * In ascending order. These are controls, lone surrogates, line and paragraph separators (U+2028,
 * U+2029), marks of annotations (U+FFF9 to U+FFFB), and the characters that Unicode calls default
 * ignorable (DerivedCoreProperties.txt). Soft hyphens, fillers, direction marks, joiners, variation
 * selectors and tags are default ignorable.
 */
static const prfdata_code_points hidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xD800, 0xDFFF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

/* Ascending: characters that look like a blank, but are none. */
static const prfdata_code_points blanks[] = {
    {0x00A0, 0x00A0}, {0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x202F},
    {0x205F, 0x205F}, {0x2800, 0x2800}, {0x3000, 0x3000},
};

bool prfdata_hidden_is(uint32_t code_point)
{
    return PRFDATA_CODE_POINTS_HAVE(hidden, code_point);
}

bool prfdata_hidden_is_blank(uint32_t code_point)
{
    return PRFDATA_CODE_POINTS_HAVE(blanks, code_point);
}

size_t prfdata_hidden_escape(uint32_t code_point, char ascii[PRFDATA_HIDDEN_CHARS])
{
    static const char letters[] = "tn\0\0r"; /* for the code points 9 to 13; 0: none */
    int used;

    if (code_point >= '\t' && code_point <= '\r' && letters[code_point - '\t'])
        used = snprintf(ascii, PRFDATA_HIDDEN_CHARS, "\\%c", letters[code_point - '\t']);
    else if (code_point <= 0xFFFF)
        used = snprintf(ascii, PRFDATA_HIDDEN_CHARS, "\\u%04X", (unsigned)code_point);
    else
        used = snprintf(ascii, PRFDATA_HIDDEN_CHARS, "\\U%08X", (unsigned)code_point);
    return used > 0 ? (size_t)used : 0;
}

static uint32_t next_wide(const wchar_t **text)
{
    const uint32_t first = (uint32_t) * (*text)++;
    const uint32_t second = (uint32_t) * *text;

    if (first < 0xD800 || first > 0xDBFF || second < 0xDC00 || second > 0xDFFF)
        return first;
    ++*text;
    return 0x10000u + ((first - 0xD800) << 10) + (second - 0xDC00);
}

void prfdata_hidden_show(const wchar_t *text, wchar_t *shown, size_t capacity)
{
    size_t used = 0;

    while (*text) {
        const wchar_t *begin = text;
        const uint32_t code_point = next_wide(&text);
        char ascii[PRFDATA_HIDDEN_CHARS];
        const bool is_hidden = prfdata_hidden_is(code_point);
        const size_t count =
            is_hidden ? prfdata_hidden_escape(code_point, ascii) : (size_t)(text - begin);

        if (capacity - used <= count)
            break;
        for (size_t i = 0; i < count; i++)
            shown[used++] = is_hidden ? (wchar_t)ascii[i] : begin[i];
    }
    shown[used] = 0;
}
