/* SPDX-License-Identifier: MIT */
/* Implements a provider with fixed objects, for tests of readers. Its values are known in advance:
 * the environment variable FIXED_ROUND of the reader's process counts the calls of Collect, and
 * each value that grows is a multiple of it. Nothing depends on time.
 *
 *   LONE      no instances: a level, a fraction, a multi timer that does not move; a text that no
 *             map names
 *   PARENTS   instances Alpha, Beta and a second Beta: seven kinds of counters
 *   CHILDREN  children x of Alpha and y of Beta; a reply to a query for CHILDREN lacks PARENTS
 *   EMPTY     has no instances now
 *   DAMAGED   only answered by its index: its second instance is damaged; no map names it
 *   LARGE     only answered by its index: 2,000 instances, over 90 KB
 *   CHANGING  only answered by its index: instances "stays" and "round" with the round's number
 *
 * LONE to EMPTY have the title indexes that a map of these objects and counters gets if its first
 * title index is LONE. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include "reply_room.h"

#define LONE     7710000u
#define PARENTS  7710008u
#define CHILDREN 7710024u
#define EMPTY    7710028u
#define DAMAGED  7719000u
#define LARGE    7719100u
#define CHANGING 7719200u

#define LARGE_INSTANCES 2000

DWORD APIENTRY FixedOpen(LPWSTR context);
DWORD APIENTRY FixedCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects);
DWORD APIENTRY FixedClose(void);

typedef struct fixed_reply {
    reply_room room;
    DWORD object_count;
    LARGE_INTEGER round;
} fixed_reply;

static void pad(fixed_reply *r)
{
    static const BYTE zeros[8];

    reply_room_put(&r->room, zeros, (8 - r->room.used % 8) % 8);
}

static DWORD begin_object(fixed_reply *r, DWORD title, DWORD counters, LONG instances)
{
    PERF_OBJECT_TYPE object;

    memset(&object, 0, sizeof object);
    object.DefinitionLength = (DWORD)(sizeof object + counters * sizeof(PERF_COUNTER_DEFINITION));
    object.HeaderLength = sizeof object;
    object.ObjectNameTitleIndex = title;
    object.ObjectHelpTitleIndex = title + 1;
    object.DetailLevel = PERF_DETAIL_NOVICE;
    object.NumCounters = counters;
    object.NumInstances = instances;
    object.PerfTime.QuadPart = 1000;
    object.PerfFreq.QuadPart = 10;
    r->object_count++;
    return reply_room_put(&r->room, &object, sizeof object);
}

static void end_object(fixed_reply *r, DWORD object)
{
    reply_room_patch(&r->room, object, r->room.used - object);
}

static void put_counter(fixed_reply *r, DWORD title, DWORD type, DWORD size, DWORD offset)
{
    PERF_COUNTER_DEFINITION counter;

    memset(&counter, 0, sizeof counter);
    counter.ByteLength = sizeof counter;
    counter.CounterNameTitleIndex = title;
    counter.CounterHelpTitleIndex = title ? title + 1 : 0;
    counter.DetailLevel = PERF_DETAIL_NOVICE;
    counter.CounterType = type;
    counter.CounterSize = size;
    counter.CounterOffset = offset;
    reply_room_put(&r->room, &counter, sizeof counter);
}

static void put_instance(fixed_reply *r, DWORD parent_title, DWORD parent_position,
                         const WCHAR *name)
{
    PERF_INSTANCE_DEFINITION instance;
    DWORD offset;

    memset(&instance, 0, sizeof instance);
    instance.ParentObjectTitleIndex = parent_title;
    instance.ParentObjectInstance = parent_position;
    instance.UniqueID = PERF_NO_UNIQUE_ID;
    instance.NameOffset = sizeof instance;
    instance.NameLength = (DWORD)((wcslen(name) + 1) * sizeof *name);
    offset = reply_room_put(&r->room, &instance, sizeof instance);
    reply_room_put(&r->room, name, instance.NameLength);
    pad(r);
    reply_room_patch(&r->room, offset, r->room.used - offset);
}

static void put_dword(fixed_reply *r, DWORD value)
{
    reply_room_put(&r->room, &value, sizeof value);
}

static void put_large(fixed_reply *r, LONGLONG value)
{
    reply_room_put(&r->room, &value, sizeof value);
}

static void put_lone_object(fixed_reply *r)
{
    DWORD object = begin_object(r, LONE, 6, PERF_NO_INSTANCES);

    put_counter(r, LONE + 2, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
    put_counter(r, LONE + 4, PERF_RAW_FRACTION, 4, 16);
    put_counter(r, 0, PERF_RAW_BASE, 4, 20);
    put_counter(r, LONE + 6, PERF_COUNTER_MULTI_TIMER, 8, 24);
    put_counter(r, 0, PERF_COUNTER_MULTI_BASE, 4, 32);
    put_counter(r, LONE + 50, PERF_COUNTER_TEXT, 12, 36);
    put_dword(r, 48);
    put_dword(r, 0);
    put_large(r, -42);
    put_dword(r, 1);
    put_dword(r, 4);
    put_large(r, 5);
    put_dword(r, 2);
    reply_room_put(&r->room, L"on \"A\"", 12); /* without a NUL */
    end_object(r, object);
}

