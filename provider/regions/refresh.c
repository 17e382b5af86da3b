/* SPDX-License-Identifier: MIT */
/*
 * Makes a set of regions from the files in the folder: keeps those that are attached, attaches new
 * ones, and asks the system for the writer of each. mapping.c maps and probes a file. These words
 * say what is known of a file:
 *
 *   attached    it is mapped, and is a member of the set
 *   late        it is attached, but sums were shown before it could be read
 *   broken      it is attached, but it faulted or became invalid; this refresh drops it
 *   given up    it was broken, so it is never attached again
 *   unattached  it is not a member: it is given up, unknown or not a region, or it has no place
 *   unknown     it could not be read, so sums may lack it; each refresh tries again
 *   refused     the system did not open it for now (os.h, "Refusals")
 *   suspect     it is the first unusable file of a refresh; the next refresh reports it if it is
 *               still unusable
 */
#include "regions/refresh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "regions/region_places.h"

/* The state of one refresh. */
struct refreshing {
    prfdata_regions *regions;
    prfdata_mapping_look look;     /* the file that is being checked; reused for each file */
    const prfdata_region_set *old; /* NULL: this is the first refresh */
    prfdata_region_set *set;       /* the set that is being made */
    uint64_t now_ms;
    prfdata_os_name *names; /* name_count files of the folder, sorted */
    size_t name_count;
    bool lists_all;    /* `names` has all files of the folder */
    uint64_t position; /* where the next refresh begins to list */
    prfdata_region_places places;
    /*
     * Files that may become members. New ones are at the front. Those that were tried before are at
     * the end, in reverse order.
     */
    prfdata_unattached *candidates;
    size_t candidate_capacity;
    size_t new_count;
    size_t known_count;
    size_t unattached_capacity;
    bool *kept;                           /* for each member of `old`: whether it stays */
    char loser[PRFDATA_OS_ACCOUNT_CHARS]; /* account whose region got no place; "": none */
    bool wants_health;                    /* the current map has PRFDATA_MAP_HEALTH */
    uint64_t unshown;                     /* running programs that have no region that is shown */
    bool is_refused; /* the system refused the folder or a file for now: os.h, "Refusals" */
};

/* ---- Problems with a file ---- */

static bool has_owner(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    bool alive = false;

    return !prfdata_os_region_probe(directory, name, NULL, &alive) && alive;
}

/* The event for a file whose program's counters cannot be shown; 0: there is none. */
static uint32_t event_of(const prfdata_mapping_look *look)
{
    if (look->error) /* not a plain file, or larger than the limit for all regions together */
        return look->error == ERROR_INVALID_DATA ? PRFDATA_EVENT_REGION_UNUSABLE : 0;
    switch (look->verdict) {
    case PRFDATA_REGION_OTHER_MAP:
        return PRFDATA_EVENT_REGION_MAP;
    case PRFDATA_REGION_OTHER_VERSION:
        return PRFDATA_EVENT_REGION_VERSION;
    case PRFDATA_REGION_DAMAGED:
        return PRFDATA_EVENT_REGION_DAMAGED;
    case PRFDATA_REGION_VALID:
    case PRFDATA_REGION_UNFINISHED:
    case PRFDATA_REGION_OTHER_BOOT:
    case PRFDATA_REGION_NO_MEMORY:
        break;
    }
    return 0;
}

/*
 * Whether the file was the suspect of the last refresh. If this refresh has no suspect yet, the
 * file becomes it. One refresh proves nothing, because it may see a file that is being created.
 */
static bool is_unusable_still(const struct refreshing *refreshing, const prfdata_os_name *name)
{
    if (!refreshing->set->suspect.text[0])
        refreshing->set->suspect = *name;
    return refreshing->old && !strcmp(refreshing->old->suspect.text, name->text);
}

/*
 * Counts a program that is not shown, and records an event about it. Only a file with an owner
 * counts, because the next writer replaces a file without one.
 */
static void notice_unshown(struct refreshing *refreshing, const prfdata_os_name *name,
                           prfdata_event_id id)
{
    prfdata_events *events = refreshing->regions->events;

    if (!(refreshing->wants_health || prfdata_events_wants(events, id)) ||
        !has_owner(refreshing->look.directory, name))
        return;
    refreshing->unshown++;
    if (id != PRFDATA_EVENT_REGION_UNUSABLE || is_unusable_still(refreshing, name))
        prfdata_events_notice_ascii(events, id, name->text, 0);
}

