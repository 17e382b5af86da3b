/* SPDX-License-Identifier: MIT */
/* Converts code pages with iconv(), as far as the C library has them. */
#include "os/ansi.h"

#include <iconv.h>
#include <stdbool.h>
#include <string.h>

#include <prfdata/error.h>

#define NO_ICONV ((iconv_t)-1)

/*
 * The ANSI and OEM code pages of Windows, and a few others. Only these names are passed to
 * iconv_open(), because the number of a code page may come from a file that nobody trusts.
 */
static const struct {
    uint32_t page;
    const char *name;
} converters[] = {
    {437, "CP437"},         {737, "CP737"},     {775, "CP775"},    {850, "CP850"},
    {852, "CP852"},         {855, "CP855"},     {857, "CP857"},    {858, "CP858"},
    {860, "CP860"},         {861, "CP861"},     {862, "CP862"},    {863, "CP863"},
    {864, "CP864"},         {865, "CP865"},     {866, "CP866"},    {869, "CP869"},
    {874, "CP874"},         {932, "CP932"},     {936, "CP936"},    {949, "CP949"},
    {950, "CP950"},         {1250, "CP1250"},   {1251, "CP1251"},  {1253, "CP1253"},
    {1254, "CP1254"},       {1255, "CP1255"},   {1256, "CP1256"},  {1257, "CP1257"},
    {1258, "CP1258"},       {20866, "KOI8-R"},  {21866, "KOI8-U"}, {28592, "ISO-8859-2"},
    {28605, "ISO-8859-15"}, {54936, "GB18030"},
};

void prfdata_ansi_page_open(prfdata_ansi_page *page)
{
    for (size_t i = 0; i < sizeof converters / sizeof converters[0]; i++) {
        if (converters[i].page == page->number) {
            iconv_t converter = iconv_open("UTF-16LE", converters[i].name);

            page->converter = converter == NO_ICONV ? NULL : converter;
        }
    }
}

void prfdata_ansi_page_close(prfdata_ansi_page *page)
{
    if (page->converter)
        (void)iconv_close(page->converter);
}

uint32_t prfdata_ansi_system_page(void)
{
    return PRFDATA_ANSI_UTF_8;
}

uint32_t prfdata_ansi_from_utf8(const char *text, size_t size, char *bytes, size_t *used)
{
    memcpy(bytes, text, size);
    *used = size;
    return ERROR_SUCCESS;
}

/* Convert exactly these bytes. Returns false if they are not a character. */
static bool convert_bytes(iconv_t converter, const unsigned char *bytes, size_t size,
                          uint16_t *chars, size_t *count)
{
    unsigned char made[2 * PRFDATA_ANSI_MOST_BYTES];
    char *from = (char *)(uintptr_t)bytes;
    char *to = (char *)made;
    size_t to_left = sizeof made;

    (void)iconv(converter, NULL, NULL, NULL, NULL);
    /* The call without input returns a letter that the converter held back in case an accent
     * follows. */
    if (iconv(converter, &from, &size, &to, &to_left) == (size_t)-1 || size > 0 ||
        iconv(converter, NULL, NULL, &to, &to_left) == (size_t)-1)
        return false;
    *count = (sizeof made - to_left) / 2;
    for (size_t i = 0; i < *count; i++)
        chars[i] = (uint16_t)(made[2 * i] | made[2 * i + 1] << 8);
    return *count > 0;
}

size_t prfdata_ansi_page_next(const prfdata_ansi_page *page, const unsigned char *bytes,
                              size_t size, uint16_t *chars, size_t *count)
{
    uint16_t made[PRFDATA_ANSI_MOST_BYTES];

    for (size_t length = 1; page->converter && length <= size && length <= PRFDATA_ANSI_MOST_BYTES;
         length++) {
        if (!convert_bytes(page->converter, bytes, length, made, count))
            continue;
        if (*count > length)
            return 0; /* there are more chars than room */
        for (size_t i = 0; i < *count; i++)
            chars[i] = made[i];
        return length;
    }
    return 0;
}
