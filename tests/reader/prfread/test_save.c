/* SPDX-License-Identifier: MIT */
/* Tests -save with saved blocks and with a simulated live source. Also tests that files are written
 * whole or not at all. */
#define _GNU_SOURCE /* symlink, lstat */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <prfdata/error.h>

#include "block/recording.h"
#include "os/files.h"
#include "os/streams.h"
#include "prfread/save.h"
#include "support/reader/temporary_file.h"
#include "support/reader/wire.h"

static temporary_file from;
static temporary_file to;

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file)
        fclose(file);
    return file != NULL;
}

static void assert_holds(const temporary_file *path, const void *bytes, size_t size)
{
    void *found = NULL;
    size_t found_size = 0;

    assert_int_equal(prfdata_files_read(path->text, 1 << 20, &found, &found_size), ERROR_SUCCESS);
    assert_int_equal(found_size, size);
    if (size > 0)
        assert_memory_equal(found, bytes, size);
    free(found);
}

/* ---- Files ---- */

static void test_save_file_exists_is_refused_and_kept(void **state)
{
    (void)state;
    remove(to.ascii);
    assert_int_equal(prfdata_files_write(to.text, false, "one", 3), ERROR_SUCCESS);
    assert_holds(&to, "one", 3);
    assert_int_equal(prfdata_files_write(to.text, false, "two", 3), ERROR_FILE_EXISTS);
    assert_holds(&to, "one", 3);
    assert_int_equal(prfdata_files_write(to.text, true, "three", 5), ERROR_SUCCESS);
    assert_holds(&to, "three", 5);
}

/* Another program may read a recording that is still being written. */
static void test_save_file_is_read_while_it_is_written(void **state)
{
    prfdata_stream file;

    (void)state;
    assert_int_equal(prfdata_files_create(to.text, true, &file), ERROR_SUCCESS);
    for (int lines = 1; lines <= 2; lines++) {
        assert_int_equal(prfdata_streams_write(file, "line\n", 5), ERROR_SUCCESS);
        assert_holds(&to, "line\nline\n", (size_t)lines * 5);
    }
    assert_int_equal(prfdata_files_close(file), ERROR_SUCCESS);
    remove(to.ascii);
}

static void test_save_file_without_folder_is_an_error(void **state)
{
    temporary_file nowhere = {.text = {NULL, 0}};

    (void)state;
    temporary_file_name(&nowhere, "no-folder/file");
    assert_int_not_equal(prfdata_files_write(nowhere.text, false, "one", 3), ERROR_SUCCESS);
    assert_int_not_equal(prfdata_files_write(nowhere.text, true, "one", 3), ERROR_SUCCESS);
}

#ifndef _WIN32
static uint32_t write_limited(bool overwrite, rlim_t limit, const void *bytes, size_t size)
{
    struct rlimit before;
    struct rlimit small;
    uint32_t status;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    status = prfdata_files_write(to.text, overwrite, bytes, size);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return status;
}

static void test_save_file_without_room_leaves_none_or_the_old_one(void **state)
{
    static const char bytes[5000];

    (void)state;
    remove(to.ascii);
    assert_int_not_equal(write_limited(false, 1000, bytes, sizeof bytes), ERROR_SUCCESS);
    assert_false(exists(to.ascii));

    temporary_file_write(&to, "old", 3);
    assert_int_not_equal(write_limited(true, 1000, bytes, sizeof bytes), ERROR_SUCCESS);
    assert_holds(&to, "old", 3);
}

