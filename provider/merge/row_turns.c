/* SPDX-License-Identifier: MIT */
/*
 * Lets accounts take turns. In each turn an account may take as much as the others, so accounts
 * that want less than an equal share get everything, and the others get equal shares. The regions
 * of one account come in the order in which this reader first found their programs running, and
 * then in the order of their files. So a program that starts takes no row of a program that was
 * shown before, even if it has taken an older file over.
 */
#include "merge/row_turns.h"

#include <stdlib.h>
#include <string.h>

/* Orders two accounts. Snapshots that were not made from a region have none. */
static int account_order(const prfdata_snapshot *one, const prfdata_snapshot *other)
{
    if (!one->account || !other->account)
        return (one->account != NULL) - (other->account != NULL);
    return memcmp(one->account->bytes, other->account->bytes, PRFDATA_OS_ACCOUNT_BYTES);
}

static int source_order(const void *a, const void *b)
{
    const prfdata_snapshot *one = ((const prfdata_row_source *)a)->snapshot;
    const prfdata_snapshot *other = ((const prfdata_row_source *)b)->snapshot;
    const int order = account_order(one, other);

    if (order != 0)
        return order;
    if (one->since_ms != other->since_ms)
        return one->since_ms < other->since_ms ? -1 : 1;
    return one->region_id < other->region_id ? -1 : one->region_id > other->region_id;
}

/* Returns how many sources there are. */
static uint32_t find_sources(prfdata_row_turns *turns, prfdata_snapshot *const *snapshots,
                             uint32_t region_count, uint32_t object_index)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < region_count; i++)
        if (snapshots[i]->is_live && snapshots[i]->objects[object_index].count > 0)
            turns->sources[count++] =
                (prfdata_row_source){snapshots[i], i, snapshots[i]->objects[object_index].count};
    qsort(turns->sources, count, sizeof *turns->sources, source_order);
    return count;
}

static void find_sharers(prfdata_row_turns *turns, uint32_t source_count)
{
    for (uint32_t i = 0; i < source_count; i++) {
        if (i == 0 ||
            account_order(turns->sources[i - 1].snapshot, turns->sources[i].snapshot) != 0)
            turns->sharers[turns->sharer_count++] = (prfdata_row_sharer){.next = i};
        turns->sharers[turns->sharer_count - 1].end = i + 1;
    }
    turns->waiting = turns->sharer_count;
}

bool prfdata_row_turns_begin(prfdata_row_turns *turns, prfdata_snapshot *const *snapshots,
                             uint32_t region_count, uint32_t object_index, uint64_t quantum)
{
    memset(turns, 0, sizeof *turns);
    turns->sources = malloc((region_count + 1u) * sizeof *turns->sources);
    turns->sharers = malloc((region_count + 1u) * sizeof *turns->sharers);
    if (!turns->sources || !turns->sharers) {
        free(turns->sources);
        free(turns->sharers);
        return false;
    }
    turns->quantum = quantum;
    turns->allowed = quantum;
    find_sharers(turns, find_sources(turns, snapshots, region_count, object_index));
    return true;
}

/* Passes the turn to the next account. After the last one, all may take more. */
static void pass_turn(prfdata_row_turns *turns)
{
    if (++turns->current < turns->sharer_count)
        return;
    turns->current = 0;
    turns->allowed += turns->quantum;
}

/* Moves an account to its next slot. */
static void advance_sharer(prfdata_row_turns *turns, prfdata_row_sharer *sharer)
{
    if (++sharer->position < turns->sources[sharer->next].slot_count)
        return;
    sharer->position = 0;
    sharer->next++;
    turns->waiting -= sharer->next == sharer->end;
}

bool prfdata_row_turns_next(prfdata_row_turns *turns, prfdata_row_turn *turn)
{
    while (turns->waiting > 0) {
        prfdata_row_sharer *sharer = &turns->sharers[turns->current];

        if (sharer->next < sharer->end && sharer->taken < turns->allowed) {
            turn->region = turns->sources[sharer->next].region;
            turn->position = sharer->position;
            advance_sharer(turns, sharer);
            return true;
        }
        pass_turn(turns);
    }
    return false;
}

void prfdata_row_turns_take(prfdata_row_turns *turns, uint64_t cost)
{
    turns->sharers[turns->current].taken += cost;
}

const prfdata_os_account *prfdata_row_turns_end(prfdata_row_turns *turns)
{
    const prfdata_os_account *largest = NULL;
    uint64_t taken = 0;

    for (uint32_t i = 0; turns->sharer_count > 1 && i < turns->sharer_count; i++) {
        const prfdata_row_sharer *sharer = &turns->sharers[i];

        if (sharer->taken < taken)
            continue;
        largest = turns->sources[sharer->end - 1].snapshot->account;
        taken = sharer->taken;
    }
    free(turns->sources);
    free(turns->sharers);
    return largest;
}
