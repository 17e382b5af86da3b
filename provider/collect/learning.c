/* SPDX-License-Identifier: MIT */
/*
 * Decides whether to make plans from a merge, and attaches them to the basis. plan_make.c makes
 * them.
 */
#include "collect/learning.h"

#include <stdlib.h>

/*
 * While a file cannot be checked, no plans are made, because each Collect must record that it
 * showed sums without that file.
 */
static bool may_have_plans(const prfdata_collect_request *request)
{
    const prfdata_merge *merge = &request->merge;

    if (!request->uses_plans || merge->metadata || merge->unread_count > 0 || merge->sums_unknown ||
        !request->basis->set || request->basis->set->some_unknown)
        return false;
    for (uint32_t i = 0; i < merge->model->object_count; i++)
        if (merge->wanted[i] && !prfdata_plan_fits(merge, i))
            return false;
    return true;
}

static void learn_from_bytes(const prfdata_collect_request *request, const uint8_t *bytes)
{
    const prfdata_installation *installation = request->basis->installation;
    const uint32_t object_count = installation->model->object_count;
    prfdata_plan **plans = calloc(object_count + 1u, sizeof(prfdata_plan *));

    for (uint32_t i = 0; plans && i < object_count; i++) {
        if (!request->wanted[i])
            continue;
        plans[i] = prfdata_plan_make(&request->merge, &request->store->carry,
                                     request->basis->number, installation->number, i, bytes);
        bytes += prfdata_reply_object_bytes(&request->merge, i);
    }
    if (plans)
        prfdata_basis_learn(request->store, request->basis, plans);
    free(plans);
}

static void learn_without_room(const prfdata_collect_request *request)
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
    learn_from_bytes(request, aside);
    free(aside);
}

void prfdata_learning_learn(const prfdata_collect_request *request, const uint8_t *bytes)
{
    if (!may_have_plans(request))
        return;
    if (bytes)
        learn_from_bytes(request, bytes);
    else
        learn_without_room(request);
}
