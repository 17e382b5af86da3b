/* SPDX-License-Identifier: MIT */
/* Keeps the distinct mistakes of a provider. A mistake counts once, no matter how many replies show
 * it. Portable. */
#ifndef PRFDATA_READER_MISTAKES_H
#define PRFDATA_READER_MISTAKES_H

#include "text/text.h"
#include "validate/findings.h"

/* If this many mistakes are kept, a further one is kept only if it is the first one of its rule. */
#define PRFDATA_MISTAKES_MOST 512u

typedef struct prfdata_mistake {
    prfdata_findings_item first; /* the first finding of the mistake */
    uint64_t id;                 /* the result of prfdata_findings_mistake() for `first` */
    uint64_t times;
    char query[80];    /* the query in quotes, or the word NULL for a null pointer; empty:
                          the mistake has no query */
    uint32_t capacity; /* capacity of the buffer for the reply, in bytes */
    uint32_t scenario; /* position in the list of all scenarios */
    bool is_accepted;
} prfdata_mistake;

/* All zeros: no mistakes. */
typedef struct prfdata_mistakes {
    prfdata_mistake items[PRFDATA_MISTAKES_MOST + PRFDATA_RULE_COUNT];
    size_t count;
} prfdata_mistakes;

/* Find a mistake by its id; NULL: it was not found. */
prfdata_mistake *prfdata_mistakes_find(prfdata_mistakes *mistakes, uint64_t id);

/*
 * Add `times` to the count of the finding's mistake. Returns the mistake if it is new, so that the
 * caller can set its other members. Returns NULL if the mistake is known, or if there is no room.
 */
prfdata_mistake *prfdata_mistakes_add(prfdata_mistakes *mistakes,
                                      const prfdata_findings_item *finding, uint64_t times);

/* Return how many mistakes of a rule are not accepted. */
uint64_t prfdata_mistakes_of_rule(const prfdata_mistakes *mistakes, prfdata_rule rule);

/* Return how many mistakes are accepted. */
uint64_t prfdata_mistakes_accepted(const prfdata_mistakes *mistakes);

/*
 * Returns whether a text accepts a finding. The text is "RULE", "RULE:TITLE" or "RULE:+N". TITLE is
 * the title index of the counter, or of the object if the finding names no counter. N is the
 * distance of that title index from `first_title`.
 *
 * first_title  The provider's first title; 0: not known.
 */
bool prfdata_mistakes_is_accepted(prfdata_text text, const prfdata_findings_item *finding,
                                  uint32_t first_title);

/* Returns whether the text has one of the forms that prfdata_mistakes_is_accepted() takes, and its
 * rule exists. */
bool prfdata_mistakes_is_valid(prfdata_text text);

#endif
