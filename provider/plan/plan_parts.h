/* SPDX-License-Identifier: MIT */
/*
 * What a plan is made of. For the files plan_*.c only: others know what plan.h says.
 *
 *     reply:  definitions | row 0: instance, cells | row 1: instance, cells | ... | total
 *     image:  definitions | total | row 0: instance | row 1: instance | ...
 *
 * A reply is put from its beginning to its end: definitions from the image, then region by region
 * the rows, each from its part of the image and from the cells in the view, and the total last. A
 * row has no place of its own in the reply. Where values are not dense, a row's part of the image
 * includes its counter block, and the values are put over it.
 */
#ifndef PRFDATA_PLAN_PARTS_H
#define PRFDATA_PLAN_PARTS_H

#include "plan/plan.h"
#include "snapshot/cells.h"

typedef struct prfdata_plan_row {
    const uint64_t *cells;     /* in the view */
    const uint64_t *baselines; /* in the view; NULL: all are 0 */
    uint32_t image_offset; /* in the plan's image: of what stands before dense cells, or of all */
    uint32_t image_bytes;  /* a multiple of 8 */
} prfdata_plan_row;

/* The first line of a region's header: what it is, its state, and last the structure word. */
enum { PRFDATA_PLAN_HEAD_WORDS = 8 };

/* A region that may change. */
typedef struct prfdata_plan_region {
    uint8_t *bytes; /* the view */
    uint64_t size;
    uint64_t head[PRFDATA_PLAN_HEAD_WORDS]; /* as it was in the merge; its structure word is even */
    bool has_brackets; /* threads have been inside some since the region got its writer */
    const prfdata_region_section *section; /* of the object */
    const prfdata_plan_row *rows;          /* row_count of the plan's */
    const uint64_t *const *rests;          /* rest_count of the plan's */
    uint32_t row_count;
    uint32_t rest_count;
    uint32_t live_rest_count; /* which come first: their gauges count */
} prfdata_plan_region;

struct prfdata_plan {
    uint32_t references;
    prfdata_regions *all_regions; /* of the service */
    uint64_t generation;          /* of the set of regions */
    uint64_t installation;        /* its number */
    uint64_t carried_changes;     /* of the object, in the carry */
    uint32_t object_index;
    const prfdata_model_object *object;
    bool is_dense;       /* all values have 8 bytes and stand one after the other, to the end */
    bool is_straight;    /* and are the cells, but for baselines */
    bool has_totals;     /* prfdata_merge_has_totals() */
    bool has_brackets;   /* some region has */
    uint32_t slot_words; /* that are read of one slot, or made of it; 0: of none is anything made */
    size_t bytes;        /* of the object in the reply */
    uint32_t region_count;
    uint32_t row_count;
    uint32_t rest_count;
    prfdata_plan_region *regions;
    prfdata_plan_row *rows;
    /* For totals only: the cells, in the view, of slots that count in them and have no row; the
     * regions' ids, for the carry; and what does not come from these regions. */
    const uint64_t **rests;
    uint64_t *region_ids;
    uint64_t *constants;
    uint8_t *image;           /* as drawn above */
    size_t definitions_bytes; /* of the definitions, complete but for the time */
    size_t total_bytes;       /* of the image of the total */
};

#endif
