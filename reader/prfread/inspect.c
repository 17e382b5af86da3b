/* SPDX-License-Identifier: MIT */
/*
 * One sample of named objects, shown once. The lines of a list are in paths/list.c, those of a dump
 * in block/dump.c.
 */
#include "prfread/inspect.h"

#include <stdlib.h>

#include "block/dump.h"
#include "paths/list.h"

/* Report that an object is not there: no title is its name, or no provider shows it. */
static void report_absent_name(const prfdata_task *task, size_t name, bool is_titled)
{
    const prfdata_text object = task->options.names[name];
    prfdata_output text = {0};
    const char *problem = prfdata_session_absence(&task->session, object, is_titled, &text);

    prfdata_messages_put(
        task->session.messages,
        &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                           .subject = object,
                           .problem = problem,
                           .text = text.used > 0 && !text.failed ? text.bytes : problem});
    prfdata_output_free(&text);
}

/* Add the objects that the options name. Unknown ones are reported. */
static void add_named_objects(prfdata_task *task, prfdata_title_set *set)
{
    for (size_t i = 0; i < task->options.name_count; i++) {
        task->wanted++;
        if (!prfdata_title_set_add_name(set, &task->session.titles, task->options.names[i])) {
            report_absent_name(task, i, false);
            task->not_found++;
        }
    }
}

static bool is_named_object(const prfdata_task *task, const prfdata_sample_object *object)
{
    const prfdata_titles *titles = &task->session.titles;
    const uint32_t title = object->wire.header.object_name_title_index;

    if (task->options.name_count == 0)
        return true;
    for (size_t i = 0; i < task->options.name_count; i++) {
        const prfdata_text name = task->options.names[i];

        if (prfdata_titles_match(titles, prfdata_titles_way_of(titles, name), name, title))
            return true;
    }
    return false;
}

/* Report the named objects that the sample lacks: an object may have a title, but no provider. */
static void report_absent_objects(prfdata_task *task, const prfdata_sample *sample)
{
    for (size_t i = 0; i < task->options.name_count; i++) {
        prfdata_title_set set = {NULL, 0, 0};
        const bool is_known =
            prfdata_title_set_add_name(&set, &task->session.titles, task->options.names[i]);
        bool is_there = false;

        for (size_t j = 0; j < set.count; j++)
            is_there = is_there || prfdata_sample_find_object(sample, set.items[j]);
        prfdata_title_set_free(&set);
        if (is_known && !is_there) {
            report_absent_name(task, i, true);
            task->not_found++;
        }
    }
}

/* Report that it takes time: "Global" calls every provider of the computer, and some are slow. */
static void ask_patience(const prfdata_task *task, const prfdata_title_set *set)
{
    if (set->count == 0 && task->options.source == PRFDATA_SOURCE_SYSTEM && task->is_watched)
        prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_HINT, prfdata_no_subject,
                             "Reading: all providers of this computer; name an object to ask its "
                             "own only");
}

/* Take a sample of these objects. Returns NULL after a failure, which is reported. */
static prfdata_sample *take_objects(prfdata_task *task, prfdata_title_set *set)
{
    prfdata_sample *sample = NULL;
    uint16_t *query = NULL;

    ask_patience(task, set);
    (void)prfdata_session_take_first(&task->session, set, &query, &sample);
    free(query);
    return sample;
}

prfdata_sample *prfdata_inspect_take(prfdata_task *task)
{
    prfdata_title_set set = {NULL, 0, 0};
    prfdata_sample *sample = NULL;

    add_named_objects(task, &set);
    if (task->wanted == 0 || set.count > 0)
        sample = take_objects(task, &set);
    if (sample)
        report_absent_objects(task, sample);
    prfdata_title_set_free(&set);
    return sample;
}

/* Write all of it to the file of -o or to standard output. */
static void write_inspection(prfdata_task *task, prfdata_output *output)
{
    if (!prfdata_task_open_out(task))
        return;
    (void)prfdata_task_flush(task, output);
    prfdata_task_close_out(task);
}

uint32_t prfdata_inspect_list(prfdata_task *task)
{
    prfdata_sample *sample = prfdata_inspect_take(task);
    prfdata_output output;

    if (!sample)
        return prfdata_task_status(task);
    prfdata_output_init(&output);
    for (uint32_t i = 0; i < sample->object_count; i++) {
        if (is_named_object(task, &sample->objects[i]))
            prfdata_list_put(&output, &sample->objects[i], &task->session.titles.english,
                             task->options.task == PRFDATA_TASK_LIST_INSTANCES);
    }
    write_inspection(task, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
    return prfdata_task_status(task);
}

uint32_t prfdata_inspect_dump(prfdata_task *task)
{
    prfdata_title_set set = {NULL, 0, 0};
    prfdata_sample *sample;
    prfdata_output output;

    add_named_objects(task, &set);
    if (task->not_found > 0)
        set.count = 0; /* dump all: the object may be there without a name */
    sample = take_objects(task, &set);
    prfdata_title_set_free(&set);
    if (!sample)
        return prfdata_task_status(task);
    if (task->not_found == 0)
        report_absent_objects(task, sample);
    prfdata_output_init(&output);
    (void)prfdata_dump_put(&output, sample->bytes, sample->size, &task->session.titles.english);
    write_inspection(task, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
    return prfdata_task_status(task);
}
