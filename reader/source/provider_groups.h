/* SPDX-License-Identifier: MIT */
/*
 * Groups the titles of a query by provider, so that a failed provider can be left out. It reads
 * this computer's registrations and asks no provider. Windows only.
 */
#ifndef PRFDATA_READER_PROVIDER_GROUPS_H
#define PRFDATA_READER_PROVIDER_GROUPS_H

#include "block/title_set.h"
#include "source/providers.h"
#include "text/messages.h"

typedef struct prfdata_provider_group {
    prfdata_title_set titles;                 /* not empty */
    wchar_t service[PRFDATA_PROVIDERS_CHARS]; /* empty: the system, or not known */
    uint32_t failure;      /* why the group is left out; ERROR_SUCCESS: it is not left out */
    uint64_t again_ms;     /* if left out: when to ask the group again */
    prfdata_messages said; /* if left out: one message that says so */
    bool is_late;          /* the group had too little time to answer at its last turn; it is
                              not left out for this */
    bool is_asked;         /* the group had its turn in this sample, even if no time was left */
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
 * query   As for prfdata_source_take(). A list of titles gets one group for each provider whose
 *         enabled registration names some of these titles, and one group for each other title.
 *         "Global" gets one group for each provider whose enabled registration names titles, and
 *         one group for the system's own titles.
 * titles  All titles of this computer.
 * groups  {0}; incomplete on failure.
 *
 * Returns false: no memory.
 */
bool prfdata_provider_groups_make(const uint16_t *query, const prfdata_name_table *titles,
                                  prfdata_provider_groups *groups);

/* Move the failures of another query's groups to these groups. */
void prfdata_provider_groups_keep_failures(prfdata_provider_groups *groups,
                                           prfdata_provider_groups *former);

/*
 * Set `said` to a message that the provider failed, or that it answers again.
 *
 * limit_ms  How long the reader waited, if the provider did not answer.
 * module    The module in which it crashed; empty: not known, or it did not crash.
 */
void prfdata_provider_groups_say(prfdata_provider_group *group, const prfdata_name_table *titles,
                                 uint32_t limit_ms, const wchar_t *module);

/* Return the next group that is left out, starting at a position; NULL: none. */
prfdata_provider_group *prfdata_provider_groups_failed(const prfdata_provider_groups *groups,
                                                       size_t position);

/*
 * Return the group to ask next; NULL: all have been asked or are left out. Groups that were late
 * come last, so that they do not use up the time of the others again.
 */
prfdata_provider_group *prfdata_provider_groups_next(const prfdata_provider_groups *groups);

/*
 * Return how long the next question may take. If it is the last question, it may take all the time
 * that is left. Otherwise it may take half of that time, if half is enough to leave a provider out.
 * If half is not enough, each question gets an equal part of the time, but at least a quarter.
 *
 * count      Number of questions, this one included.
 * enough_ms  The time after which a provider can be left out.
 */
uint64_t prfdata_provider_groups_time(uint64_t left_ms, size_t count, uint64_t enough_ms);

/* Get the titles of all groups that are not left out. Returns false: no memory. */
bool prfdata_provider_groups_rest(const prfdata_provider_groups *groups, prfdata_title_set *rest);

/* Release everything and leave {0}. */
void prfdata_provider_groups_free(prfdata_provider_groups *groups);

#endif
