/* SPDX-License-Identifier: MIT */
/*
 * Plans. Offsets, names and sizes are private copies; from a view only cells and the header's words
 * are read, under its guard. Knows the layout of a reply from what was written once, not how it is
 * rendered.
 */
#include "provider/plan.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"
#include "core/fnv.h"
#include "core/names.h"
#include "core/perf_wire.h"
#include "provider/cells.h"

/* What instances that are added during a Collect may take; more have no time to come. */
#define ROOM_TO_GROW 4096

/* ---- What a plan is ---- */

struct plan_row {
    const uint64_t *cells;     /* in the view */
    const uint64_t *baselines; /* in the view; NULL: all are 0 */
    uint32_t image_offset; /* in the plan's image: of what stands before dense cells, or of all */
    uint32_t image_bytes;  /* a multiple of 8 */
};

/* A slot that has no row, but counts in the sums. */
struct plan_rest {
    const uint64_t *cells;
    bool is_live;
};

/* The first line of a region's header: what it is, its state, and last the structure word. */
enum { PLAN_HEAD_WORDS = 8, PLAN_STRUCTURE = 7 };
static_assert(offsetof(prfdata_region_header, structure) == PLAN_STRUCTURE * sizeof(uint64_t),
              "region-format.md: structure");

/* A region that may change. */
struct plan_source {
    const prfdata_attached *attached;
    uint64_t head[PLAN_HEAD_WORDS]; /* of the region, up to its structure word, which is even */
    uint32_t first_row;
    uint32_t row_count;
    uint32_t first_rest;
    uint32_t rest_count;
};

typedef struct prfdata_plan {
    uint32_t references; /* under the lock of the plans */
    uint64_t generation; /* of the set */
    uint64_t raised;     /* of what is carried */
    uint32_t object_index;
    prfdata_cells cells;
    bool is_dense;    /* all values have 8 bytes and stand one after the other, to the end */
    bool is_straight; /* and are the cells, but for baselines */
    bool has_sums;    /* a total, or no instances */
    int32_t instance_count;
    size_t bytes; /* of the object in the reply */
    uint32_t source_count;
    struct plan_source *sources;
    struct plan_row *rows;
    struct plan_rest *rests;
    uint64_t *constants; /* of the sums: what does not come from the sources */
    uint8_t *image;      /* of the rows, and of the sums at its end */
    size_t image_bytes;
    size_t total_bytes; /* of the sums' image */
} prfdata_plan;

/* ---- Keeping ---- */

static void release_plan(prfdata_plans *plans, prfdata_plan *plan)
{
    bool is_last;

    if (!plan)
        return;
    prfdata_os_lock_enter(&plans->lock);
    is_last = --plan->references == 0;
    prfdata_os_lock_leave(&plans->lock);
    if (is_last)
        free(plan); /* with all its parts */
}

void prfdata_plans_done(prfdata_plans *plans)
{
    for (uint32_t i = 0; i < plans->object_count; i++)
        release_plan(plans, plans->plans[i]);
    free(plans->plans);
    free(plans->signs);
    plans->plans = NULL;
    plans->signs = NULL;
    plans->object_count = 0;
}

/* The plan of an object with a reference for the caller, if it is valid for what is shown now. */
static prfdata_plan *acquire_plan(prfdata_plans *plans, uint64_t number, uint32_t object_index,
                                  const prfdata_region_set *set, const prfdata_carry *carry)
{
    prfdata_plan *plan = NULL;

    prfdata_os_lock_enter(&plans->lock);
    if (plans->number == number && object_index < plans->object_count)
        plan = plans->plans[object_index];
    if (plan && (plan->generation != set->generation ||
                 plan->raised != prfdata_load64_relaxed(&carry->raised[object_index])))
        plan = NULL;
    if (plan)
        plan->references++;
    prfdata_os_lock_leave(&plans->lock);
    return plan;
}

/* ---- Gathering ---- */

/* What the gather of one source works on. */
struct gathering {
    const prfdata_plan *plan;
    const struct plan_source *source;
    uint8_t *at;    /* where the next row goes */
    uint64_t *sums; /* of the source */
    bool is_steady;
};

