/* SPDX-License-Identifier: MIT */
/* Tests samples in memory, and how they are saved as a recording and read again. */
#include "support/test.h"

#include "block/recorder.h"
#include "reader/view/view_sample.h"
#include "viewer/timeline.h"

static void add_seconds(prfdata_timeline *timeline, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const view_row rows[] = {{"a", i, i}, {"b", i, i}};
        prfdata_sample *sample = view_sample(i + 1, rows, 1 + i % 2);
        int64_t time_ms = 0;

        assert_int_equal(prfdata_timeline_add(timeline, sample, NULL, &time_ms), ERROR_SUCCESS);
        assert_int_equal(time_ms, (i + 1) * 1000);
        prfdata_sample_free(sample);
    }
}

static void test_timeline_finds_samples_by_time(void **state)
{
    prfdata_timeline timeline;
    prfdata_sample *sample;

    (void)state;
    prfdata_timeline_init(&timeline, 1000000);
    add_seconds(&timeline, 5);
    assert_int_equal(prfdata_timeline_find(&timeline, 0), 0);
    assert_int_equal(prfdata_timeline_find(&timeline, 2999), 1);
    assert_int_equal(prfdata_timeline_find(&timeline, 3000), 2);
    assert_int_equal(prfdata_timeline_find(&timeline, 99000), 4);
    sample = prfdata_timeline_sample(&timeline, 3);
    assert_non_null(sample);
    assert_int_equal(sample->objects[0].instance_count, 2);
    prfdata_sample_free(sample);
    prfdata_timeline_free(&timeline);
}

static void test_timeline_drops_the_oldest_beyond_its_bytes(void **state)
{
    prfdata_timeline timeline;
    size_t bytes = 0;

    (void)state;
    prfdata_timeline_init(&timeline, 2000);
    add_seconds(&timeline, 50);
    assert_true(timeline.total_bytes <= 2000);
    assert_true(timeline.count >= 3 && timeline.count < 10);
    for (size_t i = 0; i < timeline.count; i++)
        bytes += timeline.entries[i].size + sizeof timeline.entries[i];
    /* The total includes the structures of the entries. */
    assert_int_equal(timeline.total_bytes, bytes);
    assert_int_equal(timeline.entries[timeline.count - 1].time_ms, 50000);
    timeline.most_bytes = 1;
    add_seconds(&timeline, 0);
    prfdata_timeline_free(&timeline);
    prfdata_timeline_init(&timeline, 1);
    add_seconds(&timeline, 3);
    assert_int_equal(timeline.count, 1); /* the newest sample is always kept */
    prfdata_timeline_free(&timeline);
}

/* ---- Recordings ---- */

static prfdata_output saved_recording(uint32_t count)
{
    prfdata_titles titles = view_titles();
    prfdata_output output = {0};
    prfdata_timeline timeline;

    prfdata_timeline_init(&timeline, 1000000);
    add_seconds(&timeline, count);
    prfdata_timeline_put(&timeline, &titles, &output);
    assert_false(output.failed);
    prfdata_timeline_free(&timeline);
    prfdata_titles_free(&titles);
    return output;
}

/* Read a copy of exactly these bytes, so that the sanitizer notices a read after them. */
static prfdata_recording read_recording(const void *bytes, size_t size)
{
    prfdata_recording recording = {0};
    prfdata_decode_error error;
    void *copy = malloc(size);

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    assert_int_equal(prfdata_recording_read(copy, size, &recording, &error), ERROR_SUCCESS);
    free(copy);
    return recording;
}

static void test_recording_is_read_as_it_was_saved(void **state)
{
    prfdata_output saved = saved_recording(7);
    prfdata_recording recording = read_recording(saved.bytes, saved.used);
    prfdata_titles titles = view_titles();
    prfdata_output again = {0};
    prfdata_timeline timeline;
    prfdata_timeline_damage damage = {0};

    (void)state;
    assert_null(recording.mistake);
    assert_int_equal(recording.count, 7);
    assert_int_equal(recording.titles.english.count, 3); /* no sample has Solo */
    prfdata_timeline_init(&timeline, 1000000);
    assert_int_equal(prfdata_timeline_add_recording(&timeline, saved.bytes, &recording, &damage),
                     ERROR_SUCCESS);
    assert_int_equal(damage.samples, 7);
    assert_int_equal(damage.left_out + damage.in_part, 0);
    assert_int_equal(timeline.entries[6].time_ms, 7000);
    prfdata_timeline_put(&timeline, &titles, &again);
    assert_int_equal(again.used, saved.used);
    assert_memory_equal(again.bytes, saved.bytes, saved.used);
    prfdata_titles_free(&titles);
    prfdata_timeline_free(&timeline);
    prfdata_recording_free(&recording);
    prfdata_output_free(&again);
    prfdata_output_free(&saved);
}

