/* SPDX-License-Identifier: MIT */
/*
 * Counts the fewest changes from one text to another, by dynamic programming over all pairs of
 * prefixes.
 */
#include "text/similar.h"

#define MOST_CHARS 96 /* longer names are not considered */

static bool is_same_char(prfdata_text a, size_t at_a, prfdata_text b, size_t at_b)
{
    return prfdata_text_equal(prfdata_text_part(a, at_a, at_a + 1),
                              prfdata_text_part(b, at_b, at_b + 1));
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Return the fewest changes that make one text the other. `b` has at most MOST_CHARS. */
static size_t count_changes(prfdata_text a, prfdata_text b)
{
    /* Rows of the table: for the prefixes of `a` with i - 2, i - 1 and i chars. */
    size_t rows[3][MOST_CHARS + 1];

    for (size_t j = 0; j <= b.count; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.count; i++) {
        const size_t *before = rows[(i - 1) % 3];
        const size_t *earlier = rows[(i + 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= b.count; j++) {
            row[j] = before[j - 1] + !is_same_char(a, i - 1, b, j - 1);
            row[j] = least_of(row[j], least_of(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same_char(a, i - 1, b, j - 2) &&
                is_same_char(a, i - 2, b, j - 1))
                row[j] = least_of(row[j], earlier[j - 2] + 1);
        }
    }
    return rows[a.count % 3][b.count];
}

void prfdata_similar_consider(prfdata_similar *similar, prfdata_text name)
{
    const size_t most = (name.count + 2) / 3;
    size_t changes;

    if (name.count == 0 || name.count > MOST_CHARS || similar->written.count > name.count + most ||
        name.count > similar->written.count + most)
        return;
    changes = count_changes(similar->written, name);
    if (changes > most || (similar->best.count > 0 && changes >= similar->changes))
        return;
    similar->best = name;
    similar->changes = changes;
}
