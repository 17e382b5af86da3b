/* SPDX-License-Identifier: MIT */
/* Calls Collect with buffers of different sizes, at different places in memory. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Without -quick, replies up to this size are asked for with every capacity. */
#define SWEPT_WHOLLY 65536u

/*
 * The number of rounds before a mistake is reported. In fewer rounds, instances that come and go
 * could look like a mistake.
 */
#define DOUBT_ROUNDS     32
#define FILL_ROUNDS      20 /* the most tries until the compared replies have the same size */
#define LARGE_ROOM_BYTES (16u * 1024 * 1024)

/* ---- Sizes ---- */

/*
 * Ask the query one to four times, depending on the number of the round. Instances may come and go
 * in step with the calls; with a varying number of calls, each round finds another state. Returns
 * the bytes of the last reply; UINT32_MAX: unknown.
 */
static uint32_t ask_in_round(prfdata_check *check, const wchar_t *query, int round)
{
    uint32_t needed = 0;

    for (int ask = 0; ask <= round % 4; ask++) {
        prfdata_strict_result result;

        if (prfdata_check_ask(check, query, &result) != ERROR_SUCCESS || result.is_size_wrong)
            return UINT32_MAX;
        needed = (uint32_t)result.reply.size;
    }
    return needed;
}

/*
 * Returns whether Collect refuses a buffer in each of many rounds, although the replies before and
 * after would fit into it.
 *
 * capacity  The capacity of the buffer; 0: as many bytes as the reply before needs.
 * needed    Set to the bytes that the last reply needed.
 */
static bool is_refused_always(prfdata_check *check, const wchar_t *query, uint32_t capacity,
                              uint32_t *needed)
{
    for (int round = 0; round < DOUBT_ROUNDS; round++) {
        const uint32_t before = ask_in_round(check, query, round);
        const uint32_t room = capacity != 0 ? capacity : before;
        prfdata_strict_result result;

        if (before > room || before == 0 || before == UINT32_MAX ||
            prfdata_check_collect(&check->thread, &check->history, query, room,
                                  PRFDATA_PLACE_PATTERNS, 0, &result) != ERROR_MORE_DATA)
            return false;
        *needed = ask_in_round(check, query, 0);
        if (*needed > room)
            return false;
        check->thread.thread.query = query; /* the query to which the finding belongs */
        check->thread.thread.capacity = room;
    }
    return true;
}

/*
 * In many rounds, compare a reply in a small buffer with the reply to Global. Returns an object
 * that lacks instances in the small buffer; 0: in some round, no object lacks instances. If
 * instances only come and go, some round ends with ERROR_MORE_DATA or with the whole reply.
 */
static uint32_t find_cut_object(prfdata_check *check, const wchar_t *query, uint32_t capacity)
{
    prfdata_strict_result result;
    prfdata_reply_objects set;
    uint32_t title = 0;

    for (int round = 0; round < DOUBT_ROUNDS; round++) {
        for (int ask = 0; ask <= round % 4; ask++) /* asks as often as ask_in_round() does */
            prfdata_check_ask_global(check);
        if (check->needed <= capacity ||
            prfdata_check_collect(&check->thread, &check->history, query, capacity,
                                  PRFDATA_PLACE_PATTERNS, 0, &result) != ERROR_SUCCESS)
            return 0;
        prfdata_reply_objects_read(&result.reply, &set);
        title = prfdata_reply_objects_first_cut(&set, &check->global);
        if (title == 0)
            return 0;
    }
    return title;
}

static void validate_cut_instances(prfdata_check *check, const wchar_t *query, uint32_t capacity)
{
    const uint32_t title = check->is_cut ? 0 : find_cut_object(check, query, capacity);

    if (title == 0)
        return;
    check->is_cut = true;
    prfdata_check_find_object(&check->thread, PRFDATA_RULE_PARTIAL, "instances were left out",
                              title);
}

/* Check whether a reply is complete although its buffer was smaller than the last reply to Global.
 * The content of the reply was checked already. */
static void validate_small_success(prfdata_check *check, const wchar_t *query, uint32_t capacity,
                                   const prfdata_strict_result *result)
{
    prfdata_reply_objects set;
    uint32_t missing;

    prfdata_reply_objects_read(&result->reply, &set);
    if (prfdata_reply_objects_first_cut(&set, &check->global) != 0)
        validate_cut_instances(check, query, capacity);
    if (prfdata_reply_objects_first_missing(&check->global, &set) == 0)
        return;
    prfdata_check_ask_global(check);
    missing = prfdata_reply_objects_first_missing(&check->global, &set);
    if (missing == 0 || check->needed <= capacity)
        return; /* the objects have changed since the first comparison */
    check->thread.thread.query = query;
    check->thread.thread.capacity = capacity;
    prfdata_check_find_object(&check->thread, PRFDATA_RULE_PARTIAL, "the object was left out",
                              missing);
}

