/* SPDX-License-Identifier: MIT */
/*
 * Contains the programs that tests/interop/scene.py drives: a service, a program that publishes its
 * counters, and prfread over its regions, all without Windows.
 *
 *     scene install <service> <map file>          makes the service and prints its root folder;
 *                                                 each line of input names the next version of the
 *                                                 map; removes the service at the end of its input
 *     scene publish <service> <map file>          counts what the lines of its input say; see below
 *     scene read <service> <prfread's argument>...
 *     scene emit <kind> <map file>                writes what the installer's -Emit writes
 *
 * `publish` and `read` find the service by PRFDATA_TEST_ROOT, the folder that `install` has
 * printed. A line for `publish` has fields with tabs between them, and is answered with a status.
 * The third field is the name of an instance, or empty for an object without instances:
 *
 *     instance <object> <name> [<object of the parent> <parent>]
 *     remove <object> <name>
 *     set|add <counter> <name> <object> <value>
 *     pair <counter> <name> <object> <value> <value of the base>
 *     record <distribution's number> <name> <object> <value>
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/calls.h>
#include <prfdata/map_file.h>
#include <prfdata/prfdata.h>

#include "emit/emit.h"
#include "names/names.h"
#include "os/program.h"
#include "os/stop.h"
#include "prfread/command_line.h"
#include "prfread/exposition.h"
#include "prfread/printer.h"
#include "prfread/task.h"
#include "source/source.h"
#include "support/must.h"
#include "support/service.h"

enum { LINE_BYTES = 4096, NAME_CHARS = 300, MOST_FIELDS = 6, FIRST_COUNTER = 2000 };

static void report_line(void *context, uint32_t line, const char *text)
{
    (void)context;
    fprintf(stderr, "line %u: %s\n", (unsigned)line, text);
}

static void widen(const char *text, wchar_t *wide)
{
    MUST(strlen(text) < NAME_CHARS);
    wide[prfdata_names_wide_from_utf8(text, strlen(text), wide)] = 0;
}

static prfdata_map *read_map_file(const char *path)
{
    wchar_t wide[NAME_CHARS];
    prfdata_map *map = NULL;

    widen(path, wide);
    MUST(prfdata_map_file_read(wide, report_line, NULL, &map) == ERROR_SUCCESS);
    return map;
}

/* ---- install ---- */

static int run_install(const char *name, const char *path)
{
    char line[LINE_BYTES];
    prfdata_test_service service;

    prfdata_test_service_make(&service, name, read_map_file(path), FIRST_COUNTER);
    printf("%s\n", getenv("PRFDATA_TEST_ROOT"));
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        prfdata_test_service_upgrade(&service, read_map_file(line));
        printf("0\n");
        fflush(stdout);
    }
    prfdata_test_service_remove(&service);
    return 0;
}

/* ---- publish ---- */

typedef struct scene_words {
    char *fields[MOST_FIELDS];
    size_t count;
} scene_words;

static const char *word_at(const scene_words *words, size_t index)
{
    return index < words->count ? words->fields[index] : "";
}

static uint32_t id_of(prfdata_publisher *publisher, const char *symbol)
{
    uint32_t id = 0;

    MUST(prfdata_call_find_id(publisher, symbol, &id) == ERROR_SUCCESS);
    return id;
}

/* Return the instance of an object, or NULL for an empty name. */
static const prfdata_instance *find_instance(prfdata_publisher *publisher, const char *object,
                                             const char *name, prfdata_instance *instance)
{
    wchar_t wide[NAME_CHARS];

    if (!*name)
        return NULL;
    widen(name, wide);
    MUST(prfdata_instance_find(publisher, id_of(publisher, object), wide, NULL, instance) ==
         ERROR_SUCCESS);
    return instance;
}

static uint32_t add_instance(prfdata_publisher *publisher, const scene_words *words)
{
    wchar_t wide[NAME_CHARS];
    prfdata_instance parent, added;
    const prfdata_instance *below =
        find_instance(publisher, word_at(words, 3), word_at(words, 4), &parent);

    widen(word_at(words, 2), wide);
    return prfdata_instance_add(publisher, id_of(publisher, word_at(words, 1)), wide, below,
                                &added);
}

static uint32_t remove_instance(prfdata_publisher *publisher, const scene_words *words)
{
    prfdata_instance instance;

    return prfdata_instance_remove(
        find_instance(publisher, word_at(words, 1), word_at(words, 2), &instance));
}

