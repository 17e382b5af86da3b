/* SPDX-License-Identifier: MIT */
/* Makes a map the only registered version, for tests that need no value `Maps`. */
#ifndef PRFDATA_TESTS_ONE_VERSION_H
#define PRFDATA_TESTS_ONE_VERSION_H

#include "regions/versions.h"

/* Return versions that refer to `model`. They are valid until the next call. */
static inline const prfdata_versions *one_version(prfdata_model *model)
{
    static prfdata_known_version version;
    static prfdata_known_version *items[] = {&version};
    static const prfdata_versions registered = {1, 1, items};

    version.model = model;
    return &registered;
}

#endif
