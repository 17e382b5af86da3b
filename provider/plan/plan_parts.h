/* SPDX-License-Identifier: MIT */
/*
 * Declares the parts of a plan, for the files plan_*.c only. All others use plan.h.
 *
 *   reply:  definitions | row 0: instance, cells | row 1: instance, cells | ... | total
 *   image:  definitions | total | row 0: instance | row 1: instance | ...
 *
 * The rows are written region by region. Each row is written from its part of the image and from
 * the cells in the view. If the values are not dense (`is_dense`), a row's part of the image
 * includes the counter block, and the values are written into the copied block.
 */
#ifndef PRFDATA_PLAN_PARTS_H
#define PRFDATA_PLAN_PARTS_H

#include "plan/plan.h"
#include "snapshot/cells.h"

typedef struct prfdata_plan_row {
    const uint64_t *cells;     /* in the view */
    const uint64_t *baselines; /* in the view; NULL: all are 0 */
    uint32_t image_offset;
    uint32_t image_bytes; /* a multiple of 8 */
} prfdata_plan_row;

/*
 * The size of the first cache line of a region's header, in words of 8 bytes. The line identifies
 * the region, has its state, and ends with the structure word.
 */
enum { PRFDATA_PLAN_HEAD_WORDS = 8 };

/* A region that may change. */
typedef struct prfdata_plan_region {
    uint8_t *bytes; /* the view */
    uint64_t size;
    uint64_t head[PRFDATA_PLAN_HEAD_WORDS]; /* as it was in the merge; its structure word is even */
    bool has_brackets; /* threads have been inside brackets since the region got its writer */
    const prfdata_region_section *section;
    const prfdata_plan_row *rows;   /* row_count entries of the plan's `rows` */
    const uint64_t *const *rowless; /* rowless_count entries of the plan's `rowless` */
    uint32_t row_count;
    uint32_t rowless_count;
    uint32_t live_rowless_count; /* live slots, first in `rowless`; the others add no gauges */
} prfdata_plan_region;

struct prfdata_plan {
    uint32_t references;
    prfdata_carry *carry;
    uint64_t number;          /* number of the basis that was merged */
    uint64_t installation;    /* number of the installation of that basis */
    uint64_t carried_version; /* the carry's `carried_version` for the object */
    uint32_t object_index;
    const prfdata_model_object *object;
    bool is_dense;    /* all values have 8 bytes, in the order of the cells, without gaps */
    bool is_straight; /* is_dense, and the values of a row without baselines are its cells */
    bool has_totals;  /* prfdata_merge_has_totals() */
    bool has_brackets;
    /* the length of a scratch array; 0: none is needed, because rows are copied from the view */
    uint32_t slot_words;
    size_t bytes; /* size of the object in the reply */
    uint32_t region_count;
    uint32_t row_count;
    prfdata_plan_region *regions;
    prfdata_plan_row *rows;
    /* These three are used for totals only. */
    const uint64_t **rowless; /* the cells, in the views, of slots that have no row */
    uint64_t *region_ids;     /* for the carry */
    uint64_t *constants;      /* the part of the totals that does not come from views */
    uint8_t *image;
    size_t definitions_bytes; /* size of the definitions, which are complete except for the time */
    size_t total_bytes;       /* size of the total's image */
};

#endif
