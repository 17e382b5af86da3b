/* SPDX-License-Identifier: MIT */
/*
 * Reads and makes the value `Maps`, which holds the current map of a service, earlier maps whose
 * regions still count, and the numbers of the titles (docs/map-bytes.md, "The value Maps").
 * Treats the bytes of the value as hostile.
 */
#ifndef PRFDATA_MAPS_H
#define PRFDATA_MAPS_H

#include "base/bytes.h"
#include "map/model.h"

#define PRFDATA_MAPS_MAGIC        0x53465250u /* "PRFS" */
#define PRFDATA_MAPS_MAJOR        2
#define PRFDATA_MAPS_MINOR        0
#define PRFDATA_MAPS_HEADER       16 /* bytes before the first map */
#define PRFDATA_MAPS_UNUSED_BYTES 12 /* bytes for each number that is no longer used */
#define PRFDATA_MAX_EARLIER_MAPS  8
#define PRFDATA_MAX_MAPS          (1 + PRFDATA_MAX_EARLIER_MAPS)
#define PRFDATA_MAX_TITLE_NUMBERS 16384 /* several times the titles of the largest map */
#define PRFDATA_MAX_MAPS_BYTES                                                                     \
    (PRFDATA_MAPS_HEADER + PRFDATA_MAX_MAPS * (4 + PRFDATA_MAX_MAP_BYTES) + 4 +                    \
     PRFDATA_MAX_TITLE_NUMBERS * PRFDATA_MAPS_UNUSED_BYTES)

struct prfdata_title_numbers;

/* One of the maps, encoded (map/map_bytes.h). */
typedef struct prfdata_maps_entry {
    const uint8_t *bytes; /* borrowed from the value */
    size_t size;
    uint64_t hash; /* the hash that the bytes name */
} prfdata_maps_entry;

typedef struct prfdata_maps {
    uint32_t count; /* at least 1; only prfdata_maps_salvage() may set 0 */
    prfdata_maps_entry entries[PRFDATA_MAX_MAPS]; /* the current map, then from new to old */
    /* Numbers of the titles: the bytes after the maps; borrowed from the value. */
    prfdata_bytes numbers;
    uint16_t minor;
} prfdata_maps;

/*
 * Find the maps in the value: rules V1 to V5 of map-bytes.md. The caller checks whether a map is
 * valid, as prfdata_model_from_bytes() does.
 *
 * maps  On success borrows from the bytes; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (not such a value) or ERROR_REVISION_MISMATCH (another
 *         format).
 */
uint32_t prfdata_maps_parse(const void *bytes, size_t size, prfdata_maps *maps);

typedef uint32_t prfdata_maps_decode(const void *bytes, size_t size, prfdata_model **model);

/*
 * Decode the current map, with the numbers of its titles (rules V6 and V7).
 *
 * decode  prfdata_model_from_bytes(), or prfdata_model_read() if no rule about texts matters.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the numbers are invalid), ERROR_NOT_ENOUGH_MEMORY, or
 *         the error of `decode`.
 * Owner: the caller; prfdata_model_free().
 */
uint32_t prfdata_maps_decode_current(const prfdata_maps *maps, prfdata_maps_decode *decode,
                                     prfdata_model **model);

/*
 * Give the titles of the decoded current map the numbers that the value has. Returns ERROR_SUCCESS,
 * ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_maps_number_titles(const prfdata_maps *maps, prfdata_model *model);

/*
 * Find the maps and decode the current one with prfdata_model_from_bytes(). Returns what
 * prfdata_maps_parse() and prfdata_maps_decode_current() return.
 */
uint32_t prfdata_maps_current(const void *bytes, size_t size, prfdata_model **model);

/*
 * In a value that is damaged or has another format, find the maps that can be decoded, wherever
 * they begin. Finds at most PRFDATA_MAX_MAPS.
 *
 * maps  Always set; borrows from the bytes. Contains each hash once, and no numbers of titles. Its
 *       count is 0 if no map was found.
 */
void prfdata_maps_salvage(const void *bytes, size_t size, prfdata_maps *maps);

bool prfdata_maps_have(const prfdata_maps *maps, uint64_t hash);

/*
 * Make the value `Maps` for the installation of a map. The map comes first. The maps that were
 * registered before follow without their texts. No two of these maps have the same hash.
 *
 * model    The model of the map. Its titles get their numbers.
 * former   The value that was registered before, of `former_bytes` bytes, or NULL. If it is damaged
 *          or has another format, the maps that can be decoded are kept.
 * numbers  The former numbers of titles (map/title_numbers.h); gets the new numbers, too. NULL: use
 *          the numbers in `former`.
 * bytes    On success new memory of `*size` bytes; owner: the caller, free(). Untouched on failure.
 * dropped  Gets how many earlier maps are not kept, because there are too many, or because they
 *          cannot be decoded or are too large. In a value that is damaged or has another format,
 *          only maps that can be decoded are counted. If no map can be decoded, gets 1.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_NO_SYSTEM_RESOURCES (all numbers of
 *         titles are used up).
 */
uint32_t prfdata_maps_update(prfdata_model *model, const void *former, size_t former_bytes,
                             struct prfdata_title_numbers *numbers, void **bytes, size_t *size,
                             uint32_t *dropped);

#endif
