/* SPDX-License-Identifier: MIT */
/* Holds the reply of a test provider. Bytes that do not fit are counted but not written. */
#ifndef PRFDATA_TESTS_REPLY_ROOM_H
#define PRFDATA_TESTS_REPLY_ROOM_H

#include <string.h>

#include <windows.h>

typedef struct reply_room {
    BYTE *bytes;
    DWORD capacity;
    DWORD used; /* may exceed the capacity; then nothing more is written */
} reply_room;

/* Appends data. Returns the offset at which they begin. */
static inline DWORD reply_room_put(reply_room *room, const void *data, DWORD size)
{
    DWORD offset = room->used;

    room->used += size;
    if (room->used <= room->capacity)
        memcpy(room->bytes + offset, data, size);
    return offset;
}

/* Replaces a number that was put before. */
static inline void reply_room_patch(const reply_room *room, DWORD offset, DWORD value)
{
    if (room->used <= room->capacity)
        memcpy(room->bytes + offset, &value, sizeof value);
}

#endif
