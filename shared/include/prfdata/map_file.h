/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes maps as text files, for programs that are not built by a C compiler:
 * docs/map-file.md. A file can say everything that the macros of <prfdata/map.h> can, and results
 * in the same map.
 *
 *     prfdata_map *map;
 *
 *     prfdata_map_file_read(L"queues.prfmap", print_mistake, NULL, &map);
 *     prfdata_open(map, &publisher);
 *
 * Link prfdata::mapfile, and prfdata::client for prfdata_open() and prfdata_open_file().
 */
#ifndef PRFDATA_MAP_FILE_H
#define PRFDATA_MAP_FILE_H

#include <prfdata/prfdata.h>
#include <prfdata/sal.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PRFDATA_MAX_MAP_FILE_BYTES (256u * 1024)

/*
 * Called for each mistake that is found. Some are found only after others have been corrected.
 *
 * context  The caller's `context`.
 * line     Counted from 1; 0: the mistake concerns the whole file.
 * text     One or more sentences without the line number, in UTF-8; valid during the call.
 */
typedef void prfdata_map_file_mistake(void *context, uint32_t line, const char *text);

/*
 * Make a map from the bytes of a file: UTF-8, or UTF-16 with a byte order mark.
 *
 * report  May be NULL.
 * map     On success a map without mistakes (prfdata_map_check); untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (with at least one mistake) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_map_file_free(). Do not free a map that was passed to
 *          prfdata_open().
 * Threads: any.
 */
PRFDATA_SUCCESS_IF_(return == 0)
uint32_t prfdata_map_file_parse(PRFDATA_IN_BYTES_(size) const void *bytes, size_t size,
                                PRFDATA_IN_OPT_ prfdata_map_file_mistake *report,
                                PRFDATA_IN_OPT_ void *context, PRFDATA_MADE_ prfdata_map **map);

/*
 * Make a map from a file, as prfdata_map_file_parse() makes one from bytes. Also returns
 * ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND, ERROR_ACCESS_DENIED, ERROR_FILE_TOO_LARGE (over
 * PRFDATA_MAX_MAP_FILE_BYTES), ERROR_INVALID_DATA without a mistake (on Windows: a device, such as
 * CON), or another error of the system.
 */
PRFDATA_SUCCESS_IF_(return == 0)
uint32_t prfdata_map_file_read(PRFDATA_IN_Z_ const wchar_t *path,
                               PRFDATA_IN_OPT_ prfdata_map_file_mistake *report,
                               PRFDATA_IN_OPT_ void *context, PRFDATA_MADE_ prfdata_map **map);

/* Release a map that came from a file; NULL is allowed. */
void prfdata_map_file_free(PRFDATA_FREED_OPT_ prfdata_map *map);

/* The languages of prfdata_map_file_write(). */
typedef enum prfdata_map_file_form {
    PRFDATA_MAP_FILE_TEXT, /* a map file */
    PRFDATA_MAP_FILE_C     /* C: the ids as constants, then the macros of <prfdata/map.h> */
} prfdata_map_file_form;

/*
 * Write a map as text, in UTF-8 with LF; in C everything beyond ASCII is escaped. Reading the map
 * file, or compiling the C, gives the same map again.
 *
 * map   A map without mistakes.
 * text  Gets at most `capacity` bytes, the NUL included; a longer text is cut.
 * Returns the length of the whole text in bytes, without the NUL.
 */
size_t prfdata_map_file_write(PRFDATA_IN_ const prfdata_map *map, prfdata_map_file_form form,
                              PRFDATA_OUT_TEXT_OPT_(capacity) char *text, size_t capacity);

/*
 * Call prfdata_open() with the map of a file. The map stays in memory until the process ends.
 * Opening the same file again uses the same map if the content has not changed.
 *
 * Returns what prfdata_map_file_read() and prfdata_open() do. If the file gives no map, *publisher
 *         is NULL, which every other function accepts. prfdata_status(NULL) then says why: the
 *         first mistake with its line, or the system's error.
 */
uint32_t prfdata_open_file(PRFDATA_IN_Z_ const wchar_t *path,
                           PRFDATA_MADE_OR_NULL_ prfdata_publisher **publisher);

#ifdef __cplusplus
}
#endif

#endif
