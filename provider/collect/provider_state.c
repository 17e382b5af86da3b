/* SPDX-License-Identifier: MIT */
/* Initialises and frees the state of a provider. */
#include "collect/provider_state.h"

#include <string.h>

#include "collect/basis.h"

bool prfdata_provider_state_init(prfdata_provider *provider, const char *service)
{
    const size_t chars = strlen(service);

    memset(provider, 0, sizeof *provider);
    if (chars >= sizeof provider->service)
        return false;
    memcpy(provider->service, service, chars + 1);
    prfdata_regions_init(&provider->regions, provider->service, &provider->events,
                         &provider->health);
    prfdata_carry_init(&provider->carry);
    return true;
}

void prfdata_provider_state_done(prfdata_provider *provider)
{
    prfdata_basis_release(provider, provider->basis);
    prfdata_carry_done(&provider->carry);
    prfdata_versions_done(&provider->versions);
}
