/* SPDX-License-Identifier: MIT */
/*
 * Writing an object by its plan. From a view only cells and the header's words are read, under a
 * guard. Knows where each value goes, not how a reply is laid out.
 */
#include "provider/plan_parts.h"

#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"
#include "provider/cell_pairs.h"

/* ---- Rows ---- */

/* What a gather works on. */
struct gathering {
    const prfdata_plan *plan;
    const prfdata_plan_source *source; /* the present one */
    const prfdata_plan_source *end;    /* of those that are gathered at a time */
    uint8_t *at;                       /* where the next row goes */
    uint64_t *sums;                    /* of the source */
    prfdata_os_region window;          /* the view that is read: the guard's */
    uint32_t *tries_left;              /* of the answer; 0: a moment without brackets was not met */
    uint64_t entered; /* of the source: brackets around all instances, before it is gathered */
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

/* Two, from the first one on, that count in no sum. */
static inline void put_two_cells(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                                 uint32_t i)
{
    prfdata_cell_pairs_put(at + 8 * (size_t)i, cells + i, baselines ? baselines + i : NULL);
}

static inline uint8_t *put_cells(uint8_t *at, const uint64_t *cells, const uint64_t *baselines,
                                 uint32_t count)
{
    uint32_t i = 0;

    for (; i + 8 <= count; i += 8) {
        put_two_cells(at, cells, baselines, i);
        put_two_cells(at, cells, baselines, i + 2);
        put_two_cells(at, cells, baselines, i + 4);
        put_two_cells(at, cells, baselines, i + 6);
    }
    for (; i + 2 <= count; i += 2)
        put_two_cells(at, cells, baselines, i);
    if (i < count)
        put_cell(at, cells, baselines, NULL, i);
    return at + 8 * (size_t)count;
}

static inline uint8_t *put_and_add_cells(uint8_t *at, const uint64_t *cells,
                                         const uint64_t *baselines, uint64_t *sums, uint32_t count)
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
static uint8_t *put_merged_row(const struct gathering *gathering, const prfdata_plan_row *row,
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
    const prfdata_plan_row *row = plan->rows + gathering->source->first_row;
    const prfdata_plan_row *end = row + gathering->source->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines && !plan->cells.only_accumulate)
            at = put_merged_row(gathering, row, at);
        else if (row->baselines)
            at = put_cells(at, row->cells, row->baselines, count);
        else
            at = put_cells(at, row->cells, NULL, count);
    }
    gathering->at = at;
}

/* The same where all cells accumulate and there is a sum of them. */
static void gather_straight_and_add(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const uint32_t count = plan->cells.object->cell_count;
    const prfdata_plan_row *row = plan->rows + gathering->source->first_row;
    const prfdata_plan_row *end = row + gathering->source->row_count;
    uint8_t *at = gathering->at;

    for (; row < end; row++) {
        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (row->baselines)
            at = put_and_add_cells(at, row->cells, row->baselines, gathering->sums, count);
        else
            at = put_and_add_cells(at, row->cells, NULL, gathering->sums, count);
    }
    gathering->at = at;
}

static void gather_merged(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint8_t *at = gathering->at;

    for (uint32_t i = 0; i < gathering->source->row_count; i++) {
        const prfdata_plan_row *row = &plan->rows[gathering->source->first_row + i];

        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        at = put_merged_row(gathering, row, at);
    }
    gathering->at = at;
}

/* ---- Slots with brackets ---- */

static const prfdata_region_slot *slot_of_cells(const prfdata_plan_source *source,
                                                const uint64_t *cells)
{
    const uint64_t *first = prfdata_region_cells_at(source->bytes, source->section, 0);
    const uint64_t stride = source->section->cell_stride / sizeof *cells;

    return prfdata_region_slot_at(source->bytes, source->section,
                                  (uint32_t)((uint64_t)(cells - first) / stride));
}

static void pause_shortly(void)
{
    for (int i = 0; i < 16; i++)
        prfdata_pause();
}

/*
 * Load the cells of a slot at a moment with no thread inside its bracket, if there is one before
 * the answer's tries are used up. Returns whether there was.
 */
