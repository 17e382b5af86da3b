/* SPDX-License-Identifier: MIT */
/*
 * Implements an installer program: runs the command of its command line, prints, and returns the
 * exit code. The CMake function prfdata_add_installer() writes a small file, which passes the maps.
 * prfinstall has no maps, and takes them from map files or from the registry. Windows only.
 */
#include <prfdata/install.h>
#include <prfdata/version.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <shellapi.h>

#include <fcntl.h>
#include <io.h>

#include "convert/convert.h"
#include "doctor/helper.h"
#include "emit/emit.h"
#include "mapfile/read_file.h"
#include "names/hidden.h"
#include "program/order.h"
#include "program/usage.h"
#include "report/check.h"
#include "report/map_files.h"
#include "service/prepared.h"
#include "service/registered.h"
#include "service/site.h"
#include "system/replace_file.h"
#include "windows/directory.h"
#include "windows/system_text.h"

enum {
    PROVIDERS_BYTES = 32768, /* a command line has no more chars */
    MOST_EMITTED_BYTES = 64 * 1024 * 1024
};

/* The command, and what it works on. */
typedef struct job {
    wchar_t program[PRFDATA_HELPER_NAME_CHARS]; /* its name, without path and .exe */
    wchar_t path[MAX_PATH];                     /* "" if the program cannot be a helper */
    prfdata_order order;
    /* The maps that -Map names. NULL if there is no -Map. */
    prfdata_map **files;
    /* The registered maps of the named services. NULL if the maps have another source. */
    prfdata_model **models;
    size_t file_count;
    size_t model_count;
    /* the exit code for the first service whose registered map is missing or cannot be read */
    int absent_code;
} job;

/* The context of print_report_line(). */
typedef struct line_context {
    const char *service;
    bool bare; /* without the service's name at the beginning of each line */
} line_context;

/*
 * The error of the first text that could not be written to standard output; ERROR_SUCCESS if there
 * is none.
 */
static uint32_t output_failure;

static uint32_t print_bytes(FILE *stream, const wchar_t *text)
{
    const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *bytes = size > 0 ? malloc((size_t)size) : NULL;
    uint32_t status = ERROR_SUCCESS;

    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, NULL, NULL);
    /* Flushed, so that the lines of both streams stay in order if both go to the same file. */
    if (fputs(bytes, stream) < 0 || fflush(stream) != 0)
        status = _doserrno != 0 ? (uint32_t)_doserrno : ERROR_WRITE_FAULT;
    free(bytes);
    return status;
}

