/* SPDX-License-Identifier: MIT */
/*
 * Checks the bytes that a provider's Collect wrote: PERF_OBJECT_TYPEs and what follows them.
 * Stricter than decode.h, which reads whatever can be read. Every length, offset and count is a
 * claim of the provider: it is compared with what is there, in 64 bits, before it is followed. The
 * callers know which DLL wrote it, and what was asked. Portable.
 */
#ifndef PRFDATA_READER_VALIDATE_H
#define PRFDATA_READER_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/error.h>

#include "validate/findings.h"

/* A reply; the bytes are borrowed, of any alignment, and must not change meanwhile. */
typedef struct prfdata_validate_reply {
    const unsigned char *bytes;
    size_t size;
    uint32_t object_count; /* as Collect says */
} prfdata_validate_reply;

/* The title indexes of the service, as loadperf assigned them; 0: not known, not checked. */
typedef struct prfdata_validate_titles {
    uint32_t first_counter;
    uint32_t last_counter;
    uint32_t first_help;
    uint32_t last_help;
} prfdata_validate_titles;

/*
 * Check one reply by itself.
 *
 * metadata  Whether it answers MetadataGlobal or MetadataCostly.
 * findings  Gets what is wrong, with offsets from the reply's start; what it holds stays.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_structure(const prfdata_validate_reply *reply,
                                    const prfdata_validate_titles *titles, bool metadata,
                                    prfdata_findings *findings);

/*
 * Instances that were seen to be gone, by any thread: a thread that sees one again with less than
 * before knows that it went and came back meanwhile. Rarely another instance is taken for one of
 * them.
 */
typedef struct prfdata_validate_gone {
    uint64_t moment;    /* grows with each that is gone */
    uint64_t at[65536]; /* by hash: the last such moment; 0: never */
} prfdata_validate_gone;

/* The limits of a comparison: nothing is known about the time before the older reply. */
typedef struct prfdata_validate_known {
    prfdata_validate_gone *gone;
    uint64_t since; /* prfdata_validate_gone_moment() before the older one was asked for */
} prfdata_validate_known;

uint64_t prfdata_validate_gone_moment(const prfdata_validate_gone *gone);

/*
 * Check what happened from one reply to the next: definitions that changed, clocks and values that
 * went backwards. Instances are matched by names of parent and instance ignoring case; names that
 * are there twice are left out.
 *
 * A value of differences (PERF_DELTA_COUNTER, averages, their bases, time stamps) may only grow. A
 * decrease is taken for one passage of 2^32 (or 2^64) if the way forward over that border is
 * shorter than half of it: 0xFFFFFFF0 to 5 is growth by 21, 21 to 5 is a step backwards.
 *
 * known     Its `gone` gets the instances that `newer` lacks; a step backwards of one that went
 *           since then is left to another rule. NULL: nothing is known of that.
 * findings  Gets what is wrong, with offsets in `newer`; what it holds stays.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_change(const prfdata_validate_reply *older,
                                 const prfdata_validate_reply *newer,
                                 const prfdata_validate_known *known, prfdata_findings *findings);

/* How much time passed between two replies, by another clock. */
typedef struct prfdata_validate_watch {
    uint64_t least_us;        /* at least, and */
    uint64_t most_us;         /* at most */
    int64_t system_frequency; /* ticks a second of the processor's counter */
} prfdata_validate_watch;

/*
 * Check what two replies some time apart show. Do the clocks of objects run as fast as they say,
 * PerfTime against PerfFreq? Half and twice the speed are right, and so are two ticks more or less:
 * a clock of 10 Hz cannot be checked in a quarter of a second. Do the time stamps that are bases of
 * PERF_PRECISION types? Those may stand, and be eight times slower or 64 times faster: a stamp is
 * of when its value changed, and a total's the sum of many. One that is slow is right if another
 * instance's is not: its value changed early in that time only. Do hits grow faster than samples?
 *
 * findings  Gets what is wrong, with offsets in `newer`; what it holds stays.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_clock(const prfdata_validate_reply *older,
                                const prfdata_validate_reply *newer,
                                const prfdata_validate_watch *times, prfdata_findings *findings);

/*
 * Whether the reply has what takes a second to check: a stamp may count whole seconds, and samples
 * may be taken once in one.
 */
bool prfdata_validate_clock_is_slow(const prfdata_validate_reply *reply);

/*
 * Check bytes of a reply that the provider did not write: those that readers look at, and padding.
 *
 * unwritten  reply->size bytes; what is not 0 stands for a byte that was not written.
 * findings   Gets at most one of each kind, with the offset of its first byte; what it holds stays.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_validate_written(const prfdata_validate_reply *reply,
                                  const unsigned char *unwritten, prfdata_findings *findings);

#define PRFDATA_VALIDATE_UNKNOWN UINT32_MAX

/*
 * Find the next object of a reply whose chain of lengths holds so far.
 *
 * offset  0 at first; moves to the end of the object.
 * title   Set to ObjectNameTitleIndex.
 * parent  Set to the parent's title index of its first instance that has one; 0: none has;
 *         PRFDATA_VALIDATE_UNKNOWN: it has instances, but none now, or only _Total, which has no
 *         parent in any object.
 *
 * Returns false at the end.
 */
bool prfdata_validate_next_object(const prfdata_validate_reply *reply, size_t *offset,
                                  uint32_t *title, uint32_t *parent);

#endif
