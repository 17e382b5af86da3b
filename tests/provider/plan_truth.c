/* SPDX-License-Identifier: MIT */
#include "plan_truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/publisher.h"
#include "region/region.h"
#include "support/provider/collecting.h"
#include "support/provider/provided.h"
#include "support/test.h"

enum { MOST_FILES = 64, MOST_CONTRIBUTORS = 4096, MOST_VALUES = 4, KEY_CHARS = 40 };

/* A contributor: a slot while it has one identity. If `slot` is PRFDATA_NONE, the contributor
 * consists of the sums of an object in a file. */
typedef struct truth_contributor {
    uint32_t object;
    char key[KEY_CHARS];
    char file[64];
    uint32_t slot, identity;
    uint64_t values[MOST_VALUES]; /* the counters that only grow, in the map's order */
    uint64_t left_out[MOST_VALUES];
    uint64_t baselines[MOST_VALUES];
    /* what the slot counted after the last check that saw this identity, until it got
     * its next name */
    uint64_t unseen[MOST_VALUES];
    bool is_current; /* found by this check */
    bool was_known;  /* found by an earlier check */
    bool is_evident; /* readers have seen it, because it has counted or its program is running */
    /* Whether the contributor's instance may have ended, because some check found no contributor of
     * this name after an earlier check had found one. */
    bool is_of_past;
} truth_contributor;

/* A file as earlier checks have found it. */
typedef struct truth_file {
    char name[64];
    bool is_there;
    bool is_attached;
    bool is_live; /* the system's last answer: whether a program has the file open */
    bool is_late; /* sums were shown before this file was read */
} truth_file;

/* A row that is shown. If `key` is "", the row stands for the sums of an object. */
typedef struct truth_row {
    uint32_t object;
    char key[KEY_CHARS];
} truth_row;

static truth_contributor contributors[MOST_CONTRIBUTORS];
static uint32_t contributor_count;
static truth_file files[MOST_FILES];
static uint32_t file_count;
static truth_row rows[MOST_CONTRIBUTORS];
static uint32_t row_count;
static prfdata_model *models[2];

void plan_truth_begin(void)
{
    contributor_count = 0;
    file_count = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(prfdata_model_make(plan_world_version(i == 1), &models[i]), 0);
}

void plan_truth_end(void)
{
    for (int i = 0; i < 2; i++)
        prfdata_model_free(models[i]);
}

/* ---- Counters that only grow ---- */

static bool only_grows(const prfdata_model_counter *counter)
{
    return counter->merging == PRFDATA_MERGING_ACCUMULATE && !counter->shows && !counter->is_base &&
           counter->entry->id != MORE_ID; /* only one version of the map has it */
}

static bool is_looked_at(const prfdata_model_object *object)
{
    return object->entry->id != HEALTH_ID && object->entry->id != LINES_ID;
}

static void copy_text(char *copy, size_t capacity, const char *text)
{
    const size_t length = strlen(text);

    assert_true(length < capacity);
    memcpy(copy, text, length + 1);
}

/* ---- Contributors ---- */

static truth_contributor *find_truth_contributor(uint32_t object, const char *key, const char *file,
                                                 uint32_t slot, uint32_t identity)
{
    for (uint32_t i = 0; i < contributor_count; i++)
        if (contributors[i].object == object && contributors[i].slot == slot &&
            contributors[i].identity == identity && !strcmp(contributors[i].key, key) &&
            !strcmp(contributors[i].file, file))
            return &contributors[i];
    return NULL;
}

static truth_contributor *meet_truth_contributor(uint32_t object, const char *key, const char *file,
                                                 uint32_t slot, uint32_t identity)
{
    truth_contributor *contributor = find_truth_contributor(object, key, file, slot, identity);

    if (!contributor) {
        assert_true(contributor_count < MOST_CONTRIBUTORS);
        contributor = &contributors[contributor_count++];
        memset(contributor, 0, sizeof *contributor);
        contributor->object = object;
        copy_text(contributor->key, sizeof contributor->key, key);
        copy_text(contributor->file, sizeof contributor->file, file);
        contributor->slot = slot;
        contributor->identity = identity;
    } else {
        contributor->was_known = true;
    }
    contributor->is_current = true;
    return contributor;
}

/* Adds to `values` the cells of the counters that only grow, minus `baselines`, which may be
 * NULL. */
static void add_counted(const prfdata_model_object *object, const uint64_t *cells,
                        const uint64_t *baselines, uint64_t *values)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < object->counter_count; i++)
        if (only_grows(&object->counters[i])) {
            const uint32_t c = object->counters[i].cell_index;

            assert_true(n < MOST_VALUES);
            values[n++] += cells[c] - (baselines ? baselines[c] : 0);
        }
}