static void validate_refusal(prfdata_check *check, const wchar_t *query, uint32_t capacity)
{
    uint32_t needed = 0;

    if (check->is_refused || check->is_size_wrong ||
        !is_refused_always(check, query, capacity, &needed))
        return;
    check->is_refused = true;
    prfdata_check_find(&check->thread, PRFDATA_RULE_MORE_FITS,
                       "Collect returned ERROR_MORE_DATA although the reply needs only %u bytes",
                       needed);
}

static void take_with_capacity(prfdata_check *check, const wchar_t *query, uint32_t capacity,
                               prfdata_caller_place place, uint32_t shift)
{
    prfdata_strict_result result;
    uint32_t status = prfdata_check_collect(&check->thread, &check->history, query, capacity, place,
                                            shift, &result);

    if (status == ERROR_SUCCESS && capacity < check->needed)
        validate_small_success(check, query, capacity, &result);
    else if (status == ERROR_MORE_DATA && capacity >= check->needed)
        validate_refusal(check, query, capacity);
}

#define NEAR_BYTES 24u /* number of sizes that are tried on each side of the end of an object */

/*
 * Return the size to try after `size`. The step is 1 for the smallest sizes, near the end of an
 * object, and near the end of the reply. Otherwise the step is `stride`. With -quick, the ends of
 * only the first four objects matter. If the reply is large, the step is 8 for sizes with room for
 * the reply, because these take the most time. If the time is over, sizes smaller than the reply
 * are skipped, and larger sizes are tried only if the reply is large.
 */
static uint32_t next_swept_size(prfdata_check *check, uint32_t size, uint32_t stride)
{
    const size_t ends = check->quick && check->global.count > 4 ? 4 : check->global.count;
    uint32_t next = size + (size < 3 * NEAR_BYTES ? 1 : stride);

    if (prfdata_check_is_large(check) && size >= check->needed)
        return size + 8;
    if (!prfdata_check_has_time(check))
        return size < check->needed ? check->needed : UINT32_MAX;
    for (size_t i = 0; i <= ends; i++) {
        const uint32_t end = i < ends ? check->global.ends[i] : check->needed;
        const uint32_t first = end > NEAR_BYTES ? end - NEAR_BYTES : 0;

        if (size >= first && size <= end + NEAR_BYTES)
            return size + 1;
        if (size < first && next > first)
            next = first;
    }
    return next;
}

static void run_sizes(prfdata_check *check, const wchar_t *query)
{
    uint32_t stride = 1;
    uint32_t last;
    uint32_t tried = 0;
    uint32_t size = 0;

    if (!prfdata_check_make_ready(check))
        return;
    last = check->needed + 16;
    if (check->quick)
        stride = last / 256 + 1;
    else if (last > SWEPT_WHOLLY)
        stride = last / 4096 + 1;
    if (stride > 1)
        stride |= 1; /* odd, so that all alignments occur */
    for (; size <= last; tried++) {
        take_with_capacity(check, query, size, PRFDATA_PLACE_PATTERNS, 0);
        size = next_swept_size(check, size, stride);
    }
    if (check->does_less)
        (void)snprintf(check->did, sizeof check->did, "%u sizes from 0 to %u: it takes too long",
                       (unsigned)tried, (unsigned)last);
    else if (stride == 1)
        (void)snprintf(check->did, sizeof check->did, "every size from 0 to %u", (unsigned)last);
    else
        (void)snprintf(check->did, sizeof check->did,
                       "%u sizes from 0 to %u: all near ends of objects, otherwise every %u. one",
                       (unsigned)tried, (unsigned)last, (unsigned)stride);
}

static void run_pages(prfdata_check *check, prfdata_caller_place place, const wchar_t *query)
{
    uint32_t tried = 0;

    if (!prfdata_check_make_ready(check))
        return;
    for (uint32_t part = 0; part <= 16; part++, tried++)
        take_with_capacity(check, query, check->needed / 128 * part * 8, place, 0);
    for (uint32_t i = 0; i <= 4; i++, tried++) {
        const uint32_t size = check->needed / 8 * 8 + 8 * i;

        if (size >= 16)
            take_with_capacity(check, query, size - 16, place, 0);
    }
    (void)snprintf(check->did, sizeof check->did, "%u sizes from 0 to %u", (unsigned)tried,
                   (unsigned)check->needed + 16);
}

