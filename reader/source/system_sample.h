/* SPDX-License-Identifier: MIT */
/* Takes a sample of a system, of this computer or another one. Windows only. */
#ifndef PRFDATA_READER_SYSTEM_SAMPLE_H
#define PRFDATA_READER_SYSTEM_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include <windows.h>

/*
 * Take a sample, as prfdata_source_take() does.
 *
 * data      HKEY_PERFORMANCE_DATA, or the key that RegConnectRegistry returned for it.
 * capacity  PRFDATA_RETRY_FIRST_CAPACITY at first; set to a size that was enough.
 */
uint32_t prfdata_system_sample_take(HKEY data, const uint16_t *query, uint32_t *capacity,
                                    void **bytes, size_t *size);

#endif
