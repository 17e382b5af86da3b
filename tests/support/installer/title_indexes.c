/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/installer/title_indexes.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "map/maps.h"

static uint32_t number_in(const wchar_t *performance_key, const wchar_t *name)
{
    DWORD number = 0, size = sizeof number;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, performance_key, name, RRF_RT_REG_DWORD, NULL, &number,
                     &size) != 0)
        fail_msg("no value %ls", name);
    return number;
}

static prfdata_model *read_model(const wchar_t *performance_key)
{
    DWORD size = 0;
    prfdata_model *model = NULL;
    void *bytes;

    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, performance_key, L"Maps", RRF_RT_REG_BINARY,
                                  NULL, NULL, &size),
                     0);
    bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, performance_key, L"Maps", RRF_RT_REG_BINARY,
                                  NULL, bytes, &size),
                     0);
    assert_int_equal(prfdata_maps_current(bytes, size, &model), ERROR_SUCCESS);
    free(bytes);
    return model;
}

void title_indexes_read(title_indexes *indexes, const wchar_t *performance_key)
{
    prfdata_model *model = read_model(performance_key);
    const uint32_t first = number_in(performance_key, L"First Counter");
    prfdata_model_title title = {0};

    memset(indexes, 0, sizeof *indexes);
    indexes->last = number_in(performance_key, L"Last Counter");
    while (prfdata_model_next_title(model, &title)) {
        assert_true(indexes->count < TITLE_INDEXES_MAX);
        indexes->items[indexes->count].id =
            title.counter ? title.counter->entry->id : title.object->entry->id;
        indexes->items[indexes->count++].index = first + prfdata_model_title_offset(&title);
    }
    prfdata_model_free(model);
}

static uint32_t index_before(const title_indexes *before, uint32_t id)
{
    for (uint32_t i = 0; i < before->count; i++)
        if (before->items[i].id == id)
            return before->items[i].index;
    return 0;
}

void title_indexes_assert_none_changed_hands(const title_indexes *before, const title_indexes *now)
{
    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t former = index_before(before, now->items[i].id);

        if (now->items[i].index != former && now->items[i].index <= before->last)
            fail_msg("the title of %lu was at %lu, and is at %lu; before, titles ended at %lu",
                     (unsigned long)now->items[i].id, (unsigned long)former,
                     (unsigned long)now->items[i].index, (unsigned long)before->last);
    }
}

void title_indexes_assert_same(const title_indexes *before, const title_indexes *now)
{
    for (uint32_t i = 0; i < now->count; i++) {
        const uint32_t former = index_before(before, now->items[i].id);

        if (former && now->items[i].index != former)
            fail_msg("the title of %lu was at %lu, and is at %lu", (unsigned long)now->items[i].id,
                     (unsigned long)former, (unsigned long)now->items[i].index);
    }
}
