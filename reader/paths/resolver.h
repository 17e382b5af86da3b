/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a counter path in a sample: which counters of which objects, and which of their
 * instances. This is the only place that decides it, so that a path finds the same in every format
 * and view.
 *
 *     prfdata_resolver_begin(&resolver, &path, titles, sample);
 *     while (prfdata_resolver_next(&resolver))
 *         show(resolver.object, resolver.counter_position, resolver.instance);
 *     if (resolver.result != PRFDATA_RESOLVER_FOUND)
 *         complain(prfdata_resolver_text(resolver.result));
 *
 * Names hold the characters that part a path, so that a text may be read in several ways:
 * `\DC Locator (DC)\Searches` asks for the instance DC of "DC Locator", or for the object "DC
 * Locator (DC)". The ways are tried in the order of prfdata_path_next_reading(), and the first that
 * leads farthest in a sample counts: the one of which all is there. Among names, one that is there
 * to the letter comes before what a * in it would match, and blanks at its ends do not count if
 * they are all that differs.
 *
 * The rule for languages: a path names its object in one way (English, the user's language, title
 * index). Its counter is tried in the language of the object, then in the other language, then as a
 * title index, for each object by itself; the first way that names any counter of the object is the
 * only one that counts there. A * alone stands for every counter, also for those without a name.
 * What is no longer used by the installed map has no name: a provider may show it for a moment
 * after an upgrade.
 */
#ifndef PRFDATA_READER_RESOLVER_H
#define PRFDATA_READER_RESOLVER_H

#include "block/sample.h"
#include "block/titles.h"
#include "paths/path.h"

/* A path that is asked for. What is not set may be 0. */
typedef struct prfdata_resolver_path {
    uint32_t number; /* of the caller: columns of paths with different numbers are different */
    prfdata_path path;
    prfdata_text text;      /* what `path` is one reading of, if there are others; borrowed */
    prfdata_titles_way way; /* in which path.object names the object */
    uint32_t object_title;  /* not 0: the object with this title index; path.object is a label */
    uint32_t first_title; /* not 0: the objects with title indexes from this one to `last_title`; */
    uint32_t last_title;  /* path.object is a label */
    bool wants_all_objects;  /* every object of the sample; path.object is a label */
    bool wants_whole_object; /* all instances, or an object without instances */
} prfdata_resolver_path;

/* How far a path leads. The greater value is the more specific one. */
typedef enum prfdata_resolver_result {
    PRFDATA_RESOLVER_NO_OBJECT,      /* the sample has no object of this name */
    PRFDATA_RESOLVER_NO_COUNTER,     /* the object has no counter of this name */
    PRFDATA_RESOLVER_NO_INSTANCES,   /* the path names an instance; the object never has any */
    PRFDATA_RESOLVER_NEEDS_INSTANCE, /* the object has instances; the path names none */
    PRFDATA_RESOLVER_NO_INSTANCE,    /* the object has no instance of this name now */
    PRFDATA_RESOLVER_FOUND
} prfdata_resolver_result;

/* The match that was found last, for the caller to read, and where the search goes on. */
typedef struct prfdata_resolver {
    const prfdata_resolver_path *path;
    const prfdata_titles *titles;
    const prfdata_sample *sample;

    const prfdata_sample_object *object; /* NULL: no match */
    uint32_t object_position;            /* in sample->objects */
    uint32_t counter_position;           /* in object->counters */
    const prfdata_sample_instance *instance;
    prfdata_titles_way way; /* in which the path names the counters of this object */

    prfdata_resolver_result result; /* of the matches so far; final when there are no more */

    uint32_t next_object;
    uint32_t next_counter;
    uint32_t next_instance;
    bool has_counter;
} prfdata_resolver;

/*
 * Read a text as a counter path: the first reading whose object has a title, or else what the
 * grammar says.
 *
 * path   Its `path`, `way` and `text` are set on success; they borrow from the text.
 * error  Set on failure: no title fits, and the grammar finds a mistake.
 */
bool prfdata_resolver_read(prfdata_resolver_path *path, prfdata_text text,
                           const prfdata_titles *titles, prfdata_path_error *error);

/*
 * Go on to the next reading whose object has a title.
 *
 * path  Its `path` and `way` are set on success.
 *
 * Returns false if there are no more.
 */
bool prfdata_resolver_next_reading(prfdata_path_readings *readings, const prfdata_titles *titles,
                                   prfdata_resolver_path *path);

/*
 * Choose among the readings of a path by what a sample has. A choice that found something stays.
 *
 * other  Set on true: another reading that found something as well.
 *
 * Returns whether there is another one, which names its object without a pattern.
 */
bool prfdata_resolver_choose(prfdata_resolver_path *path, const prfdata_titles *titles,
                             const prfdata_sample *sample, prfdata_resolver_path *other);

/* Begin a search. All arguments are borrowed until it is over. */
void prfdata_resolver_begin(prfdata_resolver *resolver, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample);

/*
 * Go on to the next counter that the path names, whether it has the instance or not. Counters come
 * in the order of the sample. Sets all of the match but `instance`; the result never becomes
 * PRFDATA_RESOLVER_FOUND this way.
 *
 * Returns false if there are no more.
 */
bool prfdata_resolver_next_counter(prfdata_resolver *resolver);

/*
 * Go on to the next instance of a counter that the path asks for; of an object without instances,
 * the counter itself. Damaged instances are left out.
 *
 * Returns false if there are no more.
 */
bool prfdata_resolver_next(prfdata_resolver *resolver);

/* Whether the path names this object of a sample. */
bool prfdata_resolver_wants_object(const prfdata_resolver_path *path, const prfdata_titles *titles,
                                   const prfdata_sample_object *object);

#define PRFDATA_RESOLVER_NO_POSITION UINT32_MAX

/*
 * Whether a path names one instance of an object, and no pattern: then it need not be compared with
 * each of them.
 *
 * found  Set if it does: the instance's position in object->found, or PRFDATA_RESOLVER_NO_POSITION.
 */
bool prfdata_resolver_names_one(const prfdata_resolver_path *path,
                                const prfdata_sample_object *object, uint32_t *found);

/*
 * Whether the path asks for this instance of an object that it names: for callers with an order of
 * their own.
 */
bool prfdata_resolver_wants_instance(const prfdata_resolver_path *path,
                                     const prfdata_sample_object *object,
                                     const prfdata_sample_instance *instance);

/*
 * The result as a status that a counter can have: PRFDATA_STATUS_OK, PRFDATA_STATUS_NO_OBJECT,
 * PRFDATA_STATUS_NO_COUNTER or PRFDATA_STATUS_NO_INSTANCE.
 */
uint32_t prfdata_resolver_status(prfdata_resolver_result result);

/* The result as a sentence about the path, such as "the object has no such counter". */
const char *prfdata_resolver_text(prfdata_resolver_result result);

#endif