/* Images are short, and their sizes multiples of 8: no call of memcpy, which looks at both first.
 */
static inline uint8_t *put_image(uint8_t *at, const uint8_t *image, uint32_t bytes)
{
    uint32_t i = 0;

    for (; i + 16 <= bytes; i += 16)
        memcpy(at + i, image + i, 16);
    if (i < bytes)
        memcpy(at + i, image + i, 8);
    return at + bytes;
}

/* One cell of a dense row. `baselines` and `sums` may be NULL, which compilers see. */
static inline void put_cell(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                            uint64_t *sums, uint32_t i)
{
    uint64_t value = prfdata_load64_relaxed(&cells[i]);

    if (sums)
        sums[i] += value;
    if (baselines)
        value -= prfdata_load64_relaxed(&baselines[i]);
    memcpy(at + 8 * (size_t)i, &value, sizeof value);
}

static inline uint8_t *put_cells(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                                 uint64_t *sums, uint32_t count)
{
    uint32_t i = 0;

    for (; i + 4 <= count; i += 4) {
        put_cell(at, cells, baselines, sums, i);
        put_cell(at, cells, baselines, sums, i + 1);
        put_cell(at, cells, baselines, sums, i + 2);
        put_cell(at, cells, baselines, sums, i + 3);
    }
    for (; i < count; i++)
        put_cell(at, cells, baselines, sums, i);
    return at + 8 * (size_t)count;
}

/* Put values into a counter block that is there already. */
static void put_values(const prfdata_model_object *object, const uint64_t *values, uint8_t *block)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->value_bytes == sizeof(uint64_t))
            memcpy(block + counter->block_offset, &values[counter->cell_index], sizeof(uint64_t));
        else if (counter->value_bytes == sizeof(uint32_t))
            memcpy(block + counter->block_offset, &values[counter->cell_index], sizeof(uint32_t));
    }
}

static void load_cells(const uint64_t *shared, uint32_t count, uint64_t *cells)
{
    for (uint32_t i = 0; i < count; i++)
        cells[i] = prfdata_load64_relaxed(&shared[i]);
}

/* A row as the merge makes it of a single live source: any type, any kind of merging. */
static uint8_t *put_merged_row(const struct gathering *gathering, const struct plan_row *row,
                               uint8_t *at)
{
    const prfdata_plan *plan = gathering->plan;
    const prfdata_model_object *object = plan->cells.object;
    uint64_t cells[PRFDATA_MAX_COUNTERS];
    uint64_t baselines[PRFDATA_MAX_COUNTERS];
    uint64_t values[PRFDATA_MAX_COUNTERS];

    load_cells(row->cells, object->cell_count, cells);
    if (row->baselines)
        load_cells(row->baselines, object->cell_count, baselines);
    prfdata_cells_clear(&plan->cells, values);
    prfdata_cells_add(&plan->cells, cells, row->baselines ? baselines : NULL, true, values);
    prfdata_cells_finish(&plan->cells, values);
    if (plan->has_sums)
        prfdata_cells_add(&plan->cells, cells, NULL, true, gathering->sums);
    if (plan->is_dense) {
        memcpy(at, values, object->cell_count * sizeof values[0]);
        return at + object->cell_count * sizeof values[0];
    }
    put_values(object, values, at - object->block_bytes);
    return at;
}

/* Rows whose values are their cells, but for baselines where all cells accumulate. */
static void gather_straight(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t count = plan->cells.object->cell_count;
    const struct plan_row *row = plan->rows + gathering->source->first_row;
    const struct plan_row *end = row + gathering->source->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines && !plan->cells.only_accumulate)
            at = put_merged_row(gathering, row, at);
        else if (row->baselines)
            at = put_cells(at, row->cells, row->baselines, NULL, count);
        else
            at = put_cells(at, row->cells, NULL, NULL, count);
    }
    gathering->at = at;
}

