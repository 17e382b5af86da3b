/* SPDX-License-Identifier: MIT */
/* The contents of the pipes between a reader and a process that asks providers. */
#ifndef PRFDATA_READER_CHILD_PIPE_H
#define PRFDATA_READER_CHILD_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <windows.h>

/* A question goes into the pipe at once, also if the process hangs. */
#define PRFDATA_CHILD_PIPE_BYTES       65536u
#define PRFDATA_CHILD_PIPE_QUERY_CHARS 16000u

/* Queries that no provider gets: what is known of another computer. */
#define PRFDATA_CHILD_PIPE_TITLES  "?titles"
#define PRFDATA_CHILD_PIPE_HELPS   "?helps"
#define PRFDATA_CHILD_PIPE_OBJECTS "?objects"
#define PRFDATA_CHILD_PIPE_STAMP   "?stamp"

/* A status that no system has: the process faulted, and the bytes are the path of the module. */
#define PRFDATA_CHILD_PIPE_FAULT 0xE0505246u

/* Before the bytes of an answer. */
typedef struct prfdata_child_pipe_header {
    uint32_t status;
    uint32_t size;
} prfdata_child_pipe_header;

/* How much of this many bytes goes at once. */
DWORD prfdata_child_pipe_part(size_t size);

/* Write all bytes. Returns false: nobody reads them. */
bool prfdata_child_pipe_write(HANDLE pipe, const void *bytes, size_t size);

#endif
