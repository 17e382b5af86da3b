/* SPDX-License-Identifier: MIT */
/* One query, answered from one basis, in one of two ways: by plans, or by a merge. */
#ifndef PRFDATA_REQUEST_H
#define PRFDATA_REQUEST_H

#include "collect/basis.h"
#include "collect/provider.h"

typedef struct prfdata_collect_request {
    prfdata_basis *basis;
    prfdata_installation_store *store; /* that has it */
    uint64_t seed;                     /* of the merge's look-up by name */
    bool uses_plans;                   /* else all is merged */
    bool refuses_stale;                /* unless it is the last attempt: snapshot/result.h */
    bool metadata;                     /* definitions only */
    bool wanted[PRFDATA_MAX_OBJECTS];  /* those of the model, some of them set */
    prfdata_perf_block block;          /* gets the answer */
    uint32_t object_count;             /* gets how many objects it has */
    uint64_t torn_count;               /* gets how many slots and regions were not whole */
    uint64_t start; /* of the Collect, in ticks; 0: nothing shows how long it took */
    uint64_t stamp; /* gets when all values had been read, in ticks */
    /* Where it is merged: */
    prfdata_region_set *set; /* the newest when the merge began; NULL: none */
    prfdata_merge merge;
} prfdata_collect_request;

/* Note that all values have been read now. Returns that time, in ticks. */
static inline uint64_t prfdata_request_stamp(prfdata_collect_request *request)
{
    request->stamp = prfdata_os_ticks();
    return request->stamp;
}

/*
 * Fill in what is known when all values have been read: the time, and the service's health.
 *
 * object     Of the reply; any alignment.
 * perf_time  prfdata_request_stamp().
 */
static inline void prfdata_request_complete(const prfdata_collect_request *request,
                                            uint32_t object_index, uint64_t perf_time,
                                            uint8_t *object)
{
    const prfdata_installation *installation = request->basis->installation;
    const prfdata_model *model = installation->model;

    prfdata_template_stamp(object, perf_time);
    if (object_index == model->health_index && !request->metadata)
        prfdata_health_put(installation->regions->health, &model->objects[object_index],
                           object + installation->templates[object_index]->definition_length);
}

#endif