/* The same where all cells accumulate and there is a sum of them. */
static void gather_straight_and_add(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t count = plan->cells.object->cell_count;
    const struct plan_row *row = plan->rows + gathering->source->first_row;
    const struct plan_row *end = row + gathering->source->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines)
            at = put_cells(at, row->cells, row->baselines, gathering->sums, count);
        else
            at = put_cells(at, row->cells, NULL, gathering->sums, count);
    }
    gathering->at = at;
}

static void gather_merged(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint8_t *at = gathering->at;

    for (uint32_t i = 0; i < gathering->source->row_count; i++) {
        const struct plan_row *row = &plan->rows[gathering->source->first_row + i];

        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        at = put_merged_row(gathering, row, at);
    }
    gathering->at = at;
}

/* Slots without a row count in the sums. */
static void add_rests(const struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint64_t cells[PRFDATA_MAX_COUNTERS];

    for (uint32_t i = 0; i < gathering->source->rest_count; i++) {
        const struct plan_rest *rest = &plan->rests[gathering->source->first_rest + i];

        load_cells(rest->cells, plan->cells.object->cell_count, cells);
        prfdata_cells_add(&plan->cells, cells, NULL, rest->is_live, gathering->sums);
    }
}

/* Whether nothing of the header has changed: slots, state, brackets, instances that were dropped.
 */
static bool is_as_planned(const struct plan_source *source)
{
    const uint64_t *head = (const void *)source->attached->view.bytes;
    uint64_t changes = prfdata_load64_acquire(&head[PLAN_STRUCTURE]) ^ source->head[PLAN_STRUCTURE];

    for (uint32_t i = 0; i < PLAN_STRUCTURE; i++)
        changes |= prfdata_load64_relaxed(&head[i]) ^ source->head[i];
    return changes == 0;
}

/* Guarded. */
static void gather_source(void *context)
{
    struct gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    if (!is_as_planned(gathering->source))
        return;
    PRFDATA_CRASH_POINT("R: planned");
    if (plan->has_sums)
        prfdata_cells_clear(&plan->cells, gathering->sums);
    if (!plan->is_straight)
        gather_merged(gathering);
    else if (plan->has_sums)
        gather_straight_and_add(gathering);
    else
        gather_straight(gathering);
    if (plan->has_sums)
        add_rests(gathering);
    PRFDATA_CRASH_POINT("R: gathered");
    prfdata_fence_acquire();
    gathering->is_steady = is_as_planned(gathering->source);
}

/* ---- Writing ---- */

/* Put the sums, after all sources were added. */
static void put_sums(const prfdata_plan *plan, uint64_t *totals, uint8_t *at)
{
    const prfdata_model_object *object = plan->cells.object;

    prfdata_cells_add(&plan->cells, plan->constants, NULL, true, totals);
    prfdata_cells_finish(&plan->cells, totals);
    (void)put_image(at, plan->image + plan->image_bytes - plan->total_bytes,
                    (uint32_t)plan->total_bytes);
    put_values(object, totals, at + plan->total_bytes - object->block_bytes);
}

/*
 * Gather the rows of all sources, and their sums. Returns ERROR_NOT_FOUND if a source is not as
 * planned, or what prfdata_carry_record_sums() does.
 */
static uint32_t put_sources(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                            prfdata_carry *carry, uint64_t *totals, uint8_t **at)
{
    uint64_t sums[PRFDATA_MAX_COUNTERS];
    uint32_t error = ERROR_SUCCESS;

    for (uint32_t i = 0; i < plan->source_count && !error; i++) {
        struct gathering gathering = {plan, &plan->sources[i], *at, sums, false};

        if (!prfdata_os_guarded(&plan->sources[i].attached->view, gather_source, &gathering) ||
            !gathering.is_steady)
            return ERROR_NOT_FOUND;
        *at = gathering.at;
        if (!plan->has_sums)
            continue;
        error = prfdata_carry_record_sums(carry, shape, plan->object_index,
                                          plan->sources[i].attached->id, sums);
        prfdata_cells_add(&plan->cells, sums, NULL, true, totals);
    }
    return error;
}

