/* SPDX-License-Identifier: MIT */
/*
 * Looking into a DLL without loading it: which machine it is for and what it exports. The file is
 * data: every offset is checked, nothing is written. Portable.
 */
#ifndef PRFDATA_PE_FILE_H
#define PRFDATA_PE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/error.h>

#include "core/bytes.h"

/* winnt.h's IMAGE_FILE_MACHINE_... */
#define PRFDATA_PE_MACHINE_X86   0x014Cu
#define PRFDATA_PE_MACHINE_X64   0x8664u
#define PRFDATA_PE_MACHINE_ARM64 0xAA64u

typedef struct prfdata_pe_file {
    prfdata_bytes bytes; /* of the file; borrowed */
    uint16_t machine;
    bool is_dll;
    uint32_t sections_offset;
    uint32_t section_count;
    uint32_t exports_rva; /* 0: exports nothing */
} prfdata_pe_file;

/*
 * Read the headers.
 *
 * file   On success the view of `bytes`, which must stay; untouched on failure.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (no program file of 32 or 64 bits).
 */
uint32_t prfdata_pe_file_open(prfdata_pe_file *file, const void *bytes, size_t size);

/* Whether `name` is exported under exactly this name. A damaged table exports nothing. */
bool prfdata_pe_file_exports(const prfdata_pe_file *file, const char *name);

#endif
