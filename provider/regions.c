/* SPDX-License-Identifier: MIT */
/*
 * The set of attached regions, its replacement once per refresh time, and the snapshots of its
 * members. Does not know what is in a region beyond its validity.
 */
#include "provider/regions.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

/* ---- Attached regions ---- */

static void detach_region(prfdata_attached *attached)
{
    prfdata_os_region_close(&attached->view);
    for (uint32_t i = 0; i < attached->object_count; i++)
        if (attached->last[i].whole && --attached->last[i].whole->references == 0)
            prfdata_snapshot_free(attached->last[i].whole);
    free(attached->layout);
    free(attached);
}

struct checking {
    const prfdata_regions *regions;
    prfdata_attached *attached;
    uint64_t boot;
    prfdata_region_verdict verdict;
    bool has_faulted;
};

/* Guarded. The layout is allocated after the last access of the view. */
static void check_view(void *context)
{
    struct checking *checking = context;
    prfdata_region_header header;

    checking->verdict = prfdata_region_check(
        checking->attached->view.bytes, checking->attached->view.size, checking->regions->model,
        checking->boot, &header, &checking->attached->layout);
}

/* ---- What is wrong with a file ---- */

static bool has_writer(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    bool alive = false;

    return !prfdata_os_region_probe(directory, name, NULL, &alive) && alive;
}

/*
 * Not a plain file, or larger than any region of this map. A file that is being created looks so
 * too, for a moment: only one that looks so in two refreshes is reported.
 */
static void notice_unusable(prfdata_regions *regions, prfdata_os_directory *directory,
                            const prfdata_os_name *name)
{
    if (!prfdata_events_wants(regions->events, PRFDATA_EVENT_REGION_UNUSABLE) ||
        !has_writer(directory, name))
        return;
    if (!strcmp(regions->former.text, name->text))
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_REGION_UNUSABLE, name->text, 0);
    if (!regions->suspect.text[0])
        regions->suspect = *name;
}

/* A file without owner will be replaced by the next writer: only one with an owner is reported. */
static void notice_verdict(const prfdata_regions *regions, prfdata_os_directory *directory,
                           const prfdata_os_name *name, prfdata_region_verdict verdict)
{
    prfdata_event_id id;

    switch (verdict) {
    case PRFDATA_REGION_OTHER_MAP:
        id = PRFDATA_EVENT_REGION_MAP;
        break;
    case PRFDATA_REGION_OTHER_VERSION:
        id = PRFDATA_EVENT_REGION_VERSION;
        break;
    case PRFDATA_REGION_DAMAGED:
        id = PRFDATA_EVENT_REGION_DAMAGED;
        break;
    default:
        return;
    }
    if (prfdata_events_wants(regions->events, id) && has_writer(directory, name))
        prfdata_events_notice_ascii(regions->events, id, name->text, 0);
}

static void notice_attach_error(prfdata_regions *regions, prfdata_os_directory *directory,
                                const prfdata_os_name *name, uint32_t error)
{
    if (error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION)
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_REGION_DENIED, name->text,
                                    error);
    else if (error == ERROR_INVALID_DATA)
        notice_unusable(regions, directory, name);
}

/* ---- Attaching ---- */

/* The file is gone, or cannot be a region. Other errors say nothing about what is in it. */
static bool is_no_region(uint32_t error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_INVALID_DATA;
}

/*
 * Attach one file. Returns NULL if it is not a region of this map, or not yet, or could not be
 * read; only in the last case `*unknown` is set.
 */
static prfdata_attached *attach_region(prfdata_regions *regions, prfdata_os_directory *directory,
                                       const prfdata_os_name *name, bool *unknown)
{
    const uint32_t object_count = regions->model->object_count;
    prfdata_attached *attached =
        calloc(1, sizeof *attached + object_count * sizeof attached->last[0]);
    struct checking checking;
    uint32_t error;

    *unknown = !attached;
    if (!attached)
        return NULL;
    attached->name = *name;
    attached->object_count = object_count;
    attached->view.owner = -1;
    error = prfdata_os_region_attach(directory, name, regions->max_bytes, &attached->view);
    if (error) {
        *unknown = !is_no_region(error);
        notice_attach_error(regions, directory, name, error);
        free(attached);
        return NULL;
    }
    checking.regions = regions;
    checking.attached = attached;
    checking.boot = prfdata_load64_relaxed(&regions->boot);
    checking.verdict = PRFDATA_REGION_DAMAGED;
    checking.has_faulted = !prfdata_os_guarded(&attached->view, check_view, &checking);
    if (checking.has_faulted) {
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_REGION_FAULTED, name->text, 0);
        checking.verdict = PRFDATA_REGION_UNFINISHED;
    }
    *unknown = checking.verdict == PRFDATA_REGION_NO_MEMORY || checking.has_faulted;
    if (checking.verdict != PRFDATA_REGION_VALID) {
        notice_verdict(regions, directory, name, checking.verdict);
        detach_region(attached);
        return NULL;
    }
    return attached;
}

