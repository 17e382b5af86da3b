/* SPDX-License-Identifier: MIT */
/* Groups a query's titles by provider, and makes the message about a provider that failed. */
#include "source/provider_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "source/registration.h"

/* A message names at most this many objects of a failed provider, and then gives the number of the
 * others. */
#define NAMED_OBJECTS 3u

/* However many questions there are, each gets at least 1 / LEAST_SHARE of the time that is left. */
#define LEAST_SHARE 4u

/* ---- Making groups ---- */

static prfdata_provider_group *add_provider_group(prfdata_provider_groups *groups)
{
    prfdata_provider_group *items =
        prfdata_array_reserve(groups->items, &groups->capacity, groups->count + 1, sizeof *items);

    if (!items)
        return NULL;
    groups->items = items;
    memset(&items[groups->count], 0, sizeof *items);
    return &items[groups->count++];
}

/* Read the titles that a query names. Returns false: no memory. */
static bool read_titles(const uint16_t *query, prfdata_title_set *titles)
{
    uint32_t title = 0;

    for (; *query; query++) {
        const bool is_digit = *query >= '0' && *query <= '9';

        title = is_digit ? title * 10 + (*query - '0') : 0;
        if (is_digit && !(query[1] >= '0' && query[1] <= '9') &&
            !prfdata_title_set_add(titles, title))
            return false;
    }
    return true;
}

/* The titles of a query, and which of them have a group already. */
typedef struct grouped_titles {
    prfdata_title_set wanted;
    prfdata_title_set grouped;
} grouped_titles;

/* If a title of a provider is wanted and has no group yet, add it to `common` and to of->grouped.
 * Returns false: no memory. */
static bool take_common(const prfdata_title_set *has, grouped_titles *of, prfdata_title_set *common)
{
    for (size_t i = 0; i < has->count; i++) {
        const uint32_t title = has->items[i];

        if (prfdata_title_set_has(&of->wanted, title) &&
            !prfdata_title_set_has(&of->grouped, title) &&
            (!prfdata_title_set_add(common, title) || !prfdata_title_set_add(&of->grouped, title)))
            return false;
    }
    return true;
}

/*
 * Add one group for all titles of a provider that are in the query and have no group yet. If there
 * are none, add no group. Returns false: no memory.
 *
 * has  The titles of the provider.
 * of   The titles of the query; NULL: the query asks for all titles.
 */
static bool add_group_of(prfdata_provider_groups *groups, const wchar_t *service,
                         const prfdata_title_set *has, grouped_titles *of)
{
    prfdata_title_set titles = {0};
    prfdata_provider_group *group;

    if (!(of ? take_common(has, of, &titles) : prfdata_title_set_copy(has, &titles))) {
        prfdata_title_set_free(&titles);
        return false;
    }
    if (titles.count == 0)
        return true;
    group = add_provider_group(groups);
    if (!group) {
        prfdata_title_set_free(&titles);
        return false;
    }
    group->titles = titles;
    wcscpy(group->service, service);
    return true;
}

static bool add_registered(prfdata_provider_groups *groups, const prfdata_name_table *titles,
                           grouped_titles *of)
{
    prfdata_providers providers = {0};
    wchar_t name[PRFDATA_PROVIDERS_CHARS];
    prfdata_title_set has = {0};
    bool is_done = true;

    while (is_done && prfdata_providers_next(&providers, titles, name, &has)) {
        /* If the query lists titles, each of the system's own titles gets its own group later,
         * because these titles may belong to different DLLs. */
        if (name[0] || !of)
            is_done = add_group_of(groups, name, &has, of);
    }
    prfdata_title_set_free(&has);
    return is_done;
}

bool prfdata_provider_groups_make(const uint16_t *query, const prfdata_name_table *titles,
                                  prfdata_provider_groups *groups)
{
    grouped_titles of = {{0}, {0}};
    bool is_done = read_titles(query, &of.wanted);

    is_done = is_done && add_registered(groups, titles, of.wanted.count == 0 ? NULL : &of);
    for (size_t i = 0; is_done && i < of.wanted.count; i++) {
        const prfdata_title_set one = {.items = &of.wanted.items[i], .count = 1};

        is_done = add_group_of(groups, L"", &one, &of);
    }
    prfdata_title_set_free(&of.wanted);
    prfdata_title_set_free(&of.grouped);
    return is_done;
}

static void free_provider_group(prfdata_provider_group *group)
{
    prfdata_title_set_free(&group->titles);
    prfdata_messages_free(&group->said);
}

void prfdata_provider_groups_free(prfdata_provider_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        free_provider_group(&groups->items[i]);
    free(groups->items);
    memset(groups, 0, sizeof *groups);
}

/* ---- Failures ---- */

void prfdata_provider_groups_keep_failures(prfdata_provider_groups *groups,
                                           prfdata_provider_groups *former)
{
    for (size_t i = 0; i < groups->count; i++) {
        prfdata_provider_group *group = &groups->items[i];

        for (size_t f = 0; f < former->count; f++) {
            prfdata_provider_group *before = &former->items[f];

            if (before->failure == ERROR_SUCCESS || wcscmp(before->service, group->service) != 0 ||
                !prfdata_title_set_has(&before->titles, group->titles.items[0]))
                continue;
            group->failure = before->failure;
            group->again_ms = before->again_ms;
            group->said = before->said;
            memset(&before->said, 0, sizeof before->said);
        }
    }
}

