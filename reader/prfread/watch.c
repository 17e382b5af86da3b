/* SPDX-License-Identifier: MIT */
/*
 * Takes samples, adds columns, prints rows and computes statistics. The format (format.h) writes a
 * row; compute.c computes its values.
 */
#include "prfread/watch.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "base/array.h"
#include "block/recorder.h"
#include "map/counter_types.h"
#include "names/names.h"
#include "os/ansi.h"
#include "os/files.h"
#include "os/stop.h"
#include "prfread/format.h"
#include "source/pace.h"
#include "system/os.h"

/* The most files of one log. There is a limit because the search for a free name must end. */
#define MOST_FILES 10000u

/* A row that waits until all columns are known. */
typedef struct held_row {
    prfdata_output text;
    size_t columns;
} held_row;

typedef struct watch {
    prfdata_task *task;
    prfdata_requests requests;
    prfdata_columns columns;
    prfdata_format_rows rows;
    prfdata_json_heads json_heads;
    prfdata_statistics_run *runs; /* one for each of the first `run_count` columns */
    size_t run_count;
    size_t run_capacity;
    size_t first_count;     /* number of columns of the first sample; if the source is recorded, of
                               the first two samples */
    bool has_header;        /* the first line of headings was put */
    prfdata_sample *second; /* owned; the second sample of a recorded source, until its row is
                               printed; otherwise NULL */
    uint32_t *noted_types;  /* CounterTypes whose note was reported */
    size_t noted_count;
    size_t noted_capacity;
    uint64_t noted_changes; /* columns.type_changes when report_type_notes() last checked the types
                               of all columns */
    uint16_t *reported;     /* for each column, one bit per entry of `missing_statuses` */
    size_t reported_count;
    size_t reported_capacity;
    /*
     * Rows wait until all columns are known, because the source is recorded and the format has a
     * fixed number of columns. The next fields hold the waiting rows.
     */
    bool holds_rows;
    held_row *held_rows;
    size_t held_count;
    size_t held_capacity;
    uint32_t piece;        /* number of the file to which rows go; 0 or 1: the file of -o */
    bool has_failed;       /* a piece of a row could not be written; this was reported */
    bool lacks_characters; /* it was reported that the system's code page lacks characters */
    prfdata_output output;
} watch;

/* ---- Reports ---- */

/* Return the heading in UTF-16; release its chars with free(). Empty without memory. */
static prfdata_text text_of_heading(const char *heading)
{
    const size_t size = strlen(heading);
    wchar_t *wide = malloc((size + 1) * sizeof *wide);
    /* no character has more chars in UTF-16 than bytes in UTF-8 */
    uint16_t *chars = malloc((size + 1) * sizeof *chars);
    prfdata_text text = {chars, 0};

    if (wide && chars && prfdata_names_wide_from_utf8(heading, size, wide) != SIZE_MAX)
        text.count = prfdata_names_utf16_from_wide(wide, chars, size);
    free(wide);
    return text;
}

/* Returns whether the column has no value because there was no sample at all. */
static bool is_without_sample(const prfdata_column *column)
{
    return column->raw_status == PRFDATA_STATUS_NO_DATA;
}

/*
 * Report a column's status.
 *
 * more  Number of other columns that lack a value for the same reason and are not named.
 */
static void report_column_status(const watch *w, const prfdata_column *column, size_t more)
{
    const prfdata_text heading = text_of_heading(column->heading);
    const char *problem = is_without_sample(column) ? "no sample could be taken"
                                                    : prfdata_compute_status_text(column->status);
    prfdata_output text = {0};
    char note[200];

    prfdata_output_format(&text, "%s (%s 0x%08X)", problem,
                          prfdata_compute_status_name(column->status), (unsigned)column->status);
    if (column->status == PRFDATA_STATUS_NO_FORMULA &&
        prfdata_counter_formula_note(column->type, note, sizeof note))
        prfdata_output_format(&text, ": %s", note);
    if (more > 0)
        prfdata_output_format(&text, ", and %u more", (unsigned)more);
    prfdata_output_put(&text, "", 1);
    if (heading.count > 0 && !text.failed)
        prfdata_messages_put(w->task->session.messages,
                             &(prfdata_message){.severity = PRFDATA_SEVERITY_WARNING,
                                                .subject = heading,
                                                .problem = problem,
                                                .text = text.bytes});
    prfdata_output_free(&text);
    free((void *)(uintptr_t)heading.chars);
}

