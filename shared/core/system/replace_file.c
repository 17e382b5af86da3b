/* SPDX-License-Identifier: MIT */
/*
 * Decides how long to wait for a file that another program holds. replace_file_win32.c and
 * replace_file_posix.c replace the file.
 */
#include "system/replace_file.h"

#include "system/os.h"

/*
 * The first pauses are short, because most readers hold a file only for a moment. A program that
 * holds a file longer than PATIENCE_MS may hold the file for hours, so a longer wait is useless.
 */
#define PATIENCE_MS      1000u
#define FIRST_PAUSE_MS   1u
#define LONGEST_PAUSE_MS 32u

typedef struct replace_patience {
    uint64_t end_ms;
    uint32_t pause_ms;
} replace_patience;

static bool wait_for_holder(void *context)
{
    replace_patience *patience = context;

    if (prfdata_os_milliseconds() >= patience->end_ms)
        return false;
    prfdata_os_sleep(patience->pause_ms);
    if (patience->pause_ms < LONGEST_PAUSE_MS)
        patience->pause_ms *= 2;
    return true;
}

uint32_t prfdata_replace_file(const prfdata_path_char *path, bool overwrite, const void *bytes,
                              size_t size)
{
    replace_patience patience = {prfdata_os_milliseconds() + PATIENCE_MS, FIRST_PAUSE_MS};

    return prfdata_replace_file_with(path, overwrite, bytes, size, wait_for_holder, &patience);
}