static void run_page_after(prfdata_check *check, const wchar_t *query)
{
    run_pages(check, PRFDATA_PLACE_PAGE_AFTER, query);
}

static void run_page_before(prfdata_check *check, const wchar_t *query)
{
    run_pages(check, PRFDATA_PLACE_PAGE_BEFORE, query);
}

/*
 * Ask the same query with buffers that do not begin at a multiple of 8: with plenty of room,
 * exactly enough, and too little. For each shift, ask first with an aligned buffer, because only
 * mistakes that the alignment causes count.
 */
static void run_alignment(prfdata_check *check, const wchar_t *query)
{
    static const uint32_t shifts[] = {4, 1, 2, 3, 5, 6, 7};
    uint32_t tried = 0;

    for (; tried < sizeof shifts / sizeof shifts[0] &&
           (tried == 0 || prfdata_check_has_time(check)) && prfdata_check_make_ready(check);
         tried++) {
        const uint32_t shift = shifts[tried];
        prfdata_strict_result result;
        prfdata_reply_objects set;
        const uint32_t plenty = check->needed + 4096;
        const uint64_t before = check->thread.found;
        uint64_t aligned;
        uint32_t status;

        (void)prfdata_check_collect(&check->thread, &check->history, query, plenty,
                                    PRFDATA_PLACE_PATTERNS, 0, &result);
        aligned = check->thread.found;
        status = prfdata_check_collect(&check->thread, &check->history, query, plenty,
                                       PRFDATA_PLACE_PATTERNS, shift, &result);
        set.count = 0;
        if (status == ERROR_SUCCESS)
            prfdata_reply_objects_read(&result.reply, &set);
        if (check->thread.found - aligned > aligned - before ||
            prfdata_reply_objects_first_missing(&check->global, &set) != 0)
            prfdata_check_find(&check->thread, PRFDATA_RULE_ALIGNMENT,
                               "with a buffer %u bytes after a multiple of 8, the reply has more "
                               "mistakes or fewer objects",
                               shift);
        take_with_capacity(check, query, check->needed, PRFDATA_PLACE_PATTERNS, shift);
        take_with_capacity(check, query, check->needed / 2, PRFDATA_PLACE_PATTERNS, shift);
        take_with_capacity(check, query, check->needed + shift, PRFDATA_PLACE_PAGE_AFTER, 0);
        take_with_capacity(check, query, check->needed, PRFDATA_PLACE_PAGE_BEFORE, shift);
    }
    (void)snprintf(check->did, sizeof check->did, "%u places next to a multiple of 8",
                   (unsigned)tried);
}

/* ---- What was in the buffer before ---- */

/*
 * How the buffer is filled before each of the compared Collects: with the pattern (false) or with
 * its complement (true).
 */
static const bool fills[] = {false, true, true, false, false, true};

enum { FILLS = sizeof fills / sizeof fills[0] };

/* Clear those bytes of `unwritten` that the reply has written. */
static void keep_unwritten(unsigned char *unwritten, const prfdata_strict_result *result,
                           bool is_inverted)
{
    const unsigned char flip = is_inverted ? 0xFF : 0;

    for (size_t i = 0; i < result->reply.size; i++) {
        if (result->reply.bytes[i] != (result->pattern[i] ^ flip))
            unwritten[i] = 0;
    }
}

/*
 * Collect into buffers that are filled differently. A byte that no Collect changes counts as not
 * written, because a provider is unlikely to write the old value each time.
 *
 * Returns ERROR_SUCCESS, or ERROR_MORE_DATA if a Collect failed or its reply had another size.
 */
static uint32_t compare_fills(prfdata_check *check, const wchar_t *query, size_t size,
                              unsigned char *unwritten)
{
    prfdata_strict_result result;

    memset(unwritten, 1, size);
    for (size_t i = 0; i < FILLS; i++) {
        const prfdata_caller_question question = {.query = query,
                                                  .capacity = (uint32_t)size,
                                                  .place = PRFDATA_PLACE_PATTERNS,
                                                  .objects = PRFDATA_STRICT_GARBAGE,
                                                  .is_inverted = fills[i]};
        const uint32_t status = prfdata_strict_ask(&check->thread, &question, &result);

        if (status != ERROR_SUCCESS || result.reply.size != size)
            return ERROR_MORE_DATA;
        keep_unwritten(unwritten, &result, fills[i]);
    }
    (void)prfdata_validate_written(&result.reply, unwritten, &check->thread.findings);
    prfdata_findings_place(&check->thread.findings, &result.reply);
    prfdata_strict_flush(&check->thread);
    return ERROR_SUCCESS;
}

