/* SPDX-License-Identifier: MIT */
/*
 * Implements prfinstall for systems other than Windows, with only the commands that need no
 * registration: it checks map files, writes configurations from them, and converts .ini files. The
 * options and exit codes are those of prfinstall for Windows (program/main.c).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/install.h>
#include <prfdata/version.h>

#include "convert/convert.h"
#include "emit/emit.h"
#include "mapfile/read_file.h"
#include "names/ascii.h"
#include "names/hidden.h"
#include "names/names.h"
#include "report/check.h"
#include "report/map_files.h"
#include "system/replace_file.h"

enum { MOST_EMITTED_BYTES = 64 * 1024 * 1024 };

typedef enum order_command {
    NO_COMMAND,
    CHECK,
    EMIT,
    CONVERT,
    SHOW_VERSION,
    SHOW_HELP
} order_command;

/* The command line. All texts are borrowed from the arguments. */
typedef struct order {
    order_command command;
    const char *providers;
    const char *emit_name;
    prfdata_emit_put *emit;
    const char *converted; /* the .ini of -Convert */
    const char *file;      /* file of -o; NULL: standard output */
    bool may_replace;
    const char **map_files;
    size_t map_file_count;
    const char **services;
    size_t service_count;
} order;

static const char help[] =
    "Checks map files of performance counters, and writes files from them. On Windows\n"
    "this program also registers the counters.\n"
    "\n"
    "  prfinstall COMMAND -Map FILE... [OPTION...] [SERVICE...]\n"
    "\n"
    "Commands:\n"
    "  -Check                check the maps\n"
    "  -Emit KIND [-o FILE]  write a configuration for another program from the\n"
    "                        maps; the kinds are listed below\n"
    "  -Convert INI [-o FILE]\n"
    "                        make a map file from an .ini file for lodctr and its\n"
    "                        symbol header; takes no -Map\n"
    "  -Version              show the version of PrfData\n"
    "  -?                    show this text\n"
    "\n"
    "Options:\n"
    "  -Map FILE             the map file to use; repeat it for several files\n"
    "  -Providers SERVICE,...\n"
    "                        of -Check: the services that providers are built for; a\n"
    "                        map whose service is not among them is a mistake\n"
    "  -y                    of -o: also replace a file that this command did not\n"
    "                        write\n"
    "\n"
#define EMIT_KIND_LINE(name, function, obstacle, text) "  " #name ": " text "\n"
    "Kinds of -Emit:\n" PRFDATA_EMIT_KINDS(EMIT_KIND_LINE)
#undef EMIT_KIND_LINE
        "\n"
        "Exit codes:\n"
        "  0  done\n"
        "  1  failed, or a map has mistakes\n"
        "  2  the command line has a mistake\n";

/*
 * Converts UTF-8 to wide text. Returns NULL if the argument is not UTF-8, or if memory is
 * exhausted. The caller frees the text.
 */
static wchar_t *widen(const char *argument)
{
    const size_t size = strlen(argument);
    wchar_t *wide = calloc(size + 1, sizeof *wide);

    if (wide && prfdata_names_wide_from_utf8(argument, size, wide) == SIZE_MAX) {
        free(wide);
        return NULL;
    }
    return wide;
}

/* Prints a text as UTF-8, in which a character has at most four bytes. */
static void print_wide(FILE *stream, const wchar_t *text)
{
    const size_t capacity = wcslen(text) * 4 + 1;
    char *bytes = malloc(capacity);
    const size_t size = bytes ? prfdata_names_utf8_from_wide(text, bytes, capacity) : SIZE_MAX;

    if (size != SIZE_MAX)
        fwrite(bytes, 1, size, stream);
    free(bytes);
}

/*
 * Prints a text with its invisible characters shown, because it may contain names that others
 * chose. If the text cannot be converted, each byte that is not printable ASCII becomes "?".
 */
static void print_shown(FILE *stream, const char *text)
{
    wchar_t *wide = widen(text);
    const size_t chars = wide ? wcslen(wide) : 0;
    const size_t capacity = chars * (PRFDATA_HIDDEN_CHARS - 1) + 1;
    wchar_t *shown = wide ? malloc(capacity * sizeof *shown) : NULL;

    if (shown) {
        prfdata_hidden_show(wide, shown, capacity);
        print_wide(stream, shown);
    } else {
        for (; *text; text++)
            putc(*text >= ' ' && *text <= '~' ? *text : '?', stream);
    }
    free(shown);
    free(wide);
}

