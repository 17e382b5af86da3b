/* SPDX-License-Identifier: MIT */
/*
 * Gives each account its share before anything is copied. What a region needs is computed from its
 * number of slots, so an account's share does not change while its programs use more or fewer of
 * their slots.
 */
#include "collect/copy_shares.h"

#include <stdlib.h>
#include <string.h>

static prfdata_copy_share *find_share(const prfdata_copy_shares *shares,
                                      const prfdata_os_account *account)
{
    for (uint32_t i = 0; i < shares->count; i++)
        if (prfdata_os_account_is(shares->shares[i].account, account))
            return &shares->shares[i];
    return NULL;
}

/* The projection of a region that is copied; NULL: it needs none, or is summarised instead. */
static const prfdata_projection *projection_of(const prfdata_installation *installation,
                                               const prfdata_member *member)
{
    const prfdata_projection *projection = NULL;

    if (member->writer == PRFDATA_MAPPING_WRITER_NONE ||
        !prfdata_installation_shape_of(installation, member->mapping, &projection))
        return NULL;
    return projection;
}

/* Adds what all regions may need. Returns the sum. */
static uint64_t add_wanted(const prfdata_region_set *set, const prfdata_installation *installation,
                           prfdata_copy_shares *shares)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < set->count; i++) {
        const prfdata_member *member = &set->members[i];
        const prfdata_projection *projection = projection_of(installation, member);
        const prfdata_os_account *account = &member->mapping->view.account;
        prfdata_copy_share *share;
        uint64_t bytes;

        if (!projection)
            continue;
        share = find_share(shares, account);
        if (!share) {
            share = &shares->shares[shares->count++];
            *share = (prfdata_copy_share){.account = account};
        }
        bytes = prfdata_projection_most_bytes(projection, member->mapping->layout);
        share->wanted += bytes;
        sum += bytes;
    }
    return sum;
}

/*
 * Gives each account that wants at most an equal share of the rest what it wants. Returns whether
 * there was such an account.
 */
static bool settle_modest(prfdata_copy_shares *shares, uint64_t *rest, uint32_t *waiting)
{
    const uint64_t equal = *rest / *waiting;
    const uint32_t before = *waiting;

    for (uint32_t i = 0; i < shares->count; i++) {
        prfdata_copy_share *share = &shares->shares[i];

        if (share->is_settled || share->wanted > equal)
            continue;
        share->is_settled = true;
        share->left = share->wanted;
        *rest -= share->wanted;
        --*waiting;
    }
    return *waiting < before;
}

static void make_shares(prfdata_copy_shares *shares, uint64_t room)
{
    uint32_t waiting = shares->count;
    bool has_settled = true;

    while (waiting > 0 && has_settled)
        has_settled = settle_modest(shares, &room, &waiting);
    for (uint32_t i = 0; i < shares->count && waiting > 0; i++)
        if (!shares->shares[i].is_settled)
            shares->shares[i].left = room / waiting;
}

bool prfdata_copy_shares_make(const prfdata_region_set *set,
                              const prfdata_installation *installation, uint64_t room,
                              prfdata_copy_shares *shares)
{
    if (!set || installation->projection_count == 0)
        return true;
    shares->shares = malloc((set->count + 1u) * sizeof *shares->shares);
    if (!shares->shares)
        return false;
    if (add_wanted(set, installation, shares) > room && shares->count > 1)
        make_shares(shares, room);
    else
        prfdata_copy_shares_free(shares);
    return true;
}

uint64_t *prfdata_copy_shares_left(const prfdata_copy_shares *shares,
                                   const prfdata_mapping *mapping)
{
    prfdata_copy_share *share = find_share(shares, &mapping->view.account);

    return share ? &share->left : NULL;
}

void prfdata_copy_shares_free(prfdata_copy_shares *shares)
{
    free(shares->shares);
    memset(shares, 0, sizeof *shares);
}
