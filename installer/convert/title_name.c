/* SPDX-License-Identifier: MIT */
/* Makes a name from a title. map_check_names.c has the rules about names. */
#include "convert/title_name.h"

#include <string.h>

#include <prfdata/map.h>

#include "names/ascii.h"
#include "names/names.h"

static const char number_of[] = "Number";

/* A name under construction, without two blanks in a row. */
typedef struct proposal {
    char *name;
    size_t size;
} proposal;

static void put_name_byte(proposal *made, char c)
{
    if (c == ' ' && (made->size == 0 || made->name[made->size - 1] == ' '))
        return;
    made->name[made->size++] = c;
}

static void put_name_text(proposal *made, const char *text)
{
    for (; *text; text++)
        put_name_byte(made, *text);
}

static bool begins_with_of(const char *at, size_t size)
{
    return size >= 4 && at[0] == ' ' && prfdata_ascii_lower(at[1]) == 'o' &&
           prfdata_ascii_lower(at[2]) == 'f' && at[3] == ' ';
}

/* "A (b)" becomes "A, b". */
static void put_for_parenthesis(proposal *made)
{
    while (made->size > 0 && made->name[made->size - 1] == ' ')
        made->size--;
    if (made->size > 0)
        put_name_text(made, ", ");
}

static void put_allowed(proposal *made, prfdata_map_text title, size_t at, bool is_object)
{
    const char c = title.at[at];

    if (c == '#' && begins_with_of(title.at + at + 1, title.size - at - 1))
        put_name_text(made, number_of);
    else if (c == '(')
        put_for_parenthesis(made);
    else if (c == '\\' || (c == '/' && is_object))
        put_name_byte(made, is_object ? '-' : '/');
    else if ((unsigned char)c < 0x20 || c == 0x7F)
        put_name_byte(made, ' ');
    else if (c != '#' && c != ')' && c != '*')
        put_name_byte(made, c);
}

static bool is_stripped(char c)
{
    return c == ' ' || c == '"' || c == '\'';
}

static bool is_left_over(char c)
{
    return is_stripped(c) || c == ',';
}

static bool is_forbidden(prfdata_map_text title, bool is_object)
{
    if (title.size == 0 || is_stripped(title.at[0]) || is_stripped(title.at[title.size - 1]))
        return true;
    for (size_t i = 0; i < title.size; i++)
        if ((unsigned char)title.at[i] < 0x20 || title.at[i] == 0x7F ||
            strchr(is_object ? "\\()/#*" : "\\()#*", title.at[i]))
            return true;
    return false;
}

size_t prfdata_title_name_cut(const char *text, size_t size, size_t most)
{
    size_t at = 0, end = 0, units = 0;

    while (at < size) {
        const uint32_t c = prfdata_names_next_utf8(text, size, &at);

        units += c > 0xFFFF && c != PRFDATA_NAMES_NO_CHARACTER ? 2 : 1;
        if (units > most)
            return end;
        end = at;
    }
    return end;
}

size_t prfdata_title_name_room(size_t title_bytes)
{
    return title_bytes * (sizeof number_of) + 1;
}

size_t prfdata_title_name_propose(prfdata_map_text title, bool is_object, char *name)
{
    proposal made = {name, 0};
    size_t begin = 0;

    if (!is_forbidden(title, is_object)) {
        memcpy(name, title.at, title.size);
        return prfdata_title_name_cut(name, title.size, PRFDATA_MAX_NAME_CHARS);
    }
    for (size_t i = 0; i < title.size; i++)
        put_allowed(&made, title, i, is_object);
    while (begin < made.size && is_left_over(name[begin]))
        begin++;
    memmove(name, name + begin, made.size - begin);
    made.size = prfdata_title_name_cut(name, made.size - begin, PRFDATA_MAX_NAME_CHARS);
    while (made.size > 0 && is_left_over(name[made.size - 1]))
        made.size--;
    return made.size;
}
