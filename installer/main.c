/* SPDX-License-Identifier: MIT */
/*
 * Windows only. The command line of an installer program. The small file that the CMake function
 * prfdata_add_installer() writes passes the maps. Each program has the name of its target, so help
 * and messages use the name by which it was started. This file knows nothing of the registry.
 */
#include <prfdata/install.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <shellapi.h>

#include "installer/access_list.h"
#include "installer/check.h"
#include "installer/directory.h"
#include "installer/helper.h"
#include "installer/registration.h"
#include "installer/site.h"

typedef enum command {
    COMMAND_NONE,
    COMMAND_INSTALL,
    COMMAND_UNINSTALL,
    COMMAND_RESET,
    COMMAND_STATUS,
    COMMAND_REPAIR,
    COMMAND_INI,
    COMMAND_CHECK,
    COMMAND_TRY_LOAD,
    COMMAND_TRY_READ,
    COMMAND_HELP
} command;

enum {
    PROGRAM_CHARS = 256,    /* file names have at most 255 chars */
    PROVIDERS_BYTES = 32768 /* a command line is no longer */
};

typedef struct arguments {
    wchar_t program[PROGRAM_CHARS]; /* the name of this program, without path and .exe */
    command command;
    const wchar_t *ini_path;
    const wchar_t *providers; /* of -Check */
    const wchar_t *tried;     /* the argument of -TryLoad and -TryRead */
    bool has_format;
    wchar_t path[MAX_PATH]; /* of this program; "": it is no installer program */
    prfdata_install_options options;
    const prfdata_map **maps; /* the chosen ones */
    size_t map_count;
} arguments;

/* The context of print_report_line(). */
typedef struct line_context {
    const char *service;
    bool bare; /* without the service's name at the beginning of each line */
} line_context;

/* ---- Output ---- */

/* Print UTF-8 to files and pipes, UTF-16 to a console. */
static void print_text(FILE *stream, const wchar_t *text)
{
    HANDLE handle = GetStdHandle(stream == stderr ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
    DWORD mode, written;
    char *bytes;
    int size;

    if (GetConsoleMode(handle, &mode)) {
        WriteConsoleW(handle, text, (DWORD)wcslen(text), &written, NULL);
        return;
    }
    size = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes)
        return;
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, size, NULL, NULL);
    fputs(bytes, stream);
    /* If both streams go to the same file, their lines stay in order. */
    fflush(stream);
    free(bytes);
}

static void print_report_line(void *context, prfdata_step step, const wchar_t *text)
{
    const line_context *line = context;
    wchar_t whole[1200];

    if (line->bare) { /* a line of JSON is as long as it likes */
        print_text(stdout, text);
        print_text(stdout, L"\n");
        return;
    }
    (void)swprintf(whole, sizeof whole / sizeof whole[0], L"%hs: %ls%ls\n", line->service,
                   step == PRFDATA_STEP_UNDONE ? L"undone: " : L"", text);
    whole[sizeof whole / sizeof whole[0] - 1] = 0;
    print_text(step == PRFDATA_STEP_FAILED ? stderr : stdout, whole);
}

/* The arguments are the name of this program, twice, and one of its services. */
static const wchar_t usage[] =
    L"Registers performance counters with Windows.\n"
    L"\n"
    L"  %ls COMMAND [OPTION...] [SERVICE...]\n"
    L"\n"
    L"Commands:\n"
    L"  -Install              register counters, or update their registration\n"
    L"  -Status               examine the registration: its first lines are those of lodctr /Q;\n"
    L"                        then who publishes, what is wrong, and the command that mends it\n"
    L"  -Status -f JSON       the same for programs\n"
    L"  -Repair               run those of these commands that are safe, and say which\n"
    L"  -Uninstall            remove what -Install created, if it registered this map\n"
    L"  -Reset                set the counts of ended programs to zero\n"
    L"  -Ini DIR              only write the .ini file, in English, and the symbol header into "
    L"DIR\n"
    L"  -Check                only check the maps; builds run this\n"
    L"  -?                    show this text\n"
    L"\n"
    L"A command applies to all services of this program, or to those that are named:\n"
    L"  %ls -Status %hs\n"
    L"\n";

