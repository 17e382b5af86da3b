/* SPDX-License-Identifier: MIT */
/* Implements child_answer.h: limits what is read after a header. */
#include "source/child_answer.h"

#include <prfdata/error.h>

#include "block/saved_block.h"

prfdata_child_answer_kind prfdata_child_answer_judge(const prfdata_child_answer_header *header)
{
    if (header->status == PRFDATA_CHILD_ANSWER_FAULT)
        return header->size <= (PRFDATA_CHILD_ANSWER_PATH_CHARS - 1) * sizeof(uint16_t) &&
                       header->size % sizeof(uint16_t) == 0
                   ? PRFDATA_CHILD_ANSWER_HAS_PATH
                   : PRFDATA_CHILD_ANSWER_HAS_FAULT;
    if (header->status != ERROR_SUCCESS)
        return PRFDATA_CHILD_ANSWER_HAS_STATUS;
    return header->size <= PRFDATA_SAVED_BLOCK_LIMIT ? PRFDATA_CHILD_ANSWER_HAS_BYTES
                                                     : PRFDATA_CHILD_ANSWER_IS_DAMAGED;
}
