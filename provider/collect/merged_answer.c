/* SPDX-License-Identifier: MIT */
/*
 * Answers a Collect by merging: takes snapshots of all regions, merges them, adds the values that
 * the carry (merge/carry.h) remembers, and writes the reply. result.h says when the result is
 * stale.
 */
#include "collect/merged_answer.h"

#include <stdlib.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "collect/new_plans.h"
#include "system/shares.h"

static uint32_t region_count_of(const prfdata_collect_request *request)
{
    return request->basis->set ? request->basis->set->count : 0;
}

static void notice_account(const prfdata_collect_request *request,
                           const prfdata_os_account *account)
{
    char text[PRFDATA_OS_ACCOUNT_CHARS];

    prfdata_os_account_write(account, text);
    prfdata_events_notice_ascii(&request->provider->events, PRFDATA_EVENT_SHARE_USED_UP, text, 0);
}

static void notice_contents(const prfdata_collect_request *request, const prfdata_mapping *mapping,
                            const prfdata_snapshot *snapshot)
{
    if (snapshot->torn_count > 0)
        prfdata_events_notice(&request->provider->events, PRFDATA_EVENT_TORN, L"", 0);
    if (snapshot->left_out > 0)
        prfdata_events_notice(&request->provider->events, PRFDATA_EVENT_EARLIER_LEFT_OUT,
                              request->merge.model->objects[snapshot->left_out - 1].entry->name, 0);
    if (snapshot->dropped > 0 && snapshot->is_live)
        prfdata_events_notice_ascii(&request->provider->events, PRFDATA_EVENT_PUBLISHER_FULL,
                                    mapping->name.text, 0);
}

/*
 * Records that a region was not read, or not completely. Its contributors may be missing from this
 * merge only for that reason, so the carry must not forget them.
 */
static void add_unread(prfdata_merge *merge, const prfdata_member *member)
{
    merge->unread[merge->unread_count++] = member->mapping->id;
}

/*
 * Puts the snapshot at the position of its region in the set, because regions may be read in
 * another order.
 */
static void add_snapshot(prfdata_collect_request *request, const prfdata_member *member,
                         prfdata_snapshot *snapshot)
{
    request->merge.snapshots[member - request->basis->set->members] = snapshot;
    if (snapshot->lacks_slots || snapshot->left_out > 0)
        add_unread(&request->merge, member);
    request->torn_count += snapshot->torn_count;
    notice_contents(request, member->mapping, snapshot);
}

/*
 * Whether this installation can show a region. `projection` gets the projection that its snapshots
 * need.
 */
static bool is_showable(const prfdata_collect_request *request, const prfdata_mapping *mapping,
                        const prfdata_projection **projection)
{
    return !prfdata_load32_relaxed(&mapping->is_broken) &&
           prfdata_installation_shape_of(request->basis->installation, mapping, projection);
}

/* Orders regions by the time when this reader first found their programs running, then by age. */
static int compare_members(const void *a, const void *b)
{
    const prfdata_member *one = *(const prfdata_member *const *)a;
    const prfdata_member *other = *(const prfdata_member *const *)b;

    if (one->since_ms != other->since_ms)
        return one->since_ms < other->since_ms ? -1 : 1;
    return one < other ? -1 : one > other; /* a set has its members in the order of their age */
}

/*
 * A region needs a converted copy if its program has another version of the map. If `room` is not
 * enough for all these copies, divides it among the accounts, and sorts the regions. Programs that
 * this reader found earlier come first, so a program that starts takes no room from earlier
 * programs of its account. A region wants as much as all its slots need, so that shares do not
 * change while programs use more or fewer slots. Returns false if memory is exhausted.
 *
 * room     The bytes for all converted copies.
 * members  The regions in the order of the set; sorted if there is not enough for all copies.
 * shares   Gets each account's share; no items if there is enough for all copies, or only one
 *          account.
 */