static const wchar_t *const help[] = {
    L"Options of -Install; what is left out stays as it was the last time:\n"
    L"  -Writers Services               who may publish, besides SYSTEM and Administrators:\n"
    L"                                  services (the default)\n"
    L"  -Writers Users                  all users and services, for desktop programs\n"
    L"  -Writers S-1-5-21-...,Services  the accounts or groups in this list\n"
    L"  -Arch native                    register the DLL of the system's own bitness: 64-bit\n"
    L"                                  readers on 64-bit Windows (the default)\n"
    L"  -Arch x86                       register the 32-bit DLL: 32-bit readers see the counters,\n"
    L"                                  64-bit readers see them through perfhost.exe\n"
    L"  -Force                          install even if ids change their meaning, or if another\n"
    L"                                  product has registered the service: what was counted for\n"
    L"                                  them is lost\n"
    L"  -AllowUserWritableDll           for developers: register the DLL even if users other than\n"
    L"                                  administrators can replace it, and report that\n"
    L"\n"
    L"Option of -Uninstall:\n"
    L"  -Any                            remove also what another version of the map registered\n"
    L"\n",
    L"Option of -Check:\n"
    L"  -Providers SERVICE,...          the services that providers are built for: a map whose\n"
    L"                                  service is not among them is a mistake\n"
    L"\n",
    L"Of the provider, <service>Prf.dll, a copy is registered, in the same folder: that of this\n"
    L"program, or the folder x86, x64 or arm64 there if its bitness is another. Options may begin\n"
    L"with / instead of -, in upper or lower case. -Install, -Repair, -Uninstall and -Reset need\n"
    L"an elevated prompt.\n"
    L"\n",
    L"Exit codes:\n"
    L"  0  done; -Status: installed, with the map of this program, and nothing is wrong;\n"
    L"     -Uninstall: also if another version of the map is registered, which is left\n"
    L"  1  failed; all changes were undone; -Check: a map is wrong\n"
    L"  2  the command line is wrong\n"
    L"  3  needs an elevated prompt\n"
    L"  4  done, but a line says what is left to do: end a program that publishes, for instance,\n"
    L"     and uninstall again\n"
    L"  5  not installed\n"
    L"  6  installed, but something is wrong, or a program is not shown\n"
    L"\n"
    L"Services of this program:\n"};

static void print_installer_help(const wchar_t *program, const prfdata_map *const *maps,
                                 size_t map_count)
{
    wchar_t first[sizeof usage / sizeof usage[0] + 2 * PROGRAM_CHARS + PRFDATA_MAX_SERVICE_CHARS];

    (void)swprintf(first, sizeof first / sizeof first[0], usage, program, program,
                   maps[0]->service);
    print_text(stdout, first);
    for (size_t i = 0; i < sizeof help / sizeof help[0]; i++)
        print_text(stdout, help[i]);
    for (size_t i = 0; i < map_count; i++) {
        wchar_t line[PRFDATA_MAX_SERVICE_CHARS + 8];

        (void)swprintf(line, sizeof line / sizeof line[0], L"  %hs\n", maps[i]->service);
        print_text(stdout, line);
    }
}

/* ---- The command line ---- */

/* Make the name of the program: `path` without its folder and without .exe. */
static void name_program(wchar_t *name, const wchar_t *path)
{
    const wchar_t *base = path;
    size_t chars;

    for (const wchar_t *at = path; *at; at++) {
        if (wcschr(L"\\/:", *at))
            base = at + 1;
    }
    chars = wcslen(base);
    if (chars > 4 && _wcsicmp(base + chars - 4, L".exe") == 0)
        chars -= 4;
    if (chars >= PROGRAM_CHARS)
        chars = PROGRAM_CHARS - 1;
    memcpy(name, base, chars * sizeof *name);
    name[chars] = 0;
}

static int complain_usage(const arguments *parsed, const wchar_t *what, const wchar_t *which)
{
    print_text(stderr, what);
    print_text(stderr, which);
    print_text(stderr, L"\n");
    print_text(stderr, parsed->program);
    print_text(stderr, L" -? explains how to use it.\n");
    return PRFDATA_EXIT_USAGE;
}

static int set_command(arguments *parsed, command wanted, const wchar_t *option)
{
    if (parsed->command != COMMAND_NONE)
        return complain_usage(parsed, L"One command at a time: ", option);
    parsed->command = wanted;
    return 0;
}

