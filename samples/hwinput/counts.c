/* SPDX-License-Identifier: MIT */
/*
 * Counts events with the client library, which no other file of the monitor calls. It keeps the
 * handles of all counters.
 */
#include "counts.h"

#include <prfdata/prfdata.h>

#include "hwinput_map.h"

/* Every event increments two counters: a running count, and one that readers show per second. */
typedef struct counter {
    prfdata_handle count;
    prfdata_handle rate;
} counter;

static prfdata_publisher *publisher;
/* The instances for the kinds of clicks. The elements of other kinds stay zeroed. */
static prfdata_instance buttons[COUNTS_KINDS];
static counter counters[COUNTS_KINDS];

static void resolve_counter(counts_kind kind, uint32_t count_id, uint32_t rate_id,
                            const prfdata_instance *instance)
{
    prfdata_resolve(publisher, count_id, instance, &counters[kind].count);
    prfdata_resolve(publisher, rate_id, instance, &counters[kind].rate);
}

static void add_button(counts_kind kind, const wchar_t *name)
{
    prfdata_instance_add(publisher, PRFOBJ_MOUSECLCKS, name, NULL, &buttons[kind]);
    resolve_counter(kind, MOUSECLCKS_CLICKS, MOUSECLCKS_CLICKSPERSEC, &buttons[kind]);
}

uint32_t counts_open(void)
{
    uint32_t status = prfdata_open(&hwinput_map, &publisher);

    /*
     * The codes of these calls do not matter, because a handle that could not be resolved counts
     * into a scratch cell.
     */
    resolve_counter(COUNTS_KEYS, HWINPUT_KEYS, HWINPUT_KEYSPERSEC, NULL);
    resolve_counter(COUNTS_MOVES, HWINPUT_MOUSEMOVES, HWINPUT_MOUSEMOVESPERSEC, NULL);
    add_button(COUNTS_LEFT, L"Left");
    add_button(COUNTS_MIDDLE, L"Middle");
    add_button(COUNTS_RIGHT, L"Right");
    return status;
}

void counts_close(void)
{
    for (int kind = 0; kind < COUNTS_KINDS; kind++)
        prfdata_instance_remove(&buttons[kind]);
    prfdata_close(publisher);
    publisher = NULL;
}

void counts_bump(counts_kind kind)
{
    prfdata_increment(counters[kind].count);
    prfdata_increment(counters[kind].rate);
}

uint64_t counts_get(counts_kind kind)
{
    return (uint64_t)prfdata_get(counters[kind].count);
}
