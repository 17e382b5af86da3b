/* SPDX-License-Identifier: MIT */
/* Declares a reply that is being checked: its objects, counters and instances as far as they can be
 * read, and the place for findings. */
#ifndef PRFDATA_READER_VALIDATED_H
#define PRFDATA_READER_VALIDATED_H

#include "block/wire_fields.h"
#include "text/text.h"
#include "validate/validate.h"

/* Only this many counters of an object are compared, and have their values checked. */
#define PRFDATA_VALIDATED_MAX_COMPARED 1024u

typedef struct prfdata_validated_counter {
    uint64_t at; /* where the definition begins */
    prfdata_perf_counter_definition definition;
} prfdata_validated_counter;

typedef struct prfdata_validated_instance {
    uint64_t at;           /* where the definition begins; if there is none, where the counter
                              block begins */
    uint64_t values;       /* where the counter block begins */
    uint32_t values_bytes; /* ByteLength of the counter block */
    prfdata_perf_instance_definition definition; /* zeros if there is no definition */
    prfdata_text name;                           /* borrows from the object's `chars` */
    /* Names that are equal have the same hash; 0: no name. */
    uint64_t name_hash;
} prfdata_validated_instance;

typedef struct prfdata_validated_object {
    uint64_t at;
    prfdata_perf_object_type header;
    uint64_t end;            /* where the object ends by its TotalByteLength; if that is invalid,
                                the end of the reply */
    bool end_is_known;       /* TotalByteLength fits */
    uint64_t contents;       /* where the instances or the counter block begin */
    bool contents_are_known; /* `contents` is set */
    prfdata_validated_counter *counters;
    uint32_t counter_count;                /* number of counters that could be read */
    prfdata_validated_instance *instances; /* for an object without instances: its counter block */
    uint32_t instance_count;               /* number of instances that could be read */
    uint16_t *chars;                       /* chars of the names */
} prfdata_validated_object;

typedef struct prfdata_validated_title {
    uint32_t title;
    uint32_t position;
} prfdata_validated_title;

typedef struct prfdata_validated {
    prfdata_bytes bytes;            /* borrowed */
    uint32_t said_count;            /* number of objects, as Collect returned it */
    prfdata_validate_titles titles; /* zeros: not known, so not checked */
    bool is_metadata;               /* the reply answers a metadata query */
    prfdata_findings *findings;     /* borrowed; NULL: the reply is only read */
    prfdata_validated_object *objects;
    uint32_t object_count;             /* number of objects that could be read */
    prfdata_validated_title *by_title; /* the same objects, sorted by title and position */
    bool is_out_of_memory; /* parts of the reply could not be read, because there was no memory */
} prfdata_validated;

/* The offset in the reply of a field of an object, a counter or an instance. */
#define PRFDATA_OBJECT_AT(o, field)   ((o)->at + PRFDATA_WIRE_OFFSET(object_type, field))
#define PRFDATA_COUNTER_AT(c, field)  ((c)->at + PRFDATA_WIRE_OFFSET(counter_definition, field))
#define PRFDATA_INSTANCE_AT(i, field) ((i)->at + PRFDATA_WIRE_OFFSET(instance_definition, field))

/* Add a finding, unless the reply is only read. Takes the rule's name without prefix, and then the
 * arguments of prfdata_findings_add(). */
#define PRFDATA_FIND(j, rule, ...)                                                                 \
    do {                                                                                           \
        if ((j)->findings)                                                                         \
            prfdata_findings_add((j)->findings, PRFDATA_RULE_##rule, __VA_ARGS__);                 \
    } while (0)

/*
 * Allocate `count` elements of zeros, and one more; any `count` is allowed. NULL: no memory, which
 * `j` remembers. Owner: the caller; free().
 */
void *prfdata_validated_array(prfdata_validated *j, uint64_t count, size_t item_bytes);

/* Sort the objects by title. If there is no memory, no object can be found. */
void prfdata_validated_sort_titles(prfdata_validated *j);

/* Return the first object with this title, or NULL. */
const prfdata_validated_object *prfdata_validated_find(const prfdata_validated *j, uint32_t title);

/* Returns whether the object may have instances, even if it has none now. False for metadata. */
bool prfdata_validated_has_instances(const prfdata_validated_object *o);

/* Get a counter's value in an instance's block. Returns false if the counter has no number
 * there. */
bool prfdata_validated_value(const prfdata_validated *j, const prfdata_validated_counter *c,
                             const prfdata_validated_instance *i, uint64_t *value);

/* Returns whether the instance is called _Total, which stands for all other instances. */
bool prfdata_validated_is_total(const prfdata_validated_instance *i);

/*
 * Compare names for qsort(), ignoring case: 0 if equal. Otherwise the order is arbitrary, except
 * that instances without a name come first.
 */
int prfdata_validated_order_names(const prfdata_validated_instance *a,
                                  const prfdata_validated_instance *b);

/* Compare numbers for qsort(): below 0, 0 or above 0. */
int prfdata_validated_order(int64_t a, int64_t b);

/* Release all parts of the reply; the caller owns the findings and the bytes. */
void prfdata_validated_free(prfdata_validated *j);

#endif
