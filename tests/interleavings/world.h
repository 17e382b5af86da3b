/* SPDX-License-Identifier: MIT */
/*
 * Declares two processes with a region each, and a reader, whose steps happen in an order that the
 * test chooses. A reader sees only bytes and owners, so a writer that stops at its step n is an
 * image of the files as they were then. The operation of the writer runs once, and an image is
 * taken at each step. Readers run afterwards, and at one of their steps another image replaces the
 * current one. Everything runs in one thread.
 */
#ifndef PRFDATA_TESTS_WORLD_H
#define PRFDATA_TESTS_WORLD_H

#include <prfdata/prfdata.h>

#include "chaos/map.h"
#include "collect/provider.h"

/* The values by which readings are compared. */
enum {
    KEY_X,
    KEY_Y,
    KEY_XC,
    KEY_YC,
    KEYS,
    TOTAL_JOBS = KEYS,
    TOTAL_TAKEN,
    TOTAL_REQUESTS,
    CLIENTS,
    TOKENS
};
enum { TOKEN_CHARS = 32 };

/*
 * "105:14": a counter and a gauge; "-": not shown; for totals only the counter, and one gauge of
 * the object without instances.
 */
typedef struct world_reading {
    char tokens[TOKENS][TOKEN_CHARS];
} world_reading;

typedef struct world {
    prfdata_publisher *a; /* whose operation is stopped at each step */
    prfdata_publisher *b; /* runs all the time; NULL: there is none */
    char a_file[64];
    prfdata_instance x, xc, y, yc; /* of a */
} world;

/* ---- Writers ---- */

/* Installs the service, if that was not done. Then there are no processes. */
void world_begin(world *made);
void world_end(world *made);

/* Opens a process with this many slots for queues and consumers. */
prfdata_publisher *world_open(uint32_t queues, uint32_t consumers);

/* Opens `a`, and finds out the name of its file. */
void world_open_a(world *in, uint32_t queues, uint32_t consumers);

/* The caller gets `a`, and ends it. */
prfdata_publisher *world_forget(world *in);

/* Removes x/c and x of `a`. */
void world_remove_all(world *in);

/* Opens `b`, in which x has counted 5 and x/c 2. */
void world_prepare_b(world *in);

void world_count(prfdata_publisher *in, uint32_t counter, const prfdata_instance *instance,
                 int64_t amount);

/* Adds a queue, or a consumer of `queue`; counts `amount`, and sets the gauge to 7. */
void world_add(prfdata_publisher *to, const wchar_t *name, const prfdata_instance *queue,
               int64_t amount, prfdata_instance *instance);

/*
 * Installs the other version of the map, which has one more counter, or the first again. Both have
 * the values of readings, with the same titles.
 */
void world_upgrade(bool to_second);

/* ---- Images ---- */

/*
 * Runs the operation and takes an image before it, at each step, and after it. Forgets older
 * images.
 */
typedef void world_operation(world *in);
void world_record(world *in, world_operation *operation);

uint32_t world_image_count(void);
const char *world_image_step(uint32_t number);

/* Puts the image of `a` into its file. `is_owned`: whether a process owns the file now. */
void world_put_image(const world *in, uint32_t number, bool is_owned);

/* Kills `a`: its file stays as in the image, without an owner. `a` is NULL then. */
void world_kill(world *in, uint32_t number);

/* ---- Readers ---- */

typedef struct world_stop {
    uint32_t reader_step; /* from 1; 0: none */
    uint32_t image;       /* the image to put there */
    bool is_owned;
} world_stop;

/* Opens a reader that uses plans if possible, or one that always merges. */
prfdata_provider *world_open_provider(bool uses_plans);

/* From now on readers ask for the queues only, or for everything again; other values are as 0. */
void world_ask_for_queues(bool alone);

/* Collects, and puts the images of the stops, which are sorted, at their steps. */
void world_read(const world *in, prfdata_provider *provider, const world_stop *stops,
                uint32_t stop_count, world_reading *reading);

/* Whether the last world_read reached all its stops. */
bool world_met_all_stops(void);

/* How many steps the last world_read took, and the name of one of them. */
uint32_t world_reader_steps(void);
const char *world_reader_step(uint32_t step);

/* Called at a step of a reader instead of putting images; another Collect may run inside. */
typedef void world_intrusion(void *context);
void world_read_with(const world *in, prfdata_provider *provider, uint32_t reader_step,
                     world_intrusion *intrusion, void *context, world_reading *reading);

/* Does the same at every step with this name. */
void world_read_disturbed(const world *in, prfdata_provider *provider, const char *step,
                          world_intrusion *intrusion, void *context, world_reading *reading);

/* Does the same while a Collect asks for objects of another service. */
void world_ask_foreign(const world *in, prfdata_provider *provider, const char *step,
                       world_intrusion *intrusion, void *context);

/* Whether a reader shows the other version of the map. */
bool world_shows_second(prfdata_provider *provider);

/*
 * Whether the intrusion of the last world_read_with happened; it does not at a step under a lock.
 */
bool world_intruded(void);

/* The reading as a string, for messages. */
const char *world_text(const world_reading *reading);

/*
 * Makes a reading from "x=105:7 y=- x/c=- y/c=- jobs=105 taken=0 requests=0". Missing parts are "-"
 * for instances and "0" for totals.
 */
world_reading world_expected(const char *text);

/* Whether each token of the reading is that of one of `lawful`. */
bool world_is_lawful(const world_reading *reading, const world_reading *lawful, size_t count);

/* Whether the counter of any token is lower than before, if both show it. */
bool world_has_fallen(const world_reading *older, const world_reading *newer);

/* Fails if one is. */
void world_must_not_fall(const world_reading *older, const world_reading *newer);

#endif
