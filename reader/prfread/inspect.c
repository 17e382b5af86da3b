/* SPDX-License-Identifier: MIT */
/*
 * Takes one sample of named objects and shows it once. paths/list.c makes the lines of a list, and
 * block/dump.c those of a dump.
 */
#include "prfread/inspect.h"

#include <stdlib.h>

#include "block/dump.h"
#include "paths/list.h"

/* Report that an object is missing: either no title has its name, or no provider shows it. */
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

/* Find the titles of service:NAME. Returns false if the name is something else, or unknown. */
static bool find_named_service(const prfdata_task *task, prfdata_text name,
                               prfdata_source_titles *titles)
{
    const prfdata_text service = prfdata_requests_service(name);

    return service.count > 0 &&
           prfdata_source_find_service(task->session.source, service, titles) == ERROR_SUCCESS;
}

/* Add the titles that a name may mean. Returns false if it means none. */
static bool add_named_titles(const prfdata_task *task, prfdata_text name, prfdata_title_set *set)
{
    prfdata_source_titles titles;

    if (!find_named_service(task, name, &titles))
        return prfdata_title_set_add_name(set, &task->session.titles, name);
    prfdata_title_set_add_range(set, titles.first, titles.last);
    return true;
}

/* Add the objects that the options name. Unknown ones are reported. */
static void add_named_objects(prfdata_task *task, prfdata_title_set *set)
{
    for (size_t i = 0; i < task->options.name_count; i++) {
        task->wanted++;
        if (!add_named_titles(task, task->options.names[i], set)) {
            report_absent_name(task, i, false);
            task->not_found++;
        }
    }
}

/* Returns whether a name means this object. */
static bool means_object(const prfdata_task *task, prfdata_text name,
                         const prfdata_sample_object *object)
{
    const prfdata_titles *titles = &task->session.titles;
    const uint32_t title = object->wire.header.object_name_title_index;
    prfdata_source_titles service;

    if (find_named_service(task, name, &service))
        return title >= service.first && title <= service.last;
    return prfdata_titles_match(titles, prfdata_titles_way_of(titles, name), name, title);
}

static bool is_named_object(const prfdata_task *task, const prfdata_sample_object *object)
{
    if (task->options.name_count == 0)
        return true;
    for (size_t i = 0; i < task->options.name_count; i++) {
        if (means_object(task, task->options.names[i], object))
            return true;
    }
    return false;
}

/* Report the named objects that the sample lacks. An object may have a title but no provider. */
static void report_absent_objects(prfdata_task *task, const prfdata_sample *sample)
{
    for (size_t i = 0; i < task->options.name_count; i++) {
        prfdata_title_set set = {0};
        const bool is_known = add_named_titles(task, task->options.names[i], &set);
        bool is_there = false;

        for (uint32_t o = 0; o < sample->object_count; o++)
            is_there = is_there || means_object(task, task->options.names[i], &sample->objects[o]);
        prfdata_title_set_free(&set);
        if (is_known && !is_there) {
            report_absent_name(task, i, true);
            task->not_found++;
        }
    }
}

/* Report that this takes time, because "Global" calls every provider of the computer, and some are
 * slow. */
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
    prfdata_title_set set = {0};
    prfdata_sample *sample = NULL;

    add_named_objects(task, &set);
    if (task->wanted == 0 || set.count > 0 || set.is_global)
        sample = take_objects(task, &set);
    if (sample)
        report_absent_objects(task, sample);
    prfdata_title_set_free(&set);
    return sample;
}

prfdata_sample *prfdata_inspect_take_again(prfdata_task *task, prfdata_title_set *set,
                                           uint16_t **query)
{
    prfdata_sample *sample = NULL;

    for (size_t i = 0; !*query && i < task->options.name_count; i++)
        (void)add_named_titles(task, task->options.names[i], set);
    if (task->options.name_count > 0 && set->count == 0 && !set->is_global)
        return NULL; /* an empty set would ask for everything */
    (void)prfdata_session_take_first(&task->session, set, query, &sample);
    return sample;
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
    (void)prfdata_task_write_whole(task, task->options.overwrite, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
    return prfdata_task_status(task);
}

uint32_t prfdata_inspect_dump(prfdata_task *task)
{
    prfdata_title_set set = {0};
    prfdata_sample *sample;
    prfdata_output output;

    add_named_objects(task, &set);
    if (task->not_found > 0)
        set.count = 0; /* dump everything, because the object may be there without a name */
    sample = take_objects(task, &set);
    prfdata_title_set_free(&set);
    if (!sample)
        return prfdata_task_status(task);
    if (task->not_found == 0)
        report_absent_objects(task, sample);
    prfdata_output_init(&output);
    (void)prfdata_dump_put(&output, sample->bytes, sample->size, &task->session.titles.english);
    (void)prfdata_task_write_whole(task, task->options.overwrite, &output);
    prfdata_output_free(&output);
    prfdata_sample_free(sample);
    return prfdata_task_status(task);
}
