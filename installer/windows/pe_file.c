/* SPDX-License-Identifier: MIT */
/*
 * Reads the headers and exports of a DLL. The layout is described under "PE Format" in Microsoft's
 * documentation. Offsets are added in 64 bits, so that sums cannot wrap. A number beyond the end of
 * the file reads as 0, which is harmless everywhere below.
 */
#include "windows/pe_file.h"

#include <string.h>

#define PE_SIGNATURE      0x00004550u /* "PE\0\0" */
#define OPTIONAL_PE32     0x010Bu
#define OPTIONAL_PE32PLUS 0x020Bu
#define FILE_IS_DLL       0x2000u
#define COFF_BYTES        24u /* of the header, with its signature */
#define SECTION_BYTES     40u
#define MAX_SECTIONS      96u    /* the loader accepts no more */
#define MAX_NAMES         65536u /* ordinals have 16 bits */
#define EXPORT_BYTES      40u

uint32_t prfdata_pe_file_open(prfdata_pe_file *file, const void *bytes, size_t size)
{
    prfdata_pe_file view = {{bytes, size}, 0, false, 0, 0, 0};
    uint64_t coff, optional, directories;
    uint16_t optional_bytes, magic;

    if (prfdata_bytes_get16(view.bytes, 0) != 0x5A4D) /* MZ */
        return ERROR_INVALID_DATA;
    coff = prfdata_bytes_get32(view.bytes, 0x3C);
    if (!prfdata_bytes_have(view.bytes, coff, COFF_BYTES) ||
        prfdata_bytes_get32(view.bytes, coff) != PE_SIGNATURE)
        return ERROR_INVALID_DATA;
    view.machine = prfdata_bytes_get16(view.bytes, coff + 4);
    view.section_count = prfdata_bytes_get16(view.bytes, coff + 6);
    if (view.section_count > MAX_SECTIONS)
        return ERROR_INVALID_DATA;
    optional_bytes = prfdata_bytes_get16(view.bytes, coff + 20);
    view.is_dll = (prfdata_bytes_get16(view.bytes, coff + 22) & FILE_IS_DLL) != 0;

    optional = coff + COFF_BYTES;
    magic = prfdata_bytes_get16(view.bytes, optional);
    if (magic != OPTIONAL_PE32 && magic != OPTIONAL_PE32PLUS)
        return ERROR_INVALID_DATA;
    directories = magic == OPTIONAL_PE32 ? 96 : 112;
    if (optional_bytes < directories || !prfdata_bytes_have(view.bytes, optional, optional_bytes))
        return ERROR_INVALID_DATA;
    /* The export table is the first directory; the number of directories stands before it. */
    if (prfdata_bytes_get32(view.bytes, optional + directories - 4) > 0 &&
        optional_bytes >= directories + 8)
        view.exports_rva = prfdata_bytes_get32(view.bytes, optional + directories);

    if (!prfdata_bytes_have(view.bytes, optional + optional_bytes,
                            (uint64_t)view.section_count * SECTION_BYTES))
        return ERROR_INVALID_DATA;
    view.sections_offset = (uint32_t)(optional + optional_bytes);
    *file = view;
    return ERROR_SUCCESS;
}

/* Find `bytes` bytes at a relative virtual address. Returns their file offset; 0 if not found. */
static uint64_t offset_of_rva(const prfdata_pe_file *file, uint32_t rva, uint64_t bytes)
{
    for (uint32_t i = 0; i < file->section_count; i++) {
        uint64_t section = file->sections_offset + (uint64_t)i * SECTION_BYTES;
        uint32_t address = prfdata_bytes_get32(file->bytes, section + 12);
        uint32_t raw_bytes = prfdata_bytes_get32(file->bytes, section + 16);
        uint64_t offset = prfdata_bytes_get32(file->bytes, section + 20);

        if (rva < address || rva - address >= raw_bytes)
            continue;
        if (bytes > raw_bytes - (rva - address))
            return 0;
        offset += rva - address;
        return prfdata_bytes_have(file->bytes, offset, bytes) ? offset : 0;
    }
    return 0;
}

bool prfdata_pe_file_exports(const prfdata_pe_file *file, const char *name)
{
    uint64_t table = file->exports_rva ? offset_of_rva(file, file->exports_rva, EXPORT_BYTES) : 0;
    size_t name_bytes = strlen(name) + 1;
    uint32_t name_count;
    uint64_t names;

    if (!table)
        return false;
    name_count = prfdata_bytes_get32(file->bytes, table + 24);
    names =
        offset_of_rva(file, prfdata_bytes_get32(file->bytes, table + 32), (uint64_t)name_count * 4);
    if (!names || name_count > MAX_NAMES)
        return false;
    for (uint32_t i = 0; i < name_count; i++) {
        uint64_t text = offset_of_rva(
            file, prfdata_bytes_get32(file->bytes, names + (uint64_t)i * 4), name_bytes);

        if (text && memcmp(file->bytes.at + text, name, name_bytes) == 0)
            return true;
    }
    return false;
}
