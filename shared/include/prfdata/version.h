/* SPDX-License-Identifier: MIT */
/*
 * Names the version of PrfData. The build, the packages and the resources of programs read it here.
 * The manifests for Node.js and Rust, and the head of CHANGELOG.md, repeat the version.
 * tests/versions.py compares them with this file.
 */
#ifndef PRFDATA_VERSION_H
#define PRFDATA_VERSION_H

#define PRFDATA_VERSION_MAJOR 0
#define PRFDATA_VERSION_MINOR 1
#define PRFDATA_VERSION_PATCH 0

#define PRFDATA_VERSION                                                                            \
    PRFDATA_VERSION_TEXT_(PRFDATA_VERSION_MAJOR)                                                   \
    "." PRFDATA_VERSION_TEXT_(PRFDATA_VERSION_MINOR) "." PRFDATA_VERSION_TEXT_(                    \
        PRFDATA_VERSION_PATCH)
#define PRFDATA_VERSION_TEXT_(number)   PRFDATA_VERSION_DIGITS_(number)
#define PRFDATA_VERSION_DIGITS_(number) #number

/* For comparisons: #if PRFDATA_VERSION_NUMBER >= 10203 means "1.2.3 or later". */
#define PRFDATA_VERSION_NUMBER                                                                     \
    (PRFDATA_VERSION_MAJOR * 10000 + PRFDATA_VERSION_MINOR * 100 + PRFDATA_VERSION_PATCH)

#endif
