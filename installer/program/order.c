/* SPDX-License-Identifier: MIT */
/*
 * Reads the command line, and refuses options that do not fit the command. Tables list the commands
 * and options. Windows only.
 */
#include "program/order.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define WIDE_OF(text)                             L##text
#define WIDE(text)                                WIDE_OF(text)
#define EMIT_KIND(name, function, obstacle, help) L" " WIDE(#name)
#define EMIT_KINDS                                PRFDATA_EMIT_KINDS(EMIT_KIND)

static bool refuse_order(prfdata_order *order, const wchar_t *problem, const wchar_t *subject)
{
    order->problem = problem;
    order->subject = subject;
    return false;
}

static bool set_command(prfdata_order *order, prfdata_order_command wanted, const wchar_t *option)
{
    if (order->command != PRFDATA_COMMAND_NONE)
        return refuse_order(order, L"Give one command at a time; this is a second one: ", option);
    order->command = wanted;
    return true;
}

static bool set_arch(prfdata_order *order, const wchar_t *value)
{
    if (_wcsicmp(value, L"native") == 0)
        order->options.arch = PRFDATA_ARCH_NATIVE;
    else if (_wcsicmp(value, L"x86") == 0)
        order->options.arch = PRFDATA_ARCH_X86;
    else
        return refuse_order(order, L"-Arch must be native or x86, not ", value);
    return true;
}

static bool set_writers(prfdata_order *order, const wchar_t *value)
{
    wchar_t sids[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    const uint32_t status = prfdata_writers_resolve(value, sids, order->writer, NULL, NULL);

    if (status == ERROR_NONE_MAPPED)
        return refuse_order(order, PRFDATA_WRITERS_HELP L"; Windows does not know ", order->writer);
    if (status == ERROR_INVALID_PARAMETER)
        return refuse_order(order, L"-Writers has an empty name, or more than 16 accounts: ",
                            value);
    /* -Install looks the accounts up again, and then reports any other failure. */
    order->options.writers = value;
    return true;
}

static bool set_providers(prfdata_order *order, const wchar_t *value)
{
    order->providers = value;
    return true;
}

static bool set_ini(prfdata_order *order, const wchar_t *value)
{
    order->ini_path = value;
    return set_command(order, PRFDATA_COMMAND_INI, L"-Ini");
}

static bool set_format(prfdata_order *order, const wchar_t *value)
{
    if (_wcsicmp(value, L"JSON") != 0 && _wcsicmp(value, L"text") != 0)
        return refuse_order(order, L"-f must be JSON or text, not ", value);
    order->has_format = true;
    order->options.status_format =
        _wcsicmp(value, L"JSON") == 0 ? PRFDATA_STATUS_JSON : PRFDATA_STATUS_TEXT;
    return true;
}

static bool set_emit(prfdata_order *order, const wchar_t *value)
{
    order->emit = prfdata_emit_find(value);
    if (!order->emit)
        return refuse_order(order, L"-Emit must be one of" EMIT_KINDS L", not ", value);
    return set_command(order, PRFDATA_COMMAND_EMIT, L"-Emit");
}

static bool set_converted(prfdata_order *order, const wchar_t *value)
{
    order->converted = value;
    return set_command(order, PRFDATA_COMMAND_CONVERT, L"-Convert");
}

static bool set_file(prfdata_order *order, const wchar_t *value)
{
    order->file = value;
    return true;
}

static bool set_map_file(prfdata_order *order, const wchar_t *value)
{
    order->map_files[order->map_file_count++] = value;
    return true;
}

static bool set_try_load(prfdata_order *order, const wchar_t *value)
{
    order->tried = value;
    return set_command(order, PRFDATA_COMMAND_TRY_LOAD, L"-TryLoad");
}

static bool set_try_read(prfdata_order *order, const wchar_t *value)
{
    order->tried = value;
    return set_command(order, PRFDATA_COMMAND_TRY_READ, L"-TryRead");
}

static const struct {
    const wchar_t *name;
    bool (*set)(prfdata_order *order, const wchar_t *value);
} valued[] = {{L"Ini", set_ini},          {L"Writers", set_writers},
              {L"Arch", set_arch},        {L"Providers", set_providers},
              {L"f", set_format},         {L"Emit", set_emit},
              {L"o", set_file},           {L"Map", set_map_file},
              {L"TryLoad", set_try_load}, {L"TryRead", set_try_read},
              {L"Convert", set_converted}};

static const struct {
    const wchar_t *name;
    prfdata_order_command command;
} commands[] = {{L"Install", PRFDATA_COMMAND_INSTALL}, {L"Uninstall", PRFDATA_COMMAND_UNINSTALL},
                {L"Reset", PRFDATA_COMMAND_RESET},     {L"Status", PRFDATA_COMMAND_STATUS},
                {L"Check", PRFDATA_COMMAND_CHECK},     {L"Repair", PRFDATA_COMMAND_REPAIR},
                {L"Version", PRFDATA_COMMAND_VERSION}, {L"?", PRFDATA_COMMAND_HELP},
                {L"Help", PRFDATA_COMMAND_HELP},       {L"h", PRFDATA_COMMAND_HELP}};

static bool read_order_option(prfdata_order *order, int argc, wchar_t **argv, int *at)
{
    const wchar_t *option = argv[*at];
    const wchar_t *name = option + 1;

    if (name[0] == L'-') /* accepts --install, too */
        name++;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (_wcsicmp(name, commands[i].name) == 0)
            return set_command(order, commands[i].command, option);
    }
    if (_wcsicmp(name, L"AllowUserWritableDll") == 0) {
        order->options.protection = PRFDATA_PROTECTION_WARN;
        return true;
    }
    if (_wcsicmp(name, L"Force") == 0) {
        order->options.force = true;
        return true;
    }
    if (_wcsicmp(name, L"Any") == 0) {
        order->options.any = true;
        return true;
    }
    if (_wcsicmp(name, L"y") == 0) {
        order->may_replace = true;
        return true;
    }
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        if (_wcsicmp(name, valued[i].name) != 0)
            continue;
        if (*at + 1 >= argc)
            return refuse_order(order, L"A value is missing after ", option);
        return valued[i].set(order, argv[++*at]);
    }
    return refuse_order(order, L"Unknown option: ", option);
}