/* ---- Samples that stay in files ---- */

/* The content of two recordings, as files that can be read again. */
typedef struct stored_files {
    const prfdata_output *recordings[2];
    bool is_unreadable;
    unsigned closed;
} stored_files;

static bool read_stored_file(void *context, uint32_t recording, size_t offset, void *bytes,
                             size_t size)
{
    const stored_files *files = context;

    assert_true(recording < 2);
    assert_true(offset + size <= files->recordings[recording]->used);
    memcpy(bytes, files->recordings[recording]->bytes + offset, size);
    return !files->is_unreadable;
}

static void close_stored_files(void *context)
{
    ((stored_files *)context)->closed++;
}

static void add_stored(prfdata_timeline *timeline, const prfdata_output *saved)
{
    prfdata_recording recording = read_recording(saved->bytes, saved->used);
    prfdata_timeline_damage damage = {0};

    assert_int_equal(prfdata_timeline_add_recording(timeline, saved->bytes, &recording, &damage),
                     ERROR_SUCCESS);
    prfdata_recording_free(&recording);
}

/* Recordings need more memory than the timeline may use. All of their samples are shown, because
 * bytes that are not in memory are read again from the file. If titles have moved since the file
 * was opened, the samples get the new title indexes. */
static void test_timeline_reads_samples_again_from_files(void **state)
{
    enum { COUNT = 30 };
    static const prfdata_title_move moved[] = {{QUEUE, QUEUE + 1000}, {DEPTH, DEPTH + 1000}};
    const prfdata_title_moves moves = {(prfdata_title_move *)(uintptr_t)moved, 2, 2};
    prfdata_output saved = saved_recording(COUNT);
    stored_files files = {{&saved, &saved}, false, 0};
    prfdata_timeline timeline;
    prfdata_title_set all = {0};
    size_t in_memory = 0;

    (void)state;
    prfdata_timeline_init(&timeline, 2 * COUNT * sizeof(prfdata_timeline_entry) + 3000);
    timeline.store = (prfdata_timeline_store){&files, read_stored_file, close_stored_files};
    add_stored(&timeline, &saved);
    prfdata_timeline_move_titles(&timeline, &moves); /* of the first recording only */
    add_stored(&timeline, &saved);
    assert_int_equal(timeline.count, 2 * COUNT);
    assert_true(timeline.total_bytes <= timeline.most_bytes);
    for (size_t i = 0; i < timeline.count; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(&timeline, i);
        const uint32_t moved_by = i < COUNT ? 1000 : 0;

        in_memory += timeline.entries[i].bytes != NULL;
        assert_non_null(sample);
        assert_int_equal(sample->objects[0].instance_count, 1 + i % COUNT % 2);
        assert_non_null(prfdata_sample_find_object(sample, QUEUE + moved_by));
        assert_int_equal(sample->objects[0].counters[0].definition.counter_name_title_index,
                         DEPTH + moved_by);
        assert_int_equal(sample->block.header.perf_time_100ns, (int64_t)(i % COUNT + 1) * 10000000);
        prfdata_sample_free(sample);
    }
    assert_true(in_memory > 0 && in_memory < 2 * COUNT);
    assert_true(prfdata_timeline_find_asked(&timeline, &all));
    assert_int_equal(all.count, 2); /* Queue, with its old and its new title */
    prfdata_title_set_free(&all);
    files.is_unreadable = true; /* a network drive is gone, for instance */
    assert_null(prfdata_timeline_sample(&timeline, 0));
    assert_int_equal(files.closed, 0);
    prfdata_timeline_free(&timeline);
    assert_int_equal(files.closed, 1);
    prfdata_output_free(&saved);
}

/* Even entries whose samples stay in files need memory. There is not enough for all entries, so the
 * oldest ones are dropped. */
