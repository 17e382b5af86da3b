/* SPDX-License-Identifier: MIT */
/*
 * Declares one region that this process has mapped, for as long as some set has it. member.h has
 * what a set knows of it. The summary is a cache: all that are made of one word, shape and time are
 * the same.
 */
#ifndef PRFDATA_MAPPING_H
#define PRFDATA_MAPPING_H

#include "region/region.h"
#include "regions/versions.h"
#include "snapshot/snapshot.h"
#include "system/os.h"

typedef struct prfdata_mapping {
    uint32_t references; /* sets that have it; under the lock of regions.c */
    prfdata_os_name name;
    uint64_t id;  /* the random part of the name: differs between the regions of a boot */
    bool is_late; /* sums were shown before it could be read, without it; constant */
    prfdata_version *version; /* of the map whose hash it carries */
    uint64_t boot;            /* of the folder's look at which it was attached */
    prfdata_os_region view;
    prfdata_region_layout *layout;
    uint64_t *summaries_bytes; /* atomic, constant pointer: of all regions of the service */
    uint32_t is_broken;        /* atomic: its view faulted, or it became invalid */
    prfdata_os_lock lock;      /* of the next four, and of references to summaries */
    prfdata_snapshot *summary; /* of what it held without a writer; NULL: none is made */
    uint64_t summary_word;     /* the structure word at that time */
    uint64_t summary_shape;    /* a projection's number; 0: the region's own */
    uint64_t summary_bytes;    /* of its slots */
    uint64_t expired_ms;       /* atomic: when a Collect last found it taken over; 0: never */
    uint64_t owned_structure;  /* atomic: the structure word when its writer was last found */
} prfdata_mapping;

/* How files of a folder are looked at, and what was found of the last one. Of one thread. */
typedef struct prfdata_mapping_look {
    prfdata_os_directory *directory;
    const prfdata_versions *registered; /* its versions stay until prfdata_mapping_free() */
    uint64_t boot;
    uint64_t max_bytes;        /* of a file */
    uint64_t *summaries_bytes; /* what summaries take, of all regions; borrowed like the versions */

    prfdata_mapping *mapping;       /* that is being looked at */
    prfdata_region_header header;   /* of the last region whose header was loaded */
    uint32_t error;                 /* of mapping a file; ERROR_SUCCESS: `verdict` is valid */
    prfdata_region_verdict verdict; /* UNFINISHED if it faulted */
    bool has_faulted;               /* while it was checked */
    bool is_refused;                /* for now: os.h, "Refusals" */
} prfdata_mapping_look;

/*
 * Map a file, and check that it is a region of a registered map, and of this boot. Returns NULL if
 * it is none, or could not be read: `look` has what was found.
 */
prfdata_mapping *prfdata_mapping_make(prfdata_mapping_look *look, const prfdata_os_name *name);
void prfdata_mapping_free(prfdata_mapping *mapping);

/* Free the summary: another program owns the region by now. */
void prfdata_mapping_drop_summary(prfdata_mapping *mapping);

/* Give a snapshot or summary of a mapping back; NULL is allowed. */
void prfdata_mapping_release_snapshot(prfdata_snapshot *snapshot);

/* What the system answered when it was asked for the writer of a region. */
typedef enum prfdata_mapping_writer {
    PRFDATA_MAPPING_WRITER_UNKNOWN, /* an error of this call only, or it moved all the time */
    PRFDATA_MAPPING_WRITER_NONE,
    PRFDATA_MAPPING_WRITER_LIVES,
    PRFDATA_MAPPING_IS_GONE /* another file has its name now, or none */
} prfdata_mapping_writer;

/*
 * Ask whether a region has a writer. If its view faults, is_broken is set. Otherwise `look` has the
 * header as it was at that time.
 *
 * was_owned  Whether it had a writer when it was last asked. If its structure word has not moved
 *            since, one open is enough to see that the writer lives.
 */
prfdata_mapping_writer prfdata_mapping_ask(prfdata_mapping_look *look, prfdata_mapping *mapping,
                                           bool was_owned);

/* Load the header of a region as it is now. Returns false if its view faults. */
bool prfdata_mapping_load(prfdata_mapping_look *look, prfdata_mapping *mapping);

#endif