static bool load_whole_cells(struct gathering *gathering, const uint64_t *cells, uint64_t *to)
{
    const uint32_t count = gathering->plan->cells.object->cell_count;
    const prfdata_region_slot *slot = slot_of_cells(gathering->source, cells);

    for (; *gathering->tries_left > 0; --*gathering->tries_left) {
        const uint64_t left = prfdata_load64_acquire(&slot->left);
        const uint64_t entered = prfdata_load64_acquire(&slot->entered);

        PRFDATA_CRASH_POINT("R: bracket");
        load_cells(cells, count, to);
        prfdata_fence_acquire();
        if (left == entered && prfdata_load64_relaxed(&slot->entered) == entered)
            return true;
        pause_shortly();
    }
    return false;
}

/* Returns whether each was met at such a moment. */
static bool gather_whole_rows(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint64_t cells[PRFDATA_MAX_COUNTERS];
    uint8_t *at = gathering->at;

    for (uint32_t i = 0; i < gathering->source->row_count; i++) {
        const prfdata_plan_row *row = &plan->rows[gathering->source->first_row + i];
        prfdata_plan_row whole = *row;

        at = put_image(at, plan->image + row->image_offset, row->image_bytes);
        if (!load_whole_cells(gathering, row->cells, cells))
            return false;
        whole.cells = cells;
        at = put_merged_row(gathering, &whole, at);
    }
    gathering->at = at;
    return true;
}

/* Slots without a row count in the sums. Returns whether each was met outside of its bracket. */
static bool add_rests(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    uint64_t cells[PRFDATA_MAX_COUNTERS];

    for (uint32_t i = 0; i < gathering->source->rest_count; i++) {
        const prfdata_plan_rest *rest = &plan->rests[gathering->source->first_rest + i];

        if (!gathering->source->has_brackets || !plan->cells.object->has_instances)
            load_cells(rest->cells, plan->cells.object->cell_count, cells);
        else if (!load_whole_cells(gathering, rest->cells, cells))
            return false;
        prfdata_cells_add(&plan->cells, cells, NULL, rest->is_live, gathering->sums);
    }
    return true;
}

/* ---- Regions ---- */

/* Whether nothing of the header has changed but, perhaps, its structure word. */
static bool is_header_as_planned(const prfdata_plan_source *source)
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

/*
 * The word moves with any slot of the region. Whether those of this object are what they were: a
 * tag never comes back. A slot that is being given to another name has changed its tag first.
 */
static bool are_tags_as_planned(const prfdata_plan_source *source)
{
    if (prfdata_region_used_count(source->bytes, source->section) != source->used_count)
        return false;
    for (uint32_t i = 0; i < source->used_count; i++)
        if (prfdata_load32_relaxed(
                &prfdata_region_slot_at(source->bytes, source->section, i)->tag) != source->tags[i])
            return false;
    return true;
}

/* Whether slots and state are what they were. */
static bool is_as_planned(const prfdata_plan_source *source, bool has_instances)
{
    const prfdata_region_header *header = (const void *)source->bytes;
    const uint64_t word = prfdata_load64_acquire(&header->structure);

    if (!is_header_as_planned(source))
        return false;
    if (word == source->head[PRFDATA_PLAN_STRUCTURE] ||
        word == prfdata_load64_relaxed(source->structure))
        return true;
    if (has_instances && !are_tags_as_planned(source))
        return false;
    prfdata_fence_acquire();
    if (prfdata_region_is_steady(word) && prfdata_load64_relaxed(&header->structure) == word)
        prfdata_store64_relaxed(source->structure, word);
    return true;
}

/* Wait for a moment with no thread inside a bracket around all instances, if there is one soon. */
static bool meets_no_bracket(struct gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->source->bytes;

    for (; *gathering->tries_left > 0; --*gathering->tries_left) {
        const uint64_t left = prfdata_load64_acquire(&header->left);

        gathering->entered = prfdata_load64_acquire(&header->entered);
        if (left == gathering->entered)
            return true;
        pause_shortly();
    }
    return false;
}