static int complain(int code, const char *what, const char *which)
{
    print_shown(stderr, what);
    print_shown(stderr, which);
    putc('\n', stderr);
    if (code == PRFDATA_EXIT_USAGE)
        fputs("prfinstall -? explains how to use it.\n", stderr);
    return code;
}

static int complain_of_memory(void)
{
    return complain(PRFDATA_EXIT_FAILED, "There is not enough memory", "");
}

static void print_line(void *context, bool is_mistake, const char *line)
{
    (void)context;
    print_shown(is_mistake ? stderr : stdout, line);
    putc('\n', is_mistake ? stderr : stdout);
}

/*
 * Print a line about the converted files to standard error, because standard output may get the map
 * file.
 */
static void print_note(void *context, bool is_mistake, const char *line)
{
    (void)is_mistake;
    print_line(context, true, line);
}

static int set_command(order *wanted, order_command command, const char *option)
{
    if (wanted->command != NO_COMMAND)
        return complain(PRFDATA_EXIT_USAGE,
                        "Give one command at a time; this is a second one: ", option);
    wanted->command = command;
    return PRFDATA_EXIT_DONE;
}

static int set_emit(order *wanted, const char *value)
{
    wchar_t *wide = widen(value);

    wanted->emit_name = value;
    wanted->emit = wide ? prfdata_emit_find(wide) : NULL;
    free(wide);
    if (!wanted->emit)
        return complain(PRFDATA_EXIT_USAGE,
#define EMIT_KIND(name, function, obstacle, text) " " #name
                        "-Emit must be one of" PRFDATA_EMIT_KINDS(EMIT_KIND) ", not ",
#undef EMIT_KIND
                        value);
    return set_command(wanted, EMIT, "-Emit");
}

static int set_converted(order *wanted, const char *value)
{
    wanted->converted = value;
    return set_command(wanted, CONVERT, "-Convert");
}

static int set_file(order *wanted, const char *value)
{
    wanted->file = value;
    return PRFDATA_EXIT_DONE;
}

static int set_providers(order *wanted, const char *value)
{
    wanted->providers = value;
    return PRFDATA_EXIT_DONE;
}

static int add_map_file(order *wanted, const char *value)
{
    wanted->map_files[wanted->map_file_count++] = value;
    return PRFDATA_EXIT_DONE;
}

static bool is_windows_option(const char *name)
{
    static const char *const names[] = {"Install", "Uninstall", "Reset",   "Status",
                                        "Repair",  "Ini",       "Writers", "Arch",
                                        "Force",   "Any",       "f",       "AllowUserWritableDll"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (prfdata_ascii_equal(name, names[i]))
            return true;
    }
    return false;
}

/*
 * Read an option that read_option() does not know. `*at` is its index, and becomes the index of the
 * option's value if the option has one.
 */
static int read_other_option(order *wanted, int argc, char **argv, int *at, const char *name)
{
    static const struct {
        const char *name;
        int (*set)(order *wanted, const char *value);
    } valued[] = {{"Emit", set_emit},
                  {"Convert", set_converted},
                  {"o", set_file},
                  {"Providers", set_providers},
                  {"Map", add_map_file}};
    const char *option = argv[*at];

    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        if (!prfdata_ascii_equal(name, valued[i].name))
            continue;
        if (*at + 1 >= argc)
            return complain(PRFDATA_EXIT_USAGE, "A value is missing after ", option);
        return valued[i].set(wanted, argv[++*at]);
    }
    if (prfdata_ascii_equal(name, "y")) {
        wanted->may_replace = true;
        return PRFDATA_EXIT_DONE;
    }
    if (is_windows_option(name))
        return complain(PRFDATA_EXIT_USAGE,
                        "Only prfinstall.exe, on Windows, registers and examines counters; here "
                        "there are -Check, -Emit and -Convert, but not ",
                        option);
    return complain(PRFDATA_EXIT_USAGE, "Unknown option: ", option);
}

static int read_option(order *wanted, int argc, char **argv, int *at)
{
    static const struct {
        const char *name;
        order_command command;
    } commands[] = {{"Check", CHECK},
                    {"Version", SHOW_VERSION},
                    {"?", SHOW_HELP},
                    {"Help", SHOW_HELP},
                    {"h", SHOW_HELP}};
    const char *name = argv[*at] + 1;

    if (name[0] == '-') /* accepts --check, too */
        name++;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (prfdata_ascii_equal(name, commands[i].name))
            return set_command(wanted, commands[i].command, argv[*at]);
    }
    return read_other_option(wanted, argc, argv, at, name);
}