static void put_parents(fixed_reply *r)
{
    static const WCHAR *const names[] = {L"Alpha", L"Beta", L"Beta"};
    DWORD object = begin_object(r, PARENTS, 8, 3);

    put_counter(r, PARENTS + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    put_counter(r, PARENTS + 4, PERF_COUNTER_LARGE_DELTA, 8, 8);
    put_counter(r, PARENTS + 6, PERF_COUNTER_BULK_COUNT, 8, 16);
    put_counter(r, PARENTS + 8, PERF_AVERAGE_BULK, 8, 24);
    put_counter(r, 0, PERF_AVERAGE_BASE, 4, 32);
    put_counter(r, PARENTS + 10, PERF_COUNTER_DELTA, 4, 36);
    put_counter(r, PARENTS + 12, PERF_ELAPSED_TIME, 8, 40);
    put_counter(r, PARENTS + 14, PERF_COUNTER_NODATA, 0, 4);
    for (DWORD i = 0; i < 3; i++) {
        put_instance(r, 0, 0, names[i]);
        put_dword(r, 48);
        put_dword(r, 100 + i);
        put_large(r, r->round.QuadPart * (i + 1));
        put_large(r, 7);
        put_large(r, r->round.QuadPart * 300);
        put_dword(r, (DWORD)r->round.QuadPart * 2 * i);  /* Alpha has no operations */
        put_dword(r, (DWORD)(1000 - r->round.QuadPart)); /* goes backwards */
        put_large(r, 975 - (LONGLONG)i);
    }
    end_object(r, object);
}

static void put_children(fixed_reply *r)
{
    static const WCHAR *const names[] = {L"x", L"y"};
    DWORD object = begin_object(r, CHILDREN, 1, 2);

    put_counter(r, CHILDREN + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (DWORD i = 0; i < 2; i++) {
        put_instance(r, PARENTS, i, names[i]);
        put_dword(r, 8);
        put_dword(r, 10 + i);
    }
    end_object(r, object);
}

static void put_empty(fixed_reply *r)
{
    DWORD object = begin_object(r, EMPTY, 1, 0);

    put_counter(r, EMPTY + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    end_object(r, object);
}

static void put_damaged(fixed_reply *r)
{
    DWORD object = begin_object(r, DAMAGED, 1, 2);

    put_counter(r, DAMAGED + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    put_instance(r, 0, 0, L"whole");
    put_dword(r, 8);
    put_dword(r, 1);
    put_instance(r, 0, 0, L"broken");
    put_dword(r, 800);
    put_dword(r, 2);
    end_object(r, object);
}

static void put_large_object(fixed_reply *r)
{
    DWORD object = begin_object(r, LARGE, 1, LARGE_INSTANCES);

    put_counter(r, LARGE + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (DWORD i = 0; i < LARGE_INSTANCES; i++) {
        WCHAR name[16];

        swprintf(name, 16, L"n%u", (unsigned)i);
        put_instance(r, 0, 0, name);
        put_dword(r, 8);
        put_dword(r, i);
    }
    end_object(r, object);
}

static void put_changing(fixed_reply *r)
{
    DWORD object = begin_object(r, CHANGING, 1, 2);

    put_counter(r, CHANGING + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (DWORD i = 0; i < 2; i++) {
        WCHAR name[32] = L"stays";

        if (i > 0)
            swprintf(name, 32, L"round%u", (unsigned)r->round.QuadPart);
        put_instance(r, 0, 0, name);
        put_dword(r, 8);
        put_dword(r, 10 * (DWORD)r->round.QuadPart + i);
    }
    end_object(r, object);
}

static bool asks_for(const WCHAR *query, DWORD title, bool is_global)
{
    WCHAR number[16];
    const WCHAR *at;

    if (is_global)
        return true;
    swprintf(number, 16, L"%u", (unsigned)title);
    at = wcsstr(query, number);
    return at && (at == query || at[-1] == L' ') &&
           (at[wcslen(number)] == 0 || at[wcslen(number)] == L' ');
}

static LONGLONG next_round(void)
{
    WCHAR text[16] = L"0";
    LONGLONG round;

    GetEnvironmentVariableW(L"FIXED_ROUND", text, 16);
    round = _wtoi(text) + 1;
    swprintf(text, 16, L"%d", (int)round);
    SetEnvironmentVariableW(L"FIXED_ROUND", text);
    return round;
}

DWORD APIENTRY FixedOpen(LPWSTR context)
{
    (void)context;
    return ERROR_SUCCESS;
}

DWORD APIENTRY FixedCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    fixed_reply r = {{*data, *bytes, 0}, 0, {{0, 0}}};
    bool is_global = lstrcmpiW(query, L"Global") == 0;

    r.round.QuadPart = next_round();
    if (asks_for(query, LONE, is_global))
        put_lone_object(&r);
    if (asks_for(query, CHILDREN, is_global))
        put_children(&r);
    if (asks_for(query, PARENTS, is_global))
        put_parents(&r);
    if (asks_for(query, EMPTY, is_global))
        put_empty(&r);
    if (asks_for(query, DAMAGED, false))
        put_damaged(&r);
    if (asks_for(query, LARGE, false))
        put_large_object(&r);
    if (asks_for(query, CHANGING, false))
        put_changing(&r);
    if (r.room.used > r.room.capacity) {
        *bytes = 0;
        *objects = 0;
        return ERROR_MORE_DATA;
    }
    *data = r.room.bytes + r.room.used;
    *bytes = r.room.used;
    *objects = r.object_count;
    return ERROR_SUCCESS;
}

DWORD APIENTRY FixedClose(void)
{
    return ERROR_SUCCESS;
}
