/* SPDX-License-Identifier: MIT */
/* Declares programs with many kinds of counters, and two readers that collect after each change.
 * Only one reader uses plans. Both readers begin at the same time, so both remember the same
 * counts. */
#ifndef PRFDATA_TESTS_PLAN_WORLD_H
#define PRFDATA_TESTS_PLAN_WORLD_H

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/sample_map.h"

enum {
    FIRST_COUNTER = 9700,
    LINES_TITLE = 9716,
    HEATS_TITLE = 9732,
    FURNACE_TITLE = 9738,
    PORTS_TITLE = 9742
};
enum { ROOM = 1 << 16, MOST_PROGRAMS = 4, NAMES = 6 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, CONSUMER_ID = 300, TAKEN_ID, BUSY_ID = 201 };
enum {
    LINES_ID = 500,
    SENT_ID,
    LOST_ID,
    KEPT_ID,
    MORE_ID = 510,
    PEAKS_ID = 600,
    DONE_ID,
    MOST_ID,
    OPEN_ID
};
enum { HEATS_ID = 650, WARM_ID, COLD_ID, FURNACE_ID = 660, BURNT_ID, HEALTH_ID = 700 };

enum { PORTS_ID = 670, TIME_ID, P50_ID, SEEN_ID, WORK_ID = 680, WORK_TIME_ID, WORK_MOST_ID };
enum { SPANS_ID = 690, BEGUN_ID, FIRST_ID };
enum { WIDE_ID = 1000, MOST_WIDE = 590 };
enum { QUARTER_MINUTE = 59 /* units of 256 ms */ };

typedef struct plan_program {
    prfdata_publisher *publisher; /* NULL: the program has ended */
    const prfdata_map *map;
    /* Number of the program's own small capacities; 0: it has those of the map. */
    size_t capacity_count;
    prfdata_instance queues[NAMES];
    prfdata_instance consumers[NAMES];
    prfdata_instance lines[NAMES];
    prfdata_instance peaks[NAMES];
    prfdata_instance heats[NAMES];
    prfdata_instance ports[NAMES];
    prfdata_instance spans[NAMES];
} plan_program;

/* The map that is installed and that programs publish. */
extern sample_map plan_world_map;
extern prfdata_provider *plan_world_reader;  /* the reader with plans: `provider` of provided.h */
extern prfdata_provider *plan_world_merging; /* without plans */
extern plan_program plan_world_programs[MOST_PROGRAMS];
extern unsigned char plan_world_rooms[2][ROOM]; /* the last replies of the two readers */
extern uint32_t plan_world_now;                 /* prfdata_distribution_time() returns this */
/* Number of counters of one more object, which has a total; 0: there is no such object. */
extern uint32_t plan_world_wide;

/* Installs the map, with or without the health of the service, and opens both readers. */
void plan_world_begin(bool has_health);

/* Closes both readers, ends all programs and uninstalls the map. */
void plan_world_end(void);

/* Installs the second version of the map, or the first one again. Programs that begin later use
 * it. */
void plan_world_upgrade(bool to_second);

/* Returns a version of the map. Call it after plan_world_begin(). */
const prfdata_map *plan_world_version(bool is_second);

/* ---- Comparing ---- */

uint32_t plan_world_collect(prfdata_provider *reader, const uint16_t *query, unsigned char *bytes,
                            uint32_t *size, uint32_t *objects);

/* Collects with both readers. Only the times in the two replies may differ. If something else
 * differs, the test fails with a message that has `when`.
 *
 * text  The query.
 * room  The size of the readers' buffers in bytes. */
void plan_world_compare(const char *text, uint32_t room, const char *when);

/* Calls plan_world_compare() `times` times with "Global". The first Collect after a change merges
 * and makes a plan. The next Collect uses that plan. */
void plan_world_look(const char *when, uint32_t times);

/* Returns how many answers came from plans. */
uint64_t plan_world_planned(void);

/* Sets the time stamps of all objects to 0. */
void plan_world_mask_times(unsigned char *bytes, uint32_t size);

/* ---- Programs ---- */

void plan_world_seed(uint32_t seed);
uint32_t plan_world_random(uint32_t below);

/* Returns one of NAMES different names. */
const wchar_t *plan_world_name(uint32_t index);

/* Starts a program, at random with few slots or with those of the map. It may take over the region
 * of an ended program. */
void plan_world_start(plan_program *in);
void plan_world_start_wide(plan_program *in);

/* Closes the program's publisher and opens another one. The process keeps its region, but the
 * program's instances end. */
void plan_world_reopen(plan_program *in);
void plan_world_stop(plan_program *in);

/* Counts in every counter that the program has. In objects with instances, counts in a random
 * instance. */
void plan_world_count_some(const plan_program *in);
void plan_world_count(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                      int64_t amount);
void plan_world_record(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                       uint64_t value);

#endif
