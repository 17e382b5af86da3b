/* SPDX-License-Identifier: MIT */
/* Declares what a reader and its child process need for the pipes between them. */
#ifndef PRFDATA_READER_CHILD_PIPE_H
#define PRFDATA_READER_CHILD_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

/* Large enough for a whole question, so that writing it does not wait even if the process hangs. */
#define PRFDATA_CHILD_PIPE_BYTES       65536u
#define PRFDATA_CHILD_PIPE_QUERY_CHARS 16000u

/* Queries for facts about another computer. They never go to a provider. */
#define PRFDATA_CHILD_PIPE_TITLES  "?titles"
#define PRFDATA_CHILD_PIPE_HELPS   "?helps"
#define PRFDATA_CHILD_PIPE_OBJECTS "?objects"
#define PRFDATA_CHILD_PIPE_STAMP   "?stamp"

/* Return how many of `size` bytes to transfer at once. */
DWORD prfdata_child_pipe_part(size_t size);

/* Write all bytes. Returns false if the other end of the pipe is closed. */
bool prfdata_child_pipe_write(HANDLE pipe, const void *bytes, size_t size);

#endif