static void test_timeline_drops_entries_that_have_no_room(void **state)
{
    prfdata_output saved = saved_recording(50);
    stored_files files = {{&saved, &saved}, false, 0};
    prfdata_timeline timeline;

    (void)state;
    prfdata_timeline_init(&timeline, 10 * sizeof(prfdata_timeline_entry));
    timeline.store = (prfdata_timeline_store){&files, read_stored_file, close_stored_files};
    add_stored(&timeline, &saved);
    add_stored(&timeline, &saved);
    assert_true(timeline.total_bytes <= timeline.most_bytes);
    assert_true(timeline.count >= 5 && timeline.count < 10);
    assert_int_equal(timeline.stored_count + 1, timeline.count);
    assert_non_null(timeline.entries[timeline.count - 1].bytes);
    for (size_t i = 0; i < timeline.count; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(&timeline, i);

        assert_non_null(sample);
        assert_int_equal(sample->block.header.perf_time_100ns,
                         (int64_t)(50 - timeline.count + i + 1) * 10000000);
        prfdata_sample_free(sample);
    }
    prfdata_timeline_free(&timeline);
    prfdata_output_free(&saved);
}

static void test_recording_sample_that_is_no_block_is_left_out(void **state)
{
    prfdata_output saved = saved_recording(4);
    prfdata_recording recording = read_recording(saved.bytes, saved.used);
    prfdata_timeline timeline;
    prfdata_timeline_damage damage = {0};

    (void)state;
    saved.bytes[recording.blocks[1].offset] = 'X'; /* damages the signature */
    recording.blocks[2].size = 10;
    prfdata_timeline_init(&timeline, 1000000);
    assert_int_equal(prfdata_timeline_add_recording(&timeline, saved.bytes, &recording, &damage),
                     ERROR_SUCCESS);
    assert_int_equal(damage.samples, 4);
    assert_int_equal(damage.left_out, 2);
    assert_int_equal(damage.first_left_out, recording.blocks[1].offset);
    assert_int_equal(damage.in_part, 0);
    assert_int_equal(timeline.count, 2);
    assert_int_equal(timeline.entries[0].time_ms, 1000);
    assert_int_equal(timeline.entries[1].time_ms, 4000);
    prfdata_timeline_free(&timeline);
    prfdata_recording_free(&recording);
    prfdata_output_free(&saved);
}

/* Damage in one sample does not affect the other samples of the file. */
static void test_recording_says_which_samples_are_damaged_in_part(void **state)
{
    static const size_t fields[] = {offsetof(prfdata_perf_object_type, num_counters),
                                    offsetof(prfdata_perf_object_type, num_instances),
                                    offsetof(prfdata_perf_object_type, total_byte_length)};
    prfdata_output saved = saved_recording(4);
    prfdata_recording recording = read_recording(saved.bytes, saved.used);
    prfdata_perf_data_block header;
    size_t header_bytes;

    (void)state;
    memcpy(&header, saved.bytes + recording.blocks[2].offset, sizeof header);
    header_bytes = header.header_length;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char *field = saved.bytes + recording.blocks[2].offset + header_bytes + fields[i];
        prfdata_timeline_damage damage = {0};
        prfdata_timeline timeline;

        field[2] ^= 0x7F;
        prfdata_timeline_init(&timeline, 1000000);
        assert_int_equal(
            prfdata_timeline_add_recording(&timeline, saved.bytes, &recording, &damage),
            ERROR_SUCCESS);
        assert_int_equal(timeline.count, 4);
        assert_int_equal(damage.in_part, 1);
        assert_int_equal(damage.first_in_part, recording.blocks[2].offset);
        assert_int_equal(damage.left_out, 0);
        field[2] ^= 0x7F;
        prfdata_timeline_free(&timeline);
    }
    prfdata_recording_free(&recording);
    prfdata_output_free(&saved);
}

/* A recording is written in pieces. Only the first piece may replace a file, because the user has
 * agreed to replace this file. A file with the name of a later piece may be an older recording. */
static void test_recorder_replaces_no_file_that_nobody_was_asked_about(void **state)
{
    prfdata_titles titles = view_titles();
    const view_row row = {"a", 1, 0};
    prfdata_sample *sample = view_sample(1, &row, 1);
    prfdata_recorder recorder;
    prfdata_output part = {0};
    prfdata_output name = {0};
    uint16_t chars[40];

    (void)state;
    prfdata_recorder_init(&recorder, 1);
    assert_true(prfdata_recorder_put(&recorder, sample, NULL, &titles, &part));
    assert_true(prfdata_recorder_may_replace(&recorder));
    prfdata_output_clear(&part);
    assert_true(prfdata_recorder_put(&recorder, sample, NULL, &titles, &part));
    assert_false(prfdata_recorder_may_replace(&recorder));
    prfdata_recorder_skip_name(&recorder); /* the file load-2.prf exists already */
    assert_false(prfdata_recorder_may_replace(&recorder));
    prfdata_recorder_put_name(&recorder, ascii_text("load.prf", chars), &name);
    prfdata_output_put(&name, "", 1);
    assert_string_equal(name.bytes, "load-3.prf");
    prfdata_output_free(&part);
    prfdata_output_free(&name);
    prfdata_recorder_free(&recorder);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
}

