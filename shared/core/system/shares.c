/* SPDX-License-Identifier: MIT */
/*
 * Divides a limited amount among accounts. Finds the level, which is the most that one account may
 * take. Accounts that want less than the level get what they want.
 */
#include "system/shares.h"

#include <stdlib.h>

#include "base/smaller.h"

struct prfdata_share {
    const prfdata_os_account *account;
    uint64_t wanted;
    uint64_t left; /* the amount that the account may still take */
};

bool prfdata_shares_init(prfdata_shares *shares, uint32_t most)
{
    shares->items = malloc((most + 1u) * sizeof *shares->items);
    shares->count = 0;
    return shares->items != NULL;
}

void prfdata_shares_free(prfdata_shares *shares)
{
    free(shares->items);
}

static bool is_same_account(const prfdata_os_account *one, const prfdata_os_account *other)
{
    return one == other || (one && other && prfdata_os_account_is(one, other));
}

static struct prfdata_share *find_share(const prfdata_shares *shares,
                                        const prfdata_os_account *account)
{
    for (uint32_t i = 0; i < shares->count; i++)
        if (is_same_account(shares->items[i].account, account))
            return &shares->items[i];
    return NULL;
}

void prfdata_shares_want(prfdata_shares *shares, const prfdata_os_account *account, uint64_t amount)
{
    struct prfdata_share *share = find_share(shares, account);

    if (!share) {
        share = &shares->items[shares->count++];
        *share = (struct prfdata_share){.account = account};
    }
    share->wanted += amount;
}

uint64_t *prfdata_shares_left(const prfdata_shares *shares, const prfdata_os_account *account)
{
    struct prfdata_share *share = find_share(shares, account);

    return share ? &share->left : NULL;
}

/* Returns the amount that all accounts take together if none takes more than `level`. */
static uint64_t amount_at(const prfdata_shares *shares, uint64_t level)
{
    uint64_t amount = 0;

    for (uint32_t i = 0; i < shares->count; i++)
        amount += prfdata_smaller_of(shares->items[i].wanted, level);
    return amount;
}

uint64_t prfdata_shares_wanted(const prfdata_shares *shares)
{
    return amount_at(shares, UINT64_MAX);
}

static uint32_t count_above(const prfdata_shares *shares, uint64_t level)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < shares->count; i++)
        count += shares->items[i].wanted > level;
    return count;
}

/* Each step divides the rest of `room` equally among the accounts that want more than `level`. */
static uint64_t find_level(const prfdata_shares *shares, uint64_t room)
{
    uint64_t level = 0;
    uint64_t more;

    do {
        const uint32_t count = count_above(shares, level);

        more = count > 0 ? (room - amount_at(shares, level)) / count : 0;
        level += more;
    } while (more > 0);
    return level;
}

bool prfdata_shares_divide(prfdata_shares *shares, uint64_t room)
{
    const uint64_t level = find_level(shares, room);

    for (uint32_t i = 0; i < shares->count; i++)
        shares->items[i].left = prfdata_smaller_of(shares->items[i].wanted, level);
    return shares->count > 1 && prfdata_shares_wanted(shares) > room;
}

const prfdata_os_account *prfdata_shares_largest(const prfdata_shares *shares)
{
    const struct prfdata_share *largest = shares->items;

    for (uint32_t i = 1; i < shares->count; i++)
        if (shares->items[i].wanted > largest->wanted)
            largest = &shares->items[i];
    return shares->count > 0 ? largest->account : NULL;
}