/* ---- Sets ---- */

static prfdata_region_set *make_set(size_t capacity)
{
    prfdata_region_set *set = calloc(1, sizeof *set + capacity * sizeof set->regions[0]);

    if (set)
        set->references = 1;
    return set;
}

/* Drop a set's references, under the lock. Moves the regions to detach to the front; returns how
 * many. */
static uint32_t drop_regions(prfdata_region_set *set)
{
    uint32_t unused = 0;

    for (uint32_t i = 0; i < set->count; i++)
        if (--set->regions[i]->references == 0)
            set->regions[unused++] = set->regions[i];
    return unused;
}

void prfdata_regions_release(prfdata_regions *regions, prfdata_region_set *set)
{
    uint32_t unused = 0;
    bool last;

    if (!set)
        return;
    prfdata_os_lock_enter(&regions->lock);
    last = --set->references == 0;
    if (last)
        unused = drop_regions(set);
    prfdata_os_lock_leave(&regions->lock);
    if (!last)
        return;
    for (uint32_t i = 0; i < unused; i++)
        detach_region(set->regions[i]);
    free(set);
}

static prfdata_region_set *share_set(prfdata_regions *regions)
{
    prfdata_region_set *set;

    prfdata_os_lock_enter(&regions->lock);
    set = regions->set;
    if (set)
        set->references++;
    prfdata_os_lock_leave(&regions->lock);
    return set;
}

static prfdata_attached *find_attached(const prfdata_region_set *set, const prfdata_os_name *name)
{
    for (uint32_t i = 0; set && i < set->count; i++)
        if (!strcmp(set->regions[i]->name.text, name->text) &&
            !prfdata_load32_relaxed(&set->regions[i]->is_broken))
            return set->regions[i];
    return NULL;
}

/*
 * Ask whether a region has a writer. Returns false if another file has its name now, whose writer
 * does not matter here.
 */
static bool probe_writer(prfdata_os_directory *directory, prfdata_attached *attached)
{
    bool alive;
    uint32_t error = prfdata_os_region_probe(directory, &attached->name, &attached->view, &alive);

    /* Any other error concerns this call only: the last answer stays valid. */
    if (!error)
        prfdata_store32_relaxed(&attached->is_alive, alive);
    return error != ERROR_FILE_NOT_FOUND;
}

/* The region of this name: attached before, or now. */
static prfdata_attached *look_at_file(prfdata_regions *regions, prfdata_os_directory *directory,
                                      const prfdata_region_set *old, const prfdata_os_name *name,
                                      bool *unknown)
{
    prfdata_attached *attached = find_attached(old, name);

    if (attached && probe_writer(directory, attached))
        return attached;
    attached = attach_region(regions, directory, name, unknown);
    if (!attached || probe_writer(directory, attached))
        return attached;
    *unknown = true; /* replaced once more: the next refresh will see */
    detach_region(attached);
    return NULL;
}

static void notice_too_many(prfdata_regions *regions, const wchar_t *how_many)
{
    prfdata_events_notice(regions->events, PRFDATA_EVENT_TOO_MANY_REGIONS, how_many, 0);
}

/* Put a region into the set that is being made, if there is room. */
static void put_in_set(prfdata_regions *regions, prfdata_attached *attached, uint64_t *views_bytes,
                       prfdata_region_set *set)
{
    bool is_new;

    static_assert(PRFDATA_REGIONS_MAX_BYTES == 256ull << 20, "the limit in words");
    if (attached->view.size <= regions->max_views_bytes - *views_bytes) {
        *views_bytes += attached->view.size;
        set->regions[set->count++] = attached;
        return;
    }
    set->some_unknown = true;
    notice_too_many(regions, L"256 MiB of");
    prfdata_os_lock_enter(&regions->lock);
    is_new = attached->references == 0;
    prfdata_os_lock_leave(&regions->lock);
    if (is_new)
        detach_region(attached);
}

