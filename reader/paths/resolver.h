/* SPDX-License-Identifier: MIT */
/*
 * Decides what a counter path means in a sample: which counters of which objects, and which of
 * their instances. No other code decides this, so a path means the same in every format and view.
 *
 *     prfdata_resolver_begin(&resolver, &path, titles, sample);
 *     while (prfdata_resolver_next(&resolver))
 *         show(resolver.object, resolver.counter_position, resolver.instance);
 *     if (resolver.result != PRFDATA_RESOLVER_FOUND)
 *         complain(prfdata_resolver_text(resolver.result));
 *
 * Names can contain the characters that separate the parts of a path, so a text may have several
 * readings: `\DC Locator (DC)\Searches` asks for the instance DC of "DC Locator", or for the object
 * "DC Locator (DC)". The readings are tried in the order of prfdata_path_next_reading(). The
 * reading that leads farthest in a sample is used; if there are several, the first of them. A * in
 * a name is first taken literally, then as a pattern. Blanks at the ends of a name are ignored if
 * nothing else differs.
 *
 * The rule for languages: a path names its object in one way (English, the user's language, title
 * index). For each object, the counter is looked up in the language in which the object was named,
 * then in the other language, then as a title index. Only the first way that names any counter of
 * the object is used. A single * means every counter, including those without a name. A counter
 * whose title the installed map no longer uses is never found, even if a provider still shows it
 * after an upgrade.
 */
#ifndef PRFDATA_READER_RESOLVER_H
#define PRFDATA_READER_RESOLVER_H

#include "block/sample.h"
#include "block/titles.h"
#include "paths/path.h"

typedef struct prfdata_resolver_path {
    /* Set by the caller. Paths with different numbers never share a column. */
    uint32_t number;
    prfdata_path path;
    prfdata_text text;      /* the whole text; empty: no other reading is tried; borrowed */
    prfdata_titles_way way; /* how path.object names the object */
    /* Not 0: the path means the object with this title index, and path.object is only a label. */
    uint32_t object_title;
    uint32_t first_title; /* not 0: the path means the objects with title indexes from this one to
                             `last_title`, and path.object is only a label */
    uint32_t last_title;
    bool wants_all_objects;  /* the path means every object of the sample; path.object is only a
                                label */
    bool wants_whole_object; /* the path means all instances of the object, or the object itself
                                if it has none */
} prfdata_resolver_path;

/* How far a path leads in a sample. A greater value is farther. */
typedef enum prfdata_resolver_result {
    PRFDATA_RESOLVER_NO_OBJECT,      /* the sample has no object of this name */
    PRFDATA_RESOLVER_NO_COUNTER,     /* the object has no counter of this name */
    PRFDATA_RESOLVER_NO_INSTANCES,   /* the path names an instance, but the object never has any */
    PRFDATA_RESOLVER_NEEDS_INSTANCE, /* the object has instances, but the path names none */
    PRFDATA_RESOLVER_NO_INSTANCE,    /* the object has no instance of this name now */
    PRFDATA_RESOLVER_FOUND
} prfdata_resolver_result;

#define PRFDATA_RESOLVER_TITLES 16u

/* The indexes of the titles that a text names. */
typedef struct prfdata_resolver_titles {
    uint32_t items[PRFDATA_RESOLVER_TITLES];
    uint32_t count;
    bool is_complete; /* false: the text is a pattern, or names more titles than fit here, so it
                         must be compared with each title */
} prfdata_resolver_titles;

/* The last match, for the caller to read, and the state of the search. */
typedef struct prfdata_resolver {
    const prfdata_resolver_path *path;
    const prfdata_titles *titles;
    const prfdata_sample *sample;

    const prfdata_sample_object *object; /* NULL: no match */
    uint32_t object_position;            /* in sample->objects */
    uint32_t counter_position;           /* in object->counters */
    const prfdata_sample_instance *instance;
    prfdata_titles_way way; /* how the path names the counters of this object */

    prfdata_resolver_result result;

    uint32_t next_object;
    uint32_t next_counter;
    uint32_t next_instance;
    bool has_counter;
    prfdata_resolver_titles object_titles;
    prfdata_resolver_titles counter_titles; /* titles that the path's counter names, by `way` */
} prfdata_resolver;

