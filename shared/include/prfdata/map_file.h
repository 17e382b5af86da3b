/* SPDX-License-Identifier: MIT */
/*
 * A map as a text file, for programs that no C compiler builds: docs/map-file.md. A file can say
 * what the macros of <prfdata/map.h> say; both become the same map.
 *
 *     prfdata_map *map;
 *
 *     prfdata_map_file_read(L"queues.prfmap", print_mistake, NULL, &map);
 *     prfdata_open(map, &publisher);
 *
 * Link prfdata::mapfile; prfdata_open_file() is in prfdata::client.
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
 * Called once per mistake, in the order of the lines.
 *
 * context  What was passed with the function.
 * line     From 1; 0: the file as a whole.
 * text     One sentence without the line, UTF-8; valid during the call.
 */
typedef void prfdata_map_file_mistake(void *context, uint32_t line, const char *text);

/*
 * Make a map of the bytes of a file: UTF-8, or UTF-16 with a byte order mark.
 *
 * report  May be NULL.
 * map     On success a map without mistakes (prfdata_map_check); untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (with at least one mistake) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_map_file_free(). What has been passed to prfdata_open() must stay.
 * Threads: any.
 */
PRFDATA_SUCCESS_IF_(return == 0)
uint32_t prfdata_map_file_parse(PRFDATA_IN_BYTES_(size) const void *bytes, size_t size,
                                PRFDATA_IN_OPT_ prfdata_map_file_mistake *report,
                                PRFDATA_IN_OPT_ void *context, PRFDATA_MADE_ prfdata_map **map);

/*
 * The same with a file. Returns also ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED, ERROR_FILE_TOO_LARGE (over PRFDATA_MAX_MAP_FILE_BYTES), or what else the
 * system answered.
 */
PRFDATA_SUCCESS_IF_(return == 0)
uint32_t prfdata_map_file_read(PRFDATA_IN_Z_ const wchar_t *path,
                               PRFDATA_IN_OPT_ prfdata_map_file_mistake *report,
                               PRFDATA_IN_OPT_ void *context, PRFDATA_MADE_ prfdata_map **map);

/* Release a map that came from a file; NULL is allowed. */
void prfdata_map_file_free(PRFDATA_FREED_OPT_ prfdata_map *map);

/* How prfdata_map_file_write() writes. */
typedef enum prfdata_map_file_form {
    PRFDATA_MAP_FILE_TEXT, /* a map file */
    PRFDATA_MAP_FILE_C     /* C: the ids as constants, then the macros of <prfdata/map.h> */
} prfdata_map_file_form;

/*
 * Write a map as text, in UTF-8 with LF; in C everything beyond ASCII is escaped. What is read back
 * from either is the same map.
 *
 * map   One without mistakes.
 * text  Gets at most `capacity` bytes with the NUL; cut if it is too short.
 * Returns the bytes of the whole text, without the NUL.
 */
size_t prfdata_map_file_write(PRFDATA_IN_ const prfdata_map *map, prfdata_map_file_form form,
                              PRFDATA_OUT_TEXT_OPT_(capacity) char *text, size_t capacity);

/*
 * prfdata_open() with the map of a file. The map stays for as long as the process lasts; opening
 * the same file again uses the same one, as long as it says the same.
 *
 * Returns what prfdata_open() and prfdata_map_file_read() do. Where there is no map, *publisher is
 *         NULL, which every other function accepts, and prfdata_status(NULL) gives the first
 *         mistake with its line.
 */
uint32_t prfdata_open_file(PRFDATA_IN_Z_ const wchar_t *path,
                           PRFDATA_MADE_OR_NULL_ prfdata_publisher **publisher);

#ifdef __cplusplus
}
#endif

#endif
