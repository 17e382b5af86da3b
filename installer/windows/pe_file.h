/* SPDX-License-Identifier: MIT */
/*
 * Examines a DLL without loading it: the machine that it is for, and the functions that it exports.
 * The file may be damaged, so every offset is checked. Portable.
 */
#ifndef PRFDATA_PE_FILE_H
#define PRFDATA_PE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <prfdata/error.h>

#include "base/bytes.h"

/* winnt.h's IMAGE_FILE_MACHINE_... */
#define PRFDATA_PE_MACHINE_X86   0x014Cu
#define PRFDATA_PE_MACHINE_X64   0x8664u
#define PRFDATA_PE_MACHINE_ARM64 0xAA64u

typedef struct prfdata_pe_file {
    prfdata_bytes bytes; /* bytes of the file; borrowed */
    uint16_t machine;
    bool is_dll;
    uint32_t sections_offset;
    uint32_t section_count;
    uint32_t exports_rva; /* 0 if it exports nothing */
} prfdata_pe_file;

/*
 * Read the headers.
 *
 * file   Untouched on failure.
 * bytes  Borrowed: must stay valid as long as `file` is used.
 *
 * Returns ERROR_SUCCESS or ERROR_INVALID_DATA (not a program file of 32 or 64 bits).
 */
uint32_t prfdata_pe_file_open(prfdata_pe_file *file, const void *bytes, size_t size);

/* Returns whether the file exports exactly this name; false if the table is damaged. */
bool prfdata_pe_file_exports(const prfdata_pe_file *file, const char *name);

#endif
