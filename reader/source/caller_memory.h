/* SPDX-License-Identifier: MIT */
/*
 * Allocates memory for the calls of a thread between inaccessible pages, so that a read or write
 * outside the buffer, the query or the context is detected. Windows only.
 */
#ifndef PRFDATA_READER_CALLER_MEMORY_H
#define PRFDATA_READER_CALLER_MEMORY_H

#include "source/caller.h"

/* Round a size up to whole pages of 4096 bytes. */
size_t prfdata_caller_memory_round(size_t bytes);

/* Copy bytes so that the copy ends at an inaccessible page. Returns NULL without memory. Release
 * *pages with prfdata_caller_memory_free(). */
void *prfdata_caller_memory_copy(const void *bytes, size_t size, void **pages);

/* NULL is allowed. */
void prfdata_caller_memory_free(void *pages);

/*
 * Make sure that the thread has memory for the buffer and its surroundings. New memory is filled
 * with the pattern.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_memory_reserve(prfdata_caller_thread *thread,
                                       const prfdata_caller_question *question);

/* Returns whether the thread's copy holds this query. */
bool prfdata_caller_memory_has_query(const prfdata_caller_thread *thread, const wchar_t *query);

/*
 * Copy the query so that its NUL ends at an inaccessible page. The thread owns one copy, which
 * stays valid until another query is copied.
 *
 * copy  Set; NULL if the query is NULL.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_memory_copy_query(prfdata_caller_thread *thread, const wchar_t *query,
                                          wchar_t **copy);

void prfdata_caller_memory_release(prfdata_caller_thread *thread);

#endif