/*
 * Whether a file or the folder has been refused for longer than one refresh. A virus scanner takes
 * less time.
 */
static bool is_refused_still(const struct refreshing *refreshing, uint64_t since_ms)
{
    return since_ms != 0 && refreshing->now_ms - since_ms >= refreshing->regions->refresh_ms;
}

/*
 * Records the event that says what is wrong with the file that was checked.
 *
 * since_ms  Since when the file could not be attached; 0: this is the first time.
 */
static void notice_found(struct refreshing *refreshing, const prfdata_os_name *name,
                         uint64_t since_ms)
{
    const prfdata_mapping_look *look = &refreshing->look;
    const uint32_t id = event_of(look);

    if (look->has_faulted)
        prfdata_regions_notice_fault(refreshing->regions, name);
    else if (look->error == ERROR_ACCESS_DENIED ||
             (look->error == ERROR_SHARING_VIOLATION && is_refused_still(refreshing, since_ms)))
        prfdata_events_notice_ascii(refreshing->regions->events, PRFDATA_EVENT_REGION_DENIED,
                                    name->text, look->error);
    else if (id != 0)
        notice_unshown(refreshing, name, (prfdata_event_id)id);
}

/* ---- Checking the files ---- */

/*
 * Asks for the writer of a region.
 *
 * before  What was known of it; NULL: nothing.
 * member  Gets what is known now.
 *
 * Returns false if the file no longer exists.
 */
static bool ask_for_writer(struct refreshing *refreshing, prfdata_mapping *mapping,
                           const prfdata_member *before, prfdata_member *member)
{
    const bool was_owned = before && before->writer == PRFDATA_MAPPING_WRITER_LIVES;
    const prfdata_mapping_writer writer =
        prfdata_mapping_ask(&refreshing->look, mapping, was_owned);

    refreshing->is_refused |= refreshing->look.is_refused;
    if (writer == PRFDATA_MAPPING_IS_GONE)
        return false;
    *member = prfdata_member_learn(before, mapping, writer, refreshing->look.header.structure,
                                   refreshing->now_ms);
    return true;
}

static uint64_t grace_ms(const prfdata_regions *regions)
{
    return PRFDATA_REGIONS_GRACE_REFRESHES * regions->refresh_ms;
}

static bool is_broken(const prfdata_mapping *mapping)
{
    return prfdata_load32_relaxed(&mapping->is_broken) != 0;
}

/*
 * Updates what is known of a member. Returns false if its file no longer exists or it may not stay.
 */
static bool keep_member(struct refreshing *refreshing, const prfdata_member *before,
                        prfdata_member *member)
{
    prfdata_mapping *mapping = before->mapping;

    if (is_broken(mapping) || !ask_for_writer(refreshing, mapping, before, member))
        return false;
    if (is_broken(mapping)) {
        prfdata_regions_notice_fault(refreshing->regions, &mapping->name);
        return false;
    }
    if (before->writer != PRFDATA_MAPPING_WRITER_LIVES &&
        member->writer == PRFDATA_MAPPING_WRITER_LIVES)
        prfdata_mapping_drop_summary(mapping);
    return true;
}

/* Remembers a file that is not attached. */
static void add_unattached(const struct refreshing *refreshing, const prfdata_unattached *file)
{
    prfdata_region_set *set = refreshing->set;

    if (set->unattached_count == refreshing->unattached_capacity)
        return; /* the next refresh finds it again */
    set->unattached[set->unattached_count++] = *file;
    set->some_unknown |= file->is_unknown;
}

static void notice_too_many(prfdata_regions *regions, const wchar_t *how_many)
{
    prfdata_events_notice(regions->events, PRFDATA_EVENT_TOO_MANY_REGIONS, how_many, 0);
}

/*
 * Records the event that regions are too large. Its detail is the limit in words, such as "256 MiB
 * of".
 */
static void notice_too_large(prfdata_regions *regions)
{
    const unsigned mib = (unsigned)(prfdata_load64_relaxed(&regions->max_views_bytes) >> 20);
    wchar_t words[32];

    if (swprintf(words, sizeof words / sizeof words[0], L"%u MiB of", mib) > 0)
        notice_too_many(regions, words);
}

/* Whether a file that could not be checked may still be a region. */
static bool may_be_region(const prfdata_mapping_look *look)
{
    if (look->error)
        return look->error != ERROR_FILE_NOT_FOUND && look->error != ERROR_INVALID_DATA;
    return look->has_faulted || look->verdict == PRFDATA_REGION_NO_MEMORY;
}

