/* SPDX-License-Identifier: MIT */
/*
 * The metrics of a sample and their names: those that a map of ours declares, others made of
 * titles, and before both the names that the user wants (overrides.h). A name does not depend on
 * what the paths ask for. Where titles differ in nothing that a name shows, the one with the lower
 * title index keeps it, and each other one gets one more word, a hash of the titles, the type and
 * whether there are instances.
 */
#ifndef PRFDATA_READER_METRIC_FAMILIES_H
#define PRFDATA_READER_METRIC_FAMILIES_H

#include "metric/metric.h"
#include "paths/matches.h"
#include "prometheus/overrides.h"

/* Where a name comes from. */
typedef enum prfdata_metric_origin {
    PRFDATA_METRIC_OF_TITLES,
    PRFDATA_METRIC_OF_SYMBOL,
    PRFDATA_METRIC_DECLARED,
    PRFDATA_METRIC_OF_USER
} prfdata_metric_origin;

/* A metric of a counter, for all of its instances. */
typedef struct prfdata_metric_family {
    uint32_t object_title;
    uint32_t counter_title;
    const prfdata_metric_part *part;
    prfdata_metric_origin origin;
    bool is_settled;     /* it stood in an earlier sample: its name stays */
    bool is_overall;     /* of `_Total` alone, without labels */
    bool is_taken;       /* another one has its name, even with the hash: not shown */
    uint64_t seen;       /* the number of the last sample that had it */
    const char *unit;    /* "": none */
    double factor;       /* from the counter's unit to this one */
    const char *label;   /* the name of the label with the instance's name */
    uint32_t titles_tag; /* of titles, type, and with instances or not; for one more word */
    char *name;
} prfdata_metric_family;

/* Where a metric stands in a sample. */
typedef struct prfdata_metric_family_item {
    uint32_t object_position;
    uint32_t counter_position;
    uint32_t object_title;
    uint32_t counter_title;
    const prfdata_metric_part *part;
    const prfdata_metric *declared;              /* what its map says; NULL: it has none */
    const prfdata_metric_table_entry *histogram; /* of one; else NULL */
    bool is_overall;
    bool has_instances;
    bool is_wanted;               /* the paths ask for it */
    const prfdata_match *matches; /* the paths that ask for the counter; valid until the next
                                     sample */
    size_t match_count;
    prfdata_metric_family *family; /* NULL: not shown, because: */
    bool is_duplicate;             /* an earlier one has the same titles; else too many */
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
    prfdata_metric_family **by_name;  /* the same, by name; for settling names */
    size_t family_count;
    size_t family_capacity;
    size_t by_name_capacity;
    bool has_new; /* families whose names were not compared yet */
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
 * families  Its `items` are those of this sample afterwards, with the names of `families`,
 *           whether the paths ask for them or not.
 * choice    The same at each call.
 *
 * Returns false without memory.
 */
bool prfdata_metric_families_collect(prfdata_metric_families *families,
                                     const prfdata_sample *sample, const prfdata_titles *titles,
                                     const prfdata_metric_family_choice *choice);

#endif
