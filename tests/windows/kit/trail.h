/* SPDX-License-Identifier: MIT */
/* Declares how the kit's provider records its calls, and how the kit reads them: one line for each
 * call, with fields separated by tabs. Portable.
 *
 *     Collect  4711  4712  typeperf.exe  S-1-5-21-...  1  0  1000  2000  65536  0  "Global"
 *
 * In a string, backslash, tab and line ends are written \\ \t \r \n. */
#ifndef PRFDATA_KIT_TRAIL_H
#define PRFDATA_KIT_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kit_call {
    char name[12]; /* Open, Collect or Close */
    uint32_t process;
    uint32_t thread;
    char program[64];
    /* A SID, then "of the process", or "of the thread" and the level of its token, then the type of
     * the logon. */
    char account[140];
    uint32_t session;
    uint32_t has_global; /* 1: SeCreateGlobalPrivilege is enabled */
    uint64_t begin;      /* times are ticks of one clock */
    uint64_t end;
    uint32_t size; /* size of the buffer of Collect */
    uint32_t status;
    bool is_null; /* whether the call got no string */
    char text[1024];
} kit_call;

/* Writes the line with its end. Cuts the string if it does not fit. Returns the number of bytes, or
 * 0 if the other fields do not fit. */
size_t kit_trail_line(const kit_call *call, char *line, size_t capacity);

/* Reads a line that ends with \n or NUL. Returns false if it has another form. */
bool kit_trail_parse(const char *line, kit_call *call);

/* Reads all lines of a text and stores at most `capacity` of them. Returns how many there are. */
size_t kit_trail_parse_all(const char *text, kit_call *calls, size_t capacity);

size_t kit_trail_count(const kit_call *calls, size_t count, const char *name);

/* Returns whether two threads of one process were in Collect at the same time. */
bool kit_trail_overlaps(const kit_call *calls, size_t count);

/* Writes the programs, accounts and sessions of the calls, each once: "a.exe S-1-5-18 session 0;
 * ...". */
void kit_trail_hosts(const kit_call *calls, size_t count, char *text, size_t capacity);

#endif