/* Whether the file no longer exists and need not be remembered. */
static bool is_file_gone(const prfdata_mapping_look *look)
{
    return look->error == ERROR_FILE_NOT_FOUND;
}

/* Whether sums were shown without a file that was first seen at `since_ms`. */
static bool were_sums_shown_since(const prfdata_regions *regions, uint64_t since_ms)
{
    const uint64_t shown_ms = prfdata_load64_relaxed(&regions->sums_shown_ms);

    return shown_ms != 0 && shown_ms >= since_ms + grace_ms(regions);
}

/*
 * Attaches a file and asks for its writer. If the file is replaced in between, tries twice more.
 * Returns false if it is not a region or could not be checked; `look` says which.
 */
static bool attach_and_ask(struct refreshing *refreshing, const prfdata_os_name *name,
                           prfdata_member *member)
{
    prfdata_mapping_look *look = &refreshing->look;

    for (int attempt = 0; attempt < 3; attempt++) {
        prfdata_mapping *mapping = prfdata_mapping_make(look, name);

        if (!mapping) {
            refreshing->is_refused |= look->is_refused;
            return false;
        }
        look->error = ERROR_SHARING_VIOLATION;
        if (ask_for_writer(refreshing, mapping, NULL, member))
            look->error = ERROR_SUCCESS;
        look->has_faulted = is_broken(mapping);
        if (!look->error && !look->has_faulted)
            return true;
        prfdata_mapping_free(mapping);
        if (look->has_faulted)
            return false;
    }
    return false;
}

/* ---- Places ---- */

/* Frees a region that only this refresh has. No other thread has seen it yet. */
static void free_if_new(const struct refreshing *refreshing, prfdata_mapping *mapping)
{
    const prfdata_member *before = prfdata_regions_find_member(refreshing->old, &mapping->name);

    if (!before || before->mapping != mapping)
        prfdata_mapping_free(mapping);
}

/* Called for a region that gets no place or loses it. */
static void lose_region(void *context, const prfdata_member *member)
{
    struct refreshing *refreshing = context;
    const prfdata_unattached *before =
        prfdata_regions_find_unattached(refreshing->old, &member->mapping->name);
    const prfdata_unattached lost = {
        .name = member->mapping->name,
        .since_ms = before && before->is_unknown ? before->since_ms : refreshing->now_ms,
        /* If the views are too large, sums may lack this region, so it is marked unknown. If there
         * are too many files, only an event says that regions are missing. */
        .is_unknown = refreshing->places.count < refreshing->places.max_count,
    };

    if (!refreshing->loser[0])
        prfdata_os_account_write(&member->mapping->view.account, refreshing->loser);
    refreshing->set->has_more = true;
    add_unattached(refreshing, &lost);
    free_if_new(refreshing, member->mapping);
}

/*
 * Gives a region a place if possible. `was_shown` says whether readers were shown the region
 * before.
 */
static void place_region(struct refreshing *refreshing, const prfdata_member *member,
                         bool was_shown)
{
    const bool is_kept = was_shown && member->writer == PRFDATA_MAPPING_WRITER_LIVES;

    if (!prfdata_region_places_add(&refreshing->places, member, is_kept, lose_region, refreshing))
        lose_region(refreshing, member);
}

static void notice_losers(const struct refreshing *refreshing)
{
    prfdata_regions *regions = refreshing->regions;

    static_assert(PRFDATA_MAX_REGIONS == 1024, "the limit in words");
    if (!refreshing->loser[0])
        return;
    if (prfdata_region_places_are_shared(&refreshing->places))
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_SHARE_USED_UP, refreshing->loser,
                                    0);
    else if (refreshing->places.count == refreshing->places.max_count)
        notice_too_many(regions, L"1,024");
    else
        notice_too_large(regions);
}

static int name_order(const void *a, const void *b)
{
    return strcmp(((const prfdata_os_name *)a)->text, ((const prfdata_os_name *)b)->text);
}

static bool is_listed(const struct refreshing *refreshing, const prfdata_os_name *name)
{
    return bsearch(name, refreshing->names, refreshing->name_count, sizeof refreshing->names[0],
                   name_order);
}

/* Checks members by their names, because the listing may not have reached their files. */
static void keep_members(struct refreshing *refreshing)
{
    const prfdata_region_set *old = refreshing->old;

    for (uint32_t i = 0; old && i < old->count; i++) {
        const prfdata_member *before = &old->members[i];
        const bool is_gone =
            refreshing->lists_all && !is_listed(refreshing, &before->mapping->name);
        prfdata_member member;

        refreshing->kept[i] = !is_gone && keep_member(refreshing, before, &member);
        if (refreshing->kept[i])
            place_region(refreshing, &member, true);
    }
}

