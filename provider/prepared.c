/* SPDX-License-Identifier: MIT */
/*
 * A query with what follows from it: which objects it asks for, their plans, and how large the
 * reply is. Knows neither how a query is read nor what a plan does.
 */
#include "provider/prepared.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "provider/query.h"

/* The query's bytes without its end, if they are few; else SIZE_MAX. */
static size_t short_query_bytes(const uint16_t *query)
{
    enum { MOST = 64 };

    for (size_t i = 0; query && i < MOST; i++)
        if (query[i] == 0)
            return i * sizeof *query;
    return SIZE_MAX;
}

static bool is_query_of(const prfdata_prepared *prepared, const uint16_t *query)
{
    const uint16_t *kept = prepared->query;
    const uint16_t *const end = kept + prepared->query_bytes / sizeof *query;

    for (; kept < end; kept++, query++) /* ends at the query's NUL */
        if (*query != *kept)
            return false;
    return *query == 0;
}

/* The plans of all wanted objects; none if one is missing. */
static void list_plans(prfdata_plan *const *plans, const prfdata_model *model,
                       prfdata_prepared *prepared)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        if (!prepared->wanted[i])
            continue;
        if (!plans[i]) {
            prepared->count = 0;
            return;
        }
        if (i == model->health_index)
            prepared->health_offset = prepared->bytes;
        prepared->bytes += prfdata_plan_bytes(plans[i]);
        prepared->has_brackets |= prfdata_plan_has_brackets(plans[i]);
        prepared->plans[prepared->count++] = plans[i];
    }
    prepared->has_brackets = prepared->has_brackets && prepared->count > 1;
}

/* NULL: no memory. */
static prfdata_prepared *make_prepared(const prfdata_installation *installation,
                                       prfdata_plan *const *plans, const uint16_t *query)
{
    const prfdata_model *model = installation->shape.model;
    const uint32_t count = model->object_count;
    const size_t bytes = short_query_bytes(query);
    const size_t text_bytes = bytes == SIZE_MAX ? 0 : bytes;
    const size_t head_bytes = (sizeof(prfdata_prepared) + count + 7) / 8 * 8;
    prfdata_prepared *made = calloc(1, head_bytes + count * sizeof *made->plans + text_bytes);

    if (!made)
        return NULL;
    made->plans = (void *)((uint8_t *)made + head_bytes);
    made->query = (void *)(made->plans + count);
    made->query_bytes = bytes;
    if (text_bytes > 0)
        memcpy(made->query, query, text_bytes);
    made->has_objects = prfdata_query_parse(query, model, installation->template->first_counter,
                                            made->wanted, &made->metadata);
    made->has_health = model->health_index != PRFDATA_NONE && made->wanted[model->health_index];
    if (!made->metadata)
        list_plans(plans, model, made);
    return made;
}

/* Keep a short query for others, if there is room. */
static void keep_prepared(prfdata_prepared_table *table, prfdata_prepared *prepared)
{
    if (prepared->query_bytes == SIZE_MAX ||
        prfdata_load64_relaxed(&table->kept[PRFDATA_PREPARED_QUERIES - 1]) != 0)
        return;
    prfdata_os_lock_enter(&table->lock);
    for (uint32_t i = 0; i < PRFDATA_PREPARED_QUERIES && !prepared->is_kept; i++) {
        if (table->kept[i] != 0)
            continue;
        prepared->is_kept = true;
        prfdata_store64_release(&table->kept[i], (uint64_t)(uintptr_t)prepared);
    }
    prfdata_os_lock_leave(&table->lock);
}

static prfdata_prepared *kept_prepared(const prfdata_prepared_table *table, uint32_t i)
{
    return (prfdata_prepared *)(uintptr_t)prfdata_load64_acquire(&table->kept[i]);
}

const prfdata_prepared *prfdata_prepared_get(prfdata_prepared_table *table,
                                             const prfdata_installation *installation,
                                             prfdata_plan *const *plans, const uint16_t *query)
{
    prfdata_prepared *made;

    for (uint32_t i = 0; query && i < PRFDATA_PREPARED_QUERIES; i++) {
        const prfdata_prepared *prepared = kept_prepared(table, i);

        if (!prepared)
            break;
        if (is_query_of(prepared, query))
            return prepared;
    }
    made = make_prepared(installation, plans, query);
    if (made)
        keep_prepared(table, made);
    return made;
}

void prfdata_prepared_free(const prfdata_prepared *prepared)
{
    free((void *)(uintptr_t)prepared);
}

void prfdata_prepared_done(prfdata_prepared_table *table)
{
    for (uint32_t i = 0; i < PRFDATA_PREPARED_QUERIES; i++)
        free(kept_prepared(table, i));
}