static int set_arch(arguments *parsed, const wchar_t *value)
{
    if (_wcsicmp(value, L"native") == 0)
        parsed->options.arch = PRFDATA_ARCH_NATIVE;
    else if (_wcsicmp(value, L"x86") == 0)
        parsed->options.arch = PRFDATA_ARCH_X86;
    else
        return complain_usage(parsed, L"-Arch is native or x86, not ", value);
    return 0;
}

static int set_writers(arguments *parsed, const wchar_t *value)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];

    if (prfdata_access_list_regions_sddl(value, sddl) != 0)
        return complain_usage(parsed, L"-Writers is Services, Users or SIDs (S-1-...), not ",
                              value);
    parsed->options.writers = value;
    return 0;
}

static int set_providers(arguments *parsed, const wchar_t *value)
{
    parsed->providers = value;
    return 0;
}

static int set_ini(arguments *parsed, const wchar_t *value)
{
    parsed->ini_path = value;
    return set_command(parsed, COMMAND_INI, L"-Ini");
}

static int set_format(arguments *parsed, const wchar_t *value)
{
    if (_wcsicmp(value, L"JSON") != 0 && _wcsicmp(value, L"text") != 0)
        return complain_usage(parsed, L"-f is JSON or text, not ", value);
    parsed->has_format = true;
    parsed->options.status_format =
        _wcsicmp(value, L"JSON") == 0 ? PRFDATA_STATUS_JSON : PRFDATA_STATUS_TEXT;
    return 0;
}

static int set_try_load(arguments *parsed, const wchar_t *value)
{
    parsed->tried = value;
    return set_command(parsed, COMMAND_TRY_LOAD, L"-TryLoad");
}

static int set_try_read(arguments *parsed, const wchar_t *value)
{
    parsed->tried = value;
    return set_command(parsed, COMMAND_TRY_READ, L"-TryRead");
}

/* Options with a value, which is the next argument. */
static const struct {
    const wchar_t *name;
    int (*set)(arguments *parsed, const wchar_t *value);
} valued[] = {{L"Ini", set_ini},         {L"Writers", set_writers},
              {L"Arch", set_arch},       {L"Providers", set_providers},
              {L"f", set_format},        {L"TryLoad", set_try_load},
              {L"TryRead", set_try_read}};

static const struct {
    const wchar_t *name;
    command command;
} commands[] = {
    {L"Install", COMMAND_INSTALL}, {L"Uninstall", COMMAND_UNINSTALL}, {L"Reset", COMMAND_RESET},
    {L"Status", COMMAND_STATUS},   {L"Check", COMMAND_CHECK},         {L"Repair", COMMAND_REPAIR},
    {L"?", COMMAND_HELP},          {L"Help", COMMAND_HELP},           {L"h", COMMAND_HELP}};

static int parse_installer_option(arguments *parsed, int argc, wchar_t **argv, int *at)
{
    const wchar_t *option = argv[*at];
    const wchar_t *name = option + 1;

    if (name[0] == L'-') /* --install */
        name++;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (_wcsicmp(name, commands[i].name) == 0)
            return set_command(parsed, commands[i].command, option);
    }
    if (_wcsicmp(name, L"AllowUserWritableDll") == 0) {
        parsed->options.protection = PRFDATA_PROTECTION_WARN;
        return 0;
    }
    if (_wcsicmp(name, L"Force") == 0) {
        parsed->options.force = true;
        return 0;
    }
    if (_wcsicmp(name, L"Any") == 0) {
        parsed->options.any = true;
        return 0;
    }
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        if (_wcsicmp(name, valued[i].name) != 0)
            continue;
        if (*at + 1 >= argc)
            return complain_usage(parsed, L"A value is missing after ", option);
        return valued[i].set(parsed, argv[++*at]);
    }
    return complain_usage(parsed, L"Unknown option: ", option);
}

static int choose_map(arguments *parsed, const prfdata_map *const *maps, size_t map_count,
                      const wchar_t *service)
{
    for (size_t i = 0; i < map_count; i++) {
        wchar_t name[PRFDATA_MAX_SERVICE_CHARS + 1] = L"";

        (void)swprintf(name, sizeof name / sizeof name[0], L"%hs", maps[i]->service);
        name[PRFDATA_MAX_SERVICE_CHARS] = 0; /* one that is too long is never meant */
        if (_wcsicmp(name, service) == 0) {
            parsed->maps[parsed->map_count++] = maps[i];
            return 0;
        }
    }
    return complain_usage(parsed, L"This program has no service ", service);
}