/* ---- New regions ---- */

/* Tries to attach a file, and remembers it if that fails. */
static void attach_candidate(struct refreshing *refreshing, const prfdata_unattached *candidate)
{
    prfdata_regions *regions = refreshing->regions;
    const bool was_unknown = candidate->is_unknown;
    prfdata_unattached file = *candidate;
    prfdata_member member = {0};

    if (!was_unknown)
        file.since_ms = refreshing->now_ms;
    if (attach_and_ask(refreshing, &file.name, &member)) {
        member.mapping->is_late = was_unknown && were_sums_shown_since(regions, file.since_ms);
        place_region(refreshing, &member, false);
        return;
    }
    notice_found(refreshing, &file.name, was_unknown ? file.since_ms : 0);
    file.is_unknown = may_be_region(&refreshing->look);
    file.is_given_up = refreshing->look.has_faulted;
    if (!is_file_gone(&refreshing->look))
        add_unattached(refreshing, &file);
}

/*
 * Tries to attach files that were not seen before, up to PRFDATA_REGIONS_TRIES, taking the oldest
 * and the youngest alternately.
 */
static void attach_new(struct refreshing *refreshing)
{
    const size_t count = refreshing->new_count;

    for (size_t i = 0; i < count && i < PRFDATA_REGIONS_TRIES; i++)
        attach_candidate(refreshing, &refreshing->candidates[i % 2 ? count - 1 - i / 2 : i / 2]);
    refreshing->set->has_more |= count > PRFDATA_REGIONS_TRIES;
}

/*
 * Tries to attach files that were tried before. If there are more than PRFDATA_REGIONS_RETRIES, the
 * files take turns. What is known of the files that have to wait stays unchanged.
 */
static void attach_known(struct refreshing *refreshing)
{
    const size_t count = refreshing->known_count;
    const bool takes_turns = count > PRFDATA_REGIONS_RETRIES;
    const size_t first = takes_turns ? refreshing->old->turn % count : 0;
    const prfdata_unattached *known = refreshing->candidates + refreshing->candidate_capacity;

    refreshing->set->turn = takes_turns ? (uint32_t)((first + PRFDATA_REGIONS_RETRIES) % count) : 0;
    for (size_t i = 0; i < count; i++) {
        const prfdata_unattached *file = known - 1 - (first + i) % count;

        if (i < PRFDATA_REGIONS_RETRIES)
            attach_candidate(refreshing, file);
        else
            add_unattached(refreshing, file);
    }
}

static void finish_set(struct refreshing *refreshing)
{
    prfdata_region_set *set = refreshing->set;

    for (uint32_t i = 0; i < refreshing->places.count; i++)
        set->members[set->count++] = refreshing->places.places[i].member;
    prfdata_regions_sort_set(set);
    set->began_ms = refreshing->old ? refreshing->old->began_ms : refreshing->now_ms;
    set->sums_wait_ms = set->some_unknown ? set->began_ms + grace_ms(refreshing->regions) : 0;
}

/* ---- The health of the service ---- */

/*
 * Counts one region for the health object. A region of a map that is no longer registered stays
 * attached, and readers that had read this map still show it. It counts as not shown, because
 * readers that begin now do not show it.
 */
static void count_region(struct refreshing *refreshing, const prfdata_member *member,
                         uint64_t *publishers, uint64_t *ended, uint64_t *dropped)
{
    const bool has_writer = member->writer == PRFDATA_MAPPING_WRITER_LIVES;
    const bool is_shown = prfdata_versions_find(refreshing->look.registered,
                                                member->mapping->version->model->hash) != NULL;
    const prfdata_region_header *header = &refreshing->look.header;
    bool is_published;

    *ended += !has_writer;
    if (!prfdata_mapping_load(&refreshing->look, member->mapping))
        return; /* its view faulted, which the next probe notices */
    is_published = has_writer && header->state == PRFDATA_REGION_PUBLISHED;
    *dropped += header->dropped;
    *publishers += is_published && is_shown;
    refreshing->unshown += is_published && !is_shown;
}

