/* SPDX-License-Identifier: MIT */
/*
 * Which metrics a sample has and what they are called. A counter keeps the name that it got in its
 * first sample. Where the titles of two counters make the same name, the one with the lower title
 * indexes gets it. The other name gets one more word: "accumulated" if the counter counts, or else
 * the distance of its title index from its object's. Names that the user wants (overrides.h) go
 * before all others. Knows no values.
 */
#ifndef PRFDATA_READER_METRIC_FAMILIES_H
#define PRFDATA_READER_METRIC_FAMILIES_H

#include "paths/matches.h"
#include "core/metric_part.h"
#include "prometheus/metric_name.h"
#include "prometheus/overrides.h"

/* A metric of a counter, for all of its instances. */
typedef struct prfdata_metric_family {
    uint32_t object_title;
    uint32_t counter_title;
    const prfdata_metric_part *part;
    uint64_t seen;     /* the number of the last sample that had it */
    const char *unit;  /* NULL: none */
    double factor;     /* from the counter's unit to this one */
    const char *label; /* the name of the label with the instance's name */
    char *name;
} prfdata_metric_family;

/* Where a metric stands in a sample. */
typedef struct prfdata_metric_family_item {
    uint32_t object_position;
    uint32_t counter_position;
    uint32_t object_title;
    uint32_t counter_title;
    const prfdata_metric_part *part;
    const prfdata_match *matches; /* the paths that ask for the counter; valid until the next
                                     sample */
    size_t match_count;
    const prfdata_metric_family *family; /* NULL: not shown, because: */
    bool is_duplicate;                   /* an earlier one has the same titles; else too many */
} prfdata_metric_family_item;

/* What is shown of a sample. */
typedef struct prfdata_metric_family_choice {
    const prfdata_resolver_path *paths;
    size_t path_count;                  /* 0: everything */
    bool with_requests;                 /* also metrics that are shown on request only */
    const prfdata_overrides *overrides; /* which outlive the families; NULL: none */
} prfdata_metric_family_choice;

/* {0} is empty. */
typedef struct prfdata_metric_families {
    prfdata_metric_family **families; /* by titles and part */
    char **names;                     /* of the families, in order */
    size_t family_count;
    size_t family_capacity;
    size_t name_capacity;
    uint64_t sample_number;
    prfdata_matches override_matches;  /* of the last sample: positions of overrides */
    prfdata_matches matches;           /* of the last sample */
    prfdata_metric_family_item *items; /* of the last sample, in its order */
    size_t item_count;
    size_t item_capacity;
} prfdata_metric_families;

/* Release everything. */
void prfdata_metric_families_free(prfdata_metric_families *families);

/*
 * Find the metrics of a sample.
 *
 * families  Its `items` are those of this sample afterwards, with the names of `families`.
 * choice    The same at each call.
 *
 * Returns false without memory.
 */
bool prfdata_metric_families_collect(prfdata_metric_families *families,
                                     const prfdata_sample *sample, const prfdata_titles *titles,
                                     const prfdata_metric_family_choice *choice);

#endif
