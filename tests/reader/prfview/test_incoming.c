/* SPDX-License-Identifier: MIT */
/* Tests what prfview does with samples that its reading threads deliver. The view is paused, so
 * samples are only recorded, and the test needs no window. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "os/files.h"
#include "prfview/incoming.h"
#include "reader/view/view_sample.h"
#include "support/reader/temporary_file.h"

static temporary_file file;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants this name */
void __wrap_prfdata_reading_taken(prfdata_reading *reading, uint32_t worker);

/* Does nothing, because this test has no reading threads. */
void __wrap_prfdata_reading_taken(prfdata_reading *reading, uint32_t worker)
{
    (void)reading;
    (void)worker;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void send_sample(prfdata_app *app, uint32_t second)
{
    static const view_row row = {"a", 1, 1};
    prfdata_reading_answer *answer = calloc(1, sizeof *answer);

    assert_non_null(answer);
    answer->sample = view_sample_at(QUEUE, second, &row, 1);
    assert_true(prfdata_incoming_take(app, PRFDATA_READING_SAMPLE, 0, (LPARAM)answer));
}

static bool is_gap(const void *bytes, const prfdata_recording_block *block)
{
    prfdata_recording_note note = {0};
    bool has_gap;

    assert_true(prfdata_recording_get_note(bytes, block, &note));
    has_gap = prfdata_title_set_has(&note.failed, 0);
    prfdata_recording_note_free(&note);
    return has_gap;
}

/* The computer sleeps before the third sample. */
static void test_incoming_records_that_the_computer_slept(void **state)
{
    static const uint32_t seconds[] = {10, 11, 311, 312};
    const prfdata_viewer_observer observer = {0};
    prfdata_recording recording = {0};
    prfdata_decode_error error;
    prfdata_app *app = calloc(1, sizeof *app);
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_non_null(app);
    prfdata_viewer_init(&app->viewer, &observer, 1000000);
    app->viewer.is_live = app->viewer.is_paused = true;
    prfdata_viewer_set_interval(&app->viewer, 1000);
    app->record = prfdata_record_begin(file.text);
    assert_non_null(app->record);
    for (size_t i = 0; i < 4; i++)
        send_sample(app, seconds[i]);
    prfdata_record_end(app->record);
    assert_int_equal(prfdata_files_read(file.text, 1 << 20, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_recording_read(bytes, size, &recording, &error), ERROR_SUCCESS);
    assert_int_equal(recording.count, 4);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(is_gap(bytes, &recording.blocks[i]), i == 2);
    prfdata_recording_free(&recording);
    free(bytes);
    prfdata_viewer_free(&app->viewer);
    free(app);
}

static int make_path(void **state)
{
    (void)state;
    temporary_file_name(&file, "incoming");
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    remove(file.ascii);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incoming_records_that_the_computer_slept),
    };

    return cmocka_run_group_tests_name("incoming", tests, make_path, remove_file);
}
