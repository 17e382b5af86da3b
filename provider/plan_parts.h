/* SPDX-License-Identifier: MIT */
/*
 * What a plan is made of. For the files plan*.c only, and planned_answer.c, which is a part of the
 * fast path: others know what prfdata_plan_put() does.
 */
#ifndef PRFDATA_PLAN_PARTS_H
#define PRFDATA_PLAN_PARTS_H

#include <prfdata/atomic.h>

#include "provider/cells.h"
#include "provider/plan.h"

typedef struct prfdata_plan_row {
    const uint64_t *cells;     /* in the view */
    const uint64_t *baselines; /* in the view; NULL: all are 0 */
    uint32_t image_offset; /* in the plan's image: of what stands before dense cells, or of all */
    uint32_t image_bytes;  /* a multiple of 8 */
} prfdata_plan_row;

/* A slot that has no row, but counts in the sums. */
typedef struct prfdata_plan_rest {
    const uint64_t *cells;
    bool is_live;
} prfdata_plan_rest;

/* The first line of a region's header: what it is, its state, and last the structure word. */
enum { PRFDATA_PLAN_HEAD_WORDS = 8, PRFDATA_PLAN_STRUCTURE = 7 };
static_assert(offsetof(prfdata_region_header, structure) ==
                  PRFDATA_PLAN_STRUCTURE * sizeof(uint64_t),
              "region-format.md: structure");

/* A region that may change. */
typedef struct prfdata_plan_source {
    uint8_t *bytes; /* the view */
    uint64_t size;
    const prfdata_attached *attached;
    uint64_t head[PRFDATA_PLAN_HEAD_WORDS]; /* up to its structure word, which is even */
    uint64_t *structure; /* atomic: a later word with which the tags were as planned; 0: none */
    bool has_brackets;   /* threads have been inside some since the region got its writer */
    bool is_live;        /* its live slots make rows */
    const prfdata_region_section *section; /* of the object */
    const uint32_t *tags;                  /* used_count of them; 0: the slot was never used */
    uint32_t used_count;
    uint32_t first_row;
    uint32_t row_count;
    uint32_t first_rest;
    uint32_t rest_count;
} prfdata_plan_source;

struct prfdata_plan {
    uint32_t references; /* under the lock of the plans */
    uint64_t generation; /* of the set */
    uint64_t raised;     /* of what is carried */
    uint32_t object_index;
    prfdata_cells cells;
    bool is_dense;       /* all values have 8 bytes and stand one after the other, to the end */
    bool is_straight;    /* and are the cells, but for baselines */
    bool has_sums;       /* a total, or no instances */
    bool is_renewable;   /* see prfdata_plan_is_renewable() */
    uint64_t seed;       /* of `names`: random, so that they cannot be chosen to collide */
    uint32_t slot_words; /* with windows: of one slot, or what is made of it; else 0 */
    size_t bytes;        /* of the object in the reply */
    uint32_t source_count;
    uint32_t row_count;
    uint32_t rest_count;
    uint32_t tag_count;
    uint32_t ended_count; /* slots of ended programs that may add to a row of their name */
    prfdata_plan_source *sources;
    prfdata_plan_row *rows;
    prfdata_plan_rest *rests;
    uint64_t *structures; /* of the sources */
    uint64_t *regions;    /* the sources' ids */
    uint32_t *tags;       /* of the sources */
    uint64_t *names;      /* if it is renewable: a hash per tag, 0: no name; then of the ended */
    uint64_t *constants;  /* of the sums: what does not come from the sources */
    uint8_t *image;       /* of the definitions, of the sums, and of the rows, in any order */
    size_t head_bytes;    /* of the definitions, complete but for the time */
    size_t total_bytes;   /* of the sums' image */
    size_t image_bytes;   /* with those of rows that are gone */
};

/* How much room the parts of a plan need. */
typedef struct prfdata_plan_room {
    uint32_t source_count;
    uint32_t row_count;
    uint32_t rest_count;
    uint32_t cell_count;
    uint32_t tag_count;
    uint32_t name_count;
    size_t image_bytes;
} prfdata_plan_room;

/* A plan with references 1 and room for all its parts, in one allocation; NULL: no memory. */
prfdata_plan *prfdata_plan_allocate(const prfdata_plan_room *room);

/*
 * Whether the rows of an object depend on no other object's, so that prfdata_plan_renew() can make
 * them alone.
 */
bool prfdata_plan_is_renewable(const prfdata_model *model, uint32_t object_index);

/* The hash of a name, or of a number, by which plans look for others of the same name; never 0. */
uint64_t prfdata_plan_name_hash(const uint16_t *name, uint32_t name_chars, int32_t unique_id,
                                uint64_t seed);

/*
 * Make a plan of what another one was made of, where some slots have changed since: their rows are
 * made, the others are taken over. The reply is the same that merging would give.
 *
 * Returns NULL if nothing has changed, if too much has or what only a merge can judge, or if memory
 * is exhausted.
 */
prfdata_plan *prfdata_plan_renew(const prfdata_plan *old);

/* prfdata_plan_is_carried(), in line. */
static inline bool prfdata_plan_knows_carried(const prfdata_plan *plan, const prfdata_carry *carry)
{
    return plan->raised == prfdata_load64_relaxed(&carry->raised[plan->object_index]);
}

/* Guarded. Whether nothing of the header has changed but, perhaps, its structure word. */
static inline bool prfdata_plan_is_header_as_planned(const prfdata_plan_source *source)
{
    const uint64_t *head = (const void *)source->bytes;
    const uint64_t *planned = source->head;

    return ((prfdata_load64_relaxed(&head[0]) ^ planned[0]) |
            (prfdata_load64_relaxed(&head[1]) ^ planned[1]) |
            (prfdata_load64_relaxed(&head[2]) ^ planned[2]) |
            (prfdata_load64_relaxed(&head[3]) ^ planned[3]) |
            (prfdata_load64_relaxed(&head[4]) ^ planned[4]) |
            (prfdata_load64_relaxed(&head[5]) ^ planned[5]) |
            (prfdata_load64_relaxed(&head[6]) ^ planned[6])) == 0;
}

/* Whether a thread has been inside a bracket since the region got its writer. */
bool prfdata_plan_snapshot_has_brackets(const prfdata_snapshot *snapshot);

/* Make a plan of one object; NULL: it cannot have one, or memory is exhausted. */
prfdata_plan *prfdata_plan_make(const prfdata_carry_shape *shape, const prfdata_region_set *set,
                                const prfdata_merge_source *sources,
                                prfdata_attached *const *origins, uint32_t source_count,
                                const prfdata_reply *reply, uint32_t object_index,
                                const uint8_t *bytes);

#endif
