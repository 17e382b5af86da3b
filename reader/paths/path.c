/* SPDX-License-Identifier: MIT */
/*
 * Parses counter paths, and finds the position of the first mistake. Nothing is copied: the parts
 * point into the text.
 */
#include "paths/path.h"

static const uint16_t star_chars[] = {'*'};
const prfdata_text prfdata_path_star = {star_chars, 1};

static bool fail_path(prfdata_path_error *error, size_t position, const char *reason)
{
    error->position = position;
    error->reason = reason;
    return false;
}

/* Find the first of the two chars at or after `position`. Returns the end of the text if there is
 * none. */
static size_t find_char_of_two(prfdata_text text, size_t position, uint16_t a, uint16_t b)
{
    while (position < text.count && text.chars[position] != a && text.chars[position] != b)
        position++;
    return position;
}

/* Find the last ")\" at or after `position`. Returns the end of the text if there is none. */
static size_t find_closing_parenthesis(prfdata_text text, size_t position)
{
    for (size_t at = text.count; at >= position + 2; at--) {
        if (text.chars[at - 2] == ')' && text.chars[at - 1] == '\\')
            return at - 2;
    }
    return text.count;
}

/* Parse `\\Computer`, if it is there; *position moves to the backslash before the object. */
static bool parse_path_computer(prfdata_text text, size_t *position, prfdata_text *computer,
                                prfdata_path_error *error)
{
    size_t end;

    if (text.count < 2 || text.chars[0] != '\\' || text.chars[1] != '\\')
        return true;
    end = find_char_of_two(text, 2, '\\', '\\');
    if (end == 2)
        return fail_path(error, 2, "a computer name is missing after \\\\");
    if (end == text.count)
        return fail_path(error, end, "\\Object\\Counter is missing after the computer name");
    *computer = prfdata_text_part(text, 2, end);
    *position = end;
    return true;
}

static void set_path_instance(prfdata_path *path, prfdata_text text, size_t begin, size_t end)
{
    path->has_zero = end - begin >= 2 && text.chars[end - 2] == '#' && text.chars[end - 1] == '0';
    path->instance = prfdata_text_part(text, begin, path->has_zero ? end - 2 : end);
    path->has_instance = true;
}

/* Parse `(Instance)`, which begins at *position; *position moves to the backslash after the
 * closing parenthesis. */
static bool parse_path_instance(prfdata_text text, size_t *position, prfdata_path *path,
                                prfdata_path_error *error)
{
    size_t begin = *position + 1;
    size_t end = find_closing_parenthesis(text, begin);

    if (end == text.count) {
        if (text.chars[text.count - 1] == ')')
            return fail_path(error, text.count, "\\Counter is missing after the parenthesis");
        return fail_path(error, *position, "the parenthesis is not closed by \")\\\"");
    }
    *position = end + 1;
    set_path_instance(path, text, begin, end);
    return true;
}

bool prfdata_path_parse(prfdata_text text, prfdata_path *path, prfdata_path_error *error)
{
    prfdata_path found = {{0}, {0}, {0}, {0}, false, false};
    size_t position = 0;
    size_t end;

    if (text.count == 0 || text.chars[0] != '\\')
        return fail_path(error, 0, "a counter path begins with a backslash: \\Object\\Counter");
    if (!parse_path_computer(text, &position, &found.computer, error))
        return false;

    end = find_char_of_two(text, ++position, '(', '\\');
    if (end == position)
        return fail_path(error, position, "an object name is missing");
    found.object = prfdata_text_part(text, position, end);
    if (end == text.count)
        return fail_path(error, end, "\\Counter is missing after the object name");

    position = end;
    if (text.chars[position] == '(' && !parse_path_instance(text, &position, &found, error))
        return false;
    found.counter = prfdata_text_part(text, position + 1, text.count);
    if (found.counter.count == 0)
        return fail_path(error, text.count, "a counter name is missing");
    end = find_char_of_two(text, position + 1, '\\', '\\');
    if (end != text.count)
        return fail_path(error, end, "a counter name has no backslash");
    *path = found;
    return true;
}

/* ---- Readings ---- */

#define MOST_READINGS 1024 /* more than any real path needs */

/* Move back to a backslash with an object before it and a counter after it. If there is none,
 * readings->counter becomes 0. */
static void go_to_backslash(prfdata_path_readings *readings)
{
    const prfdata_text text = readings->text;

    readings->parenthesis = readings->object + 1;
    while (readings->counter > readings->object + 1 &&
           (readings->counter == text.count || text.chars[readings->counter - 1] != '\\'))
        readings->counter--;
    if (readings->counter <= readings->object + 1)
        readings->counter = 0;
}

bool prfdata_path_begin_readings(prfdata_path_readings *readings, prfdata_text text,
                                 prfdata_path_error *error)
{
    prfdata_path_readings made = {.text = text, .counter = text.count, .left = MOST_READINGS};
    size_t position = 0;

    if (text.count == 0 || text.chars[0] != '\\')
        return fail_path(error, 0, "a counter path begins with a backslash: \\Object\\Counter");
    if (!parse_path_computer(text, &position, &made.computer, error))
        return false;
    made.object = position + 1;
    *readings = made;
    go_to_backslash(readings);
    return true;
}

bool prfdata_path_next_reading(prfdata_path_readings *readings, prfdata_path *path)
{
    const prfdata_text text = readings->text;

    while (readings->counter > 0 && readings->left > 0) {
        const size_t end = readings->counter - 1;
        const bool may_have_instance = text.chars[end - 1] == ')';
        prfdata_path found = {.computer = readings->computer};
        size_t at = readings->parenthesis;

        while (may_have_instance && at < end && text.chars[at] != '(')
            at++;
        readings->left--;
        found.counter = prfdata_text_part(text, readings->counter, text.count);
        if (may_have_instance && at < end) {
            found.object = prfdata_text_part(text, readings->object, at);
            set_path_instance(&found, text, at + 1, end - 1);
            readings->parenthesis = at + 1;
        } else {
            found.object = prfdata_text_part(text, readings->object, end);
            readings->counter--;
            go_to_backslash(readings);
        }
        *path = found;
        return true;
    }
    return false;
}

prfdata_text prfdata_path_instance_with_zero(const prfdata_path *path)
{
    prfdata_text whole = path->instance;

    whole.count += 2;
    return whole;
}

bool prfdata_path_wants_instance(const prfdata_path *path, prfdata_text label)
{
    if (!path->has_instance)
        return false;
    return prfdata_text_matches(path->instance, label) ||
           (path->has_zero && prfdata_text_matches(prfdata_path_instance_with_zero(path), label));
}