static void fill_set(prfdata_regions *regions, prfdata_os_directory *directory,
                     const prfdata_region_set *old, const prfdata_os_name *names, size_t count,
                     prfdata_region_set *set)
{
    uint64_t views_bytes = 0;

    set->some_unknown = prfdata_load64_relaxed(&regions->boot) == 0;
    regions->former = regions->suspect;
    regions->suspect.text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        bool unknown = false;
        prfdata_attached *attached = look_at_file(regions, directory, old, &names[i], &unknown);

        if (attached)
            put_in_set(regions, attached, &views_bytes, set);
        set->some_unknown |= unknown;
    }
}

/* Put `set` in the place of the present one. */
static void install_set(prfdata_regions *regions, prfdata_region_set *set)
{
    prfdata_region_set *old;

    prfdata_os_lock_enter(&regions->lock);
    for (uint32_t i = 0; i < set->count; i++)
        set->regions[i]->references++;
    old = regions->set;
    regions->set = set;
    prfdata_os_lock_leave(&regions->lock);
    prfdata_regions_release(regions, old);
}

/*
 * Ask for the boot again until it is known: the first thread may impersonate a client that may not
 * ask, and without it no region would be of this boot.
 */
static void learn_boot(prfdata_regions *regions)
{
    if (prfdata_load64_relaxed(&regions->boot) == 0)
        prfdata_store64_relaxed(&regions->boot, prfdata_os_boot());
}

/* The caller is the only one that refreshes. On failure the present set stays. */
static void refresh_set(prfdata_regions *regions)
{
    prfdata_region_set *set = NULL;
    prfdata_region_set *old = NULL;
    prfdata_os_directory *directory;
    prfdata_os_name *names;
    uint32_t error;
    size_t count;
    bool more;

    static_assert(PRFDATA_MAX_REGIONS == 1024, "the limit in words");
    learn_boot(regions);
    error = prfdata_os_directory_open(regions->service, &directory);
    if (error) {
        prfdata_events_notice(regions->events, PRFDATA_EVENT_FOLDER_CLOSED, L"", error);
        return;
    }
    names = malloc(PRFDATA_MAX_REGIONS * sizeof *names);
    if (names && !prfdata_os_directory_list(directory, prfdata_load64_relaxed(&regions->boot),
                                            names, PRFDATA_MAX_REGIONS, &count, &more)) {
        if (more)
            notice_too_many(regions, L"1,024");
        set = make_set(count);
    }
    if (set) {
        old = share_set(regions);
        fill_set(regions, directory, old, names, count, set);
        install_set(regions, set);
        prfdata_regions_release(regions, old);
    }
    free(names);
    prfdata_os_directory_close(directory);
}

static bool is_refresh_due(const prfdata_regions *regions, uint64_t now)
{
    uint64_t refreshed = prfdata_load64_relaxed(&regions->refreshed_ms);

    /* Another thread may have refreshed after `now` was read. */
    return refreshed == 0 || now >= refreshed + regions->refresh_ms;
}

prfdata_region_set *prfdata_regions_acquire(prfdata_regions *regions)
{
    uint64_t now = prfdata_os_milliseconds() + 1; /* never 0 */

    if (is_refresh_due(regions, now) && prfdata_os_lock_try(&regions->refreshing)) {
        if (is_refresh_due(regions, now)) {
            refresh_set(regions);
            prfdata_store64_relaxed(&regions->refreshed_ms, now);
        }
        prfdata_os_lock_leave(&regions->refreshing);
    }
    return share_set(regions);
}

uint32_t prfdata_regions_init(prfdata_regions *regions, const char *service,
                              const prfdata_model *model)
{
    prfdata_region_layout *largest;
    uint32_t error;

    memset(regions, 0, sizeof *regions);
    error = prfdata_region_layout_make(model, NULL, &largest);
    if (error)
        return error;
    regions->service = service;
    regions->model = model;
    regions->max_bytes = largest->total_bytes;
    regions->max_views_bytes = SIZE_MAX > UINT32_MAX ? UINT64_MAX : PRFDATA_REGIONS_MAX_BYTES;
    regions->refresh_ms = 1000;
    free(largest);
    return ERROR_SUCCESS;
}

