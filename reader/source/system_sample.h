/* SPDX-License-Identifier: MIT */
/* A sample of a system, this computer's or another's. Windows only. */
#ifndef PRFDATA_READER_SYSTEM_SAMPLE_H
#define PRFDATA_READER_SYSTEM_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include <windows.h>

/*
 * Take a sample, as prfdata_source_take() does.
 *
 * data      HKEY_PERFORMANCE_DATA, or what RegConnectRegistry made of it.
 * capacity  PRFDATA_RETRY_FIRST_CAPACITY at first; becomes what a sample needs.
 */
uint32_t prfdata_system_sample_take(HKEY data, const uint16_t *query, uint32_t *capacity,
                                    void **bytes, size_t *size);

#endif
