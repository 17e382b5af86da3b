/* SPDX-License-Identifier: MIT */
/*
 * Opens publishers with the map of a file. Publishers borrow their map until the process ends, so
 * this file keeps the maps.
 */
#include <prfdata/map_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/status.h"
#include "map/map_bytes.h"
#include "names/names.h"

enum { PATH_BYTES = 512, FILE_MISTAKE_BYTES = 512 };

/* A map that was read, followed by its encoded bytes, which identify it. */
typedef struct kept_map {
    struct kept_map *next;
    prfdata_map *map;
    size_t size;
    unsigned char bytes[1]; /* `size` bytes */
} kept_map;

static struct {
    prfdata_os_lock lock; /* protects the list; its elements never change */
    kept_map *first;
} kept_maps;

static kept_map *encode_kept_map(prfdata_map *map)
{
    size_t size = (size_t)prfdata_map_bytes_size(map);
    kept_map *made = malloc(sizeof *made + size);

    if (!made)
        return NULL;
    made->map = map;
    made->size = size;
    /* The hash is not needed to compare maps, so 0 is encoded in its place. */
    if (prfdata_map_bytes_encode(map, 0, made->bytes, size, &made->size)) {
        free(made);
        return NULL;
    }
    return made;
}

/*
 * If a map with the same content is already kept, frees `made` and returns the kept map. Otherwise
 * keeps `made` and returns its map.
 */
static const prfdata_map *keep_one(kept_map *made)
{
    kept_map *found;

    prfdata_os_lock_enter(&kept_maps.lock);
    for (found = kept_maps.first; found; found = found->next)
        if (found->size == made->size && !memcmp(found->bytes, made->bytes, made->size))
            break;
    if (!found) {
        made->next = kept_maps.first;
        kept_maps.first = made;
    }
    prfdata_os_lock_leave(&kept_maps.lock);
    if (!found)
        return made->map;
    prfdata_map_file_free(made->map);
    free(made);
    return found->map;
}

static uint32_t keep_map(prfdata_map *map, const prfdata_map **kept)
{
    kept_map *made = encode_kept_map(map);

    if (!made) {
        prfdata_map_file_free(map);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    *kept = keep_one(made);
    return ERROR_SUCCESS;
}

static void keep_first_mistake(void *context, uint32_t line, const char *text)
{
    char *mistake = context;
    size_t length = strlen(text);

    if (mistake[0])
        return;
    if (length > 0 && text[length - 1] == '.')
        length--;
    if (line > 0)
        snprintf(mistake, FILE_MISTAKE_BYTES, "line %u: %.*s", (unsigned)line, (int)length, text);
    else
        snprintf(mistake, FILE_MISTAKE_BYTES, "content: %.*s", (int)length, text);
}

static void report_file(const wchar_t *path, const char *mistake, uint32_t error)
{
    char name[PATH_BYTES] = "";
    const size_t size = prfdata_names_utf8_from_wide(path, name, sizeof name - 1);

    if (size >= sizeof name)
        name[0] = 0;
    prfdata_status_report_file(name, mistake, error);
}

uint32_t prfdata_open_file(const wchar_t *path, prfdata_publisher **publisher)
{
    char mistake[FILE_MISTAKE_BYTES] = "";
    const prfdata_map *kept = NULL;
    prfdata_map *map;
    uint32_t error = prfdata_map_file_read(path, keep_first_mistake, mistake, &map);

    if (!error)
        error = keep_map(map, &kept);
    if (!error)
        return prfdata_open(kept, publisher);
    *publisher = NULL;
    report_file(path, mistake, error);
    return error;
}
