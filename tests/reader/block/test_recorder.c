/* SPDX-License-Identifier: MIT */
/* Tests what each piece of a recording contains, and when a recorder begins another piece. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/recorder.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire_sample.h"

/* Make objects 100, 102 and so on. Each has one counter, whose title is higher by 100. */
static prfdata_sample *sample_of_objects(uint32_t count, uint32_t value)
{
    wire w;

    memset(&w, 0, sizeof w);
    wire_begin(&w, count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t object = wire_object(&w, 100 + 2 * i, 1, -1, 0);

        wire_counter(&w, 200 + 2 * i, 0x00010100, 8, 8);
        wire_value64(&w, value);
        wire_object_end(&w, object);
    }
    wire_end(&w);
    return wire_sample(&w);
}

/* Make object 100 with the counters 200, 202 and so on. */
static prfdata_sample *sample_of_counters(uint32_t count)
{
    size_t object;
    wire w;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, 100, count, -1, 0);
    for (uint32_t i = 0; i < count; i++)
        wire_counter(&w, 200 + 2 * i, 0x00010100, 8, 8);
    wire_value64(&w, 1);
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static prfdata_titles titles_of_objects(void)
{
    prfdata_titles titles = {0};
    uint16_t chars[16];

    for (uint32_t i = 0; i < 3; i++) {
        const char name[] = {'O', (char)('0' + i), 0};

        assert_int_equal(
            prfdata_name_table_add(&titles.english, 100 + 2 * i, ascii_text(name, chars)),
            ERROR_SUCCESS);
    }
    return titles;
}

/* Read a piece. Returns the number of its samples. `names` gets the number of its names. */
static size_t read_piece(const prfdata_output *piece, size_t *names)
{
    prfdata_recording recording = {0};
    prfdata_decode_error error;
    void *copy = malloc(piece->used);
    size_t count;

    assert_non_null(copy);
    memcpy(copy, piece->bytes, piece->used);
    assert_int_equal(prfdata_recording_read(copy, piece->used, &recording, &error), ERROR_SUCCESS);
    assert_null(recording.mistake);
    free(copy);
    count = recording.count;
    *names = recording.titles.english.count;
    prfdata_recording_free(&recording);
    return count;
}

/* Record a sample of this many objects. Returns whether it began another piece. */
static bool record_objects(prfdata_recorder *recorder, const prfdata_titles *titles, uint32_t count,
                           prfdata_output *piece)
{
    prfdata_sample *sample = sample_of_objects(count, count);
    prfdata_output part = {0};
    const bool begins = prfdata_recorder_put(recorder, sample, NULL, titles, &part);

    if (begins)
        prfdata_output_free(piece);
    prfdata_output_put(piece, part.bytes, part.used);
    assert_false(piece->failed);
    prfdata_output_free(&part);
    prfdata_sample_free(sample);
    return begins;
}

/* Each piece can be read without the others, because it has the names of all of its samples. */
static void test_recorder_pieces_are_whole_and_not_too_large(void **state)
{
    prfdata_titles titles = titles_of_objects();
    prfdata_output piece = {0};
    prfdata_recorder recorder;
    uint32_t pieces = 0;
    size_t samples = 0;

    (void)state;
    prfdata_recorder_init(&recorder, 2000);
    for (uint32_t i = 0; i < 30; i++) {
        size_t names;

        if (record_objects(&recorder, &titles, 1 + i % 3, &piece)) {
            samples = 0;
            pieces++;
        }
        assert_int_equal(recorder.piece, pieces);
        assert_true(piece.used <= 2000);
        assert_int_equal(read_piece(&piece, &names), ++samples);
        assert_true(names >= 1 + i % 3);
    }
    assert_true(pieces > 3 && pieces < 30);
    prfdata_output_free(&piece);
    prfdata_recorder_free(&recorder);
    prfdata_titles_free(&titles);
}

/* An object can get another counter while no title changes, because its provider shows some
 * counters later. The piece then also has the counter's name. */
static void test_recorder_names_counters_that_come_later(void **state)
{
    prfdata_titles titles = titles_of_objects();
    prfdata_recorder recorder;
    prfdata_output piece = {0};
    uint16_t chars[16];
    size_t names;

    (void)state;
    for (uint32_t title = 200; title < 204; title += 2)
        assert_int_equal(prfdata_name_table_add(&titles.english, title, ascii_text("C", chars)),
                         ERROR_SUCCESS);
    prfdata_recorder_init(&recorder, SIZE_MAX);
    for (uint32_t counters = 1; counters < 3; counters++) {
        prfdata_sample *sample = sample_of_counters(counters);

        (void)prfdata_recorder_put(&recorder, sample, NULL, &titles, &piece);
        prfdata_sample_free(sample);
        assert_int_equal(read_piece(&piece, &names), counters);
        assert_int_equal(names, 1 + counters);
    }
    prfdata_output_free(&piece);
    prfdata_recorder_free(&recorder);
    prfdata_titles_free(&titles);
}