/*
 * Read a text as a counter path. The result is the first reading whose object has a title. If there
 * is no such reading, the result is that of prfdata_path_parse().
 *
 * path   Its `path`, `way` and `text` are set on success; they borrow from the text.
 * error  Set on failure: the mistake in the text.
 */
bool prfdata_resolver_read(prfdata_resolver_path *path, prfdata_text text,
                           const prfdata_titles *titles, prfdata_path_error *error);

/*
 * Get the next reading whose object has a title.
 *
 * path  Its `path` and `way` are set on success.
 *
 * Returns false if there is none left.
 */
bool prfdata_resolver_next_reading(prfdata_path_readings *readings, const prfdata_titles *titles,
                                   prfdata_resolver_path *path);

/*
 * Choose the reading of a path that leads farthest in a sample. Later calls keep a reading that has
 * found something.
 *
 * other  Set to the other reading if the result is true.
 *
 * Returns whether another reading, which names its object without a pattern, found something as
 * well.
 */
bool prfdata_resolver_choose(prfdata_resolver_path *path, const prfdata_titles *titles,
                             const prfdata_sample *sample, prfdata_resolver_path *other);

/* Begin a search. All arguments are borrowed until its end. */
void prfdata_resolver_begin(prfdata_resolver *resolver, const prfdata_resolver_path *path,
                            const prfdata_titles *titles, const prfdata_sample *sample);

/*
 * Move to the next object that the path names, whatever its counters are. Sets only `object` and
 * `object_position`. A search that calls this function must not call the two functions below.
 *
 * Returns false at the end.
 */
bool prfdata_resolver_next_object(prfdata_resolver *resolver);

/*
 * Move to the next counter that the path names, even if its object lacks the instance. Counters
 * come in the order of the sample. Sets all fields of the match; `instance` becomes NULL. `result`
 * never becomes PRFDATA_RESOLVER_FOUND.
 *
 * Returns false at the end.
 */
bool prfdata_resolver_next_counter(prfdata_resolver *resolver);

/*
 * Move to the next instance of a counter that the path asks for, or to the counter itself if the
 * object has no instances. Damaged instances are left out.
 *
 * Returns false at the end.
 */
bool prfdata_resolver_next(prfdata_resolver *resolver);

/* Returns whether the path names this object of a sample. */
bool prfdata_resolver_wants_object(const prfdata_resolver_path *path, const prfdata_titles *titles,
                                   const prfdata_sample_object *object);

#define PRFDATA_RESOLVER_NO_POSITION UINT32_MAX

/*
 * Returns whether a path names a single instance of an object. The caller can then use `found`, and
 * need not compare the path with each instance.
 *
 * found  Set if the result is true: the instance's position in object->found;
 *        PRFDATA_RESOLVER_NO_POSITION: the object lacks the instance.
 */
bool prfdata_resolver_names_one(const prfdata_resolver_path *path,
                                const prfdata_sample_object *object, uint32_t *found);

/* Returns whether the path asks for this instance of an object that the path names. */
bool prfdata_resolver_wants_instance(const prfdata_resolver_path *path,
                                     const prfdata_sample_object *object,
                                     const prfdata_sample_instance *instance);

/*
 * Return the result as the status of a counter: PRFDATA_STATUS_OK, PRFDATA_STATUS_NO_OBJECT,
 * PRFDATA_STATUS_NO_COUNTER or PRFDATA_STATUS_NO_INSTANCE.
 */
uint32_t prfdata_resolver_status(prfdata_resolver_result result);

/* Return the result as a message about the path, such as "the object has no such counter". */
const char *prfdata_resolver_text(prfdata_resolver_result result);

#endif