static const uint32_t missing_statuses[] = {
    PRFDATA_STATUS_NO_INSTANCE,       PRFDATA_STATUS_NO_DATA,
    PRFDATA_STATUS_NEGATIVE_TIMEBASE, PRFDATA_STATUS_NEGATIVE_DENOMINATOR,
    PRFDATA_STATUS_NEGATIVE_VALUE,    PRFDATA_STATUS_NO_OBJECT,
    PRFDATA_STATUS_NO_COUNTER,        PRFDATA_STATUS_INVALID_DATA,
    PRFDATA_STATUS_NO_FORMULA,        PRFDATA_STATUS_ONE_SAMPLE,
};

enum { MISSING_STATUS_COUNT = sizeof missing_statuses / sizeof missing_statuses[0] };

/* If more columns than this lack values for the same reason, only the first is named, and the
 * others are counted. */
enum { NAMED_COLUMNS = 3 };

/*
 * Return the index in missing_statuses of the reason why the column lacks its value. Return
 * MISSING_STATUS_COUNT if the reason need not be reported, or was reported already. If a column has
 * only one sample because it is new, report_new_columns() reports that.
 */
static unsigned reason_to_report(const watch *w, size_t column)
{
    const uint32_t status = w->columns.items[column].status;
    unsigned reason = 0;

    if (status == PRFDATA_STATUS_OK)
        return MISSING_STATUS_COUNT;
    while (reason < MISSING_STATUS_COUNT && missing_statuses[reason] != status)
        reason++;
    if (reason < MISSING_STATUS_COUNT &&
        ((w->reported[column] >> reason & 1) ||
         (status == PRFDATA_STATUS_ONE_SAMPLE && column >= w->first_count)))
        return MISSING_STATUS_COUNT;
    return reason;
}

static void report_missing_status(watch *w, unsigned reason, size_t count)
{
    size_t named = 0;

    for (size_t i = 0; named < count; i++) {
        if (reason_to_report(w, i) != reason)
            continue;
        w->reported[i] |= (uint16_t)(1u << reason);
        if (count <= NAMED_COLUMNS || named == 0)
            report_column_status(w, &w->columns.items[i], count <= NAMED_COLUMNS ? 0 : count - 1);
        named++;
    }
}

static bool report_column_statuses(watch *w)
{
    uint16_t *reported = prfdata_array_reserve(w->reported, &w->reported_capacity, w->columns.count,
                                               sizeof *reported);
    size_t counts[MISSING_STATUS_COUNT + 1] = {0};

    if (!reported)
        return prfdata_task_fail_memory(w->task);
    w->reported = reported;
    memset(reported + w->reported_count, 0,
           (w->columns.count - w->reported_count) * sizeof *reported);
    w->reported_count = w->columns.count;
    for (size_t i = 0; i < w->columns.count && w->columns.missing_count > 0; i++)
        counts[reason_to_report(w, i)]++;
    for (unsigned reason = 0; reason < MISSING_STATUS_COUNT; reason++)
        report_missing_status(w, reason, counts[reason]);
    return true;
}

/* Report a text, and release it. */
static void report_watch_text(const watch *w, prfdata_severity severity, const char *problem,
                              prfdata_output *text)
{
    prfdata_output_put(text, "", 1);
    if (!text->failed)
        prfdata_messages_put(
            w->task->session.messages,
            &(prfdata_message){.severity = severity, .problem = problem, .text = text->bytes});
    prfdata_output_free(text);
}

static void report_new_columns(const watch *w, size_t first)
{
    prfdata_output text = {0};

    prfdata_output_format(&text, "%u new: ", (unsigned)(w->columns.count - first));
    for (size_t i = first; i < w->columns.count; i++) {
        if (i > first)
            prfdata_output_put_string(&text, ", ");
        prfdata_output_put_string(&text, w->columns.items[i].heading);
    }
    report_watch_text(w, PRFDATA_SEVERITY_NOTE, "new", &text);
}

static bool is_noted_type(const watch *w, uint32_t type)
{
    for (size_t i = 0; i < w->noted_count; i++) {
        if (w->noted_types[i] == type)
            return true;
    }
    return false;
}

