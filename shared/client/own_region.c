/* SPDX-License-Identifier: MIT */
/* Chooses the file that a publisher gets: one to take over, or a new one. */
#include "client/own_region.h"

#include <stdlib.h>

/*
 * The number of files from before the last restart that one opening tries to delete. Each attempt
 * opens a file, which costs 20 us.
 */
#define SWEPT_FILES 64

/*
 * If there are too many files, the owner of a new file waits 1, 2, 4 .. 64 ms until other files are
 * deleted. If there are still too many then, it creates its file again with a later name. It makes
 * at most 8 attempts.
 */
#define LONGEST_ADMISSION_PAUSE 64
#define ADMISSION_ATTEMPTS      8

bool prfdata_own_region_is_large_enough(const prfdata_region_layout *layout,
                                        const prfdata_region_layout *wanted)
{
    for (uint32_t i = 0; i < layout->object_count; i++)
        if (layout->sections[i].slot_count < wanted->sections[i].slot_count)
            return false;
    return true;
}

/*
 * Describes the regions that can be taken over: they have this map and boot, and at least as many
 * slots as `layout`.
 */
typedef struct region_wish {
    const prfdata_model *model;
    const prfdata_region_layout *layout;
    uint64_t boot;
} region_wish;

/*
 * Try to take over one file. Returns ERROR_SHARING_VIOLATION if the file has an owner or was
 * refused (os.h, "Refusals"), and ERROR_NOT_FOUND if the file cannot be used. An unfinished region
 * is deleted, because no reader ever saw its counts. All other files stay, because readers may
 * still show their counts.
 */
static uint32_t take_region_file(prfdata_os_directory *directory, const region_wish *wish,
                                 const prfdata_os_name *name, prfdata_own_region *own)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_region_layout *layout = NULL;
    prfdata_region_header header;
    prfdata_region_verdict verdict;
    const uint32_t error = prfdata_os_region_take(directory, name, &region);

    if (error)
        return error == ERROR_SHARING_VIOLATION ? error : ERROR_NOT_FOUND;
    verdict =
        prfdata_region_check(region.bytes, region.size, wish->model, wish->boot, &header, &layout);
    if (verdict == PRFDATA_REGION_VALID &&
        prfdata_own_region_is_large_enough(layout, wish->layout)) {
        own->region = region;
        own->name = *name;
        own->layout = layout;
        return ERROR_SUCCESS;
    }
    free(layout);
    if (verdict == PRFDATA_REGION_UNFINISHED)
        prfdata_os_region_delete(directory, name, &region);
    else
        prfdata_os_region_close(&region);
    return ERROR_NOT_FOUND;
}

/*
 * Tries to take over one of the files. If none can be taken over, keeps in `names` only the files
 * that have an owner or were refused, and sets `count` to their number.
 */
static uint32_t take_any_region(prfdata_os_directory *directory, const region_wish *wish,
                                prfdata_os_name *names, size_t *count, prfdata_own_region *own)
{
    size_t refused = 0;

    for (size_t i = 0; i < *count; i++) {
        const uint32_t error = take_region_file(directory, wish, &names[i], own);

        if (!error)
            return ERROR_SUCCESS;
        if (error == ERROR_SHARING_VIOLATION)
            names[refused++] = names[i];
    }
    *count = refused;
    return ERROR_NOT_FOUND;
}

/*
 * Keep in `names` the files without an owner, and the files whose probe was refused (os.h,
 * "Refusals"). Returns how many names remain.
 */
static size_t drop_owned(prfdata_os_directory *directory, prfdata_os_name *names, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        bool alive = false;
        const uint32_t error = prfdata_os_region_probe(directory, &names[i], NULL, &alive);

        if (error ? error == ERROR_SHARING_VIOLATION : !alive)
            names[kept++] = names[i];
    }
    return kept;
}

/*
 * Try to take over one of the files. Refused files are tried again after pauses, unless they turn
 * out to have an owner. A scanner, or a provider that probes a file, looks like an owner for a
 * moment. Without further attempts, the folder would get more files than it needs.
 */
static uint32_t take_listed_region(prfdata_os_directory *directory, const region_wish *wish,
                                   prfdata_os_name *names, size_t count, prfdata_patience *patience,
                                   prfdata_own_region *own)
{
    uint32_t error = take_any_region(directory, wish, names, &count, own);

    while (error && count > 0 && prfdata_patience_pause(patience)) {
        count = drop_owned(directory, names, count);
        error = take_any_region(directory, wish, names, &count, own);
    }
    return error;
}

