/* SPDX-License-Identifier: MIT */
/*
 * Memory for the calls of a thread, between inaccessible pages: what a provider reads or writes
 * outside of its buffer, its query or its context is seen. Windows only.
 */
#ifndef PRFDATA_READER_CALLER_ROOM_H
#define PRFDATA_READER_CALLER_ROOM_H

#include "source/caller.h"

/* So many bytes in whole units of memory. */
size_t prfdata_caller_room_round(size_t bytes);

/* Copy bytes so that they end at an inaccessible page. NULL: no memory; else free *pages. */
void *prfdata_caller_room_copy(const void *bytes, size_t size, void **pages);

/* Release pages; NULL is allowed. */
void prfdata_caller_room_free(void *pages);

/*
 * Have memory for the buffer and what is around it; where it was made, it is all pattern.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_room_reserve(prfdata_caller_thread *thread,
                                     const prfdata_caller_question *question);

/* Whether the thread's copy is of this query. */
bool prfdata_caller_room_has_query(const prfdata_caller_thread *thread, const wchar_t *query);

/*
 * Copy the query so that its NUL is the last thing before an inaccessible page; the copy before it
 * is gone then.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_room_copy_query(prfdata_caller_thread *thread, const wchar_t *query,
                                        wchar_t **copy);

/* Release all of a thread's memory. */
void prfdata_caller_room_release(prfdata_caller_thread *thread);

#endif