/* Whether none was entered since. */
static bool has_met_no_bracket(const struct gathering *gathering)
{
    const prfdata_region_header *header = (const void *)gathering->source->bytes;

    return prfdata_load64_relaxed(&header->entered) == gathering->entered;
}

/* Returns whether all rows are whole. */
static bool put_rows(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;

    if (gathering->source->has_brackets)
        return gather_whole_rows(gathering);
    if (!plan->is_straight)
        gather_merged(gathering);
    else if (plan->has_sums)
        gather_straight_and_add(gathering);
    else
        gather_straight(gathering);
    return true;
}

static bool is_source_steady(const struct gathering *gathering)
{
    return is_as_planned(gathering->source, gathering->plan->cells.object->has_instances);
}

/* Returns whether the source was as planned, before and after. */
static bool gather_source(struct gathering *gathering)
{
    const prfdata_plan *plan = gathering->plan;
    const bool has_brackets = gathering->source->has_brackets;

    if (!is_source_steady(gathering) || (has_brackets && !meets_no_bracket(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: planned");
    if (plan->has_sums)
        prfdata_cells_clear(&plan->cells, gathering->sums);
    if (!put_rows(gathering) || (plan->has_sums && !add_rests(gathering)))
        return false;
    PRFDATA_CRASH_POINT("R: gathered");
    prfdata_fence_acquire();
    return is_source_steady(gathering) && (!has_brackets || has_met_no_bracket(gathering));
}

/* Field by field: to clear it all at once takes as long as to gather a row. */
static void init_gathering(struct gathering *gathering, const prfdata_plan *plan,
                           uint32_t *tries_left, uint8_t *at)
{
    gathering->plan = plan;
    gathering->source = plan->sources;
    gathering->end = plan->sources;
    gathering->at = at;
    gathering->sums = NULL;
    memset(&gathering->window, 0, sizeof gathering->window);
    gathering->tries_left = tries_left;
    gathering->entered = 0;
    gathering->is_steady = false;
}

/* The guard's window moves on to the view of a source. */
static void open_window(struct gathering *gathering, const prfdata_plan_source *source)
{
    gathering->source = source;
    gathering->window.bytes = source->bytes;
    gathering->window.size = source->size;
    prfdata_fence_acquire(); /* for the compiler: the guard reads it when a load faults */
}

/*
 * Each region has pages of its own, where the processor does not look ahead, and what regions have
 * at the same offset displaces each other in its caches: header and rows are asked for some regions
 * early.
 */
enum { FETCH_AHEAD = 4, FETCH_MOST_PAIRS = 32 /* of lines, which come together */ };

static void fetch_ahead(const prfdata_plan *plan, const prfdata_plan_source *source)
{
    const prfdata_plan_row *rows = plan->rows + source->first_row;
    const uint8_t *line;
    const uint8_t *end;

    prfdata_prefetch(source->bytes);
    if (source->row_count == 0)
        return;
    line = (const void *)rows[0].cells;
    end = (const void *)(rows[source->row_count - 1].cells + plan->cells.object->cell_count);
    for (uint32_t i = 0; i < FETCH_MOST_PAIRS && line < end; i++, line += 2 * PRFDATA_REGION_LINE)
        prfdata_prefetch(line);
}

/* Guarded. All sources from the present one on. */
static void gather_sources(void *context)
{
    struct gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;
    const prfdata_plan_source *last = plan->sources + plan->source_count;
    const prfdata_plan_source *source = gathering->source;

    for (;;) {
        source++;
        if (last - source >= FETCH_AHEAD)
            fetch_ahead(plan, source + FETCH_AHEAD - 1);
        if (!gather_source(gathering))
            return;
        if (source == gathering->end)
            break;
        if (plan->has_sums)
            gathering->sums += plan->cells.object->cell_count;
        open_window(gathering, source);
    }
    gathering->is_steady = true;
}

/* From a source on, so many. */
static bool gather_guarded(struct gathering *gathering, const prfdata_plan_source *source,
                           uint32_t count)
{
    gathering->end = source + count;
    open_window(gathering, source);
    gathering->is_steady = false;
    return prfdata_os_guarded(&gathering->window, gather_sources, gathering) &&
           gathering->is_steady;
}

/* Guarded. */
static void look_at_sources(void *context)
{
    struct gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->source_count; i++) {
        open_window(gathering, &plan->sources[i]);
        if (!is_source_steady(gathering))
            return;
    }
    gathering->is_steady = true;
}

bool prfdata_plan_is_steady(const prfdata_plan *plan)
{
    struct gathering gathering;

    if (plan->source_count == 0)
        return true;
    init_gathering(&gathering, plan, NULL, NULL);
    open_window(&gathering, plan->sources);
    return prfdata_os_guarded(&gathering.window, look_at_sources, &gathering) &&
           gathering.is_steady;
}

/* Guarded. */
static void count_entered(void *context)
{
    struct gathering *gathering = context;
    const prfdata_plan *plan = gathering->plan;

    for (uint32_t i = 0; i < plan->source_count; i++) {
        const prfdata_region_header *header = (const void *)plan->sources[i].bytes;

        open_window(gathering, &plan->sources[i]);
        gathering->entered += prfdata_load64_acquire(&header->entered);
    }
}

bool prfdata_plan_add_entered(const prfdata_plan *plan, uint64_t *entered)
{
    struct gathering gathering;

    if (plan->source_count == 0)
        return true;
    init_gathering(&gathering, plan, NULL, NULL);
    open_window(&gathering, plan->sources); /* its fence: what was gathered is older */
    if (!prfdata_os_guarded(&gathering.window, count_entered, &gathering))
        return false;
    *entered += gathering.entered;
    return true;
}

/* ---- The object ---- */

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

/* Add to the totals what some sources, from `first` on, have contributed, and record it. */
static uint32_t take_sums(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                          prfdata_carry *carry, uint32_t first, uint32_t count,
                          const uint64_t *sums, uint64_t *totals)
{
    for (uint32_t i = 0; i < count; i++)
        prfdata_cells_add(&plan->cells, sums + (size_t)i * plan->cells.object->cell_count, NULL,
                          true, totals);
    return prfdata_carry_record_sums(carry, shape, plan->object_index, plan->regions + first, count,
                                     sums);
}

/* For how many sources at a time there is room; an object may have no cells. */
static uint32_t count_at_a_time(const prfdata_plan *plan)
{
    const uint32_t cell_count = plan->cells.object->cell_count;

    return cell_count > 0 ? PRFDATA_MAX_COUNTERS / cell_count : 1;
}

/* Gather the rows and their sums, of as many sources at a time as there is room for sums. */
static uint32_t put_rows_and_sums(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                                  prfdata_carry *carry, uint32_t *tries_left, uint8_t *at)
{
    const uint32_t most = count_at_a_time(plan);
    uint64_t sums[PRFDATA_MAX_COUNTERS];
    uint64_t totals[PRFDATA_MAX_COUNTERS];
    struct gathering gathering;
    uint32_t error = ERROR_SUCCESS;
    uint32_t count;

    init_gathering(&gathering, plan, tries_left, at);
    prfdata_cells_clear(&plan->cells, totals);
    for (uint32_t i = 0; i < plan->source_count && !error; i += count) {
        count = plan->source_count - i < most ? plan->source_count - i : most;
        gathering.sums = sums;
        if (!gather_guarded(&gathering, &plan->sources[i], count))
            return ERROR_NOT_FOUND;
        error = take_sums(plan, shape, carry, i, count, sums, totals);
    }
    if (!error)
        put_sums(plan, totals, gathering.at);
    return error;
}

uint32_t prfdata_plan_put(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                          prfdata_carry *carry, uint32_t *tries_left, uint8_t *at)
{
    struct gathering gathering;

    PRFDATA_CRASH_POINT("R: plan");
    memcpy(at, plan->image, plan->head_bytes);
    at += plan->head_bytes;
    if (plan->has_sums)
        return put_rows_and_sums(plan, shape, carry, tries_left, at);
    if (plan->source_count == 0)
        return ERROR_SUCCESS;
    init_gathering(&gathering, plan, tries_left, at);
    return gather_guarded(&gathering, plan->sources, plan->source_count) ? ERROR_SUCCESS
                                                                         : ERROR_NOT_FOUND;
}