/* Report once how the bits of a type that is not predefined were read. */
static void report_type_note(watch *w, const prfdata_column *column)
{
    uint32_t *types = prfdata_array_reserve(w->noted_types, &w->noted_capacity, w->noted_count + 1,
                                            sizeof *types);
    const prfdata_text heading = text_of_heading(column->heading);
    char note[200];

    if (types) {
        w->noted_types = types;
        w->noted_types[w->noted_count++] = column->type;
    }
    if (heading.count > 0 && prfdata_counter_formula_note(column->type, note, sizeof note))
        prfdata_messages_add(w->task->session.messages, PRFDATA_SEVERITY_NOTE, heading, "%s", note);
    free((void *)(uintptr_t)heading.chars);
}

static void report_type_notes(watch *w)
{
    /* The type of the previous column; at first a type that needs no note. */
    uint32_t before = PERF_COUNTER_RAWCOUNT_HEX;

    if (w->noted_changes == w->columns.type_changes)
        return;
    /* If a column has no value yet, check again later, because its type may be a new one. */
    if (w->columns.missing_count == 0)
        w->noted_changes = w->columns.type_changes;
    for (size_t i = 0; i < w->columns.count; i++) {
        const prfdata_column *column = &w->columns.items[i];

        if (column->status != PRFDATA_STATUS_OK || column->is_text || column->type == before)
            continue;
        before = column->type;
        if (!prfdata_counter_types_find(column->type) && !is_noted_type(w, column->type))
            report_type_note(w, column);
    }
}

/* ---- Rows ---- */

/*
 * Put a line of headings: the first line, or another one for more columns.
 *
 * first_time  The time of the first row, which sets the time zone of the rows. NULL: the zone is
 *             set already, or no row has a time yet.
 */
static void put_row_header(watch *w, const uint16_t *first_time)
{
    if (!w->has_header && w->held_count == 0)
        prfdata_clock_zone_at(first_time, &w->rows.zone);
    if (w->rows.format->put_header)
        w->rows.format->put_header(&w->rows, !w->has_header, &w->output);
    w->has_header = true;
}

/* Create the file with the next number. A file that exists and must not be overwritten is
 * skipped. */
static uint32_t create_next_file(watch *w, prfdata_text *path)
{
    const prfdata_options *options = &w->task->options;
    prfdata_recorder numbered = {.piece = w->piece > 1 ? w->piece : 1};
    uint32_t status = ERROR_FILE_EXISTS;

    while (status == ERROR_FILE_EXISTS && numbered.piece < MOST_FILES) {
        prfdata_output name = {0};
        uint16_t *chars;

        numbered.piece++;
        prfdata_recorder_put_name(&numbered, options->file, &name);
        chars = name.failed ? NULL : malloc((name.used + 1) * sizeof *chars);
        status = ERROR_NOT_ENOUGH_MEMORY;
        if (chars) {
            free((void *)(uintptr_t)path->chars);
            *path = (prfdata_text){chars,
                                   prfdata_text_from_utf8(name.bytes, name.used, chars, name.used)};
            chars[path->count] = 0;
            status = prfdata_files_create(*path, options->overwrite, &w->task->out);
        }
        prfdata_output_free(&name);
    }
    w->piece = numbered.piece;
    return status;
}

/*
 * Continue in another file because there are more columns now. Programs that read logs refuse a
 * second heading and longer rows, or misread them. Returns false after a failure, which is
 * reported.
 */
static bool begin_next_file(watch *w)
{
    prfdata_text path = {NULL, 0};
    uint32_t status = prfdata_files_close(w->task->out);

    w->task->out = prfdata_streams_out();
    if (status != ERROR_SUCCESS)
        return prfdata_task_fail_system(w->task, w->task->options.file, status, "cannot write");
    status = create_next_file(w, &path);
    if (status == ERROR_SUCCESS)
        prfdata_messages_add(w->task->session.messages, PRFDATA_SEVERITY_NOTE, path,
                             "there are more columns now; this file has the rows from here on");
    else
        (void)prfdata_task_fail_file(w->task, path, status, "cannot create the file");
    free((void *)(uintptr_t)path.chars);
    w->has_header = false; /* the new file has no headings yet */
    return status == ERROR_SUCCESS;
}

/* Put headings for columns that were added after the first line of headings. */
static bool put_new_headings(watch *w)
{
    if (!w->has_header)
        return true;
    if (w->rows.is_file && w->rows.format->put_missing &&
        prfdata_files_is_on_disk(w->task->out, w->task->options.file))
        return begin_next_file(w);
    put_row_header(w, NULL);
    return true;
}