/* ---- Files ---- */

/* A file that is being checked. */
typedef struct truth_region {
    truth_file *file;
    uint8_t *bytes;
    const prfdata_model *model;
    prfdata_region_layout *layout;
    bool shows_instances;
} truth_region;

static bool has_publisher(const char *name)
{
    for (uint32_t i = 0; i < MOST_PROGRAMS; i++)
        if (plan_world_programs[i].publisher &&
            !strcmp(plan_world_programs[i].publisher->name.text, name))
            return true;
    return false;
}

static truth_file *meet_file(const char *name, bool may_ask)
{
    truth_file *file = NULL;

    for (uint32_t i = 0; i < file_count && !file; i++)
        if (!strcmp(files[i].name, name))
            file = &files[i];
    if (!file) {
        assert_true(file_count < MOST_FILES);
        file = &files[file_count++];
        memset(file, 0, sizeof *file);
        copy_text(file->name, sizeof file->name, name);
    }
    file->is_there = true;
    if (may_ask) {
        file->is_attached = true;
        file->is_live = has_publisher(name);
    }
    return file;
}

/* Reads a file. Returns whether readers see it, which they do once the system has let them open
 * it. */
static bool open_truth(const char *name, bool may_ask, truth_region *region)
{
    prfdata_region_header header;
    size_t size;

    memset(region, 0, sizeof *region);
    region->file = meet_file(name, may_ask);
    region->bytes = prfdata_test_service_read_file(&service, name, &size);
    assert_non_null(region->bytes);
    for (int i = 0; i < 2 && !region->layout; i++)
        if (prfdata_region_check(region->bytes, size, models[i], prfdata_os_boot(), &header,
                                 &region->layout) == PRFDATA_REGION_VALID)
            region->model = models[i];
    assert_non_null(region->layout);
    region->shows_instances = region->file->is_live && header.state == PRFDATA_REGION_PUBLISHED;
    return region->file->is_attached;
}

static void close_truth(truth_region *region)
{
    free(region->bytes);
    free(region->layout);
}

/* ---- Slots ---- */

static prfdata_region_slot *slot_of(const truth_region *region, uint32_t object, uint32_t slot)
{
    return prfdata_region_slot_at(region->bytes, &region->layout->sections[object], slot);
}

/* Makes "parent/name" from the names of a slot and its parent. Returns false if one of them has no
 * name, or if the parent's slot has another identity now. */
static bool key_of_slot(const truth_region *region, uint32_t object, uint32_t slot_index, char *key)
{
    const prfdata_region_section *section = &region->layout->sections[object];
    const prfdata_region_slot *slot = slot_of(region, object, slot_index);
    const uint32_t parent_index = region->model->objects[object].parent_index;
    const uint16_t *name = prfdata_region_name_at(region->bytes, section, slot_index);
    size_t used = 0;

    if (PRFDATA_SLOT_STATE(slot->tag) < PRFDATA_SLOT_LIVE)
        return false;
    if (slot->parent_slot != PRFDATA_NONE) {
        if (slot_of(region, parent_index, slot->parent_slot)->identity != slot->parent_identity ||
            !key_of_slot(region, parent_index, slot->parent_slot, key))
            return false;
        used = strlen(key);
        key[used++] = '/';
    }
    for (uint32_t i = 0; i < slot->name_chars; i++)
        key[used++] = (char)name[i];
    key[used] = 0;
    return true;
}

static bool makes_instance(const truth_region *region, uint32_t object, uint32_t slot_index)
{
    const prfdata_region_slot *slot = slot_of(region, object, slot_index);

    return region->shows_instances && PRFDATA_SLOT_STATE(slot->tag) == PRFDATA_SLOT_LIVE &&
           (slot->parent_slot == PRFDATA_NONE ||
            makes_instance(region, region->model->objects[object].parent_index, slot->parent_slot));
}

static bool is_row(uint32_t object, const char *key)
{
    for (uint32_t i = 0; i < row_count; i++)
        if (rows[i].object == object && !strcmp(rows[i].key, key))
            return true;
    return false;
}

static void add_truth_row(uint32_t object, const char *key)
{
    if (is_row(object, key))
        return;
    assert_true(row_count < MOST_CONTRIBUTORS);
    rows[row_count].object = object;
    (void)snprintf(rows[row_count++].key, KEY_CHARS, "%s", key);
}

static bool has_counted(const truth_contributor *contributor)
{
    for (uint32_t n = 0; n < MOST_VALUES; n++)
        if (contributor->values[n] != 0)
            return true;
    return false;
}

/* The values that the slot had when it got its current name are the final counts of its former
 * name. */