prfdata_provider_group *prfdata_provider_groups_next(const prfdata_provider_groups *groups)
{
    prfdata_provider_group *late = NULL;

    for (size_t i = 0; i < groups->count; i++) {
        prfdata_provider_group *group = &groups->items[i];

        if (group->failure != ERROR_SUCCESS || group->is_asked)
            continue;
        if (!group->is_late)
            return group;
        if (!late)
            late = group;
    }
    return late;
}

uint64_t prfdata_provider_groups_time(uint64_t left_ms, size_t count, uint64_t enough_ms)
{
    if (count == 1)
        return left_ms;
    if (left_ms / 2 >= enough_ms)
        return left_ms / 2;
    return left_ms / (count < LEAST_SHARE ? count : LEAST_SHARE);
}

prfdata_provider_group *prfdata_provider_groups_failed(const prfdata_provider_groups *groups,
                                                       size_t position)
{
    for (; position < groups->count; position++) {
        if (groups->items[position].failure != ERROR_SUCCESS)
            return &groups->items[position];
    }
    return NULL;
}

bool prfdata_provider_groups_rest(const prfdata_provider_groups *groups, prfdata_title_set *rest)
{
    for (size_t i = 0; i < groups->count; i++) {
        const prfdata_provider_group *group = &groups->items[i];

        for (size_t t = 0; group->failure == ERROR_SUCCESS && t < group->titles.count; t++) {
            if (!prfdata_title_set_add(rest, group->titles.items[t]))
                return false;
        }
    }
    return true;
}

/* ---- Messages ---- */

static void put_object_names(prfdata_output *output, const prfdata_title_set *objects,
                             const prfdata_name_table *titles)
{
    size_t named = 0;

    for (size_t i = 0; i < objects->count && named < NAMED_OBJECTS; i++) {
        const prfdata_text name = prfdata_name_table_name(titles, objects->items[i]);

        prfdata_output_put_string(output, named > 0 ? ", " : "");
        if (name.count > 0)
            prfdata_output_put_text(output, name);
        else
            prfdata_output_format(output, "%u", (unsigned)objects->items[i]);
        named++;
    }
    if (objects->count > named)
        prfdata_output_format(output, " and %u more", (unsigned)(objects->count - named));
}

static void put_wide_name(prfdata_output *output, const wchar_t *text)
{
    prfdata_output_put_text(output, prfdata_text_from_chars((const uint16_t *)text));
}

/*
 * Write for instance "the provider C:\\...\\MyPrf.dll of MyService crashed in C:\\...\\Other.dll".
 *
 * did  What the provider did, such as " crashed".
 */
static void put_provider(prfdata_output *output, const prfdata_provider_group *group,
                         const char *did, const wchar_t *module)
{
    prfdata_registration *registration = calloc(1, sizeof *registration);
    bool is_named = false; /* the module's name has been written */
    const char *what;

    prfdata_output_put_string(output, "the provider");
    if (registration && group->service[0] &&
        prfdata_registration_read(prfdata_text_from_chars((const uint16_t *)group->service),
                                  registration, &what) == ERROR_SUCCESS) {
        prfdata_output_put_string(output, " ");
        put_wide_name(output, registration->library);
        prfdata_output_put_string(output, " of ");
        put_wide_name(output, group->service);
        is_named = _wcsicmp(registration->library, module) == 0;
    }
    free(registration);
    prfdata_output_put_string(output, did);
    if (module[0] && !is_named) {
        prfdata_output_put_string(output, " in ");
        put_wide_name(output, module);
    }
}

void prfdata_provider_groups_say(prfdata_provider_group *group, const prfdata_name_table *titles,
                                 uint32_t limit_ms, const wchar_t *module)
{
    prfdata_output text = {0};
    char did[60];
    const bool is_left_out = group->failure != ERROR_SUCCESS;
    prfdata_message message = {
        .severity = is_left_out ? PRFDATA_SEVERITY_ERROR : PRFDATA_SEVERITY_NOTE,
        .problem = is_left_out ? "a provider is left out" : "a provider answers again"};

    put_object_names(&text, &group->titles, titles);
    prfdata_output_put_string(&text, ": ");
    if (group->failure == ERROR_TIMEOUT)
        snprintf(did, sizeof did, " did not answer within %g s", limit_ms / 1000.0);
    else
        snprintf(did, sizeof did, "%s", is_left_out ? " crashed" : " answers again");
    put_provider(&text, group, did, module);
    prfdata_output_put_string(&text, is_left_out ? "; it is left out" : "");
    prfdata_output_put(&text, "", 1);
    message.text = text.failed ? message.problem : text.bytes;
    prfdata_messages_free(&group->said);
    prfdata_messages_put(&group->said, &message);
    prfdata_output_free(&text);
}
