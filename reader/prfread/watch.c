/* SPDX-License-Identifier: MIT */
#include "prfread/watch.h"

#include <stdlib.h>
#include <string.h>

#include "paths/csv.h"
#include "paths/json.h"
#include "core/os.h"
#include "source/say.h"
#include "paths/wishes.h"

typedef struct watch {
    prfdata_session *session;
    prfdata_wishes wishes;
    prfdata_columns columns;
    prfdata_statistics_run *runs; /* one for each of the first `run_count` columns */
    size_t run_count;
    prfdata_output output;
} watch;

static bool is_json(const watch *w)
{
    return w->session->options.format == PRFDATA_FORMAT_JSON;
}

static prfdata_csv_separator separator(const watch *w)
{
    return w->session->options.format == PRFDATA_FORMAT_TSV ? PRFDATA_CSV_TAB : PRFDATA_CSV_COMMA;
}

static bool fail_memory(watch *w)
{
    prfdata_say_system_error(prfdata_say_nothing, "too many counters", ERROR_NOT_ENOUGH_MEMORY);
    w->session->system_failed = true;
    return false;
}

/* ---- What is told ---- */

/* A bit for each status that a column can have; 0: it is never told. */
static uint32_t bit_of(uint32_t status)
{
    static const uint32_t statuses[] = {
        PRFDATA_STATUS_NO_INSTANCE,       PRFDATA_STATUS_NO_DATA,
        PRFDATA_STATUS_NEGATIVE_TIMEBASE, PRFDATA_STATUS_NEGATIVE_DENOMINATOR,
        PRFDATA_STATUS_NEGATIVE_VALUE,    PRFDATA_STATUS_NO_OBJECT,
        PRFDATA_STATUS_NO_COUNTER,        PRFDATA_STATUS_INVALID_DATA,
        PRFDATA_STATUS_NO_FORMULA,        PRFDATA_STATUS_ONE_SAMPLE,
    };

    for (unsigned i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i] == status)
            return 1u << i;
    }
    return 0;
}

static void say_line(const char *kind, prfdata_output *line)
{
    prfdata_output_put(line, "", 1);
    if (!line->failed)
        prfdata_say(kind, prfdata_say_nothing, line->bytes);
    prfdata_output_free(line);
}

/* Tell why columns have no value, once for each reason. */
static void tell_statuses(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];
        const uint32_t bit = bit_of(column->status);
        prfdata_output line;
        char note[200];

        if (bit == 0 || (column->told & bit))
            continue;
        column->told |= bit;
        prfdata_output_init(&line);
        prfdata_output_put_string(&line, column->heading);
        prfdata_output_format(
            &line, ": %s (%s 0x%08X)", prfdata_compute_status_text(column->status),
            prfdata_compute_status_name(column->status), (unsigned)column->status);
        if (column->status == PRFDATA_STATUS_NO_FORMULA &&
            prfdata_counter_formula_note(column->type, note, sizeof note))
            prfdata_output_format(&line, ": %s", note);
        say_line("Warning", &line);
    }
}

/* Tell which columns are new. Of course they had no sample before. */
static void tell_new(prfdata_columns *columns, size_t first)
{
    prfdata_output line;

    prfdata_output_init(&line);
    prfdata_output_format(&line, "%u new: ", (unsigned)(columns->count - first));
    for (size_t i = first; i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];

        if (i > first)
            prfdata_output_put_string(&line, ", ");
        prfdata_output_put_string(&line, column->heading);
        column->told |= bit_of(PRFDATA_STATUS_ONE_SAMPLE);
    }
    say_line("Note", &line);
}