/* Put one object, without its time. Returns what put_sources() does. */
static uint32_t put_planned_object(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                                   const prfdata_template *template, prfdata_carry *carry,
                                   prfdata_perf_block *block)
{
    uint64_t totals[PRFDATA_MAX_COUNTERS];
    const size_t offset = prfdata_template_put(template, plan->object_index, 0, 0, block);
    uint8_t *at = block->bytes + block->used;
    uint32_t error;

    if (plan->has_sums)
        prfdata_cells_clear(&plan->cells, totals);
    error = put_sources(plan, shape, carry, totals, &at);
    if (error)
        return error;
    if (plan->has_sums)
        put_sums(plan, totals, at);
    block->used = offset + plan->bytes;
    prfdata_template_finish(block, offset, plan->instance_count);
    return ERROR_SUCCESS;
}

/* The plans of the wanted objects, each with a reference. Returns false if one is missing. */
static bool acquire_plans(prfdata_plans *plans, const prfdata_carry_shape *shape,
                          const prfdata_region_set *set, const prfdata_carry *carry,
                          const bool *wanted, prfdata_plan **acquired, size_t *bytes)
{
    bool have_all = true;

    for (uint32_t i = 0; i < shape->model->object_count; i++) {
        acquired[i] =
            wanted[i] && have_all ? acquire_plan(plans, shape->number, i, set, carry) : NULL;
        have_all = have_all && (!wanted[i] || acquired[i]);
        if (acquired[i])
            *bytes += acquired[i]->bytes;
    }
    return have_all;
}

struct looking_at_source {
    const struct plan_source *source;
    bool is_as_planned;
};

/* Guarded. */
static void look_at_source(void *context)
{
    struct looking_at_source *looking = context;

    looking->is_as_planned = is_as_planned(looking->source);
}

/* Whether the sizes are those of now. All plans of one set have the same sources. */
static bool are_as_planned(prfdata_plan **acquired, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; acquired[i] && k < acquired[i]->source_count; k++) {
            struct looking_at_source looking = {&acquired[i]->sources[k], false};

            if (!prfdata_os_guarded(&looking.source->attached->view, look_at_source, &looking) ||
                !looking.is_as_planned)
                return false;
        }
    return true;
}

static void release_plans(prfdata_plans *plans, prfdata_plan **acquired, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        release_plan(plans, acquired[i]);
}

/* After all values were read: a start that is younger than the time would be centuries ago. */
static void stamp_objects(prfdata_plan **acquired, uint32_t count, size_t offset,
                          prfdata_perf_block *block)
{
    const int64_t perf_time = (int64_t)prfdata_os_ticks();
    const int64_t perf_freq = (int64_t)prfdata_os_ticks_per_second();

    for (uint32_t i = 0; i < count; i++) {
        if (!acquired[i])
            continue;
        prfdata_template_stamp(block, offset, perf_time, perf_freq);
        offset += acquired[i]->bytes;
    }
}

/* Put all wanted objects. */
static uint32_t put_planned_objects(prfdata_plan **acquired, const prfdata_carry_shape *shape,
                                    const prfdata_template *template, prfdata_carry *carry,
                                    prfdata_perf_block *block, uint32_t *object_count)
{
    const size_t offset = block->used;
    uint32_t error = ERROR_SUCCESS;

    for (uint32_t i = 0; i < shape->model->object_count && !error; i++) {
        if (!acquired[i])
            continue;
        error = put_planned_object(acquired[i], shape, template, carry, block);
        ++*object_count;
    }
    if (!error)
        stamp_objects(acquired, shape->model->object_count, offset, block);
    return error;
}

/*
 * Put them where there is hardly more room than they take: aside first. A reply that grew meanwhile
 * would not fit, and with ERROR_MORE_DATA the caller's buffer is to stay as it was.
 */
static uint32_t put_planned_aside(prfdata_plan **acquired, const prfdata_carry_shape *shape,
                                  const prfdata_template *template, prfdata_carry *carry,
                                  size_t bytes, prfdata_perf_block *block, uint32_t *object_count)
{
    uint8_t *aside = malloc(bytes + 1);
    prfdata_perf_block copy;
    uint32_t error = ERROR_NOT_FOUND;

    if (!aside)
        return error;
    prfdata_perf_block_init(&copy, aside, bytes);
    error = put_planned_objects(acquired, shape, template, carry, &copy, object_count);
    if (!error)
        prfdata_perf_block_put(block, aside, copy.used);
    free(aside);
    return error;
}

