/* SPDX-License-Identifier: MIT */
/* Keeps notes in a list, because there are few. */
#include "viewer/line_notes.h"

#include <stdio.h>

#include "base/array.h"
#include "viewer/noted.h"

#define LINE_NAME "line"

const prfdata_line_note *prfdata_line_notes_find(const prfdata_line_notes *notes, prfdata_text path)
{
    return prfdata_noted_find(notes->items, notes->count, sizeof *notes->items, path);
}

void prfdata_line_notes_forget(prfdata_line_notes *notes, prfdata_text path)
{
    prfdata_line_note *note =
        prfdata_noted_find(notes->items, notes->count, sizeof *notes->items, path);

    if (!note)
        return;
    prfdata_text_free(&note->path);
    *note = notes->items[--notes->count];
}

void prfdata_line_notes_set(prfdata_line_notes *notes, const prfdata_line_note *note)
{
    prfdata_line_note own = *note;
    prfdata_line_note *items;

    own.path = (prfdata_text){NULL, 0};
    if (!prfdata_text_copy(note->path, &own.path))
        return;
    prfdata_line_notes_forget(notes, own.path);
    items = prfdata_array_reserve(notes->items, &notes->capacity, notes->count + 1, sizeof *items);
    if (items)
        notes->items = items;
    if (!items || notes->count == PRFDATA_LINE_NOTES_MOST) {
        prfdata_text_free(&own.path);
        return;
    }
    items[notes->count++] = own;
}

void prfdata_line_notes_free(prfdata_line_notes *notes)
{
    prfdata_noted_free(notes->items, notes->count, sizeof *notes->items);
    *notes = (prfdata_line_notes){NULL, 0, 0};
}

void prfdata_line_notes_put(const prfdata_line_notes *notes, prfdata_workspace *workspace)
{
    for (size_t i = 0; i < notes->count; i++) {
        const prfdata_line_note *note = &notes->items[i];
        char numbers[40];

        (void)snprintf(numbers, sizeof numbers, "%u %u %u %u ", (unsigned)note->is_hidden,
                       (unsigned)note->is_apart, (unsigned)note->is_log, (unsigned)note->colour);
        prfdata_workspace_put_prefixed(workspace, LINE_NAME, numbers, note->path);
    }
}

void prfdata_line_notes_read(prfdata_line_notes *notes, const prfdata_workspace *workspace)
{
    prfdata_text value;

    for (size_t i = 0; prfdata_workspace_get(workspace, LINE_NAME, i, &value); i++) {
        uint32_t numbers[4];
        size_t found = 0;

        while (found < 4 && prfdata_workspace_take_number(&value, &numbers[found]))
            found++;
        if (found == 4 && value.count > 0)
            prfdata_line_notes_set(notes,
                                   &(prfdata_line_note){value, numbers[0] != 0, numbers[1] != 0,
                                                        numbers[2] != 0, numbers[3]});
    }
}