/*
 * Add columns for everything new in the sample, and put headings for them. The first line of
 * headings waits for the first row, so that it has the columns of both samples from which the row
 * is computed.
 */
static bool add_new_columns(watch *w, const prfdata_sample *sample)
{
    const size_t before = w->columns.count;

    if (prfdata_requests_add_columns(&w->task->session, &w->requests, sample, &w->columns) !=
        ERROR_SUCCESS)
        return prfdata_task_fail_memory(w->task);
    if (w->columns.count == before)
        return true;
    report_new_columns(w, before);
    return put_new_headings(w);
}

/*
 * Add the columns of the first sample. If the source is a recording, the columns of its second
 * sample are also added here, so that they are not reported as new.
 */
static bool add_first_columns(watch *w, const prfdata_sample *first)
{
    prfdata_task *task = w->task;
    uint32_t status = ERROR_SUCCESS;

    if (task->session.source->kind->is_recorded)
        (void)prfdata_requests_take(&task->session, &w->requests, &w->second);
    if (w->second)
        status = prfdata_requests_match_columns(&w->requests, first, &w->columns);
    if (status == ERROR_SUCCESS)
        status = prfdata_requests_add_columns(&task->session, &w->requests,
                                              w->second ? w->second : first, &w->columns);
    w->first_count = w->columns.count;
    return status == ERROR_SUCCESS || prfdata_task_fail_memory(task);
}

static uint32_t statistics_flags(const watch *w)
{
    return PRFDATA_VALUE_DOUBLE | PRFDATA_VALUE_NOSCALE |
           (w->task->options.uncapped ? PRFDATA_VALUE_NOCAP100 : 0u) |
           (w->task->options.idle_zeros ? PRFDATA_VALUE_IDLE_ZERO : 0u);
}

static bool reserve_runs(watch *w)
{
    prfdata_statistics_run *runs =
        prfdata_array_reserve(w->runs, &w->run_capacity, w->columns.count, sizeof *runs);

    if (!runs)
        return prfdata_task_fail_memory(w->task);
    w->runs = runs;
    if (w->run_count < w->columns.count)
        memset(runs + w->run_count, 0, (w->columns.count - w->run_count) * sizeof *runs);
    w->run_count = w->columns.count;
    return true;
}

/* Add the values of a row to the statistics of its columns. Texts have none. */
static bool add_row_statistics(watch *w)
{
    if (!w->task->options.statistics)
        return true;
    if (!reserve_runs(w))
        return false;
    for (size_t i = 0; i < w->columns.count; i++) {
        const prfdata_column *column = &w->columns.items[i];
        prfdata_statistics_run *run = &w->runs[i];
        const bool is_first = run->flags == 0;
        const bool has_older = !is_first || column->older_status == PRFDATA_STATUS_OK;
        prfdata_compute_raw older;
        prfdata_compute_raw raw;

        if (!column->is_known || column->is_text)
            continue;
        if (is_first)
            prfdata_statistics_begin(run, column->type, statistics_flags(w));
        /* If an earlier sample had the column but the previous one lacked it, pass `older`, so that
         * this value counts as skipped. */
        older = prfdata_columns_older(&w->columns, column);
        raw = prfdata_columns_raw(&w->columns, column);
        prfdata_statistics_add(run, has_older ? &older : NULL, &raw);
    }
    return true;
}

/*
 * If the rows go to a file that PDH may read, convert them to the system's ANSI code page. A
 * message says once that the code page lacks characters of the rows. Returns false if the rows
 * cannot be converted.
 */