uint32_t prfdata_plans_write(prfdata_plans *plans, const prfdata_carry_shape *shape,
                             const prfdata_template *template, const prfdata_region_set *set,
                             prfdata_carry *carry, const bool *wanted, prfdata_perf_block *block,
                             uint32_t *object_count)
{
    prfdata_plan *acquired[PRFDATA_MAX_OBJECTS];
    uint32_t error = ERROR_NOT_FOUND;
    size_t bytes = 0;

    *object_count = 0;
    if (!acquire_plans(plans, shape, set, carry, wanted, acquired, &bytes))
        error = ERROR_NOT_FOUND;
    else if (bytes <= block->capacity && block->capacity - bytes < ROOM_TO_GROW)
        error = put_planned_aside(acquired, shape, template, carry, bytes, block, object_count);
    else if (bytes <= block->capacity)
        error = put_planned_objects(acquired, shape, template, carry, block, object_count);
    else if (are_as_planned(acquired, shape->model->object_count))
        error = ERROR_MORE_DATA;
    release_plans(plans, acquired, shape->model->object_count);
    return error;
}

/* ---- Making: what fits a plan ---- */

/* What one plan is made from. */
struct planning {
    const prfdata_carry_shape *shape;
    const prfdata_region_set *set;
    const prfdata_merge_source *sources;
    prfdata_attached *const *origins;
    uint32_t source_count;
    const prfdata_reply *reply;
    const uint8_t *bytes; /* of the object in the reply */
    uint32_t object_index;
    const prfdata_model_object *object;
    const prfdata_merge_object *merged;
};

static bool is_constant(const prfdata_merge_source *source)
{
    return source->snapshot->is_summary;
}

/* Whether a thread has been inside a bracket since the region got its writer. */
static bool has_brackets(const prfdata_snapshot *snapshot)
{
    prfdata_region_header header;

    memcpy(&header, snapshot->head, sizeof snapshot->head);
    return (header.hints & PRFDATA_REGION_HINT_BRACKETS) != 0;
}

/*
 * A number of what the sources were: the same as before if nothing changed. 0: some source changes
 * in a way that no plan sees.
 */
static uint64_t signature_of(const prfdata_region_set *set, const prfdata_merge_source *sources,
                             uint32_t source_count)
{
    uint64_t signature = set->generation + 1;

    for (uint32_t i = 0; i < source_count; i++) {
        if (sources[i].is_late)
            return 0;
        if (is_constant(&sources[i]))
            continue;
        if (!sources[i].snapshot->is_steady || has_brackets(sources[i].snapshot))
            return 0;
        signature = (signature ^ sources[i].snapshot->head[PLAN_STRUCTURE]) * PRFDATA_FNV_PRIME;
    }
    return signature | 1;
}

/* Whether every region of the set that may be shown is among the sources. */
static bool has_all_regions(const prfdata_region_set *set, uint32_t source_count)
{
    uint32_t broken = 0;

    for (uint32_t i = 0; i < set->count; i++)
        broken += prfdata_load32_relaxed(&set->regions[i]->is_broken) != 0;
    return source_count + broken == set->count;
}

static bool has_mean_of_totals(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].options & PRFDATA_OPTION_TOTAL_MEAN)
            return true;
    return false;
}

/* Each row comes from one slot, in the order of the sources, and their regions have this shape. */
static bool has_plain_rows(const struct planning *planning)
{
    const prfdata_merge_object *merged = planning->merged;

    if (merged->dropped > 0 || merged->part_count != merged->row_count)
        return false;
    for (uint32_t i = 0; i < merged->row_count; i++)
        if (merged->parts[i].row != i || is_constant(&planning->sources[merged->parts[i].source]) ||
            (i > 0 && merged->parts[i].source < merged->parts[i - 1].source))
            return false;
    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant(&planning->sources[i]) &&
            planning->origins[i]->version->model->hash != planning->shape->model->hash)
            return false;
    return true;
}

