/* SPDX-License-Identifier: MIT */
/* Check the fields that objects and counter definitions have in common. */
#ifndef PRFDATA_READER_VALIDATE_FIELDS_H
#define PRFDATA_READER_VALIDATE_FIELDS_H

#include "validate/validated.h"

/* Check a field; `at` is its offset in the reply, `name` what winperf.h calls it. */
void prfdata_validate_fields_name_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name);
void prfdata_validate_fields_help_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name);
void prfdata_validate_fields_title_pointer(prfdata_validated *j, uint64_t at, uint32_t pointer,
                                           const char *name);

/*
 * Check whether a help index is the one that loadperf gave to the name; what is no index of the
 * service is not checked once more. `at` is the help index's offset in the reply.
 */
void prfdata_validate_fields_help_of(prfdata_validated *j, uint64_t at, uint32_t name,
                                     uint32_t help);

/* Whether winperf.h has this detail level. */
bool prfdata_validate_fields_is_detail_level(uint32_t level);

/*
 * Check whether a detail level is listed at all: PdhEnumObjects and PdhEnumObjectItems, and by them
 * the dialogs of PerfMon, return what has at most the level that they are asked for, and 400 is the
 * highest that there is (learn.microsoft.com). `name` is what winperf.h calls it.
 */
void prfdata_validate_fields_detail_level(prfdata_validated *j, uint64_t at, uint32_t level,
                                          const char *name);

#endif
