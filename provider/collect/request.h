/* SPDX-License-Identifier: MIT */
/*
 * Declares the state of one Collect: what its query wants, the basis that answers it, and the
 * output buffer.
 */
#ifndef PRFDATA_REQUEST_H
#define PRFDATA_REQUEST_H

#include "collect/basis.h"

typedef struct prfdata_collect_request {
    prfdata_basis *basis;
    prfdata_provider *provider;
    /* a result that is out of date is accepted (snapshot/result.h) */
    bool is_last_attempt;
    bool metadata; /* only definitions are wanted */
    bool wanted[PRFDATA_MAX_OBJECTS];
    prfdata_perf_block block;
    /* gets the number of objects in the answer */
    uint32_t object_count;
    /* if the answer is merged, gets the number of slots and regions that could not be read
     * consistently, plus the `newer_count` of the merge */
    uint64_t torn_count;
    uint64_t start; /* start of the Collect, in ticks; 0: its duration is not measured */
    uint64_t stamp; /* gets the time when all values had been read, in ticks */
    /* Used only if the answer is merged: */
    prfdata_merge merge;
} prfdata_collect_request;

/* Records that all values have been read now. Returns that time, in ticks. */
static inline uint64_t prfdata_request_stamp(prfdata_collect_request *request)
{
    request->stamp = prfdata_os_ticks();
    return request->stamp;
}

/*
 * Fills in what is known only after all values were read: the time, and the values of the health
 * object.
 *
 * object     An object in the reply; any alignment.
 * perf_time  What prfdata_request_stamp() returned.
 */
static inline void prfdata_request_complete(const prfdata_collect_request *request,
                                            uint32_t object_index, uint64_t perf_time,
                                            uint8_t *object)
{
    const prfdata_installation *installation = request->basis->installation;
    const prfdata_model *model = installation->model;

    prfdata_template_stamp(object, perf_time);
    if (object_index == model->health_index && !request->metadata)
        prfdata_health_put(&request->provider->health, &model->objects[object_index],
                           object + installation->templates[object_index]->definition_length);
}

#endif
