/* SPDX-License-Identifier: MIT */
/* The room for a reply of a DLL: what does not fit is counted and not written. */
#ifndef PRFDATA_TESTS_REPLY_ROOM_H
#define PRFDATA_TESTS_REPLY_ROOM_H

#include <string.h>

#include <windows.h>

typedef struct reply_room {
    BYTE *bytes;
    DWORD capacity;
    DWORD used; /* may exceed the capacity: then nothing more is written */
} reply_room;

/* Returns where the data begin. */
static inline DWORD reply_room_put(reply_room *room, const void *data, DWORD size)
{
    DWORD offset = room->used;

    room->used += size;
    if (room->used <= room->capacity)
        memcpy(room->bytes + offset, data, size);
    return offset;
}

/* Write a number where others were put before. */
static inline void reply_room_patch(const reply_room *room, DWORD offset, DWORD value)
{
    if (room->used <= room->capacity)
        memcpy(room->bytes + offset, &value, sizeof value);
}

#endif
