/* SPDX-License-Identifier: MIT */
/* Checks the name of an instance: its place, its end, its characters. validate_instance.c finds
 * names that occur twice. Names in a code page are read as Latin 1. */
#include "validate/validate_name.h"

#include <inttypes.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "names/hidden.h"
#include "names/names.h"

#define MAX_NAME_CHARS 127 /* some readers cut longer names */

static bool has_wide_names(const prfdata_validated_object *o)
{
    return o->header.code_page == 0;
}

static bool is_forbidden_char(uint16_t value)
{
    return value < 0x20 || (value >= 0x7F && value < 0xA0) ||
           (value < 0x80 && strchr("\\()/#*", (int)value));
}

static bool is_lone_surrogate(prfdata_text name, size_t i)
{
    const uint16_t value = name.chars[i];

    if (value >= 0xD800 && value < 0xDC00)
        return i + 1 == name.count || name.chars[i + 1] < 0xDC00 || name.chars[i + 1] >= 0xE000;
    if (value >= 0xDC00 && value < 0xE000)
        return i == 0 || name.chars[i - 1] < 0xD800 || name.chars[i - 1] >= 0xDC00;
    return false;
}

static void validate_name_is_shown(prfdata_validated *j, uint64_t at, prfdata_text name)
{
    for (size_t at_char = 0; at_char < name.count;) {
        const size_t from = at_char;
        const uint32_t code_point = prfdata_text_next(name, &at_char);

        if (prfdata_hidden_is(code_point)) {
            PRFDATA_FIND(j, NAME_HIDDEN, at, "character %u of the name is U+%04X",
                         (unsigned)from + 1, (unsigned)code_point);
            return;
        }
    }
}

static void validate_name_characters(prfdata_validated *j, uint64_t at, prfdata_text name)
{
    if (name.count > 0 && name.chars[name.count - 1] == ' ')
        PRFDATA_FIND(j, NAME_BLANK, at, "the name of %u characters ends with a blank",
                     (unsigned)name.count);
    for (size_t i = 0; i < name.count; i++) {
        if (is_forbidden_char(name.chars[i]) || is_lone_surrogate(name, i)) {
            PRFDATA_FIND(j, NAME_CHARACTERS, at, "character %u of the name is U+%04X",
                         (unsigned)i + 1, (unsigned)name.chars[i]);
            return;
        }
    }
    validate_name_is_shown(j, at, name);
}

static void validate_name_end(prfdata_validated *j, const prfdata_validated_object *o,
                              const prfdata_validated_instance *i)
{
    const uint32_t bytes = i->definition.name_length;
    const uint32_t step = has_wide_names(o) ? 2 : 1;
    const uint64_t ended = (uint64_t)(i->name.count + 1) * step;

    if (bytes % step != 0 || ended > bytes)
        PRFDATA_FIND(j, NAME_END, PRFDATA_INSTANCE_AT(i, name_length),
                     "PERF_INSTANCE_DEFINITION.NameLength is %u, and no NUL ends these bytes",
                     (unsigned)bytes);
    else if (ended != bytes)
        PRFDATA_FIND(j, NAME_LENGTH, PRFDATA_INSTANCE_AT(i, name_length),
                     "PERF_INSTANCE_DEFINITION.NameLength is %u bytes, but the name and its NUL "
                     "take %" PRIu64 " bytes",
                     (unsigned)bytes, ended);
    if (i->name.count > MAX_NAME_CHARS)
        PRFDATA_FIND(j, NAME_LONG, PRFDATA_INSTANCE_AT(i, name_length),
                     "the name has %" PRIu64 " characters", (uint64_t)i->name.count);
}

static prfdata_text read_name_chars(const prfdata_validated *j, const prfdata_validated_object *o,
                                    uint64_t at, uint32_t size, uint16_t *chars)
{
    prfdata_text name = {chars, 0};

    if (has_wide_names(o)) {
        name.count = prfdata_wire_fields_chars(j->bytes, at, size, chars, size);
        return name;
    }
    while (name.count < size && j->bytes.at[at + name.count] != 0) {
        chars[name.count] = j->bytes.at[at + name.count];
        name.count++;
    }
    return name;
}

void prfdata_validate_name_read(prfdata_validated *j, const prfdata_validated_object *o,
                                prfdata_validated_instance *i, uint16_t *chars)
{
    const uint32_t bytes = i->definition.byte_length;
    const uint32_t offset = i->definition.name_offset;
    const uint32_t length = i->definition.name_length;

    i->name.chars = chars;
    i->name.count = 0;
    if (length > 0 &&
        (offset < sizeof i->definition || length > bytes || offset > bytes - length)) {
        PRFDATA_FIND(j, NAME_BOUNDS, PRFDATA_INSTANCE_AT(i, name_offset),
                     "NameOffset %u and NameLength %u leave the instance definition of %u bytes",
                     (unsigned)offset, (unsigned)length, (unsigned)bytes);
        return;
    }
    if (length > 0) {
        i->name = read_name_chars(j, o, i->at + offset, length, chars);
        validate_name_end(j, o, i);
        if (offset != sizeof i->definition)
            PRFDATA_FIND(j, NAME_OFFSET, PRFDATA_INSTANCE_AT(i, name_offset),
                         "PERF_INSTANCE_DEFINITION.NameOffset is %u", (unsigned)offset);
        validate_name_characters(j, i->at + offset, i->name);
    }
    if (i->name.count > 0)
        i->name_hash = prfdata_names_hash(i->name.chars, i->name.count, 0);
    if (i->name.count > 0 && i->definition.unique_id != PERF_NO_UNIQUE_ID)
        PRFDATA_FIND(j, UNIQUE_ID, PRFDATA_INSTANCE_AT(i, unique_id),
                     "PERF_INSTANCE_DEFINITION.UniqueID is %d, but the instance has a name",
                     (int)i->definition.unique_id);
    if (i->name.count == 0 && i->definition.unique_id == PERF_NO_UNIQUE_ID)
        PRFDATA_FIND(j, INSTANCE_NAMELESS, i->at, "the instance has neither a name nor a UniqueID");
}