/* Whoever sees no rows should know what goes on. */
static void tell_file(const watch *w)
{
    const prfdata_options *options = &w->session->options;
    prfdata_output line;

    if (options->file.count == 0 || w->session->source->kind->is_recorded ||
        !prfdata_console_is_terminal(prfdata_console_err()))
        return;
    prfdata_output_init(&line);
    prfdata_output_format(&line, "a sample each %u.%03u s, ",
                          (unsigned)(options->interval_ms / 1000),
                          (unsigned)(options->interval_ms % 1000));
    if (options->sample_count > 0)
        prfdata_output_format(&line, "%u in all", (unsigned)options->sample_count);
    else
        prfdata_output_put_string(&line, "until Ctrl+C");
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        prfdata_say("Writing", options->file, line.bytes);
    prfdata_output_free(&line);
}

/* ---- Rows ---- */

/* JSON has no headings: each line says all. */
static void put_header(watch *w)
{
    uint16_t chars[64];
    prfdata_text zone = {chars, 0};
    int32_t bias_minutes = 0;

    if (is_json(w))
        return;
    if (w->session->options.file.count > 0)
        zone.count = prfdata_console_time_zone(chars, 64, &bias_minutes);
    prfdata_csv_put_header(&w->output, &w->columns, separator(w), zone, bias_minutes);
}

static void put_row(watch *w, const prfdata_sample *sample)
{
    const uint16_t *utc = sample ? sample->block.header.system_time : NULL;
    uint16_t local[8];

    if (is_json(w)) {
        prfdata_json_put_sample(&w->output, &w->columns, utc);
        return;
    }
    prfdata_console_local_time(utc, local);
    prfdata_csv_put_row(&w->output, &w->columns, separator(w), local,
                        w->session->options.file.count > 0 ? " " : "-1");
}

/* Until the next sample is due; false if somebody stopped us. */
static bool wait_for_next(const prfdata_session *s, uint64_t *due_ms)
{
    uint64_t now_ms;

    if (s->source->kind->is_recorded)
        return prfdata_console_wait_until(0);
    *due_ms += s->options.interval_ms;
    if (!prfdata_console_wait_until(*due_ms))
        return false;
    now_ms = prfdata_os_milliseconds();
    if (now_ms > *due_ms + s->options.interval_ms)
        *due_ms = now_ms; /* too slow for this rhythm: do not hurry after it */
    return true;
}

/* Columns for what is new in the sample, with a line of headings that has them. */
static bool add_columns(watch *w, const prfdata_sample *sample)
{
    const size_t before = w->columns.count;

    if (prfdata_wishes_add(w->session, &w->wishes, sample, &w->columns) != ERROR_SUCCESS)
        return fail_memory(w);
    if (before > 0 && w->columns.count > before) {
        tell_new(&w->columns, before);
        put_header(w);
    }
    return true;
}

static uint32_t statistics_flags(const watch *w)
{
    return PRFDATA_VALUE_DOUBLE | PRFDATA_VALUE_NOSCALE |
           (w->session->options.uncapped ? PRFDATA_VALUE_NOCAP100 : 0u);
}

/* What the rows show goes into the statistics; texts do not. */
static bool add_statistics(watch *w)
{
    if (!w->session->options.statistics)
        return true;
    if (w->run_count < w->columns.count) {
        prfdata_statistics_run *runs = realloc(w->runs, w->columns.count * sizeof *runs);

        if (!runs)
            return fail_memory(w);
        memset(runs + w->run_count, 0, (w->columns.count - w->run_count) * sizeof *runs);
        w->runs = runs;
        w->run_count = w->columns.count;
    }
    for (size_t i = 0; i < w->columns.count; i++) {
        const prfdata_column *column = &w->columns.items[i];
        prfdata_statistics_run *run = &w->runs[i];
        const bool is_first = run->flags == 0;
        const bool has_older = !is_first || column->older.status == PRFDATA_STATUS_OK;

        if (!column->is_known || column->is_text)
            continue;
        if (is_first)
            prfdata_statistics_begin(run, column->type, statistics_flags(w));
        /* Whoever was there once and was not just before misses a value. */
        prfdata_statistics_add(run, has_older ? &column->older : NULL, &column->raw);
    }
    return true;
}