/* Print UTF-8 to files and pipes, UTF-16 to a console. */
static void print_text(FILE *stream, const wchar_t *text)
{
    HANDLE handle = GetStdHandle(stream == stderr ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
    uint32_t status = ERROR_SUCCESS;
    DWORD mode, written;

    if (GetConsoleMode(handle, &mode))
        WriteConsoleW(handle, text, (DWORD)wcslen(text), &written, NULL);
    else
        status = print_bytes(stream, text);
    if (stream == stdout && output_failure == ERROR_SUCCESS)
        output_failure = status;
}

/*
 * Print a text to standard error. The text may contain names that others chose, for example of
 * files, so its invisible characters are shown.
 */
static void complain(const wchar_t *text)
{
    const size_t capacity = wcslen(text) * (PRFDATA_HIDDEN_CHARS - 1) + 1;
    wchar_t *shown = malloc(capacity * sizeof *shown);

    if (!shown)
        return;
    prfdata_hidden_show(text, shown, capacity);
    print_text(stderr, shown);
    free(shown);
}

static int complain_unwritable(const wchar_t *file, uint32_t status)
{
    enum { WHY_CHARS = 256 };
    wchar_t why[WHY_CHARS];

    prfdata_system_text(status, L"a program", why, WHY_CHARS);
    complain(L"Cannot write ");
    complain(file);
    complain(L": ");
    complain(why);
    print_text(stderr, L"\n");
    return PRFDATA_EXIT_FAILED;
}

/*
 * Print a line of the report. Reasons and results go to one stream, so that a log has them in their
 * order.
 */
static void print_report_line(void *context, prfdata_step step, const wchar_t *text)
{
    const line_context *line = context;
    wchar_t whole[PRFDATA_REPORT_CHARS + PRFDATA_MAX_SERVICE_CHARS + 16];

    if (line->bare) { /* a line of JSON may be longer than `whole` */
        print_text(stdout, text);
        print_text(stdout, L"\n");
        return;
    }
    (void)swprintf(whole, sizeof whole / sizeof whole[0], L"%hs: %ls%ls\n", line->service,
                   step == PRFDATA_STEP_UNDONE ? L"undone: " : L"", text);
    whole[sizeof whole / sizeof whole[0] - 1] = 0;
    print_text(stdout, whole);
}

static void print_to_output(const wchar_t *text)
{
    print_text(stdout, text);
}

static int complain_usage(const job *work, const wchar_t *what, const wchar_t *which)
{
    complain(what);
    complain(which);
    print_text(stderr, L"\n");
    complain(work->program);
    print_text(stderr, L" -? explains how to use it.\n");
    return PRFDATA_EXIT_USAGE;
}

static int complain_memory(void)
{
    print_text(stderr, L"There is not enough memory\n");
    return PRFDATA_EXIT_FAILED;
}

static uint32_t write_title_files_into(const wchar_t *path, const prfdata_map *map,
                                       bool may_replace, const prfdata_report *report)
{
    prfdata_prepared made = {0};
    prfdata_directory folder = {0};
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint32_t status = prfdata_prepared_from_map(&made, map, report);

    if (!status)
        status = prfdata_prepared_make_title_files(&made, report);
    if (status)
        goto free_made;
    /* A failure is ignored. Either the folder exists, or it cannot be opened below. */
    CreateDirectoryW(path, NULL);
    status = prfdata_directory_open_root(&folder, path);
    if (status) {
        prfdata_report_error(report, status, L"Folder %ls", path);
        goto free_made;
    }
    (void)swprintf(service, sizeof service / sizeof service[0], L"%hs", map->service);
    if (!may_replace)
        status = prfdata_title_file_check_own(
            made.files, &folder, service, L"Name another folder, or replace it with -y", report);
    for (int i = 0; i < PRFDATA_TITLE_FILES && !status; i++)
        status = prfdata_title_file_write(&made.files[i], &folder, service, report);
    prfdata_directory_close(&folder);
free_made:
    prfdata_prepared_free(&made);
    return status;
}

static bool is_examination(prfdata_order_command done)
{
    return done == PRFDATA_COMMAND_STATUS || done == PRFDATA_COMMAND_REPAIR;
}

static int exit_code_of_command(prfdata_order_command done, uint32_t status)
{
    switch (status) {
    case ERROR_SUCCESS:
        return PRFDATA_EXIT_DONE;
    case ERROR_ACCESS_DENIED:
        /* If an administrator is denied access, elevation would not help. */
        return done != PRFDATA_COMMAND_INI && !prfdata_site_is_elevated() ? PRFDATA_EXIT_ELEVATE
                                                                          : PRFDATA_EXIT_FAILED;
    case ERROR_SHARING_VIOLATION:
        return done == PRFDATA_COMMAND_UNINSTALL || done == PRFDATA_COMMAND_RESET
                   ? PRFDATA_EXIT_LEFTOVERS
                   : PRFDATA_EXIT_FAILED;
    case ERROR_TIMEOUT: /* another installer is running */
        return PRFDATA_EXIT_FAILED;
    case ERROR_FILE_NOT_FOUND:
        return done == PRFDATA_COMMAND_INSTALL || done == PRFDATA_COMMAND_INI
                   ? PRFDATA_EXIT_FAILED
                   : PRFDATA_EXIT_NOT_INSTALLED;
    default:
        return is_examination(done) ? PRFDATA_EXIT_BROKEN : PRFDATA_EXIT_FAILED;
    }
}

static int run_command(const job *work, const prfdata_map *map)
{
    line_context line = {map->service, work->order.command == PRFDATA_COMMAND_STATUS};
    const prfdata_report report = {print_report_line, &line};
    prfdata_install_options options = work->order.options;
    uint32_t status = ERROR_SUCCESS;

    options.step = print_report_line;
    options.context = &line;
    options.helper_path = work->path[0] ? work->path : NULL;
    switch (work->order.command) {
    case PRFDATA_COMMAND_INSTALL:
        status = prfdata_install(map, &options);
        break;
    case PRFDATA_COMMAND_UNINSTALL:
        status = prfdata_uninstall(map, &options);
        break;
    case PRFDATA_COMMAND_RESET:
        status = prfdata_reset(map, &options);
        break;
    case PRFDATA_COMMAND_STATUS:
        status = prfdata_install_status(map, &options);
        break;
    case PRFDATA_COMMAND_REPAIR:
        status = prfdata_repair(map, &options);
        break;
    case PRFDATA_COMMAND_INI:
        status =
            write_title_files_into(work->order.ini_path, map, work->order.may_replace, &report);
        break;
    case PRFDATA_COMMAND_TRY_LOAD:
    case PRFDATA_COMMAND_TRY_READ:
    case PRFDATA_COMMAND_NONE:
    case PRFDATA_COMMAND_CHECK:
    case PRFDATA_COMMAND_EMIT:
    case PRFDATA_COMMAND_CONVERT:
    case PRFDATA_COMMAND_VERSION:
    case PRFDATA_COMMAND_HELP:
        break;
    }
    return exit_code_of_command(work->order.command, status);
}

static void print_check_line(void *context, bool is_mistake, const char *line)
{
    wchar_t wide[PRFDATA_CHECK_LINE_BYTES] = L"";

    (void)context;
    MultiByteToWideChar(CP_UTF8, 0, line, -1, wide, PRFDATA_CHECK_LINE_BYTES);
    print_text(is_mistake ? stderr : stdout, wide);
    print_text(is_mistake ? stderr : stdout, L"\n");
}

static int check_all_maps(const job *work)
{
    char providers[PROVIDERS_BYTES];

    if (work->order.providers && WideCharToMultiByte(CP_UTF8, 0, work->order.providers, -1,
                                                     providers, PROVIDERS_BYTES, NULL, NULL) == 0)
        return complain_usage(work, L"The list of -Providers is too long", L"");
    return prfdata_check_maps(work->order.maps, work->order.map_count,
                              work->order.providers ? providers : NULL, print_check_line, NULL) > 0
               ? PRFDATA_EXIT_FAILED
               : PRFDATA_EXIT_DONE;
}

/* Print to standard output. Lines end with LF, as in files. */
static uint32_t print_emitted(const prfdata_quoted_text *text)
{
    wchar_t *wide = calloc(text->used + 1, sizeof *wide);

    if (!wide)
        return ERROR_NOT_ENOUGH_MEMORY;
    MultiByteToWideChar(CP_UTF8, 0, text->bytes, (int)text->used, wide, (int)text->used);
    (void)_setmode(_fileno(stdout), _O_BINARY);
    print_text(stdout, wide);
    free(wide);
    return ERROR_SUCCESS; /* a failure of standard output is reported at the end */
}

/*
 * Returns ERROR_SUCCESS if the file is empty, or if -Emit wrote it as the same kind of
 * configuration. Otherwise returns ERROR_FILE_EXISTS, or the error of reading the file.
 */
static uint32_t check_own_file(const job *work, const wchar_t *file)
{
    void *bytes;
    size_t size;
    bool is_own;
    const uint32_t status = prfdata_read_file(file, MOST_EMITTED_BYTES, &bytes, &size);

    if (status != ERROR_SUCCESS)
        return status == ERROR_FILE_TOO_LARGE ? ERROR_FILE_EXISTS : status;
    is_own = size == 0 || (work->order.emit && prfdata_emit_wrote(bytes, size, work->order.emit));
    free(bytes);
    return is_own ? ERROR_SUCCESS : ERROR_FILE_EXISTS;
}

static uint32_t replace_own_file(const job *work, const prfdata_quoted_text *text)
{
    const wchar_t *file = work->order.file;
    uint32_t status = prfdata_replace_file(file, work->order.may_replace, text->bytes, text->used);

    if (status != ERROR_FILE_EXISTS)
        return status;
    status = check_own_file(work, file);
    return status ? status : prfdata_replace_file(file, true, text->bytes, text->used);
}

/* Write the text that a command has made, to the file of -o or to standard output. */
static int write_made(const job *work, const prfdata_quoted_text *text)
{
    const wchar_t *file = work->order.file;
    const uint32_t status = file ? replace_own_file(work, text) : print_emitted(text);

    if (status == ERROR_NOT_ENOUGH_MEMORY)
        return complain_memory();
    if (status == ERROR_FILE_EXISTS) {
        complain(file);
        print_text(stderr, L" is there, and this command did not write it. Name another file, or "
                           L"replace it with -y\n");
        return PRFDATA_EXIT_FAILED;
    }
    return status == ERROR_SUCCESS ? PRFDATA_EXIT_DONE : complain_unwritable(file, status);
}

static void print_left_out(const prfdata_quoted_text *notes)
{
    const int bytes = (int)notes->used;
    wchar_t *wide = calloc((size_t)bytes + 1, sizeof *wide);

    if (wide && bytes > 0 &&
        MultiByteToWideChar(CP_UTF8, 0, prfdata_quoted_text_get(notes), bytes, wide, bytes) > 0)
        print_text(stderr, wide);
    free(wide);
}

static int emit_configuration(const job *work)
{
    char program[3 * PRFDATA_HELPER_NAME_CHARS] = "";
    prfdata_quoted_text text;
    prfdata_quoted_text notes;
    int code;
    uint32_t status;

    if (work->order.map_count > 1 &&
        (work->order.emit == prfdata_emit_map_file || work->order.emit == prfdata_emit_c ||
         work->order.emit == prfdata_emit_cpp))
        return complain_usage(
            work, L"-Emit MapFile, -Emit C and -Emit Cpp write one map: name its service", L"");
    WideCharToMultiByte(CP_UTF8, 0, work->program, -1, program, sizeof program, NULL, NULL);
    status = prfdata_emit(work->order.emit, work->order.maps, work->order.map_count, program, &text,
                          &notes);
    if (status == ERROR_INVALID_PARAMETER) {
        print_text(stderr, L"A map has mistakes: -Check lists them\n");
        return PRFDATA_EXIT_FAILED;
    }
    if (status != ERROR_SUCCESS)
        return complain_memory();
    code = write_made(work, &text);
    if (code == PRFDATA_EXIT_DONE)
        print_left_out(&notes);
    prfdata_quoted_text_free(&notes);
    prfdata_quoted_text_free(&text);
    return code;
}

/*
 * Print a line about the converted files to standard error, because standard output may get the map
 * file.
 */
static void print_note(void *context, bool is_mistake, const char *line)
{
    (void)is_mistake;
    print_check_line(context, true, line);
}

static int convert_title_files(const job *work)
{
    char program[3 * PRFDATA_HELPER_NAME_CHARS] = "";
    prfdata_quoted_text text = {0};
    uint32_t status;
    int code;

    WideCharToMultiByte(CP_UTF8, 0, work->program, -1, program, sizeof program, NULL, NULL);
    status = prfdata_convert_file(work->order.converted, program, work->order.file, print_note,
                                  NULL, &text);
    if (status == ERROR_NOT_ENOUGH_MEMORY)
        code = complain_memory();
    else
        code = status ? PRFDATA_EXIT_FAILED : write_made(work, &text);
    prfdata_quoted_text_free(&text);
    return code;
}

/* The functions that find maps return the exit code, or -1 if the program continues. */

static int choose_maps(job *work, const prfdata_map *const *maps, size_t map_count)
{
    work->order.maps = calloc(map_count + work->order.service_count, sizeof *work->order.maps);
    if (!work->order.maps)
        return complain_memory();
    if (!prfdata_order_choose(&work->order, maps, map_count))
        return complain_usage(work, work->order.problem, work->order.subject);
    return -1;
}

static int read_map_files(job *work)
{
    const prfdata_order *order = &work->order;
    uint32_t status;

    work->files = calloc(order->map_file_count, sizeof *work->files);
    if (!work->files)
        return complain_memory();
    status = prfdata_map_files_read(order->map_files, order->map_file_count, work->files,
                                    print_check_line, NULL);
    if (status)
        return PRFDATA_EXIT_FAILED; /* each mistake was reported in a line */
    work->file_count = order->map_file_count;
    return choose_maps(work, (const prfdata_map *const *)work->files, work->file_count);
}

static int complain_registered(const job *work, const wchar_t *service, uint32_t status)
{
    if (GetFileAttributesW(service) != INVALID_FILE_ATTRIBUTES)
        return complain_usage(work, L"-Map is missing before the map file ", service);
    complain(service);
    print_text(stderr, status == ERROR_FILE_NOT_FOUND
                           ? L": Not installed"
                           : L": The registered map cannot be read; -Map names its map file");
    print_text(stderr, L"\n");
    return exit_code_of_command(work->order.command, status);
}

/* -Check and -Emit make one result for all services. Other commands make one for each service. */
static bool needs_all_services(prfdata_order_command done)
{
    return done == PRFDATA_COMMAND_CHECK || done == PRFDATA_COMMAND_EMIT;
}

static int find_registered_maps(job *work)
{
    prfdata_order *order = &work->order;

    work->models = calloc(order->service_count, sizeof *work->models);
    order->maps = calloc(order->service_count, sizeof *order->maps);
    if (!work->models || !order->maps)
        return complain_memory();
    order->map_count = 0;
    for (size_t i = 0; i < order->service_count; i++) {
        prfdata_model **model = &work->models[work->model_count];
        uint32_t status = prfdata_registered_find_model(order->services[i], model);
        int code;

        if (!status) {
            order->maps[order->map_count++] = (*model)->map;
            work->model_count++;
            continue;
        }
        code = complain_registered(work, order->services[i], status);
        if (code == PRFDATA_EXIT_USAGE || needs_all_services(order->command))
            return code;
        if (work->absent_code == 0)
            work->absent_code = code;
    }
    return order->map_count > 0 ? -1 : work->absent_code;
}

static int find_maps(job *work, const prfdata_map *const *maps, size_t map_count)
{
    if (map_count > 0 && work->order.map_file_count > 0)
        return complain_usage(work, L"This installer has built-in maps and does not accept -Map",
                              L"");
    if (map_count > 0)
        return choose_maps(work, maps, map_count);
    if (work->order.map_file_count > 0)
        return read_map_files(work);
    if (work->order.service_count > 0)
        return find_registered_maps(work);
    return complain_usage(
        work, L"A map is missing: -Map FILE, or the name of a service that is installed", L"");
}

static void free_maps(job *work)
{
    prfdata_map_files_free(work->files, work->file_count);
    for (size_t i = 0; i < work->model_count; i++)
        prfdata_model_free(work->models[i]);
    free(work->files);
    free(work->models);
    free(work->order.maps);
}

/* Print the version of PrfData, not of the product whose counters this program installs. */
static void print_version(void)
{
    wchar_t line[64];

    (void)swprintf(line, sizeof line / sizeof line[0], L"PrfData %hs\n", PRFDATA_VERSION);
    print_text(stdout, line);
}

/* Run the commands that do not concern a map. Returns -1 for every other command. */
static int run_without_maps(const job *work, const prfdata_map *const *maps, size_t map_count)
{
    switch (work->order.command) {
    case PRFDATA_COMMAND_VERSION:
        print_version();
        return 0;
    case PRFDATA_COMMAND_HELP:
        prfdata_usage_show(work->program, maps, map_count, print_to_output);
        return 0;
    case PRFDATA_COMMAND_CONVERT:
        return convert_title_files(work);
    case PRFDATA_COMMAND_TRY_LOAD:
        return prfdata_helper_try_load(work->order.tried);
    case PRFDATA_COMMAND_TRY_READ:
        return prfdata_helper_try_read(work->order.tried);
    default:
        return -1;
    }
}

static int run_for_maps(const job *work)
{
    int code = 0;

    if (work->order.command == PRFDATA_COMMAND_CHECK)
        return check_all_maps(work);
    if (work->order.command == PRFDATA_COMMAND_EMIT)
        return emit_configuration(work);
    if (work->order.command == PRFDATA_COMMAND_STATUS &&
        work->order.options.status_format == PRFDATA_STATUS_TEXT)
        print_version();
    for (size_t i = 0; i < work->order.map_count; i++) {
        int one = run_command(work, work->order.maps[i]);

        if (code == 0)
            code = one;
    }
    return code ? code : work->absent_code;
}

/*
 * Find the path with which -Status and -Repair start this program again, as a helper. A helper
 * works only if the program passes its command line on to prfdata_installer_main(). A program that
 * makes its own arguments might do anything when it is started, so its path stays "".
 */
static void find_own_path(job *work, int argc, wchar_t **argv)
{
    int count = 0;
    wchar_t **own = CommandLineToArgvW(GetCommandLineW(), &count);
    bool is_passed_on = own && count == argc;

    for (int i = 1; i < argc && is_passed_on; i++)
        is_passed_on = wcscmp(own[i], argv[i]) == 0;
    if (is_passed_on && GetModuleFileNameW(NULL, work->path, MAX_PATH) >= MAX_PATH)
        work->path[0] = 0;
    LocalFree(own);
}

/*
 * Let this process load DLLs only from the system's folder. The helper also loads providers of
 * other vendors, which rely on the search path, so the helper leaves out only the current folder.
 */
static void restrict_dll_search(int argc, wchar_t **argv)
{
    const wchar_t *command = argc > 1 ? argv[1] : L"";

    (void)SetDllDirectoryW(L"");
    if (_wcsicmp(command, L"-TryLoad") != 0 && _wcsicmp(command, L"-TryRead") != 0)
        (void)SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
}

int prfdata_installer_main(const prfdata_map *const *maps, size_t map_count, int argc,
                           wchar_t **argv)
{
    job work = {0};
    const wchar_t **texts = calloc(2 * ((size_t)argc + 1), sizeof *texts);
    int code;

    if (!texts)
        return complain_memory();
    restrict_dll_search(argc, argv);
    work.order.map_files = texts;
    work.order.services = texts + argc + 1;
    prfdata_helper_name(argc > 0 ? argv[0] : L"", work.program);
    find_own_path(&work, argc, argv);
    if (!prfdata_order_read(&work.order, argc, argv))
        code = complain_usage(&work, work.order.problem, work.order.subject);
    else
        code = run_without_maps(&work, maps, map_count);
    if (code == -1)
        code = find_maps(&work, maps, map_count);
    if (code == -1)
        code = run_for_maps(&work);
    /* If the output is incomplete, PRFDATA_EXIT_DONE would be untrue. All changes stay. */
    if (output_failure != ERROR_SUCCESS) {
        const int failed = complain_unwritable(L"standard output", output_failure);

        code = code == PRFDATA_EXIT_DONE ? failed : code;
    }
    free_maps(&work);
    free(texts);
    return code;
}