static bool encode_rows(watch *w)
{
    const prfdata_options *options = &w->task->options;
    prfdata_output *output = &w->output;
    size_t used = 0;
    uint32_t status;
    char *bytes;

    if (!w->rows.is_file || !w->rows.format->is_pdh_log || options->is_utf8 ||
        prfdata_ansi_system_page() == PRFDATA_ANSI_UTF_8 || output->failed || output->used == 0)
        return true;
    bytes = malloc(output->used * PRFDATA_ANSI_MOST_BYTES);
    if (!bytes)
        return prfdata_task_fail_memory(w->task);
    status = prfdata_ansi_from_utf8(output->bytes, output->used, bytes, &used);
    if (status == ERROR_INVALID_DATA && !w->lacks_characters)
        prfdata_messages_add(
            w->task->session.messages, PRFDATA_SEVERITY_WARNING, options->file,
            "this system's code page %u lacks characters of names, so the file has "
            "? instead; -utf8 writes them, but PerfMon does not read UTF-8",
            (unsigned)prfdata_ansi_system_page());
    w->lacks_characters = w->lacks_characters || status == ERROR_INVALID_DATA;
    prfdata_output_clear(output);
    prfdata_output_put(output, bytes, used);
    free(bytes);
    if (status == ERROR_SUCCESS || status == ERROR_INVALID_DATA)
        return true;
    return prfdata_task_fail_system(w->task, options->file, status,
                                    "cannot be written in this system's code page");
}

static bool flush_rows(watch *w)
{
    return !w->has_failed && encode_rows(w) && prfdata_task_flush(w->task, &w->output);
}

/*
 * Write a piece of a row that is being put. A failure is reported once; flush_rows() sees it at the
 * end of the row.
 */
static void take_piece(void *context, prfdata_output *output)
{
    watch *w = context;

    w->has_failed = w->has_failed || !prfdata_task_flush(w->task, output);
    prfdata_output_clear(output);
}

/* Keep the current row until all columns are known. */
static bool hold_row(watch *w)
{
    held_row *rows =
        prfdata_array_reserve(w->held_rows, &w->held_capacity, w->held_count + 1, sizeof *rows);

    if (!rows)
        return prfdata_task_fail_memory(w->task);
    w->held_rows = rows;
    rows[w->held_count++] = (held_row){w->output, w->columns.count};
    w->output = (prfdata_output){0};
    if (rows[w->held_count - 1].text.failed)
        return prfdata_task_fail_memory(w->task);
    /* Make room for the next row, which is about as long. */
    (void)prfdata_output_room(&w->output, rows[w->held_count - 1].text.used);
    return true;
}

/* Print the headings of all columns, and the waiting rows. Each row gets a field for each
 * column. */
static bool print_held_rows(watch *w)
{
    const size_t line_end = 2;

    if (w->held_count == 0)
        return true;
    prfdata_output_clear(&w->output);
    put_row_header(w, NULL);
    if (!flush_rows(w))
        return false;
    for (size_t i = 0; i < w->held_count; i++) {
        held_row *row = &w->held_rows[i];

        prfdata_output_free(&w->output);
        w->output = row->text;
        row->text = (prfdata_output){0};
        w->output.used -= line_end;
        w->rows.format->put_missing(&w->rows, w->columns.count - row->columns, &w->output);
        prfdata_output_put_string(&w->output, "\r\n");
        if (!flush_rows(w))
            return false;
    }
    return true;
}

/* Print a row. If `newer` is NULL, no sample could be taken, and the row has no values. */
static bool print_row(watch *w, const prfdata_sample *older, const prfdata_sample *newer)
{
    if (newer) {
        if (!add_new_columns(w, newer))
            return false;
        if (prfdata_columns_compute(&w->columns, older, newer, !w->task->options.uncapped) !=
            ERROR_SUCCESS)
            return prfdata_task_fail_memory(w->task);
    } else {
        prfdata_columns_forget(&w->columns);
    }
    if (w->holds_rows && w->held_count == 0)
        prfdata_clock_zone_at(newer ? newer->block.header.system_time : NULL, &w->rows.zone);
    else if (!w->holds_rows && !w->has_header)
        put_row_header(w, newer ? newer->block.header.system_time : NULL);
    w->rows.format->put_row(&w->rows, newer ? newer->block.header.system_time : NULL, &w->output);
    report_type_notes(w);
    return report_column_statuses(w) && add_row_statistics(w) &&
           (w->holds_rows ? hold_row(w) : flush_rows(w));
}

static prfdata_sample *take_row_sample(watch *w)
{
    prfdata_sample *sample = w->second;

    w->second = NULL;
    if (!sample)
        (void)prfdata_requests_take(&w->task->session, &w->requests, &sample);
    return sample;
}

/*
 * Print rows until there are enough, a recording ends, or the user stops the program.
 *
 * older  The first sample, from which rates are computed; owned.
 *
 * Returns false if rows cannot be written.
 */