/* A recording of one sample and a file of prfread -save have the same format. */
static void test_recording_of_one_sample_is_a_saved_block(void **state)
{
    prfdata_output saved = saved_recording(1);
    prfdata_saved_block block = {0};
    prfdata_decode_error error;

    (void)state;
    assert_int_equal(prfdata_saved_block_read(saved.bytes, saved.used, &block, &error),
                     ERROR_SUCCESS);
    assert_null(block.mistake);
    assert_int_equal(block.end, saved.used);
    prfdata_titles_free(&block.titles);
    prfdata_output_free(&saved);
}

/* Programs that read one block read the first one of a recording, and report no mistake. */
static void test_recording_begins_with_a_saved_block(void **state)
{
    prfdata_output saved = saved_recording(3);
    prfdata_saved_block block = {0};
    prfdata_decode_error error;

    (void)state;
    assert_int_equal(prfdata_saved_block_read(saved.bytes, saved.used, &block, &error),
                     ERROR_SUCCESS);
    assert_null(block.mistake);
    assert_true(block.end < saved.used);
    assert_memory_equal(saved.bytes + block.end, "PrfBlock", 8);
    prfdata_titles_free(&block.titles);
    prfdata_output_free(&saved);
}

/* Cuts a recording at every position after its first block: whole samples are read, and the mistake
 * is reported. */
static void test_recording_cut_anywhere_keeps_what_is_whole(void **state)
{
    prfdata_output saved = saved_recording(3);
    prfdata_recording whole = read_recording(saved.bytes, saved.used);
    size_t least = whole.blocks[0].size;

    (void)state;
    for (size_t size = least; size < saved.used; size++) {
        prfdata_recording recording = read_recording(saved.bytes, size);
        size_t expected = 0;

        while (expected < 3 && whole.blocks[expected].offset + whole.blocks[expected].size <= size)
            expected++;
        assert_int_equal(recording.count, expected);
        if (size != whole.blocks[expected - 1].offset + whole.blocks[expected - 1].size &&
            (expected > 1 || size != whole.blocks[1].offset - 16))
            assert_non_null(recording.mistake);
        prfdata_recording_free(&recording);
    }
    prfdata_recording_free(&whole);
    prfdata_output_free(&saved);
}

static void test_recording_followed_by_other_bytes_says_so(void **state)
{
    prfdata_output saved = saved_recording(2);
    prfdata_recording recording;

    (void)state;
    prfdata_output_put_string(&saved, "anything");
    recording = read_recording(saved.bytes, saved.used);
    assert_int_equal(recording.count, 2);
    assert_string_equal(recording.mistake,
                        "the recording is followed by bytes that do not belong to it");
    assert_int_equal(recording.mistake_offset, saved.used - 8);
    prfdata_recording_free(&recording);
    prfdata_output_free(&saved);
}

static void test_recording_of_a_later_version_says_so(void **state)
{
    prfdata_output saved = saved_recording(2);
    prfdata_recording whole = read_recording(saved.bytes, saved.used);
    prfdata_recording recording;

    (void)state;
    saved.bytes[whole.blocks[1].offset - 8] = 2;
    recording = read_recording(saved.bytes, saved.used);
    assert_int_equal(recording.count, 1);
    assert_non_null(strstr(recording.mistake, "later version"));
    prfdata_recording_free(&recording);
    prfdata_recording_free(&whole);
    prfdata_output_free(&saved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeline_finds_samples_by_time),
        cmocka_unit_test(test_timeline_drops_the_oldest_beyond_its_bytes),
        cmocka_unit_test(test_recorder_replaces_no_file_that_nobody_was_asked_about),
        cmocka_unit_test(test_recording_is_read_as_it_was_saved),
        cmocka_unit_test(test_timeline_reads_samples_again_from_files),
        cmocka_unit_test(test_timeline_drops_entries_that_have_no_room),
        cmocka_unit_test(test_recording_sample_that_is_no_block_is_left_out),
        cmocka_unit_test(test_recording_says_which_samples_are_damaged_in_part),
        cmocka_unit_test(test_recording_of_one_sample_is_a_saved_block),
        cmocka_unit_test(test_recording_begins_with_a_saved_block),
        cmocka_unit_test(test_recording_cut_anywhere_keeps_what_is_whole),
        cmocka_unit_test(test_recording_followed_by_other_bytes_says_so),
        cmocka_unit_test(test_recording_of_a_later_version_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
