/* SPDX-License-Identifier: MIT */
/*
 * Checks the bytes that a provider's Collect wrote: PERF_OBJECT_TYPEs and what follows them. The
 * checks are stricter than decode.h, which reads everything that can be read. Every length, offset
 * and count is a claim of the provider. Before the code relies on a claim, it compares the claim,
 * in 64 bits, with the number of bytes that are there. Portable.
 */
#ifndef PRFDATA_READER_VALIDATE_H
#define PRFDATA_READER_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/error.h>

#include "validate/findings.h"

/* A reply. The bytes are borrowed, need no alignment, and must not change while they are
 * validated. */
typedef struct prfdata_validate_reply {
    const unsigned char *bytes;
    size_t size;
    uint32_t object_count; /* the number that Collect returned */
} prfdata_validate_reply;

/* The title indexes that loadperf has assigned to the service; 0: unknown, so not checked. */
typedef struct prfdata_validate_titles {
    uint32_t first_counter;
    uint32_t last_counter;
    uint32_t first_help;
    uint32_t last_help;
} prfdata_validate_titles;

/*
 * Check one reply by itself.
 *
 * metadata  Whether the reply answers a metadata query, such as MetadataGlobal.
 * findings  Gets findings, with offsets from the reply's start. Earlier findings stay.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_structure(const prfdata_validate_reply *reply,
                                    const prfdata_validate_titles *titles, bool metadata,
                                    prfdata_findings *findings);

/*
 * Records instances that some thread has found missing. Another thread may see only that a value of
 * such an instance decreased between two replies. The record shows that the instance disappeared
 * and came back in between. Instances are recorded by a hash, so one instance may rarely be taken
 * for another.
 */
typedef struct prfdata_validate_gone {
    uint64_t moment;    /* grows with each missing instance */
    uint64_t at[65536]; /* by hash: the last moment when the instance was missing; 0: never */
} prfdata_validate_gone;

typedef struct prfdata_validate_known {
    prfdata_validate_gone *gone;
    uint64_t since; /* prfdata_validate_gone_moment() before the older reply was asked for */
} prfdata_validate_known;

uint64_t prfdata_validate_gone_moment(const prfdata_validate_gone *gone);

/*
 * Check the changes from one reply to the next: changed definitions and frequencies, and clocks and
 * values that went backwards. Instances are matched by the names and UniqueIDs of parent and
 * instance, ignoring case. Instances of a reply that cannot be told apart in this way are left out.
 *
 * If readers compute the difference of a counter's values (PERF_DELTA_COUNTER, averages, their
 * bases, time stamps), the value may only grow. A value that decreased may have wrapped at 2^32 (or
 * 2^64). It counts as wrapped if it would have grown by less than half of 2^32 (or 2^64). For
 * example, from 0xFFFFFFF0 to 5 is growth by 21, but from 21 to 5 is a step backwards.
 *
 * known     Its `gone` gets the instances that `newer` lacks. If an instance was missing after the
 *           older reply was asked for, its step backwards breaks INSTANCE_RESTARTED instead of
 *           VALUE_BACKWARDS. NULL: it is unknown whether instances were missing.
 * findings  Gets findings, with offsets in `newer`. Earlier findings stay.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_change(const prfdata_validate_reply *older,
                                 const prfdata_validate_reply *newer,
                                 const prfdata_validate_known *known, prfdata_findings *findings);

/* The time between two replies, as the caller measured it: from least_us to most_us. */
typedef struct prfdata_validate_watch {
    uint64_t least_us;
    uint64_t most_us;
    int64_t system_frequency; /* ticks per second of the processor's counter */
} prfdata_validate_watch;

/*
 * Check clocks and values of two replies by the time that passed between the replies.
 *
 * PerfTime of an object must grow by PerfFreq in a second. Half of this speed to twice this speed
 * is accepted, and in addition a difference of two ticks.
 *
 * A time stamp that is the base of a PERF_PRECISION type must not grow more than 64 times as fast
 * as its clock. If stamps of a counter grow, at least one of them must grow at least an eighth as
 * fast as its clock. Stamps and timers of _Total are not checked.
 *
 * A timer must not grow more than 64 times as fast as its clock. The hits of a PERF_SAMPLE_FRACTION
 * must not grow much faster than its samples. The base of an average must grow if its value does.
 * The value of PERF_ELAPSED_TIME is the time of a start, so it must not grow as fast as a clock.
 *
 * findings  Gets findings, with offsets in `newer`. Earlier findings stay.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_clock(const prfdata_validate_reply *older,
                                const prfdata_validate_reply *newer,
                                const prfdata_validate_watch *times, prfdata_findings *findings);

/*
 * Returns whether the reply has a counter that can only be checked after a second. Time stamps and
 * elapsed times may count whole seconds. For averages and sample fractions, a provider may take
 * samples once a second. Also returns false if there is no memory to read the reply.
 */
bool prfdata_validate_clock_is_slow(const prfdata_validate_reply *reply);

/*
 * Find bytes of a reply that the provider did not write, both bytes that readers read and padding.
 *
 * unwritten  reply->size bytes. A byte that is not 0 means that the reply's byte at the same offset
 *            was not written.
 * findings   Gets at most one finding for each of the two kinds of bytes, with the offset of the
 *            first such byte. Earlier findings stay.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_written(const prfdata_validate_reply *reply,
                                  const unsigned char *unwritten, prfdata_findings *findings);

#define PRFDATA_VALIDATE_UNKNOWN UINT32_MAX

/*
 * Find the next object of a reply. The lengths of the objects before it must be valid.
 *
 * offset  0 at first; moves to the end of the object.
 * title   Set to ObjectNameTitleIndex.
 * parent  Set to ParentObjectTitleIndex of the first instance with a parent; 0: no instance has a
 *         parent; PRFDATA_VALIDATE_UNKNOWN: there are no instances now, or only _Total, which has
 *         no parent in any object.
 *
 * Returns false at the end, or if the object's length is invalid.
 */
bool prfdata_validate_next_object(const prfdata_validate_reply *reply, size_t *offset,
                                  uint32_t *title, uint32_t *parent);

#endif