static void count_health(struct refreshing *refreshing)
{
    const prfdata_region_set *set = refreshing->set;
    prfdata_health *health = refreshing->regions->health;
    uint64_t publishers = 0;
    uint64_t ended = 0;
    uint64_t dropped = 0;
    uint64_t unreadable = 0;

    if (!refreshing->wants_health)
        return;
    for (uint32_t i = 0; i < set->unattached_count; i++)
        unreadable += set->unattached[i].is_unknown || set->unattached[i].is_given_up;
    for (uint32_t i = 0; i < set->count; i++)
        count_region(refreshing, &set->members[i], &publishers, &ended, &dropped);
    prfdata_health_set(health, PRFDATA_HEALTH_PUBLISHERS, publishers);
    prfdata_health_set(health, PRFDATA_HEALTH_ENDED, ended);
    prfdata_health_set(health, PRFDATA_HEALTH_UNREADABLE, unreadable + (set->has_more ? 1 : 0));
    prfdata_health_set(health, PRFDATA_HEALTH_UNSHOWN, refreshing->unshown);
    prfdata_health_set(health, PRFDATA_HEALTH_DROPPED, dropped);
}

/* ---- The whole refresh ---- */

/*
 * Asks the system which boot this is. Each refresh asks again until the system has answered once.
 * The first thread may impersonate a client that is not allowed to ask, and without the answer no
 * region would be accepted.
 */
static uint64_t learn_boot(prfdata_regions *regions)
{
    uint64_t boot = prfdata_load64_relaxed(&regions->boot);

    if (boot == 0) {
        boot = prfdata_os_boot();
        prfdata_store64_relaxed(&regions->boot, boot);
    }
    return boot;
}

/* Returns false if the folder cannot be listed, or memory is exhausted. */
static bool list_folder(struct refreshing *refreshing)
{
    const uint64_t first = refreshing->old ? refreshing->old->position : 0;

    refreshing->position = first;
    refreshing->names = malloc(PRFDATA_MAX_REGION_FILES * sizeof *refreshing->names);
    if (!refreshing->names ||
        prfdata_os_directory_list_part(refreshing->look.directory, refreshing->look.boot,
                                       &refreshing->position, refreshing->names,
                                       PRFDATA_MAX_REGION_FILES, &refreshing->name_count))
        return false;
    refreshing->lists_all = first == 0 && refreshing->position == 0;
    return true;
}

/* Whether the old set has a member with this name that stays. */
static bool has_kept(const struct refreshing *refreshing, const prfdata_os_name *name)
{
    const prfdata_member *found = prfdata_regions_find_member(refreshing->old, name);

    return found && refreshing->kept[found - refreshing->old->members];
}

/*
 * Adds a file that is not a member. One that faulted or became invalid is only remembered.
 *
 * before  What the earlier set knows of it; NULL: the file is new.
 */
static void add_candidate(struct refreshing *refreshing, const prfdata_os_name *name,
                          const prfdata_unattached *before)
{
    const prfdata_member *member = prfdata_regions_find_member(refreshing->old, name);
    prfdata_unattached file = {.name = *name, .since_ms = refreshing->now_ms};

    if (before)
        file = *before;
    file.is_given_up |= member && is_broken(member->mapping);
    if (file.is_given_up)
        add_unattached(refreshing, &file);
    else if (before)
        refreshing->candidates[refreshing->candidate_capacity - ++refreshing->known_count] = file;
    else
        refreshing->candidates[refreshing->new_count++] = file;
}

/*
 * Finds the candidates: the files that were listed and, if not all were listed, the known files in
 * other parts of the folder. Remembers at most twice as many files as one listing can have.
 */
static void find_candidates(struct refreshing *refreshing)
{
    const prfdata_region_set *old = refreshing->old;

    for (size_t i = 0; i < refreshing->name_count; i++)
        if (!has_kept(refreshing, &refreshing->names[i]))
            add_candidate(refreshing, &refreshing->names[i],
                          prfdata_regions_find_unattached(old, &refreshing->names[i]));
    if (refreshing->lists_all)
        return;
    for (uint32_t i = 0; old && i < old->unattached_count; i++)
        if (refreshing->new_count + refreshing->known_count + refreshing->set->unattached_count <
                2 * PRFDATA_MAX_REGION_FILES &&
            !is_listed(refreshing, &old->unattached[i].name))
            add_candidate(refreshing, &old->unattached[i].name, &old->unattached[i]);
}