static bool fits_plan(const struct planning *planning)
{
    return planning->merged->is_plain && planning->object->hot_count == 0 &&
           planning->object->distribution_count == 0 && !has_mean_of_totals(planning->object) &&
           has_plain_rows(planning);
}

/* ---- Making: the parts ---- */

static bool is_dense_object(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->value_bytes > 0 &&
            (counter->value_bytes != 8 || counter->block_offset != 8 + 8 * counter->cell_index))
            return false;
    }
    return object->block_bytes == 8 + 8 * object->cell_count;
}

static bool has_maximum(const prfdata_model_object *object)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].merge == PRFDATA_MERGE_MAX)
            return true;
    return false;
}

static const prfdata_region_section *section_of(const struct planning *planning, uint32_t source)
{
    return &planning->origins[source]->layout->sections[planning->object_index];
}

static const uint64_t *cells_in_view(const struct planning *planning, uint32_t source,
                                     uint32_t slot_index)
{
    return prfdata_region_cells_at(planning->origins[source]->view.bytes,
                                   section_of(planning, source), slot_index);
}

/* Slots of a source that have no row. */
static bool has_no_row(const struct planning *planning, uint32_t source, uint32_t position)
{
    return !planning->object->has_instances ||
           planning->merged->slot_rows[source][position] == PRFDATA_NONE;
}

static void plan_rests(const struct planning *planning, prfdata_plan *plan, uint32_t source,
                       uint32_t *rest_count)
{
    const prfdata_merge_source *from = &planning->sources[source];
    const prfdata_snapshot_object *copied = &from->snapshot->objects[planning->object_index];

    for (uint32_t i = 0; i < copied->count; i++) {
        struct plan_rest *rest = &plan->rests[*rest_count];

        if (!has_no_row(planning, source, i))
            continue;
        rest->cells = cells_in_view(planning, source, copied->slots[i].slot_index);
        rest->is_live = from->is_live && (!planning->object->has_instances ||
                                          copied->slots[i].state == PRFDATA_SLOT_LIVE);
        ++*rest_count;
    }
}

/* The row's place in the views; where it is in the reply follows from the order. */
static void plan_row_of_part(const struct planning *planning, const prfdata_merge_part *part,
                             struct plan_row *row)
{
    const prfdata_snapshot_slot *slot = &planning->sources[part->source]
                                             .snapshot->objects[planning->object_index]
                                             .slots[part->position];

    row->cells = cells_in_view(planning, part->source, slot->slot_index);
    row->baselines =
        slot->has_baseline
            ? prfdata_region_baselines_at(planning->origins[part->source]->view.bytes,
                                          section_of(planning, part->source), slot->slot_index)
            : NULL;
}

static void plan_sources(const struct planning *planning, prfdata_plan *plan)
{
    uint32_t row = 0;
    uint32_t rest_count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++) {
        struct plan_source *source = &plan->sources[plan->source_count];

        if (is_constant(&planning->sources[i]))
            continue;
        plan->source_count++;
        source->attached = planning->origins[i];
        memcpy(source->head, planning->sources[i].snapshot->head, sizeof source->head);
        source->first_row = row;
        while (row < planning->merged->row_count && planning->merged->parts[row].source == i) {
            plan_row_of_part(planning, &planning->merged->parts[row], &plan->rows[row]);
            row++;
        }
        source->row_count = row - source->first_row;
        source->first_rest = rest_count;
        if (plan->has_sums)
            plan_rests(planning, plan, i, &rest_count);
        source->rest_count = rest_count - source->first_rest;
    }
}

