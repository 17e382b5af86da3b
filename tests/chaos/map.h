/* SPDX-License-Identifier: MIT */
/* Declares the counters of the chaos test, and the names of its instances. There are few names, so
 * that processes often use the same name. */
#ifndef PRFDATA_TESTS_CHAOS_MAP_H
#define PRFDATA_TESTS_CHAOS_MAP_H

#include <stdint.h>

#include <prfdata/map.h>

/* clang-format off */
PRFDATA_DEFINE_OBJECT(CHAOS_QUEUES, 100);
PRFDATA_DEFINE_COUNTER(CHAOS_JOBS, 101);
PRFDATA_DEFINE_COUNTER(CHAOS_DEPTH, 102);

PRFDATA_DEFINE_OBJECT(CHAOS_CONSUMERS, 200);
PRFDATA_DEFINE_COUNTER(CHAOS_TAKEN, 201);
PRFDATA_DEFINE_COUNTER(CHAOS_OPEN, 202);

PRFDATA_DEFINE_OBJECT(CHAOS_SERVER, 300);
PRFDATA_DEFINE_COUNTER(CHAOS_REQUESTS, 301);
PRFDATA_DEFINE_COUNTER(CHAOS_HITS, 302);
PRFDATA_DEFINE_COUNTER(CHAOS_CLIENTS, 303);

PRFDATA_DEFINE_OBJECT(CHAOS_NEWS, 400);
PRFDATA_DEFINE_COUNTER(CHAOS_READ, 401);
PRFDATA_DEFINE_COUNTER(CHAOS_SENT, 402);
/* clang-format on */

/* Title indexes, in the map's order. */
enum {
    CHAOS_FIRST_COUNTER = 9300,
    CHAOS_QUEUES_TITLE = CHAOS_FIRST_COUNTER,
    CHAOS_CONSUMERS_TITLE = CHAOS_FIRST_COUNTER + 6,
    CHAOS_SERVER_TITLE = CHAOS_FIRST_COUNTER + 12,
    CHAOS_LAST_COUNTER = CHAOS_FIRST_COUNTER + 24 /* of the third version */
};

/* A key is a queue, or a consumer of a queue. */
enum {
    CHAOS_QUEUE_NAMES = 5,
    CHAOS_CONSUMER_NAMES = 3,
    CHAOS_KEYS = CHAOS_QUEUE_NAMES * (1 + CHAOS_CONSUMER_NAMES)
};

enum { CHAOS_GAUGE = 7 }; /* every live instance sets its gauge to this */

#define CHAOS_SERVICE "PrfDataChaos"

PRFDATA_DECLARE_MAP(chaos_map);

/* Versions of the map; the first one is `chaos_map`. */
enum { CHAOS_VERSIONS = 3 };
extern const prfdata_map *const chaos_versions[CHAOS_VERSIONS];

extern const wchar_t *const chaos_names[CHAOS_QUEUE_NAMES];

static inline int chaos_consumer_key(int queue, int consumer)
{
    return CHAOS_QUEUE_NAMES + queue * CHAOS_CONSUMER_NAMES + consumer;
}

static inline int chaos_is_consumer(int key)
{
    return key >= CHAOS_QUEUE_NAMES;
}

/* Returns the number of a queue: `key` itself, or the queue of the consumer `key`. */
static inline int chaos_queue_of(int key)
{
    return chaos_is_consumer(key) ? (key - CHAOS_QUEUE_NAMES) / CHAOS_CONSUMER_NAMES : key;
}

/* Returns the index in chaos_names of the key's own name. */
static inline int chaos_name_of(int key)
{
    return chaos_is_consumer(key) ? (key - CHAOS_QUEUE_NAMES) % CHAOS_CONSUMER_NAMES : key;
}

#endif
