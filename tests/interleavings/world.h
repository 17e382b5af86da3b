/* SPDX-License-Identifier: MIT */
/* Declares two processes with a region each, and a reader. The test chooses the order in which the
 * steps of a process and of the reader happen. A reader sees only the bytes and the owner of a
 * file. So an image of the writer's file at a step can replace a writer that stops at this step.
 * The writer's operation runs once, and an image is taken at each step. Then readers run, and at
 * one of their steps another image replaces the current one. Everything runs in one thread. */
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

/* "105:14" is an instance's counter and gauge. "-" means that the instance is not shown. Each total
 * is one number, and so is the gauge CLIENTS. */
typedef struct world_reading {
    char tokens[TOKENS][TOKEN_CHARS];
} world_reading;

typedef struct world {
    prfdata_publisher *a; /* images of its file are taken while its operation runs */
    prfdata_publisher *b; /* runs all the time; NULL: there is no such process */
    char a_file[64];
    prfdata_instance x, xc, y, yc; /* instances of `a` */
} world;

/* ---- Writers ---- */

/* Both functions end all processes. world_begin() also installs the service if necessary. */
void world_begin(world *made);
void world_end(world *made);

/* Opens a process with this many slots for queues and consumers. */
prfdata_publisher *world_open(uint32_t queues, uint32_t consumers);

/* Opens `a`, and finds out the name of its file. */
void world_open_a(world *in, uint32_t queues, uint32_t consumers);

/* Removes `a` from the world. The caller ends it. */
prfdata_publisher *world_forget(world *in);

/* Removes x/c and x from `a`. */
void world_remove_all(world *in);

/* Opens `b`, in which x has counted 5 and x/c has counted 2. */
void world_prepare_b(world *in);

void world_count(prfdata_publisher *in, uint32_t counter, const prfdata_instance *instance,
                 int64_t amount);

/* Adds a queue, or a consumer of `queue`. Counts `amount`, and sets the gauge to 7. */
void world_add(prfdata_publisher *to, const wchar_t *name, const prfdata_instance *queue,
               int64_t amount, prfdata_instance *instance);

/* Installs the second version of the map, which has one more counter, or the first one again. */
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

/* Puts an image of `a` into its file. `is_owned` says whether a process owns the file. */
void world_put_image(const world *in, uint32_t number, bool is_owned);

/* Kills `a`: its file stays as in the image, without an owner, and `a` becomes NULL. */
void world_kill(world *in, uint32_t number);

/* ---- Readers ---- */

typedef struct world_stop {
    uint32_t reader_step; /* counted from 1; 0: no stop */
    uint32_t image;       /* the image that is put into the file at this step */
    bool is_owned;
} world_stop;

/* Opens a reader that uses plans if possible, or one that always merges. */
prfdata_provider *world_open_provider(bool uses_plans);

/* If `alone` is set, readers ask only for queues from now on. Otherwise they ask for everything
 * again. If readers ask only for queues, the totals of other objects are "0", and the instances of
 * other objects are "-". */
void world_ask_for_queues(bool alone);

/* Collects. At the step of each stop, puts the image of the stop. */
void world_read(const world *in, prfdata_provider *provider, const world_stop *stops,
                uint32_t stop_count, world_reading *reading);

/* Returns whether the last world_read() reached all its stops. */
bool world_met_all_stops(void);

/* Return how many steps the last world_read() had, and the name of one of them. */
uint32_t world_reader_steps(void);
const char *world_reader_step(uint32_t step);

/* An intrusion is called at a step of a reader. It may put an image, and run another Collect. */
typedef void world_intrusion(void *context);
void world_read_with(const world *in, prfdata_provider *provider, uint32_t reader_step,
                     world_intrusion *intrusion, void *context, world_reading *reading);

/* Collects, and calls the intrusion at every step with this name. */
void world_read_disturbed(const world *in, prfdata_provider *provider, const char *step,
                          world_intrusion *intrusion, void *context, world_reading *reading);

/* Collects objects of another service, and calls the intrusion at every step with this name. */
void world_ask_foreign(const world *in, prfdata_provider *provider, const char *step,
                       world_intrusion *intrusion, void *context);

/* Returns whether a reader shows the second version of the map. */
bool world_shows_second(prfdata_provider *provider);

/* Returns whether the last world_read_with() called the intrusion. At a step at which the reader
 * holds the carry's lock, the intrusion is not called. */
bool world_intruded(void);

const char *world_text(const world_reading *reading);

/*
 * Makes a reading from "x=105:7 y=- x/c=- y/c=- jobs=105 taken=0 requests=0". Missing parts are "-"
 * for instances and "0" for totals.
 */
world_reading world_expected(const char *text);

/* Returns whether each token of the reading is the token of a reading in `lawful`. */
bool world_is_lawful(const world_reading *reading, const world_reading *lawful, size_t count);

/* Returns whether a counter that both readings show is lower in the newer one. */
bool world_has_fallen(const world_reading *older, const world_reading *newer);

void world_must_not_fall(const world_reading *older, const world_reading *newer);

#endif
