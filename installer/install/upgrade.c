/* SPDX-License-Identifier: MIT */
/*
 * Decides whether a map may follow the registered ones: map/map_change.h compares it with each of
 * them. Windows only.
 */
#include "install/upgrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "map/map_change.h"

#define MAX_CHANGES 32 /* changes that are reported */

static bool is_same_entry(const prfdata_map_entry *a, const prfdata_map_entry *b)
{
    return a->id == b->id && (wcscmp(a->name, b->name) == 0 || strcmp(a->symbol, b->symbol) == 0);
}

bool prfdata_upgrade_is_same_product(const prfdata_model *registered, const prfdata_model *later)
{
    for (uint32_t i = 0; i < later->object_count; i++) {
        const prfdata_model_object *object = &later->objects[i];
        const prfdata_model_object *same = prfdata_model_find_object(registered, object->entry->id);

        if (same && is_same_entry(same->entry, object->entry))
            return true;
        for (uint32_t k = 0; k < object->counter_count; k++) {
            const prfdata_map_entry *entry = object->counters[k].entry;
            const prfdata_model_counter *counter =
                prfdata_model_find_counter(registered, entry->id, NULL);

            if (counter && is_same_entry(counter->entry, entry))
                return true;
        }
    }
    return false;
}

/* Make "My Queues (100), My Workers (200)", with as many objects as fit. */
static void list_objects(const prfdata_model *model, wchar_t *text, size_t capacity)
{
    size_t used = 0;

    text[0] = 0;
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_map_entry *entry = model->objects[i].entry;
        int chars =
            prfdata_wide_format(text + used, capacity - used, i > 0 ? L", %ls (%lu)" : L"%ls (%lu)",
                                entry->name, (unsigned long)entry->id);

        if (chars < 0)
            return;
        used += (size_t)chars;
    }
}

static uint32_t report_other_product(const prfdata_registered *registered, bool is_forced,
                                     const prfdata_report *report)
{
    wchar_t objects[512];

    list_objects(prfdata_registered_present(registered), objects,
                 sizeof objects / sizeof objects[0]);
    prfdata_report_line(report, is_forced ? PRFDATA_STEP_LEFT : PRFDATA_STEP_FAILED,
                        L"Another product has registered this service. Its DLL is %ls, its objects "
                        L"are %ls. None of its ids has the same name or symbol in this map",
                        registered->dll[0] ? registered->dll : L"missing", objects);
    if (is_forced) {
        prfdata_report_line(
            report, PRFDATA_STEP_LEFT,
            L"Its counters are replaced, and what its programs count is no longer shown");
        return ERROR_SUCCESS;
    }
    prfdata_report_line(report, PRFDATA_STEP_FAILED,
                        L"Give the service of this map another name. -Force replaces the other "
                        L"product's counters");
    return ERROR_ALREADY_EXISTS;
}

typedef struct change_report {
    const prfdata_report *report;
    prfdata_step step;
    bool is_forced;
    size_t count;
    char texts[MAX_CHANGES][512];
} change_report;

static bool was_reported(const change_report *work, const char *text)
{
    for (size_t i = 0; i < work->count && i < MAX_CHANGES; i++)
        if (strcmp(work->texts[i], text) == 0)
            return true;
    return false;
}

/* Several of the registered maps may show the same change, which is reported once. */
static void report_change(change_report *work, const prfdata_map_change *change)
{
    char text[sizeof work->texts[0]];
    wchar_t wide[sizeof work->texts[0]];

    prfdata_map_change_text(change, text, sizeof text);
    if (was_reported(work, text))
        return;
    if (work->count < MAX_CHANGES)
        memcpy(work->texts[work->count], text, sizeof text);
    work->count++;
    if (work->count > MAX_CHANGES ||
        !MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, sizeof wide / sizeof wide[0]))
        return;
    prfdata_report_line(work->report, work->step, L"Map: %ls%ls", wide,
                        work->is_forced ? L", so what was counted before is no longer shown" : L"");
}

/* Find all changes between two maps. The caller frees `*changes`. */
static uint32_t find_changes(const prfdata_model *earlier, const prfdata_model *later,
                             prfdata_map_change **changes, size_t *count)
{
    *count = prfdata_map_change_find(earlier, later, NULL, 0);
    *changes = calloc(*count ? *count : 1, sizeof **changes);
    if (!*changes)
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_map_change_find(earlier, later, *changes, *count);
    return ERROR_SUCCESS;
}

