/* SPDX-License-Identifier: MIT */
/* Holds the meaning of the title indexes of a source of performance data. */
#ifndef PRFDATA_READER_TITLES_H
#define PRFDATA_READER_TITLES_H

#include "block/metric_table.h"
#include "block/name_table.h"
#include "block/title_ids.h"
#include "text/output.h"

typedef struct prfdata_titles {
    prfdata_name_table english;   /* names of objects and counters */
    prfdata_name_table local;     /* names in the user's language, as far as they exist */
    prfdata_name_table former;    /* former names of indexes that have no name now */
    prfdata_name_table helps;     /* English help texts, by their own indexes */
    prfdata_metric_table metrics; /* metrics that PrfData's maps declare */
    prfdata_title_ids ids;        /* ids that these maps declare; empty: not loaded */
    uint32_t gone_end; /* the largest index from PRFDATA_TITLE_GONE on that is in use; 0: none */
    uint32_t version;  /* changes whenever titles have changed and were loaded again */
} prfdata_titles;

/*
 * The ways in which a text can name a title. Readers try them in this order, or with the languages
 * swapped (prfdata_titles_way_at()). A title may contain a *, so in each language a * in the text
 * is first taken literally. The TRIMMED ways find a title that ends with a blank, even if the text
 * lacks the blank.
 */
typedef enum prfdata_titles_way {
    PRFDATA_BY_ENGLISH_LITERALLY, /* a * in the text is a character of the title */
    PRFDATA_BY_ENGLISH,
    PRFDATA_BY_LOCAL_LITERALLY,
    PRFDATA_BY_LOCAL,
    PRFDATA_BY_INDEX,
    PRFDATA_BY_ENGLISH_TRIMMED, /* ignoring blanks at the ends */
    PRFDATA_BY_LOCAL_TRIMMED,
    PRFDATA_WAY_COUNT
} prfdata_titles_way;

/* Release all tables and leave them empty. The start value is {0}. */
void prfdata_titles_free(prfdata_titles *titles);

bool prfdata_titles_equal_names(const prfdata_titles *a, const prfdata_titles *b);

/* Returns whether both have the same help texts and metrics. */
bool prfdata_titles_equal_helps(const prfdata_titles *a, const prfdata_titles *b);

/* Returns whether the way uses the names of the user's language. */
bool prfdata_titles_way_is_local(prfdata_titles_way way);

/*
 * Make searches for names without a * fast (prfdata_titles_find()), until the next name is added.
 */
void prfdata_titles_index_names(prfdata_titles *titles);

/* Returns whether the text is a name, not a pattern that may match several names. */
bool prfdata_titles_is_exact(prfdata_titles_way way, prfdata_text text);

/*
 * Return the way that readers try at `position`, from 0 to PRFDATA_WAY_COUNT - 1.
 *
 * local_first  Whether the user's language is tried before English; otherwise the order is that of
 *              prfdata_titles_way.
 */
prfdata_titles_way prfdata_titles_way_at(unsigned position, bool local_first);

/* Return the first way in which `text` names any title, trying English first; PRFDATA_BY_INDEX if
 * it names none. */
prfdata_titles_way prfdata_titles_way_of(const prfdata_titles *titles, prfdata_text text);

/*
 * Find the next title that `text` names in this way, ignoring case; several titles may share a
 * name.
 *
 * position  0 at first; moves past the title that was found.
 * Returns false if there is none.
 */
bool prfdata_titles_find(const prfdata_titles *titles, prfdata_titles_way way, prfdata_text text,
                         size_t *position, uint32_t *index);

/* Returns whether `pattern` names the title in this way. */
bool prfdata_titles_match(const prfdata_titles *titles, prfdata_titles_way way,
                          prfdata_text pattern, uint32_t index);

/* Returns whether the index belongs to a service of PrfData whose map does not use the index. */
bool prfdata_titles_is_unused(const prfdata_titles *titles, uint32_t index);

/*
 * Keep the names of `before` whose indexes have no name in `titles`. A provider may still report
 * its objects for some seconds after it was uninstalled, and readers show them with these names. If
 * there is no memory, former names are lost.
 */
void prfdata_titles_keep_former(prfdata_titles *titles, const prfdata_titles *before);

/*
 * Return the current name of the title: the local name if `way` is local and there is one,
 * otherwise the English name, otherwise the local name. If the title has no current name, return
 * its former name; searches do not find former names. The result is empty if the title never had a
 * name, or if the name is only *, because in a path * means everything.
 */
prfdata_text prfdata_titles_name(const prfdata_titles *titles, prfdata_titles_way way,
                                 uint32_t index);

/*
 * Return what prfdata_titles_name() does. If the title has no name, return its index, written into
 * `digits`.
 */
prfdata_text prfdata_titles_name_in_way_or_index(const prfdata_titles *titles,
                                                 prfdata_titles_way way, uint32_t index,
                                                 uint16_t digits[12]);

/* Write the result of prfdata_titles_name_in_way_or_index(). */
void prfdata_titles_put_name_in_way(prfdata_output *output, const prfdata_titles *titles,
                                    prfdata_titles_way way, uint32_t index);

/* Do what prfdata_titles_name_in_way_or_index() does for PRFDATA_BY_ENGLISH. */
prfdata_text prfdata_titles_name_or_index(const prfdata_titles *titles, uint32_t index,
                                          uint16_t digits[12]);

#endif
