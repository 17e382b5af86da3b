/* SPDX-License-Identifier: MIT */
/* Checks title indexes, title pointers and detail levels of objects and of counters. */
#include "validate/validate_fields.h"

#include <prfdata/perf_types.h>

/* Checks that a title index is one of the service. `first` and `last` are the lowest and the
 * highest title index of the service; 0: not known. */
static void validate_index_range(prfdata_validated *j, uint64_t at, uint32_t index,
                                 const char *name, uint32_t first, uint32_t last)
{
    if (first != 0 && (index < first || (last != 0 && index > last)))
        PRFDATA_FIND(j, TITLE_RANGE, at, "%s is %u, but the service has %u to %u", name,
                     (unsigned)index, (unsigned)first, (unsigned)last);
}

void prfdata_validate_fields_name_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name)
{
    if (index == 0 || index % 2 != 0)
        PRFDATA_FIND(j, TITLE_PARITY, at, "%s is %u, but must be even", name, (unsigned)index);
    else
        validate_index_range(j, at, index, name, j->titles.first_counter, j->titles.last_counter);
}

void prfdata_validate_fields_help_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name)
{
    if (index % 2 != 1)
        PRFDATA_FIND(j, TITLE_PARITY, at, "%s is %u, but must be odd", name, (unsigned)index);
    else
        validate_index_range(j, at, index, name, j->titles.first_help, j->titles.last_help);
}

/* Returns whether `index` is one of the service's indexes, every second one from `first` on. */
static bool is_service_index(uint32_t index, uint32_t first, uint32_t last)
{
    return first != 0 && index >= first && (last == 0 || index <= last) && (index - first) % 2 == 0;
}

void prfdata_validate_fields_help_of(prfdata_validated *j, uint64_t at, uint32_t name,
                                     uint32_t help)
{
    const prfdata_validate_titles *t = &j->titles;

    if (is_service_index(name, t->first_counter, t->last_counter) &&
        is_service_index(help, t->first_help, t->last_help) &&
        name - t->first_counter != help - t->first_help)
        PRFDATA_FIND(
            j, HELP_INDEX, at, "help index %u belongs to name index %u, but the name index is %u",
            (unsigned)help, (unsigned)(t->first_counter + (help - t->first_help)), (unsigned)name);
}

void prfdata_validate_fields_title_pointer(prfdata_validated *j, uint64_t at, uint32_t pointer,
                                           const char *name)
{
    if (pointer != 0)
        PRFDATA_FIND(j, TITLE_POINTER, at, "%s is %u", name, (unsigned)pointer);
}

bool prfdata_validate_fields_is_detail_level(uint32_t level)
{
    return level == PERF_DETAIL_NOVICE || level == PERF_DETAIL_ADVANCED ||
           level == PERF_DETAIL_EXPERT || level == PERF_DETAIL_WIZARD;
}

void prfdata_validate_fields_detail_level(prfdata_validated *j, uint64_t at, uint32_t level,
                                          const char *name)
{
    if (level > PERF_DETAIL_WIZARD)
        PRFDATA_FIND(j, DETAIL_UNLISTED, at, "%s is %u, but the highest level is %u", name,
                     (unsigned)level, (unsigned)PERF_DETAIL_WIZARD);
}
