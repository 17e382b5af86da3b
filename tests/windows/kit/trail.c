/* SPDX-License-Identifier: MIT */
/*
 * Writes and reads lines about calls of the kit's provider (trail.h). probe.c and scene.c keep them
 * in a file.
 */
#include "trail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char specials[] = "\\\\\tt\nn\rr";

static char escape_of(char c)
{
    for (size_t i = 0; i + 1 < sizeof specials; i += 2) {
        if (specials[i] == c)
            return specials[i + 1];
    }
    return 0;
}

static char escaped_by(char c)
{
    for (size_t i = 0; i + 1 < sizeof specials; i += 2) {
        if (specials[i + 1] == c)
            return specials[i];
    }
    return 0;
}

static size_t put_text(const char *text, char *line, size_t capacity)
{
    size_t used = 0;

    for (; *text && used + 2 < capacity; text++) {
        char escape = escape_of(*text);

        if (escape)
            line[used++] = '\\';
        line[used++] = escape ? escape : *text;
    }
    return used;
}

size_t kit_trail_line(const kit_call *call, char *line, size_t capacity)
{
    size_t used;
    int begin = snprintf(line, capacity,
                         "%s\t%" PRIu32 "\t%" PRIu32 "\t%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64
                         "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t%c",
                         call->name, call->process, call->thread, call->program, call->account,
                         call->session, call->has_global, call->begin, call->end, call->size,
                         call->status, call->is_null ? '-' : '"');

    if (begin < 0 || (size_t)begin + 4 > capacity)
        return 0;
    used = (size_t)begin;
    if (!call->is_null) {
        used += put_text(call->text, line + used, capacity - used - 3);
        line[used++] = '"';
    }
    line[used++] = '\n';
    line[used] = 0;
    return used;
}

/* Reads the field at `*at`, up to a tab. Returns false if it is missing or too long. */
static bool take_field(const char **at, char *field, size_t capacity)
{
    size_t length = strcspn(*at, "\t\r\n");

    if ((*at)[length] != '\t' || length == 0 || length >= capacity)
        return false;
    memcpy(field, *at, length);
    field[length] = 0;
    *at += length + 1;
    return true;
}

static bool take_number(const char **at, uint64_t highest, uint64_t *number)
{
    char field[24], *end;

    if (!take_field(at, field, sizeof field) || field[0] < '0' || field[0] > '9')
        return false;
    *number = strtoull(field, &end, 10);
    return *end == 0 && *number <= highest;
}

static bool take_number32(const char **at, uint32_t *number)
{
    uint64_t large;

    if (!take_number(at, UINT32_MAX, &large))
        return false;
    *number = (uint32_t)large;
    return true;
}

/* Reads the last field, which is - or a string in quotes. */
static bool take_text(const char *at, kit_call *call)
{
    size_t length = strcspn(at, "\r\n"), used = 0;

    call->is_null = length == 1 && at[0] == '-';
    call->text[0] = 0;
    if (call->is_null)
        return true;
    if (length < 2 || at[0] != '"' || at[length - 1] != '"')
        return false;
    for (size_t i = 1; i + 1 < length; i++) {
        char c = at[i];

        if (c == '\\') {
            c = i + 2 < length ? escaped_by(at[++i]) : 0;
            if (!c)
                return false;
        }
        if (used + 1 >= sizeof call->text)
            return false;
        call->text[used++] = c;
    }
    call->text[used] = 0;
    return true;
}

bool kit_trail_parse(const char *line, kit_call *call)
{
    memset(call, 0, sizeof *call);
    return take_field(&line, call->name, sizeof call->name) &&
           take_number32(&line, &call->process) && take_number32(&line, &call->thread) &&
           take_field(&line, call->program, sizeof call->program) &&
           take_field(&line, call->account, sizeof call->account) &&
           take_number32(&line, &call->session) && take_number32(&line, &call->has_global) &&
           take_number(&line, UINT64_MAX, &call->begin) &&
           take_number(&line, UINT64_MAX, &call->end) && take_number32(&line, &call->size) &&
           take_number32(&line, &call->status) && take_text(line, call);
}

size_t kit_trail_parse_all(const char *text, kit_call *calls, size_t capacity)
{
    size_t count = 0;
    kit_call call;

    for (; *text; text += strcspn(text, "\n"), text += *text ? 1 : 0) {
        if (!kit_trail_parse(text, &call))
            continue;
        if (count < capacity)
            calls[count] = call;
        count++;
    }
    return count;
}

size_t kit_trail_count(const kit_call *calls, size_t count, const char *name)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += strcmp(calls[i].name, name) == 0;
    return found;
}

static bool are_together(const kit_call *one, const kit_call *other)
{
    return strcmp(one->name, "Collect") == 0 && strcmp(other->name, "Collect") == 0 &&
           one->process == other->process && one->thread != other->thread &&
           one->begin < other->end && other->begin < one->end;
}

bool kit_trail_overlaps(const kit_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (are_together(&calls[i], &calls[j]))
                return true;
        }
    }
    return false;
}

void kit_trail_hosts(const kit_call *calls, size_t count, char *text, size_t capacity)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < count; i++) {
        char host[200];
        int length = snprintf(host, sizeof host, "%s %s session %u; ", calls[i].program,
                              calls[i].account, (unsigned)calls[i].session);

        if (length < 0 || strstr(text, host) || used + (size_t)length >= capacity)
            continue;
        memcpy(text + used, host, (size_t)length + 1);
        used += (size_t)length;
    }
    if (used >= 2)
        text[used - 2] = 0;
}
