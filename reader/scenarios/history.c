/* SPDX-License-Identifier: MIT */
/* Keeps copies of replies and of their queries (history.h). */
#include "scenarios/history.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_query(const wchar_t *a, const wchar_t *b)
{
    return a && b ? wcscmp(a, b) == 0 : a == b;
}

static prfdata_history_entry *find_history_entry(prfdata_history *history, const wchar_t *query)
{
    for (size_t i = 0; i < PRFDATA_HISTORY_QUERIES; i++) {
        prfdata_history_entry *entry = &history->entries[i];

        if (entry->bytes && is_same_query(entry->query, query))
            return entry;
    }
    return NULL;
}

static void free_history_entry(prfdata_history_entry *entry)
{
    free(entry->bytes);
    free(entry->query);
    memset(entry, 0, sizeof *entry);
}

const prfdata_validate_reply *prfdata_history_find(const prfdata_history *history,
                                                   const wchar_t *query)
{
    const prfdata_history_entry *entry = find_history_entry((prfdata_history *)history, query);

    return entry ? &entry->reply : NULL;
}

prfdata_validate_known prfdata_history_known(const prfdata_history *history, const wchar_t *query)
{
    const prfdata_history_entry *entry = find_history_entry((prfdata_history *)history, query);
    const prfdata_validate_known known = {history->gone, entry ? entry->since : 0};

    return known;
}

/* Fill an entry with copies. If there is no memory, it stays empty. */
static void fill_history_entry(prfdata_history_entry *entry, const wchar_t *query,
                               const prfdata_validate_reply *reply)
{
    const size_t query_bytes = query ? (wcslen(query) + 1) * sizeof *query : 0;

    entry->bytes = malloc(reply->size + 1);
    entry->query = query ? malloc(query_bytes) : NULL;
    if (!entry->bytes || (query && !entry->query)) {
        free_history_entry(entry);
        return;
    }
    memcpy(entry->bytes, reply->bytes, reply->size);
    if (query)
        memcpy(entry->query, query, query_bytes);
    entry->reply = *reply;
    entry->reply.bytes = entry->bytes;
}

void prfdata_history_remember(prfdata_history *history, const wchar_t *query,
                              const prfdata_validate_reply *reply, uint64_t since)
{
    prfdata_history_entry *entry = find_history_entry(history, query);

    if (!entry) {
        entry = &history->entries[history->oldest];
        history->oldest = (history->oldest + 1) % PRFDATA_HISTORY_QUERIES;
    }
    free_history_entry(entry);
    fill_history_entry(entry, query, reply);
    entry->since = since;
}

void prfdata_history_forget(prfdata_history *history)
{
    for (size_t i = 0; i < PRFDATA_HISTORY_QUERIES; i++)
        free_history_entry(&history->entries[i]);
    history->oldest = 0;
}
