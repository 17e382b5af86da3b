/* SPDX-License-Identifier: MIT */
/*
 * Reads and checks the command line of an installer program. main.c carries out the command.
 * Windows only.
 */
#ifndef PRFDATA_ORDER_H
#define PRFDATA_ORDER_H

#include <stdbool.h>

#include <windows.h>

#include <prfdata/install.h>

#include "emit/emit.h"
#include "windows/writers.h"

typedef enum prfdata_order_command {
    PRFDATA_COMMAND_NONE,
    PRFDATA_COMMAND_INSTALL,
    PRFDATA_COMMAND_UNINSTALL,
    PRFDATA_COMMAND_RESET,
    PRFDATA_COMMAND_STATUS,
    PRFDATA_COMMAND_REPAIR,
    PRFDATA_COMMAND_INI,
    PRFDATA_COMMAND_EMIT,
    PRFDATA_COMMAND_CONVERT,
    PRFDATA_COMMAND_CHECK,
    PRFDATA_COMMAND_TRY_LOAD,
    PRFDATA_COMMAND_TRY_READ,
    PRFDATA_COMMAND_VERSION,
    PRFDATA_COMMAND_HELP
} prfdata_order_command;

/*
 * Borrows texts from the arguments of the program. Must not be copied, because `subject` may point
 * to `writer`.
 */
typedef struct prfdata_order {
    prfdata_order_command command;
    const wchar_t *ini_path;
    const wchar_t *providers;
    const wchar_t *tried; /* the argument of -TryLoad or -TryRead */
    prfdata_emit_put *emit;
    const wchar_t *converted; /* the .ini of -Convert */
    const wchar_t *file;      /* the argument of -o; NULL: standard output */
    bool may_replace;         /* files that this program did not write may be replaced */
    bool has_format;
    prfdata_install_options options;
    const wchar_t **map_files;
    size_t map_file_count;
    const wchar_t **services; /* the arguments that name services */
    size_t service_count;
    const prfdata_map **maps;
    size_t map_count;
    wchar_t writer[PRFDATA_WRITER_CHARS]; /* the account of -Writers that Windows does not know */
    const wchar_t *problem;               /* in static storage */
    const wchar_t *subject;               /* the argument that the problem is about, or "" */
} prfdata_order;

/*
 * Read the arguments of wmain().
 *
 * order  {0}, except `map_files` and `services`, which have room for `argc` texts each.
 *
 * Returns false if the arguments have a mistake, which `problem` describes.
 */
bool prfdata_order_read(prfdata_order *order, int argc, wchar_t **argv);

/*
 * Choose the maps of the services that are named; all maps if no service is named.
 *
 * order  From prfdata_order_read(). `order->maps` has room for `map_count` maps, and for one more
 *        per named service.
 *
 * Returns false if a service has no map; `problem` and `subject` then say so.
 */
bool prfdata_order_choose(prfdata_order *order, const prfdata_map *const *maps, size_t map_count);

#endif