/* A row of these samples; `newer` NULL: there is none, and no value. */
static bool print_row(watch *w, const prfdata_sample *older, const prfdata_sample *newer)
{
    if (newer) {
        if (!add_columns(w, newer))
            return false;
        if (prfdata_columns_compute(&w->columns, older, newer, !w->session->options.uncapped) !=
            ERROR_SUCCESS)
            return fail_memory(w);
    } else {
        prfdata_columns_forget(&w->columns);
    }
    put_row(w, newer);
    tell_statuses(&w->columns);
    return add_statistics(w) && prfdata_session_flush(w->session, &w->output);
}

/*
 * Print rows until enough, or until somebody stops us. `older` is the silent first sample.
 * Returns false if rows cannot be written.
 */
static bool print_rows(watch *w, prfdata_sample *older)
{
    const prfdata_session *s = w->session;
    const bool is_recorded = s->source->kind->is_recorded;
    uint64_t due_ms = prfdata_os_milliseconds();
    bool goes_on = true;

    for (uint32_t row = 0; s->options.sample_count == 0 || row < s->options.sample_count; row++) {
        prfdata_sample *newer;

        if (!wait_for_next(s, &due_ms))
            break;
        newer = prfdata_wishes_take(w->session, &w->wishes);
        if (!newer && is_recorded) {
            if (row > 0 || !older)
                break;
            newer = older; /* the only one: what needs a second has a status */
            older = NULL;
        }
        goes_on = print_row(w, older, newer);
        prfdata_sample_free(older);
        older = newer;
        if (!goes_on)
            break;
    }
    prfdata_sample_free(older);
    return goes_on;
}

/* ---- Statistics ---- */

/* On standard output, also where the rows are in a file: others read it as a log. */
static void print_statistics(watch *w)
{
    prfdata_statistics *statistics;

    if (!w->session->options.statistics)
        return;
    statistics = calloc(w->columns.count, sizeof *statistics);
    if (!statistics) {
        (void)fail_memory(w);
        return;
    }
    for (size_t i = 0; i < w->run_count; i++) {
        if (prfdata_statistics_end(&w->runs[i], 0, &statistics[i]) != PRFDATA_STATUS_OK)
            statistics[i].skipped_count = w->runs[i].skipped_count;
    }
    if (is_json(w))
        prfdata_json_put_statistics(&w->output, &w->columns, statistics);
    else
        prfdata_csv_put_statistics(&w->output, &w->columns, separator(w), statistics);
    (void)prfdata_session_flush(w->session, &w->output);
    free(statistics);
}

/* ---- The task ---- */

/* `sample` is the first and becomes ours. */
static void print_all(watch *w, prfdata_sample *sample)
{
    bool goes_on;

    if (!prfdata_session_open_out(w->session)) {
        prfdata_sample_free(sample);
        return;
    }
    if (w->session->options.file.count == 0 && !is_json(w))
        prfdata_output_put_string(&w->output, "\r\n"); /* as typeperf does */
    put_header(w);
    goes_on = prfdata_session_flush(w->session, &w->output);
    if (goes_on) {
        tell_file(w);
        goes_on = print_rows(w, sample);
    } else {
        prfdata_sample_free(sample);
    }
    prfdata_session_close_out(w->session);
    if (goes_on)
        print_statistics(w);
}

void prfdata_watch_run(prfdata_session *s)
{
    prfdata_sample *sample;
    watch w;

    memset(&w, 0, sizeof w);
    w.session = s;
    prfdata_output_init(&w.output);
    prfdata_columns_init(&w.columns, &s->titles, s->computer);
    if (prfdata_wishes_make(s, &w.wishes)) {
        sample = prfdata_wishes_take(s, &w.wishes);
        if (sample && add_columns(&w, sample) && w.columns.count > 0)
            print_all(&w, sample);
        else
            prfdata_sample_free(sample);
    }
    prfdata_wishes_count_missing(s, &w.wishes);
    free(w.runs);
    prfdata_wishes_free(&w.wishes);
    prfdata_columns_free(&w.columns);
    prfdata_output_free(&w.output);
}
