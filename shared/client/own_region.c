/* SPDX-License-Identifier: MIT */
/*
 * Which file a publisher gets. Does not know what is counted in it, nor which publishers the
 * process has.
 */
#include "client/own_region.h"

#include <stdlib.h>

/* At one opening. Each look opens a file that may be another account's, which costs 20 us. */
#define SWEPT_FILES 64

bool prfdata_own_region_is_large_enough(const prfdata_region_layout *layout,
                                        const prfdata_region_layout *wanted)
{
    for (uint32_t i = 0; i < layout->object_count; i++)
        if (layout->sections[i].slot_count < wanted->sections[i].slot_count)
            return false;
    return true;
}

/* ---- Taking over ---- */

/* Its process ended before it published. The map does not matter: no reader ever saw a count. */
static bool is_unfinished_region(prfdata_region_verdict verdict,
                                 const prfdata_region_header *header)
{
    return verdict == PRFDATA_REGION_UNFINISHED ||
           (verdict == PRFDATA_REGION_OTHER_MAP && header->state == PRFDATA_REGION_BUILDING);
}

/*
 * Try to take over one file. Returns ERROR_NOT_FOUND if it cannot be used: it has an owner, belongs
 * to another account, is too small, or is not a valid region. Unfinished ones are deleted. All
 * others stay: their counts may still be shown, by this map or another one.
 */
static uint32_t take_region_file(prfdata_os_directory *directory, const prfdata_model *model,
                                 const prfdata_region_layout *wanted, uint64_t boot,
                                 const prfdata_os_name *name, prfdata_own_region *own)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_region_layout *layout = NULL;
    prfdata_region_header header;
    prfdata_region_verdict verdict;

    if (prfdata_os_region_take(directory, name, &region))
        return ERROR_NOT_FOUND;
    verdict = prfdata_region_check(region.bytes, region.size, model, boot, &header, &layout);
    if (verdict == PRFDATA_REGION_VALID && prfdata_own_region_is_large_enough(layout, wanted)) {
        own->region = region;
        own->name = *name;
        own->layout = layout;
        return ERROR_SUCCESS;
    }
    free(layout);
    if (is_unfinished_region(verdict, &header))
        prfdata_os_region_delete(directory, name, &region);
    else
        prfdata_os_region_close(&region);
    return ERROR_NOT_FOUND;
}

/*
 * Try to take over one of the files. Twice, because a provider that probes a file without owner
 * looks like one for a moment; the folder would otherwise get a file more than it needs.
 */
static uint32_t take_listed_region(prfdata_os_directory *directory, const prfdata_model *model,
                                   const prfdata_region_layout *wanted, uint64_t boot,
                                   const prfdata_os_name *names, size_t count,
                                   prfdata_own_region *own)
{
    uint32_t error = ERROR_NOT_FOUND;

    for (int attempt = 0; attempt < 2; attempt++)
        for (size_t i = 0; i < count && error == ERROR_NOT_FOUND; i++)
            error = take_region_file(directory, model, wanted, boot, &names[i], own);
    return error;
}

/* ---- Creating ---- */

static uint32_t create_region_file(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                                   prfdata_own_region *own)
{
    uint32_t error;

    do {
        prfdata_os_name_make(&own->name, boot, prfdata_os_random());
        error = prfdata_os_region_create(directory, &own->name, size, &own->region);
    } while (error == ERROR_FILE_EXISTS);
    own->layout = NULL;
    return error;
}

/* ---- Other boots ---- */

/*
 * Delete files that this account left in other boots, some of them at each opening. Beginning at a
 * random one, so that files of other accounts do not keep it from its own. `names`: room for
 * PRFDATA_MAX_REGIONS.
 */
static void sweep_other_boots(prfdata_os_directory *directory, uint64_t boot,
                              prfdata_os_name *names)
{
    size_t count, first, looks;
    bool more;

    if (prfdata_os_directory_list_others(directory, boot, names, PRFDATA_MAX_REGIONS, &count,
                                         &more) ||
        count == 0)
        return;
    looks = count < SWEPT_FILES ? count : SWEPT_FILES;
    first = (size_t)(prfdata_os_random() % count);
    for (size_t i = 0; i < looks; i++)
        (void)prfdata_os_region_remove(directory, &names[(first + i) % count]);
}

/* ---- Both ---- */

uint32_t prfdata_own_region_get(prfdata_os_directory *directory, const prfdata_model *model,
                                const prfdata_region_layout *wanted, uint64_t boot,
                                prfdata_own_region *own)
{
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGIONS * sizeof *names);
    prfdata_own_region got = {PRFDATA_OS_REGION_NONE, {""}, NULL};
    size_t count;
    bool more;
    uint32_t error;

    if (!names)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = prfdata_os_directory_list(directory, boot, names, PRFDATA_MAX_REGIONS, &count, &more);
    if (!error)
        error = take_listed_region(directory, model, wanted, boot, names, count, &got);
    if (error == ERROR_NOT_FOUND)
        error = more ? ERROR_NOT_ENOUGH_QUOTA
                     : create_region_file(directory, boot, wanted->total_bytes, &got);
    if (!error)
        *own = got;
    sweep_other_boots(directory, boot, names);
    free(names);
    return error;
}