/* What the reply has after the definitions; of dense rows only what stands before the cells. */
static void plan_image(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;
    const uint8_t *from =
        planning->bytes + planning->reply->template->objects[planning->object_index].size;
    const uint32_t left_out = plan->is_dense ? 8 * object->cell_count : 0;
    uint8_t *to = plan->image;

    for (uint32_t i = 0; i < planning->merged->row_count; i++) {
        const uint32_t name_chars = planning->merged->rows[i].name_chars;
        const uint32_t bytes = (uint32_t)prfdata_merge_instance_bytes(object, name_chars);

        plan->rows[i].image_offset = (uint32_t)(to - plan->image);
        plan->rows[i].image_bytes = bytes - left_out;
        memcpy(to, from, plan->rows[i].image_bytes);
        to += plan->rows[i].image_bytes;
        from += bytes;
    }
    memcpy(to, from, plan->total_bytes);
    plan->image_bytes = (size_t)(to - plan->image) + plan->total_bytes;
}

/* What the sums have beside the sources: ended programs, and what is carried. */
static void plan_constants(const struct planning *planning, prfdata_plan *plan)
{
    const prfdata_model_object *object = planning->object;

    prfdata_cells_clear(&plan->cells, plan->constants);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_merge merge = object->counters[i].merge;
        const uint32_t c = object->counters[i].cell_index;

        if (merge == PRFDATA_MERGE_ACCUMULATE || merge == PRFDATA_MERGE_NEWEST)
            plan->constants[c] = planning->merged->totals[c];
        for (uint32_t s = 0; merge == PRFDATA_MERGE_ACCUMULATE && s < planning->source_count; s++)
            if (!is_constant(&planning->sources[s]))
                plan->constants[c] -= planning->merged->sums[(size_t)s * object->cell_count + c];
    }
}

/* ---- Making: the whole ---- */

static uint32_t count_rests(const struct planning *planning)
{
    size_t count = 0;

    for (uint32_t i = 0; i < planning->source_count; i++)
        if (!is_constant(&planning->sources[i]))
            count += planning->sources[i].snapshot->objects[planning->object_index].count;
    return (uint32_t)(count - planning->merged->row_count);
}

/* Room for everything in one allocation; NULL: no memory. */
static prfdata_plan *allocate_plan(const struct planning *planning, bool has_sums,
                                   size_t image_bytes)
{
    const size_t source_bytes = planning->source_count * sizeof(struct plan_source);
    const size_t row_bytes = planning->merged->row_count * sizeof(struct plan_row);
    const size_t rest_bytes = has_sums ? count_rests(planning) * sizeof(struct plan_rest) : 0;
    const size_t constant_bytes = planning->object->cell_count * sizeof(uint64_t);
    prfdata_plan *made = calloc(1, sizeof *made + source_bytes + row_bytes + rest_bytes +
                                       constant_bytes + image_bytes);

    if (!made)
        return NULL;
    made->sources = (void *)(made + 1);
    made->rows = (void *)((uint8_t *)made->sources + source_bytes);
    made->rests = (void *)((uint8_t *)made->rows + row_bytes);
    made->constants = (void *)((uint8_t *)made->rests + rest_bytes);
    made->image = (uint8_t *)made->constants + constant_bytes;
    return made;
}

static int32_t instance_count_of(const struct planning *planning)
{
    const bool has_total = (planning->object->options & PRFDATA_OPTION_TOTAL) != 0;

    return planning->object->has_instances ? (int32_t)planning->merged->row_count + has_total
                                           : PERF_NO_INSTANCES;
}

/* NULL: it does not fit, or no memory. */
static prfdata_plan *make_plan(const struct planning *planning)
{
    const prfdata_model_object *object = planning->object;
    const bool has_sums = !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
    const size_t bytes =
        (size_t)prfdata_reply_object_bytes(planning->reply, planning->object_index);
    prfdata_plan *plan;

    if (!fits_plan(planning))
        return NULL;
    plan = allocate_plan(planning, has_sums, bytes);
    if (!plan)
        return NULL;
    plan->references = 1;
    plan->generation = planning->set->generation;
    plan->raised = planning->merged->raised;
    plan->object_index = planning->object_index;
    plan->cells = prfdata_cells_of(object);
    plan->is_dense = is_dense_object(object);
    plan->has_sums = has_sums;
    plan->is_straight =
        plan->is_dense && (plan->cells.only_accumulate || (!has_sums && !has_maximum(object)));
    plan->instance_count = instance_count_of(planning);
    plan->bytes = bytes;
    if (has_sums)
        plan->total_bytes = object->has_instances
                                ? prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS)
                                : object->block_bytes;
    plan_sources(planning, plan);
    plan_image(planning, plan);
    if (has_sums)
        plan_constants(planning, plan);
    return plan;
}

