/* SPDX-License-Identifier: MIT */
/* Compares the indexes of a service's titles. Readers load titles only once, so a title must never
 * get an index that another title had. Windows only. */
#ifndef PRFDATA_TEST_TITLE_INDEXES_H
#define PRFDATA_TEST_TITLE_INDEXES_H

#include <stdint.h>
#include <wchar.h>

enum { TITLE_INDEXES_MAX = 64 };

typedef struct title_indexes {
    uint32_t count;
    uint32_t last; /* Last Counter */
    struct {
        uint32_t id;
        uint32_t index;
    } items[TITLE_INDEXES_MAX];
} title_indexes;

/* Read the indexes from a Performance key. The test fails if the key has no maps, no First Counter
 * or no Last Counter. */
void title_indexes_read(title_indexes *indexes, const wchar_t *performance_key);

/* Fail if a title has an index that it did not have before, and this index is at most the former
 * Last Counter. Another title may have had this index. */
void title_indexes_assert_none_changed_hands(const title_indexes *before, const title_indexes *now);

/* Fail if a title that existed before has another index now. */
void title_indexes_assert_same(const title_indexes *before, const title_indexes *now);

#endif