void prfdata_regions_done(prfdata_regions *regions)
{
    prfdata_regions_release(regions, regions->set);
    regions->set = NULL;
}

/* ---- Snapshots with last whole copies ---- */

/* Drop a reference, under the lock; a snapshot without any joins the list `unused`. */
static void release_last_snapshot(prfdata_snapshot *snapshot, prfdata_snapshot **unused)
{
    if (!snapshot || --snapshot->references > 0)
        return;
    snapshot->next_unused = *unused;
    *unused = snapshot;
}

/* Outside the lock. */
static void free_unused_snapshots(prfdata_snapshot *unused)
{
    while (unused) {
        prfdata_snapshot *next = unused->next_unused;

        prfdata_snapshot_free(unused);
        unused = next;
    }
}

/* Fill `last`; returns the number of this begin. */
static uint64_t share_last(prfdata_attached *attached, prfdata_snapshot **last)
{
    uint64_t began;

    prfdata_os_lock_enter(&attached->last_lock);
    began = ++attached->snapshot_count;
    for (uint32_t i = 0; i < attached->object_count; i++) {
        last[i] = attached->last[i].whole;
        if (last[i])
            last[i]->references++;
    }
    prfdata_os_lock_leave(&attached->last_lock);
    return began;
}

/* Returns the number of this end. */
static uint64_t unshare_last(prfdata_attached *attached, prfdata_snapshot **last)
{
    prfdata_snapshot *unused = NULL;
    uint64_t ended;

    prfdata_os_lock_enter(&attached->last_lock);
    ended = ++attached->snapshot_count;
    for (uint32_t i = 0; i < attached->object_count; i++)
        release_last_snapshot(last[i], &unused);
    prfdata_os_lock_leave(&attached->last_lock);
    free_unused_snapshots(unused);
    return ended;
}

uint32_t prfdata_regions_snapshot(prfdata_regions *regions, prfdata_attached *attached,
                                  const bool *wanted, prfdata_snapshot_budget *budget,
                                  prfdata_snapshot **snapshot)
{
    prfdata_snapshot *last[PRFDATA_MAX_OBJECTS];
    const uint64_t began = share_last(attached, last);
    uint32_t error = prfdata_snapshot_take(&attached->view, regions->model, attached->layout,
                                           prfdata_load64_relaxed(&regions->boot), wanted, last,
                                           budget, snapshot);
    const uint64_t ended = unshare_last(attached, last);

    if (!error) {
        (*snapshot)->began = began;
        (*snapshot)->ended = ended;
    }
    if (error == ERROR_GEN_FAILURE || error == ERROR_INVALID_DATA) {
        prfdata_store32_relaxed(&attached->is_broken, 1);
        prfdata_events_notice_ascii(regions->events,
                                    error == ERROR_GEN_FAILURE ? PRFDATA_EVENT_REGION_FAULTED
                                                               : PRFDATA_EVENT_REGION_DAMAGED,
                                    attached->name.text, 0);
    }
    return error;
}

/*
 * Remember what is shown of an object now. Of snapshots taken at the same time it is not known
 * which one saw more: so a copy may stand in only if it began after all others that were shown had
 * ended.
 */
static void remember_shown_object(prfdata_last *last, prfdata_snapshot *snapshot,
                                  prfdata_snapshot **unused)
{
    const bool is_newest = snapshot->began > last->shown_until;

    if (snapshot->ended > last->shown_until)
        last->shown_until = snapshot->ended;
    if (last->whole && last->whole->began > snapshot->ended)
        return;
    release_last_snapshot(last->whole, unused);
    last->whole = NULL;
    if (is_newest && snapshot->is_whole && snapshot->uses_brackets) {
        last->whole = snapshot;
        snapshot->references++;
    }
}

void prfdata_regions_release_snapshot(prfdata_attached *attached, prfdata_snapshot *snapshot)
{
    prfdata_snapshot *unused = NULL;

    prfdata_os_lock_enter(&attached->last_lock);
    for (uint32_t i = 0; i < attached->object_count && !snapshot->is_stand_in; i++)
        if (snapshot->objects[i].is_taken)
            remember_shown_object(&attached->last[i], snapshot, &unused);
    release_last_snapshot(snapshot, &unused);
    prfdata_os_lock_leave(&attached->last_lock);
    free_unused_snapshots(unused);
}
