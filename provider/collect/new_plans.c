/* SPDX-License-Identifier: MIT */
/*
 * Decides whether to make plans from a merge, and gives them to a new basis (basis.h). plan_make.c
 * makes each plan.
 */
#include "collect/new_plans.h"

#include <stdlib.h>

/*
 * Whether plans may answer the next Collects. They may not while a region file cannot be checked,
 * because only a merge records when totals without that file were shown (`totals_shown_ms`).
 */
static bool may_have_plans(const prfdata_collect_request *request)
{
    const prfdata_merge *merge = &request->merge;

    if (!request->provider->uses_plans || merge->metadata || merge->unread_count > 0 ||
        merge->totals_unknown || !request->basis->set || request->basis->set->some_unknown)
        return false;
    for (uint32_t i = 0; i < merge->model->object_count; i++)
        if (merge->wanted[i] && !prfdata_plan_is_possible(merge, i))
            return false;
    return true;
}

static void make_plans(const prfdata_collect_request *request, const uint8_t *bytes)
{
    prfdata_provider *provider = request->provider;
    prfdata_basis *made = prfdata_basis_make_successor(provider, request->basis);

    if (!made)
        return;
    for (uint32_t i = 0; i < request->merge.model->object_count; i++) {
        if (!request->wanted[i])
            continue;
        made->plans[i] = prfdata_plan_make(&request->merge, &provider->carry, made->number,
                                           made->installation->first_basis, i, bytes);
        bytes += prfdata_reply_object_bytes(&request->merge, i);
    }
    prfdata_basis_add_plans(provider, made);
}

static void make_plans_without_room(const prfdata_collect_request *request)
{
    const prfdata_merge *merge = &request->merge;
    const size_t bytes = (size_t)prfdata_reply_bytes(merge);
    uint8_t *aside = malloc(bytes + 1);
    prfdata_perf_block block;

    if (!aside)
        return;
    prfdata_perf_block_init(&block, aside, bytes);
    for (uint32_t i = 0; i < merge->model->object_count; i++)
        (void)prfdata_reply_put_object(merge, i, &block);
    make_plans(request, aside);
    free(aside);
}

void prfdata_new_plans_make(const prfdata_collect_request *request, const uint8_t *bytes)
{
    if (!may_have_plans(request))
        return;
    if (bytes)
        make_plans(request, bytes);
    else
        make_plans_without_room(request);
}