static int check_options_of_command(const arguments *parsed)
{
    const prfdata_install_options *options = &parsed->options;

    if (parsed->command == COMMAND_NONE)
        return complain_usage(
            parsed,
            L"A command is missing: -Install, -Status, -Repair, -Uninstall, -Reset, -Check or -Ini "
            L"DIR",
            L"");
    if (parsed->command != COMMAND_INSTALL &&
        (options->writers || options->arch || options->protection || options->force))
        return complain_usage(
            parsed, L"-Writers, -Arch, -Force and -AllowUserWritableDll go with -Install", L"");
    if (parsed->command != COMMAND_UNINSTALL && options->any)
        return complain_usage(parsed, L"-Any goes with -Uninstall", L"");
    if (parsed->command != COMMAND_CHECK && parsed->providers)
        return complain_usage(parsed, L"-Providers goes with -Check", L"");
    if (parsed->command != COMMAND_STATUS && parsed->has_format)
        return complain_usage(parsed, L"-f goes with -Status", L"");
    return 0;
}

static int parse_installer_arguments(arguments *parsed, const prfdata_map *const *maps,
                                     size_t map_count, int argc, wchar_t **argv)
{
    int code = 0;

    for (int i = 1; i < argc && code == 0; i++) {
        if (argv[i][0] == L'-' || argv[i][0] == L'/')
            code = parse_installer_option(parsed, argc, argv, &i);
        else
            code = choose_map(parsed, maps, map_count, argv[i]);
    }
    if (code)
        return code;
    code = check_options_of_command(parsed);
    if (code)
        return code;
    if (parsed->map_count == 0) {
        memcpy(parsed->maps, maps, map_count * sizeof *maps);
        parsed->map_count = map_count;
    }
    return 0;
}

/* ---- The commands ---- */

static uint32_t write_title_files_into(const wchar_t *path, const prfdata_map *map,
                                       const prfdata_report *report)
{
    prfdata_registration made = {0};
    prfdata_directory folder = {0};
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint32_t status = prfdata_registration_from_map(&made, map, report);

    if (status)
        goto free_made;
    CreateDirectoryW(path, NULL); /* if this fails, the folder exists, or cannot be opened */
    status = prfdata_directory_open_root(&folder, path);
    if (status) {
        prfdata_report_error(report, status, L"Folder %ls", path);
        goto free_made;
    }
    (void)swprintf(service, sizeof service / sizeof service[0], L"%hs", map->service);
    for (int i = 0; i < PRFDATA_TITLE_FILES && !status; i++)
        status = prfdata_title_file_write(&made.files[i], &folder, service, report);
    prfdata_directory_close(&folder);
free_made:
    prfdata_registration_free(&made);
    return status;
}

static bool is_examination(command done)
{
    return done == COMMAND_STATUS || done == COMMAND_REPAIR;
}

static int exit_code_of_command(command done, uint32_t status)
{
    switch (status) {
    case ERROR_SUCCESS:
        return PRFDATA_EXIT_DONE;
    case ERROR_ACCESS_DENIED:
        /* Where an administrator is denied access, elevation would not help. */
        return done != COMMAND_INI && !prfdata_site_is_elevated() ? PRFDATA_EXIT_ELEVATE
                                                                  : PRFDATA_EXIT_FAILED;
    case ERROR_SHARING_VIOLATION:
        return done == COMMAND_UNINSTALL || done == COMMAND_RESET ? PRFDATA_EXIT_LEFTOVERS
                                                                  : PRFDATA_EXIT_FAILED;
    case ERROR_TIMEOUT: /* another installer is at work */
        return PRFDATA_EXIT_FAILED;
    case ERROR_FILE_NOT_FOUND:
        return done == COMMAND_INSTALL || done == COMMAND_INI ? PRFDATA_EXIT_FAILED
                                                              : PRFDATA_EXIT_NOT_INSTALLED;
    default:
        return is_examination(done) ? PRFDATA_EXIT_BROKEN : PRFDATA_EXIT_FAILED;
    }
}

