/* SPDX-License-Identifier: MIT */
/*
 * Queries, parsed for one installation and its plans. Short ones are remembered, so that a reader
 * that asks for the same again costs a comparison.
 */
#ifndef PRFDATA_PREPARED_H
#define PRFDATA_PREPARED_H

#include "provider/installation.h"

typedef struct prfdata_prepared {
    size_t query_bytes; /* without the final NUL */
    uint16_t *query;
    bool is_kept;               /* by a table */
    bool has_objects;           /* else it asks for nothing */
    bool metadata;              /* definitions only */
    size_t bytes;               /* of the reply, if all is planned */
    bool has_health;            /* the object of the service's health is wanted */
    size_t health_offset;       /* of that object in the reply, if all is planned */
    bool has_brackets;          /* several plans have: their objects are to be of one moment */
    uint32_t count;             /* of `plans`; 0 if some wanted object has none */
    const prfdata_plan **plans; /* in the order of the objects */
    bool wanted[1];             /* one flag per object of the model */
} prfdata_prepared;

enum { PRFDATA_PREPARED_QUERIES = 8 };

/* What is remembered. Zeroed memory has nothing. */
typedef struct prfdata_prepared_table {
    prfdata_os_lock lock;                    /* of adding */
    uint64_t kept[PRFDATA_PREPARED_QUERIES]; /* atomic: addresses; 0: none, nor any after it */
} prfdata_prepared_table;

/* For prfdata_prepared_release(). */
void prfdata_prepared_free(const prfdata_prepared *prepared);

/*
 * Parse a query, or find it in the table.
 *
 * table  Always of the same installation and plans.
 * plans  One per object of the installation's model; NULL where there is none. Borrowed.
 * query  NUL-terminated UTF-16, or NULL.
 *
 * Returns NULL if memory is exhausted. Give it back with prfdata_prepared_release(). Threads: any.
 */
const prfdata_prepared *prfdata_prepared_get(prfdata_prepared_table *table,
                                             const prfdata_installation *installation,
                                             prfdata_plan *const *plans, const uint16_t *query);
static inline void prfdata_prepared_release(const prfdata_prepared *prepared)
{
    if (!prepared->is_kept)
        prfdata_prepared_free(prepared);
}

/* Forget all. None may be in use. */
void prfdata_prepared_done(prfdata_prepared_table *table);

#endif
