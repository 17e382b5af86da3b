/* SPDX-License-Identifier: MIT */
/*
 * Declares how accounts share a limited amount, such as the rows of a reply. An account that wants
 * less than an equal share gets all that it wants, and the other accounts share the remainder by
 * the same rule.
 */
#ifndef PRFDATA_SHARES_H
#define PRFDATA_SHARES_H

#include "system/os.h"

typedef struct prfdata_shares {
    struct prfdata_share *items; /* one per account */
    uint32_t count;
} prfdata_shares;

/* Prepares shares for at most `most` accounts. Returns false if memory is exhausted. */
bool prfdata_shares_init(prfdata_shares *shares, uint32_t most);
void prfdata_shares_free(prfdata_shares *shares);

/*
 * Adds to the amount that an account wants. `account` is borrowed. It is NULL for regions whose
 * account is not known.
 */
void prfdata_shares_want(prfdata_shares *shares, const prfdata_os_account *account,
                         uint64_t amount);

/* Returns the amount that all accounts want together. */
uint64_t prfdata_shares_wanted(const prfdata_shares *shares);

/*
 * Divides `room` among the accounts. Returns whether there are several accounts that together want
 * more than `room`.
 */
bool prfdata_shares_divide(prfdata_shares *shares, uint64_t room);

/*
 * Returns the amount that an account may still take. The caller subtracts from it what the account
 * takes. Returns NULL if the account has no share.
 */
uint64_t *prfdata_shares_left(const prfdata_shares *shares, const prfdata_os_account *account);

/* Returns the account that wants most; NULL if it is not known, or if no account wants anything. */
const prfdata_os_account *prfdata_shares_largest(const prfdata_shares *shares);

#endif
