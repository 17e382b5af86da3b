/* SPDX-License-Identifier: MIT */
/* The meaning of the title indexes of a source of performance data. */
#ifndef PRFDATA_READER_TITLES_H
#define PRFDATA_READER_TITLES_H

#include "block/metric_table.h"
#include "block/name_table.h"
#include "block/title_ids.h"
#include "text/output.h"

typedef struct prfdata_titles {
    prfdata_name_table english;   /* names of objects and counters */
    prfdata_name_table local;     /* the same in the user's language, as far as it has them */
    prfdata_name_table former;    /* what indexes were called that have no name any more */
    prfdata_name_table helps;     /* help texts, by their own indexes; English */
    prfdata_metric_table metrics; /* of what our maps declare */
    prfdata_title_ids ids;        /* of what our maps declare, where they were asked for */
    uint32_t gone_end;            /* title_moves.h: the last index that was given to one; 0: none */
    uint32_t version;             /* another one after they were loaded again */
} prfdata_titles;

/*
 * How a text names a title, in the order in which readers try it. A title may hold a *, or end with
 * a blank that a file's line or a person leaves out: what is there comes before what it may stand
 * for.
 */
typedef enum prfdata_titles_way {
    PRFDATA_BY_ENGLISH_LITERALLY, /* of texts with a *: a title has it too */
    PRFDATA_BY_ENGLISH,
    PRFDATA_BY_LOCAL_LITERALLY,
    PRFDATA_BY_LOCAL,
    PRFDATA_BY_INDEX,
    PRFDATA_BY_ENGLISH_TRIMMED, /* blanks at the ends do not count */
    PRFDATA_BY_LOCAL_TRIMMED,
    PRFDATA_WAY_COUNT
} prfdata_titles_way;

/* Release everything; {0} is left, which is also how to begin. */
void prfdata_titles_free(prfdata_titles *titles);

/* Whether both have the same names at the same indexes; or help texts and metrics. */
bool prfdata_titles_equal_names(const prfdata_titles *a, const prfdata_titles *b);
bool prfdata_titles_equal_helps(const prfdata_titles *a, const prfdata_titles *b);

/* Whether the way goes by the names of the user's language. */
bool prfdata_titles_way_is_local(prfdata_titles_way way);

/* Whether the text names one title, and is no pattern. */
bool prfdata_titles_is_exact(prfdata_titles_way way, prfdata_text text);

/*
 * The ways in their order, from 0 to PRFDATA_WAY_COUNT - 1.
 *
 * local_first  The user's language is tried before English.
 */
prfdata_titles_way prfdata_titles_way_at(unsigned position, bool local_first);

/* The first way in which `text` names any title; PRFDATA_BY_INDEX if it is no name. */
prfdata_titles_way prfdata_titles_way_of(const prfdata_titles *titles, prfdata_text text);

/*
 * Find the next title that `text` names in this way, ignoring case: several may share a name.
 *
 * position  0 at first; moves past the title that was found.
 * Returns false if there is none.
 */
bool prfdata_titles_find(const prfdata_titles *titles, prfdata_titles_way way, prfdata_text text,
                         size_t *position, uint32_t *index);

/* Whether `pattern` names the title in this way. */
bool prfdata_titles_match(const prfdata_titles *titles, prfdata_titles_way way,
                          prfdata_text pattern, uint32_t index);

/* Whether the index is that of a title of ours which no version of a map has now. */
bool prfdata_titles_is_unused(const prfdata_titles *titles, uint32_t index);

/*
 * Keep, to show them, the names of `before` whose indexes have none in `titles`: a provider shows
 * its objects for a while after they were uninstalled. Without memory some are lost.
 */
void prfdata_titles_keep_former(prfdata_titles *titles, const prfdata_titles *before);

/*
 * How the title is called where it was named in this way, or was called last; empty if it never had
 * a name. Only what has a name now is found by it. A * alone is none: a path could not have it.
 */
prfdata_text prfdata_titles_name(const prfdata_titles *titles, prfdata_titles_way way,
                                 uint32_t index);

/* The same; its index, written into `digits`, if it has none. */
prfdata_text prfdata_titles_name_in_way_or_index(const prfdata_titles *titles,
                                                 prfdata_titles_way way, uint32_t index,
                                                 uint16_t digits[12]);

/* Write what that returns. */
void prfdata_titles_put_name_in_way(prfdata_output *output, const prfdata_titles *titles,
                                    prfdata_titles_way way, uint32_t index);

/* The English name, or the index. */
prfdata_text prfdata_titles_name_or_index(const prfdata_titles *titles, uint32_t index,
                                          uint16_t digits[12]);

#endif
