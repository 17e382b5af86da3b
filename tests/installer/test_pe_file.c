/* SPDX-License-Identifier: MIT */
/* Tests reading DLLs that the test makes byte by byte from Microsoft's "PE Format": a whole one,
 * truncated ones and damaged ones. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "windows/pe_file.h"

#define PE_OFFSET   0x40u
#define RAW_OFFSET  0x200u
#define SECTION_RVA 0x1000u
#define DLL_BYTES   0x300u

static void put16(unsigned char *bytes, size_t offset, uint32_t value)
{
    prfdata_bytes_put(bytes + offset, value, 2);
}

static void put32(unsigned char *bytes, size_t offset, uint32_t value)
{
    prfdata_bytes_put(bytes + offset, value, 4);
}

/* Put the data of a section: the export directory at 0, two pointers to names at 0x28, the names at
 * 0x30. */
static void put_exports(unsigned char *section)
{
    put32(section, 24, 2);
    put32(section, 32, SECTION_RVA + 0x28);
    put32(section, 0x28, SECTION_RVA + 0x30);
    put32(section, 0x2C, SECTION_RVA + 0x3D);
    memcpy(section + 0x30, "PrfDataClose", 13);
    memcpy(section + 0x3D, "PrfDataOpen", 12);
}

static unsigned char *make_dll(bool is_64)
{
    unsigned char *bytes = calloc(1, DLL_BYTES);
    uint32_t optional_bytes = is_64 ? 240 : 224;
    size_t optional = PE_OFFSET + 24;
    size_t section = optional + optional_bytes;

    assert_non_null(bytes);
    memcpy(bytes, "MZ", 2);
    put32(bytes, 0x3C, PE_OFFSET);
    memcpy(bytes + PE_OFFSET, "PE", 2);
    put16(bytes, PE_OFFSET + 4, is_64 ? PRFDATA_PE_MACHINE_X64 : PRFDATA_PE_MACHINE_X86);
    put16(bytes, PE_OFFSET + 6, 1);
    put16(bytes, PE_OFFSET + 20, optional_bytes);
    put16(bytes, PE_OFFSET + 22, 0x2000);
    put16(bytes, optional, is_64 ? 0x20B : 0x10B);
    put32(bytes, optional + (is_64 ? 108 : 92), 16);
    put32(bytes, optional + (is_64 ? 112 : 96), SECTION_RVA);
    put32(bytes, section + 12, SECTION_RVA);
    put32(bytes, section + 16, DLL_BYTES - RAW_OFFSET);
    put32(bytes, section + 20, RAW_OFFSET);
    put_exports(bytes + RAW_OFFSET);
    return bytes;
}

static void test_pe_file_tells_machine_and_exports(void **state)
{
    (void)state;
    for (int is_64 = 0; is_64 <= 1; is_64++) {
        unsigned char *bytes = make_dll(is_64);
        prfdata_pe_file file;

        assert_int_equal(prfdata_pe_file_open(&file, bytes, DLL_BYTES), ERROR_SUCCESS);
        assert_int_equal(file.machine, is_64 ? PRFDATA_PE_MACHINE_X64 : PRFDATA_PE_MACHINE_X86);
        assert_true(file.is_dll);
        assert_true(prfdata_pe_file_exports(&file, "PrfDataOpen"));
        assert_true(prfdata_pe_file_exports(&file, "PrfDataClose"));
        free(bytes);
    }
}

static void test_pe_file_export_names_match_as_a_whole(void **state)
{
    unsigned char *bytes = make_dll(true);
    prfdata_pe_file file;

    (void)state;
    assert_int_equal(prfdata_pe_file_open(&file, bytes, DLL_BYTES), ERROR_SUCCESS);
    assert_false(prfdata_pe_file_exports(&file, "PrfDataCollect"));
    assert_false(prfdata_pe_file_exports(&file, "PrfDataOpe"));
    assert_false(prfdata_pe_file_exports(&file, "PrfDataOpenA"));
    assert_false(prfdata_pe_file_exports(&file, "prfdataopen"));
    assert_false(prfdata_pe_file_exports(&file, ""));
    free(bytes);
}

/* Each length has its own allocation, so that the sanitizer notices the first byte after it. */
static void test_pe_file_every_truncation_is_safe(void **state)
{
    unsigned char *whole = make_dll(true);

    (void)state;
    for (size_t size = 0; size < DLL_BYTES; size++) {
        unsigned char *cut = malloc(size ? size : 1);
        prfdata_pe_file file;
        bool headers = size >= PE_OFFSET + 24 + 240 + 40;

        assert_non_null(cut);
        memcpy(cut, whole, size);
        assert_int_equal(prfdata_pe_file_open(&file, cut, size),
                         headers ? ERROR_SUCCESS : ERROR_INVALID_DATA);
        if (headers)
            assert_int_equal(prfdata_pe_file_exports(&file, "PrfDataOpen"),
                             size >= RAW_OFFSET + 0x3D + 12);
        free(cut);
    }
    free(whole);
}

/* Gives every byte several values. Nothing outside of the file is read. */
static void test_pe_file_every_damaged_byte_is_safe(void **state)
{
    static const unsigned char damages[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};

    (void)state;
    for (size_t at = 0; at < DLL_BYTES; at++) {
        for (size_t i = 0; i < sizeof damages; i++) {
            unsigned char *bytes = make_dll(true);
            prfdata_pe_file file;

            bytes[at] = damages[i];
            if (prfdata_pe_file_open(&file, bytes, DLL_BYTES) == ERROR_SUCCESS)
                prfdata_pe_file_exports(&file, "PrfDataOpen");
            free(bytes);
        }
    }
}

static void test_pe_file_huge_counts_are_refused(void **state)
{
    unsigned char *bytes = make_dll(true);
    prfdata_pe_file file;

    (void)state;
    put32(bytes, RAW_OFFSET + 24, 0x40000001); /* multiplied by 4 in 32 bits, this is 4 */
    assert_int_equal(prfdata_pe_file_open(&file, bytes, DLL_BYTES), ERROR_SUCCESS);
    assert_false(prfdata_pe_file_exports(&file, "PrfDataOpen"));
    put16(bytes, PE_OFFSET + 6, 0xFFFF);
    assert_int_equal(prfdata_pe_file_open(&file, bytes, DLL_BYTES), ERROR_INVALID_DATA);
    free(bytes);
}

static void test_pe_file_program_without_exports_is_no_dll(void **state)
{
    unsigned char *bytes = make_dll(true);
    prfdata_pe_file file;

    (void)state;
    put16(bytes, PE_OFFSET + 22, 0);
    put32(bytes, PE_OFFSET + 24 + 112, 0);
    assert_int_equal(prfdata_pe_file_open(&file, bytes, DLL_BYTES), ERROR_SUCCESS);
    assert_false(file.is_dll);
    assert_false(prfdata_pe_file_exports(&file, "PrfDataOpen"));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pe_file_tells_machine_and_exports),
        cmocka_unit_test(test_pe_file_export_names_match_as_a_whole),
        cmocka_unit_test(test_pe_file_every_truncation_is_safe),
        cmocka_unit_test(test_pe_file_every_damaged_byte_is_safe),
        cmocka_unit_test(test_pe_file_huge_counts_are_refused),
        cmocka_unit_test(test_pe_file_program_without_exports_is_no_dll),
    };

    return cmocka_run_group_tests_name("pe_file", tests, NULL, NULL);
}