static void look_at_former_name(const truth_region *region, uint32_t object, uint32_t slot_index,
                                const uint64_t *baselines)
{
    const prfdata_model_object *model_object = &region->model->objects[object];
    const uint32_t identity = slot_of(region, object, slot_index)->identity;

    for (uint32_t i = 0; i < contributor_count; i++) {
        truth_contributor *former = &contributors[i];

        if (former->object != model_object->entry->id || former->slot != slot_index ||
            former->identity != identity - 1 || strcmp(former->file, region->file->name) != 0)
            continue;
        for (uint32_t n = 0; n < MOST_VALUES; n++)
            former->unseen[n] = baselines[n] - former->baselines[n] - former->values[n];
    }
}

static void look_at_slot(const truth_region *region, uint32_t object, uint32_t slot_index,
                         uint64_t *sums)
{
    const prfdata_model_object *model_object = &region->model->objects[object];
    const prfdata_region_section *section = &region->layout->sections[object];
    const prfdata_region_slot *slot = slot_of(region, object, slot_index);
    uint64_t *cells = malloc(section->cell_stride);
    truth_contributor *contributor;
    char key[KEY_CHARS];

    assert_non_null(cells);
    prfdata_region_load_cells(cells, region->bytes, model_object, section, slot_index);
    add_counted(model_object, cells, NULL, sums);
    if (model_object->has_instances && key_of_slot(region, object, slot_index, key)) {
        contributor = meet_truth_contributor(model_object->entry->id, key, region->file->name,
                                             slot_index, slot->identity);
        memset(contributor->values, 0, sizeof contributor->values);
        memset(contributor->baselines, 0, sizeof contributor->baselines);
        if (slot->flags & PRFDATA_SLOT_HAS_BASELINE)
            add_counted(model_object,
                        prfdata_region_baselines_at(region->bytes, section, slot_index), NULL,
                        contributor->baselines);
        if (region->file->is_live && (slot->flags & PRFDATA_SLOT_HAS_BASELINE))
            look_at_former_name(region, object, slot_index, contributor->baselines);
        add_counted(model_object, cells,
                    slot->flags & PRFDATA_SLOT_HAS_BASELINE
                        ? prfdata_region_baselines_at(region->bytes, section, slot_index)
                        : NULL,
                    contributor->values);
        contributor->is_evident = region->file->is_live || has_counted(contributor);
        if (makes_instance(region, object, slot_index))
            add_truth_row(model_object->entry->id, key);
    }
    free(cells);
}

static void look_at_object(const truth_region *region, uint32_t object)
{
    const prfdata_model_object *model_object = &region->model->objects[object];
    truth_contributor *contributor =
        meet_truth_contributor(model_object->entry->id, "", region->file->name, PRFDATA_NONE, 0);
    uint64_t sums[MOST_VALUES] = {0};

    for (uint32_t i = 0; i < region->layout->sections[object].slot_count; i++)
        look_at_slot(region, object, i, sums);
    if (!contributor->was_known && region->file->is_late)
        memcpy(contributor->left_out, sums, sizeof sums);
    memcpy(contributor->values, sums, sizeof sums);
}

/* ---- Checks ---- */

/* Forgets the contributors of slots whose name has no row. Of the other slots' contributors, marks
 * those that are not current and that readers may have forgotten. Unmarks the current ones. */
static void forget_what_ended(void)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < contributor_count; i++) {
        bool goes_on = contributors[i].is_current;

        if (contributors[i].slot != PRFDATA_NONE &&
            !is_row(contributors[i].object, contributors[i].key))
            continue;
        for (uint32_t k = 0; k < contributor_count && !goes_on; k++)
            goes_on = contributors[k].is_current && contributors[k].was_known &&
                      !contributors[k].is_of_past && contributors[k].is_evident &&
                      contributors[k].object == contributors[i].object &&
                      !strcmp(contributors[k].key, contributors[i].key);
        contributors[i].is_of_past |= !goes_on && contributors[i].slot != PRFDATA_NONE;
        if (contributors[i].is_current)
            contributors[i].is_of_past = false;
        if (kept < i)
            contributors[kept] = contributors[i];
        kept++;
    }
    contributor_count = kept;
}

/* Checks the files. Returns how many of them readers see. */
static uint32_t look_at_files(bool may_ask)
{
    prfdata_test_file found[MOST_FILES];
    const size_t count = prfdata_test_service_files(&service, found, MOST_FILES);
    uint32_t seen = 0;

    row_count = 0;
    for (uint32_t i = 0; i < contributor_count; i++) {
        contributors[i].is_current = false;
        contributors[i].was_known = false;
    }
    for (uint32_t i = 0; i < file_count; i++)
        files[i].is_there = false;
    for (size_t i = 0; i < count; i++) {
        truth_region region;

        if (open_truth(found[i].name, may_ask, &region)) {
            seen++;
            for (uint32_t k = 0; k < region.model->object_count; k++)
                if (is_looked_at(&region.model->objects[k]))
                    look_at_object(&region, k);
        }
        close_truth(&region);
    }
    for (uint32_t i = 0; i < file_count && seen > 0; i++)
        files[i].is_late |= files[i].is_there && !files[i].is_attached;
    forget_what_ended();
    return seen;
}

