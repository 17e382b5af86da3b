/* SPDX-License-Identifier: MIT */
/* Finds out why the table has no rows, and what a search for all objects has found, so that the
 * window can tell the user. */
#ifndef PRFDATA_READER_EMPTINESS_H
#define PRFDATA_READER_EMPTINESS_H

#include "viewer/viewer.h"

typedef enum prfdata_emptiness {
    PRFDATA_EMPTINESS_NONE,         /* the table has rows, or may have some with the next sample */
    PRFDATA_EMPTINESS_NOTHING_OPEN, /* neither a file nor a computer is open */
    PRFDATA_EMPTINESS_READING,      /* names are being read */
    PRFDATA_EMPTINESS_CHOICE,       /* no object is chosen */
    PRFDATA_EMPTINESS_NO_SERVICES,  /* no object is chosen, and this computer has no counters of
                                       PrfData */
    PRFDATA_EMPTINESS_NO_OBJECTS,   /* no object is chosen, and no object is known */
    PRFDATA_EMPTINESS_FILE,         /* the file contains no objects */
    PRFDATA_EMPTINESS_SILENT,       /* the object's provider does not answer */
    PRFDATA_EMPTINESS_ABSENT,       /* the object is not available */
    PRFDATA_EMPTINESS_NO_PROGRAM,   /* live: an object of a service of PrfData has no instances */
    PRFDATA_EMPTINESS_NO_INSTANCES  /* any other object has no instances */
} prfdata_emptiness;

/*
 * Return why the table has no rows.
 * is_live  A computer is read; otherwise a file is shown, or nothing.
 */
prfdata_emptiness prfdata_emptiness_of(const prfdata_viewer *viewer, bool is_live);

/* A search for all objects. */
typedef struct prfdata_object_search {
    uint32_t known;  /* number of objects that were known before */
    bool has_failed; /* a provider did not answer or has crashed, and a message says so */
} prfdata_object_search;

void prfdata_object_search_begin(prfdata_object_search *search, const prfdata_viewer *viewer);

/*
 * End the search.
 *
 * all    Gets the number of all objects.
 * added  Gets how many of them were not known before.
 *
 * Returns whether to tell the user these numbers. Returns false if a provider failed, because the
 * message about the failure is more important.
 */
bool prfdata_object_search_end(prfdata_object_search *search, const prfdata_viewer *viewer,
                               uint32_t *all, uint32_t *added);

#endif
