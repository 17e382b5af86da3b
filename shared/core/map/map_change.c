/* SPDX-License-Identifier: MIT */
/* Decides which objects, counters and distributions of one version of a map continue in another. */
#include "map/map_change.h"

#include "map/map_hash.h"

static uint64_t parent_id_of(const prfdata_model *model, const prfdata_model_object *object)
{
    return object->parent_index == PRFDATA_NONE ? PRFDATA_MAP_CHANGE_NO_PARENT
                                                : model->objects[object->parent_index].entry->id;
}

/*
 * Returns the fraction to which a base belongs: the counter before it. Returns any other counter
 * unchanged.
 */
static const prfdata_model_counter *fraction_of(const prfdata_model_counter *counter)
{
    return counter->is_base ? counter - 1 : counter;
}

/* Records the two values. Returns whether they differ. */
static bool differs(prfdata_map_change *change, prfdata_map_change_kind kind, uint64_t from,
                    uint64_t to)
{
    change->kind = kind;
    change->from = from;
    change->to = to;
    return from != to;
}

bool prfdata_map_change_of_object(const prfdata_model *earlier, const prfdata_model_object *from,
                                  const prfdata_model *later, const prfdata_model_object *to,
                                  prfdata_map_change *change)
{
    return differs(change, PRFDATA_MAP_CHANGE_INSTANCES, from->has_instances, to->has_instances) ||
           differs(change, PRFDATA_MAP_CHANGE_PARENT, parent_id_of(earlier, from),
                   parent_id_of(later, to));
}

static bool shows_the_same(const prfdata_model_counter *from, const prfdata_model_counter *to)
{
    if (!from->shows || !to->shows)
        return !from->shows && !to->shows;
    return from->shows->option == to->shows->option && from->shows->id == to->shows->id &&
           from->shows->highest == to->shows->highest && from->shown_unit == to->shown_unit;
}

/*
 * A counter that shows the window of a distribution keeps no count. So its meaning stays the same
 * if it shows another window or another statistic in the later map.
 */
bool prfdata_map_change_of_counter(const prfdata_model_counter *from,
                                   const prfdata_model_counter *to, prfdata_map_change *change)
{
    const prfdata_model_counter *from_fraction = fraction_of(from);
    const prfdata_model_counter *to_fraction = fraction_of(to);

    if (prfdata_map_hash_class(from) == PRFDATA_CELL_NONE ||
        prfdata_map_hash_class(to) == PRFDATA_CELL_NONE)
        return false;
    if (differs(change, PRFDATA_MAP_CHANGE_CLASS, prfdata_map_hash_class(from),
                prfdata_map_hash_class(to)) ||
        differs(change, PRFDATA_MAP_CHANGE_CLOCK, from->ticks, to->ticks))
        return true;
    (void)differs(change, PRFDATA_MAP_CHANGE_SHOWN, from->shows ? from->shows->id : 0,
                  to->shows ? to->shows->id : 0);
    if (from->merging == PRFDATA_MERGING_ACCUMULATE && !shows_the_same(from, to))
        return true;
    if (differs(change, PRFDATA_MAP_CHANGE_HEALTH, from->health, to->health))
        return true;
    (void)differs(change, PRFDATA_MAP_CHANGE_FRACTION,
                  from->is_base ? from_fraction->entry->type : 0,
                  to->is_base ? to_fraction->entry->type : 0);
    return from->is_base != to->is_base ||
           prfdata_map_hash_class(from_fraction) != prfdata_map_hash_class(to_fraction) ||
           from_fraction->ticks != to_fraction->ticks;
}

const prfdata_model_object *prfdata_map_change_earlier_object(const prfdata_model *earlier,
                                                              const prfdata_model *later,
                                                              const prfdata_model_object *object)
{
    const prfdata_model_object *from = prfdata_model_find_object(earlier, object->entry->id);
    prfdata_map_change change;

    return from && !prfdata_map_change_of_object(earlier, from, later, object, &change) ? from
                                                                                        : NULL;
}

bool prfdata_map_change_counter_goes_on(const prfdata_model_counter *from,
                                        const prfdata_model_counter *to)
{
    prfdata_map_change change;

    return from->entry->id == to->entry->id && from->cell_index != PRFDATA_NONE &&
           to->cell_index != PRFDATA_NONE && !prfdata_map_change_of_counter(from, to, &change);
}

const prfdata_model_counter *
prfdata_map_change_earlier_counter(const prfdata_model_object *earlier_object,
                                   const prfdata_model_counter *counter)
{
    for (uint32_t i = 0; i < earlier_object->counter_count; i++)
        if (prfdata_map_change_counter_goes_on(&earlier_object->counters[i], counter))
            return &earlier_object->counters[i];
    return NULL;
}

bool prfdata_map_change_distribution_goes_on(const prfdata_model_distribution *from,
                                             const prfdata_model_distribution *to)
{
    return from->entry->unit == to->entry->unit &&
           from->shape.octave_bits == to->shape.octave_bits &&
           from->shape.first_bucket == to->shape.first_bucket &&
           from->shape.bucket_count == to->shape.bucket_count &&
           from->shape.epoch_factor == to->shape.epoch_factor;
}
