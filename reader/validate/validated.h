/* SPDX-License-Identifier: MIT */
/*
 * A reply while it is checked: its objects, counters and instances as far as they are there, and
 * where findings about them go. The validate_*.c files fill it in and check it, each a part of it;
 * the rules are theirs.
 */
#ifndef PRFDATA_READER_VALIDATED_H
#define PRFDATA_READER_VALIDATED_H

#include "block/wire_fields.h"
#include "text/text.h"
#include "validate/validate.h"

/* Counters are compared with each other up to this position; PrfData's maps end there. */
#define PRFDATA_VALIDATED_MAX_COMPARED 1024u

typedef struct prfdata_validated_counter {
    uint64_t at; /* of the definition */
    prfdata_perf_counter_definition definition;
} prfdata_validated_counter;

typedef struct prfdata_validated_instance {
    uint64_t at;           /* where the definition begins; without one, the counter block */
    uint64_t values;       /* where the counter block begins */
    uint32_t values_bytes; /* its ByteLength */
    prfdata_perf_instance_definition definition; /* zeros without one */
    prfdata_text name;                           /* in the object's `chars` */
    uint64_t name_hash;                          /* of names that are equal it is; 0: no name */
} prfdata_validated_instance;

typedef struct prfdata_validated_object {
    uint64_t at;
    prfdata_perf_object_type header;
    uint64_t end;            /* by TotalByteLength; else the end of the reply */
    bool end_is_known;       /* TotalByteLength fits */
    uint64_t contents;       /* where the instances or the counter block begin */
    bool contents_are_known; /* `contents` is set */
    prfdata_validated_counter *counters;
    uint32_t counter_count;                /* of those that are there */
    prfdata_validated_instance *instances; /* of an object without instances: its counter block */
    uint32_t instance_count;               /* of those that are there */
    uint16_t *chars;                       /* of the names */
} prfdata_validated_object;

/* The position of the object that has a title. */
typedef struct prfdata_validated_title {
    uint32_t title;
    uint32_t position;
} prfdata_validated_title;

typedef struct prfdata_validated {
    prfdata_bytes bytes;            /* borrowed */
    uint32_t said_count;            /* of objects, as Collect says */
    prfdata_validate_titles titles; /* zeros: not known, not checked */
    bool is_metadata;               /* the reply answers a metadata query */
    prfdata_findings *findings;     /* borrowed; NULL: the reply is only read */
    prfdata_validated_object *objects;
    uint32_t object_count;             /* number of those that are there */
    prfdata_validated_title *by_title; /* the same objects, sorted by title and position */
    bool is_out_of_memory;             /* something is missing */
} prfdata_validated;

/* The offset in the reply of a field of an object, a counter or an instance. */
#define PRFDATA_OBJECT_AT(o, field)   ((o)->at + PRFDATA_WIRE_OFFSET(object_type, field))
#define PRFDATA_COUNTER_AT(c, field)  ((c)->at + PRFDATA_WIRE_OFFSET(counter_definition, field))
#define PRFDATA_INSTANCE_AT(i, field) ((i)->at + PRFDATA_WIRE_OFFSET(instance_definition, field))

/* Add a finding, unless the reply is only read: the rule's name without prefix, then as
 * prfdata_findings_add() takes it. */
#define PRFDATA_FIND(j, rule, ...)                                                                 \
    do {                                                                                           \
        if ((j)->findings)                                                                         \
            prfdata_findings_add((j)->findings, PRFDATA_RULE_##rule, __VA_ARGS__);                 \
    } while (0)

/*
 * Allocate `count` elements of zeros, of any number, and one more. NULL: no memory, which the
 * checked reply remembers. Owner: the caller; free().
 */
void *prfdata_validated_array(prfdata_validated *j, uint64_t count, size_t item_bytes);

/* Sort the objects by title. No memory: no object can be found. */
void prfdata_validated_sort_titles(prfdata_validated *j);

/* The first object with this title, or NULL. */
const prfdata_validated_object *prfdata_validated_find(const prfdata_validated *j, uint32_t title);

/* Whether the object has instances, maybe none now; also false for metadata. */
bool prfdata_validated_has_instances(const prfdata_validated_object *o);

/* Get a counter's value in an instance's block. Returns false if there is no number of it. */
bool prfdata_validated_value(const prfdata_validated *j, const prfdata_validated_counter *c,
                             const prfdata_validated_instance *i, uint64_t *value);

/* Whether the instance is called _Total: it stands for the others. */
bool prfdata_validated_is_total(const prfdata_validated_instance *i);

/* Order by name as qsort() wants it, ignoring case: 0 if equal; any other order, but none first. */
int prfdata_validated_order_names(const prfdata_validated_instance *a,
                                  const prfdata_validated_instance *b);

/* Order numbers as qsort() wants it: below 0, 0 or above 0. */
int prfdata_validated_order(int64_t a, int64_t b);

/* Release all parts of the reply; the caller owns the findings and the bytes. */
void prfdata_validated_free(prfdata_validated *j);

#endif
