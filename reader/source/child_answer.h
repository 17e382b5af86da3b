/* SPDX-License-Identifier: MIT */
/*
 * Decides what follows the header of a child process's answer (child.h). A provider can overwrite
 * the memory of that process, so nothing in an answer is trusted. Portable.
 */
#ifndef PRFDATA_READER_CHILD_ANSWER_H
#define PRFDATA_READER_CHILD_ANSWER_H

#include <stddef.h>
#include <stdint.h>

/* A status that no system uses: the process faulted, and the bytes are the path of the module. */
#define PRFDATA_CHILD_ANSWER_FAULT 0xE0505246u

/* Largest number of chars of a module's path, with NUL. */
#define PRFDATA_CHILD_ANSWER_PATH_CHARS 260u

typedef struct prfdata_child_answer_header {
    uint32_t status;
    uint32_t size;
} prfdata_child_answer_header;

typedef enum prfdata_child_answer_kind {
    PRFDATA_CHILD_ANSWER_HAS_BYTES,  /* `size` bytes follow */
    PRFDATA_CHILD_ANSWER_HAS_STATUS, /* nothing follows */
    PRFDATA_CHILD_ANSWER_HAS_PATH,   /* the process faulted; `size` bytes of a path follow, if the
                                        module is known */
    PRFDATA_CHILD_ANSWER_HAS_FAULT,  /* the process faulted, but `size` is no size of a path */
    PRFDATA_CHILD_ANSWER_IS_DAMAGED  /* the process cannot be used any longer */
} prfdata_child_answer_kind;

prfdata_child_answer_kind prfdata_child_answer_judge(const prfdata_child_answer_header *header);

#endif