/* ---- Learning ---- */

static bool has_shape(prfdata_plans *plans, uint64_t number)
{
    bool has;

    prfdata_os_lock_enter(&plans->lock);
    has = plans->number >= number;
    prfdata_os_lock_leave(&plans->lock);
    return has;
}

/* Make room for the plans of an installation. Returns false if memory is exhausted. */
static bool begin_shape(prfdata_plans *plans, const prfdata_carry_shape *shape)
{
    const uint32_t count = shape->model->object_count;
    prfdata_plans made = {0};
    prfdata_plans former = {0};
    bool is_new;

    made.plans = calloc(count, sizeof *made.plans);
    made.signs = calloc(count, sizeof *made.signs);
    if (!made.plans || !made.signs) {
        free(made.plans);
        free(made.signs);
        return false;
    }
    made.object_count = count;
    prfdata_os_lock_enter(&plans->lock);
    is_new = plans->number < shape->number;
    if (is_new) {
        former = *plans;
        plans->plans = made.plans;
        plans->signs = made.signs;
        plans->object_count = count;
        plans->number = shape->number;
    } else {
        former = made;
    }
    prfdata_os_lock_leave(&plans->lock);
    for (uint32_t i = 0; is_new && i < former.object_count; i++)
        release_plan(plans, former.plans[i]);
    free(former.plans);
    free(former.signs);
    return true;
}

/* Under the lock. Whether the object was found so before, and may have a plan. */
static bool notice_object(prfdata_plan_signs *signs, uint64_t signature)
{
    const bool was_seen = signature != 0 && signs->seen == signature && signs->unfit != signature;

    signs->seen = signature;
    return was_seen;
}

bool prfdata_plans_notice(prfdata_plans *plans, const prfdata_carry_shape *shape,
                          const prfdata_region_set *set, const prfdata_merge_source *sources,
                          uint32_t source_count, const bool *wanted)
{
    const uint64_t signature =
        has_all_regions(set, source_count) ? signature_of(set, sources, source_count) : 0;
    bool is_worth_it = false;

    if (!has_shape(plans, shape->number) && !begin_shape(plans, shape))
        return false;
    prfdata_os_lock_enter(&plans->lock);
    for (uint32_t i = 0; plans->number == shape->number && i < shape->model->object_count; i++)
        if (wanted[i])
            is_worth_it |= notice_object(&plans->signs[i], signature);
    prfdata_os_lock_leave(&plans->lock);
    return is_worth_it;
}

/* `plan`: NULL if the object cannot have one, or memory is exhausted. */
static void keep_plan(prfdata_plans *plans, uint64_t number, uint32_t object_index,
                      prfdata_plan *plan)
{
    prfdata_plan *dropped = plan;

    prfdata_os_lock_enter(&plans->lock);
    if (plans->number == number) {
        dropped = plans->plans[object_index];
        plans->plans[object_index] = plan;
        if (!plan)
            plans->signs[object_index].unfit = plans->signs[object_index].seen;
    }
    prfdata_os_lock_leave(&plans->lock);
    release_plan(plans, dropped);
}

void prfdata_plans_make(prfdata_plans *plans, const prfdata_carry_shape *shape,
                        const prfdata_region_set *set, const prfdata_merge_source *sources,
                        prfdata_attached *const *origins, uint32_t source_count,
                        const prfdata_reply *reply, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < shape->model->object_count; i++) {
        const struct planning planning = {shape,
                                          set,
                                          sources,
                                          origins,
                                          source_count,
                                          reply,
                                          bytes,
                                          i,
                                          &shape->model->objects[i],
                                          &reply->merged->objects[i]};

        if (!reply->wanted[i])
            continue;
        keep_plan(plans, shape->number, i, make_plan(&planning));
        bytes += prfdata_reply_object_bytes(reply, i);
    }
}