static bool make_room(struct refreshing *refreshing)
{
    const prfdata_region_set *old = refreshing->old;

    refreshing->candidate_capacity =
        refreshing->name_count + (old && !refreshing->lists_all ? old->unattached_count : 0);
    refreshing->candidates =
        malloc((refreshing->candidate_capacity + 1) * sizeof *refreshing->candidates);
    refreshing->kept = calloc((old ? old->count : 0) + 1u, sizeof *refreshing->kept);
    /* members may lose their places, too */
    refreshing->unattached_capacity = refreshing->candidate_capacity + PRFDATA_MAX_REGIONS;
    refreshing->set = prfdata_regions_make_set(refreshing->unattached_capacity);
    return prfdata_region_places_init(
               &refreshing->places, PRFDATA_MAX_REGIONS,
               prfdata_load64_relaxed(&refreshing->regions->max_views_bytes)) &&
           refreshing->candidates && refreshing->kept && refreshing->set;
}

static void notice_names(const struct refreshing *refreshing)
{
    static_assert(PRFDATA_MAX_REGION_FILES == 16384, "the limit in words");
    if (!refreshing->lists_all)
        notice_too_many(refreshing->regions, L"16,384");
}

/* Fills the set from the files that were listed. */
static void fill_set(struct refreshing *refreshing)
{
    refreshing->set->position = refreshing->position;
    refreshing->set->has_more = !refreshing->lists_all;
    keep_members(refreshing);
    find_candidates(refreshing);
    attach_new(refreshing);
    attach_known(refreshing);
    notice_names(refreshing);
    notice_losers(refreshing);
    finish_set(refreshing);
}

/*
 * Makes a set from the files in the folder. Returns NULL if they cannot be listed or memory is
 * exhausted.
 */
static prfdata_region_set *make_new_set(struct refreshing *refreshing)
{
    if (list_folder(refreshing)) {
        PRFDATA_CRASH_POINT("refresh: listed");
        if (make_room(refreshing)) {
            fill_set(refreshing);
            count_health(refreshing);
        } else {
            free(refreshing->set);
            refreshing->set = NULL;
        }
    }
    prfdata_region_places_done(&refreshing->places);
    free(refreshing->candidates);
    free(refreshing->kept);
    free(refreshing->names);
    return refreshing->set;
}

static void notice_closed_folder(struct refreshing *refreshing, uint32_t error)
{
    prfdata_regions *regions = refreshing->regions;

    refreshing->is_refused = error == ERROR_SHARING_VIOLATION;
    if (!refreshing->is_refused ||
        is_refused_still(refreshing, prfdata_load64_relaxed(&regions->refused_ms)))
        prfdata_events_notice(regions->events, PRFDATA_EVENT_FOLDER_CLOSED, L"", error);
}

/* Returns NULL if there is no new set. */
static prfdata_region_set *make_set_of_folder(struct refreshing *refreshing)
{
    prfdata_regions *regions = refreshing->regions;
    prfdata_region_set *set;
    uint32_t error;

    refreshing->look.boot = learn_boot(regions);
    if (refreshing->look.boot == 0)
        return NULL; /* no file can be recognised as created since Windows started */
    refreshing->now_ms = prfdata_os_milliseconds();
    error = prfdata_os_directory_open(regions->service, &refreshing->look.directory);
    if (error) {
        notice_closed_folder(refreshing, error);
        return NULL;
    }
    set = make_new_set(refreshing);
    prfdata_os_directory_close(refreshing->look.directory);
    PRFDATA_CRASH_POINT("refresh: asked");
    return set;
}

/*
 * Records whether the system refused something. If two threads record this at once, either result
 * is correct.
 */
static void note_refusal(const struct refreshing *refreshing)
{
    uint64_t *refused_ms = &refreshing->regions->refused_ms;

    if (!refreshing->is_refused)
        prfdata_store64_relaxed(refused_ms, 0);
    else if (prfdata_load64_relaxed(refused_ms) == 0)
        prfdata_store64_relaxed(refused_ms, refreshing->now_ms | (refreshing->now_ms == 0));
}

prfdata_region_set *prfdata_refresh_make(prfdata_regions *regions,
                                         const prfdata_versions *registered,
                                         const prfdata_region_set *old)
{
    struct refreshing refreshing = {0};
    prfdata_region_set *set;

    refreshing.regions = regions;
    refreshing.old = old;
    refreshing.look.registered = registered;
    refreshing.look.regions = regions;
    prfdata_health_want(regions->health, registered->items[0]->model);
    refreshing.wants_health = prfdata_health_is_wanted(regions->health);
    set = make_set_of_folder(&refreshing);
    note_refusal(&refreshing);
    if (!set)
        prfdata_health_set(regions->health, PRFDATA_HEALTH_UNREADABLE, 1);
    return set;
}
