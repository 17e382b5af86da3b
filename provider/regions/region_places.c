/* SPDX-License-Identifier: MIT */
/*
 * Gives places to one region after another. If there is no room, may take places from the account
 * that has the most. So the accounts get equal shares: an account that wants less than its share
 * gets everything that it wants, and the other accounts share the remainder.
 */
#include "regions/region_places.h"

#include <stdlib.h>
#include <string.h>

bool prfdata_region_places_init(prfdata_region_places *places, uint32_t max_count,
                                uint64_t max_bytes)
{
    memset(places, 0, sizeof *places);
    places->max_count = max_count;
    places->max_bytes = max_bytes;
    places->places = malloc(max_count * sizeof *places->places);
    /* There is room for one account more than `max_count`, because an account that gets its first
     * place is added before another account gives up its last place. */
    places->accounts = malloc((max_count + 1u) * sizeof *places->accounts);
    return places->places && places->accounts;
}

void prfdata_region_places_done(prfdata_region_places *places)
{
    free(places->places);
    free(places->accounts);
}

bool prfdata_region_places_are_shared(const prfdata_region_places *places)
{
    uint32_t with_places = 0;

    for (uint32_t i = 0; i < places->account_count; i++)
        with_places += places->accounts[i].count > 0;
    return with_places > 1;
}

/* ---- Accounts ---- */

/*
 * Returns the index of an account. If the account is new, it is added, or replaces an account that
 * has no place.
 */
static uint32_t find_account(prfdata_region_places *places, const prfdata_os_account *account)
{
    uint32_t unused = places->account_count;

    for (uint32_t i = 0; i < places->account_count; i++) {
        if (prfdata_os_account_is(&places->accounts[i].account, account))
            return i;
        if (places->accounts[i].count == 0)
            unused = i;
    }
    if (unused == places->account_count)
        places->account_count++;
    places->accounts[unused] = (prfdata_region_sharer){*account, 0, 0};
    return unused;
}

static uint64_t amount_of(const prfdata_region_sharer *account, bool by_count)
{
    return by_count ? account->count : account->bytes;
}

static uint32_t find_richest(const prfdata_region_places *places, bool by_count)
{
    uint32_t richest = 0;

    for (uint32_t i = 1; i < places->account_count; i++)
        if (amount_of(&places->accounts[i], by_count) >
            amount_of(&places->accounts[richest], by_count))
            richest = i;
    return richest;
}

/* ---- Places ---- */

static bool is_younger(const prfdata_member *member, const prfdata_member *other)
{
    return strcmp(member->mapping->name.text, other->mapping->name.text) > 0;
}

static uint64_t bytes_of(const prfdata_member *member)
{
    return member->mapping->view.size;
}

/* The place that an account gives up first; NULL: it has none. */
static prfdata_region_place *find_least(const prfdata_region_places *places, uint32_t account)
{
    prfdata_region_place *least = NULL;

    for (uint32_t i = 0; i < places->count; i++) {
        prfdata_region_place *place = &places->places[i];

        if (place->account != account || place->is_lost)
            continue;
        if (!least || (least->is_kept && !place->is_kept) ||
            (least->is_kept == place->is_kept && is_younger(&place->member, &least->member)))
            least = place;
    }
    return least;
}

/* Takes a region's place away, or gives it back. */
static void set_lost(prfdata_region_places *places, prfdata_region_place *place, bool is_lost)
{
    prfdata_region_sharer *account = &places->accounts[place->account];
    const uint64_t bytes = bytes_of(&place->member);

    place->is_lost = is_lost;
    account->count += is_lost ? -1u : 1u;
    account->bytes += is_lost ? 0 - bytes : bytes;
    places->bytes += is_lost ? 0 - bytes : bytes;
}

static bool may_replace(const prfdata_region_places *places, const prfdata_region_place *place,
                        const prfdata_member *member, uint32_t account, bool by_count)
{
    const uint64_t lost = by_count ? 1 : bytes_of(&place->member);
    const uint64_t wanted = by_count ? 1 : bytes_of(member);

    if (place->account == account)
        return !place->is_kept && is_younger(&place->member, member);
    return amount_of(&places->accounts[place->account], by_count) - lost >=
           amount_of(&places->accounts[account], by_count) + wanted;
}

/*
 * Takes places away until there is room for `member`. Returns false if that is not possible.
 *
 * lost_count  Set to the number of places that were taken away.
 */
static bool make_room(prfdata_region_places *places, const prfdata_member *member, uint32_t account,
                      uint32_t *lost_count)
{
    uint32_t left = places->count;

    *lost_count = 0;
    if (bytes_of(member) > places->max_bytes)
        return false;
    while (left == places->max_count || bytes_of(member) > places->max_bytes - places->bytes) {
        const bool by_count = left == places->max_count;
        prfdata_region_place *place = find_least(places, find_richest(places, by_count));

        if (!place || !may_replace(places, place, member, account, by_count))
            return false;
        set_lost(places, place, true);
        ++*lost_count;
        left--;
    }
    return true;
}

/* If there is room now, frees the places that were taken away. Otherwise gives them back. */
static void settle_lost(prfdata_region_places *places, bool has_room,
                        void (*lose)(void *context, const prfdata_member *member), void *context)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < places->count; i++) {
        prfdata_region_place *place = &places->places[i];

        if (place->is_lost && !has_room)
            set_lost(places, place, false);
        if (place->is_lost)
            lose(context, &place->member);
        else
            places->places[count++] = *place;
    }
    places->count = count;
}

bool prfdata_region_places_add(prfdata_region_places *places, const prfdata_member *member,
                               bool is_kept,
                               void (*lose)(void *context, const prfdata_member *member),
                               void *context)
{
    const uint32_t account = find_account(places, &member->mapping->view.account);
    uint32_t lost_count;
    const bool has_room = make_room(places, member, account, &lost_count);

    /* If no place was lost, which is nearly always so, there is nothing to settle. Walking through
     * all places for each region would take quadratic time. */
    if (lost_count > 0)
        settle_lost(places, has_room, lose, context);
    if (!has_room)
        return false;
    places->places[places->count++] = (prfdata_region_place){*member, account, is_kept, false};
    places->accounts[account].count++;
    places->accounts[account].bytes += bytes_of(member);
    places->bytes += bytes_of(member);
    return true;
}