static uint32_t count(prfdata_publisher *publisher, const scene_words *words)
{
    const char *verb = word_at(words, 0);
    prfdata_instance room;
    const prfdata_instance *instance =
        find_instance(publisher, word_at(words, 3), word_at(words, 2), &room);
    const int64_t value = strtoll(word_at(words, 4), NULL, 10);
    prfdata_distribution distribution;
    prfdata_handle handle;
    prfdata_pair pair;
    uint32_t status;

    if (!strcmp(verb, "record")) {
        status = prfdata_resolve_distribution(
            publisher, (uint32_t)strtoul(word_at(words, 1), NULL, 10), instance, &distribution);
        prfdata_record(distribution, (uint64_t)value);
        return status;
    }
    if (!strcmp(verb, "pair")) {
        status =
            prfdata_resolve_pair(publisher, id_of(publisher, word_at(words, 1)), instance, &pair);
        prfdata_pair_add(pair, value, strtoll(word_at(words, 5), NULL, 10));
        return status;
    }
    status = prfdata_resolve(publisher, id_of(publisher, word_at(words, 1)), instance, &handle);
    if (!strcmp(verb, "set"))
        prfdata_set(handle, value);
    else
        prfdata_add(handle, value);
    return status;
}

static void split_words(char *line, scene_words *words)
{
    words->count = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *next = line; next && words->count < MOST_FIELDS;) {
        char *end = strchr(next, '\t');

        words->fields[words->count++] = next;
        if (end)
            *end++ = 0;
        next = end;
    }
}

static int run_publish(const char *name, const char *path)
{
    char line[LINE_BYTES];
    prfdata_test_service service;
    prfdata_publisher *publisher;
    scene_words words;

    prfdata_test_service_join(&service, name);
    MUST(prfdata_open(read_map_file(path), &publisher) == ERROR_SUCCESS);
    while (fgets(line, sizeof line, stdin)) {
        uint32_t status;

        split_words(line, &words);
        if (!strcmp(words.fields[0], "instance"))
            status = add_instance(publisher, &words);
        else if (!strcmp(words.fields[0], "remove"))
            status = remove_instance(publisher, &words);
        else
            status = count(publisher, &words);
        printf("%u\n", (unsigned)status);
        fflush(stdout);
    }
    prfdata_close(publisher);
    return 0;
}

/* ---- read ---- */

static uint32_t run_reading(prfdata_task *task)
{
    switch (task->options.task) {
    case PRFDATA_TASK_SERVE:
        return prfdata_exposition_serve(task);
    case PRFDATA_TASK_EXPLAIN:
        return prfdata_exposition_explain(task);
    default:
        return prfdata_exposition_print(task);
    }
}

/* Reads the regions as prfread -regions does on Windows. */
static prfdata_exit_code read_regions(const prfdata_options *options, prfdata_messages *messages)
{
    prfdata_source *source = NULL;
    prfdata_task task;
    prfdata_exit_code exit_code;

    if (prfdata_source_open_regions(options->source_name, messages, &source) != ERROR_SUCCESS)
        return PRFDATA_EXIT_SYSTEM;
    memset(&task, 0, sizeof task);
    task.options = *options;
    task.out = prfdata_streams_out();
    prfdata_session_open(&task.session, source, messages);
    exit_code = prfdata_task_exit_code(&task, run_reading(&task));
    prfdata_task_free(&task);
    return exit_code;
}

/* The first two arguments are `read` and the service, which main() has used. The others are options
 * and paths of prfread. */
static int run_read(size_t argument_count, const uint16_t *const *arguments)
{
    prfdata_printer printer;
    prfdata_command_line line;
    int exit_code = PRFDATA_EXIT_USAGE;

    prfdata_stop_catch();
    prfdata_printer_init(&printer, NULL);
    if (prfdata_command_line_read(&line, argument_count - 2, arguments + 2, &printer.messages) ==
        ERROR_SUCCESS)
        exit_code = (int)read_regions(&line.options, &printer.messages);
    prfdata_command_line_free(&line);
    prfdata_printer_free(&printer);
    return exit_code;
}

/* ---- emit ---- */

static int run_emit(const char *kind, const char *path)
{
    const prfdata_map *map = read_map_file(path);
    wchar_t wide[NAME_CHARS];
    prfdata_quoted_text text;

    widen(kind, wide);
    MUST(prfdata_emit_find(wide) != NULL);
    MUST(prfdata_emit(prfdata_emit_find(wide), &map, 1, "installer", &text, NULL) == ERROR_SUCCESS);
    fputs(prfdata_quoted_text_get(&text), stdout);
    prfdata_quoted_text_free(&text);
    return 0;
}

int main(int argc, char **argv)
{
    prfdata_test_service service;

    MUST(argc >= 4);
    if (!strcmp(argv[1], "install"))
        return run_install(argv[2], argv[3]);
    if (!strcmp(argv[1], "emit"))
        return run_emit(argv[2], argv[3]);
    if (!strcmp(argv[1], "publish"))
        return run_publish(argv[2], argv[3]);
    MUST(!strcmp(argv[1], "read"));
    prfdata_test_service_join(&service, argv[2]);
    return prfdata_program_run(argc, argv, run_read);
}
