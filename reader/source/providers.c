/* SPDX-License-Identifier: MIT */
/* Finds the providers of this computer and their titles in the registry. */
#include "source/providers.h"

#include <stdlib.h>
#include <wchar.h>

#include "source/registration.h"

/* Limit for the titles of one query. */
#define MOST_TITLES 2000u

/* Add the titles of a list such as "230 232"; anything that is not a number is skipped. */
static void add_listed_titles(prfdata_title_set *asked, const wchar_t *list)
{
    while (*list) {
        wchar_t *end;
        const unsigned long title = wcstoul(list, &end, 10);

        if (end > list && title > 0 && asked->count < MOST_TITLES)
            (void)prfdata_title_set_add(asked, (uint32_t)title);
        list = end > list ? end : list + 1;
    }
}

static void add_title_range(prfdata_title_set *asked, uint32_t first, uint32_t last)
{
    for (uint32_t title = first; title <= last && asked->count < MOST_TITLES; title += 2)
        (void)prfdata_title_set_add(asked, title);
}

/* The system's own titles have lower indexes than those of all services. */
static void add_own_titles(prfdata_title_set *asked, const prfdata_name_table *titles,
                           uint32_t lowest)
{
    for (size_t i = 0; i < titles->count && asked->count < MOST_TITLES; i++) {
        if (lowest == 0 || titles->items[i].index < lowest)
            (void)prfdata_title_set_add(asked, titles->items[i].index);
    }
}

/* Find the titles of a service. Returns false if its registration names none, is disabled or cannot
 * be read. */
static bool find_provider_titles(prfdata_providers *providers, const wchar_t *name,
                                 prfdata_title_set *asked)
{
    prfdata_registration *registration = calloc(1, sizeof *registration);
    const char *what;
    uint32_t first;

    if (registration &&
        prfdata_registration_read(prfdata_text_from_chars((const uint16_t *)name), registration,
                                  &what) == ERROR_SUCCESS &&
        !registration->is_disabled) {
        first = registration->titles.first_counter;
        if (first > 0 && (providers->lowest == 0 || first < providers->lowest))
            providers->lowest = first;
        add_listed_titles(asked, registration->objects);
        if (asked->count == 0 && first > 0)
            add_title_range(asked, first, registration->titles.last_counter);
    }
    free(registration);
    return asked->count > 0;
}

bool prfdata_providers_next(prfdata_providers *providers, const prfdata_name_table *titles,
                            wchar_t name[PRFDATA_PROVIDERS_CHARS], prfdata_title_set *asked)
{
    asked->count = 0;
    while (prfdata_registration_next(&providers->position, name)) {
        if (find_provider_titles(providers, name, asked))
            return true;
    }
    name[0] = 0;
    if (providers->is_over)
        return false;
    providers->is_over = true;
    add_own_titles(asked, titles, providers->lowest);
    return asked->count > 0;
}