static bool print_rows(watch *w, prfdata_sample *older)
{
    prfdata_task *task = w->task;
    const uint32_t row_count = task->options.sample_count;
    const bool is_recorded = task->session.source->kind->is_recorded;
    prfdata_pace pace;
    bool goes_on = true;

    prfdata_pace_begin(&pace, prfdata_os_milliseconds(), task->options.interval_ms);
    for (uint32_t row = 0; row_count == 0 || row < row_count; row++) {
        prfdata_sample *newer;

        if (!prfdata_stop_wait_until(is_recorded ? 0 : pace.due_ms))
            break;
        newer = take_row_sample(w);
        prfdata_pace_took(&pace, prfdata_os_milliseconds());
        if (!newer && task->session.is_cancelled)
            break;
        if (!newer && is_recorded) {
            if (row > 0 || !older)
                break;
            /* The source has only one sample, so values that need two get a status instead. */
            newer = older;
            older = NULL;
        }
        goes_on = print_row(w, older, newer);
        prfdata_task_end_turn(task, newer != NULL);
        prfdata_sample_free(older);
        older = newer;
        if (!goes_on)
            break;
    }
    prfdata_sample_free(older);
    return goes_on;
}

/* ---- Statistics ---- */

/* Print statistics. They go to standard output even if the rows are in a file, because other
 * programs read the file as a log. */
static void print_statistics(watch *w)
{
    prfdata_statistics *statistics;

    if (!w->task->options.statistics)
        return;
    statistics = calloc(w->columns.count, sizeof *statistics);
    if (!statistics) {
        (void)prfdata_task_fail_memory(w->task);
        return;
    }
    for (size_t i = 0; i < w->run_count; i++) {
        if (prfdata_statistics_end(&w->runs[i], 0, &statistics[i]) != PRFDATA_STATUS_OK)
            statistics[i].skipped_count = w->runs[i].skipped_count;
    }
    w->rows.format->put_statistics(&w->rows, statistics, &w->output);
    (void)prfdata_task_flush(w->task, &w->output);
    free(statistics);
}

/* ---- The task ---- */

/* Print all rows. `sample` is the first sample; owned. */
static void print_all_rows(watch *w, prfdata_sample *sample)
{
    bool goes_on;

    if (!prfdata_task_open_out(w->task)) {
        prfdata_sample_free(sample);
        return;
    }
    if (w->task->options.file.count > 0)
        prfdata_task_report_writing(w->task, w->task->options.file);
    goes_on = print_rows(w, sample) && print_held_rows(w);
    if (goes_on && !w->has_header) {
        put_row_header(w, NULL); /* the user stopped the program before the first row */
        goes_on = flush_rows(w);
    }
    prfdata_task_close_out(w->task);
    if (goes_on)
        print_statistics(w);
}

uint32_t prfdata_watch_run(prfdata_task *task)
{
    prfdata_session *session = &task->session;
    prfdata_sample *sample = NULL;
    watch w;
    const prfdata_output_taker taker = {take_piece, &w};

    memset(&w, 0, sizeof w);
    w.task = task;
    prfdata_output_init(&w.output);
    prfdata_columns_init(&w.columns, &session->titles, session->computer);
    w.columns.has_idle_zeros = task->options.idle_zeros;
    w.rows = (prfdata_format_rows){.format = task->options.format,
                                   .columns = &w.columns,
                                   .json_heads = &w.json_heads,
                                   .taker = &taker,
                                   .is_file = task->options.file.count > 0};
    w.holds_rows = session->source->kind->is_recorded && task->options.format->put_missing;
    if (prfdata_task_make_requests(task, &w.requests) &&
        prfdata_requests_take(session, &w.requests, &sample) == ERROR_SUCCESS) {
        if (add_first_columns(&w, sample) && w.columns.count > 0)
            print_all_rows(&w, sample);
        else
            prfdata_sample_free(sample);
    }
    task->not_found += prfdata_requests_missing_count(&w.requests);
    prfdata_sample_free(w.second);
    free(w.noted_types);
    for (size_t i = 0; i < w.held_count; i++)
        prfdata_output_free(&w.held_rows[i].text);
    free(w.held_rows);
    free(w.reported);
    free(w.runs);
    prfdata_requests_free(&w.requests);
    prfdata_columns_free(&w.columns);
    prfdata_json_heads_free(&w.json_heads);
    prfdata_output_free(&w.output);
    return prfdata_task_status(task);
}
