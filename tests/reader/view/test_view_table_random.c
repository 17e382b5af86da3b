/* SPDX-License-Identifier: MIT */
/* Compares each row of a table with the result of a search for its label. The samples change at
 * random. */
#include "support/test.h"

#include <prfdata/error.h>

#include "support/reader/changing_samples.h"
#include "support/sampled.h"
#include "view/table.h"

enum { SEEDS = 1000, STEPS = 12, FIRST_OBJECT = 100 };

/* The content of a cell, computed by a slow search. */
typedef struct slow_cell {
    uint32_t status;
    uint32_t type;
    uint64_t raw;
    prfdata_compute_value value;
} slow_cell;

static uint32_t counter_of_title(const prfdata_sample_object *object, uint32_t title)
{
    uint32_t at = 0;

    while (at < object->counter_count &&
           object->counters[at].definition.counter_name_title_index != title)
        at++;
    return at;
}

/* Compute the cell of the counter at this position of the newer object. In the older object, the
 * counter may be at another position. Then the first counter with its title is used. */
static slow_cell cell_of(const prfdata_sample *older, const prfdata_sample *newer,
                         const prfdata_sample_object *object,
                         const prfdata_sample_instance *instance, uint32_t position)
{
    const uint32_t title = object->counters[position].definition.counter_name_title_index;
    const prfdata_sample_object *old =
        older ? prfdata_sample_find_object(older, object->wire.header.object_name_title_index)
              : NULL;
    const prfdata_sample_instance *old_instance =
        old ? prfdata_sample_find_instance(old, instance->label) : NULL;
    prfdata_compute_raw before = {.status = PRFDATA_STATUS_NO_DATA};
    prfdata_compute_raw now;
    slow_cell cell = {0};
    uint32_t at = position;

    cell.status = prfdata_sample_raw(newer, object, instance, position, &now);
    cell.type = now.type;
    cell.raw = now.value;
    if (cell.status != PRFDATA_STATUS_OK)
        return cell;
    if (old_instance && (at >= old->counter_count ||
                         old->counters[at].definition.counter_name_title_index != title))
        at = counter_of_title(old, title);
    if (old_instance && at < old->counter_count)
        (void)prfdata_sample_raw(older, old, old_instance, at, &before);
    cell.status =
        prfdata_compute(before.status == PRFDATA_STATUS_OK ? &before : NULL, &now, &cell.value);
    return cell;
}

static void compare_cell(const prfdata_cell *cell, const slow_cell *slow)
{
    if (slow->status == PRFDATA_STATUS_IS_TEXT) {
        assert_int_equal(cell->status, PRFDATA_STATUS_OK);
        assert_false(cell->has_raw);
        return;
    }
    assert_int_equal(cell->status, slow->status);
    assert_int_equal(cell->type, slow->type);
    if (slow->status != PRFDATA_STATUS_OK)
        return;
    assert_int_equal(cell->raw, slow->raw);
    assert_true(cell->value.number == slow->value.number);
    assert_int_equal(cell->value.whole, slow->value.whole);
}

static void compare_row(const prfdata_table *table, const prfdata_sample *older,
                        const prfdata_sample *newer, const prfdata_sample_object *object,
                        const prfdata_sample_instance *instance)
{
    const prfdata_table_key key = {.label = instance->label};
    const prfdata_table_row *row = prfdata_table_find(table, &key);
    uint32_t column = 0;

    assert_non_null(row);
    assert_true(row->life.is_present);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        slow_cell slow;

        if (!prfdata_sample_shows(&object->counters[i]))
            continue;
        slow = cell_of(older, newer, object, instance, i);
        assert_int_equal(table->columns[column].counter_title,
                         object->counters[i].definition.counter_name_title_index);
        compare_cell(&row->cells[column++], &slow);
    }
    assert_int_equal(column, table->column_count);
}

static void compare_table(const prfdata_table *table, const prfdata_sample *older,
                          const prfdata_sample *newer)
{
    const prfdata_sample_object *object = prfdata_sample_find_object(newer, table->object_title);
    uint32_t present = 0;

    assert_int_equal(table->is_present, object != NULL);
    for (uint32_t i = 0; i < table->row_count; i++)
        present += table->rows[i]->life.is_present;
    assert_int_equal(table->present_count, present);
    if (!object || !object->has_instances)
        return;
    assert_int_equal(present, object->found_count);
    for (uint32_t i = 0; i < object->instance_count; i++) {
        if (!object->instances[i].damaged)
            compare_row(table, older, newer, object, &object->instances[i]);
    }
}

static void check_order(const prfdata_table *table)
{
    for (uint32_t i = 1; i < table->shown_count; i++) {
        const prfdata_table_row *a = table->shown[i - 1];
        const prfdata_table_row *b = table->shown[i];

        assert_true(a->is_total >= b->is_total);
        if (a->is_total == b->is_total)
            assert_true(prfdata_text_compare(a->label, b->label) < 0);
    }
}

static void run_seed(uint32_t seed)
{
    changing_samples samples;
    prfdata_sample *older = NULL;
    prfdata_table table;

    changing_samples_begin(&samples, seed);
    prfdata_table_init(&table, &samples.titles);
    prfdata_table_choose(&table, FIRST_OBJECT + 2 * (seed % CHANGING_OBJECTS));
    for (uint32_t step = 0; step < STEPS; step++) {
        prfdata_sample *newer = changing_samples_take(&samples);
        const bool is_next = changing_samples_below(&samples, 6) > 0;
        bool columns;

        assert_int_equal(prfdata_table_update(&table, older, newer, is_next, &columns),
                         ERROR_SUCCESS);
        compare_table(&table, older, newer);
        check_order(&table);
        if (table.row_count > 0)
            table.rows[changing_samples_below(&samples, table.row_count)]->is_selected ^= true;
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
    prfdata_table_free(&table);
    prfdata_titles_free(&samples.titles);
}

static void test_table_rows_are_those_of_the_slow_way(void **state)
{
    (void)state;
    sampled_seeds(run_seed, SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_rows_are_those_of_the_slow_way),
    };

    return cmocka_run_group_tests_name("view_table_random", tests, NULL, NULL);
}