/* ---- Comparing ---- */

/* Computes the least and the most that readers may show for a name and a counter. `n` is the
 * counter's index among those counters of the object that only grow. */
static void bounds_of_key(uint32_t object, const char *key, uint32_t n, bool is_new,
                          uint64_t *least, uint64_t *most)
{
    *least = 0;
    *most = 0;
    for (uint32_t i = 0; i < contributor_count; i++) {
        const uint64_t left_out = is_new ? 0 : contributors[i].left_out[n];

        if (contributors[i].object != object || strcmp(contributors[i].key, key) != 0 ||
            (is_new && !contributors[i].is_current))
            continue;
        *most += contributors[i].values[n] + contributors[i].unseen[n] - left_out;
        if (!contributors[i].is_of_past)
            *least += contributors[i].values[n] + contributors[i].unseen[n] - left_out;
    }
}

static void compare_key(const collected *taken, const prfdata_model_object *object, const char *key,
                        const char *parent, const char *instance, bool is_new, const char *when)
{
    const uint32_t title = FIRST_COUNTER + object->title_offset;
    uint32_t n = 0;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        uint64_t least, most, shown;

        if (!only_grows(&object->counters[i]))
            continue;
        bounds_of_key(object->entry->id, key, n++, is_new, &least, &most);
        if (instance && !collected_has(taken, title, parent, instance))
            fail_msg("%s: no %s of object %u", when, key, (unsigned)object->entry->id);
        shown = collected_value(taken, title, parent, instance, i);
        if (shown < least || shown > most)
            fail_msg("%s: counter %u of \"%s\" is %llu, not %llu to %llu", when,
                     (unsigned)object->counters[i].entry->id, key, (unsigned long long)shown,
                     (unsigned long long)least, (unsigned long long)most);
    }
}

static void compare_rows(const collected *taken, const prfdata_model_object *object, bool is_new,
                         const char *when)
{
    const bool has_total = (object->options & PRFDATA_OPTION_TOTAL) != 0;
    int32_t expected = has_total;

    for (uint32_t i = 0; i < row_count; i++) {
        char parent[KEY_CHARS] = "";
        const char *name = strchr(rows[i].key, '/');

        if (rows[i].object != object->entry->id)
            continue;
        if (name)
            (void)snprintf(parent, sizeof parent, "%.*s", (int)(name - rows[i].key), rows[i].key);
        compare_key(taken, object, rows[i].key, parent, name ? name + 1 : rows[i].key, is_new,
                    when);
        expected++;
    }
    if (collected_instances(taken, FIRST_COUNTER + object->title_offset) != expected)
        fail_msg("%s: object %u has not %d instances", when, (unsigned)object->entry->id,
                 (int)expected);
}

/* Compares what the reader shows with the expected values. If `knows_sums` is false, no file could
 * be opened, and no values are compared. */
static void compare_reader(prfdata_provider *reader, bool knows_sums, bool is_new, const char *when)
{
    const prfdata_model *model = models[0]; /* both versions use the same titles */
    collected taken;

    collected_take(&taken, reader, "Global");
    for (uint32_t i = 0; i < model->object_count && knows_sums; i++) {
        const prfdata_model_object *object = &model->objects[i];

        if (!is_looked_at(object) || (object->options & PRFDATA_OPTION_COSTLY))
            continue;
        if (object->has_instances)
            compare_rows(&taken, object, is_new, when);
        if (!object->has_instances)
            compare_key(&taken, object, "", NULL, NULL, is_new, when);
        else if (object->options & PRFDATA_OPTION_TOTAL)
            compare_key(&taken, object, "", NULL, "_Total", is_new, when);
    }
    collected_free(&taken);
}

void plan_truth_compare(bool may_ask, const char *when)
{
    const uint32_t seen = look_at_files(may_ask);

    compare_reader(plan_world_reader, seen > 0 || may_ask, false, when);
    compare_reader(plan_world_merging, seen > 0 || may_ask, false, when);
}

void plan_truth_compare_new(const char *when)
{
    prfdata_provider *begun = provided_open();

    compare_reader(begun, true, true, when);
    compare_reader(begun, true, true, when); /* this time by plan, if there is one */
    prfdata_provider_close(begun);
}
