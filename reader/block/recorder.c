/* SPDX-License-Identifier: MIT */
/*
 * Appends samples to a recording, in pieces. Each piece is a complete recording: it begins with a
 * saved block, and has its own titles.
 */
#include "block/recorder.h"

#include <string.h>

void prfdata_recorder_init(prfdata_recorder *recorder, size_t most_bytes)
{
    memset(recorder, 0, sizeof *recorder);
    recorder->most_bytes = most_bytes;
}

void prfdata_recorder_free(prfdata_recorder *recorder)
{
    prfdata_title_set_free(&recorder->titled);
    memset(recorder, 0, sizeof *recorder);
}

/* Returns whether the sample has objects or counters whose titles are not in the piece yet, and
 * notes these titles as written. */
static bool note_titles(prfdata_recorder *recorder, const prfdata_sample *sample)
{
    const size_t before = recorder->titled.count;

    for (uint32_t i = 0; i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[i];

        (void)prfdata_title_set_add(&recorder->titled, object->wire.header.object_name_title_index);
        for (uint32_t k = 0; k < object->counter_count; k++)
            (void)prfdata_title_set_add(&recorder->titled,
                                        object->counters[k].definition.counter_name_title_index);
    }
    return recorder->titled.count > before;
}

static void put_whole(prfdata_recorder *recorder, const prfdata_sample *sample,
                      const prfdata_titles *titles, prfdata_output *output)
{
    recorder->piece++;
    recorder->bytes = 0;
    recorder->titled.count = 0;
    (void)note_titles(recorder, sample);
    prfdata_saved_block_put(output, sample, titles);
}

bool prfdata_recorder_put(prfdata_recorder *recorder, const prfdata_sample *sample,
                          const prfdata_recording_note *note, const prfdata_titles *titles,
                          prfdata_output *output)
{
    bool begins = recorder->piece == 0;

    if (!begins) {
        prfdata_recording_put(output, sample, note);
        if (note_titles(recorder, sample))
            prfdata_saved_block_put_titles(output, sample, titles);
        begins = output->used > recorder->most_bytes - recorder->bytes;
        if (begins)
            prfdata_output_free(output);
    }
    if (begins)
        put_whole(recorder, sample, titles, output);
    recorder->bytes += output->used < recorder->most_bytes - recorder->bytes
                           ? output->used
                           : recorder->most_bytes - recorder->bytes;
    return begins;
}

void prfdata_recorder_renew(prfdata_recorder *recorder)
{
    recorder->bytes = recorder->most_bytes;
}

bool prfdata_recorder_may_replace(const prfdata_recorder *recorder)
{
    return recorder->piece <= 1;
}

void prfdata_recorder_skip_name(prfdata_recorder *recorder)
{
    recorder->piece++;
}

void prfdata_recorder_put_name(const prfdata_recorder *recorder, prfdata_text first,
                               prfdata_output *output)
{
    size_t end = first.count;
    size_t name = first.count;

    while (name > 0 && first.chars[name - 1] != '\\' && first.chars[name - 1] != '/')
        name--;
    for (size_t i = first.count; i > name + 1 && end == first.count; i--) {
        if (first.chars[i - 1] == '.')
            end = i - 1;
    }
    prfdata_output_put_text(output, prfdata_text_part(first, 0, end));
    if (recorder->piece > 1)
        prfdata_output_format(output, "-%u", (unsigned)recorder->piece);
    prfdata_output_put_text(output, prfdata_text_part(first, end, first.count));
}