/*
 * A number that grows with the time since the system was started: 40 bits of milliseconds, and 24
 * random bits. Therefore the order of names is the order in which files were created. If there are
 * too many files, those with the lowest numbers stay.
 */
static uint64_t make_number(void)
{
    return prfdata_os_milliseconds() << 24 | (prfdata_os_random() & 0xFFFFFF);
}

static uint32_t create_region_file(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                                   prfdata_own_region *own)
{
    uint32_t error;

    do {
        prfdata_os_name_make(&own->name, boot, make_number());
        error = prfdata_os_region_create(directory, &own->name, size, &own->region);
    } while (error == ERROR_FILE_EXISTS);
    own->layout = NULL;
    return error;
}

struct account_files {
    prfdata_os_account account;
    uint32_t count;
};

/*
 * Counts the files of the folder by account, because all accounts share the limited number of
 * regions that readers read.
 */
struct census {
    /* the names of this account's files, sorted; room for PRFDATA_MAX_REGION_FILES */
    prfdata_os_name *names;
    size_t own_count;
    /* room for PRFDATA_MAX_REGIONS; all further accounts share the last element */
    struct account_files *others;
    size_t other_count;
};

static void count_other(struct census *census, const prfdata_os_account *account)
{
    size_t i = 0;

    while (i < census->other_count && !prfdata_os_account_is(&census->others[i].account, account))
        i++;
    if (i == PRFDATA_MAX_REGIONS)
        i--;
    else if (i == census->other_count)
        census->others[census->other_count++] = (struct account_files){*account, 0};
    census->others[i].count++;
}

/* Whether a file of another account may be a region that readers read. */
static bool takes_place(const prfdata_region_header *header, uint64_t boot)
{
    return header->magic == PRFDATA_REGION_MAGIC && header->boot == boot &&
           header->state != PRFDATA_REGION_BUILDING;
}

/*
 * A file of another account counts only if it is a region, or if this account may not examine it. A
 * file of this account always counts, because another program of this account may be about to make
 * a region of it.
 */
static void take_census(prfdata_os_directory *directory, uint64_t boot, size_t count,
                        struct census *census)
{
    census->own_count = 0;
    census->other_count = 0;
    for (size_t i = 0; i < count; i++) {
        const prfdata_os_account unknown = {{0}};
        prfdata_os_account account = unknown;
        prfdata_region_header header = {0};
        const uint32_t error =
            prfdata_os_region_look(directory, &census->names[i], &header, sizeof header, &account);

        if (error == ERROR_FILE_NOT_FOUND)
            continue;
        if (prfdata_os_account_is_own(&account))
            census->names[census->own_count++] = census->names[i];
        else if (error == ERROR_ACCESS_DENIED || (!error && takes_place(&header, boot)))
            count_other(census, &account);
    }
}

static int order_by_count(const void *a, const void *b)
{
    const uint32_t first = ((const struct account_files *)a)->count;
    const uint32_t second = ((const struct account_files *)b)->count;

    return (first > second) - (first < second);
}

/*
 * The number of regions that this account may have. An account that has fewer regions than an equal
 * share leaves the remainder of its share to the others.
 */
static size_t own_share(struct census *census)
{
    size_t left = PRFDATA_MAX_REGIONS;
    size_t sharers = census->other_count + 1;

    if (census->other_count > 1)
        qsort(census->others, census->other_count, sizeof census->others[0], order_by_count);
    for (size_t i = 0; i < census->other_count && census->others[i].count <= left / sharers; i++) {
        left -= census->others[i].count;
        sharers--;
    }
    return left / sharers;
}

/*
 * `*count` gets the number of files that this account has, and `*share` the number that it may
 * have. If the folder holds at most `most` files, owners do not matter, and both numbers are those
 * of all accounts together.
 */
static uint32_t look_for_places(prfdata_os_directory *directory, uint64_t boot,
                                struct census *census, size_t most, size_t *count, size_t *share)
{
    bool more;
    const uint32_t error = prfdata_os_directory_list(directory, boot, census->names,
                                                     PRFDATA_MAX_REGION_FILES, count, &more);

    *share = PRFDATA_MAX_REGIONS;
    if (error || *count <= most)
        return error;
    take_census(directory, boot, *count, census);
    *count = census->own_count;
    *share = own_share(census);
    return ERROR_SUCCESS;
}

static bool is_listed(const prfdata_os_name *name, const prfdata_os_name *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name->text, names[i].text))
            return true;
    return false;
}