static int run_command(const arguments *parsed, const prfdata_map *map)
{
    line_context line = {map->service, parsed->command == COMMAND_STATUS};
    const prfdata_report report = {print_report_line, &line};
    prfdata_install_options options = parsed->options;
    uint32_t status = ERROR_SUCCESS;

    options.step = print_report_line;
    options.context = &line;
    options.helper_path = parsed->path[0] ? parsed->path : NULL;
    switch (parsed->command) {
    case COMMAND_INSTALL:
        status = prfdata_install(map, &options);
        break;
    case COMMAND_UNINSTALL:
        status = prfdata_uninstall(map, &options);
        break;
    case COMMAND_RESET:
        status = prfdata_reset(map, &options);
        break;
    case COMMAND_STATUS:
        status = prfdata_install_status(map, &options);
        break;
    case COMMAND_REPAIR:
        status = prfdata_repair(map, &options);
        break;
    case COMMAND_INI:
        status = write_title_files_into(parsed->ini_path, map, &report);
        break;
    case COMMAND_TRY_LOAD:
    case COMMAND_TRY_READ:
    case COMMAND_NONE:
    case COMMAND_CHECK:
    case COMMAND_HELP:
        break;
    }
    return exit_code_of_command(parsed->command, status);
}

static void print_check_line(void *context, bool is_mistake, const char *line)
{
    wchar_t wide[PRFDATA_CHECK_LINE_BYTES] = L"";

    (void)context;
    MultiByteToWideChar(CP_UTF8, 0, line, -1, wide, PRFDATA_CHECK_LINE_BYTES);
    print_text(is_mistake ? stderr : stdout, wide);
    print_text(is_mistake ? stderr : stdout, L"\n");
}

static int check_all_maps(const arguments *parsed)
{
    char providers[PROVIDERS_BYTES];

    if (parsed->providers && WideCharToMultiByte(CP_UTF8, 0, parsed->providers, -1, providers,
                                                 PROVIDERS_BYTES, NULL, NULL) == 0)
        return complain_usage(parsed, L"-Providers has too long a list", L"");
    return prfdata_check_maps(parsed->maps, parsed->map_count, parsed->providers ? providers : NULL,
                              print_check_line, NULL) > 0
               ? PRFDATA_EXIT_FAILED
               : PRFDATA_EXIT_DONE;
}

/* The commands that do not concern a map; -1: it is another one. */
static int run_without_maps(const arguments *parsed, const prfdata_map *const *maps,
                            size_t map_count)
{
    switch (parsed->command) {
    case COMMAND_HELP:
        print_installer_help(parsed->program, maps, map_count);
        return 0;
    case COMMAND_CHECK:
        return check_all_maps(parsed);
    case COMMAND_TRY_LOAD:
        return prfdata_helper_try_load(parsed->tried);
    case COMMAND_TRY_READ:
        return prfdata_helper_try_read(parsed->tried);
    default:
        return -1;
    }
}

static int run_for_maps(const arguments *parsed)
{
    int code = 0;

    for (size_t i = 0; i < parsed->map_count; i++) {
        int one = run_command(parsed, parsed->maps[i]);

        if (code == 0)
            code = one;
    }
    return code;
}

/*
 * -Status starts this program with other arguments. That works only where it passes its command
 * line on: one that makes arguments of its own might do anything else then.
 */
static void find_own_path(arguments *parsed, int argc, wchar_t **argv)
{
    int count = 0;
    wchar_t **own = CommandLineToArgvW(GetCommandLineW(), &count);
    bool is_passed_on = own && count == argc;

    for (int i = 1; i < argc && is_passed_on; i++)
        is_passed_on = wcscmp(own[i], argv[i]) == 0;
    if (is_passed_on && GetModuleFileNameW(NULL, parsed->path, MAX_PATH) >= MAX_PATH)
        parsed->path[0] = 0;
    LocalFree(own);
}

int prfdata_installer_main(const prfdata_map *const *maps, size_t map_count, int argc,
                           wchar_t **argv)
{
    arguments parsed = {0};
    int code;

    /* Load system DLLs only, not from the current folder or that of the program. */
    SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_SYSTEM32);
    parsed.maps = calloc(map_count + (size_t)argc, sizeof *parsed.maps);
    if (!parsed.maps)
        return PRFDATA_EXIT_FAILED;
    name_program(parsed.program, argc > 0 ? argv[0] : L"");
    find_own_path(&parsed, argc, argv);
    code = parse_installer_arguments(&parsed, maps, map_count, argc, argv);
    if (code == 0)
        code = run_without_maps(&parsed, maps, map_count);
    if (code == -1)
        code = run_for_maps(&parsed);
    free(parsed.maps);
    return code;
}