static void test_save_file_through_link_keeps_the_link(void **state)
{
    struct stat found;

    (void)state;
    temporary_file_write(&from, "old", 3);
    remove(to.ascii);
    assert_int_equal(symlink(from.ascii, to.ascii), 0);
    assert_int_equal(prfdata_files_write(to.text, false, "new", 3), ERROR_FILE_EXISTS);
    assert_int_equal(prfdata_files_write(to.text, true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(lstat(to.ascii, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_holds(&from, "new", 3);
    remove(to.ascii);
}

/* A pipe or a device gets the content. No new file may take its place. */
static void test_save_file_into_pipe_leaves_the_pipe(void **state)
{
    struct stat found;
    char got[8];
    int pipe;

    (void)state;
    remove(to.ascii);
    assert_int_equal(mkfifo(to.ascii, 0600), 0);
    /* A pipe that has a reader, so that opening it to write does not wait. */
    pipe = open(to.ascii, O_RDWR);
    assert_true(pipe >= 0);
    assert_int_equal(prfdata_files_write(to.text, false, "one", 3), ERROR_SUCCESS);
    assert_int_equal(prfdata_files_write(to.text, true, "two", 3), ERROR_SUCCESS);
    assert_int_equal(stat(to.ascii, &found), 0);
    assert_true(S_ISFIFO(found.st_mode));
    assert_int_equal(read(pipe, got, sizeof got), 6);
    assert_memory_equal(got, "onetwo", 6);
    close(pipe);
    remove(to.ascii);
}

static void test_save_pipe_without_reader_is_reported(void **state)
{
    int ends[2];

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(prfdata_streams_write(ends[1], "new", 3), ERROR_BROKEN_PIPE);
    close(ends[1]);
}
#else
static void test_save_file_into_device_is_written_away(void **state)
{
    static const uint16_t chars[] = {'N', 'U', 'L'};
    const prfdata_text nul = {chars, 3};

    (void)state;
    assert_int_equal(prfdata_files_write(nul, true, "new", 3), ERROR_SUCCESS);
}
#endif

/* ---- The task ---- */

typedef struct save_outcome {
    uint32_t status;
    bool is_damaged;
    uint32_t wanted;
    uint32_t not_found;
} save_outcome;

static void run(save_outcome *ended, bool overwrite, prfdata_text *names, size_t count)
{
    static const prfdata_text nothing = {NULL, 0};
    prfdata_source *source = NULL;
    prfdata_task task;
    uint32_t status;

    memset(&task, 0, sizeof task);
    task.options.task = PRFDATA_TASK_SAVE;
    task.options.save_file = to.text;
    task.options.overwrite = overwrite;
    task.options.names = names;
    task.options.name_count = count;
    assert_int_equal(prfdata_source_open_files(from.text, nothing, NULL, &source), ERROR_SUCCESS);
    prfdata_session_open(&task.session, source, NULL);
    status = prfdata_save_run(&task);
    *ended = (save_outcome){status, prfdata_session_is_damaged(&task.session), task.wanted,
                            task.not_found};
    prfdata_task_free(&task);
}

/* Make a block with the name of its object. */
static size_t make_file(wire *w)
{
    static const char names[] = "100\0Jobs\0";
    size_t block_bytes;

    memset(w, 0, sizeof *w);
    wire_begin(w, 1);
    wire_worked_example(w, 10);
    wire_end(w);
    block_bytes = w->used;
    memcpy(w->bytes + w->used, "PrfTitle", 8);
    w->used += 8;
    wire_put32(w, 1);
    wire_put32(w, 2 * sizeof names);
    wire_put32(w, 2);
    wire_put32(w, 0);
    for (size_t i = 0; i < sizeof names; i++)
        wire_put16(w, (unsigned char)names[i]);
    wire_put16(w, 0);
    return block_bytes;
}

static void test_save_writes_block_and_titles(void **state)
{
    save_outcome ended;
    wire w;

    (void)state;
    (void)make_file(&w);
    temporary_file_write(&from, w.bytes, w.used);
    remove(to.ascii);
    run(&ended, false, NULL, 0);
    assert_int_equal(ended.status, ERROR_SUCCESS);
    assert_false(ended.is_damaged);
    assert_holds(&to, w.bytes, w.used);
}

static void test_save_refuses_existing_file_without_y(void **state)
{
    save_outcome ended;
    wire w;

    (void)state;
    (void)make_file(&w);
    temporary_file_write(&from, w.bytes, w.used);
    temporary_file_write(&to, "old", 3);
    run(&ended, false, NULL, 0);
    assert_int_equal(ended.status, ERROR_FILE_EXISTS);
    assert_holds(&to, "old", 3);
    run(&ended, true, NULL, 0);
    assert_int_equal(ended.status, ERROR_SUCCESS);
    assert_holds(&to, w.bytes, w.used);
}

/* The user may ask for any index. Only the reply shows whether a provider has it. */
static void test_save_name_or_index_that_is_not_there_writes_nothing(void **state)
{
    static const char *const asked[][2] = {{"cars", "jobs"}, {"777", "100"}};
    save_outcome ended;
    wire w;

    (void)state;
    (void)make_file(&w);
    temporary_file_write(&from, w.bytes, w.used);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        uint16_t chars[2][8];
        prfdata_text names[] = {ascii_text(asked[i][0], chars[0]),
                                ascii_text(asked[i][1], chars[1])};

        remove(to.ascii);
        run(&ended, false, names, 1);
        assert_int_equal(ended.wanted, 1);
        assert_int_equal(ended.not_found, 1);
        assert_false(exists(to.ascii));
        run(&ended, false, names, 2);
        assert_int_equal(ended.wanted, 2);
        assert_int_equal(ended.not_found, 1);
        assert_holds(&to, w.bytes, w.used);
    }
}

/* A damaged block is saved unchanged, because a later examination needs every byte. */
static void test_save_damaged_block_written_and_reported(void **state)
{
    save_outcome ended;
    size_t block_bytes;
    wire w;

    (void)state;
    block_bytes = make_file(&w);
    temporary_file_write(&from, w.bytes, block_bytes - 8);
    remove(to.ascii);
    run(&ended, false, NULL, 0);
    assert_true(ended.is_damaged);
    assert_holds(&to, w.bytes, block_bytes - 8);
}

/* ---- Recordings ---- */

#ifndef _WIN32
static bool has_own_clock; /* the time is clock_ms, which only waiting changes */
static uint64_t clock_ms;
static uint64_t slept_at_ms; /* the computer sleeps when the clock reaches this; 0: never */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint64_t __real_prfdata_os_milliseconds(void);
uint64_t __wrap_prfdata_os_milliseconds(void);
bool __real_prfdata_stop_wait_until(uint64_t due_ms);
bool __wrap_prfdata_stop_wait_until(uint64_t due_ms);

uint64_t __wrap_prfdata_os_milliseconds(void)
{
    return has_own_clock ? clock_ms : __real_prfdata_os_milliseconds();
}

bool __wrap_prfdata_stop_wait_until(uint64_t due_ms)
{
    if (!has_own_clock)
        return __real_prfdata_stop_wait_until(due_ms);
    clock_ms = due_ms == slept_at_ms ? due_ms + 300000 : due_ms;
    return true;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */
#endif

enum { SAMPLES = 6, LATE = 3 }; /* samples from number LATE on have other titles */

typedef struct live_source {
    prfdata_source source;
    uint32_t taken;
    bool is_renamed;       /* from LATE on "Jobs" is object 300, and 100 is another object */
    bool is_renamed_again; /* one sample later "Jobs" is 400, and 300 is another object */
    bool fails;            /* the third sample fails */
} live_source;

static uint32_t jobs_of(const live_source *self)
{
    if (!self->is_renamed || self->taken < LATE)
        return 100;
    return self->is_renamed_again && self->taken > LATE ? 400 : 300;
}

static uint32_t take_live(prfdata_source *source, const uint16_t *query, void **bytes, size_t *size)
{
    live_source *self = (live_source *)source;
    size_t object;
    wire w;

    self->taken++;
    if (self->fails && self->taken == 3)
        return ERROR_NOT_READY;
    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, (uint32_t)(query[0] - '0') * 100, 1, -1, 0);
    wire_counter(&w, 102, 0x00010100, 8, 8);
    wire_value64(&w, self->taken);
    wire_object_end(&w, object);
    wire_end(&w);
    *bytes = malloc(w.used);
    assert_non_null(*bytes);
    memcpy(*bytes, w.bytes, w.used);
    *size = w.used;
    return ERROR_SUCCESS;
}

static uint32_t load_live_titles(prfdata_source *source, prfdata_titles *titles)
{
    const uint32_t jobs = jobs_of((live_source *)source);
    uint16_t chars[16];

    for (uint32_t index = 100; index <= jobs; index += 100)
        (void)prfdata_name_table_add(&titles->english, index,
                                     ascii_text(index == jobs ? "Jobs" : "Others", chars));
    return ERROR_SUCCESS;
}

static uint32_t load_live_helps(prfdata_source *source, prfdata_titles *titles)
{
    uint16_t chars[16];

    (void)source;
    return prfdata_name_table_add(&titles->helps, 101, ascii_text("Help.", chars));
}

static uint64_t stamp_of_live_titles(prfdata_source *source)
{
    return jobs_of((live_source *)source);
}

static void close_live(prfdata_source *source)
{
    (void)source;
}

static uint32_t record_live(live_source *source, bool overwrite, size_t piece_bytes)
{
    static const prfdata_source_kind kind = {.take = take_live,
                                             .load_titles = load_live_titles,
                                             .load_helps = load_live_helps,
                                             .titles_stamp = stamp_of_live_titles,
                                             .close = close_live};
    uint16_t chars[16];
    prfdata_text names[] = {ascii_text("Jobs", chars)};
    prfdata_task task;
    uint32_t status;

    memset(&task, 0, sizeof task);
    source->source.kind = &kind;
    task.options.task = PRFDATA_TASK_SAVE;
    task.options.save_file = to.text;
    task.options.overwrite = overwrite;
    task.options.interval_ms = 1;
    task.options.sample_count = SAMPLES;
    task.options.names = names;
    task.options.name_count = 1;
    prfdata_session_open(&task.session, &source->source, NULL);
    status = piece_bytes > 0 ? prfdata_save_record(&task, piece_bytes) : prfdata_save_run(&task);
    prfdata_task_free(&task);
    return status;
}

static temporary_file *piece_file(uint32_t number)
{
    static temporary_file file;
    char name[24] = "to";

    if (number > 1)
        snprintf(name, sizeof name, "to-%u", (unsigned)number);
    temporary_file_name(&file, name);
    return &file;
}

/* Return how many samples a piece contains, or 0 if there is no such file. The piece must name the
 * object "Jobs". It must have one help text if `expects_helps`, otherwise none. */
static size_t samples_of_piece(uint32_t number, uint32_t object, bool expects_helps)
{
    const temporary_file *file = piece_file(number);
    prfdata_recording recording = {0};
    prfdata_decode_error error;
    uint16_t chars[16];
    void *bytes = NULL;
    size_t size = 0;
    size_t count;

    if (!exists(file->ascii))
        return 0;
    assert_int_equal(prfdata_files_read(file->text, 1 << 20, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_recording_read(bytes, size, &recording, &error), ERROR_SUCCESS);
    assert_null(recording.mistake);
    assert_true(prfdata_text_equal(prfdata_name_table_name(&recording.titles.english, object),
                                   ascii_text("Jobs", chars)));
    assert_int_equal(recording.titles.helps.count, expects_helps ? 1 : 0);
    count = recording.count;
    prfdata_recording_free(&recording);
    free(bytes);
    return count;
}

static int remove_pieces(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= SAMPLES + 1; i++)
        remove(piece_file(i)->ascii);
    return 0;
}

static void test_save_records_samples_in_one_file(void **state)
{
    live_source source = {.taken = 0};

    (void)state;
    assert_int_equal(record_live(&source, false, 0), ERROR_SUCCESS);
    assert_int_equal(source.taken, SAMPLES);
    assert_int_equal(samples_of_piece(1, 100, true), SAMPLES);
    assert_int_equal(samples_of_piece(2, 100, true), 0);
    assert_int_equal(record_live(&source, false, 0), ERROR_FILE_EXISTS);
    assert_int_equal(source.taken, SAMPLES + 1);
    assert_int_equal(record_live(&source, true, 0), ERROR_SUCCESS);
    assert_int_equal(samples_of_piece(1, 100, true), SAMPLES);
}

/* Each piece has one sample. Every file can be read without the others, and an
 * existing file is kept. */
static void test_save_records_pieces_beside_files_that_exist(void **state)
{
    live_source source = {.taken = 0};

    (void)state;
    temporary_file_write(piece_file(3), "mine", 4);
    assert_int_equal(record_live(&source, false, 1), ERROR_SUCCESS);
    assert_holds(piece_file(3), "mine", 4);
    remove(piece_file(3)->ascii);
    for (uint32_t i = 1; i <= SAMPLES + 1; i++)
        assert_int_equal(samples_of_piece(i, 100, true), i == 3 ? 0 : 1);
}

/* A piece has the names of its own samples. After the titles have changed, the session asks for
 * the object by its new title index. */
static void test_save_other_titles_begin_another_piece(void **state)
{
    live_source source = {.is_renamed = true};

    (void)state;
    assert_int_equal(record_live(&source, false, 0), ERROR_SUCCESS);
    assert_int_equal(samples_of_piece(1, 100, true), LATE - 1);
    assert_int_equal(samples_of_piece(2, 300, false), SAMPLES - LATE + 1);
    assert_int_equal(samples_of_piece(3, 300, false), 0);
}

/* An upgrade unloads the old titles before it loads the new ones. No sample from before the upgrade
 * gets the new names. */
static void test_save_titles_that_change_twice_name_no_sample_of_before(void **state)
{
    live_source source = {.is_renamed = true, .is_renamed_again = true};

    (void)state;
    assert_int_equal(record_live(&source, false, 0), ERROR_SUCCESS);
    assert_int_equal(samples_of_piece(1, 100, true), LATE - 1);
    assert_int_equal(samples_of_piece(2, 400, false), SAMPLES - LATE + 1);
    assert_int_equal(samples_of_piece(3, 400, false), 0);
}

static void test_save_goes_on_after_a_sample_that_fails(void **state)
{
    live_source source = {.fails = true};

    (void)state;
    assert_int_equal(record_live(&source, false, 0), ERROR_NOT_READY);
    assert_int_equal(samples_of_piece(1, 100, true), SAMPLES - 1);
}

#ifndef _WIN32
/* Returns whether this sample of the first piece has a note about a gap before the sample. */
static bool is_gap_before(size_t sample)
{
    prfdata_recording recording = {0};
    prfdata_recording_note note = {0};
    prfdata_decode_error error;
    void *bytes = NULL;
    size_t size = 0;
    bool is_gap;

    assert_int_equal(prfdata_files_read(to.text, 1 << 20, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_recording_read(bytes, size, &recording, &error), ERROR_SUCCESS);
    assert_true(prfdata_recording_get_note(bytes, &recording.blocks[sample], &note));
    is_gap = prfdata_title_set_has(&note.failed, 0);
    prfdata_recording_note_free(&note);
    prfdata_recording_free(&recording);
    free(bytes);
    return is_gap;
}

/* The computer sleeps before the fourth sample. */
static void test_save_notes_that_the_computer_slept(void **state)
{
    live_source source = {.taken = 0};

    (void)state;
    has_own_clock = true;
    clock_ms = 1000;
    slept_at_ms = 1003; /* samples are one millisecond apart */
    assert_int_equal(record_live(&source, false, 0), ERROR_SUCCESS);
    has_own_clock = false;
    assert_int_equal(source.taken, SAMPLES);
    for (size_t i = 1; i < SAMPLES; i++)
        assert_int_equal(is_gap_before(i), i == 3);
}
#endif

/* ---- Start ---- */

static int make_paths(void **state)
{
    (void)state;
    temporary_file_name(&from, "from");
    temporary_file_name(&to, "to");
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    remove(from.ascii);
    remove(to.ascii);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define OF_PIECES(name) cmocka_unit_test_setup_teardown(name, remove_pieces, remove_pieces)
        cmocka_unit_test(test_save_file_exists_is_refused_and_kept),
        cmocka_unit_test(test_save_file_is_read_while_it_is_written),
        cmocka_unit_test(test_save_file_without_folder_is_an_error),
#ifndef _WIN32
        cmocka_unit_test(test_save_file_without_room_leaves_none_or_the_old_one),
        cmocka_unit_test(test_save_file_through_link_keeps_the_link),
        cmocka_unit_test(test_save_file_into_pipe_leaves_the_pipe),
        cmocka_unit_test(test_save_pipe_without_reader_is_reported),
#else
        cmocka_unit_test(test_save_file_into_device_is_written_away),
#endif
        cmocka_unit_test(test_save_writes_block_and_titles),
        cmocka_unit_test(test_save_refuses_existing_file_without_y),
        cmocka_unit_test(test_save_name_or_index_that_is_not_there_writes_nothing),
        cmocka_unit_test(test_save_damaged_block_written_and_reported),
        OF_PIECES(test_save_records_samples_in_one_file),
        OF_PIECES(test_save_records_pieces_beside_files_that_exist),
        OF_PIECES(test_save_other_titles_begin_another_piece),
        OF_PIECES(test_save_titles_that_change_twice_name_no_sample_of_before),
        OF_PIECES(test_save_goes_on_after_a_sample_that_fails),
#ifndef _WIN32
        OF_PIECES(test_save_notes_that_the_computer_slept),
#endif
#undef OF_PIECES
    };

    return cmocka_run_group_tests_name("save", tests, make_paths, remove_files);
}