static bool share_copies(const prfdata_collect_request *request, uint64_t room,
                         const prfdata_member **members, prfdata_shares *shares)
{
    const uint32_t count = region_count_of(request);

    if (!prfdata_shares_init(shares, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const prfdata_mapping *mapping = members[i]->mapping;
        const prfdata_projection *projection;

        /* regions of ended programs are summarised, not copied */
        if (members[i]->writer != PRFDATA_MAPPING_WRITER_NONE &&
            is_showable(request, mapping, &projection) && projection)
            prfdata_shares_want(shares, &mapping->view.account,
                                prfdata_projection_most_bytes(projection, mapping->layout));
    }
    if (prfdata_shares_wanted(shares) > room)
        qsort(members, count, sizeof *members, compare_members);
    if (!prfdata_shares_divide(shares, room))
        shares->count = 0;
    return true;
}

/*
 * Reads a region. If the accounts share the memory for converted copies, the region may take only
 * what is left of its account's share.
 */
static prfdata_result read_region(const prfdata_collect_request *request,
                                  const prfdata_member *member,
                                  const prfdata_projection *projection,
                                  const prfdata_shares *shares, prfdata_snapshot_reading *reading,
                                  prfdata_snapshot **snapshot)
{
    const prfdata_os_account *account = &member->mapping->view.account;
    uint64_t *left = projection ? prfdata_shares_left(shares, account) : NULL;
    prfdata_result result;

    if (left)
        reading->other_bytes = *left;
    result = prfdata_member_snapshot(member, projection, request->wanted, request->is_last_attempt,
                                     reading, snapshot);
    if (left)
        *left = reading->other_bytes;
    if (left && result == PRFDATA_DONE && (*snapshot)->left_out > 0)
        notice_account(request, account);
    return result;
}

/*
 * Adds a region's snapshot. Leaves out a region that cannot be read; the carry then adds the values
 * that this reader has shown of it. Returns PRFDATA_STALE or PRFDATA_NO_MEMORY if this attempt must
 * end, otherwise PRFDATA_DONE.
 */
static prfdata_result take_snapshot(prfdata_collect_request *request, const prfdata_member *member,
                                    const prfdata_shares *shares, prfdata_snapshot_reading *reading)
{
    const prfdata_projection *projection;
    prfdata_snapshot *snapshot;
    prfdata_result result;

    if (!is_showable(request, member->mapping, &projection)) {
        add_unread(&request->merge, member);
        return PRFDATA_DONE;
    }
    result = read_region(request, member, projection, shares, reading, &snapshot);
    if (result == PRFDATA_DONE) {
        add_snapshot(request, member, snapshot);
        return PRFDATA_DONE;
    }
    if (result == PRFDATA_STALE)
        return result;
    add_unread(&request->merge, member);
    prfdata_health_add(&request->provider->health, PRFDATA_HEALTH_BROKEN,
                       result == PRFDATA_FAULTED || result == PRFDATA_INVALID);
    return result == PRFDATA_NO_MEMORY ? result : PRFDATA_DONE;
}

static void close_gaps(prfdata_merge *merge, uint32_t place_count)
{
    for (uint32_t i = 0; i < place_count; i++)
        if (merge->snapshots[i])
            merge->snapshots[merge->region_count++] = merge->snapshots[i];
}

static prfdata_result take_in_order(prfdata_collect_request *request,
                                    const prfdata_member **members, prfdata_shares *shares,
                                    prfdata_snapshot_reading *reading)
{
    prfdata_result result = PRFDATA_DONE;

    for (uint32_t i = 0; i < region_count_of(request); i++)
        members[i] = &request->basis->set->members[i];
    if (request->basis->installation->projection_count > 0 &&
        !share_copies(request, reading->other_bytes, members, shares))
        return PRFDATA_NO_MEMORY;
    for (uint32_t i = 0; i < region_count_of(request) && result == PRFDATA_DONE; i++)
        result = take_snapshot(request, members[i], shares, reading);
    close_gaps(&request->merge, region_count_of(request));
    return result;
}

static prfdata_result take_snapshots(prfdata_collect_request *request)
{
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();
    const prfdata_member **members = malloc((region_count_of(request) + 1u) * sizeof *members);
    prfdata_shares shares = {0};
    prfdata_result result = PRFDATA_NO_MEMORY;

    if (members)
        result = take_in_order(request, members, &shares, &reading);
    prfdata_shares_free(&shares);
    free(members);
    prfdata_health_add(&request->provider->health, PRFDATA_HEALTH_BRACKET_TRIES, reading.tries);
    if (result == PRFDATA_DONE && !request->is_last_attempt &&
        !prfdata_basis_is_newest(request->provider, request->basis))
        return PRFDATA_STALE;
    return result;
}

static void drop_merge(prfdata_merge *merge)
{
    prfdata_merge_free(merge); /* before the snapshots, whose names it borrows */
    for (uint32_t i = 0; i < merge->region_count; i++)
        prfdata_mapping_release_snapshot(merge->snapshots[i]);
    free(merge->snapshots);
    free(merge->unread);
}

static void notice_too_many(const prfdata_collect_request *request,
                            const prfdata_merge_object *object)
{
    prfdata_events_notice(&request->provider->events, PRFDATA_EVENT_TOO_LARGE,
                          object->model_object->entry->name, 0);
    if (object->largest_account)
        notice_account(request, object->largest_account);
}

static void count_left_out(prfdata_collect_request *request)
{
    const prfdata_merge *merge = &request->merge;

    for (uint32_t i = 0; i < merge->model->object_count; i++) {
        const uint64_t left_out = merge->objects[i].too_many;

        prfdata_health_add(&request->provider->health, PRFDATA_HEALTH_TOO_MANY, left_out);
        if (left_out > 0)
            notice_too_many(request, &merge->objects[i]);
    }
}

static bool allocate_arrays(prfdata_merge *merge, uint32_t count)
{
    merge->snapshots = calloc(count + 1u, sizeof(prfdata_snapshot *));
    merge->unread = calloc(count + 1u, sizeof *merge->unread);
    return merge->snapshots && merge->unread;
}

/*
 * Returns PRFDATA_STALE if another thread has already shown newer values of programs with brackets.
 * The carry raised these values to what that thread showed, but the other values of this reply are
 * older. So values that change together in a bracket may not match. The last attempt is shown
 * nevertheless, and counts as torn.
 */
static prfdata_result check_newer(prfdata_collect_request *request)
{
    const uint32_t newer_count = request->merge.newer_count;

    if (newer_count == 0)
        return PRFDATA_DONE;
    if (!request->is_last_attempt)
        return PRFDATA_STALE;
    request->torn_count += newer_count;
    prfdata_events_notice(&request->provider->events, PRFDATA_EVENT_TORN, L"", 0);
    return PRFDATA_DONE;
}

static prfdata_result take_and_merge(prfdata_collect_request *request)
{
    const prfdata_installation *installation = request->basis->installation;
    prfdata_merge *merge = &request->merge;
    prfdata_result result;

    if (!allocate_arrays(merge, region_count_of(request)))
        return PRFDATA_NO_MEMORY;
    result = take_snapshots(request);
    if (result == PRFDATA_DONE)
        result = prfdata_merge_make(merge);
    PRFDATA_CRASH_POINT("R: merged");
    if (result == PRFDATA_DONE)
        result = prfdata_carry_apply(&request->provider->carry, installation->first_basis,
                                     installation->lineage, merge);
    if (result == PRFDATA_DONE)
        result = check_newer(request);
    if (result == PRFDATA_DONE)
        count_left_out(request);
    return result;
}

/*
 * Whether no totals can be shown. They would wrongly be 0 if the folder was never read, or if no
 * region can be read although the folder may have some. They would be too low if the reader has
 * just begun and some regions cannot be checked yet.
 */
static bool totals_are_unknown(const prfdata_collect_request *request)
{
    const prfdata_region_set *set = request->basis->set;

    return !set || (set->totals_wait_ms > 0 && prfdata_os_milliseconds() < set->totals_wait_ms) ||
           (request->merge.region_count == 0 && set->some_unknown);
}

/*
 * First tells the carry that the merge begins, so that the carry forgets nothing that this Collect
 * may see. Then takes the newest basis, because an older one may have regions that the carry has
 * already forgotten (prfdata_basis_follow()).
 */
static prfdata_result merge_newest_basis(prfdata_collect_request *request)
{
    prfdata_carry *carry = &request->provider->carry;
    prfdata_result result = PRFDATA_STALE;

    prfdata_carry_begin(carry, &request->merge);
    if (prfdata_basis_follow(request->provider, &request->basis))
        result = take_and_merge(request);
    prfdata_carry_end(carry, &request->merge);
    request->merge.totals_unknown = totals_are_unknown(request);
    return result;
}

/* Writes the wanted objects. The caller has made sure that they fit. */
static void put_objects(prfdata_collect_request *request)
{
    prfdata_perf_block *block = &request->block;
    /*
     * PerfTime is taken after all values were read, because a start time later than PerfTime would
     * show as an elapsed time of centuries.
     */
    const uint64_t perf_time = prfdata_request_stamp(request);

    for (uint32_t i = 0; i < request->merge.model->object_count; i++) {
        const size_t offset = block->used;

        if (!prfdata_reply_put_object(&request->merge, i, block))
            continue;
        prfdata_request_complete(request, i, perf_time, block->bytes + offset);
        request->object_count++;
    }
}

static void remember_shown_totals(const prfdata_collect_request *request)
{
    prfdata_store64_relaxed(&request->provider->regions.totals_shown_ms, prfdata_os_milliseconds());
}

/*
 * Writes to the caller's buffer while no lock is held, because writing may fault. If the caller
 * handled the fault, a held lock would never be released.
 */
static prfdata_result put_answer(prfdata_collect_request *request)
{
    const uint8_t *bytes = request->block.bytes;

    if (prfdata_reply_bytes(&request->merge) > request->block.capacity) {
        prfdata_new_plans_make(request, NULL);
        return PRFDATA_NO_ROOM;
    }
    put_objects(request);
    prfdata_new_plans_make(request, bytes);
    if (!request->metadata && !request->merge.totals_unknown)
        remember_shown_totals(request);
    return PRFDATA_DONE;
}

prfdata_result prfdata_merged_answer_put(prfdata_collect_request *request)
{
    const prfdata_installation *installation = request->basis->installation;
    prfdata_result result = PRFDATA_DONE;

    request->object_count = 0;
    request->merge = (prfdata_merge){
        .model = installation->model,
        .wanted = request->wanted,
        .templates = installation->templates,
        .metadata = request->metadata,
        .seed = request->provider->carry.seed,
        .rows_bytes_left = PRFDATA_MERGE_MOST_ROWS_BYTES,
    };
    if (!request->metadata)
        result = merge_newest_basis(request);
    if (result == PRFDATA_DONE)
        result = put_answer(request);
    drop_merge(&request->merge);
    return result;
}
