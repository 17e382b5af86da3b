/* SPDX-License-Identifier: MIT */
/*
 * Names the place in a reply to which a byte belongs: the object, the counter, the instance and the
 * field. Portable.
 */
#ifndef PRFDATA_READER_SPOT_H
#define PRFDATA_READER_SPOT_H

#include <stdint.h>

struct prfdata_validate_reply;

/* All zeros: nothing is known. */
typedef struct prfdata_spot {
    uint32_t object;   /* title index of the object's name; 0: none */
    uint32_t counter;  /* title index of the counter's name; 0: none, or a base without a title */
    uint32_t type;     /* CounterType of the counter */
    char instance[48]; /* name of the instance, with ? for each character that is not printable
                          ASCII; "": none */
    char field[40];    /* the name in winperf.h, such as "NumInstances", or "name" or "value"; "":
                          none */
} prfdata_spot;

/* Find the spot of the byte at `offset`.
 *
 * spot  Set; the members that cannot be found are zero. */
void prfdata_spot_find(const struct prfdata_validate_reply *reply, uint64_t offset,
                       prfdata_spot *spot);

#endif
