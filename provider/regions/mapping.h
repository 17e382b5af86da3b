/* SPDX-License-Identifier: MIT */
/*
 * Declares a mapping: a region that this process has mapped. It exists as long as a set refers to
 * it. It caches the summary of a region without a writer (snapshot/summary.h), so that all threads
 * show the same values.
 */
#ifndef PRFDATA_MAPPING_H
#define PRFDATA_MAPPING_H

#include "region/region.h"
#include "regions/versions.h"
#include "snapshot/snapshot.h"
#include "system/os.h"

struct prfdata_regions;

typedef struct prfdata_mapping {
    uint32_t references; /* held by sets; protected by the lock of `regions` */
    prfdata_os_name name;
    /* the number in the name; it grows with the time of creation, and is unique among the regions
     * since Windows started */
    uint64_t id;
    bool is_late; /* totals were shown before this region could be read; constant */
    prfdata_known_version *version; /* the version whose hash the region has */
    prfdata_os_region view;
    prfdata_region_layout *layout;
    uint32_t is_broken; /* atomic: its view faulted, or the region became invalid */
    /* All regions of the service; constant. Their lock protects the next four fields, and all
     * references. */
    struct prfdata_regions *regions;
    /* Summary of the region without a writer; NULL: there is none. */
    prfdata_snapshot *summary;
    uint64_t summary_word;  /* the structure word when the summary was made */
    uint64_t summary_shape; /* the number of a projection; 0: the region's own shape */
    uint64_t summary_bytes; /* the bytes of the summary's slots */
    /* atomic: when a Collect last made a refresh due because the region was taken over; 0: never */
    uint64_t expired_ms;
    uint64_t owned_structure; /* atomic: the structure word when a writer was last found */
} prfdata_mapping;

/* Settings for checking files of a folder, and the result for the last file. Used by one thread. */
typedef struct prfdata_mapping_look {
    prfdata_os_directory *directory;
    const prfdata_versions *registered; /* its versions must stay until prfdata_mapping_free() */
    struct prfdata_regions *regions;    /* must stay as long as the versions */

    prfdata_mapping *mapping;
    prfdata_region_header header; /* the header that was loaded last */
    uint32_t error;               /* error of mapping the file; ERROR_SUCCESS: `verdict` is valid */
    prfdata_region_verdict verdict; /* PRFDATA_REGION_UNFINISHED if the view faulted in the check */
    bool has_faulted;
    bool is_refused; /* opening the file was refused for now: os.h, "Refusals" */
} prfdata_mapping_look;

/*
 * Maps the file of a region that has a registered map and was created since Windows started.
 * Returns NULL on failure; `look` then says why.
 */
prfdata_mapping *prfdata_mapping_make(prfdata_mapping_look *look, const prfdata_os_name *name);
void prfdata_mapping_free(prfdata_mapping *mapping);

/* Releases the summary if there is one. */
void prfdata_mapping_drop_summary(prfdata_mapping *mapping);

/* Releases a snapshot or summary of a mapping. `snapshot` may be NULL. */
void prfdata_mapping_release_snapshot(prfdata_snapshot *snapshot);

/* The system's answer to the question whether a region has a writer. */
typedef enum prfdata_mapping_writer {
    /* the call failed, the view faulted, or the structure word kept changing */
    PRFDATA_MAPPING_WRITER_UNKNOWN,
    PRFDATA_MAPPING_WRITER_NONE,
    PRFDATA_MAPPING_WRITER_LIVES,
    PRFDATA_MAPPING_IS_GONE /* its name belongs to another file or to none */
} prfdata_mapping_writer;

/*
 * Asks whether a region has a writer. If its view faults, sets is_broken. Otherwise `look` has the
 * header that belongs to the answer.
 *
 * was_owned  Whether the last answer was that the region has a writer. If so, and if the structure
 *            word is still the same, the writer counts as alive after a single refused open.
 */
prfdata_mapping_writer prfdata_mapping_ask(prfdata_mapping_look *look, prfdata_mapping *mapping,
                                           bool was_owned);

/* Loads the current header of a region. Returns false if its view faults. */
bool prfdata_mapping_load(prfdata_mapping_look *look, prfdata_mapping *mapping);

#endif
