/* SPDX-License-Identifier: MIT */
/*
 * The titles of a query by provider, so that one that fails can be left out. Knows the
 * registrations of this computer; asks no provider. Windows only.
 */
#ifndef PRFDATA_READER_PROVIDER_GROUPS_H
#define PRFDATA_READER_PROVIDER_GROUPS_H

#include "block/title_set.h"
#include "source/providers.h"
#include "text/messages.h"

typedef struct prfdata_provider_group {
    prfdata_title_set titles;                 /* not empty */
    wchar_t service[PRFDATA_PROVIDERS_CHARS]; /* empty: the system, or it is not known */
    uint32_t failure;                         /* why it is left out; ERROR_SUCCESS: it is not */
    uint64_t again_ms;                        /* when to ask it again then */
    prfdata_messages said;                    /* the same in words: one message */
} prfdata_provider_group;

/* {0} is empty. */
typedef struct prfdata_provider_groups {
    prfdata_provider_group *items;
    size_t count;
    size_t capacity;
} prfdata_provider_groups;

/*
 * Make the groups of a query.
 *
 * query   As for prfdata_source_take(). Titles of which no registration tells the provider are a
 *         group each; "Global" has all that registrations tell, and the system's own as one.
 * titles  All of this computer.
 * groups  {0}; on failure incomplete.
 *
 * Returns false: no memory.
 */
bool prfdata_provider_groups_make(const uint16_t *query, const prfdata_name_table *titles,
                                  prfdata_provider_groups *groups);

/* Leave out what was left out in the groups of another query, which loses that. */
void prfdata_provider_groups_keep_failures(prfdata_provider_groups *groups,
                                           prfdata_provider_groups *former);

/*
 * Say what a provider did, which is its failure, or to answer again: set `said`.
 *
 * limit_ms  How long it was waited for, if it did not answer.
 * module    The module in which it crashed; empty: not known, or it did not.
 */
void prfdata_provider_groups_say(prfdata_provider_group *group, const prfdata_name_table *titles,
                                 uint32_t limit_ms, const wchar_t *module);

/* A group that is left out, from a position on; NULL: there is none. */
prfdata_provider_group *prfdata_provider_groups_failed(const prfdata_provider_groups *groups,
                                                       size_t position);

/* Get the titles of all groups that are not left out. Returns false: no memory. */
bool prfdata_provider_groups_rest(const prfdata_provider_groups *groups, prfdata_title_set *rest);

/* Release everything; {0} is left. */
void prfdata_provider_groups_free(prfdata_provider_groups *groups);

#endif
