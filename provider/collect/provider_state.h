/* SPDX-License-Identifier: MIT */
/*
 * Declares the state of a provider: the newest basis, and what all bases have in common. provider.h
 * declares what others may do with a provider.
 */
#ifndef PRFDATA_PROVIDER_STATE_H
#define PRFDATA_PROVIDER_STATE_H

#include "collect/provider.h"
#include "merge/carry.h"
#include "regions/regions.h"

struct prfdata_provider {
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    bool is_given; /* set by prfdata_basis_give(): of the key, only the value Regions is read */
    prfdata_regions regions;
    prfdata_carry carry;

    /* Protects `versions`. Held while an installation is made, never across a call that waits. */
    prfdata_os_lock making;
    prfdata_versions versions;

    /*
     * The lock of `regions` protects the next two fields, and the references to installations,
     * bases and plans.
     */
    uint32_t installation_count;
    struct prfdata_basis *basis; /* the newest basis (basis.h); NULL: none */

    bool uses_plans;
    /* atomic: an event is recorded when this many more Collects in a row had too small a buffer */
    uint32_t short_buffers_left;
    prfdata_health health;
    prfdata_events events;
};

/*
 * Initialises a provider, which has no basis yet. Returns false if the name of the service is too
 * long.
 */
bool prfdata_provider_state_init(prfdata_provider *provider, const char *service);

/* Frees everything in a provider. No Collect may be running. */
void prfdata_provider_state_done(prfdata_provider *provider);

#endif
