/* SPDX-License-Identifier: MIT */
/*
 * One region that this process has mapped: whether it has a writer, and what it holds. Knows
 * nothing of the other regions of the service.
 */
#ifndef PRFDATA_ATTACHED_H
#define PRFDATA_ATTACHED_H

#include "provider/projection.h"
#include "provider/versions.h"

/* Memory for the slots of all summaries together; beyond it only sums are kept. */
#define PRFDATA_ATTACHED_MAX_SUMMARY_BYTES (64ull * 1024 * 1024)

/* What is known of the writer, from the last time that it was asked for. */
typedef enum prfdata_attached_writer {
    PRFDATA_ATTACHED_WRITER_UNKNOWN, /* shown as if there were none; its values may change */
    PRFDATA_ATTACHED_WRITER_NONE,
    PRFDATA_ATTACHED_WRITER_LIVES /* and has begun its work */
} prfdata_attached_writer;

typedef struct prfdata_attached {
    uint32_t references; /* sets that hold it; under the lock of regions.c */
    prfdata_os_name name;
    uint64_t id;   /* the random part of the name: differs between the regions of a boot */
    uint64_t seed; /* of its summary */
    bool is_late;  /* sums were shown without it before; constant */
    const prfdata_version *version; /* of the map whose hash it carries */
    uint64_t boot;                  /* of the folder's look at which it was attached */
    prfdata_os_region view;
    prfdata_region_layout *layout;
    uint32_t is_broken;   /* atomic: its view faulted, or it became invalid */
    prfdata_os_lock lock; /* of what follows, and of references to the summary */
    uint64_t asked;       /* number of the last question whose answer is below */
    uint64_t news;        /* how often that has changed */
    prfdata_attached_writer writer;
    uint64_t structure;                 /* the structure word at that time */
    prfdata_snapshot *summary;          /* of what it holds without writer; NULL: not made yet */
    const prfdata_model *summary_shape; /* NULL: the region's own */
    uint64_t summary_bytes;             /* of its slots */
    uint64_t *summaries_bytes; /* atomic, constant pointer: of all regions of the service */
} prfdata_attached;

/* What a look at a file found. */
typedef struct prfdata_attached_look {
    uint32_t error; /* of opening and mapping; ERROR_SUCCESS: `verdict` is valid */
    prfdata_region_verdict verdict;
    bool has_faulted; /* while it was checked */
} prfdata_attached_look;

/*
 * Map a file, and check that it is a region of a registered map, and of this boot.
 *
 * registered       The versions stay until prfdata_attached_free().
 * max_bytes        Of the file.
 * summaries_bytes  What summaries take, of all regions; borrowed like the model.
 * look             Gets what was found, also on failure.
 *
 * Returns NULL if it is none, or could not be read.
 */
prfdata_attached *prfdata_attached_make(prfdata_os_directory *directory,
                                        const prfdata_os_name *name,
                                        const prfdata_registered_versions *registered,
                                        uint64_t boot, uint64_t max_bytes,
                                        uint64_t *summaries_bytes, prfdata_attached_look *look);
void prfdata_attached_free(prfdata_attached *attached);

/*
 * Ask whether a region has a writer. A region that had none is believed to have one only when its
 * structure word says that a take-over is complete: until then the new writer may not have hidden
 * what the dead one showed.
 *
 * question  A number that grows; an answer to an older question changes nothing.
 * Returns false if another file has its name now, or none. Where its view faults, is_broken is set.
 */
bool prfdata_attached_ask(prfdata_attached *attached, prfdata_os_directory *directory,
                          uint64_t question);

/* What is read of a region at each refresh, where the service's health is shown. */
typedef struct prfdata_attached_sight {
    bool has_writer;
    bool is_published; /* its program has not closed its counters */
    uint64_t dropped;  /* the header's */
} prfdata_attached_sight;

/* Look at an attached region; a view that faults has published and dropped nothing. */
prfdata_attached_sight prfdata_attached_look_at(prfdata_attached *attached);

/* How often the answers have changed what is shown. */
uint64_t prfdata_attached_news(prfdata_attached *attached);

/*
 * Take a snapshot, or share the summary of a region without writer. A region that faults or has
 * become invalid is marked as broken.
 *
 * projection  Into the shape of another map, whose model stays for as long as the region is
 *             attached; NULL: the region's own.
 * wanted      One flag per object of that shape.
 * has_writer  Gets whether the region has a writer, as far as is known.
 *
 * Returns what prfdata_snapshot_take() does. Give it back with prfdata_attached_release().
 */
uint32_t prfdata_attached_snapshot(prfdata_attached *attached, const prfdata_projection *projection,
                                   const bool *wanted, prfdata_snapshot_budget *budget,
                                   bool *has_writer, prfdata_snapshot **snapshot);
void prfdata_attached_release(prfdata_attached *attached, prfdata_snapshot *snapshot);

#endif