static int check_order(const order *wanted)
{
    if (wanted->command == NO_COMMAND)
        return complain(PRFDATA_EXIT_USAGE,
                        "A command is missing: -Check, -Emit KIND or "
                        "-Convert INI",
                        "");
    if (wanted->providers && wanted->command != CHECK)
        return complain(PRFDATA_EXIT_USAGE, "-Providers needs -Check", "");
    if (wanted->file && wanted->command != EMIT && wanted->command != CONVERT)
        return complain(PRFDATA_EXIT_USAGE, "-o needs -Emit or -Convert", "");
    if (wanted->may_replace && !wanted->file)
        return complain(PRFDATA_EXIT_USAGE, "-y needs -o", "");
    if (wanted->command == CONVERT && wanted->map_file_count + wanted->service_count > 0)
        return complain(PRFDATA_EXIT_USAGE,
                        "-Convert takes one .ini file, and no -Map and no services", "");
    if ((wanted->command == CHECK || wanted->command == EMIT) && wanted->map_file_count == 0)
        return complain(PRFDATA_EXIT_USAGE, "A map is missing: -Map FILE", "");
    return PRFDATA_EXIT_DONE;
}

/* A service that is named twice counts once, as on Windows (order.c). */
static void add_service(order *wanted, const char *service)
{
    for (size_t i = 0; i < wanted->service_count; i++) {
        if (prfdata_ascii_equal(wanted->services[i], service))
            return;
    }
    wanted->services[wanted->service_count++] = service;
}

static int read_order(order *wanted, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int code = PRFDATA_EXIT_DONE;

        if (argv[i][0] == '-')
            code = read_option(wanted, argc, argv, &i);
        else
            add_service(wanted, argv[i]);
        if (code)
            return code;
    }
    return check_order(wanted);
}

/* Returns whether the file is empty, or -Emit wrote it as the same kind of configuration. */
static bool is_own_file(const order *wanted)
{
    wchar_t *path = widen(wanted->file);
    void *bytes = NULL;
    size_t size;
    bool is_own = false;

    if (path && prfdata_read_file(path, MOST_EMITTED_BYTES, &bytes, &size) == ERROR_SUCCESS)
        is_own = size == 0 || (wanted->emit && prfdata_emit_wrote(bytes, size, wanted->emit));
    free(bytes);
    free(path);
    return is_own;
}

static int write_made(const order *wanted, const prfdata_quoted_text *text)
{
    uint32_t status;

    if (!wanted->file) {
        fwrite(prfdata_quoted_text_get(text), 1, text->used, stdout);
        return PRFDATA_EXIT_DONE; /* main() reports a failure of standard output */
    }
    status = prfdata_replace_file(wanted->file, wanted->may_replace, text->bytes, text->used);
    if (status == ERROR_FILE_EXISTS) {
        if (!is_own_file(wanted))
            return complain(PRFDATA_EXIT_FAILED, wanted->file,
                            " is there, and this command did not write it. Name another file, or "
                            "replace it with -y");
        status = prfdata_replace_file(wanted->file, true, text->bytes, text->used);
    }
    if (status) {
        print_shown(stderr, "Cannot write ");
        print_shown(stderr, wanted->file);
        fprintf(stderr, ": error %u\n", (unsigned)status);
        return PRFDATA_EXIT_FAILED;
    }
    return PRFDATA_EXIT_DONE;
}

static int convert(const order *wanted)
{
    prfdata_quoted_text text = {0};
    wchar_t *path = widen(wanted->converted);
    wchar_t *map_name = wanted->file ? widen(wanted->file) : NULL;
    int code = PRFDATA_EXIT_FAILED;

    if (!path || (wanted->file && !map_name))
        code = complain(PRFDATA_EXIT_USAGE, "A path is not UTF-8: ", wanted->converted);
    else if (prfdata_convert_file(path, "prfinstall", map_name, print_note, NULL, &text) == 0)
        code = write_made(wanted, &text);
    prfdata_quoted_text_free(&text);
    free(map_name);
    free(path);
    return code;
}

/* cppcheck-suppress constParameter; it is a function, which cannot be const */
static bool is_one_map_kind(prfdata_emit_put *emit)
{
    return emit == prfdata_emit_map_file || emit == prfdata_emit_c || emit == prfdata_emit_cpp;
}

