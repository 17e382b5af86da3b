/* SPDX-License-Identifier: MIT */
/*
 * Takes samples of the objects that the options name, or of all objects. save.c uses these samples,
 * too. Writes a list (paths/list.c makes its lines) or a dump (block/dump.c) of one sample.
 */
#include "prfread/inspect.h"

#include <stdlib.h>
#include <string.h>

#include "block/dump.h"
#include "paths/list.h"
#include "paths/resolver.h"

#define MOST_SEARCHES 16u /* search for the reasons of at most this many missing objects */

/* Report an object that was not found. `is_titled`: whether any title has the object's name. */
static void report_absent_name(const prfdata_task *task, size_t name, bool is_titled)
{
    const prfdata_text object = task->options.names[name];
    prfdata_output text = {0};
    const char *problem = prfdata_session_absence(&task->session, object, is_titled,
                                                  task->not_found < MOST_SEARCHES ? &text : NULL);

    prfdata_messages_put(
        task->session.messages,
        &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                           .subject = object,
                           .problem = problem,
                           .text = text.used > 0 && !text.failed ? text.bytes : problem});
    prfdata_output_free(&text);
}

/* Find the titles of service:NAME. Returns false if the name has another form, or the service is
 * unknown. */
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

/* Begin to find the objects that a name means in a sample. prfdata_resolver_next_object() then
 * finds each of them. `path` must exist as long as `resolver`. */
static void begin_named_objects(const prfdata_task *task, prfdata_text name,
                                const prfdata_sample *sample, prfdata_resolver_path *path,
                                prfdata_resolver *resolver)
{
    prfdata_source_titles service;

    memset(path, 0, sizeof *path);
    path->path.object = name;
    if (find_named_service(task, name, &service)) {
        path->first_title = service.first;
        path->last_title = service.last;
    } else {
        path->way = prfdata_titles_way_of(&task->session.titles, name);
    }
    prfdata_resolver_begin(resolver, path, &task->session.titles, sample);
}

/* For each object of a sample, return whether the options ask for it. Options that name no objects
 * ask for all. NULL: no memory. Owner: the caller; free(). */
static bool *find_named_objects(const prfdata_task *task, const prfdata_sample *sample)
{
    bool *named = calloc((size_t)sample->object_count + 1, sizeof *named);

    for (uint32_t i = 0; named && task->options.name_count == 0 && i < sample->object_count; i++)
        named[i] = true;
    for (size_t i = 0; named && i < task->options.name_count; i++) {
        prfdata_resolver_path path;
        prfdata_resolver resolver;

        begin_named_objects(task, task->options.names[i], sample, &path, &resolver);
        while (prfdata_resolver_next_object(&resolver))
            named[resolver.object_position] = true;
    }
    return named;
}

/* Report the named objects that the sample lacks. An object may have a title but no provider. */
static void report_absent_objects(prfdata_task *task, const prfdata_sample *sample)
{
    for (size_t i = 0; i < task->options.name_count; i++) {
        prfdata_title_set set = {0};
        const bool is_known = add_named_titles(task, task->options.names[i], &set);
        prfdata_resolver_path path;
        prfdata_resolver resolver;

        prfdata_title_set_free(&set);
        begin_named_objects(task, task->options.names[i], sample, &path, &resolver);
        if (is_known && !prfdata_resolver_next_object(&resolver)) {
            report_absent_name(task, i, true);
            task->not_found++;
        }
    }
}

/* If all objects of the system are asked for, tell a user at a terminal that this takes time.
 * "Global" calls every provider of the computer, and some are slow. */
static void ask_patience(const prfdata_task *task, const prfdata_title_set *set)
{
    if (set->count == 0 && task->options.source == PRFDATA_SOURCE_SYSTEM && task->is_watched)
        prfdata_messages_add(task->session.messages, PRFDATA_SEVERITY_HINT, prfdata_no_subject,
                             "Reading: all providers of this computer; name an object to ask only "
                             "its provider");
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
        return NULL; /* return here, because an empty set would ask for everything */
    (void)prfdata_session_take_first(&task->session, set, query, &sample);
    return sample;
}

uint32_t prfdata_inspect_list(prfdata_task *task)
{
    prfdata_sample *sample = prfdata_inspect_take(task);
    prfdata_output output;
    bool *named;

    if (!sample)
        return prfdata_task_status(task);
    prfdata_output_init(&output);
    named = find_named_objects(task, sample);
    output.failed = !named;
    for (uint32_t i = 0; named && i < sample->object_count; i++) {
        if (named[i])
            prfdata_list_put(&output, &sample->objects[i], &task->session.titles.english,
                             task->options.task == PRFDATA_TASK_LIST_INSTANCES);
    }
    (void)prfdata_task_write_whole(task, task->options.overwrite, &output);
    free(named);
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
