/* SPDX-License-Identifier: MIT */
/* Checks the fields that both objects and counter definitions have. */
#ifndef PRFDATA_READER_VALIDATE_FIELDS_H
#define PRFDATA_READER_VALIDATE_FIELDS_H

#include "validate/validated.h"

/* Check a field. `at` is its offset in the reply, `name` its name in winperf.h. */
void prfdata_validate_fields_name_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name);
void prfdata_validate_fields_help_index(prfdata_validated *j, uint64_t at, uint32_t index,
                                        const char *name);
void prfdata_validate_fields_title_pointer(prfdata_validated *j, uint64_t at, uint32_t pointer,
                                           const char *name);

/* Check whether loadperf has given this help index to the name. Indexes that do not belong to the
 * service are ignored. `at` is the help index's offset in the reply. */
void prfdata_validate_fields_help_of(prfdata_validated *j, uint64_t at, uint32_t name,
                                     uint32_t help);

bool prfdata_validate_fields_is_detail_level(uint32_t level);

/* Check whether readers list an item of this detail level at all. PerfMon's dialogs list what
 * PdhEnumObjects and PdhEnumObjectItems return. These return only items up to the level that they
 * are asked for, and 400 is the highest level (learn.microsoft.com). `name` is the field's name in
 * winperf.h. */
void prfdata_validate_fields_detail_level(prfdata_validated *j, uint64_t at, uint32_t level,
                                          const char *name);

#endif
