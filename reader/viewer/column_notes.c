/* SPDX-License-Identifier: MIT */
/* Keeps notes in a list, because there are few. */
#include "viewer/column_notes.h"

#include <stdio.h>

#include "base/array.h"
#include "viewer/noted.h"

#define NOTE_NAME "column"

static prfdata_column_note *find_or_add_note(prfdata_column_notes *notes, prfdata_text path)
{
    prfdata_column_note *items =
        prfdata_noted_find(notes->items, notes->count, sizeof *notes->items, path);
    const size_t at = notes->count;

    if (items)
        return items;
    if (at == PRFDATA_COLUMN_NOTES_MOST)
        return NULL;
    items = prfdata_array_reserve(notes->items, &notes->capacity, at + 1, sizeof *items);
    if (!items)
        return NULL;
    notes->items = items;
    items[at].path = (prfdata_text){NULL, 0};
    if (!prfdata_text_copy(path, &items[at].path))
        return NULL;
    notes->count++;
    return &items[at];
}

void prfdata_column_notes_set(prfdata_column_notes *notes, const prfdata_column_note *note)
{
    prfdata_column_note *own = find_or_add_note(notes, note->path);

    if (!own)
        return;
    own->position = note->position;
    own->width = note->width < PRFDATA_COLUMN_NOTES_MOST_WIDTH ? note->width
                                                               : PRFDATA_COLUMN_NOTES_MOST_WIDTH;
    own->is_hidden = note->is_hidden;
}

const prfdata_column_note *prfdata_column_notes_find(const prfdata_column_notes *notes,
                                                     prfdata_text path)
{
    return prfdata_noted_find(notes->items, notes->count, sizeof *notes->items, path);
}

void prfdata_column_notes_free(prfdata_column_notes *notes)
{
    prfdata_noted_free(notes->items, notes->count, sizeof *notes->items);
    *notes = (prfdata_column_notes){NULL, 0, 0};
}

void prfdata_column_notes_put(const prfdata_column_notes *notes, prfdata_workspace *workspace)
{
    for (size_t i = 0; i < notes->count; i++) {
        const prfdata_column_note *note = &notes->items[i];
        char numbers[40];

        (void)snprintf(numbers, sizeof numbers, "%u %u %u ", (unsigned)note->position,
                       (unsigned)note->width, (unsigned)note->is_hidden);
        prfdata_workspace_put_prefixed(workspace, NOTE_NAME, numbers, note->path);
    }
}

void prfdata_column_notes_read(prfdata_column_notes *notes, const prfdata_workspace *workspace)
{
    prfdata_text value;

    for (size_t i = 0; prfdata_workspace_get(workspace, NOTE_NAME, i, &value); i++) {
        prfdata_column_note note;
        uint32_t hidden;

        if (!prfdata_workspace_take_number(&value, &note.position) ||
            !prfdata_workspace_take_number(&value, &note.width) ||
            !prfdata_workspace_take_number(&value, &hidden) || value.count == 0)
            continue;
        note.is_hidden = hidden != 0;
        note.path = value;
        prfdata_column_notes_set(notes, &note);
    }
}

void prfdata_column_notes_order(const uint32_t *positions, uint32_t count, int *order)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;

        while (at > 0 && positions[order[at - 1]] > positions[i]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = (int)i;
    }
}