static bool has_id(const prfdata_model *model, uint32_t id)
{
    return prfdata_model_find_object(model, id) || prfdata_model_find_counter(model, id, NULL);
}

/*
 * Returns whether an earlier installation with -Force has made this change already. It has if the
 * current map has the id, and the new map gives the id the meaning that it has in the current map.
 */
static bool is_decided(const prfdata_model *present, const prfdata_map_change *change,
                       const prfdata_map_change *open, size_t open_count)
{
    if (!has_id(present, change->entry->id))
        return false;
    for (size_t i = 0; i < open_count; i++)
        if (open[i].entry->id == change->entry->id)
            return false;
    return true;
}

static uint32_t report_changes_from(change_report *work, const prfdata_maps_entry *registered,
                                    const prfdata_model *present, const prfdata_model *later)
{
    prfdata_map_change *changes = NULL, *open = NULL;
    prfdata_model *earlier = NULL;
    size_t count = 0, open_count = 0;
    uint32_t status = prfdata_model_from_bytes(registered->bytes, registered->size, &earlier);

    if (status == ERROR_NOT_ENOUGH_MEMORY)
        return status;
    if (status)
        return ERROR_SUCCESS; /* damaged, so no region is read with it */
    status = find_changes(earlier, later, &changes, &count);
    if (!status)
        status = find_changes(present, later, &open, &open_count);
    for (size_t i = 0; i < count && !status; i++)
        if (!is_decided(present, &changes[i], open, open_count))
            report_change(work, &changes[i]);
    free(open);
    free(changes);
    prfdata_model_free(earlier);
    return status;
}

static uint32_t check_meanings(const prfdata_registered *registered, const prfdata_model *later,
                               bool is_forced, const prfdata_report *report)
{
    const prfdata_model *present = prfdata_registered_present(registered);
    change_report *work = calloc(1, sizeof *work);
    uint32_t status = ERROR_SUCCESS;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    work->report = report;
    work->is_forced = is_forced;
    work->step = is_forced ? PRFDATA_STEP_LEFT : PRFDATA_STEP_FAILED;
    for (uint32_t i = 0; i < registered->maps.count && !status; i++)
        status = report_changes_from(work, &registered->maps.entries[i], present, later);
    if (!status && work->count > MAX_CHANGES)
        prfdata_report_line(report, work->step, L"Map: %lu more ids change their meaning",
                            (unsigned long)(work->count - MAX_CHANGES));
    if (!status && work->count > 0 && !is_forced) {
        prfdata_report_line(
            report, PRFDATA_STEP_FAILED,
            L"An id must keep its meaning in all versions of a map. Give new counters new ids. "
            L"With -Force, what was counted for these ids is lost");
        status = ERROR_REVISION_MISMATCH;
    }
    free(work);
    return status;
}

static uint32_t report_later_format(bool is_forced, const prfdata_report *report)
{
    if (is_forced) {
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"A later version of PrfData has registered this service, so what its "
                            L"programs counted is no longer shown");
        return ERROR_SUCCESS;
    }
    prfdata_report_line(report, PRFDATA_STEP_FAILED,
                        L"A later version of PrfData has registered this service, in a format that "
                        L"this version does not know. With -Force, what was counted is lost");
    return ERROR_REVISION_MISMATCH;
}

/* If the value Maps is damaged, the maps in it that can be decoded become earlier maps. */
static void report_salvaged(const prfdata_registered *registered, const prfdata_report *report)
{
    if (registered->map_status == ERROR_INVALID_DATA)
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"The value Maps is damaged, or has an earlier format. Maps in it that "
                            L"can be read: %lu. The counts of programs with any other map than "
                            L"these and the one of this program are no longer shown",
                            (unsigned long)registered->maps.count);
}

uint32_t prfdata_upgrade_check(const prfdata_registered *registered, const prfdata_model *later,
                               bool is_forced, const prfdata_report *report, bool *goes_on)
{
    const prfdata_model *present = prfdata_registered_present(registered);
    bool is_same_line = registered->maps.count > 0;
    uint32_t status = ERROR_SUCCESS;

    if (registered->map_status == ERROR_REVISION_MISMATCH) {
        status = report_later_format(is_forced, report);
    } else if (present && !prfdata_upgrade_is_same_product(present, later)) {
        is_same_line = false;
        status = report_other_product(registered, is_forced, report);
    } else if (present) {
        status = check_meanings(registered, later, is_forced, report);
    }
    if (!status && is_same_line)
        report_salvaged(registered, report);
    if (!status)
        *goes_on = is_same_line;
    return status;
}
