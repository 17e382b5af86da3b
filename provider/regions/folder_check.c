/* SPDX-License-Identifier: MIT */
/*
 * Makes a set of regions from the files in the folder: keeps the attached regions, attaches new
 * ones, and asks the system whether each has a writer. mapping.c maps and probes a file. These
 * words say what is known of a file:
 *
 *   attached    it is mapped, and is a member of the set
 *   late        it is attached, but was still unknown when totals were shown after its grace time
 *   broken      it is attached, but it faulted or became invalid; a refresh drops it
 *   given up    it faulted or became invalid, so it is never attached again
 *   unattached  it is not a member: it is given up, unknown or not a region, or it has no place
 *   unknown     it could not be read, or there was no room for its view, so totals may lack it;
 *               later refreshes try again
 *   refused     the system did not open it for now (os.h, "Refusals")
 *   suspect     it has a writer, but is empty, too large or not a plain file; a refresh remembers
 *               its first suspect, and the next refresh reports the file if it is still unusable
 */
#include "regions/folder_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "base/wide_format.h"
#include "regions/region_places.h"

struct folder_check {
    prfdata_mapping_look look;
    const prfdata_region_set *old; /* the set to start from; NULL: there is none */
    prfdata_region_set *set;
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
    char loser[PRFDATA_OS_ACCOUNT_CHARS]; /* account of the first region without a place, or "" */
    bool wants_health;
    uint64_t unshown; /* number of running programs whose region is not shown */
    bool is_refused;  /* the system refused the folder or a file for now: os.h, "Refusals" */
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
    /* ERROR_INVALID_DATA: not a plain file, empty, or larger than PRFDATA_REGIONS_MOST_BYTES */
    if (look->error)
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
 * file becomes the suspect. One refresh proves nothing, because a program may be creating the file
 * at this moment.
 */
static bool is_unusable_still(const struct folder_check *check, const prfdata_os_name *name)
{
    if (!check->set->suspect.text[0])
        check->set->suspect = *name;
    return check->old && !strcmp(check->old->suspect.text, name->text);
}

/*
 * Counts a program that is not shown, and records an event about it. Only a file with a writer
 * counts, because a file without a writer belongs to no running program.
 */
static void notice_unshown(struct folder_check *check, const prfdata_os_name *name,
                           prfdata_event_id id)
{
    prfdata_events *events = check->look.regions->events;

    if (!(check->wants_health || prfdata_events_wants(events, id)) ||
        !has_owner(check->look.directory, name))
        return;
    check->unshown++;
    if (id != PRFDATA_EVENT_REGION_UNUSABLE || is_unusable_still(check, name))
        prfdata_events_notice_ascii(events, id, name->text, 0);
}

/*
 * Whether a file or the folder has been refused for at least refresh_ms. A virus scanner keeps a
 * file open for a shorter time.
 */
static bool is_refused_still(const struct folder_check *check, uint64_t since_ms)
{
    return since_ms != 0 && check->now_ms - since_ms >= check->look.regions->refresh_ms;
}

/* `since_ms`: since when the file has been unknown; 0: it was not unknown before. */
static void notice_found(struct folder_check *check, const prfdata_os_name *name, uint64_t since_ms)
{
    const prfdata_mapping_look *look = &check->look;
    const uint32_t id = event_of(look);

    if (look->has_faulted)
        prfdata_regions_notice_fault(check->look.regions, name);
    else if (look->error == ERROR_ACCESS_DENIED ||
             (look->error == ERROR_SHARING_VIOLATION && is_refused_still(check, since_ms)))
        prfdata_events_notice_ascii(check->look.regions->events, PRFDATA_EVENT_REGION_DENIED,
                                    name->text, look->error);
    else if (id != 0)
        notice_unshown(check, name, (prfdata_event_id)id);
}

/* ---- Checking the files ---- */

/*
 * Asks whether a region has a writer.
 *
 * before  What was known of the region; NULL: nothing.
 * member  Gets what is known of the region now.
 *
 * Returns false if the file no longer exists.
 */
static bool ask_for_writer(struct folder_check *check, prfdata_mapping *mapping,
                           const prfdata_member *before, prfdata_member *member)
{
    const bool was_owned = before && before->writer == PRFDATA_MAPPING_WRITER_LIVES;
    const prfdata_mapping_writer writer = prfdata_mapping_ask(&check->look, mapping, was_owned);

    check->is_refused |= check->look.is_refused;
    if (writer == PRFDATA_MAPPING_IS_GONE)
        return false;
    *member =
        prfdata_member_learn(before, mapping, writer, check->look.header.structure, check->now_ms);
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

/* Updates what is known of a member. Returns false if it is broken or its file no longer exists. */
static bool keep_member(struct folder_check *check, const prfdata_member *before,
                        prfdata_member *member)
{
    prfdata_mapping *mapping = before->mapping;

    if (is_broken(mapping) || !ask_for_writer(check, mapping, before, member))
        return false;
    if (is_broken(mapping)) {
        prfdata_regions_notice_fault(check->look.regions, &mapping->name);
        return false;
    }
    if (before->writer != PRFDATA_MAPPING_WRITER_LIVES &&
        member->writer == PRFDATA_MAPPING_WRITER_LIVES)
        prfdata_mapping_drop_summary(mapping);
    return true;
}

static void add_unattached(const struct folder_check *check, const prfdata_unattached *file)
{
    prfdata_region_set *set = check->set;

    if (set->unattached_count == check->unattached_capacity)
        return; /* the next refresh finds it again */
    set->unattached[set->unattached_count++] = *file;
    set->some_unknown |= file->is_unknown;
}

static void notice_too_many(prfdata_regions *regions, const wchar_t *how_many)
{
    prfdata_events_notice(regions->events, PRFDATA_EVENT_TOO_MANY_REGIONS, how_many, 0);
}

/* The detail of the event is the limit in words, such as "256 MiB of". */
static void notice_too_large(prfdata_regions *regions)
{
    const unsigned mib = (unsigned)(prfdata_load64_relaxed(&regions->max_views_bytes) >> 20);
    wchar_t words[32];

    if (prfdata_wide_format(words, sizeof words / sizeof words[0], L"%u MiB of", mib) > 0)
        notice_too_many(regions, words);
}

/* Whether a file that could not be attached may be a region. */
static bool may_be_region(const prfdata_mapping_look *look)
{
    if (look->error)
        return look->error != ERROR_FILE_NOT_FOUND && look->error != ERROR_INVALID_DATA;
    return look->has_faulted || look->verdict == PRFDATA_REGION_NO_MEMORY;
}

static bool is_file_gone(const prfdata_mapping_look *look)
{
    return look->error == ERROR_FILE_NOT_FOUND;
}

/*
 * Whether a Collect has shown totals since the end of the grace time of a file. The grace time
 * (PRFDATA_REGIONS_GRACE_REFRESHES) begins when the file becomes unknown, at `since_ms`.
 */
static bool were_totals_shown_since(const prfdata_regions *regions, uint64_t since_ms)
{
    const uint64_t shown_ms = prfdata_load64_relaxed(&regions->totals_shown_ms);

    return shown_ms != 0 && shown_ms >= since_ms + grace_ms(regions);
}

/*
 * Attaches a file and asks whether it has a writer. If the file is replaced in between, tries
 * again, three times in all. Returns false if the file could not be attached; `look` says why.
 */
static bool attach_and_ask(struct folder_check *check, const prfdata_os_name *name,
                           prfdata_member *member)
{
    prfdata_mapping_look *look = &check->look;

    for (int attempt = 0; attempt < 3; attempt++) {
        prfdata_mapping *mapping = prfdata_mapping_make(look, name);

        if (!mapping) {
            check->is_refused |= look->is_refused;
            return false;
        }
        look->error = ERROR_SHARING_VIOLATION;
        if (ask_for_writer(check, mapping, NULL, member))
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

/* Frees a mapping if the old set does not have it. */
static void free_if_new(const struct folder_check *check, prfdata_mapping *mapping)
{
    const prfdata_member *before = prfdata_regions_find_member(check->old, &mapping->name);

    if (!before || before->mapping != mapping)
        prfdata_mapping_free(mapping);
}

/* Called for a region that gets no place or loses its place. */
static void lose_region(void *context, const prfdata_member *member)
{
    struct folder_check *check = context;
    const prfdata_unattached *before =
        prfdata_regions_find_unattached(check->old, &member->mapping->name);
    const prfdata_unattached lost = {
        .name = member->mapping->name,
        .since_ms = before && before->is_unknown ? before->since_ms : check->now_ms,
        /* The region is unknown only if the views of all regions are too large together. If there
         * are too many regions, only an event says that some are missing. */
        .is_unknown = check->places.count < check->places.max_count,
    };

    if (!check->loser[0])
        prfdata_os_account_write(&member->mapping->view.account, check->loser);
    check->set->has_more = true;
    add_unattached(check, &lost);
    free_if_new(check, member->mapping);
}

/* `was_shown`: whether this reader has shown the region before. */
static void place_region(struct folder_check *check, const prfdata_member *member, bool was_shown)
{
    const bool is_kept = was_shown && member->writer == PRFDATA_MAPPING_WRITER_LIVES;

    if (!prfdata_region_places_add(&check->places, member, is_kept, lose_region, check))
        lose_region(check, member);
}

static void notice_losers(const struct folder_check *check)
{
    prfdata_regions *regions = check->look.regions;

    static_assert(PRFDATA_MAX_REGIONS == 1024, "the limit in words");
    if (!check->loser[0])
        return;
    if (prfdata_region_places_are_shared(&check->places))
        prfdata_events_notice_ascii(regions->events, PRFDATA_EVENT_SHARE_USED_UP, check->loser, 0);
    else if (check->places.count == check->places.max_count)
        notice_too_many(regions, L"1,024");
    else
        notice_too_large(regions);
}

static int name_order(const void *a, const void *b)
{
    return strcmp(((const prfdata_os_name *)a)->text, ((const prfdata_os_name *)b)->text);
}

static bool is_listed(const struct folder_check *check, const prfdata_os_name *name)
{
    return bsearch(name, check->names, check->name_count, sizeof check->names[0], name_order);
}

/* Checks each member by its name, because an incomplete listing may lack its file. If a complete
 * listing lacks the file, the member is gone. */
static void keep_members(struct folder_check *check)
{
    const prfdata_region_set *old = check->old;

    for (uint32_t i = 0; old && i < old->count; i++) {
        const prfdata_member *before = &old->members[i];
        const bool is_gone = check->lists_all && !is_listed(check, &before->mapping->name);
        prfdata_member member;

        check->kept[i] = !is_gone && keep_member(check, before, &member);
        if (check->kept[i])
            place_region(check, &member, true);
    }
}

/* ---- New regions ---- */

/* Tries to attach a file. If that fails and the file still exists, remembers it. */
static void attach_candidate(struct folder_check *check, const prfdata_unattached *candidate)
{
    prfdata_regions *regions = check->look.regions;
    const bool was_unknown = candidate->is_unknown;
    prfdata_unattached file = *candidate;
    prfdata_member member = {0};

    if (!was_unknown)
        file.since_ms = check->now_ms;
    if (attach_and_ask(check, &file.name, &member)) {
        member.mapping->is_late = was_unknown && were_totals_shown_since(regions, file.since_ms);
        place_region(check, &member, false);
        return;
    }
    notice_found(check, &file.name, was_unknown ? file.since_ms : 0);
    file.is_unknown = may_be_region(&check->look);
    file.is_given_up = check->look.has_faulted;
    if (!is_file_gone(&check->look))
        add_unattached(check, &file);
}

/*
 * Tries to attach at most PRFDATA_REGIONS_TRIES files that were not tried before. Takes the oldest
 * and the youngest alternately.
 */
static void attach_new(struct folder_check *check)
{
    const size_t count = check->new_count;

    for (size_t i = 0; i < count && i < PRFDATA_REGIONS_TRIES; i++)
        attach_candidate(check, &check->candidates[i % 2 ? count - 1 - i / 2 : i / 2]);
    check->set->has_more |= count > PRFDATA_REGIONS_TRIES;
}

/*
 * Tries to attach files that were tried before. If there are more than PRFDATA_REGIONS_RETRIES, the
 * files take turns.
 */
static void attach_known(struct folder_check *check)
{
    const size_t count = check->known_count;
    const bool takes_turns = count > PRFDATA_REGIONS_RETRIES;
    const size_t first = takes_turns ? check->old->turn % count : 0;
    const prfdata_unattached *known = check->candidates + check->candidate_capacity;

    check->set->turn = takes_turns ? (uint32_t)((first + PRFDATA_REGIONS_RETRIES) % count) : 0;
    for (size_t i = 0; i < count; i++) {
        const prfdata_unattached *file = known - 1 - (first + i) % count;

        if (i < PRFDATA_REGIONS_RETRIES)
            attach_candidate(check, file);
        else
            add_unattached(check, file);
    }
}

static void finish_set(struct folder_check *check)
{
    prfdata_region_set *set = check->set;

    for (uint32_t i = 0; i < check->places.count; i++)
        set->members[set->count++] = check->places.places[i].member;
    prfdata_regions_sort_set(set);
    set->began_ms = check->old ? check->old->began_ms : check->now_ms;
    set->totals_wait_ms = set->some_unknown ? set->began_ms + grace_ms(check->look.regions) : 0;
}

/* ---- The health of the service ---- */

/*
 * Counts one region for the health object. A region whose map is no longer registered counts as not
 * shown, because readers that begin now do not show it.
 */
static void count_region(struct folder_check *check, const prfdata_member *member,
                         uint64_t *publishers, uint64_t *ended, uint64_t *dropped)
{
    const bool has_writer = member->writer == PRFDATA_MAPPING_WRITER_LIVES;
    const bool is_shown = prfdata_versions_find(check->look.registered,
                                                member->mapping->version->model->hash) != NULL;
    const prfdata_region_header *header = &check->look.header;
    bool is_published;

    *ended += !has_writer;
    if (!prfdata_mapping_load(&check->look, member->mapping))
        return; /* its view faulted, which the next probe notices */
    is_published = has_writer && header->state == PRFDATA_REGION_PUBLISHED;
    *dropped += header->dropped;
    *publishers += is_published && is_shown;
    check->unshown += is_published && !is_shown;
}

/*
 * Sets the health numbers of a refresh. The number of dropped instances is only raised, because it
 * must not fall when a region leaves the set.
 */
static void count_health(struct folder_check *check)
{
    const prfdata_region_set *set = check->set;
    prfdata_health *health = check->look.regions->health;
    uint64_t publishers = 0;
    uint64_t ended = 0;
    uint64_t dropped = 0;
    uint64_t unreadable = 0;

    if (!check->wants_health)
        return;
    for (uint32_t i = 0; i < set->unattached_count; i++)
        unreadable += set->unattached[i].is_unknown || set->unattached[i].is_given_up;
    for (uint32_t i = 0; i < set->count; i++)
        count_region(check, &set->members[i], &publishers, &ended, &dropped);
    prfdata_health_set(health, PRFDATA_HEALTH_PUBLISHERS, publishers);
    prfdata_health_set(health, PRFDATA_HEALTH_ENDED, ended);
    prfdata_health_set(health, PRFDATA_HEALTH_UNREADABLE, unreadable + (set->has_more ? 1 : 0));
    prfdata_health_set(health, PRFDATA_HEALTH_UNSHOWN, check->unshown);
    prfdata_health_raise(health, PRFDATA_HEALTH_DROPPED, dropped);
}

/* ---- The whole check ---- */

/*
 * Asks the system which boot this is, unless the system has answered before. The system may refuse
 * to answer if the thread impersonates a client that is not allowed to ask. Returns false if the
 * boot is still not known.
 */
static bool learn_boot(prfdata_regions *regions)
{
    uint64_t boot = prfdata_load64_relaxed(&regions->boot);

    if (boot == 0) {
        boot = prfdata_os_boot();
        if (boot != 0) /* 0 must not replace an answer that another thread got */
            prfdata_store64_relaxed(&regions->boot, boot);
    }
    return boot != 0;
}

/* Returns false if the folder cannot be listed, or memory is exhausted. */
static bool list_folder(struct folder_check *check)
{
    const uint64_t first = check->old ? check->old->position : 0;

    check->position = first;
    check->names = malloc(PRFDATA_MAX_REGION_FILES * sizeof *check->names);
    if (!check->names ||
        prfdata_os_directory_list_part(
            check->look.directory, prfdata_load64_relaxed(&check->look.regions->boot),
            &check->position, check->names, PRFDATA_MAX_REGION_FILES, &check->name_count))
        return false;
    check->lists_all = first == 0 && check->position == 0;
    return true;
}

/* Whether the old set has a member with this name, and the member stays. */
static bool has_kept(const struct folder_check *check, const prfdata_os_name *name)
{
    const prfdata_member *found = prfdata_regions_find_member(check->old, name);

    return found && check->kept[found - check->old->members];
}

/*
 * Adds to the candidates a file that is not a member of the new set. A file that is given up is not
 * tried again, so it goes directly to the unattached files.
 *
 * before  The file's entry among the unattached files of the earlier set; NULL: none.
 */
static void add_candidate(struct folder_check *check, const prfdata_os_name *name,
                          const prfdata_unattached *before)
{
    const prfdata_member *member = prfdata_regions_find_member(check->old, name);
    prfdata_unattached file = {.name = *name, .since_ms = check->now_ms};

    if (before)
        file = *before;
    file.is_given_up |= member && is_broken(member->mapping);
    if (file.is_given_up)
        add_unattached(check, &file);
    else if (before)
        check->candidates[check->candidate_capacity - ++check->known_count] = file;
    else
        check->candidates[check->new_count++] = file;
}

/*
 * The candidates are the listed files, except the files of members that stay. If not all files were
 * listed, the unattached files that were not listed are candidates, too, up to the limit below.
 */
static void find_candidates(struct folder_check *check)
{
    const prfdata_region_set *old = check->old;

    for (size_t i = 0; i < check->name_count; i++)
        if (!has_kept(check, &check->names[i]))
            add_candidate(check, &check->names[i],
                          prfdata_regions_find_unattached(old, &check->names[i]));
    if (check->lists_all)
        return;
    for (uint32_t i = 0; old && i < old->unattached_count; i++)
        if (check->new_count + check->known_count + check->set->unattached_count <
                2 * PRFDATA_MAX_REGION_FILES &&
            !is_listed(check, &old->unattached[i].name))
            add_candidate(check, &old->unattached[i].name, &old->unattached[i]);
}

static bool allocate_arrays(struct folder_check *check)
{
    const prfdata_region_set *old = check->old;

    check->candidate_capacity =
        check->name_count + (old && !check->lists_all ? old->unattached_count : 0);
    check->candidates = malloc((check->candidate_capacity + 1) * sizeof *check->candidates);
    check->kept = calloc((old ? old->count : 0) + 1u, sizeof *check->kept);
    /* members that lose their places are added, too */
    check->unattached_capacity = check->candidate_capacity + PRFDATA_MAX_REGIONS;
    check->set = prfdata_regions_make_set(check->unattached_capacity);
    return prfdata_region_places_init(
               &check->places, PRFDATA_MAX_REGIONS,
               prfdata_load64_relaxed(&check->look.regions->max_views_bytes)) &&
           check->candidates && check->kept && check->set;
}

static void notice_names(const struct folder_check *check)
{
    static_assert(PRFDATA_MAX_REGION_FILES == 16384, "the limit in words");
    if (!check->lists_all)
        notice_too_many(check->look.regions, L"16,384");
}

static void fill_set(struct folder_check *check)
{
    check->set->position = check->position;
    check->set->has_more = !check->lists_all;
    keep_members(check);
    find_candidates(check);
    attach_new(check);
    attach_known(check);
    notice_names(check);
    notice_losers(check);
    finish_set(check);
}

/* Returns NULL if the files cannot be listed or memory is exhausted. */
static prfdata_region_set *make_new_set(struct folder_check *check)
{
    if (list_folder(check)) {
        PRFDATA_CRASH_POINT("refresh: listed");
        if (allocate_arrays(check)) {
            fill_set(check);
            count_health(check);
        } else {
            free(check->set);
            check->set = NULL;
        }
    }
    prfdata_region_places_done(&check->places);
    free(check->candidates);
    free(check->kept);
    free(check->names);
    return check->set;
}

static void notice_closed_folder(struct folder_check *check, uint32_t error)
{
    prfdata_regions *regions = check->look.regions;

    check->is_refused = error == ERROR_SHARING_VIOLATION;
    if (!check->is_refused || is_refused_still(check, prfdata_load64_relaxed(&regions->refused_ms)))
        prfdata_events_notice(regions->events, PRFDATA_EVENT_FOLDER_CLOSED, L"", error);
}

static prfdata_region_set *make_set_of_folder(struct folder_check *check)
{
    prfdata_regions *regions = check->look.regions;
    prfdata_region_set *set;
    uint32_t error;

    if (!learn_boot(regions))
        return NULL; /* no file can be recognised as created since Windows started */
    check->now_ms = prfdata_os_milliseconds();
    error = prfdata_os_directory_open(regions->service, &check->look.directory);
    if (error) {
        notice_closed_folder(check, error);
        return NULL;
    }
    set = make_new_set(check);
    prfdata_os_directory_close(check->look.directory);
    PRFDATA_CRASH_POINT("refresh: asked");
    return set;
}

/*
 * Records whether the system refused something. If two threads record this at the same time, either
 * result is correct.
 */
static void note_refusal(const struct folder_check *check)
{
    uint64_t *refused_ms = &check->look.regions->refused_ms;

    if (!check->is_refused)
        prfdata_store64_relaxed(refused_ms, 0);
    else if (prfdata_load64_relaxed(refused_ms) == 0)
        prfdata_store64_relaxed(refused_ms, check->now_ms | (check->now_ms == 0));
}

prfdata_region_set *prfdata_folder_check(prfdata_regions *regions,
                                         const prfdata_versions *registered,
                                         const prfdata_region_set *old)
{
    struct folder_check check = {0};
    prfdata_region_set *set;

    check.old = old;
    check.look.registered = registered;
    check.look.regions = regions;
    check.wants_health = prfdata_health_is_wanted(regions->health);
    set = make_set_of_folder(&check);
    note_refusal(&check);
    if (!set)
        prfdata_health_set(regions->health, PRFDATA_HEALTH_UNREADABLE, 1);
    return set;
}