static bool choose_map(prfdata_order *order, const prfdata_map *const *maps, size_t map_count,
                       const wchar_t *service)
{
    for (size_t i = 0; i < map_count; i++) {
        wchar_t name[PRFDATA_MAX_SERVICE_CHARS + 1] = L"";

        (void)swprintf(name, sizeof name / sizeof name[0], L"%hs", maps[i]->service);
        name[PRFDATA_MAX_SERVICE_CHARS] = 0; /* a name that is too long may lack its NUL */
        if (_wcsicmp(name, service) == 0) {
            order->maps[order->map_count++] = maps[i];
            return true;
        }
    }
    return refuse_order(order,
                        order->map_file_count > 0 ? L"The map files have no service "
                                                  : L"This program has no service ",
                        service);
}

static bool check_options_of_command(prfdata_order *order)
{
    const prfdata_install_options *options = &order->options;

    if (order->command == PRFDATA_COMMAND_NONE)
        return refuse_order(
            order,
            L"A command is missing: -Install, -Status, -Repair, -Uninstall, -Reset, -Check, "
            L"-Emit KIND, -Convert INI or -Ini DIR",
            L"");
    if (order->command != PRFDATA_COMMAND_INSTALL &&
        (options->writers || options->arch || options->protection || options->force))
        return refuse_order(
            order, L"-Writers, -Arch, -Force and -AllowUserWritableDll need -Install", L"");
    if (order->command != PRFDATA_COMMAND_UNINSTALL && options->any)
        return refuse_order(order, L"-Any needs -Uninstall", L"");
    if (order->command != PRFDATA_COMMAND_CHECK && order->providers)
        return refuse_order(order, L"-Providers needs -Check", L"");
    if (order->command != PRFDATA_COMMAND_STATUS && order->has_format)
        return refuse_order(order, L"-f needs -Status", L"");
    if (order->command != PRFDATA_COMMAND_EMIT && order->command != PRFDATA_COMMAND_CONVERT &&
        order->file)
        return refuse_order(order, L"-o needs -Emit or -Convert", L"");
    if (order->may_replace && !order->file && order->command != PRFDATA_COMMAND_INI)
        return refuse_order(order, L"-y needs -o or -Ini", L"");
    if (order->command == PRFDATA_COMMAND_CONVERT &&
        (order->map_file_count > 0 || order->service_count > 0))
        return refuse_order(order, L"-Convert takes one .ini file, and no -Map and no services",
                            L"");
    return true;
}

/* A service that is named twice counts once, because the second -Uninstall would find nothing. */
static void add_service(prfdata_order *order, const wchar_t *service)
{
    for (size_t i = 0; i < order->service_count; i++) {
        if (_wcsicmp(order->services[i], service) == 0)
            return;
    }
    order->services[order->service_count++] = service;
}

bool prfdata_order_read(prfdata_order *order, int argc, wchar_t **argv)
{
    for (int i = 1; i < argc; i++) {
        const bool is_option = argv[i][0] == L'-' || argv[i][0] == L'/';

        if (!is_option)
            add_service(order, argv[i]);
        else if (!read_order_option(order, argc, argv, &i))
            return false;
    }
    return check_options_of_command(order);
}

bool prfdata_order_choose(prfdata_order *order, const prfdata_map *const *maps, size_t map_count)
{
    for (size_t i = 0; i < order->service_count; i++) {
        if (!choose_map(order, maps, map_count, order->services[i]))
            return false;
    }
    if (order->map_count == 0) {
        memcpy(order->maps, maps, map_count * sizeof *maps);
        order->map_count = map_count;
    }
    return true;
}