/* If titles change, another piece begins. A sample larger than the limit gets its own piece. */
static void test_recorder_other_titles_begin_another_piece(void **state)
{
    prfdata_titles titles = titles_of_objects();
    prfdata_output piece = {0};
    prfdata_recorder recorder;

    (void)state;
    prfdata_recorder_init(&recorder, SIZE_MAX);
    assert_true(record_objects(&recorder, &titles, 1, &piece));
    assert_false(record_objects(&recorder, &titles, 2, &piece));
    prfdata_recorder_renew(&recorder);
    assert_true(record_objects(&recorder, &titles, 2, &piece));
    assert_false(record_objects(&recorder, &titles, 2, &piece));
    prfdata_recorder_free(&recorder);
    prfdata_recorder_init(&recorder, 1);
    for (uint32_t i = 1; i < 4; i++) {
        size_t names;

        assert_true(record_objects(&recorder, &titles, 1, &piece));
        assert_int_equal(read_piece(&piece, &names), 1);
        assert_int_equal(recorder.piece, i);
    }
    prfdata_output_free(&piece);
    prfdata_recorder_free(&recorder);
    prfdata_titles_free(&titles);
}

static void test_recorder_numbers_pieces_before_the_extension(void **state)
{
    static const struct {
        uint32_t piece;
        const char *first;
        const char *name;
    } cases[] = {{1, "load.prf", "load.prf"},
                 {2, "load.prf", "load-2.prf"},
                 {12, "C:\\a.b\\load.prf", "C:\\a.b\\load-12.prf"},
                 {12, "C:\\a.b\\load", "C:\\a.b\\load-12"},
                 {3, "/a.b/.load", "/a.b/.load-3"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_recorder recorder = {.piece = cases[i].piece};
        prfdata_output name = {0};
        uint16_t chars[40];

        prfdata_recorder_put_name(&recorder, ascii_text(cases[i].first, chars), &name);
        prfdata_output_put(&name, "", 1);
        assert_string_equal(name.bytes, cases[i].name);
        prfdata_output_free(&name);
    }
}

/* ---- Notes of objects ---- */

enum { NOTE_COUNTS = 12, NOTE_BYTES = 20 };

/* Make a recording of two samples. The second one has this note. */
static prfdata_output noted_recording(const prfdata_recording_note *note)
{
    prfdata_titles titles = titles_of_objects();
    prfdata_sample *sample = sample_of_objects(2, 1);
    prfdata_output saved = {0};

    prfdata_saved_block_put(&saved, sample, &titles);
    prfdata_recording_put(&saved, sample, note);
    assert_false(saved.failed);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
    return saved;
}

static void test_recording_note_is_read_as_it_was_written(void **state)
{
    uint32_t elsewhere[] = {500, 7, UINT32_MAX};
    uint32_t failed[] = {0};

    (void)state;
    for (size_t i = 0; i <= 3; i++) {
        const prfdata_recording_note note = {{.items = elsewhere, .count = i},
                                             {.items = failed, .count = i % 2}};
        prfdata_output saved = noted_recording(&note);
        prfdata_output bare = noted_recording(NULL);
        prfdata_recording recording = {0};
        prfdata_recording_note read = {0};
        prfdata_decode_error error;

        assert_int_equal(prfdata_recording_read(saved.bytes, saved.used, &recording, &error),
                         ERROR_SUCCESS);
        assert_null(recording.mistake);
        assert_int_equal(recording.count, 2);
        /* The first sample has no note. */
        assert_int_equal(recording.blocks[0].size, recording.blocks[1].size);
        assert_false(prfdata_recording_get_note(saved.bytes, &recording.blocks[0], &read));
        assert_true(prfdata_recording_get_note(saved.bytes, &recording.blocks[1], &read));
        assert_int_equal(read.elsewhere.count, i);
        assert_int_equal(read.failed.count, i % 2);
        assert_true(i == 0 || memcmp(read.elsewhere.items, elsewhere, 4 * i) == 0);
        assert_int_equal(saved.used, bare.used + NOTE_BYTES + 4 * (i + i % 2));
        prfdata_recording_note_free(&read);
        prfdata_recording_free(&recording);
        prfdata_output_free(&bare);
        prfdata_output_free(&saved);
    }
}

/* Samples are read whatever their notes contain. A note whose head is damaged is ignored. */
static void test_recording_note_that_is_damaged_is_none(void **state)
{
    uint32_t title = 500;
    const prfdata_recording_note note = {{.items = &title, .count = 1}, {0}};
    prfdata_output saved = noted_recording(&note);
    const size_t begin = saved.used - NOTE_BYTES - 4;

    (void)state;
    for (size_t i = 0; i < NOTE_BYTES; i++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            prfdata_recording recording = {0};
            prfdata_recording_note read = {0};
            prfdata_decode_error error;

            saved.bytes[begin + i] ^= (char)(1 << bit);
            assert_int_equal(prfdata_recording_read(saved.bytes, saved.used, &recording, &error),
                             ERROR_SUCCESS);
            assert_null(recording.mistake);
            assert_int_equal(recording.count, 2);
            if (i != NOTE_COUNTS || bit != 0) /* only a change of this bit may leave a valid note */
                assert_false(prfdata_recording_get_note(saved.bytes, &recording.blocks[1], &read));
            else
                (void)prfdata_recording_get_note(saved.bytes, &recording.blocks[1], &read);
            prfdata_recording_note_free(&read);
            prfdata_recording_free(&recording);
            saved.bytes[begin + i] ^= (char)(1 << bit);
        }
    }
    prfdata_output_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorder_pieces_are_whole_and_not_too_large),
        cmocka_unit_test(test_recording_note_is_read_as_it_was_written),
        cmocka_unit_test(test_recording_note_that_is_damaged_is_none),
        cmocka_unit_test(test_recorder_names_counters_that_come_later),
        cmocka_unit_test(test_recorder_other_titles_begin_another_piece),
        cmocka_unit_test(test_recorder_numbers_pieces_before_the_extension),
    };

    return cmocka_run_group_tests_name("recorder", tests, NULL, NULL);
}