static void run_fills(prfdata_check *check, const wchar_t *query)
{
    uint32_t status = ERROR_MORE_DATA;
    prfdata_strict_result result;

    for (int round = 0; round < FILL_ROUNDS && status == ERROR_MORE_DATA; round++) {
        unsigned char *unwritten;

        if (!prfdata_check_make_ready(check) || !prfdata_check_may_ask(check, query) ||
            prfdata_check_ask(check, query, &result) != ERROR_SUCCESS)
            return;
        unwritten = malloc(result.reply.size + 1);
        if (!unwritten)
            return;
        status = compare_fills(check, query, result.reply.size, unwritten);
        free(unwritten);
    }
    if (status != ERROR_SUCCESS)
        (void)snprintf(check->did, sizeof check->did, "the reply's size changes too often");
}

/* ---- One object ---- */

#define ROOM_OBJECTS 8 /* number of objects that are asked for with just enough room */

/* Check that a reply with one object, asked for by its index, needs room only for that object. */
static void run_index_room(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects titles;
    wchar_t text[16];

    (void)query;
    if (!prfdata_check_make_ready(check))
        return;
    titles = check->global;
    for (size_t i = 0;
         i < titles.count && i < ROOM_OBJECTS && (i == 0 || prfdata_check_has_time(check)); i++) {
        uint32_t needed = 0;

        (void)swprintf(text, 16, L"%u", (unsigned)titles.items[i]);
        if (is_refused_always(check, text, 0, &needed))
            prfdata_check_find(
                &check->thread, PRFDATA_RULE_MORE_FITS,
                "Collect returned ERROR_MORE_DATA although the object needs only %u bytes", needed);
    }
    check->thread.thread.query = NULL;
}

/* ---- Much more than enough ---- */

/* Ask with far more room than needed, because readers double their buffer and keep it. */
static void run_large_room(prfdata_check *check, const wchar_t *query)
{
    if (!prfdata_check_make_ready(check))
        return;
    take_with_capacity(check, query, LARGE_ROOM_BYTES, PRFDATA_PLACE_PATTERNS, 0);
    take_with_capacity(check, query, LARGE_ROOM_BYTES, PRFDATA_PLACE_PAGE_AFTER, 0);
}

/* ---- No room, or 8 bytes ---- */

/* Ask with a buffer of 0 bytes and one of 8. A query that names no object of this provider needs no
 * room. */
static void run_no_room(prfdata_check *check, const wchar_t *query)
{
    prfdata_strict_result result;

    if (!prfdata_check_make_ready(check) ||
        prfdata_check_ask(check, query, &result) != ERROR_SUCCESS || result.reply.size > 0 ||
        result.is_size_wrong)
        return;
    for (uint32_t capacity = 0; capacity <= 8; capacity += 8) {
        if (prfdata_check_collect(&check->thread, &check->history, query, capacity,
                                  PRFDATA_PLACE_PATTERNS, 0, &result) == ERROR_MORE_DATA)
            prfdata_check_find(&check->thread, PRFDATA_RULE_MORE_FITS,
                               "Collect returned ERROR_MORE_DATA in %u bytes although nothing of "
                               "this provider was asked for",
                               capacity);
    }
}

static const prfdata_scenario buffers_list[] = {
    {"sizes", run_sizes, L"Global"},
    {"page-after", run_page_after, L"Global"},
    {"page-before", run_page_before, L"Global"},
    {"alignment", run_alignment, L"Global"},
    {"fills", run_fills, L"Global"},
    {"fills", run_fills, L"MetadataGlobal"},
    {"index-room", run_index_room, NULL},
    {"large-room", run_large_room, L"Global"},
    {"no-room", run_no_room, L"2"},
    {"no-room", run_no_room, L"nonsense"},
    {"no-room", run_no_room, L"Foreign"},
};

const prfdata_scenario_group prfdata_scenario_buffers = {
    buffers_list,
    sizeof buffers_list / sizeof buffers_list[0],
};