/*
 * Checks that the account of a new file has no more files than its share. Other programs of the
 * account may create files at the same time. So each program checks after it has created its file,
 * and the program that created the last file sees all files. If there are too many files, a program
 * whose file is among the first `share` files of the account waits until others have given up. Any
 * other program gives up.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_QUOTA, ERROR_SHARING_VIOLATION (after the wait there are
 *         still too many files) or another error.
 */
static uint32_t admit_region_file(prfdata_os_directory *directory, uint64_t boot,
                                  const prfdata_os_name *name, struct census *census,
                                  prfdata_patience *patience)
{
    size_t count, share;
    uint32_t error;

    for (uint32_t pause = 1; pause <= LONGEST_ADMISSION_PAUSE; pause *= 2) {
        error = look_for_places(directory, boot, census, PRFDATA_MAX_REGIONS, &count, &share);
        if (error || count <= share)
            return error;
        if (!is_listed(name, census->names, share))
            return ERROR_NOT_ENOUGH_QUOTA;
        if (!prfdata_patience_sleep(patience, pause))
            break;
    }
    return ERROR_SHARING_VIOLATION;
}

static uint32_t create_admitted_file(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                                     struct census *census, prfdata_patience *patience,
                                     prfdata_own_region *own)
{
    uint32_t error = create_region_file(directory, boot, size, own);

    if (error)
        return error;
    error = admit_region_file(directory, boot, &own->name, census, patience);
    if (error)
        prfdata_os_region_delete(directory, &own->name, &own->region);
    return error;
}

/*
 * Creates a file if this account may have one more. Admitted files of other programs stay, even if
 * their names come after that of the new file. So if there are still too many files after a wait,
 * the new file is created again with a later name.
 */
static uint32_t create_if_room(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                               struct census *census, prfdata_patience *patience,
                               prfdata_own_region *own)
{
    size_t count, share;
    uint32_t error;

    for (int attempt = 0; attempt < ADMISSION_ATTEMPTS; attempt++) {
        error = look_for_places(directory, boot, census, PRFDATA_MAX_REGIONS - 1, &count, &share);
        if (error)
            return error;
        if (count >= share)
            break;
        error = create_admitted_file(directory, boot, size, census, patience, own);
        if (error != ERROR_SHARING_VIOLATION)
            return error;
    }
    return ERROR_NOT_ENOUGH_QUOTA;
}

/* `names` has room for PRFDATA_MAX_REGION_FILES. */
static uint32_t create_where_there_is_room(prfdata_os_directory *directory, uint64_t boot,
                                           uint64_t size, prfdata_os_name *names,
                                           prfdata_patience *patience, prfdata_own_region *own)
{
    struct census census = {names, 0, NULL, 0};
    uint32_t error = ERROR_NOT_ENOUGH_MEMORY;

    census.others = malloc(PRFDATA_MAX_REGIONS * sizeof *census.others);
    if (census.others)
        error = create_if_room(directory, boot, size, &census, patience, own);
    free(census.others);
    return error;
}

/*
 * Tries to delete up to SWEPT_FILES files from before the last restart. Begins at a random file.
 * The first files may all belong to other accounts, and this account may not delete those. `names`
 * has room for PRFDATA_MAX_REGIONS.
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

uint32_t prfdata_own_region_create(prfdata_os_directory *directory, uint64_t boot, uint64_t size,
                                   prfdata_patience *patience, prfdata_own_region *own)
{
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGION_FILES * sizeof *names);
    prfdata_own_region got = {PRFDATA_OS_REGION_NONE, {""}, NULL};
    uint32_t error;

    if (!names)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = create_where_there_is_room(directory, boot, size, names, patience, &got);
    if (!error)
        *own = got;
    free(names);
    return error;
}

uint32_t prfdata_own_region_get(prfdata_os_directory *directory, const prfdata_model *model,
                                const prfdata_region_layout *wanted, uint64_t boot,
                                prfdata_patience *patience, prfdata_own_region *own)
{
    const region_wish wish = {model, wanted, boot};
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGION_FILES * sizeof *names);
    prfdata_own_region got = {PRFDATA_OS_REGION_NONE, {""}, NULL};
    size_t count;
    bool more;
    uint32_t error;

    if (!names)
        return ERROR_NOT_ENOUGH_MEMORY;
    error =
        prfdata_os_directory_list(directory, boot, names, PRFDATA_MAX_REGION_FILES, &count, &more);
    if (!error)
        error = take_listed_region(directory, &wish, names, count, patience, &got);
    if (error == ERROR_NOT_FOUND)
        error =
            create_where_there_is_room(directory, boot, wanted->total_bytes, names, patience, &got);
    if (!error)
        *own = got;
    sweep_other_boots(directory, boot, names);
    free(names);
    return error;
}
