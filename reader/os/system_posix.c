/* SPDX-License-Identifier: MIT */
/* Gets the names that POSIX knows, and texts for the Win32 codes that other files return. */
#define _GNU_SOURCE /* gethostname */
#include "os/system.h"

#include <unistd.h>

#include <prfdata/error.h>

#include "os/posix.h"

size_t prfdata_system_computer(uint16_t *chars, size_t capacity)
{
    char name[256];

    if (gethostname(name, sizeof name) != 0)
        return 0;
    name[sizeof name - 1] = 0;
    return prfdata_posix_put_ascii(name, chars, capacity);
}

bool prfdata_system_name(size_t index, uint16_t *chars, size_t capacity, size_t *count)
{
    *count = index == 0 ? prfdata_system_computer(chars, capacity) : 0;
    return index == 0;
}

bool prfdata_system_is_computer(prfdata_text name)
{
    uint16_t chars[256];
    const prfdata_text own = {chars, prfdata_system_computer(chars, 256)};

    return own.count > 0 && prfdata_text_equal(name, own);
}

size_t prfdata_system_error_words(uint32_t status, uint16_t *chars, size_t capacity)
{
    static const struct {
        uint32_t status;
        const char *words;
    } known[] = {
        {ERROR_FILE_NOT_FOUND, "The file is not there."},
        {ERROR_PATH_NOT_FOUND, "The path is not there."},
        {ERROR_ACCESS_DENIED, "Access is denied."},
        {ERROR_NOT_ENOUGH_MEMORY, "Not enough memory."},
        {ERROR_INVALID_DATA, "The data is invalid."},
        {ERROR_NOT_SUPPORTED, "This works only on Windows."},
        {ERROR_FILE_EXISTS, "The file exists."},
        {ERROR_BROKEN_PIPE, "The pipe has no reader."},
        {ERROR_DISK_FULL, "The disk is full."},
        {ERROR_MORE_DATA, "There is more data than expected."},
        {ERROR_NO_MORE_ITEMS, "There are no more items."},
        {ERROR_FILENAME_EXCED_RANGE, "The name is too long."},
        {ERROR_SHARING_VIOLATION, "Another program uses the file."},
        {ERROR_CANCELLED, "The user has ended the wait."},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].status == status)
            return prfdata_posix_put_ascii(known[i].words, chars, capacity);
    }
    return prfdata_posix_put_ascii("The system failed.", chars, capacity);
}