static int emit(const order *wanted, const prfdata_map *const *maps, size_t count)
{
    prfdata_quoted_text text;
    prfdata_quoted_text notes;
    int code;

    if (count > 1 && is_one_map_kind(wanted->emit))
        return complain(PRFDATA_EXIT_USAGE, "This kind is for one map; name its service: -Emit ",
                        wanted->emit_name);
    /* The maps have no mistakes, so a failure means that memory is exhausted. */
    if (prfdata_emit(wanted->emit, maps, count, "prfinstall", &text, &notes) != ERROR_SUCCESS) {
        prfdata_quoted_text_free(&text);
        prfdata_quoted_text_free(&notes);
        return complain_of_memory();
    }
    code = write_made(wanted, &text);
    if (code == PRFDATA_EXIT_DONE)
        fputs(prfdata_quoted_text_get(&notes), stderr);
    prfdata_quoted_text_free(&text);
    prfdata_quoted_text_free(&notes);
    return code;
}

static int run_for_maps(const order *wanted, const prfdata_map *const *maps, size_t count)
{
    if (wanted->command == EMIT)
        return emit(wanted, maps, count);
    return prfdata_check_maps(maps, count, wanted->providers, print_line, NULL) > 0
               ? PRFDATA_EXIT_FAILED
               : PRFDATA_EXIT_DONE;
}

/* If services are named, keep only their maps. `count` becomes the number of maps that are kept. */
static int choose_maps(const order *wanted, const prfdata_map **maps, size_t *count)
{
    size_t chosen = 0;

    for (size_t s = 0; s < wanted->service_count; s++) {
        const prfdata_map *found;
        size_t i = chosen;

        while (i < *count && !prfdata_ascii_equal(maps[i]->service, wanted->services[s]))
            i++;
        if (i == *count)
            return complain(PRFDATA_EXIT_USAGE, "The map files have no service ",
                            wanted->services[s]);
        found = maps[i];
        maps[i] = maps[chosen];
        maps[chosen++] = found;
    }
    *count = chosen > 0 ? chosen : *count;
    return PRFDATA_EXIT_DONE;
}

static int run_with_files(const order *wanted, wchar_t **paths, prfdata_map **files,
                          const prfdata_map **maps)
{
    size_t count = wanted->map_file_count;
    int code;

    for (size_t i = 0; i < count; i++) {
        paths[i] = widen(wanted->map_files[i]);
        if (!paths[i])
            return complain(PRFDATA_EXIT_USAGE, "A path is not UTF-8: ", wanted->map_files[i]);
    }
    if (prfdata_map_files_read((const wchar_t *const *)paths, count, files, print_line, NULL))
        return PRFDATA_EXIT_FAILED; /* each mistake was reported in a line */
    for (size_t i = 0; i < count; i++)
        maps[i] = files[i];
    code = choose_maps(wanted, maps, &count);
    return code ? code : run_for_maps(wanted, maps, count);
}

static int run_maps(const order *wanted)
{
    const size_t count = wanted->map_file_count;
    wchar_t **paths = calloc(count, sizeof *paths);
    prfdata_map **files = calloc(count, sizeof *files);
    const prfdata_map **maps = calloc(count, sizeof *maps);
    int code =
        paths && files && maps ? run_with_files(wanted, paths, files, maps) : complain_of_memory();

    for (size_t i = 0; paths && i < count; i++)
        free(paths[i]);
    if (files)
        prfdata_map_files_free(files, count);
    free(paths);
    free(files);
    free(maps);
    return code;
}

static int run(const order *wanted)
{
    switch (wanted->command) {
    case SHOW_HELP:
        fputs(help, stdout);
        return PRFDATA_EXIT_DONE;
    case SHOW_VERSION:
        puts("PrfData " PRFDATA_VERSION);
        return PRFDATA_EXIT_DONE;
    case CONVERT:
        return convert(wanted);
    default:
        return run_maps(wanted);
    }
}

int main(int argc, char **argv)
{
    const char **texts = calloc(2 * ((size_t)argc + 1), sizeof *texts);
    order wanted = {.map_files = texts, .services = texts ? texts + argc + 1 : NULL};
    int code;

    if (!texts)
        return complain_of_memory();
    code = read_order(&wanted, argc, argv);
    if (!code)
        code = run(&wanted);
    if (fflush(stdout) != 0 || ferror(stdout))
        code = complain(PRFDATA_EXIT_FAILED, "Cannot write standard output", "");
    free(texts);
    return code;
}
