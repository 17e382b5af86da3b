/* SPDX-License-Identifier: MIT */
/*
 * Finds the metrics of a sample and their names. Names come from the user (overrides.h), otherwise
 * from the map of one of PrfData's services, otherwise from titles. A name does not depend on which
 * paths are asked for.
 *
 * If several counters have the same name, the first of these keeps it:
 * - the counter that had the name in an earlier sample;
 * - a counter whose name the user gave;
 * - a counter whose name a map declares;
 * - a counter whose name is made from a symbol in a map;
 * - the counter with the lowest title indexes.
 * The names of the others get one more word, a hash. It depends on the titles, on the type, and on
 * whether there are instances.
 */
#ifndef PRFDATA_READER_METRIC_FAMILIES_H
#define PRFDATA_READER_METRIC_FAMILIES_H

#include "metric/metric.h"
#include "paths/matches.h"
#include "prometheus/overrides.h"

/* The origin of a name. */
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
    bool is_settled;     /* the family was in an earlier sample, so its name stays */
    bool is_overall;     /* for `_Total` only, without labels */
    bool is_taken;       /* another family has the same name and keeps it, so this family is not
                            shown */
    uint64_t seen;       /* number of the last sample that had the family */
    const char *unit;    /* "": no unit */
    double factor;       /* converts values from the counter's unit to `unit` */
    const char *label;   /* name of the label that contains the instance's name */
    uint32_t titles_tag; /* hash of titles, type, and whether there are instances */
    char *name;
} prfdata_metric_family;

/* The place of a metric in a sample. */
typedef struct prfdata_metric_family_item {
    uint32_t object_position;
    uint32_t counter_position;
    uint32_t object_title;
    uint32_t counter_title;
    const prfdata_metric_part *part;
    const prfdata_metric *declared;              /* the metric in the counter's map; NULL: none */
    const prfdata_metric_table_entry *histogram; /* NULL: the item is no histogram */
    uint32_t histogram_title; /* title of the counter whose histogram also has the values of this
                                 counter; 0: none */
    bool is_in_histogram;     /* the paths ask for this counter and for the histogram that has its
                                 values, so only the histogram is shown */
    bool is_overall;
    bool has_instances;
    bool is_wanted;               /* the paths ask for the counter, and is_in_histogram is false */
    const prfdata_match *matches; /* paths that ask for the counter; valid until the next sample */
    size_t match_count;
    prfdata_metric_family *family; /* NULL: not shown, because the item is a duplicate, or because
                                      there are too many families */
    bool is_duplicate;             /* an earlier counter of the sample has the same metric */
} prfdata_metric_family_item;

/* Says which metrics of a sample are shown. */
typedef struct prfdata_metric_family_choice {
    const prfdata_resolver_path *paths;
    size_t path_count;                  /* if this and bad_path_count are 0, show everything */
    size_t bad_path_count;              /* number of paths that can find nothing; not in `paths` */
    bool with_parts;                    /* also show the parts of fractions and histograms */
    const prfdata_overrides *overrides; /* must outlive the families; NULL: none */
} prfdata_metric_family_choice;

/* {0} is empty. */
typedef struct prfdata_metric_families {
    prfdata_metric_family **families; /* sorted by titles and part */
    prfdata_metric_family **by_name;  /* the same families, sorted by name */
    size_t family_count;
    size_t sorted_count; /* number of sorted families; new families are added after them */
    size_t family_capacity;
    size_t by_name_capacity;
    bool has_new; /* the names of some families were not compared yet */
    uint64_t sample_number;
    prfdata_matches override_matches;  /* matches of the overrides in the last sample */
    prfdata_matches matches;           /* matches of the paths in the last sample */
    prfdata_metric_family_item *items; /* items of the last sample, in its order */
    size_t item_count;
    size_t item_capacity;
} prfdata_metric_families;

void prfdata_metric_families_free(prfdata_metric_families *families);

/*
 * Find the metrics of a sample.
 *
 * families  Its `items` become the metrics of this sample, including metrics that no path asks for.
 * choice    Must be the same at each call.
 *
 * Returns false without memory.
 */
bool prfdata_metric_families_collect(prfdata_metric_families *families,
                                     const prfdata_sample *sample, const prfdata_titles *titles,
                                     const prfdata_metric_family_choice *choice);

/*
 * Find the histogram that has the values of an item.
 *
 * items  `count` items, in any order, among them all items of the item's object.
 *
 * Returns NULL if there is none.
 */
const prfdata_metric_family_item *
prfdata_metric_families_histogram(const prfdata_metric_family_item *items, size_t count,
                                  const prfdata_metric_family_item *item);

#endif
